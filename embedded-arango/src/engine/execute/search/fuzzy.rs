//! `LEVENSHTEIN_MATCH()`: terms that are a few edits away from a text.

use super::query::Fuzzy;
use crate::error::ArangoError;
use crate::functions::{self, Context};
use crate::value::Value;

/// How many terms a search looks for unless it says otherwise.
const TERMS: usize = 64;

/// Reads the arguments after the field: target, distance, transpositions, most terms, prefix.
///
/// # Errors
/// 400/10 for a distance above 4, or 3 with transpositions.
pub(super) fn read(values: &[Value]) -> Result<Fuzzy, ArangoError> {
    let value = |at: usize| values.get(at).cloned().unwrap_or_default();
    let transpositions = values.get(2).is_none_or(Value::is_true);
    let most = if transpositions { 3 } else { 4 };
    let distance = value(1)
        .as_i64()
        .and_then(|distance| usize::try_from(distance).ok())
        .filter(|distance| *distance <= most)
        .ok_or_else(|| {
            ArangoError::bad_parameter(format!(
                "'LEVENSHTEIN_MATCH' AQL function: max distance must be a number in the range [0..{most}]"
            ))
        })?;
    Ok(Fuzzy {
        prefix: value(4).as_str().unwrap_or_default().to_owned(),
        text: value(0).to_text(),
        distance,
        transpositions,
        most: values.get(3).map_or(TERMS, |most| {
            usize::try_from(most.to_i64()).unwrap_or(TERMS)
        }),
    })
}

impl Fuzzy {
    /// How many edits a term is away, where that is few enough.
    pub(super) fn distance(
        &self,
        ctx: &mut Context<'_>,
        term: &str,
    ) -> Result<Option<usize>, ArangoError> {
        let Some(rest) = term.strip_prefix(self.prefix.as_str()) else {
            return Ok(None);
        };
        let (length, wanted) = (rest.chars().count(), self.text.chars().count());
        if length.abs_diff(wanted) > self.distance {
            return Ok(None);
        }
        let distance = functions::edits(ctx, rest, &self.text, self.transpositions)?;
        Ok((distance <= self.distance).then_some(distance))
    }

    /// How much a term at a distance counts of what the text itself would.
    pub(super) fn likeness(&self, term: &str, distance: usize) -> f32 {
        let wanted = self.prefix.chars().count() + self.text.chars().count();
        let shorter = term.chars().count().min(wanted).max(1);
        (1.0 - distance as f32 / shorter as f32).max(0.0)
    }
}
