//! Splitting at delimiters, and words that do not count.

use super::super::substitute::Matches;
use super::{Tokens, invalid, texts};
use crate::error::ArangoError;
use crate::value::Value;

/// Splits like a line of CSV: a part in double quotes may hold delimiters, and two quotes in it are one.
pub(super) fn by_delimiter(
    tokens: &mut Tokens<'_, '_>,
    text: &str,
    delimiter: &str,
) -> Result<(), ArangoError> {
    if delimiter.is_empty() {
        return tokens.push(text.to_owned());
    }
    let mut rest = text;
    loop {
        let (part, after) = first_part(rest, delimiter);
        tokens.push(unquoted(part))?;
        match after {
            Some(after) => rest = after,
            None => return Ok(()),
        }
    }
}

/// The text up to a delimiter outside quotes, and what follows it.
fn first_part<'a>(text: &'a str, delimiter: &str) -> (&'a str, Option<&'a str>) {
    let mut quoted = false;
    for (at, character) in text.char_indices() {
        let Some(rest) = text.get(at..) else { break };
        if !quoted && let Some(after) = rest.strip_prefix(delimiter) {
            return (text.get(..at).unwrap_or_default(), Some(after));
        }
        quoted ^= character == '"';
    }
    (text, None)
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
        let part = text
            .get(done..next.map_or(text.len(), |(at, _)| at))
            .unwrap_or_default();
        if !part.is_empty() {
            tokens.push(part.to_owned())?;
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
