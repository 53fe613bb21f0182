//! An error of the server's own: whose fault it is, and whether a better query mends it.
//!
//! The server answers with a status and a number; the number says more. [`NUMBERS`] maps the numbers that matter, in one
//! place; a number that is not there is judged by its status.

use crate::ask::{Error, ErrorKind};
use crate::find::holds;
use crate::json::Value;

use super::clean;

/// An error that the server reported in its own form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseError {
    /// The HTTP status.
    pub status: u16,
    /// The server's error number. Absent where the response has none, as from a proxy before it.
    pub number: Option<u32>,
    /// The server's message, on one line and at most 600 characters.
    pub message: String,
    /// When the server asks to come again, in milliseconds from now: the header `retry-after` in seconds.
    pub retry_after_ms: Option<u32>,
}

/// Whether a better query mends an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repair {
    /// No query does: permissions, load, a fault of the server's.
    No,
    /// A narrower one may, which is worth one try: time and memory.
    Once,
    /// Another one does: syntax, names, types.
    Yes,
}

use ErrorKind::{
    Configuration, DatabaseError as Failed, DatabaseUnauthorized as Unauthorized,
    DatabaseUnreachable as Unreachable, Internal, LimitExceeded, QueryRefused, Timeout,
};

/// First number, last number, kind, whether a later call may succeed, whether a better query mends it.
type Row = (u32, u32, ErrorKind, bool, Repair);

/// The first row that holds a number counts.
const NUMBERS: &[Row] = &[
    (9, 9, Failed, false, Repair::Yes),             // not implemented
    (10, 10, Failed, false, Repair::Yes),           // bad parameter
    (11, 11, Unauthorized, false, Repair::No),      // forbidden
    (17, 17, Failed, false, Repair::Yes),           // type error
    (18, 18, Failed, true, Repair::No),             // lock timeout
    (21, 21, Failed, true, Repair::No),             // request cancelled
    (28, 29, Failed, true, Repair::No),             // locked, deadlock
    (30, 30, Unreachable, true, Repair::No),        // shutting down
    (32, 32, LimitExceeded, false, Repair::Once),   // memory limit
    (400, 400, Failed, false, Repair::No),          // bad request
    (404, 404, Configuration, false, Repair::No),   // unknown path
    (600, 600, Internal, false, Repair::No),        // we sent what is not JSON
    (1004, 1004, Unauthorized, false, Repair::No),  // read only
    (1200, 1200, Failed, true, Repair::No),         // write conflict
    (1203, 1203, Failed, false, Repair::Yes),       // collection or view not found
    (1228, 1228, Configuration, false, Repair::No), // database not found
    (1470, 1470, Failed, false, Repair::Yes),       // not supported in a cluster
    (1477, 1478, Unreachable, true, Repair::No),    // cluster unavailable
    (1500, 1500, Timeout, false, Repair::Once),     // killed, run time exceeded
    (1555, 1555, Failed, true, Repair::No),         // vector index not ready
    (1591, 1591, Failed, false, Repair::No),        // query id not found
    (1501, 1595, Failed, false, Repair::Yes),       // the query itself
    (1600, 1601, Failed, true, Repair::No),         // cursor not found, busy
    (1652, 1652, QueryRefused, false, Repair::Yes), // collection not declared
    (1650, 1655, Failed, true, Repair::No),         // the transaction was lost
    (1920, 1949, Failed, false, Repair::Yes),       // graphs
    (21001, 21005, Unreachable, true, Repair::No),  // queue full
];

impl DatabaseError {
    /// Whether a better query mends the error.
    pub fn repair(&self) -> Repair {
        self.row().2
    }

    /// Whether the query and this message should go back to the model. Time and memory are worth one such try
    /// ([`Repair::Once`]).
    pub fn is_repairable(&self) -> bool {
        self.repair() != Repair::No
    }

    /// Whether the server refused for want of a permission.
    pub fn is_forbidden(&self) -> bool {
        self.row().0 == Unauthorized
    }

    /// The error as a caller sees it, its code `arango-` and the number.
    pub fn to_error(&self) -> Box<Error> {
        let (kind, retryable, _) = self.row();
        let message = if self.message.is_empty() {
            "no message"
        } else {
            &self.message
        };
        let (code, named) = match self.number {
            Some(number) => (format!("arango-{number}"), format!("error {number}")),
            None => (
                format!("arango-http-{}", self.status),
                format!("status {}", self.status),
            ),
        };
        let advice = match (kind, self.number) {
            (Unauthorized, _) if self.status == 401 => {
                "; check user and password or token in the host's configuration"
            }
            (Unauthorized, Some(1004)) => "; the database user may only read",
            (Unauthorized, _) => "; grant the database user read access, or leave it out",
            (Configuration, Some(1228)) => "; check the database's name in the configuration",
            (Timeout, _) => "; ask for less, or raise `limits.query_runtime_ms`",
            // The same number stands for every resource of the server's: variables, nodes, memory.
            (LimitExceeded, _) if holds(message, "memory") => {
                "; ask for less, or raise `limits.query_memory_bytes`"
            }
            (LimitExceeded, _) => "; write a smaller query",
            _ => "",
        };
        let mut error = Error::new(
            kind,
            code,
            format!("the database answered: {message} ({named}){advice}"),
        );
        error.retryable = retryable;
        error.retry_after_ms = self.retry_after_ms;
        error
    }

    /// The error of a response that is not a success. `body` may be anything.
    pub(super) fn from_response(status: u16, body: &[u8]) -> DatabaseError {
        let text = core::str::from_utf8(body).unwrap_or_default();
        let read = Value::parse(text).unwrap_or(Value::Null);
        let number = read
            .get("errorNum")
            .and_then(Value::whole)
            .and_then(|number| u32::try_from(number).ok())
            .filter(|number| *number > 0);
        let message = read.text_of("errorMessage").unwrap_or_default();
        let message = clean(message.trim());
        DatabaseError {
            status,
            number,
            message,
            retry_after_ms: None,
        }
    }

    /// Kind, retryable, repair.
    fn row(&self) -> (ErrorKind, bool, Repair) {
        let known = self.number.and_then(|number| {
            NUMBERS
                .iter()
                .find(|(first, last, ..)| (*first..=*last).contains(&number))
        });
        if let Some((_, _, kind, retryable, repair)) = known {
            return (*kind, *retryable, *repair);
        }
        let (kind, retryable) = match self.status {
            401 | 403 | 407 => (Unauthorized, false),
            408 | 504 => (Timeout, true),
            429 | 502 | 503 => (Unreachable, true),
            // Nothing that ArangoDB says without a number of its own: something else stands there.
            404 | 405 if self.number.is_none() => (Unreachable, false),
            _ => (Failed, false),
        };
        (kind, retryable, Repair::No)
    }
}
