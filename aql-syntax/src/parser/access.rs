//! What follows an operand: `.name`, `[index]`, `[* …]`, `[? …]`.
//!
//! After `[*]` the accesses apply to each element, and so does a further `[*]`. A further `[**]` does not: it flattens the
//! result of all that precedes it.
//!
//! The operand is on top of the stack of values, and each access replaces it there.

use crate::ast::{ArrayFilter, AttributeName, Expansion, Expr, ExprKind, Quantifier};
use crate::token::TokenKind;

use super::expression::Mode;
use super::{Parsed, Parser};

/// An expansion whose tail is being read.
struct Open {
    expansion: Expansion,
    height: u32,
}

impl Parser<'_> {
    /// The accesses after an operand that began at `start`.
    pub(super) fn accesses(&mut self, start: u32) -> Parsed<()> {
        let mut open = Vec::new();
        loop {
            match self.token.kind {
                TokenKind::Dot => self.attribute(start)?,
                TokenKind::ArrayOpen => match self.peek()? {
                    TokenKind::Times => self.expansion(start, &mut open)?,
                    TokenKind::Question => self.array_filter(start)?,
                    _ => self.index(start)?,
                },
                _ => return self.close(start, &mut open),
            }
        }
    }

    #[inline(never)]
    fn attribute(&mut self, start: u32) -> Parsed<()> {
        self.advance()?;
        let name = match self.token.kind {
            TokenKind::Identifier => AttributeName::Static(self.name()?),
            TokenKind::Parameter => AttributeName::Parameter(self.parameter()?),
            _ => {
                return Err(self.unexpected(&[
                    TokenKind::Identifier,
                    TokenKind::Parameter,
                    TokenKind::DataSourceParameter,
                ]));
            }
        };
        let base = self.pop()?;
        let height = base.height;
        let base = Box::new(base.expr);
        self.build(ExprKind::Attribute { base, name }, start, height)
    }

    fn index(&mut self, start: u32) -> Parsed<()> {
        self.advance()?;
        self.nested(Mode::Plain)?;
        self.expect(TokenKind::ArrayClose, &[])?;
        self.build_index(start)
    }

    #[inline(never)]
    fn build_index(&mut self, start: u32) -> Parsed<()> {
        let mut height = 0;
        let index = Box::new(self.pop_within(&mut height)?);
        let base = Box::new(self.pop_within(&mut height)?);
        self.build(ExprKind::Index { base, index }, start, height)
    }

    /// `[* … FILTER … LIMIT … RETURN …]`: notes the expansion and goes on with its element.
    fn expansion(&mut self, start: u32, open: &mut Vec<Open>) -> Parsed<()> {
        self.open_expansion(start, open)?;
        self.scopes.start_current();
        self.clauses(open)?;
        self.scopes.end_current();
        self.expect(TokenKind::ArrayClose, &[])?;
        self.build(ExprKind::Element, self.previous.end, 0)
    }

    #[inline(never)]
    fn open_expansion(&mut self, start: u32, open: &mut Vec<Open>) -> Parsed<()> {
        self.advance()?;
        let mut levels = 0;
        while self.take(TokenKind::Times)? {
            levels += 1;
        }
        if levels > 1 {
            self.close(start, open)?;
        }
        let base = self.pop()?;
        open.push(Open {
            height: base.height,
            expansion: Expansion {
                base: base.expr,
                levels,
                filter: None,
                limit: None,
                projection: None,
                tail: None,
            },
        });
        Ok(())
    }

    /// The clauses of the expansion that was opened last.
    fn clauses(&mut self, open: &mut [Open]) -> Parsed<()> {
        use TokenKind::{ArrayClose, Comma, Filter, Limit, Return};
        if !matches!(self.token.kind, Filter | Limit | Return | ArrayClose) {
            self.element_count()?;
            let message = "unexpected quantifier value found for array expansion operation.";
            return Err(self.error(1501, message, self.token));
        }
        if self.take(Filter)? {
            self.nested(Mode::Plain)?;
            self.clause(open, |e, filter| e.filter = Some(filter))?;
        }
        if self.take(Limit)? {
            self.nested(Mode::Plain)?;
            self.clause(open, |e, count| e.limit = Some((None, count)))?;
            if self.take(Comma)? {
                self.nested(Mode::Plain)?;
                self.clause(open, |e, count| {
                    let offset = e.limit.take().map(|(_, offset)| offset);
                    e.limit = Some((offset, count));
                })?;
            }
        }
        if self.take(Return)? {
            self.nested(Mode::Plain)?;
            self.clause(open, |e, projection| e.projection = Some(projection))?;
        }
        Ok(())
    }

    /// Moves the value on top of the stack into the expansion that was opened last.
    #[inline(never)]
    fn clause(&mut self, open: &mut [Open], set: fn(&mut Expansion, Expr)) -> Parsed<()> {
        let tree = self.pop()?;
        if let Some(last) = open.last_mut() {
            last.height = tree.height.max(last.height);
            set(&mut last.expansion, tree.expr);
        }
        Ok(())
    }

    /// `[? quantifier FILTER condition]`.
    fn array_filter(&mut self, start: u32) -> Parsed<()> {
        self.advance()?;
        self.advance()?;
        let mut height = 0;
        let mut quantifier = None;
        let mut is_filtered = false;
        self.scopes.start_current();
        if self.token.kind != TokenKind::ArrayClose {
            if self.token.kind != TokenKind::Filter {
                let (count, below) = self.element_count()?;
                height = below;
                quantifier = Some(count);
            }
            self.expect(TokenKind::Filter, &[])?;
            self.nested(Mode::Plain)?;
            is_filtered = true;
        }
        self.scopes.end_current();
        self.expect(TokenKind::ArrayClose, &[])?;
        self.build_filter(start, quantifier, height, is_filtered)
    }

    #[inline(never)]
    fn build_filter(
        &mut self,
        start: u32,
        quantifier: Option<Quantifier>,
        mut height: u32,
        is_filtered: bool,
    ) -> Parsed<()> {
        let filter = match is_filtered {
            true => Some(self.pop_within(&mut height)?),
            false => None,
        };
        let filter = Box::new(ArrayFilter {
            base: self.pop_within(&mut height)?,
            quantifier,
            filter,
        });
        self.build(ExprKind::ArrayFilter(filter), start, height)
    }

    /// A quantifier, or a number or range of elements; and its height.
    fn element_count(&mut self) -> Parsed<(Quantifier, u32)> {
        match self.token.kind {
            TokenKind::All | TokenKind::Any | TokenKind::None | TokenKind::AtLeast => {
                self.quantifier()
            }
            _ => {
                self.nested(Mode::Plain)?;
                self.count(Quantifier::Exactly)
            }
        }
    }

    /// Puts what was read since the expansions into their tails.
    #[inline(never)]
    fn close(&mut self, start: u32, open: &mut Vec<Open>) -> Parsed<()> {
        while let Some(Open {
            mut expansion,
            height,
        }) = open.pop()
        {
            let tail = self.pop()?;
            let mut below = height;
            if !matches!(tail.expr.kind, ExprKind::Element) {
                below = below.max(tail.height);
                expansion.tail = Some(tail.expr);
            }
            self.build(ExprKind::Expansion(Box::new(expansion)), start, below)?;
        }
        Ok(())
    }
}
