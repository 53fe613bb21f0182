//! Trees at random, each one that a text can have: names are declared before they are used, and once.

mod expressions;
mod statements;

use aql_syntax::Version;
use aql_syntax::ast::*;
use aql_syntax::span::Span;

/// Makes trees from a list of choices. Where the choices run out, the simplest is taken, so that each tree ends.
pub(crate) struct Maker<'a> {
    choices: std::slice::Iter<'a, u8>,
    version: Version,
    /// What is visible; and how much of it is so outside the loops of the innermost body, where there are any.
    variables: Vec<String>,
    outside_loops: Option<usize>,
    declared: usize,
    current: usize,
    allow_subquery: bool,
}

const SPAN: Span = Span { start: 0, end: 0 };

/// Names of each kind that needs care.
const NAMES: &[&str] = &[
    "a", "filter", "a b", "ö´", "x`\\y", "$v", "AT", "match", "Keep", "count\n", "x.y", "NULL",
    "1x",
];

impl<'a> Maker<'a> {
    pub(crate) fn new(choices: &'a [u8], version: Version) -> Maker<'a> {
        Maker {
            choices: choices.iter(),
            version,
            variables: Vec::new(),
            outside_loops: None,
            declared: 0,
            current: 0,
            allow_subquery: true,
        }
    }

    pub(crate) fn query(&mut self) -> Query {
        let with = self.many(3, |m| m.data_source());
        Query {
            with,
            body: self.body(4),
        }
    }

    /// A number below `bound`; 0 once the choices have run out.
    fn below(&mut self, bound: usize) -> usize {
        usize::from(self.choices.next().copied().unwrap_or(0)) % bound
    }

    fn flag(&mut self) -> bool {
        self.below(2) == 1
    }

    fn option<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.flag().then(|| make(self))
    }

    fn many<T>(&mut self, bound: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(bound)).map(|_| make(self)).collect()
    }

    fn some<T>(&mut self, bound: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..=self.below(bound)).map(|_| make(self)).collect()
    }

    fn name(&mut self, text: impl Into<String>) -> Name {
        Name {
            text: text.into(),
            span: SPAN,
        }
    }

    fn any_name(&mut self) -> Name {
        let text = NAMES[self.below(NAMES.len())];
        self.name(text)
    }

    fn parameter(&mut self) -> Name {
        let text = ["p", "_1", "1", "key"][self.below(4)];
        self.name(text)
    }

    /// A name that is nowhere declared yet.
    fn fresh(&mut self) -> Name {
        self.declared += 1;
        let text = format!("{}{}", NAMES[self.below(NAMES.len())], self.declared);
        self.name(text)
    }

    fn declare(&mut self, name: &Name) {
        self.variables.push(name.text.clone());
    }

    fn data_source(&mut self) -> DataSource {
        match self.flag() {
            true => DataSource::Parameter(self.parameter()),
            false => {
                let text = ["docs", "my-docs", "for", "`", "OUTBOUND"][self.below(5)];
                DataSource::Named(self.name(text))
            }
        }
    }

    fn pattern(&mut self, depth: usize) -> Pattern {
        match self.below(if depth == 0 { 1 } else { 5 }) {
            3 => Pattern::Array(self.many(4, |m| m.option(|m| m.pattern(depth - 1))), SPAN),
            4 => Pattern::Object(self.many(4, |m| m.pattern_part(depth - 1)), SPAN),
            _ => Pattern::Variable(self.fresh()),
        }
    }

    fn pattern_part(&mut self, depth: usize) -> (Name, Pattern) {
        if self.flag() {
            let name = self.fresh();
            return (name.clone(), Pattern::Variable(name));
        }
        (self.any_name(), self.pattern(depth))
    }

    fn declare_pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Variable(name) => self.declare(name),
            Pattern::Array(parts, _) => {
                parts.iter().flatten().for_each(|p| self.declare_pattern(p))
            }
            Pattern::Object(parts, _) => parts.iter().for_each(|(_, p)| self.declare_pattern(p)),
        }
    }
}

fn of_expr(kind: ExprKind) -> Expr {
    Expr { kind, span: SPAN }
}

fn of_statement(kind: StatementKind) -> Statement {
    Statement { kind, span: SPAN }
}
