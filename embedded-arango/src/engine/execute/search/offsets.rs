//! `OFFSET_INFO()`: where the matches of a search lie in the texts of a document.
//!
//! The texts of a field are taken apart again, and what the condition selects of their tokens is told by its bytes: the offset
//! of the first and the number up to the end. A phrase is one match, from its first token to its last. Requirements of one field
//! follow each other in the order of the condition.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::query::{Leaf, PhraseStep, Query, What};
use crate::engine::execute::stage::Context;
use crate::error::ArangoError;
use crate::functions::{self, like};
use crate::value::{Object, Value};

/// How many matches of a field are told unless the rule says otherwise.
const MOST: usize = 10;

/// A token with its position.
struct Placed {
    term: String,
    position: usize,
    place: Range<usize>,
}

/// The matches in the fields of the rules: names of fields, or `{name, options: {maxOffsets}}`.
pub(super) fn offsets(
    query: &Query,
    document: &Value,
    rules: &Value,
    context: &mut Context<'_, '_>,
) -> Result<Value, ArangoError> {
    let one = [rules.clone()];
    let rules = rules.as_array().unwrap_or(&one);
    let mut all = Vec::new();
    for rule in rules {
        let name = match rule {
            Value::Object(_) => rule.get("name").to_text(),
            name => name.to_text(),
        };
        let options = rule.get("options");
        let most = match options.get("maxOffsets") {
            Value::Null => MOST,
            most => usize::try_from(most.to_i64()).unwrap_or(MOST),
        };
        let mut leaves = Vec::new();
        collect(query, &mut leaves);
        let mut by_name: BTreeMap<Vec<Name>, Vec<Range<usize>>> = BTreeMap::new();
        for leaf in leaves {
            for (path, value) in values(document, &name) {
                if field_of(&path) != leaf.field && plain(&leaf.field) != plain(&name) {
                    continue;
                }
                if field_of(&path) != leaf.field && leaf.field != plain(&name) {
                    continue;
                }
                let found = matches(leaf, &value, context)?;
                if !found.is_empty() {
                    by_name.entry(path).or_default().extend(found);
                }
            }
        }
        for (path, places) in by_name {
            let places = places.into_iter().take(most);
            let pair = |place: Range<usize>| {
                let number = |number: usize| Value::Int(i64::try_from(number).unwrap_or(i64::MAX));
                Value::array(vec![number(place.start), number(place.end - place.start)])
            };
            all.push(Value::object(Object::from_iter([
                ("name", Value::array(path.iter().map(Name::value).collect())),
                ("offsets", Value::array(places.map(pair).collect())),
            ])));
        }
    }
    Ok(Value::array(all))
}

/// A step of a name as it is told.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Attribute(Arc<str>),
    Position(usize),
}

impl Name {
    fn value(&self) -> Value {
        match self {
            Name::Attribute(name) => Value::String(Arc::clone(name)),
            Name::Position(at) => Value::Int(i64::try_from(*at).unwrap_or(i64::MAX)),
        }
    }
}

fn field_of(path: &[Name]) -> String {
    let mut field = String::new();
    for step in path {
        match step {
            Name::Attribute(name) => {
                if !field.is_empty() {
                    field.push('.');
                }
                field.push_str(name);
            }
            Name::Position(at) => field.push_str(&format!("[{at}]")),
        }
    }
    field
}

/// A field's name without positions.
fn plain(name: &str) -> String {
    let mut out = String::new();
    let mut within = false;
    for character in name.chars() {
        match character {
            '[' => within = true,
            ']' => within = false,
            other if !within => out.push(other),
            _ => {}
        }
    }
    out
}

