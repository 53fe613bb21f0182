//! A query's bind variables, as the gate reads them.
//!
//! They are data and never syntax, but some name what is read: `@@source` a collection or view, and the constants of
//! `DOCUMENT(@id)`. The gate judges exactly what the server will be given, so a name that comes twice is refused: which of
//! the two counts is the server's affair.

use std::borrow::Cow;

use super::refusal::{Refusal, RefusalKind};
use crate::arango::clean_to;
use crate::json::{self, Reader, Token};
use crate::order::sort_by;

/// Bind variables: a raw JSON value for each name, the leading `@` of a data source's key included.
#[derive(Debug, Default)]
pub(crate) struct Binds<'a>(Vec<(Cow<'a, str>, &'a str)>);

impl<'a> Binds<'a> {
    /// Reads a JSON object; blank text stands for `{}`.
    pub(crate) fn parse(text: &'a str) -> Result<Binds<'a>, Box<Refusal>> {
        if text.trim().is_empty() {
            return Ok(Binds::default());
        }
        let mut binds = json::members(text).ok_or_else(|| {
            invalid(
                "bind-variables",
                "the bind variables are not a JSON object".into(),
            )
        })?;
        sort_by(&mut binds, |one, other| one.0.cmp(&other.0));
        for pair in binds.windows(2) {
            if let [(key, _), (next, _)] = pair
                && key == next
            {
                return Err(invalid(
                    "bind-variables",
                    format!("the bind variable `{}` is given twice", clean_to(key, 80)),
                ));
            }
        }
        Ok(Binds(binds))
    }

    /// The raw JSON value of `@name`.
    pub(crate) fn value(&self, name: &str) -> Option<&'a str> {
        let at = self.0.binary_search_by(|(have, _)| have.as_ref().cmp(name));
        at.ok().and_then(|at| self.0.get(at)).map(|(_, raw)| *raw)
    }

    /// The collection or view that `@@name` stands for.
    pub(crate) fn source(&self, name: &str) -> Result<Cow<'a, str>, Box<Refusal>> {
        let raw = self
            .value(&format!("@{name}"))
            .ok_or_else(|| missing(&format!("@{name}")))?;
        text(raw).ok_or_else(|| {
            invalid(
                "bind-variables",
                format!("the bind variable `@{name}` stands for a collection and is no text"),
            )
        })
    }

    /// Refuses where a parameter of the query's has no value.
    pub(crate) fn require(&self, name: &str) -> Result<(), Box<Refusal>> {
        self.value(name).map(|_| ()).ok_or_else(|| missing(name))
    }
}

/// The text that a raw JSON value is, if it is one.
pub(crate) fn text(raw: &str) -> Option<Cow<'_, str>> {
    match Reader::new(raw, 1).next() {
        Ok(Some(Token::String(text))) => Some(text.decode()),
        _ => None,
    }
}

fn missing(name: &str) -> Box<Refusal> {
    invalid(
        "bind-variables",
        format!(
            "the query has the bind parameter `@{name}` and no value for it; write the value as a literal, or bind it"
        ),
    )
}

fn invalid(code: &str, message: String) -> Box<Refusal> {
    Refusal::repairable(RefusalKind::Invalid, code, message)
}
