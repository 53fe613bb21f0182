//! Operands: literals, names, parameters, calls, and what stands in parentheses or brackets.
//!
//! Only what the server calls a reference takes accesses after it: `"abc"[0]` is an error, `("abc")[0]` is not.
//!
//! Each function leaves its value on the stack of values.

use crate::Double;
use crate::Version;
use crate::ast::{ArrayItem, Body, DataSource, Expr, ExprKind, FunctionName};
use crate::token::TokenKind;

use super::expression::Mode;
use super::{Parsed, Parser};

/// What a subquery counts for against the nesting limit: its statements recurse about as deep as four brackets do.
const SUBQUERY_WEIGHT: u32 = 4;

impl Parser<'_> {
    pub(super) fn operand(&mut self) -> Parsed<()> {
        let start = self.token.start;
        match self.token.kind {
            TokenKind::Open => self.parenthesised()?,
            TokenKind::ArrayOpen => self.array()?,
            TokenKind::ObjectOpen => self.object()?,
            TokenKind::Identifier | TokenKind::Like => {
                let next = self.peek()?;
                match self.token.kind {
                    _ if next == TokenKind::Open => self.call()?,
                    TokenKind::Identifier if next == TokenKind::Scope => self.call()?,
                    TokenKind::Identifier => self.reference()?,
                    _ => return self.literal(),
                }
            }
            TokenKind::Parameter | TokenKind::DataSourceParameter => self.bound()?,
            _ => return self.literal(),
        }
        match self.token.kind {
            TokenKind::Dot | TokenKind::ArrayOpen => self.accesses(start),
            _ => Ok(()),
        }
    }

    /// A literal that is one token.
    #[inline(never)]
    pub(super) fn literal(&mut self) -> Parsed<()> {
        let token = self.token;
        let kind = match token.kind {
            TokenKind::QuotedString => ExprKind::String(self.text(token)),
            TokenKind::Integer | TokenKind::Double => number(self.raw(token), token.kind),
            TokenKind::Null => ExprKind::Null,
            TokenKind::True => ExprKind::Bool(true),
            TokenKind::False => ExprKind::Bool(false),
            _ => {
                let mut error = self.unexpected(&[]);
                error.hint = self.operand_hint();
                return Err(error);
            }
        };
        self.advance()?;
        self.build(kind, token.start, 0)
    }

    /// A bind parameter.
    #[inline(never)]
    pub(super) fn bound(&mut self) -> Parsed<()> {
        let token = self.token;
        let name = self.parameter()?;
        let kind = match token.kind {
            TokenKind::DataSourceParameter => ExprKind::DataSource(DataSource::Parameter(name)),
            _ => ExprKind::Parameter(name),
        };
        self.build(kind, token.start, 0)
    }

    /// A variable or a data source.
    #[inline(never)]
    fn reference(&mut self) -> Parsed<()> {
        let start = self.token.start;
        let mut name = self.name()?;
        let kind = match self.scopes.resolve(&name.text) {
            Some(variable) => {
                name.text = String::from(variable);
                ExprKind::Variable(name)
            }
            None => ExprKind::DataSource(DataSource::Named(name)),
        };
        self.build(kind, start, 0)
    }

    fn parenthesised(&mut self) -> Parsed<()> {
        let start = self.token.start;
        self.advance()?;
        if self.token.kind.starts_statement() {
            self.subquery()?;
            self.expect(TokenKind::Close, &[TokenKind::Close])?;
        } else {
            self.nested(Mode::Plain)?;
            self.expect(TokenKind::Close, &[])?;
        }
        let span = self.span_from(start);
        if let Some(top) = self.values.last_mut() {
            top.expr.span = span;
        }
        Ok(())
    }

    /// The statements of a subquery, without parentheses.
    fn subquery(&mut self) -> Parsed<()> {
        self.enter(SUBQUERY_WEIGHT)?;
        self.subqueries += 1;
        let start = self.token.start;
        let statements = std::mem::take(&mut self.statements);
        let deepest = std::mem::take(&mut self.deepest);
        self.scopes.start_query();
        self.body()?;
        self.scopes.end_query();
        let body = Box::new(self.take_body());
        let height = std::mem::replace(&mut self.deepest, deepest);
        self.statements = statements;
        self.leave(SUBQUERY_WEIGHT);
        self.build(ExprKind::Subquery(body), start, height)
    }

    /// Reads the statements of a query, of which the last returns or writes.
    pub(super) fn body(&mut self) -> Parsed<()> {
        while self.token.kind.starts_statement() {
            let is_last = self.token.kind == TokenKind::Return;
            self.statement()?;
            if is_last {
                return Ok(());
            }
        }
        match self.ends_with_modification() {
            true => Ok(()),
            false => {
                let mut error = self.unexpected(&[]);
                if matches!(self.token.kind, TokenKind::End | TokenKind::Close)
                    && !self.statements.is_empty()
                {
                    error.hint = Some(String::from("a query ends with `RETURN`"));
                }
                Err(error)
            }
        }
    }

    /// The statements that [`Parser::body`] read.
    pub(super) fn take_body(&mut self) -> Body {
        Body {
            statements: std::mem::take(&mut self.statements),
        }
    }

    fn call(&mut self) -> Parsed<()> {
        let start = self.token.start;
        let name = self.function_name()?;
        let mut arguments = Vec::new();
        let height = self.arguments(&mut arguments)?;
        self.build(ExprKind::Call { name, arguments }, start, height)
    }

    /// `NAME(` or `NAMESPACE::NAME(`.
    #[inline(never)]
    fn function_name(&mut self) -> Parsed<FunctionName> {
        let mut parts = vec![self.parameter()?];
        while self.take(TokenKind::Scope)? {
            parts.push(self.name()?);
        }
        self.expect(TokenKind::Open, &[TokenKind::Scope, TokenKind::Open])?;
        Ok(FunctionName { parts })
    }

    /// Adds the arguments of a call up to its closing parenthesis; gives the height of the highest.
    pub(super) fn arguments(&mut self, arguments: &mut Vec<Expr>) -> Parsed<u32> {
        let mut height = 0;
        if self.take(TokenKind::Close)? {
            return Ok(height);
        }
        loop {
            match self.token.kind.starts_statement() {
                true => self.subquery()?,
                false => self.nested(Mode::Plain)?,
            }
            arguments.push(self.pop_within(&mut height)?);
            if !self.take(TokenKind::Comma)? {
                break;
            }
        }
        self.expect(TokenKind::Close, &[TokenKind::Close])?;
        Ok(height)
    }

    /// The value on top of the stack, whose height counts for `height`.
    #[inline(never)]
    pub(super) fn pop_within(&mut self, height: &mut u32) -> Parsed<Expr> {
        let tree = self.pop()?;
        *height = tree.height.max(*height);
        Ok(tree.expr)
    }

    fn array(&mut self) -> Parsed<()> {
        let start = self.token.start;
        self.advance()?;
        let mut items = Vec::new();
        let mut height = 0;
        while self.token.kind != TokenKind::ArrayClose {
            let is_spread = self.version == Version::V4 && self.take(TokenKind::Spread)?;
            self.nested(Mode::Plain)?;
            let item = self.pop_within(&mut height)?;
            items.push(match is_spread {
                true => ArrayItem::Spread(item),
                false => ArrayItem::Value(item),
            });
            if !self.take(TokenKind::Comma)? {
                break;
            }
        }
        self.expect(TokenKind::ArrayClose, &[TokenKind::ArrayClose])?;
        self.build(ExprKind::Array(items), start, height)
    }
}

/// The value of a number. One beyond the range of a double is `null`, of which the server warns.
fn number(text: &str, kind: TokenKind) -> ExprKind {
    let radix = match text.get(..2) {
        Some("0b" | "0B") => 2,
        Some("0x" | "0X") => 16,
        _ => 10,
    };
    if radix != 10 {
        let digits = text.get(2..).unwrap_or("");
        return i64::from_str_radix(digits, radix).map_or(ExprKind::Null, ExprKind::Integer);
    }
    if kind == TokenKind::Integer
        && let Ok(integer) = text.parse()
    {
        return ExprKind::Integer(integer);
    }
    Double::parse(text).map_or(ExprKind::Null, ExprKind::Double)
}
