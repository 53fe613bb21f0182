//! The statements that write: `INSERT`, `UPDATE`, `REPLACE`, `REMOVE`, `UPSERT`.
//!
//! The gate refuses them all, but it must recognise them first; and the embedded server runs them.

use crate::ast::{
    DataSource, Expr, ExprKind, Modification, ModificationKind, ObjectItem, StatementKind,
    UpsertSearch,
};
use crate::token::TokenKind;

use super::expression::Mode;
use super::scope::{NEW, OLD};
use super::{Parsed, Parser};

impl Parser<'_> {
    /// Reads a modification that began at `start`; its first word was `kind`.
    pub(super) fn modification(&mut self, kind: TokenKind, start: u32) -> Parsed<()> {
        let kind = match kind {
            TokenKind::Insert => ModificationKind::Insert {
                document: self.expression_in(Mode::BeforeTarget)?,
            },
            TokenKind::Remove => ModificationKind::Remove {
                key: self.expression_in(Mode::BeforeTarget)?,
            },
            TokenKind::Update => {
                let (key, document) = self.key_and_document()?;
                ModificationKind::Update { key, document }
            }
            TokenKind::Replace => {
                let (key, document) = self.key_and_document()?;
                ModificationKind::Replace { key, document }
            }
            _ => self.upsert()?,
        };
        let target = self.target()?;
        let options = self.options()?;
        self.declare_documents(&kind, options.as_ref());
        let modification = Modification {
            kind,
            target,
            options,
        };
        self.push(start, StatementKind::Modify(modification));
        Ok(())
    }

    /// `document`, or `key WITH document`.
    fn key_and_document(&mut self) -> Parsed<(Option<Expr>, Expr)> {
        let first = self.expression_in(Mode::BeforeTarget)?;
        match self.take(TokenKind::With)? {
            true => Ok((Some(first), self.expression_in(Mode::BeforeTarget)?)),
            false => Ok((None, first)),
        }
    }

    fn upsert(&mut self) -> Parsed<ModificationKind> {
        // The expressions after the search may use `OLD`, the document that was found.
        let search = match self.token.kind {
            TokenKind::Filter => {
                self.advance()?;
                self.scopes.start_current();
                let condition = self.expression()?;
                self.scopes.end_current();
                self.expect(TokenKind::Insert, &[])?;
                UpsertSearch::Filter(condition)
            }
            TokenKind::ObjectOpen | TokenKind::Parameter | TokenKind::DataSourceParameter => {
                let example = self.example()?;
                self.expect(TokenKind::Insert, &[TokenKind::Insert])?;
                UpsertSearch::Example(example)
            }
            _ => {
                return Err(self.unexpected(&[
                    TokenKind::Filter,
                    TokenKind::Parameter,
                    TokenKind::DataSourceParameter,
                    TokenKind::ObjectOpen,
                ]));
            }
        };
        self.scopes.declare(OLD);
        let insert = self.expression()?;
        let replace = self.token.kind == TokenKind::Replace;
        if !replace && self.token.kind != TokenKind::Update {
            return Err(self.unexpected(&[]));
        }
        self.advance()?;
        let update = self.expression_in(Mode::BeforeTarget)?;
        Ok(ModificationKind::Upsert {
            search,
            insert,
            update,
            replace,
        })
    }

    /// The example to search by: an object or a bind parameter, with nothing after it.
    fn example(&mut self) -> Parsed<Expr> {
        match self.token.kind {
            TokenKind::ObjectOpen => self.object()?,
            _ => self.bound()?,
        }
        self.settle()
    }

    /// `IN collection`, `INTO collection`.
    fn target(&mut self) -> Parsed<DataSource> {
        if !self.take(TokenKind::Into)? && !self.take(TokenKind::In)? {
            return Err(self.unexpected(&[]));
        }
        match self.token.kind {
            TokenKind::Identifier | TokenKind::QuotedString => {
                Ok(DataSource::Named(self.parameter()?))
            }
            TokenKind::DataSourceParameter => Ok(DataSource::Parameter(self.parameter()?)),
            _ => Err(self.unexpected(&[
                TokenKind::Identifier,
                TokenKind::QuotedString,
                TokenKind::DataSourceParameter,
            ])),
        }
    }

    /// Whether the `IN` that is the token names the collection of a modification, rather than an operator: a name follows
    /// it that nothing goes on from.
    pub(super) fn is_before_target(&mut self) -> Parsed<bool> {
        use TokenKind::*;
        if !matches!(
            self.peek()?,
            Identifier | QuotedString | DataSourceParameter
        ) {
            return Ok(false);
        }
        Ok(!matches!(
            self.peek_second()?,
            Dot | ArrayOpen
                | Open
                | Scope
                | Question
                | Range
                | Plus
                | Minus
                | Times
                | Divide
                | Modulo
                | Equal
                | NotEqual
                | Less
                | LessEqual
                | Greater
                | GreaterEqual
                | RegexMatch
                | RegexNonMatch
                | Like
                | And
                | Or
                | Not
                | Bang
                | NotIn
                | In
                | Into
                | With
                | Any
                | All
                | None
                | AtLeast
        ))
    }

    /// Makes `OLD` and `NEW` visible for what follows.
    fn declare_documents(&mut self, kind: &ModificationKind, options: Option<&Expr>) {
        let (old, new) = match kind {
            ModificationKind::Insert { .. } => (may_overwrite(options), true),
            ModificationKind::Remove { .. } => (true, false),
            ModificationKind::Update { .. } | ModificationKind::Replace { .. } => (true, true),
            // `OLD` is there since the search.
            ModificationKind::Upsert { .. } => (false, true),
        };
        if old {
            self.scopes.declare(OLD);
        }
        if new {
            self.scopes.declare(NEW);
        }
    }
}

/// Whether the options of an `INSERT` let it replace a document, which is `OLD` then.
fn may_overwrite(options: Option<&Expr>) -> bool {
    let Some(ExprKind::Object(items)) = options.map(|o| &o.kind) else {
        return false;
    };
    items.iter().any(|item| {
        matches!(item, ObjectItem::Attribute(name, _) if matches!(name.text.as_str(), "overwrite" | "overwriteMode"))
    })
}
