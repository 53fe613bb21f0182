//! A JSON document as it was written: objects keep their order and their duplicates, so that both can be reported.

use core::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// A JSON value.
pub(super) enum Document {
    Null,
    Bool(bool),
    Whole(u64),
    /// Negative, fractional, or too large for [`Document::Whole`].
    Number(f64),
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
            Document::Number(value) => value.to_string(),
            Document::Text(text) => {
                let mut shown: String = text.chars().take(SHOWN_CHARACTERS).collect();
                if shown.len() < text.len() {
                    shown.push('…');
                }
                serde_json::Value::from(crate::arango::clean(&shown)).to_string()
            }
            Document::List(_) => "a list".into(),
            Document::Object(_) => "an object".into(),
        }
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Document, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Document;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Document, E> {
        Ok(Document::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Document, E> {
        Ok(Document::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Document, E> {
        Ok(Document::Whole(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Document, E> {
        Ok(Document::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Document, E> {
        // `5.0` is the whole number 5 in JSON Schema too. Above 2^53 a float no longer says which whole number is meant.
        if (0.0..=9_007_199_254_740_992.0).contains(&value) && value.fract() == 0.0 {
            return Ok(Document::Whole(value as u64));
        }
        Ok(Document::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Document, E> {
        Ok(Document::Text(value.into()))
    }

    fn visit_string<E>(self, value: String) -> Result<Document, E> {
        Ok(Document::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Document, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Document::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Document, A::Error> {
        let mut object = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            object.push(entry);
        }
        Ok(Document::Object(object))
    }
}
