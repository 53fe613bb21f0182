//! Object literals.
//!
//! | item | meaning |
//! |---|---|
//! | `name: value`, `"name": value` | an attribute |
//! | `name` | the variable `name` under its own name |
//! | `@name: value` | an attribute whose name is bound |
//! | `[expression]: value` | an attribute whose name is computed |
//! | `...object` | all attributes of another object (4.x) |
//!
//! A keyword is no name here either, unless it is quoted.

use crate::ast::{Expr, ExprKind, Name, ObjectItem};
use crate::token::TokenKind;

use super::expression::Mode;
use super::{Parsed, Parser};

/// What stands before the value of an item.
enum Key {
    Name(Name),
    Parameter(Name),
    /// With its value on the stack.
    Computed,
    Spread,
    /// Nothing: the item is whole.
    Shorthand,
}

impl Parser<'_> {
    /// An object literal; its value is on top of the stack then.
    pub(super) fn object(&mut self) -> Parsed<()> {
        let start = self.token.start;
        self.expect(TokenKind::ObjectOpen, &[TokenKind::ObjectOpen])?;
        let mut items = Vec::new();
        let mut height = 0;
        while self.token.kind != TokenKind::ObjectClose {
            let key = self.key(&mut items)?;
            if !matches!(key, Key::Shorthand) {
                self.nested(Mode::Plain)?;
            }
            self.add_item(key, &mut items, &mut height)?;
            if !self.take(TokenKind::Comma)? {
                break;
            }
        }
        self.expect(TokenKind::ObjectClose, &[TokenKind::ObjectClose])?;
        self.build(ExprKind::Object(items), start, height)
    }

    /// What an item begins with, up to the first token of its value.
    fn key(&mut self, items: &mut Vec<ObjectItem>) -> Parsed<Key> {
        match self.token.kind {
            TokenKind::ArrayOpen => {
                self.advance()?;
                self.nested(Mode::Plain)?;
                self.expect(TokenKind::ArrayClose, &[])?;
                self.expect(TokenKind::Colon, &[TokenKind::Colon])?;
                Ok(Key::Computed)
            }
            TokenKind::Spread => {
                self.advance()?;
                Ok(Key::Spread)
            }
            _ => self.named_key(items),
        }
    }

    #[inline(never)]
    fn named_key(&mut self, items: &mut Vec<ObjectItem>) -> Parsed<Key> {
        let kind = self.token.kind;
        let key = match kind {
            TokenKind::Identifier if self.peek()? != TokenKind::Colon => {
                return self.shorthand(items);
            }
            TokenKind::Identifier | TokenKind::QuotedString => Key::Name(self.parameter()?),
            TokenKind::Parameter => Key::Parameter(self.parameter()?),
            _ => {
                let mut error = self.unexpected(&[TokenKind::ObjectClose]);
                error.hint = self.key_hint();
                return Err(error);
            }
        };
        self.expect(TokenKind::Colon, &[TokenKind::Colon])?;
        Ok(key)
    }

    /// Adds `{name}`.
    fn shorthand(&mut self, items: &mut Vec<ObjectItem>) -> Parsed<Key> {
        let name = self.name()?;
        // `CURRENT` has no short form in the server.
        let variable = match self.scopes.resolve(&name.text) {
            Some(variable) if variable != "CURRENT" || self.scopes.is_visible(variable) => variable,
            _ => {
                let (before, after) = ("use of unknown variable '", "' in object literal");
                return Err(self.error_about(1512, before, &name.text, after, self.token));
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
        Ok(Key::Shorthand)
    }

    /// Adds an item whose value, and key where that is computed, are on the stack.
    #[inline(never)]
    fn add_item(&mut self, key: Key, items: &mut Vec<ObjectItem>, height: &mut u32) -> Parsed<()> {
        if matches!(key, Key::Shorthand) {
            *height = 1.max(*height);
            return Ok(());
        }
        let value = self.pop_within(height)?;
        items.push(match key {
            Key::Name(name) => ObjectItem::Attribute(name, value),
            Key::Parameter(name) => ObjectItem::Parameter(name, value),
            Key::Computed => ObjectItem::Computed(self.pop_within(height)?, value),
            Key::Spread | Key::Shorthand => ObjectItem::Spread(value),
        });
        Ok(())
    }
}
