//! The errors of the server: ArangoDB's numbers, the HTTP status that each maps to, and the sentence.
//!
//! Every failure inside the server is an [`ArangoError`]; nothing panics because of what a client sent. The table of
//! HTTP codes follows the real server's mapping; a number that it does not list maps to 500, as there.

use std::fmt;

/// A failure as ArangoDB reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArangoError {
    /// ArangoDB's error number, `errorNum` in a response body.
    pub number: u16,
    /// The HTTP status of the response, `code` in a response body.
    pub http: u16,
    /// The sentence, `errorMessage` in a response body.
    pub message: String,
}

/// ArangoDB's error numbers that this server uses, by their names in the real server's list.
///
/// The names are the documentation: `ERROR_ARANGO_DOCUMENT_NOT_FOUND` is [`DOCUMENT_NOT_FOUND`](number::DOCUMENT_NOT_FOUND).
#[allow(
    missing_docs,
    reason = "each constant is named after the error it numbers"
)]
pub mod number {
    pub const INTERNAL: u16 = 4;
    pub const NOT_IMPLEMENTED: u16 = 9;
    pub const BAD_PARAMETER: u16 = 10;
    pub const FORBIDDEN: u16 = 11;
    pub const TYPE_ERROR: u16 = 17;
    pub const LOCK_TIMEOUT: u16 = 18;
    pub const REQUEST_CANCELED: u16 = 21;
    pub const LOCKED: u16 = 28;
    pub const DEADLOCK: u16 = 29;
    pub const SHUTTING_DOWN: u16 = 30;
    pub const RESOURCE_LIMIT: u16 = 32;
    pub const HTTP_BAD_PARAMETER: u16 = 400;
    pub const HTTP_UNAUTHORIZED: u16 = 401;
    pub const HTTP_NOT_FOUND: u16 = 404;
    pub const HTTP_METHOD_NOT_ALLOWED: u16 = 405;
    pub const HTTP_TOO_LARGE: u16 = 413;
    pub const HTTP_CORRUPTED_JSON: u16 = 600;
    pub const READ_ONLY: u16 = 1004;
    pub const CONFLICT: u16 = 1200;
    pub const DOCUMENT_NOT_FOUND: u16 = 1202;
    pub const DATA_SOURCE_NOT_FOUND: u16 = 1203;
    pub const COLLECTION_PARAMETER_MISSING: u16 = 1204;
    pub const DOCUMENT_HANDLE_BAD: u16 = 1205;
    pub const DUPLICATE_NAME: u16 = 1207;
    pub const ILLEGAL_NAME: u16 = 1208;
    pub const UNIQUE_CONSTRAINT_VIOLATED: u16 = 1210;
    pub const INDEX_NOT_FOUND: u16 = 1212;
    pub const CROSS_COLLECTION_REQUEST: u16 = 1213;
    pub const COLLECTION_TYPE_INVALID: u16 = 1218;
    pub const DOCUMENT_KEY_BAD: u16 = 1221;
    pub const DOCUMENT_KEY_UNEXPECTED: u16 = 1222;
    pub const DOCUMENT_TYPE_INVALID: u16 = 1227;
    pub const DATABASE_NOT_FOUND: u16 = 1228;
    pub const DATABASE_NAME_INVALID: u16 = 1229;
    pub const USE_SYSTEM_DATABASE: u16 = 1230;
    pub const INVALID_EDGE_ATTRIBUTE: u16 = 1233;
    pub const BACKEND_NOT_IMPLEMENTED: u16 = 1470;
    pub const QUERY_KILLED: u16 = 1500;
    pub const QUERY_PARSE: u16 = 1501;
    pub const QUERY_EMPTY: u16 = 1502;
    pub const QUERY_COLLECTION_LOCK_FAILED: u16 = 1521;
    pub const QUERY_VARIABLE_NAME_UNKNOWN: u16 = 1512;
    pub const QUERY_BIND_PARAMETERS_INVALID: u16 = 1550;
    pub const QUERY_BIND_PARAMETER_MISSING: u16 = 1551;
    pub const QUERY_BIND_PARAMETER_UNDECLARED: u16 = 1552;
    pub const QUERY_BIND_PARAMETER_TYPE: u16 = 1553;
    pub const QUERY_VECTOR_SEARCH_NOT_APPLIED: u16 = 1554;
    pub const QUERY_GEO_INDEX_MISSING: u16 = 1570;
    pub const QUERY_FULLTEXT_INDEX_MISSING: u16 = 1571;
    pub const QUERY_FUNCTION_NOT_FOUND: u16 = 1582;
    pub const QUERY_NOT_FOUND: u16 = 1591;
    pub const USER_NOT_FOUND: u16 = 1703;
    pub const USER_DUPLICATE: u16 = 1702;
    pub const USER_INVALID_NAME: u16 = 1700;
    pub const CURSOR_NOT_FOUND: u16 = 1600;
    pub const CURSOR_BUSY: u16 = 1601;
    pub const TRANSACTION_INTERNAL: u16 = 1650;
    pub const TRANSACTION_NESTED: u16 = 1651;
    pub const TRANSACTION_UNREGISTERED_COLLECTION: u16 = 1652;
    pub const TRANSACTION_DISALLOWED_OPERATION: u16 = 1653;
    pub const TRANSACTION_ABORTED: u16 = 1654;
    pub const TRANSACTION_NOT_FOUND: u16 = 1655;
    pub const VALIDATION_FAILED: u16 = 1620;
    pub const VALIDATION_BAD_PARAMETER: u16 = 1621;
    pub const GRAPH_COLLECTION_MULTI_USE: u16 = 1921;
    pub const GRAPH_EDGE_COLLECTION_MULTI_USE: u16 = 1920;
    pub const GRAPH_NOT_FOUND: u16 = 1924;
    pub const GRAPH_DUPLICATE: u16 = 1925;
    pub const GRAPH_VERTEX_COLLECTION_MISSING: u16 = 1926;
    pub const GRAPH_NOT_IN_ORPHANS: u16 = 1928;
    pub const GRAPH_COLLECTION_USED_IN_EDGE_DEFINITION: u16 = 1929;
    pub const GRAPH_EDGE_COLLECTION_NOT_USED: u16 = 1930;
    pub const GRAPH_MISSING_NAME: u16 = 1934;
    pub const GRAPH_COLLECTION_USED_IN_ORPHANS: u16 = 1938;
    pub const GRAPH_REFERENCED_VERTEX_MISSING: u16 = 1947;
}

