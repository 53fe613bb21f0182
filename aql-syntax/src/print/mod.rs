//! The printer: text that reads back as the same tree.
//!
//! Names stand in backticks and operands in parentheses only where they must. Numbers keep their kind: `5.0` stays a double.
//! The printer keeps its own stack of what is still to be written, so that a high tree costs no recursion.

mod expressions;
mod statements;

use std::borrow::Cow;
use std::fmt;

use crate::ast::{Body, DataSource, Expr, Name, Pattern, Query, Statement};
use crate::quote::{push_string, quote_name};

/// Something to write.
enum Piece<'a> {
    Text(Cow<'a, str>),
    /// A text as a string literal.
    Literal(&'a str),
    Expr(&'a Expr),
    Pattern(&'a Pattern),
    Statement(&'a Statement),
    Body(&'a Body),
}

/// Collects the pieces of one node, in order.
#[derive(Default)]
struct Pieces<'a>(Vec<Piece<'a>>);

impl<'a> Pieces<'a> {
    fn text(&mut self, text: &'static str) {
        self.0.push(Piece::Text(Cow::Borrowed(text)));
    }

    fn name(&mut self, name: &'a Name) {
        self.0.push(Piece::Text(quote_name(&name.text)));
    }

    /// `@name`. Such a name needs no quotes and cannot have any.
    fn parameter(&mut self, name: &'a Name) {
        self.text("@");
        self.0.push(Piece::Text(Cow::Borrowed(&name.text)));
    }

    fn data_source(&mut self, source: &'a DataSource) {
        match source {
            DataSource::Named(name) => self.name(name),
            DataSource::Parameter(name) => {
                self.text("@");
                self.parameter(name);
            }
        }
    }

    fn expr(&mut self, expr: &'a Expr) {
        self.0.push(Piece::Expr(expr));
    }

    /// Writes each item by `write`, with commas between them.
    fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        for (i, item) in items.into_iter().enumerate() {
            if i > 0 {
                self.text(", ");
            }
            write(self, item);
        }
    }

    /// The word, and the expression after it, where there is one.
    fn clause(&mut self, word: &'static str, expr: Option<&'a Expr>) {
        if let Some(expr) = expr {
            self.text(word);
            self.expr(expr);
        }
    }
}

/// Writes a piece and all within it.
fn print(first: Piece<'_>) -> String {
    let mut out = String::new();
    let mut stack = vec![first];
    let mut pieces = Pieces::default();
    while let Some(piece) = stack.pop() {
        match piece {
            Piece::Text(text) => out.push_str(&text),
            Piece::Literal(text) => push_string(&mut out, text),
            Piece::Expr(expr) => pieces.expression(expr),
            Piece::Pattern(pattern) => pieces.pattern(pattern),
            Piece::Statement(statement) => pieces.statement(&statement.kind),
            Piece::Body(body) => pieces.body(body, " "),
        }
        stack.extend(pieces.0.drain(..).rev());
    }
    out
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut head = Pieces::default();
        if !self.with.is_empty() {
            head.text("WITH ");
            head.list(&self.with, |out, source| out.data_source(source));
            head.text("\n");
        }
        head.body(&self.body, "\n");
        head.0
            .into_iter()
            .try_for_each(|piece| f.write_str(&print(piece)))
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print(Piece::Expr(self)))
    }
}
