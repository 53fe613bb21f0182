//! How a name is bound to a server: the origin, and what the host adds to each request, checked before anything is sent.
//!
//! | accepted | refused |
//! |---|---|
//! | `http://localhost:8529`, `https://db.example`, `http://[::1]:8529` | `localhost:8529`, `ftp://…`, a user, a path, a query string, a metadata address |

use std::path::PathBuf;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use reqwest::header::{HeaderMap, HeaderValue};
use url::{Host, Url};

use super::address::{AddressError, check_address};
use crate::secret::Secret;

/// What the host adds to each request, after the boundary.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Credentials {
    /// Nothing: the server asks for nothing.
    None,
    /// HTTP Basic.
    Basic {
        /// The user's name.
        user: String,
        /// The password.
        password: Secret,
    },
    /// A bearer token.
    Bearer(Secret),
}

/// How to reach a server.
#[derive(Clone, Debug)]
pub struct OriginOptions {
    /// Scheme, host and port: `https://db.example:8529`. A path, a query string or a user in it is an error.
    pub url: String,
    /// What to add to each request.
    pub credentials: Credentials,
    /// A PEM file with certificates to trust beside the system's.
    pub ca_file: Option<PathBuf>,
}

/// Why an origin cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OriginError {
    /// The text is no URL.
    #[error("`{url}` is no URL: {reason}; write `http://host:8529` or `https://host:8529`")]
    Url {
        /// The text.
        url: String,
        /// What is wrong.
        reason: String,
    },
    /// The URL has more than scheme, host and port.
    #[error("`{url}` has {part}: an endpoint is scheme, host and port; {instead}")]
    Part {
        /// The text, without a password.
        url: String,
        /// What it has too much.
        part: &'static str,
        /// What to do.
        instead: &'static str,
    },
    /// The address is never allowed.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// The file with certificates cannot be used.
    #[error("the certificates in `{path}` cannot be used: {reason}")]
    Certificates {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The credentials cannot stand in a header.
    #[error("the {0} has characters that cannot stand in a header")]
    Credentials(&'static str),
    /// TLS cannot be set up on this machine.
    #[error("no client for `{url}`: {reason}")]
    Client {
        /// The origin.
        url: String,
        /// What is wrong.
        reason: String,
    },
}

/// Scheme, host and port of a URL that has nothing else.
pub(super) fn parse(text: &str) -> Result<String, OriginError> {
    let text = text.trim();
    let bad = |reason: &str| OriginError::Url {
        url: text.to_owned(),
        reason: reason.to_owned(),
    };
    let mut url = Url::parse(text).map_err(|error| bad(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(bad("the scheme is not `http` or `https`"));
    }
    let with_user = !url.username().is_empty() || url.password().is_some();
    // Cleared before any message is made: it may be a password.
    let _ = url.set_password(None);
    let _ = url.set_username("");
    let part = |part, instead| {
        Err(OriginError::Part {
            url: url.to_string(),
            part,
            instead,
        })
    };
    if with_user {
        return part("a user in it", "give `user` and a password of their own");
    }
    if !matches!(url.path(), "" | "/") {
        return part("a path", "give the database as `database`");
    }
    if url.query().is_some() || url.fragment().is_some() {
        return part("a query string or a fragment", "leave it out");
    }
    match url.host() {
        Some(Host::Ipv4(address)) => check_address(address.into())?,
        Some(Host::Ipv6(address)) => check_address(address.into())?,
        Some(Host::Domain(_)) => {}
        None => return Err(bad("there is no host in it")),
    }
    Ok(url.origin().ascii_serialization())
}

/// The header that every request gets.
pub(super) fn authorization(credentials: &Credentials) -> Result<HeaderMap, OriginError> {
    let value = match credentials {
        Credentials::None => return Ok(HeaderMap::new()),
        Credentials::Basic { user, password } => {
            if user.contains(':') || user.chars().any(char::is_control) {
                return Err(OriginError::Credentials("user's name"));
            }
            format!(
                "Basic {}",
                BASE64_STANDARD.encode(format!("{user}:{}", password.expose()))
            )
        }
        Credentials::Bearer(token) => format!("Bearer {}", token.expose()),
    };
    let mut value = HeaderValue::try_from(value).map_err(|_| OriginError::Credentials("token"))?;
    value.set_sensitive(true);
    Ok(HeaderMap::from_iter([(
        reqwest::header::AUTHORIZATION,
        value,
    )]))
}
