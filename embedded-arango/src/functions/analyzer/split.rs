//! Splitting at delimiters, and words that do not count.

use super::super::substitute::Matches;
use super::token::Tokens;
use super::{invalid, texts};
use crate::error::ArangoError;
use crate::value::Value;

/// Splits like a line of CSV: a part in double quotes may hold delimiters, and two quotes in it are one.
pub(super) fn by_delimiter(
    tokens: &mut Tokens<'_, '_>,
    text: &str,
    delimiter: &str,
) -> Result<(), ArangoError> {
    if delimiter.is_empty() {
        return tokens.push(text.to_owned(), 0..text.len());
    }
    let mut begin = 0;
    loop {
        let rest = text.get(begin..).unwrap_or_default();
        let length = part_length(rest, delimiter);
        let part = rest.get(..length).unwrap_or_default();
        tokens.push(unquoted(part), begin..begin + length)?;
        if length == rest.len() {
            return Ok(());
        }
        begin += length + delimiter.len();
    }
}

/// How many bytes come before a delimiter outside quotes.
fn part_length(text: &str, delimiter: &str) -> usize {
    let mut quoted = false;
    for (at, character) in text.char_indices() {
        let starts = |rest: &str| rest.starts_with(delimiter);
        if !quoted && text.get(at..).is_some_and(starts) {
            return at;
        }
        quoted ^= character == '"';
    }
    text.len()
}

fn unquoted(part: &str) -> String {
    match part
        .strip_prefix('"')
        .and_then(|part| part.strip_suffix('"'))
    {
        Some(inner) => inner.replace("\"\"", "\""),
        None => part.to_owned(),
    }
}

/// Splits at each of several delimiters; nothing between two is no token.
pub(super) fn by_delimiters(
    tokens: &mut Tokens<'_, '_>,
    text: &str,
    delimiters: &[String],
) -> Result<(), ArangoError> {
    let mut matches = Matches::new(text, delimiters.iter().map(String::as_str));
    let mut done = 0;
    loop {
        let next = matches.next(tokens.ctx)?;
        let end = next.map_or(text.len(), |(at, _)| at);
        let part = text.get(done..end).unwrap_or_default();
        if !part.is_empty() {
            tokens.push(part.to_owned(), done..end)?;
        }
        let Some((at, delimiter)) = next else {
            return Ok(());
        };
        done = at + delimiters.get(delimiter).map_or(0, String::len);
    }
}

/// The words to leave out, in hexadecimal bytes where `hex` says so.
pub(super) fn stopwords(properties: &Value) -> Result<Vec<String>, ArangoError> {
    let words = texts(properties, "stopwords")?;
    if !properties.get("hex").is_true() {
        return Ok(words);
    }
    let decode = |word: &String| {
        let byte = |at: usize| {
            word.get(at..at + 2)
                .and_then(|pair| u8::from_str_radix(pair, 16).ok())
        };
        let bytes: Option<Vec<u8>> = (0..word.len()).step_by(2).map(byte).collect();
        bytes
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .ok_or_else(|| invalid("`stopwords` must be hexadecimal"))
    };
    words.iter().map(decode).collect()
}
