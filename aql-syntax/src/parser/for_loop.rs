//! `FOR` over arrays, collections and views; the graph forms branch off to their own room.

use crate::ast::{Expr, ExprKind, For, Name, Pattern, StatementKind};
use crate::token::TokenKind;

use super::{Parsed, Parser};

impl Parser<'_> {
    pub(super) fn for_statement(&mut self, start: u32) -> Parsed<()> {
        let targets = self.for_targets()?;
        self.expect(TokenKind::In, &[TokenKind::In])?;
        if self.direction_here().is_some() {
            return self.graph_loop(start, targets, None);
        }
        let source = self.expression()?;
        if self.direction_here().is_some() {
            return self.graph_loop(start, targets, Some(source));
        }
        self.plain_loop(start, targets, source)
    }

    fn for_targets(&mut self) -> Parsed<Vec<Pattern>> {
        let mut targets = Vec::new();
        loop {
            targets.push(self.pattern()?);
            if !self.take(TokenKind::Comma)? {
                return Ok(targets);
            }
        }
    }

    fn plain_loop(&mut self, start: u32, mut targets: Vec<Pattern>, source: Expr) -> Parsed<()> {
        let target = match (targets.pop(), targets.is_empty()) {
            (Some(target), true) => target,
            _ => {
                let message = "Collections and views FOR loops only allow a single return variable";
                return Err(self.error(1501, message, self.token));
            }
        };
        self.scopes.start_for();
        self.declare_pattern(&target)?;
        let mut statement = For {
            target,
            source,
            search: None,
            options: None,
        };
        self.for_clauses(&mut statement)?;
        self.push(start, StatementKind::For(statement));
        Ok(())
    }

    /// `SEARCH condition`, `OPTIONS object`, in this order.
    fn for_clauses(&mut self, statement: &mut For) -> Parsed<()> {
        if self.token.kind != TokenKind::Identifier {
            return Ok(());
        }
        let first = self.token;
        let is_search = self.is_word("SEARCH");
        let is_options = self.is_word("OPTIONS");
        self.advance()?;
        let value = self.expression()?;
        let second = self.token;
        if second.kind == TokenKind::Identifier {
            let is_both = is_search && self.is_word("OPTIONS");
            self.advance()?;
            let options = self.expression()?;
            if !is_both {
                return Err(self.unexpected_word(first, "'SEARCH' and 'OPTIONS'", self.token));
            }
            self.check_options(&options, self.token)?;
            statement.options = Some(options);
        } else if is_options {
            self.check_options(&value, self.token)?;
            statement.options = Some(value);
            return Ok(());
        } else if !is_search {
            return Err(self.unexpected_word(first, "'SEARCH' or 'OPTIONS'", self.token));
        }
        if !matches!(statement.source.kind, ExprKind::DataSource(_)) {
            return Err(self.error(1501, "SEARCH condition used on non-view", self.token));
        }
        statement.search = Some(value);
        Ok(())
    }

    /// The plain variables of a graph loop, of which it takes `most`.
    pub(super) fn loop_variables(
        &mut self,
        targets: Vec<Pattern>,
        most: usize,
        message: &str,
    ) -> Parsed<Vec<Name>> {
        let mut names = Vec::new();
        for target in targets {
            match target {
                Pattern::Variable(name) => names.push(name),
                Pattern::Array(..) | Pattern::Object(..) => {
                    return Err(self.error(
                        1501,
                        "destructuring is not possible in a graph query",
                        self.token,
                    ));
                }
            }
        }
        if names.len() > most {
            return Err(self.error(1501, message, self.token));
        }
        self.scopes.start_for();
        for name in &names {
            self.declare(name)?;
        }
        Ok(names)
    }
}