/// The HTTP status that the real server answers with for an error number.
///
/// 1200 maps to 409; the document API answers 412 for a failed precondition and says so itself.
pub fn http_status(number: u16) -> u16 {
    match number {
        11 => 403,
        401 => 401,
        404 => 404,
        405 => 405,
        413 => 413,
        9 | 1470 => 501,
        10 | 17 | 400 | 600 => 400,
        21 | 1500 | 1654 => 410,
        30 | 503 | 1477 | 1478 => 503,
        32 | 1650 => 500,
        1004 => 403,
        1200 | 1207 | 1210 => 409,
        1202 | 1203 | 1212 | 1228 => 404,
        1204..=1206 | 1208 | 1213..=1218 | 1220..=1222 | 1224..=1227 | 1229..=1233 => 400,
        1501..=1520 | 1521..=1569 | 1572..=1581 | 1584 | 1593..=1595 => 400,
        1570 | 1571 | 1582 | 1591 | 1600 => 404,
        1601 => 409,
        1620 | 1621 => 400,
        1651..=1653 => 400,
        1655 => 404,
        1700 | 1701 => 400,
        1702 => 409,
        1703 => 404,
        1920..=1923 | 1927..=1929 | 1934..=1947 => 400,
        1924 | 1926 | 1930 => 404,
        1925 => 409,
        _ => 500,
    }
}

impl ArangoError {
    /// An error with the HTTP status that its number maps to.
    pub fn new(number: u16, message: impl Into<String>) -> Self {
        ArangoError {
            number,
            http: http_status(number),
            message: message.into(),
        }
    }

    /// The same error with another HTTP status, for the few places where one number has two.
    #[must_use]
    pub fn with_http(mut self, http: u16) -> Self {
        self.http = http;
        self
    }

    /// 400/10: a parameter of the request is missing or out of range.
    pub fn bad_parameter(message: impl Into<String>) -> Self {
        Self::new(number::BAD_PARAMETER, message)
    }

    /// 400/400: the request itself is malformed.
    pub fn bad_request(message: impl Into<String>) -> Self {
        Self::new(number::HTTP_BAD_PARAMETER, message)
    }

    /// 501/9: the embedded server does not have this.
    pub fn not_implemented(what: impl fmt::Display) -> Self {
        Self::new(
            number::NOT_IMPLEMENTED,
            format!("{what} is not implemented by the embedded server"),
        )
    }

    /// 403/11: the user may not see this.
    pub fn forbidden() -> Self {
        Self::new(number::FORBIDDEN, "forbidden")
    }

    /// 403/1004: the user may read this and not write it.
    pub fn read_only() -> Self {
        Self::new(number::READ_ONLY, "read only")
    }

    /// 404/1202.
    pub fn document_not_found() -> Self {
        Self::new(number::DOCUMENT_NOT_FOUND, "document not found")
    }

    /// 404/1203, in the wording of 3.12.10.
    pub fn data_source_not_found(name: &str) -> Self {
        Self::new(
            number::DATA_SOURCE_NOT_FOUND,
            format!("collection or view not found: {name}"),
        )
    }

    /// 400/1652: a collection that the transaction did not declare, or declared for less.
    pub fn unregistered_collection(name: &str, mode: &str) -> Self {
        Self::new(
            number::TRANSACTION_UNREGISTERED_COLLECTION,
            format!("unregistered collection used in transaction: {name} [{mode}]"),
        )
    }

    /// 410/1500: the query was killed, by a request or because its time ran out.
    pub fn query_killed() -> Self {
        Self::new(number::QUERY_KILLED, "query killed")
    }

    /// 500/4: a fault of this server.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(number::INTERNAL, message)
    }
}

impl fmt::Display for ArangoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} (errorNum {}, HTTP {})",
            self.message, self.number, self.http
        )
    }
}

impl std::error::Error for ArangoError {}

#[cfg(test)]
mod tests {
    use super::{ArangoError, http_status};

    #[test]
    fn a_number_has_the_status_that_the_real_server_answers_with() {
        for (number, http) in [
            (1203, 404),
            (1202, 404),
            (1210, 409),
            (1501, 400),
            (1502, 400),
            (1551, 400),
            (1600, 404),
            (1601, 409),
            (32, 500),
            (1500, 410),
            (1652, 400),
            (1653, 400),
            (1654, 410),
            (1655, 404),
            (1004, 403),
            (11, 403),
            (1928, 400),
            (1228, 404),
            (600, 400),
            (1650, 500),
            (9, 501),
        ] {
            assert_eq!(http_status(number), http, "{number}");
        }
    }

    #[test]
    fn the_sentence_about_an_undeclared_collection_names_it_and_the_mode() {
        let error = ArangoError::unregistered_collection("orders", "write");
        assert_eq!(
            error.message,
            "unregistered collection used in transaction: orders [write]"
        );
        assert_eq!((error.number, error.http), (1652, 400));
    }
}
