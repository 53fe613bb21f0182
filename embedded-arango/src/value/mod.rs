//! The values that AQL computes with, and that documents are made of.
//!
//! A [`Value`] is cheap to clone (strings, arrays and objects are shared), compares by AQL's total order
//! ([`Value::compare`], also `Ord`, `Eq` and `Hash`), and converts to and from JSON. Numbers are 64-bit integers or
//! doubles as in the server; a double that is not finite does not exist and becomes `null`. Objects keep the order in
//! which their attributes were set, which is the order that a real server prints.

mod cast;
mod collate;
mod json;
mod number;
mod object;
mod order;
#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use collate::compare_strings;
pub use number::double_text;
pub use object::Object;

/// The attributes of a document that the server sets.
pub(crate) const SYSTEM_ATTRIBUTES: [&str; 5] = ["_key", "_id", "_rev", "_from", "_to"];

/// One AQL value.
#[derive(Clone, Debug, Default)]
pub enum Value {
    /// The absence of a value; what a missing attribute reads as.
    #[default]
    Null,
    /// A truth value.
    Bool(bool),
    /// A 64-bit integer; arithmetic that leaves its range goes on as [`Value::Double`].
    Int(i64),
    /// A finite double. Use [`Value::from_f64`], which turns what is not finite into `null`.
    Double(f64),
    /// A string.
    String(Arc<str>),
    /// An array.
    Array(Arc<Vec<Value>>),
    /// An object.
    Object(Arc<Object>),
}

impl Value {
    /// The double, or `null` where it is not finite.
    pub fn from_f64(number: f64) -> Self {
        if number.is_finite() {
            Self::Double(number)
        } else {
            Self::Null
        }
    }

    /// The number as an integer where it is whole and exact as one, else as [`Value::from_f64`].
    pub fn from_f64_narrow(number: f64) -> Self {
        // 2^53: beyond it a double no longer holds every integer, and a cast would invent digits.
        if number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0 {
            Self::Int(number as i64)
        } else {
            Self::from_f64(number)
        }
    }

    /// A string value.
    pub fn string(text: impl AsRef<str>) -> Self {
        Self::String(Arc::from(text.as_ref()))
    }

    /// An array value.
    pub fn array(items: Vec<Value>) -> Self {
        Self::Array(Arc::new(items))
    }

    /// An object value.
    pub fn object(object: Object) -> Self {
        Self::Object(Arc::new(object))
    }

    /// Whether this is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Whether this is an integer or a double.
    pub fn is_number(&self) -> bool {
        matches!(self, Self::Int(_) | Self::Double(_))
    }

    /// The truth value itself, or `None` for any other type.
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(truth) = self {
            Some(*truth)
        } else {
            None
        }
    }

    /// The number as a double, or `None` for any other type.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Int(number) => Some(*number as f64),
            Self::Double(number) => Some(*number),
            _ => None,
        }
    }

    /// The number as an integer, fractions cut and the range clamped, or `None` for any other type.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(*number),
            Self::Double(number) => Some(*number as i64),
            _ => None,
        }
    }

    /// The string, or `None` for any other type.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self {
            Some(text)
        } else {
            None
        }
    }

    /// The elements, or `None` for any other type.
    pub fn as_array(&self) -> Option<&[Value]> {
        if let Self::Array(items) = self {
            Some(items)
        } else {
            None
        }
    }

    /// The object, or `None` for any other type.
    pub fn as_object(&self) -> Option<&Object> {
        if let Self::Object(object) = self {
            Some(object)
        } else {
            None
        }
    }

    /// The attribute `name`, or `null` where there is none or this is no object.
    pub fn get(&self, name: &str) -> Value {
        self.as_object()
            .and_then(|object| object.get(name))
            .cloned()
            .unwrap_or_default()
    }

    /// The element at `position`, counted from the end where negative, or `null`.
    pub fn at(&self, position: i64) -> Value {
        let Some(items) = self.as_array() else {
            return Value::Null;
        };
        let index = if position < 0 {
            position.checked_add_unsigned(items.len() as u64)
        } else {
            Some(position)
        };
        index
            .and_then(|index| usize::try_from(index).ok())
            .and_then(|index| items.get(index))
            .cloned()
            .unwrap_or_default()
    }

    /// The name of the type, as `TYPENAME()` gives it.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "bool",
            Self::Int(_) | Self::Double(_) => "number",
            Self::String(_) => "string",
            Self::Array(_) => "array",
            Self::Object(_) => "object",
        }
    }

    /// About how many bytes of memory this value and all inside it take; shared parts count each time.
    pub fn memory(&self) -> usize {
        let own = size_of::<Value>();
        match self {
            Self::Null | Self::Bool(_) | Self::Int(_) | Self::Double(_) => own,
            Self::String(text) => own + text.len(),
            Self::Array(items) => own + items.iter().map(Self::memory).sum::<usize>(),
            Self::Object(object) => {
                own + object
                    .iter()
                    .map(|(name, value)| name.len() + 16 + value.memory())
                    .sum::<usize>()
            }
        }
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Bool(truth)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::from_f64(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::string(text)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::String(Arc::from(text))
    }
}

impl From<Arc<str>> for Value {
    fn from(text: Arc<str>) -> Self {
        Self::String(text)
    }
}

impl From<Vec<Value>> for Value {
    fn from(items: Vec<Value>) -> Self {
        Self::array(items)
    }
}

impl From<Object> for Value {
    fn from(object: Object) -> Self {
        Self::object(object)
    }
}
