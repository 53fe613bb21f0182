//! Bodies of requests.
//!
//! A caller's bind variables stand in the body as they were written, so that numbers keep every digit. They are checked to
//! be one JSON object first: text after it, or in its place, could otherwise set the request's own attributes.

use crate::ask::{Error, ErrorKind, Result};
use crate::json;
use crate::settings::Limits;

/// `{"query":…,"bindVars":…`, without its end.
fn query(aql: &str, bind_vars: &str) -> Result<String> {
    let object = bind_vars.trim();
    if !object.starts_with('{') || !json::is_valid(object) {
        return Err(Error::new(
            ErrorKind::InvalidInput,
            "bind-vars",
            "the bind variables are not a JSON object; give `{}` where there are none",
        ));
    }
    let mut body =
        String::with_capacity(aql.len().saturating_add(object.len()).saturating_add(256));
    body.push_str("{\"query\":");
    json::push_quoted(&mut body, aql);
    body.push_str(",\"bindVars\":");
    body.push_str(object);
    Ok(body)
}

/// The body of a request to run a query.
pub(super) fn cursor(aql: &str, bind_vars: &str, batch: u32, limits: &Limits) -> Result<Vec<u8>> {
    let mut body = query(aql, bind_vars)?;
    // The time to live is between two batches. The server's own default is 600 s on a coordinator.
    body.push_str(&format!(
        ",\"batchSize\":{batch},\"ttl\":30,\"cache\":false,\"memoryLimit\":{},\"options\":{{\"maxRuntime\":{}}}}}",
        limits.query_memory_bytes,
        seconds(limits.query_runtime_ms)
    ));
    Ok(body.into_bytes())
}

/// The body of a request to plan a query.
pub(super) fn explain(aql: &str, bind_vars: &str, limits: &Limits) -> Result<Vec<u8>> {
    let mut body = query(aql, bind_vars)?;
    body.push_str(&format!(
        ",\"options\":{{\"memoryLimit\":{},\"maxRuntime\":{}}}}}",
        limits.explain_memory_bytes,
        seconds(limits.explain_runtime_ms)
    ));
    Ok(body.into_bytes())
}

/// The body of a request to begin a transaction that reads these collections and no other.
pub(super) fn transaction(read: &[&str]) -> Vec<u8> {
    let mut body = json::Writer::default();
    body.begin('{');
    body.key("collections").begin('{');
    body.key("read").texts(read);
    body.end('}');
    // It counts at the top level only; inside `collections` the server ignores it.
    body.key("allowImplicit").bool(false);
    body.end('}');
    body.finish().into_bytes()
}

/// Milliseconds as seconds, without floating point.
fn seconds(milliseconds: u32) -> String {
    format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000)
}
