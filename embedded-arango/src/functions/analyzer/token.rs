//! Tokens with their places in the text, collected while their memory is charged.

use std::ops::Range;

use super::Context;
use crate::error::ArangoError;
use crate::value::Value;

/// One token of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What a search compares.
    pub term: Value,
    /// The bytes of the text that it was made of.
    pub place: Range<usize>,
    /// How far its position lies behind the token before it: 1, or 0 for one at the same position.
    pub step: usize,
}

/// Tokens as they come.
pub(super) struct Tokens<'a, 'b> {
    pub(super) ctx: &'a mut Context<'b>,
    pub(super) out: Vec<Token>,
    bytes: usize,
    charged_at: usize,
}

impl<'a, 'b> Tokens<'a, 'b> {
    pub(super) fn new(ctx: &'a mut Context<'b>) -> Self {
        Tokens {
            ctx,
            out: Vec::new(),
            bytes: 0,
            charged_at: 4096,
        }
    }

    /// Adds a token at a position of its own.
    pub(super) fn push(&mut self, term: String, place: Range<usize>) -> Result<(), ArangoError> {
        self.push_step(term, place, 1)
    }

    /// Adds a token so many positions after the one before it.
    pub(super) fn push_step(
        &mut self,
        term: String,
        place: Range<usize>,
        step: usize,
    ) -> Result<(), ArangoError> {
        self.add(Token {
            term: Value::from(term),
            place,
            step,
        })
    }

    pub(super) fn add(&mut self, token: Token) -> Result<(), ArangoError> {
        self.ctx.tick(self.out.len())?;
        self.bytes += token.term.memory() + size_of::<Token>();
        self.out.push(token);
        if self.bytes > self.charged_at {
            self.ctx.charge_text("TOKENS", self.bytes)?;
            self.charged_at = self.bytes * 2;
        }
        Ok(())
    }
}
