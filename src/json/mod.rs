//! JSON read as it stands: a pull reader without recursion, bounded in depth, that keeps every digit and every key.
//!
//! What must be judged or shown without loss (an execution plan, a row, a caller's bind variables, a model's reply) passes
//! the reader, which builds no tree, so that nesting costs a byte a level and no stack, and duplicate keys, which a tree
//! would hide, are seen. What is looked up by name becomes a [`Value`], which still stands in the source.
//!
//! | call | gives |
//! |---|---|
//! | [`Reader::next`] | the next token, or a [`Fault`] at its place |
//! | [`members`], [`items`] | the members of one object, the items of one array, each as its raw text |
//! | [`compact`] | the same value without white space |
//! | [`Value::parse`] | a small tree |
//! | [`Writer`] | JSON in the making |

use std::borrow::Cow;

mod reader;
mod text;
mod value;
mod writer;

pub(crate) use reader::{Fault, FaultKind, Reader, Token};
pub(crate) use text::{Text, decode_escape};
pub(crate) use value::Value;
pub(crate) use writer::{Writer, push_quoted};

/// The deepest nesting that is read where no other bound is named. A server nests a legal expression of 500 levels some
/// 1,000 deep in its plan.
pub(crate) const MAX_DEPTH: usize = 4_096;

/// The members of an object, in order, each value as its raw text. `None` where the text is not one JSON object.
pub(crate) fn members(text: &str) -> Option<Vec<(Cow<'_, str>, &str)>> {
    let mut reader = Reader::new(text, MAX_DEPTH);
    let Ok(Some(Token::BeginObject)) = reader.next() else {
        return None;
    };
    let mut found = Vec::new();
    loop {
        match reader.next() {
            Ok(Some(Token::Key(key))) => found.push((key.decode(), reader.raw_value().ok()?)),
            Ok(Some(Token::EndObject)) => break,
            _ => return None,
        }
    }
    matches!(reader.next(), Ok(None)).then_some(found)
}

/// The items of an array, in order, each as its raw text. `None` where the text is not one JSON array.
pub(crate) fn items(text: &str) -> Option<Vec<&str>> {
    let mut reader = Reader::new(text, MAX_DEPTH);
    let Ok(Some(Token::BeginArray)) = reader.next() else {
        return None;
    };
    let mut found = Vec::new();
    while reader.more_items() {
        found.push(reader.raw_value().ok()?);
    }
    matches!(reader.next(), Ok(Some(Token::EndArray))).then_some(())?;
    matches!(reader.next(), Ok(None)).then_some(found)
}

/// A value's text without the white space between its tokens: digits, escapes and the order of keys stay.
pub(crate) fn compact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_string = false;
    let mut escaped = false;
    for c in text.chars() {
        if in_string {
            out.push(c);
            if escaped {
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if c == '"' {
                in_string = false;
            }
        } else if !matches!(c, ' ' | '\n' | '\r' | '\t') {
            in_string = c == '"';
            out.push(c);
        }
    }
    out
}

/// Whether the text is one JSON value.
pub(crate) fn is_valid(text: &str) -> bool {
    let mut reader = Reader::new(text, MAX_DEPTH);
    reader.raw_value().is_ok() && reader.next().is_ok()
}

/// Line and column of a byte, from 1, columns counted in bytes.
pub(crate) fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.as_bytes().get(..at).unwrap_or(text.as_bytes());
    let (mut line, mut column) = (1_usize, 1_usize);
    for byte in before {
        if *byte == b'\n' {
            line = line.saturating_add(1);
            column = 1;
        } else {
            column = column.saturating_add(1);
        }
    }
    (line, column)
}

/// A text as a JSON string, quotes and all.
pub(crate) fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len().saturating_add(2));
    push_quoted(&mut quoted, text);
    quoted
}

#[cfg(test)]
mod tests;
