//! AQL, the query language of ArangoDB: lexer, parser, syntax tree and printer.
#![deny(missing_docs)]

pub mod ast;
mod error;
mod lexer;
mod parser;
mod precedence;
mod print;
mod query;
mod quote;
pub mod span;
mod token;
pub mod visit;

pub use error::SyntaxError;
pub use query::BindParameter;
pub use quote::quote_name;

use ast::Query;

/// How many brackets and subqueries may be open at once, as in the server. A subquery counts for several.
pub const MAX_NESTING: u32 = 500;

/// How high the tree of an expression may grow, the subqueries within it included.
///
/// A chain such as `a + b + c` nests nothing but grows a tree of its length; the bound keeps walks and drops within a stack
/// of 1 MiB.
pub const MAX_DEPTH: u32 = 600;

/// Whose grammar to read by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Version {
    /// ArangoDB 3.10 to 3.12, with what came up to 3.12.10.
    #[default]
    V3_12,
    /// ArangoDB 4: spread, further reserved words, array comparisons by `LIKE` and `=~`.
    V4,
}

/// Parses a query by the grammar of 3.12.
///
/// # Errors
///
/// [`SyntaxError`], with the server's number and message, where the text is not one whole query.
pub fn parse(text: &str) -> Result<Query, SyntaxError> {
    parse_with(text, Version::V3_12)
}

/// Parses a query by the grammar of that version.
///
/// # Errors
///
/// [`SyntaxError`], with the server's number and message, where the text is not one whole query.
pub fn parse_with(text: &str, version: Version) -> Result<Query, SyntaxError> {
    parser::parse(text, version).map_err(|error| *error)
}

/// Parses a query by whichever grammar takes it, that of 3.12 first.
///
/// # Errors
///
/// The [`SyntaxError`] of the grammar that came further; of 3.12 where both came as far.
pub fn parse_any(text: &str) -> Result<Query, SyntaxError> {
    let error = match parse(text) {
        Ok(query) => return Ok(query),
        Err(error) => error,
    };
    match parse_with(text, Version::V4) {
        Err(later) if later.span.start <= error.span.start => Err(error),
        other => other,
    }
}
