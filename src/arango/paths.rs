//! The methods and paths that the core may call, and no other.
//!
//! A host's default grants are built from [`GRANTS`]. Each path is exact, with `*` for one segment: a grant of all that
//! begins with `/_api/transaction` would also grant `POST /_api/transaction`, which runs JavaScript. Headers are
//! `accept`, `content-type` and `x-arango-trx-id` only.
//!
//! | method and path | for |
//! |---|---|
//! | `POST /_db/*/_api/explain` | the gate's plan |
//! | `POST /_db/*/_api/cursor` | running a query |
//! | `POST /_db/*/_api/cursor/*` | its next batch |
//! | `DELETE /_db/*/_api/cursor/*` | releasing it |
//! | `POST /_db/*/_api/transaction/begin` | the read-only transaction |
//! | `DELETE /_db/*/_api/transaction/*` | releasing it |
//! | `GET /_db/*/_api/version` | what the server is |
//! | `GET /_db/*/_api/collection?excludeSystem=true` | the collections |
//! | `GET /_db/*/_api/index?collection=*` | a collection's indexes |
//! | `GET /_db/*/_api/gharial` | the named graphs |
//! | `GET /_db/*/_api/view` | the views |
//! | `GET /_db/*/_api/view/*/properties` | a view's links |

use crate::ports::Method;

/// Every method and path that the core may call: `*` stands for one segment, or for the value of a query parameter.
pub const GRANTS: &[(Method, &str)] = &[
    (Method::Post, "/_db/*/_api/explain"),
    (Method::Post, "/_db/*/_api/cursor"),
    (Method::Post, "/_db/*/_api/cursor/*"),
    (Method::Delete, "/_db/*/_api/cursor/*"),
    (Method::Post, "/_db/*/_api/transaction/begin"),
    (Method::Delete, "/_db/*/_api/transaction/*"),
    (Method::Get, "/_db/*/_api/version"),
    (Method::Get, "/_db/*/_api/collection?excludeSystem=true"),
    (Method::Get, "/_db/*/_api/index?collection=*"),
    (Method::Get, "/_db/*/_api/gharial"),
    (Method::Get, "/_db/*/_api/view"),
    (Method::Get, "/_db/*/_api/view/*/properties"),
];

/// One of the requests in [`GRANTS`], with its names filled in.
#[derive(Clone, Copy, Debug)]
pub(super) enum Route<'a> {
    Explain,
    OpenCursor,
    NextBatch(&'a str),
    CloseCursor(&'a str),
    BeginTransaction,
    AbortTransaction(&'a str),
    Version,
    Collections,
    Indexes(&'a str),
    Graphs,
    Views,
    View(&'a str),
}

impl Route<'_> {
    /// What it asks for, in words for a message.
    pub(super) fn name(self) -> &'static str {
        match self {
            Route::Explain => "the request to plan a query",
            Route::OpenCursor => "the query",
            Route::NextBatch(_) => "the request for more rows",
            Route::CloseCursor(_) => "the release of a cursor",
            Route::BeginTransaction => "the request to begin a transaction",
            Route::AbortTransaction(_) => "the release of a transaction",
            Route::Version => "the request for the version",
            Route::Collections => "the request for the collections",
            Route::Indexes(_) => "the request for indexes",
            Route::Graphs => "the request for the graphs",
            Route::Views => "the request for the views",
            Route::View(_) => "the request for a view's properties",
        }
    }

    pub(super) fn method(self) -> Method {
        match self {
            Route::Explain | Route::OpenCursor | Route::NextBatch(_) | Route::BeginTransaction => {
                Method::Post
            }
            Route::CloseCursor(_) | Route::AbortTransaction(_) => Method::Delete,
            Route::Version
            | Route::Collections
            | Route::Indexes(_)
            | Route::Graphs
            | Route::Views
            | Route::View(_) => Method::Get,
        }
    }

    /// The path in this database, names percent-encoded.
    pub(super) fn path(self, database: &str) -> String {
        let (before, name, after) = match self {
            Route::Explain => ("explain", "", ""),
            Route::OpenCursor => ("cursor", "", ""),
            Route::NextBatch(id) | Route::CloseCursor(id) => ("cursor/", id, ""),
            Route::BeginTransaction => ("transaction/begin", "", ""),
            Route::AbortTransaction(id) => ("transaction/", id, ""),
            Route::Version => ("version", "", ""),
            Route::Collections => ("collection?excludeSystem=true", "", ""),
            Route::Indexes(collection) => ("index?collection=", collection, ""),
            Route::Graphs => ("gharial", "", ""),
            Route::Views => ("view", "", ""),
            Route::View(view) => ("view/", view, "/properties"),
        };
        let mut path = String::with_capacity(64);
        path.push_str("/_db/");
        encode(database, &mut path);
        path.push_str("/_api/");
        path.push_str(before);
        encode(name, &mut path);
        path.push_str(after);
        path
    }
}

/// Percent-encodes all but the unreserved characters of RFC 3986, so that no name can leave its segment.
fn encode(name: &str, path: &mut String) {
    // `.` is unreserved, but a segment of dots alone would be read as a step in the tree.
    let only_dots = name.bytes().all(|byte| byte == b'.');
    for byte in name.bytes() {
        let plain = byte.is_ascii_alphanumeric()
            || matches!(byte, b'-' | b'_' | b'~')
            || (byte == b'.' && !only_dots);
        if plain {
            path.push(char::from(byte));
        } else {
            path.push('%');
            for nibble in [byte >> 4, byte & 0xf] {
                let digit = char::from_digit(u32::from(nibble), 16).unwrap_or('0');
                path.push(digit.to_ascii_uppercase());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_leave_its_segment() {
        assert_eq!(
            Route::View("a/../b?c#d%é ").path("shop 1/x"),
            "/_db/shop%201%2Fx/_api/view/a%2F..%2Fb%3Fc%23d%25%C3%A9%20/properties"
        );
        assert_eq!(
            Route::View("..").path("."),
            "/_db/%2E/_api/view/%2E%2E/properties"
        );
        assert_eq!(
            Route::Indexes("a&withHidden=true").path("_system"),
            "/_db/_system/_api/index?collection=a%26withHidden%3Dtrue"
        );
    }

    #[test]
    fn every_route_is_granted_and_every_grant_has_a_route() {
        let routes = [
            Route::Explain,
            Route::OpenCursor,
            Route::NextBatch("*"),
            Route::CloseCursor("*"),
            Route::BeginTransaction,
            Route::AbortTransaction("*"),
            Route::Version,
            Route::Collections,
            Route::Indexes("*"),
            Route::Graphs,
            Route::Views,
            Route::View("*"),
        ];
        let built: Vec<(Method, String)> = routes
            .iter()
            .map(|route| (route.method(), route.path("*").replace("%2A", "*")))
            .collect();
        let granted: Vec<(Method, String)> = GRANTS
            .iter()
            .map(|(method, path)| (*method, (*path).to_string()))
            .collect();
        assert_eq!(built, granted);
    }
}
