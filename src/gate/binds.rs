//! A query's bind variables, as the gate reads them.
//!
//! They are data and never syntax, but some name what is read: `@@source` a collection or view, and the constants of
//! `DOCUMENT(@id)`. The gate judges exactly what the server will be given, so a name that comes twice is refused: which of
//! the two counts is the server's affair.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::refusal::{Refusal, RefusalKind};
use crate::arango::clean_to;
use crate::json::{self, Reader, Token};

/// Bind variables: a raw JSON value for each name, the leading `@` of a data source's key included.
#[derive(Debug, Default)]
pub(crate) struct Binds<'a>(BTreeMap<Cow<'a, str>, &'a str>);

impl<'a> Binds<'a> {
    /// Reads a JSON object; blank text stands for `{}`.
    pub(crate) fn parse(text: &'a str) -> Result<Binds<'a>, Box<Refusal>> {
        let mut binds = BTreeMap::new();
        if text.trim().is_empty() {
            return Ok(Binds(binds));
        }
        let members = json::members(text).ok_or_else(|| {
            invalid(
                "bind-variables",
                "the bind variables are not a JSON object".into(),
            )
        })?;
        for (key, value) in members {
            let key = key.decode();
            if binds.contains_key(&key) {
                return Err(invalid(
                    "bind-variables",
                    format!("the bind variable `{}` is given twice", clean_to(&key, 80)),
                ));
            }
            binds.insert(key, value);
        }
        Ok(Binds(binds))
    }

    /// The raw JSON value of `@name`.
    pub(crate) fn value(&self, name: &str) -> Option<&'a str> {
        self.0.get(name).copied()
    }

    /// The collection or view that `@@name` stands for.
    pub(crate) fn source(&self, name: &str) -> Result<Cow<'a, str>, Box<Refusal>> {
        let raw = self
            .0
            .get(format!("@{name}").as_str())
            .copied()
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
