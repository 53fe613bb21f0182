//! What an assignment binds: a name, or from 3.12.2 on the parts of an array or an object.

use crate::ast::{Name, Pattern};
use crate::token::TokenKind;

use super::{Parsed, Parser};

/// What may begin a pattern.
const STARTS: &[TokenKind] = &[
    TokenKind::Identifier,
    TokenKind::ObjectOpen,
    TokenKind::ArrayOpen,
];

impl Parser<'_> {
    pub(super) fn pattern(&mut self) -> Parsed<Pattern> {
        self.enter(1)?;
        let start = self.token.start;
        let pattern = match self.token.kind {
            TokenKind::Identifier => Pattern::Variable(self.name()?),
            TokenKind::ArrayOpen => {
                let parts = self.array_pattern()?;
                Pattern::Array(parts, self.span_from(start))
            }
            TokenKind::ObjectOpen => {
                let parts = self.object_pattern()?;
                Pattern::Object(parts, self.span_from(start))
            }
            _ => return Err(self.unexpected(STARTS)),
        };
        self.leave(1);
        Ok(pattern)
    }

    fn array_pattern(&mut self) -> Parsed<Vec<Option<Pattern>>> {
        self.advance()?;
        let mut parts = Vec::new();
        loop {
            match self.token.kind {
                TokenKind::ArrayClose => break,
                TokenKind::Comma => {
                    self.advance()?;
                    parts.push(None);
                }
                _ => {
                    parts.push(Some(self.pattern()?));
                    if !self.take(TokenKind::Comma)? {
                        break;
                    }
                }
            }
        }
        self.expect(TokenKind::ArrayClose, &[TokenKind::ArrayClose])?;
        Ok(parts)
    }

    fn object_pattern(&mut self) -> Parsed<Vec<(Name, Pattern)>> {
        self.advance()?;
        let mut parts = Vec::new();
        while self.token.kind != TokenKind::ObjectClose {
            let is_quoted = self.token.kind == TokenKind::QuotedString;
            let name = match is_quoted {
                true => self.parameter()?,
                false => self.name()?,
            };
            let pattern = match self.token.kind {
                TokenKind::Colon => {
                    self.advance()?;
                    self.pattern()?
                }
                _ if is_quoted => return Err(self.unexpected(&[TokenKind::Colon])),
                _ => Pattern::Variable(name.clone()),
            };
            parts.push((name, pattern));
            if !self.take(TokenKind::Comma)? {
                break;
            }
        }
        self.expect(TokenKind::ObjectClose, &[TokenKind::ObjectClose])?;
        Ok(parts)
    }

    /// Makes all that a pattern binds variables, left to right.
    pub(super) fn declare_pattern(&mut self, pattern: &Pattern) -> Parsed<()> {
        match pattern {
            Pattern::Variable(name) => self.declare(name),
            Pattern::Array(parts, _) => parts
                .iter()
                .flatten()
                .try_for_each(|p| self.declare_pattern(p)),
            Pattern::Object(parts, _) => {
                parts.iter().try_for_each(|(_, p)| self.declare_pattern(p))
            }
        }
    }
}
