//! Conversions between types, as the cast functions and the operators of AQL make them.

use super::{Value, double_text};

impl Value {
    /// Whether this counts as true: all but `null`, `false`, `0` and `""`.
    pub fn is_true(&self) -> bool {
        match self {
            Self::Null => false,
            Self::Bool(truth) => *truth,
            Self::Int(number) => *number != 0,
            Self::Double(number) => *number != 0.0,
            Self::String(text) => !text.is_empty(),
            Self::Array(_) | Self::Object(_) => true,
        }
    }

    /// `TO_BOOL()`.
    pub fn to_bool(&self) -> Value {
        Self::Bool(self.is_true())
    }

    /// `TO_NUMBER()`: numbers as they are, `true` is 1, a string that is wholly a number is that number (spaces around
    /// it allowed), an array of one element is that element's number; all else is 0.
    pub fn to_number(&self) -> Value {
        let mut value = self;
        loop {
            return match value {
                Self::Int(_) | Self::Double(_) => value.clone(),
                Self::Bool(true) => Self::Int(1),
                Self::String(text) => parse_number(text).unwrap_or(Self::Int(0)),
                Self::Array(items) => match items.as_slice() {
                    [only] => {
                        value = only;
                        continue;
                    }
                    _ => Self::Int(0),
                },
                Self::Null | Self::Bool(false) | Self::Object(_) => Self::Int(0),
            };
        }
    }

    /// [`Value::to_number`] as a double.
    pub fn to_f64(&self) -> f64 {
        self.to_number().as_f64().unwrap_or(0.0)
    }

    /// [`Value::to_number`] as an integer, fractions cut and the range clamped.
    pub fn to_i64(&self) -> i64 {
        self.to_number().as_i64().unwrap_or(0)
    }

    /// `TO_STRING()`: `null` is empty, arrays and objects are their JSON text.
    pub fn to_text(&self) -> String {
        match self {
            Self::Null => String::new(),
            Self::Bool(truth) => truth.to_string(),
            Self::Int(number) => number.to_string(),
            Self::Double(number) => double_text(*number),
            Self::String(text) => text.to_string(),
            Self::Array(_) | Self::Object(_) => self.to_json_text(),
        }
    }

    /// `TO_ARRAY()`: `null` is empty, an object is its values, any other single value is wrapped.
    pub fn to_array(&self) -> Value {
        match self {
            Self::Null => Self::array(Vec::new()),
            Self::Array(_) => self.clone(),
            Self::Object(object) => Self::array(object.values().cloned().collect()),
            single => Self::array(vec![single.clone()]),
        }
    }
}

/// The number that the whole text is, spaces around it aside.
fn parse_number(text: &str) -> Option<Value> {
    let text = text.trim_matches([' ', '\t', '\n', '\r', '\u{b}', '\u{c}']);
    // Rust reads `inf` and `nan`, which are no numbers here.
    if text.is_empty()
        || !text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'))
    {
        return None;
    }
    if let Ok(number) = text.parse::<i64>() {
        return Some(Value::Int(number));
    }
    match text.parse::<f64>().map(Value::from_f64) {
        Ok(Value::Null) | Err(_) => None,
        Ok(number) => Some(number),
    }
}
