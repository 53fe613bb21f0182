//! `OPTIONS` objects: they must be known when planning, else 1575.

use aql_syntax::ast::Expr;

use super::{Builder, refused};
use crate::error::ArangoError;
use crate::value::Value;

impl Builder<'_> {
    /// The object after `OPTIONS`; an empty one where none is written.
    pub(super) fn options(&mut self, options: Option<&Expr>) -> Result<Value, ArangoError> {
        let Some(options) = options else {
            return Ok(Value::Null);
        };
        match self.expression(options)?.constant() {
            Some(value @ Value::Object(_)) => Ok(value.clone()),
            _ => Err(refused(
                1575,
                "OPTIONS attribute cannot be evaluated at query compile time",
            )),
        }
    }

    /// A constant expression's value, or an error that names what needed it.
    pub(super) fn constant(&mut self, expression: &Expr, what: &str) -> Result<Value, ArangoError> {
        self.expression(expression)?
            .constant()
            .cloned()
            .ok_or_else(|| refused(1501, format!("{what} must be a constant value")))
    }
}

/// A flag of an options object.
pub(super) fn flag(options: &Value, name: &str, default: bool) -> bool {
    match options.get(name) {
        Value::Null => default,
        value => value.is_true(),
    }
}

/// A text of an options object, in lower case.
pub(super) fn word(options: &Value, name: &str) -> Option<String> {
    options.get(name).as_str().map(str::to_lowercase)
}

/// A list of names of an options object: one text, or an array of texts.
pub(super) fn names(options: &Value, name: &str) -> Option<Vec<String>> {
    match options.get(name) {
        Value::String(one) => Some(vec![one.to_string()]),
        Value::Array(many) => Some(
            many.iter()
                .filter_map(|one| one.as_str().map(str::to_owned))
                .collect(),
        ),
        _ => None,
    }
}
