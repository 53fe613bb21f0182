//! One grant: a method, segments of which some are `*`, and the names that its query string may have.

use std::fmt;
use std::str::FromStr;

use super::method_name;
use super::path::RequestPath;
use crate::types::http::Method;

/// One kind of request that is allowed. Written `METHOD /segment/*/segment?name=*&name=value`.
///
/// Query parameters may be left out of a request and stand in any order; one that the grant does not name, or that stands twice,
/// is refused. A grant without `?` allows no query string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    method: Method,
    segments: Vec<Piece>,
    query: Vec<(String, Piece)>,
}

/// A literal, or anything.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Any,
    Exactly(String),
}

/// Why a text is no grant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GrantError {
    /// There is no method, or one that the contract does not know.
    #[error("`{0}` is no grant: write `METHOD /path`, with GET, POST, PUT, PATCH, DELETE or HEAD")]
    Method(String),
    /// The path itself would be refused.
    #[error("`{grant}` can never be allowed: {reason}")]
    Path {
        /// The text.
        grant: String,
        /// What is wrong with its path.
        reason: super::PathError,
    },
    /// A `*` that is only part of a segment, or `**`.
    #[error("`{0}` is no grant: `*` stands for one whole segment or one whole value")]
    Star(String),
}

impl Grant {
    pub(super) fn allows(&self, method: Method, path: &RequestPath<'_>) -> bool {
        self.method == method
            && self.segments.len() == path.segments.len()
            && self
                .segments
                .iter()
                .zip(&path.segments)
                .all(|(piece, segment)| piece.matches(segment))
            && path
                .query
                .as_deref()
                .is_none_or(|query| self.allows_query(query))
    }

    fn allows_query(&self, query: &[(&str, &str)]) -> bool {
        let mut left: Vec<&(String, Piece)> = self.query.iter().collect();
        query.iter().all(|(name, value)| {
            let at = left
                .iter()
                .position(|(known, piece)| known == name && piece.matches(value));
            at.map(|at| left.remove(at)).is_some()
        })
    }
}

impl Piece {
    fn parse(text: &str, grant: &str) -> Result<Self, GrantError> {
        match text {
            "*" => Ok(Self::Any),
            text if text.contains('*') => Err(GrantError::Star(grant.to_owned())),
            text => Ok(Self::Exactly(text.to_owned())),
        }
    }

    fn matches(&self, text: &str) -> bool {
        match self {
            Self::Any => !text.is_empty(),
            Self::Exactly(literal) => literal == text,
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("*"),
            Self::Exactly(literal) => f.write_str(literal),
        }
    }
}

impl FromStr for Grant {
    type Err = GrantError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (method, path) = text
            .trim()
            .split_once(' ')
            .ok_or_else(|| GrantError::Method(text.to_owned()))?;
        let method = match method {
            "GET" => Method::Get,
            "POST" => Method::Post,
            "PUT" => Method::Put,
            "PATCH" => Method::Patch,
            "DELETE" => Method::Delete,
            "HEAD" => Method::Head,
            _ => return Err(GrantError::Method(text.to_owned())),
        };
        let parsed = RequestPath::parse(path.trim()).map_err(|reason| GrantError::Path {
            grant: text.to_owned(),
            reason,
        })?;
        let segments = parsed
            .segments
            .iter()
            .map(|piece| Piece::parse(piece, text))
            .collect::<Result<_, _>>()?;
        let query = parsed
            .query
            .unwrap_or_default()
            .into_iter()
            .map(|(name, value)| Ok((name.to_owned(), Piece::parse(value, text)?)))
            .collect::<Result<_, GrantError>>()?;
        Ok(Self {
            method,
            segments,
            query,
        })
    }
}

impl fmt::Display for Grant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", method_name(self.method))?;
        self.segments
            .iter()
            .try_for_each(|piece| write!(f, "/{piece}"))?;
        for (at, (name, piece)) in self.query.iter().enumerate() {
            write!(f, "{}{name}={piece}", if at == 0 { '?' } else { '&' })?;
        }
        Ok(())
    }
}
