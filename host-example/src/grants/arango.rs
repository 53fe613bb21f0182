//! The grants that the ArangoDB component needs for one database: every request that it makes, and no other.

use super::{Grant, GrantError, Grants};

/// Requests of the component, below `/_db/NAME`. A test compares them with the core's own list.
const REQUESTS: [&str; 12] = [
    "POST /_api/explain",
    "POST /_api/cursor",
    "POST /_api/cursor/*",
    "DELETE /_api/cursor/*",
    "POST /_api/transaction/begin",
    "DELETE /_api/transaction/*",
    "GET /_api/version",
    "GET /_api/collection?excludeSystem=true",
    "GET /_api/index?collection=*",
    "GET /_api/gharial",
    "GET /_api/view",
    "GET /_api/view/*/properties",
];

/// The default grants for the database of this name.
///
/// # Errors
///
/// Where the name cannot stand in a path: it is empty, a dot segment, or has a slash in it.
pub fn arango(database: &str) -> Result<Grants, GrantError> {
    let segment = encode_segment(database);
    REQUESTS
        .iter()
        .map(|request| {
            let (method, path) = request.split_once(' ').unwrap_or((request, ""));
            format!("{method} /_db/{segment}{path}").parse()
        })
        .collect::<Result<Vec<Grant>, _>>()
        .map(Grants::new)
}

/// A name as one segment of a path: everything but letters, digits, `-`, `_`, `.` and `~` percent-encoded.
#[must_use]
pub fn encode_segment(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}
