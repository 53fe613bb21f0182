//! `PHRASE()`: terms that follow each other in a field.

use std::sync::Arc;

use super::fuzzy;
use super::query::{PhraseStep, Span, What};
use super::translate::tokens;
use crate::engine::execute::stage::Context;
use crate::error::ArangoError;
use crate::value::Value;

/// Takes the analyzer's name off the end of the arguments after the field: it stands where a number to skip would stand.
pub(super) fn split_analyzer(values: &[Value]) -> (&[Value], Option<&str>) {
    match values {
        [parts @ .., Value::String(name)] if !parts.is_empty() && parts.len() % 2 == 1 => {
            (parts, Some(name))
        }
        _ => (values, None),
    }
}

/// The places of a phrase: texts give a place for each of their tokens, numbers skip places, objects say what a term may be.
///
/// # Errors
/// 400/10 for a part that is none of these.
pub(super) fn steps(
    parts: &[Value],
    analyzer: &str,
    context: &mut Context<'_, '_>,
) -> Result<Vec<PhraseStep>, ArangoError> {
    let mut steps = Vec::new();
    let mut skip = 0;
    for part in parts {
        match part {
            Value::Array(items) => {
                for item in items.iter() {
                    add(item, analyzer, &mut skip, &mut steps, context)?;
                }
            }
            part => add(part, analyzer, &mut skip, &mut steps, context)?,
        }
    }
    Ok(steps)
}

fn add(
    part: &Value,
    analyzer: &str,
    skip: &mut usize,
    steps: &mut Vec<PhraseStep>,
    context: &mut Context<'_, '_>,
) -> Result<(), ArangoError> {
    match part {
        Value::String(_) => {
            for term in tokens(part, analyzer, context)? {
                steps.push(PhraseStep {
                    skip: std::mem::take(skip),
                    what: What::Terms(vec![term]),
                });
            }
            Ok(())
        }
        Value::Int(_) | Value::Double(_) => {
            let count = usize::try_from(part.to_i64()).unwrap_or(0);
            *skip = skip.saturating_add(count);
            Ok(())
        }
        Value::Object(object) => {
            let (name, value) = object.iter().next().ok_or_else(|| refused(part))?;
            steps.push(PhraseStep {
                skip: std::mem::take(skip),
                what: place(name, value, analyzer, context)?,
            });
            Ok(())
        }
        other => Err(refused(other)),
    }
}

/// What the term at a place may be: `{STARTS_WITH: ["ab"]}` and its kin.
fn place(
    name: &str,
    value: &Value,
    analyzer: &str,
    context: &mut Context<'_, '_>,
) -> Result<What, ArangoError> {
    let values = match value {
        Value::Array(items) => items.to_vec(),
        one => vec![one.clone()],
    };
    let first = values.first().map(Value::to_text).unwrap_or_default();
    Ok(match name.to_ascii_uppercase().as_str() {
        "STARTS_WITH" => What::Prefixes(vec![first], 1),
        "WILDCARD" => What::Like(first),
        "LEVENSHTEIN_MATCH" => {
            let mut read = fuzzy::read(&values)?;
            if let [only] = tokens(&Value::from(read.text.as_str()), analyzer, context)?.as_slice()
            {
                read.text = only.to_string();
            }
            What::Fuzzy(read)
        }
        "TERMS" | "TERM" => {
            What::Terms(values.iter().map(|one| Arc::from(one.to_text())).collect())
        }
        "IN_RANGE" => {
            let text = |at: usize| values.get(at).map(|one| Arc::from(one.to_text()));
            let with = |at: usize| values.get(at).is_none_or(Value::is_true);
            What::Texts(Span {
                low: text(0).map(|low| (low, with(2))),
                high: text(1).map(|high| (high, with(3))),
            })
        }
        _ => {
            return Err(ArangoError::bad_parameter(format!(
                "'PHRASE' AQL function: unknown object key '{name}'"
            )));
        }
    })
}

fn refused(part: &Value) -> ArangoError {
    ArangoError::bad_parameter(format!(
        "'PHRASE' AQL function: a part must be a text, a number, or an object with one attribute, not {part}"
    ))
}
