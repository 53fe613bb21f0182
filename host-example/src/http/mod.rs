//! Servers behind names: what answers a component's `http-fetch`.
//!
//! An [`Endpoint`] answers requests that have already passed the grants, the header list and the budgets. [`Origin`] is the one
//! that speaks HTTP to a real server; an embedder may put anything else behind a name, a driver or a stub of a test's.

mod address;
mod binding;
mod gate;
mod origin;
mod resolver;

pub use address::{AddressError, check_address};
pub use binding::{Credentials, OriginError, OriginOptions};
pub use origin::Origin;

use std::time::Duration;

use crate::BoxFuture;
use crate::types::http::{Error, ErrorKind, Method, Response};

/// One request that the host has let pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointRequest {
    /// The method.
    pub method: Method,
    /// Path and query string, checked.
    pub path: String,
    /// Headers that the component set, all of them allowed.
    pub headers: Vec<(String, String)>,
    /// The body, within the limit.
    pub body: Option<Vec<u8>>,
    /// How long the request may take.
    pub timeout: Duration,
    /// How many bytes the response's body may have.
    pub max_response_bytes: u64,
}

/// What answers under one endpoint name.
pub trait Endpoint: Send + Sync {
    /// Answers one request, within its time and its bytes. The host enforces both again.
    ///
    /// # Errors
    ///
    /// The contract's error, which the component sees as it stands: it must not contain a secret.
    fn fetch(&self, request: EndpointRequest) -> BoxFuture<'_, Result<Response, Error>>;
}

/// An error of the contract.
pub(crate) fn error(
    kind: ErrorKind,
    code: &str,
    message: impl Into<String>,
    request_sent: bool,
) -> Error {
    Error {
        kind,
        code: Some(code.to_owned()),
        message: message.into(),
        request_sent,
    }
}

/// The kind as the contract writes it.
pub(crate) fn kind_name(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Denied => "denied",
        ErrorKind::UnknownEndpoint => "unknown-endpoint",
        ErrorKind::Connect => "connect",
        ErrorKind::Tls => "tls",
        ErrorKind::Timeout => "timeout",
        ErrorKind::RequestTooLarge => "request-too-large",
        ErrorKind::ResponseTooLarge => "response-too-large",
        ErrorKind::Protocol => "protocol",
        ErrorKind::Other => "other",
    }
}
