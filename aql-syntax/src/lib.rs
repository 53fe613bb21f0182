//! AQL, the query language of ArangoDB: lexer, parser, syntax tree, walk and printer.
//!
//! Two things are built on it: the gate, which must know what a text does before any server sees it, and the embedded
//! server, which runs it. Both read by the server's own grammar, and an error has the server's number, words and place.
//!
//! ```
//! use aql_syntax::{parse, quote_name};
//!
//! let query = parse("FOR s IN shirts FILTER s.brand == @brand LIMIT 10 RETURN s.stock")?;
//! assert!(!query.modifies());
//! assert_eq!(query.data_sources().len(), 1);
//! assert!(query.outermost_limit().is_some());
//!
//! // A write is found however deep it stands.
//! let query = parse("RETURN LENGTH(FOR s IN shirts REMOVE s IN shirts RETURN OLD)")?;
//! assert!(query.modifies());
//!
//! // What does not parse says where, and how to mend it where one repair is likely.
//! let error = parse("FOR s IN shirts RETURN s.limit").unwrap_err();
//! assert_eq!((error.number, error.line, error.column), (1501, 1, 26));
//! assert_eq!(error.hint(), Some("`limit` is a keyword: as a name, write it in backticks"));
//! assert!(parse(&format!("FOR s IN shirts RETURN s.{}", quote_name("limit"))).is_ok());
//!
//! // A printed query reads back as the same tree.
//! let query = parse("return (1+2)*3 ?: not(a.`b c`)")?;
//! assert_eq!(query.to_string(), "RETURN (1 + 2) * 3 ?: NOT a.`b c`");
//! assert_eq!(parse(&query.to_string())?, query);
//! # Ok::<(), aql_syntax::SyntaxError>(())
//! ```
//!
//! # What it checks, and what it leaves
//!
//! A bare name becomes a variable or a data source while parsing, by the scopes of the server. What the server checks in its
//! parser is checked here: variables declared once, the forms of `COLLECT`, aggregate functions, `OPTIONS`, `PRUNE`, depths.
//! Whether a collection, a view, a graph or a function exists, how many arguments a function takes and what a bind variable
//! holds is left to who knows it.
//!
//! It is stricter than the server in a few places. A letter outside ASCII between tokens ends a query for the server, which
//! then runs what stands before it; here it is an error. Bind parameters with one `@` in the place of a collection, which the
//! server tolerates in `WITH` and among edges, are refused, and so is `[??]`.
//!
//! # No text is too much for the stack
//!
//! Brackets and subqueries are counted against [`MAX_NESTING`], and the height of a tree is bounded by [`MAX_DEPTH`]. Parsing,
//! walking, printing, cloning, comparing and dropping then fit a stack of 1 MiB, in a debug build too. How long a text may
//! be is for the caller to say.
#![deny(missing_docs)]

pub mod ast;
mod error;
mod lexer;
mod number;
mod parser;
mod precedence;
mod print;
mod query;
mod quote;
pub mod span;
mod token;
pub mod visit;

pub use error::SyntaxError;
pub use number::{Double, approximate};
pub use query::BindParameter;
pub use quote::quote_name;

use ast::Query;

/// How many brackets and subqueries may be open at once, as in the server. A subquery counts for several.
pub const MAX_NESTING: u32 = 500;

/// How high the tree of an expression may grow, the subqueries within it included.
///
/// A chain such as `a + b + c` nests nothing but grows a tree of its length. A sum of 500 terms is within the bound, and a
/// tree of this height can be cloned, the costliest of what recurses over it, on a stack of 1 MiB in a debug build.
pub const MAX_DEPTH: u32 = 512;

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
