//! What follows an operand: `.name`, `[index]`, `[* …]`, `[? …]`.
//!
//! After `[*]` the accesses apply to each element, and so does a further `[*]`. A further `[**]` does not: it flattens the
//! result of all that precedes it.

use crate::ast::{ArrayFilter, AttributeName, Expansion, Expr, ExprKind, Quantifier};
use crate::token::TokenKind;

use super::expression::Mode;
use super::{Parsed, Parser, Tree};

/// An expansion whose tail is being read.
struct Open {
    expansion: Expansion,
    height: u32,
}

impl Parser<'_> {
    /// The accesses after an operand that began at `start`.
    pub(super) fn accesses(&mut self, base: Tree, start: u32) -> Parsed<Tree> {
        let mut current = base;
        let mut open = Vec::new();
        loop {
            current = match self.token.kind {
                TokenKind::Dot => self.attribute(current, start)?,
                TokenKind::ArrayOpen => match self.peek()? {
                    TokenKind::Times => self.expansion(current, start, &mut open)?,
                    TokenKind::Question => self.array_filter(current, start)?,
                    _ => self.index(current, start)?,
                },
                _ => return self.close(current, start, &mut open),
            };
        }
    }

    #[inline(never)]
    fn attribute(&mut self, base: Tree, start: u32) -> Parsed<Tree> {
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
        let height = base.height;
        let base = Box::new(base.expr);
        self.tree(ExprKind::Attribute { base, name }, start, height)
    }

    fn index(&mut self, base: Tree, start: u32) -> Parsed<Tree> {
        self.advance()?;
        let height = base.height;
        let base = Box::new(base.expr);
        let index = self.nested(Mode::Plain)?;
        self.expect(TokenKind::ArrayClose, &[])?;
        let height = height.max(index.height);
        let index = Box::new(index.expr);
        self.tree(ExprKind::Index { base, index }, start, height)
    }

    /// `[* … FILTER … LIMIT … RETURN …]`: notes the expansion and goes on with its element.
    fn expansion(&mut self, base: Tree, start: u32, open: &mut Vec<Open>) -> Parsed<Tree> {
        self.advance()?;
        let mut levels = 0;
        while self.take(TokenKind::Times)? {
            levels += 1;
        }
        let base = match levels > 1 {
            true => self.close(base, start, open)?,
            false => base,
        };
        let mut next = Open {
            height: base.height,
            expansion: Expansion {
                base: base.expr,
                levels,
                filter: None,
                limit: None,
                projection: None,
                tail: None,
            },
        };
        self.scopes.start_current();
        self.expansion_clauses(&mut next)?;
        self.scopes.end_current();
        self.expect(TokenKind::ArrayClose, &[])?;
        open.push(next);
        self.tree(ExprKind::Element, self.previous.end, 0)
    }

    fn expansion_clauses(&mut self, open: &mut Open) -> Parsed<()> {
        use TokenKind::{ArrayClose, Filter, Limit, Return};
        if !matches!(self.token.kind, Filter | Limit | Return | ArrayClose) {
            self.element_count()?;
            let message = "unexpected quantifier value found for array expansion operation.";
            return Err(self.error(1501, message, self.token));
        }
        if self.take(Filter)? {
            open.expansion.filter = Some(self.clause(&mut open.height)?);
        }
        if self.take(Limit)? {
            let first = self.clause(&mut open.height)?;
            open.expansion.limit = Some(match self.take(TokenKind::Comma)? {
                true => (Some(first), self.clause(&mut open.height)?),
                false => (None, first),
            });
        }
        if self.take(Return)? {
            open.expansion.projection = Some(self.clause(&mut open.height)?);
        }
        Ok(())
    }

    /// An expression whose height counts for `height`.
    fn clause(&mut self, height: &mut u32) -> Parsed<Expr> {
        let tree = self.nested(Mode::Plain)?;
        *height = tree.height.max(*height);
        Ok(tree.expr)
    }

    /// `[? quantifier FILTER condition]`.
    fn array_filter(&mut self, base: Tree, start: u32) -> Parsed<Tree> {
        self.advance()?;
        self.advance()?;
        let mut height = base.height;
        let mut filter = ArrayFilter {
            base: base.expr,
            quantifier: None,
            filter: None,
        };
        self.scopes.start_current();
        if self.token.kind != TokenKind::ArrayClose {
            if self.token.kind != TokenKind::Filter {
                let (quantifier, count) = self.element_count()?;
                height = height.max(count);
                filter.quantifier = Some(quantifier);
            }
            self.expect(TokenKind::Filter, &[])?;
            filter.filter = Some(self.clause(&mut height)?);
        }
        self.scopes.end_current();
        self.expect(TokenKind::ArrayClose, &[])?;
        self.tree(ExprKind::ArrayFilter(Box::new(filter)), start, height)
    }

    /// A quantifier, or a number or range of elements.
    fn element_count(&mut self) -> Parsed<(Quantifier, u32)> {
        match self.token.kind {
            TokenKind::All | TokenKind::Any | TokenKind::None | TokenKind::AtLeast => {
                self.quantifier()
            }
            _ => {
                let count = self.nested(Mode::Plain)?;
                Ok((Quantifier::Exactly(Box::new(count.expr)), count.height))
            }
        }
    }

    /// Puts what was read since the expansions into their tails.
    #[inline(never)]
    fn close(&mut self, current: Tree, start: u32, open: &mut Vec<Open>) -> Parsed<Tree> {
        let mut current = current;
        while let Some(Open {
            mut expansion,
            height,
        }) = open.pop()
        {
            let mut below = height;
            if !matches!(current.expr.kind, ExprKind::Element) {
                below = below.max(current.height);
                expansion.tail = Some(current.expr);
            }
            current = self.tree(ExprKind::Expansion(Box::new(expansion)), start, below)?;
        }
        Ok(current)
    }
}
