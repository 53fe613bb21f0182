//! A JSON document as it was written: objects keep their order and their duplicates, so that both can be reported.

use crate::arango::clean_to;
use crate::json::{self, Fault, Value};

/// A JSON value.
pub(super) enum Document {
    Null,
    Bool(bool),
    Whole(u64),
    /// Negative, fractional, or too large for [`Document::Whole`].
    Number {
        value: f64,
        /// As it is written.
        text: String,
    },
    Text(String),
    List(Vec<Document>),
    Object(Vec<(String, Document)>),
}

/// Longer texts are shortened in messages.
const SHOWN_CHARACTERS: usize = 40;

impl Document {
    /// The value for a message: short, and on one line.
    pub(super) fn show(&self) -> String {
        match self {
            Document::Null => "null".into(),
            Document::Bool(value) => value.to_string(),
            Document::Whole(value) => value.to_string(),
            Document::Number { text, .. } => clean_to(text, SHOWN_CHARACTERS),
            Document::Text(text) => json::quote(&clean_to(text, SHOWN_CHARACTERS)),
            Document::List(_) => "a list".into(),
            Document::Object(_) => "an object".into(),
        }
    }
}

impl Document {
    /// Reads a JSON text.
    pub(super) fn parse(json: &str) -> Result<Document, Fault> {
        Value::parse(json).map(|value| Document::of(&value))
    }

    fn of(value: &Value<'_>) -> Document {
        match value {
            Value::Null => Document::Null,
            Value::Bool(value) => Document::Bool(*value),
            Value::Number(digits) => number(digits),
            Value::Text(text) => Document::Text(text.decode().into_owned()),
            Value::List(items) => Document::List(items.iter().map(Document::of).collect()),
            Value::Object(members) => {
                let mut object = Vec::with_capacity(members.len());
                for (name, value) in members {
                    object.push((name.decode().into_owned(), Document::of(value)));
                }
                Document::Object(object)
            }
        }
    }
}

fn number(digits: &str) -> Document {
    if let Ok(whole) = digits.parse() {
        return Document::Whole(whole);
    }
    let value = aql_syntax::approximate(digits).unwrap_or(f64::NAN);
    // `5.0` is the whole number 5 in JSON Schema too. Above 2^53 a float no longer says which whole number is meant.
    if (0.0..=9_007_199_254_740_992.0).contains(&value) && value.fract() == 0.0 {
        return Document::Whole(value as u64);
    }
    Document::Number {
        value,
        text: digits.into(),
    }
}