/// The texts of a document under a name, elements of arrays one by one; a position in the name takes just that one.
fn values(document: &Value, name: &str) -> Vec<(Vec<Name>, Arc<str>)> {
    let mut found = vec![(Vec::new(), document.clone())];
    for part in name.split('.') {
        let (attribute, position) = match part.split_once('[') {
            Some((attribute, rest)) => {
                (attribute, rest.trim_end_matches(']').parse::<usize>().ok())
            }
            None => (part, None),
        };
        let mut next = Vec::new();
        for (path, value) in found {
            let mut path: Vec<Name> = path;
            path.push(Name::Attribute(Arc::from(attribute)));
            spread(path, value.get(attribute), position, &mut next);
        }
        found = next;
    }
    found
        .into_iter()
        .filter_map(|(path, value)| match value {
            Value::String(text) => Some((path, text)),
            _ => None,
        })
        .collect()
}

fn spread(path: Vec<Name>, value: Value, only: Option<usize>, out: &mut Vec<(Vec<Name>, Value)>) {
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                if only.is_none_or(|only| only == at) {
                    let mut path = path.clone();
                    path.push(Name::Position(at));
                    out.push((path, item.clone()));
                }
            }
        }
        Value::Null => {}
        value if only.is_none() => out.push((path, value)),
        _ => {}
    }
}

/// The requirements that may have matched.
fn collect<'q>(query: &'q Query, leaves: &mut Vec<&'q Leaf>) {
    match query {
        Query::And(inner) | Query::Or(inner) | Query::AtLeast(_, inner) => {
            inner.iter().for_each(|one| collect(one, leaves));
        }
        Query::Leaf(leaf) => leaves.push(leaf),
        Query::All | Query::Nothing | Query::Not(_) | Query::Check(..) => {}
    }
}

/// The matches of a requirement in one text.
fn matches(
    leaf: &Leaf,
    text: &str,
    context: &mut Context<'_, '_>,
) -> Result<Vec<Range<usize>>, ArangoError> {
    let mut ctx = functions::Context { host: context.run };
    let analyzer = functions::named_analyzer(&mut ctx, "OFFSET_INFO", &leaf.analyzer)?;
    let mut position = 0;
    let mut tokens = Vec::new();
    for token in analyzer.tokens(&mut ctx, text)? {
        position += token.step;
        tokens.push(Placed {
            term: token.term.to_text(),
            position,
            place: token.place,
        });
    }
    if let What::Phrase(steps) = &leaf.what {
        return phrases(steps, &tokens, &mut ctx);
    }
    let mut found = Vec::new();
    for token in &tokens {
        if fits(&leaf.what, &token.term, &mut ctx)? {
            found.push(token.place.clone());
        }
    }
    Ok(found)
}

fn phrases(
    steps: &[PhraseStep],
    tokens: &[Placed],
    ctx: &mut functions::Context<'_>,
) -> Result<Vec<Range<usize>>, ArangoError> {
    let mut found = Vec::new();
    for first in tokens {
        let (mut at, mut end) = (first.position, None);
        for (number, step) in steps.iter().enumerate() {
            if number > 0 {
                at = at.saturating_add(step.skip).saturating_add(1);
            }
            end = None;
            for token in tokens.iter().filter(|token| token.position == at) {
                if fits(&step.what, &token.term, ctx)? {
                    end = Some(token.place.end);
                    break;
                }
            }
            if end.is_none() {
                break;
            }
        }
        if let Some(end) = end {
            found.push(first.place.start..end.max(first.place.start));
        }
    }
    Ok(found)
}

fn fits(what: &What, term: &str, ctx: &mut functions::Context<'_>) -> Result<bool, ArangoError> {
    Ok(match what {
        What::Terms(terms) | What::Pieces(terms, _) | What::Several(terms, _) => {
            terms.iter().any(|one| **one == *term)
        }
        What::Texts(span) => span.contains(&Arc::from(term)),
        What::Prefixes(prefixes, _) => prefixes.iter().any(|one| term.starts_with(one.as_str())),
        What::Like(pattern) => like(term, pattern, false),
        What::Fuzzy(fuzzy) => fuzzy.distance(ctx, term)?.is_some(),
        What::Numbers(_) | What::Truths(_) | What::Null | What::Present(_) | What::Phrase(_) => {
            false
        }
    })
}
