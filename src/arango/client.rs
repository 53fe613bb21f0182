//! One call's way to one database.

use crate::ask::{Error, ErrorKind, Result};
use crate::json::{Fault, FaultKind, Value};
use crate::outside::Outside;
use crate::ports::HttpRequest;
use crate::settings::Settings;

use super::paths::Route;
use super::{DatabaseError, body, clean_to};

/// The name under which a host binds the database.
const ENDPOINT: &str = "database";

/// Descriptions of the database (collections, indexes, graphs, views) are read up to this size.
const DESCRIPTION_BYTES: u64 = 16 * 1024 * 1024;

/// A plan is read up to this size. A plan of a few kilobytes is usual; constants folded at planning time may make it large.
const PLAN_BYTES: u64 = 16 * 1024 * 1024;

/// What the host may take beyond the server's own time limit, so that the server's answer arrives rather than the host's
/// timeout.
const GRACE_MS: u32 = 5_000;

/// How long a short request may take: descriptions, transactions, releases.
const SHORT_MS: u32 = 30_000;

/// Speaks to the configured database.
pub struct Client<'a> {
    pub(super) outside: &'a Outside<'a>,
    pub(super) settings: &'a Settings,
}

/// A request, before it has its path and headers.
pub(super) struct Call<'c> {
    pub(super) route: Route<'c>,
    pub(super) body: Option<Vec<u8>>,
    pub(super) transaction: Option<&'c str>,
    pub(super) timeout_ms: u32,
    pub(super) max_response_bytes: u64,
}

impl<'c> Call<'c> {
    /// A request that is answered at once.
    pub(super) fn short(route: Route<'c>) -> Call<'c> {
        Call {
            route,
            body: None,
            transaction: None,
            timeout_ms: SHORT_MS,
            max_response_bytes: DESCRIPTION_BYTES,
        }
    }

    /// A request whose answer the server itself bounds in time.
    pub(super) fn bounded(
        route: Route<'c>,
        body: Vec<u8>,
        runtime_ms: u32,
        bytes: u64,
    ) -> Call<'c> {
        Call {
            route,
            body: Some(body),
            transaction: None,
            timeout_ms: runtime_ms.saturating_add(GRACE_MS),
            max_response_bytes: bytes,
        }
    }
}

impl<'a> Client<'a> {
    /// A way to the database of these settings.
    pub fn new(outside: &'a Outside<'a>, settings: &'a Settings) -> Client<'a> {
        Client { outside, settings }
    }

    /// The settings that it was made with.
    pub fn settings(&self) -> &'a Settings {
        self.settings
    }

    /// Asks the server to plan a query without running it. The body of the server's answer is a JSON object, unread.
    ///
    /// # Errors
    ///
    /// Outside: the exchange broke, or the answer is not ArangoDB's. Inside: the server refused the query.
    pub fn explain(
        &self,
        aql: &str,
        bind_vars: &str,
    ) -> Result<core::result::Result<Vec<u8>, DatabaseError>> {
        let limits = &self.settings.limits;
        let body = body::explain(aql, bind_vars, limits)?;
        self.send(Call::bounded(
            Route::Explain,
            body,
            limits.explain_runtime_ms,
            PLAN_BYTES,
        ))
    }

    /// Sends a request. The body of a success begins as a JSON object; its shape is the reader's to check.
    pub(super) fn send(
        &self,
        call: Call<'_>,
    ) -> Result<core::result::Result<Vec<u8>, DatabaseError>> {
        let mut headers = vec![("accept", "application/json".to_string())];
        if call.body.is_some() {
            headers.push(("content-type", "application/json".into()));
        }
        if let Some(id) = call.transaction {
            headers.push(("x-arango-trx-id", id.into()));
        }
        let response = self.outside.fetch(&HttpRequest {
            endpoint: ENDPOINT,
            method: call.route.method(),
            path: call.route.path(&self.settings.database),
            headers,
            body: call.body,
            timeout_ms: Some(call.timeout_ms),
            max_response_bytes: Some(call.max_response_bytes),
        })?;

        let header = |wanted: &str| {
            let mut headers = response.headers.iter();
            headers
                .find(|(name, _)| name.eq_ignore_ascii_case(wanted))
                .map_or("", |(_, value)| value.as_str())
        };
        let content_type = header("content-type");
        let named_json = content_type.is_empty() || is_json(content_type);
        match response.status {
            200..=299 => {
                if !named_json {
                    return Err(foreign(
                        call.route,
                        &format!("it is {}", clean_to(content_type, 60)),
                    ));
                }
                if first_byte(&response.body) != Some(b'{') {
                    return Err(foreign(call.route, "it is not a JSON object"));
                }
                Ok(Ok(response.body))
            }
            300..=399 => Err(foreign(
                call.route,
                &format!("it is a redirect, status {}", response.status),
            )),
            400..=599 => {
                let mut error = DatabaseError::from_response(response.status, &response.body);
                let seconds: Option<u32> = header("retry-after").trim().parse().ok();
                error.retry_after_ms = seconds.map(|seconds| seconds.saturating_mul(1_000));
                if error.number.is_none() && !named_json {
                    let what = clean_to(content_type, 60);
                    // A proxy may speak of rights, of time and of load. Nothing else that it says is ArangoDB's.
                    if !matches!(response.status, 401 | 403 | 407 | 408 | 429 | 502..=504) {
                        let why = format!("it is {what}, status {}", response.status);
                        return Err(foreign(call.route, &why));
                    }
                    error.message = format!("the answer is {what}, not ArangoDB's own");
                }
                Ok(Err(error))
            }
            status => Err(foreign(call.route, &format!("it has the status {status}"))),
        }
    }
}

/// An answer that no ArangoDB gives: another server, a proxy before it, or a body that broke off.
pub(super) fn foreign(route: Route<'_>, why: &str) -> Box<Error> {
    Error::new(
        ErrorKind::DatabaseUnreachable,
        "not-arangodb",
        format!(
            "the answer to {} is not ArangoDB's: {why}; check the address in the host's configuration, and what stands between",
            route.name()
        ),
    )
}

/// A body as text.
pub(super) fn text<'b>(route: Route<'_>, body: &'b [u8]) -> Result<&'b str> {
    core::str::from_utf8(body).map_err(|_| foreign(route, NOT_JSON))
}

/// A body as a tree.
pub(super) fn parse<'b>(route: Route<'_>, body: &'b [u8]) -> Result<Value<'b>> {
    Value::parse(text(route, body)?).map_err(|fault| broken(route, fault))
}

/// A body that breaks off or is not JSON.
pub(super) fn broken(route: Route<'_>, fault: Fault) -> Box<Error> {
    match fault.kind {
        FaultKind::Unfinished => foreign(route, "it breaks off").retryable(),
        FaultKind::Unexpected | FaultKind::TooDeep => foreign(route, NOT_JSON),
    }
}

/// A body that is JSON and not what the server writes.
pub(super) fn misshapen(route: Route<'_>) -> Box<Error> {
    foreign(route, "it has another shape")
}

const NOT_JSON: &str = "it is not valid JSON";

fn is_json(content_type: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json") || kind.to_ascii_lowercase().ends_with("+json")
}

fn first_byte(body: &[u8]) -> Option<u8> {
    body.iter()
        .copied()
        .find(|byte| !byte.is_ascii_whitespace())
}
