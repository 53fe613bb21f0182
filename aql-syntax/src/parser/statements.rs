//! The statements that need no room of their own, and what several share: `OPTIONS`, aggregates.

use crate::ast::{Aggregate, Expr, SortKey, SortOrder, StatementKind, Window};
use crate::token::{Token, TokenKind};

use super::{Parsed, Parser, checks};

impl Parser<'_> {
    /// Reads one statement; the token starts one.
    pub(super) fn statement(&mut self) -> Parsed<()> {
        let start = self.token.start;
        let kind = self.token.kind;
        self.advance()?;
        match kind {
            TokenKind::For => self.for_statement(start),
            TokenKind::Let => self.let_statement(start),
            TokenKind::Filter => self.filter(start),
            TokenKind::Collect => self.collect(start),
            TokenKind::Sort => self.sort(start),
            TokenKind::Limit => self.limit(start),
            TokenKind::Window => self.window(start),
            TokenKind::Return => self.return_statement(start),
            kind => self.modification(kind, start),
        }
    }

    /// Whether the statement read last may be the last of a query without `RETURN`.
    pub(super) fn ends_with_modification(&self) -> bool {
        matches!(
            self.statements.last().map(|s| &s.kind),
            Some(StatementKind::Modify(_))
        )
    }

    fn let_statement(&mut self, start: u32) -> Parsed<()> {
        let mut bindings = Vec::new();
        loop {
            let pattern = self.pattern()?;
            self.expect(TokenKind::Assign, &[TokenKind::Assign])?;
            let value = self.expression()?;
            self.declare_pattern(&pattern)?;
            bindings.push((pattern, value));
            if !self.take(TokenKind::Comma)? {
                break;
            }
        }
        self.push(start, StatementKind::Let(bindings));
        Ok(())
    }

    fn filter(&mut self, start: u32) -> Parsed<()> {
        let condition = self.expression()?;
        self.push(start, StatementKind::Filter(condition));
        Ok(())
    }

    fn sort(&mut self, start: u32) -> Parsed<()> {
        let mut keys = Vec::new();
        loop {
            let value = self.expression()?;
            let order = self.sort_order()?;
            keys.push(SortKey { value, order });
            if !self.take(TokenKind::Comma)? {
                break;
            }
        }
        self.push(start, StatementKind::Sort(keys));
        Ok(())
    }

    fn sort_order(&mut self) -> Parsed<SortOrder> {
        use TokenKind::*;
        match self.token.kind {
            Asc => self.advance()?,
            Desc => {
                self.advance()?;
                return Ok(SortOrder::Descending);
            }
            QuotedString | Integer | Double | Null | True | False | Parameter
            | DataSourceParameter => {
                match self.token.kind {
                    Parameter | DataSourceParameter => self.bound()?,
                    _ => self.literal()?,
                }
                return Ok(SortOrder::Dynamic(self.settle()?));
            }
            _ => {}
        }
        Ok(SortOrder::Ascending)
    }

    fn limit(&mut self, start: u32) -> Parsed<()> {
        let first = self.limit_operand()?;
        let kind = match self.take(TokenKind::Comma)? {
            true => StatementKind::Limit {
                offset: Some(first),
                count: self.limit_operand()?,
            },
            false => StatementKind::Limit {
                offset: None,
                count: first,
            },
        };
        self.push(start, kind);
        Ok(())
    }

    fn limit_operand(&mut self) -> Parsed<Expr> {
        let token = self.token;
        let operand = self.expression()?;
        if checks::is_fixed(&operand) {
            return Ok(operand);
        }
        let message = String::from("LIMIT offset/count values must be constant numeric values");
        Err(self.plain(1504, message, token))
    }

    fn return_statement(&mut self, start: u32) -> Parsed<()> {
        let distinct = self.take(TokenKind::Distinct)?;
        if distinct && !self.scopes.is_in_loop() {
            let message = "cannot use DISTINCT modifier on top-level query element";
            return Err(self.error(1501, message, self.previous));
        }
        let value = self.expression()?;
        self.push(start, StatementKind::Return { distinct, value });
        Ok(())
    }

    fn window(&mut self, start: u32) -> Parsed<()> {
        let first = self.expression()?;
        let (range, bounds) = match self.take(TokenKind::With)? {
            true => {
                self.object()?;
                (Some(first), self.settle()?)
            }
            false => (None, first),
        };
        if range.is_none() && !checks::is_object(&bounds) {
            return Err(self.unexpected(&[]));
        }
        self.expect(TokenKind::Aggregate, &[TokenKind::Aggregate])?;
        let aggregates = self.aggregates()?;
        self.check_aggregates(&aggregates, self.token)?;
        self.check_window(&bounds, self.token)?;
        let window = Window {
            range,
            bounds,
            aggregates,
        };
        self.push(start, StatementKind::Window(window));
        Ok(())
    }

    /// The list after `AGGREGATE`.
    pub(super) fn aggregates(&mut self) -> Parsed<Vec<Aggregate>> {
        let mut list = Vec::new();
        loop {
            let variable = self.name()?;
            self.expect(TokenKind::Assign, &[TokenKind::Assign])?;
            let mut function = self.name()?;
            while self.take(TokenKind::Scope)? {
                function.text.push_str("::");
                let part = self.name()?;
                function.text.push_str(&part.text);
            }
            function.text.make_ascii_uppercase();
            self.expect(TokenKind::Open, &[TokenKind::Scope, TokenKind::Open])?;
            let mut arguments = Vec::new();
            let height = self.arguments(&mut arguments)?;
            self.deepest = self.deepest.max(height);
            self.declare(&variable)?;
            list.push(Aggregate {
                variable,
                function,
                arguments,
            });
            if !self.take(TokenKind::Comma)? {
                return Ok(list);
            }
        }
    }

    /// `OPTIONS {…}` of statements after which no other word may stand.
    pub(super) fn options(&mut self) -> Parsed<Option<Expr>> {
        if self.token.kind != TokenKind::Identifier {
            return Ok(None);
        }
        let word = self.token;
        self.advance()?;
        self.object()?;
        let options = self.settle()?;
        if !self.text(word).eq_ignore_ascii_case("OPTIONS") {
            return Err(self.unexpected_word(word, "'OPTIONS'", self.previous));
        }
        self.check_options(&options, self.previous)?;
        Ok(Some(options))
    }

    /// A word stands where only certain ones have a meaning.
    pub(super) fn unexpected_word(
        &self,
        word: Token,
        expecting: &str,
        at: Token,
    ) -> Box<crate::SyntaxError> {
        let after = ["', expecting ", expecting].concat();
        self.error_about(1501, "unexpected qualifier '", &self.text(word), &after, at)
    }
}
