//! `COLLECT` in each of its forms.
//!
//! | form | clauses after it |
//! |---|---|
//! | `COLLECT WITH COUNT INTO n` | `OPTIONS` |
//! | `COLLECT g = …, … WITH COUNT INTO n` | `OPTIONS` |
//! | `COLLECT [g = …, …] AGGREGATE a = F(…), …` | `INTO`, `OPTIONS` |
//! | `COLLECT g = …, …` | `INTO`, `KEEP`, `OPTIONS` |
//!
//! What is grouped by and aggregated may use what was visible before, and nothing that the statement makes.

use crate::ast::{Collect, Expr, Name, StatementKind};
use crate::token::{Token, TokenKind};

use super::checks::pattern_names;
use super::names::Names;
use super::{Parsed, Parser};

impl Parser<'_> {
    pub(super) fn collect(&mut self, start: u32) -> Parsed<()> {
        let mut collect = Collect {
            groups: Vec::new(),
            aggregates: Vec::new(),
            count_into: None,
            into: None,
            keep: None,
            options: None,
        };
        if !matches!(self.token.kind, TokenKind::With | TokenKind::Aggregate) {
            self.collect_groups(&mut collect)?;
        }
        match self.token.kind {
            TokenKind::With => collect.count_into = Some(self.count_into()?),
            TokenKind::Aggregate => {
                self.advance()?;
                collect.aggregates = self.aggregates()?;
                collect.into = self.collect_into()?;
            }
            _ => {
                collect.into = self.collect_into()?;
                collect.keep = self.collect_keep()?;
            }
        }
        collect.options = self.options()?;
        // The server checks where it decides that the statement ends: at the brace of its options, else at what follows.
        let at = match collect.options {
            Some(_) => self.previous,
            None => self.token,
        };
        self.check_collect(&collect, at)?;
        self.declare_collected(&collect)?;
        self.push(start, StatementKind::Collect(collect));
        Ok(())
    }

    fn collect_groups(&mut self, collect: &mut Collect) -> Parsed<()> {
        loop {
            let pattern = self.pattern()?;
            self.expect(TokenKind::Assign, &[TokenKind::Assign])?;
            let value = self.expression()?;
            self.declare_pattern(&pattern)?;
            collect.groups.push((pattern, value));
            if !self.take(TokenKind::Comma)? {
                return Ok(());
            }
        }
    }

    fn count_into(&mut self) -> Parsed<Name> {
        self.advance()?;
        let word = self.token;
        self.expect(TokenKind::Identifier, &[TokenKind::Identifier])?;
        self.expect(TokenKind::Into, &[TokenKind::Into])?;
        let name = self.name()?;
        match self.text(word).eq_ignore_ascii_case("COUNT") {
            true => Ok(name),
            false => Err(self.unexpected_word(word, "'COUNT'", self.previous)),
        }
    }

    fn collect_into(&mut self) -> Parsed<Option<(Name, Option<Expr>)>> {
        if !self.take(TokenKind::Into)? {
            return Ok(None);
        }
        let name = self.name()?;
        let projection = match self.take(TokenKind::Assign)? {
            true => Some(self.expression()?),
            false => None,
        };
        Ok(Some((name, projection)))
    }

    /// `KEEP a, b`. A word before an object is `OPTIONS` instead, and left for it.
    fn collect_keep(&mut self) -> Parsed<Option<Vec<Name>>> {
        if self.token.kind != TokenKind::Identifier || self.peek()? == TokenKind::ObjectOpen {
            return Ok(None);
        }
        if !self.is_word("KEEP") {
            return Err(self.unexpected_word(self.token, "'KEEP'", self.token));
        }
        self.advance()?;
        let mut names = Vec::new();
        loop {
            let name = self.name()?;
            if self.scopes.resolve(&name.text) != Some(&name.text) {
                let (before, after) = ("use of unknown variable '", "' for KEEP");
                return Err(self.error_about(1501, before, &name.text, after, self.previous));
            }
            names.push(name);
            if !self.take(TokenKind::Comma)? {
                return Ok(Some(names));
            }
        }
    }

    /// What the server checks of a `COLLECT` once it is read.
    fn check_collect(&self, collect: &Collect, at: Token) -> Parsed<()> {
        if collect.into.is_none() && collect.keep.is_some() {
            return Err(self.error(1501, "use of 'KEEP' without 'INTO'", at));
        }
        let mut own = Names::default();
        for (pattern, _) in &collect.groups {
            pattern_names(pattern, &mut own);
        }
        self.check_aggregates(&collect.aggregates, at)?;
        for aggregate in &collect.aggregates {
            if let Some(name) = aggregate.arguments.iter().find_map(|a| own.find_in(a)) {
                let (before, after) = ("use of unknown variable '", "' in AGGREGATE expression");
                return Err(self.error_about(1512, before, name, after, at));
            }
        }
        for aggregate in &collect.aggregates {
            own.insert(&aggregate.variable.text);
        }
        let projected = collect.into.iter().flat_map(|(_, projection)| projection);
        let kept = collect.keep.iter().flatten().map(|name| name.text.as_str());
        let used = projected.filter_map(|p| own.find_in(p));
        match used.chain(kept.filter(|name| own.contains(name))).next() {
            Some(name) => {
                let (before, after) = (
                    "use of COLLECT variable '",
                    "' inside same COLLECT's expression",
                );
                Err(self.error_about(1512, before, name, after, at))
            }
            None => Ok(()),
        }
    }

    /// Ends the scopes before the statement and declares what it makes.
    fn declare_collected(&mut self, collect: &Collect) -> Parsed<()> {
        let in_loop = self.scopes.is_in_loop();
        self.scopes.start_collect();
        if in_loop {
            for (pattern, _) in &collect.groups {
                self.declare_pattern(pattern)?;
            }
            for aggregate in &collect.aggregates {
                self.declare(&aggregate.variable)?;
            }
        }
        let last = collect.into.as_ref().map(|(name, _)| name);
        match last.or(collect.count_into.as_ref()) {
            Some(name) => self.declare(name),
            None => Ok(()),
        }
    }
}
