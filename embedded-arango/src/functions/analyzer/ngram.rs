//! Pieces of fixed lengths.

use std::ops::Range;

use super::invalid;
use super::token::Tokens;
use crate::error::ArangoError;
use crate::value::Value;

/// The pieces of an `ngram` analyzer.
#[derive(Debug)]
pub(super) struct Ngram {
    min: usize,
    max: usize,
    preserve: bool,
    start: String,
    end: String,
    by_character: bool,
}

/// A positive number among properties.
pub(super) fn size(properties: &Value, name: &str) -> Result<usize, ArangoError> {
    let number = properties
        .get(name)
        .as_i64()
        .and_then(|number| usize::try_from(number).ok());
    number
        .filter(|number| *number > 0)
        .ok_or_else(|| invalid(&format!("`{name}` must be a positive number")))
}

impl Ngram {
    pub(super) fn read(properties: &Value) -> Result<Self, ArangoError> {
        let (min, max) = (size(properties, "min")?, size(properties, "max")?);
        if min > max {
            return Err(invalid("`min` must not be greater than `max`"));
        }
        Ok(Self {
            min,
            max,
            preserve: properties.get("preserveOriginal").is_true(),
            start: properties.get("startMarker").to_text(),
            end: properties.get("endMarker").to_text(),
            by_character: properties.get("streamType").as_str() == Some("utf8"),
        })
    }

    pub(super) fn run(&self, tokens: &mut Tokens<'_, '_>, text: &str) -> Result<(), ArangoError> {
        // Where pieces may begin and end: between bytes, or between characters.
        let ends: Vec<usize> = (0..=text.len())
            .filter(|at| !self.by_character || text.is_char_boundary(*at))
            .collect();
        let piece = |from: usize, to: usize| {
            let bytes = ends
                .get(from)
                .zip(ends.get(to))
                .and_then(|(from, to)| text.as_bytes().get(*from..*to));
            String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned()
        };
        let count = ends.len() - 1;
        for from in 0..count {
            // What begins at one place has one position.
            let mut step = 1;
            for length in self.min..=self.max.min(count - from) {
                let (at_start, at_end) = (from == 0, from + length == count);
                let token = piece(from, from + length);
                let marked = if at_start && !self.start.is_empty() {
                    format!("{}{token}", self.start)
                } else if at_end && !self.end.is_empty() {
                    format!("{token}{}", self.end)
                } else {
                    token
                };
                let place = |at: usize| ends.get(at).copied().unwrap_or(text.len());
                tokens.push_step(marked, place(from)..place(from + length), step)?;
                step = 0;
            }
            if from == 0 && self.preserve {
                self.original(tokens, text, count, step)?;
            }
        }
        Ok(())
    }

    /// The whole text after the pieces at its start, with each marker; without one it does not come twice.
    fn original(
        &self,
        tokens: &mut Tokens<'_, '_>,
        text: &str,
        count: usize,
        mut step: usize,
    ) -> Result<(), ArangoError> {
        let place = 0..text.len();
        let was_piece = (self.min..=self.max).contains(&count);
        if self.start.is_empty() && self.end.is_empty() {
            return if was_piece {
                Ok(())
            } else {
                tokens.push_step(text.to_owned(), place, step)
            };
        }
        if !self.start.is_empty() && !was_piece {
            tokens.push_step(format!("{}{text}", self.start), place.clone(), step)?;
            step = 0;
        }
        if !self.end.is_empty() {
            tokens.push_step(format!("{text}{}", self.end), place, step)?;
        }
        Ok(())
    }
}

/// What the server's marker at both ends of a word, a byte that is no text, looks like in JSON.
const MARKER: char = '\u{fffd}';

/// All pieces of a size of a word between markers, and the shorter ones at its end.
pub(super) fn wildcard(
    tokens: &mut Tokens<'_, '_>,
    word: &str,
    place: &Range<usize>,
    size: usize,
) -> Result<(), ArangoError> {
    let marked: Vec<char> = std::iter::once(MARKER)
        .chain(word.chars())
        .chain(std::iter::once(MARKER))
        .collect();
    for from in 0..marked.len().saturating_sub(1) {
        let piece = marked
            .get(from..marked.len().min(from + size))
            .unwrap_or_default();
        tokens.push(piece.iter().collect(), place.clone())?;
    }
    Ok(())
}
