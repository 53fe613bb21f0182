//! Errors and warnings of functions, in the server's words.

use super::{Context, Function};
use crate::error::ArangoError;
use crate::value::Value;

pub(super) const RESOURCE_LIMIT: u16 = 32;
pub(super) const UNKNOWN_FUNCTION: u16 = 1540;
pub(super) const ARGUMENT_COUNT: u16 = 1541;
pub(super) const ARGUMENT_TYPE: u16 = 1542;
pub(super) const INVALID_REGEX: u16 = 1543;
pub(super) const INVALID_ARITHMETIC: u16 = 1561;
pub(super) const ARRAY_EXPECTED: u16 = 1563;
pub(super) const INVALID_DATE: u16 = 1572;

pub(super) fn unknown_function(name: &str) -> ArangoError {
    ArangoError::new(
        UNKNOWN_FUNCTION,
        format!("usage of unknown function '{name}()'"),
    )
}

pub(super) fn argument_count(function: &Function) -> ArangoError {
    let name = function.name;
    let most = if function.max_args == usize::MAX {
        "unlimited".to_owned()
    } else {
        function.max_args.to_string()
    };
    let least = function.min_args;
    ArangoError::new(
        ARGUMENT_COUNT,
        format!(
            "invalid number of arguments for function '{name}()', expected number of arguments: minimum: {least}, maximum: {most}"
        ),
    )
}

/// 1542 as an error, for the few functions that the server lets fail.
pub(super) fn argument_type(name: &str) -> ArangoError {
    ArangoError::new(
        ARGUMENT_TYPE,
        format!("invalid argument type in call to function '{name}()'"),
    )
}

/// 32 for a result that would be larger than any query may build, whatever its memory limit.
pub(super) fn too_large(name: &str) -> ArangoError {
    ArangoError::new(
        RESOURCE_LIMIT,
        format!("result of function '{name}()' would be too large"),
    )
}

impl Context<'_> {
    /// Warns that an argument of `name` has the wrong type, and gives `null`.
    pub(super) fn invalid(&mut self, name: &str) -> Result<Value, ArangoError> {
        self.host.warn(ARGUMENT_TYPE, argument_type(name).message)?;
        Ok(Value::Null)
    }

    /// Warns that `name` needs an array, and gives `null`.
    pub(super) fn array_expected(&mut self, name: &str) -> Result<Value, ArangoError> {
        self.warn_in(name, ARRAY_EXPECTED, "array expected")
    }

    /// Warns that `name` got no date, and gives `null`.
    pub(super) fn invalid_date(&mut self, name: &str) -> Result<Value, ArangoError> {
        self.warn_in(name, INVALID_DATE, "invalid date value")
    }

    /// Warns that `name` got no number, and gives `null`.
    pub(super) fn invalid_arithmetic(&mut self, name: &str) -> Result<Value, ArangoError> {
        self.warn_in(name, INVALID_ARITHMETIC, "invalid arithmetic value")
    }

    /// Warns that `name` got no regular expression, and gives `null`.
    pub(super) fn invalid_regex(&mut self, name: &str) -> Result<Value, ArangoError> {
        self.warn_in(name, INVALID_REGEX, "invalid regex value")
    }

    pub(super) fn warn_in(
        &mut self,
        name: &str,
        number: u16,
        text: &str,
    ) -> Result<Value, ArangoError> {
        self.host
            .warn(number, format!("in function '{name}()': {text}"))?;
        Ok(Value::Null)
    }
}
