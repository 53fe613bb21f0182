//! What a component may ask of an endpoint: exact requests, listed. What no grant names is refused.
//!
//! | grant | allows | does not allow |
//! |---|---|---|
//! | `GET /_api/version` | that, without a query string | `/_api/version/`, `/_api/version?details=true`, `POST` |
//! | `DELETE /_api/cursor/*` | `DELETE /_api/cursor/26213` | `/_api/cursor`, `/_api/cursor/1/2`, `/_api/cursor/` |
//! | `GET /_api/index?collection=*` | `/_api/index?collection=products` | `/_api/index?collection=a&withHidden=true` |
//!
//! `*` stands for one whole segment, or for one whole value in the query string. A prefix is no grant: one that allowed
//! `/_api/transaction/begin` by its beginning would allow `/_api/transaction`, which runs JavaScript on the server.
//!
//! ```
//! use host_example::grants::Grants;
//! use host_example::types::http::Method;
//!
//! let grants: Grants = "DELETE /_db/shop/_api/cursor/*".parse()?;
//! assert!(grants.check(Method::Delete, "/_db/shop/_api/cursor/26213").is_ok());
//! assert!(grants.check(Method::Delete, "/_db/shop/_api/cursor/..%2fcollection").is_err());
//! # Ok::<(), host_example::grants::GrantError>(())
//! ```

mod arango;
mod path;
mod pattern;

pub use arango::{arango, encode_segment};
pub use path::PathError;
pub use pattern::{Grant, GrantError};

use std::fmt;
use std::str::FromStr;

use crate::types::http::Method;

/// Header names that a component may set; the host answers `denied` to any other.
pub const REQUEST_HEADERS: [&str; 3] = ["accept", "content-type", "x-arango-trx-id"];

/// A list of grants for one endpoint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grants(Vec<Grant>);

/// Why a request is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Denied {
    /// The path has a form that servers read differently.
    #[error("the path is refused: {0}")]
    Path(#[from] PathError),
    /// No grant names the request.
    #[error("`{method} {path}` is not granted")]
    NotGranted {
        /// The method.
        method: &'static str,
        /// The path, as the component gave it.
        path: String,
    },
    /// A header that the component may not set.
    #[error(
        "the header `{0}` may not be set by a component; `accept`, `content-type` and `x-arango-trx-id` may"
    )]
    Header(String),
}

impl Grants {
    /// Grants for these requests.
    #[must_use]
    pub fn new(grants: Vec<Grant>) -> Self {
        Self(grants)
    }

    /// Adds the grants of another list.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// The grants, in their order.
    #[must_use]
    pub fn as_slice(&self) -> &[Grant] {
        &self.0
    }

    /// Whether a request is allowed.
    ///
    /// # Errors
    ///
    /// Where the path has a form that is never allowed, or no grant names the request.
    pub fn check(&self, method: Method, path: &str) -> Result<(), Denied> {
        let parsed = path::RequestPath::parse(path)?;
        if self.0.iter().any(|grant| grant.allows(method, &parsed)) {
            return Ok(());
        }
        Err(Denied::NotGranted {
            method: method_name(method),
            path: path.to_owned(),
        })
    }

    /// Whether a component may set a header.
    ///
    /// # Errors
    ///
    /// Where the name is not in [`REQUEST_HEADERS`], in any case of letters.
    pub fn check_header(name: &str) -> Result<(), Denied> {
        if REQUEST_HEADERS
            .iter()
            .any(|allowed| allowed.eq_ignore_ascii_case(name))
        {
            return Ok(());
        }
        Err(Denied::Header(name.to_owned()))
    }
}

impl FromStr for Grants {
    type Err = GrantError;

    /// One grant a line; blank lines are passed over.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .map(str::parse)
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

impl fmt::Display for Grants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|grant| writeln!(f, "{grant}"))
    }
}

/// The method as HTTP writes it.
#[must_use]
pub fn method_name(method: Method) -> &'static str {
    match method {
        Method::Get => "GET",
        Method::Post => "POST",
        Method::Put => "PUT",
        Method::Patch => "PATCH",
        Method::Delete => "DELETE",
        Method::Head => "HEAD",
    }
}
