//! Bind parameters: every one that the text declares must have a value of the right type, and no other may be given.
//!
//! | in the text | key in the bind variables | value |
//! |---|---|---|
//! | `@name` | `name` | any |
//! | `@@name` | `@name` | a text: the data source's name |

use std::collections::BTreeSet;

use aql_syntax::BindParameter;
use aql_syntax::ast::Query;

use crate::error::{ArangoError, number};
use crate::value::{Object, Value};

/// Checks the bind variables against the text: 1551 for one that is missing, 1552 for one that is not declared, 1553 for a data
/// source that is no text.
pub(crate) fn check(query: &Query, given: &Object) -> Result<(), ArangoError> {
    let declared = declared(query);
    for name in &declared {
        match given.get(name) {
            None => return Err(missing(name)),
            Some(value) if name.starts_with('@') && value.as_str().is_none_or(str::is_empty) => {
                return Err(wrong_type(name));
            }
            Some(_) => {}
        }
    }
    match given.keys().find(|name| !declared.contains(&***name)) {
        Some(name) => Err(parsing(
            number::QUERY_BIND_PARAMETER_UNDECLARED,
            format!("bind parameter '{name}' was not declared in the query"),
        )),
        None => Ok(()),
    }
}

/// The names of the bind parameters that the text declares, sorted; a data source keeps its `@`.
pub(crate) fn declared(query: &Query) -> BTreeSet<String> {
    query
        .bind_parameters()
        .into_iter()
        .map(|parameter| match parameter {
            BindParameter::Value(name) => name.to_owned(),
            BindParameter::DataSource(name) => format!("@{name}"),
        })
        .collect()
}

/// The value of `@name`.
pub(crate) fn value(given: &Object, name: &str) -> Result<Value, ArangoError> {
    given.get(name).cloned().ok_or_else(|| missing(name))
}

fn missing(name: &str) -> ArangoError {
    parsing(
        number::QUERY_BIND_PARAMETER_MISSING,
        format!("no value specified for declared bind parameter '{name}'"),
    )
}

/// 1553 for a parameter whose value cannot stand where the text uses it.
pub(crate) fn wrong_type(name: &str) -> ArangoError {
    parsing(
        number::QUERY_BIND_PARAMETER_TYPE,
        format!("bind parameter '{name}' has an invalid value or type"),
    )
}

/// An error of the parsing phase, in the real server's wording.
pub(crate) fn parsing(number: u16, message: impl std::fmt::Display) -> ArangoError {
    ArangoError::new(number, format!("AQL: {message} (while parsing)"))
}
