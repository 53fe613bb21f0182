//! JSON in and out.
//!
//! Numbers without fraction and exponent are integers where they fit 64 bits, all others are doubles. Of two attributes
//! with one name the later value stands. Text is written as the server writes it: no spaces, no escapes that JSON does
//! not need, doubles by [`double_text`].

use std::fmt::{self, Write as _};

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap as _, SerializeSeq as _, Serializer};

use super::{Object, Value, double_text};

/// Whole doubles up to this size are handed to serializers as integers, so that `1.0` prints as `1`: 2^53.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Value {
    /// The value that JSON text stands for.
    ///
    /// # Errors
    /// Text that is not one JSON value, or one nested deeper than 128.
    pub fn from_json_text(text: &str) -> Result<Value, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The value that parsed JSON stands for.
    pub fn from_json(json: serde_json::Value) -> Value {
        match json {
            serde_json::Value::Null => Value::Null,
            serde_json::Value::Bool(truth) => Value::Bool(truth),
            serde_json::Value::Number(number) => match number.as_i64() {
                Some(int) => Value::Int(int),
                None => number.as_f64().map_or(Value::Null, Value::from_f64),
            },
            serde_json::Value::String(text) => Value::from(text),
            serde_json::Value::Array(items) => {
                Value::array(items.into_iter().map(Value::from_json).collect())
            }
            serde_json::Value::Object(entries) => Value::object(
                entries
                    .into_iter()
                    .map(|(name, value)| (name, Value::from_json(value)))
                    .collect(),
            ),
        }
    }

    /// This value as `serde_json` holds it. That type may sort attributes; where their order matters, serialize the
    /// value itself or use [`Value::to_json_text`].
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Value::Null => serde_json::Value::Null,
            Value::Bool(truth) => serde_json::Value::Bool(*truth),
            Value::Int(number) => serde_json::Value::from(*number),
            Value::Double(number) => match whole(*number) {
                Some(int) => serde_json::Value::from(int),
                None => serde_json::Value::from(*number),
            },
            Value::String(text) => serde_json::Value::String(text.to_string()),
            Value::Array(items) => items.iter().map(Value::to_json).collect(),
            Value::Object(object) => object
                .iter()
                .map(|(name, value)| (name.to_string(), value.to_json()))
                .collect(),
        }
    }

    /// This value as JSON text, as the server prints it.
    pub fn to_json_text(&self) -> String {
        let mut out = String::new();
        self.write_json(&mut out);
        out
    }

    /// Appends [`Value::to_json_text`] to `out`.
    pub fn write_json(&self, out: &mut String) {
        match self {
            Value::Null => out.push_str("null"),
            Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
            Value::Int(number) => {
                // Writing into a string cannot fail.
                let _ = write!(out, "{number}");
            }
            Value::Double(number) => out.push_str(&double_text(*number)),
            Value::String(text) => write_string(text, out),
            Value::Array(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    item.write_json(out);
                }
                out.push(']');
            }
            Value::Object(object) => {
                out.push('{');
                for (at, (name, value)) in object.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    write_string(name, out);
                    out.push(':');
                    value.write_json(out);
                }
                out.push('}');
            }
        }
    }
}

fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0
        && number.abs() <= EXACT
        && !(number == 0.0 && number.is_sign_negative()))
    .then_some(number as i64)
}

fn write_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if control < ' ' => {
                let _ = write!(out, "\\u{:04X}", u32::from(control));
            }
            other => out.push(other),
        }
    }
    out.push('"');
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_json_text())
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(truth) => serializer.serialize_bool(*truth),
            Value::Int(number) => serializer.serialize_i64(*number),
            Value::Double(number) => match whole(*number) {
                Some(int) => serializer.serialize_i64(int),
                None => serializer.serialize_f64(*number),
            },
            Value::String(text) => serializer.serialize_str(text),
            Value::Array(items) => {
                let mut out = serializer.serialize_seq(Some(items.len()))?;
                for item in items.iter() {
                    out.serialize_element(item)?;
                }
                out.end()
            }
            Value::Object(object) => object.serialize(serializer),
        }
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(Some(self.len()))?;
        for (name, value) in self.iter() {
            out.serialize_entry(&**name, value)?;
        }
        out.end()
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(AnyObject)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Value, E> {
        Ok(Value::Bool(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Int(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(i64::try_from(number).map_or(Value::Double(number as f64), Value::Int))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::from_f64(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::string(text))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut out = Vec::new();
        while let Some(item) = items.next_element()? {
            out.push(item);
        }
        Ok(Value::array(out))
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<Value, A::Error> {
        AnyObject.visit_map(entries).map(Value::object)
    }
}

struct AnyObject;

impl<'de> Visitor<'de> for AnyObject {
    type Value = Object;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Object, A::Error> {
        let mut object = Object::new();
        while let Some((name, value)) = entries.next_entry::<String, Value>()? {
            object.insert(name, value);
        }
        Ok(object)
    }
}
