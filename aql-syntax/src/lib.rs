//! AQL, the query language of ArangoDB: lexer, parser, syntax tree and printer.

pub mod ast;
pub mod span;
