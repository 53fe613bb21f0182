//! Operands: literals, names, parameters, calls, arrays, objects, and what stands in parentheses.
//!
//! Only what the server calls a reference takes accesses after it: `"abc"[0]` is an error, `("abc")[0]` is not.

use crate::Version;
use crate::ast::{ArrayItem, Body, DataSource, Expr, ExprKind, FunctionName, Name, ObjectItem};
use crate::token::{Token, TokenKind, keyword};

use super::expression::Mode;
use super::{Parsed, Parser, Tree, quote_hint};

/// What a subquery counts for against the nesting limit: its statements recurse about as deep as four brackets do.
const SUBQUERY_WEIGHT: u32 = 4;

impl Parser<'_> {
    pub(super) fn operand(&mut self) -> Parsed<Tree> {
        let Token { start, kind, .. } = self.token;
        let base = match kind {
            TokenKind::Open => self.parenthesised()?,
            TokenKind::ArrayOpen => self.array()?,
            TokenKind::ObjectOpen => self.object()?,
            TokenKind::Identifier => match self.peek()? {
                TokenKind::Open | TokenKind::Scope => self.call()?,
                _ => self.reference()?,
            },
            TokenKind::Like if self.peek()? == TokenKind::Open => self.call()?,
            TokenKind::Parameter => {
                let name = self.parameter()?;
                self.tree(ExprKind::Parameter(name), start, 0)?
            }
            TokenKind::DataSourceParameter => {
                let name = self.parameter()?;
                self.tree(ExprKind::DataSource(DataSource::Parameter(name)), start, 0)?
            }
            _ => return self.literal(),
        };
        match self.token.kind {
            TokenKind::Dot | TokenKind::ArrayOpen => self.accesses(base, start),
            _ => Ok(base),
        }
    }

    /// A literal that is one token.
    #[inline(never)]
    pub(super) fn literal(&mut self) -> Parsed<Tree> {
        let token = self.token;
        let kind = match token.kind {
            TokenKind::QuotedString => ExprKind::String(self.text(token)),
            TokenKind::Integer | TokenKind::Double => number(self.raw(token), token.kind),
            TokenKind::Null => ExprKind::Null,
            TokenKind::True => ExprKind::Bool(true),
            TokenKind::False => ExprKind::Bool(false),
            kind => {
                let mut error = self.unexpected(&[]);
                let word = self.raw(token);
                if error.hint.is_none() && !kind.starts_statement() && keyword(word).is_some() {
                    error.hint = Some(quote_hint(word));
                }
                return Err(error);
            }
        };
        self.advance()?;
        self.tree(kind, token.start, 0)
    }

    /// A variable or a data source.
    #[inline(never)]
    fn reference(&mut self) -> Parsed<Tree> {
        let start = self.token.start;
        let mut name = self.name()?;
        let kind = match self.scopes.resolve(&name.text) {
            Some(variable) => {
                name.text = String::from(variable);
                ExprKind::Variable(name)
            }
            None => ExprKind::DataSource(DataSource::Named(name)),
        };
        self.tree(kind, start, 0)
    }

    fn parenthesised(&mut self) -> Parsed<Tree> {
        let start = self.token.start;
        self.advance()?;
        let mut tree = match self.token.kind.starts_statement() {
            true => self.subquery()?,
            false => self.nested(Mode::Plain)?,
        };
        let expected: &[TokenKind] = match tree.expr.kind {
            ExprKind::Subquery(_) => &[TokenKind::Close],
            _ => &[],
        };
        self.expect(TokenKind::Close, expected)?;
        tree.expr.span = self.span_from(start);
        Ok(tree)
    }

    /// The statements of a subquery, without parentheses.
    fn subquery(&mut self) -> Parsed<Tree> {
        self.enter(SUBQUERY_WEIGHT)?;
        self.subqueries += 1;
        let start = self.token.start;
        let outer = std::mem::take(&mut self.statements);
        let deepest = std::mem::take(&mut self.deepest);
        self.scopes.start_query();
        let body = Box::new(self.body()?);
        self.scopes.end_query();
        let height = std::mem::replace(&mut self.deepest, deepest);
        self.statements = outer;
        self.leave(SUBQUERY_WEIGHT);
        self.tree(ExprKind::Subquery(body), start, height)
    }

    /// The body of a query: statements of which the last returns or writes.
    pub(super) fn body(&mut self) -> Parsed<Body> {
        while self.token.kind.starts_statement() {
            let is_last = self.token.kind == TokenKind::Return;
            self.statement()?;
            if is_last {
                return Ok(self.take_body());
            }
        }
        match self.ends_with_modification() {
            true => Ok(self.take_body()),
            false => Err(self.unexpected(&[])),
        }
    }

    fn take_body(&mut self) -> Body {
        Body {
            statements: std::mem::take(&mut self.statements),
        }
    }

    fn call(&mut self) -> Parsed<Tree> {
        let start = self.token.start;
        let mut name = FunctionName {
            parts: vec![self.parameter()?],
        };
        while self.take(TokenKind::Scope)? {
            name.parts.push(self.name()?);
        }
        self.expect(TokenKind::Open, &[TokenKind::Scope, TokenKind::Open])?;
        let (arguments, height) = self.arguments()?;
        self.tree(ExprKind::Call { name, arguments }, start, height)
    }

    /// The arguments of a call up to its closing parenthesis, and the height of the highest.
    pub(super) fn arguments(&mut self) -> Parsed<(Vec<Expr>, u32)> {
        let mut arguments = Vec::new();
        let mut height = 0;
        if self.take(TokenKind::Close)? {
            return Ok((arguments, height));
        }
        loop {
            let argument = match self.token.kind.starts_statement() {
                true => self.subquery()?,
                false => self.nested(Mode::Plain)?,
            };
            height = height.max(argument.height);
            arguments.push(argument.expr);
            if !self.take(TokenKind::Comma)? {
                break;
            }
        }
        self.expect(TokenKind::Close, &[TokenKind::Close])?;
        Ok((arguments, height))
    }

    fn array(&mut self) -> Parsed<Tree> {
        let start = self.token.start;
        self.advance()?;
        let mut items = Vec::new();
        let mut height = 0;
        while self.token.kind != TokenKind::ArrayClose {
            let spread = self.spread()?;
            let item = self.nested(Mode::Plain)?;
            height = height.max(item.height);
            items.push(match spread {
                true => ArrayItem::Spread(item.expr),
                false => ArrayItem::Value(item.expr),
            });
            if !self.take(TokenKind::Comma)? {
                break;
            }
        }
        self.expect(TokenKind::ArrayClose, &[TokenKind::ArrayClose])?;
        self.tree(ExprKind::Array(items), start, height)
    }

    pub(super) fn object(&mut self) -> Parsed<Tree> {
        let start = self.token.start;
        self.expect(TokenKind::ObjectOpen, &[TokenKind::ObjectOpen])?;
        let mut items = Vec::new();
        let mut height = 0;
        while self.token.kind != TokenKind::ObjectClose {
            let below = self.object_item(&mut items)?;
            height = height.max(below);
            if !self.take(TokenKind::Comma)? {
                break;
            }
        }
        self.expect(TokenKind::ObjectClose, &[TokenKind::ObjectClose])?;
        self.tree(ExprKind::Object(items), start, height)
    }

    /// Adds one item of an object; gives its height.
    fn object_item(&mut self, items: &mut Vec<ObjectItem>) -> Parsed<u32> {
        let kind = self.token.kind;
        match kind {
            TokenKind::Identifier if self.peek()? != TokenKind::Colon => self.shorthand(items),
            TokenKind::Identifier | TokenKind::QuotedString => {
                let name = self.parameter()?;
                self.value(|value| ObjectItem::Attribute(name, value), items)
            }
            TokenKind::Parameter => {
                let name = self.parameter()?;
                self.value(|value| ObjectItem::Parameter(name, value), items)
            }
            TokenKind::ArrayOpen => {
                self.advance()?;
                let key = self.nested(Mode::Plain)?;
                self.expect(TokenKind::ArrayClose, &[])?;
                let expr = key.expr;
                let height = self.value(|value| ObjectItem::Computed(expr, value), items)?;
                Ok(height.max(key.height))
            }
            TokenKind::Spread => {
                self.advance()?;
                let value = self.nested(Mode::Plain)?;
                items.push(ObjectItem::Spread(value.expr));
                Ok(value.height)
            }
            _ => {
                let mut error = self.unexpected(&[TokenKind::ObjectClose]);
                let word = self.raw(self.token);
                if keyword(word).is_some() {
                    error.hint = Some(quote_hint(word));
                }
                Err(error)
            }
        }
    }

    /// `: value` after a key.
    fn value(
        &mut self,
        item: impl FnOnce(Expr) -> ObjectItem,
        items: &mut Vec<ObjectItem>,
    ) -> Parsed<u32> {
        self.expect(TokenKind::Colon, &[TokenKind::Colon])?;
        let value = self.nested(Mode::Plain)?;
        items.push(item(value.expr));
        Ok(value.height)
    }

    /// `{name}`: the variable `name` under its own name.
    #[inline(never)]
    fn shorthand(&mut self, items: &mut Vec<ObjectItem>) -> Parsed<u32> {
        let name = self.name()?;
        // `CURRENT` has no short form in the server.
        let variable = match self.scopes.resolve(&name.text) {
            Some(variable)
                if !variable.ends_with("CURRENT") || self.scopes.is_visible(variable) =>
            {
                variable
            }
            _ => {
                let error = self.error_about(
                    1512,
                    "use of unknown variable '",
                    &name.text,
                    "' in object literal",
                    self.token,
                );
                return Err(error);
            }
        };
        let variable = Name {
            text: String::from(variable),
            span: name.span,
        };
        let value = Expr {
            span: name.span,
            kind: ExprKind::Variable(variable),
        };
        items.push(ObjectItem::Attribute(name, value));
        Ok(1)
    }

    /// `...` before an item, from 4.0 on.
    fn spread(&mut self) -> Parsed<bool> {
        match self.version {
            Version::V4 => self.take(TokenKind::Spread),
            Version::V3_12 => Ok(false),
        }
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
    match text.parse::<f64>() {
        Ok(double) if double.is_finite() => ExprKind::Double(double),
        _ => ExprKind::Null,
    }
}
