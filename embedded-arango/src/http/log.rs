//! The requests that a server received, so that a test can say which ones were made.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// How many requests are kept; older ones go.
const KEPT: usize = 10_000;

/// How much of a body is kept, in bytes.
const MAX_BODY: usize = 1 << 20;

/// One request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logged {
    /// The method.
    pub method: String,
    /// The database of the prefix, `_system` without one.
    pub database: String,
    /// The path without prefix and parameters, as it was sent.
    pub path: String,
    /// The parameters as they were sent.
    pub query: String,
    /// The body as text, at most its first MiB.
    pub body: String,
    /// The stream transaction that the request named.
    pub transaction: Option<String>,
    /// The status of the answer; nothing before there is one, and where a fault withheld it.
    pub status: Option<u16>,
}

impl Logged {
    /// What is kept of a body.
    pub(crate) fn kept(body: &[u8]) -> String {
        String::from_utf8_lossy(body.get(..MAX_BODY).unwrap_or(body)).into_owned()
    }
}

/// The log of one server.
#[derive(Default)]
pub(crate) struct RequestLog {
    entries: Mutex<Entries>,
}

impl fmt::Debug for RequestLog {
    /// Without the requests: their bodies may hold passwords.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RequestLog")
    }
}

#[derive(Default)]
struct Entries {
    /// How many entries have gone.
    dropped: usize,
    kept: VecDeque<Logged>,
}

impl RequestLog {
    /// Adds a request, and gives the ticket for [`RequestLog::answered`].
    pub(crate) fn received(&self, request: Logged) -> usize {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.kept.len() >= KEPT {
            entries.kept.pop_front();
            entries.dropped += 1;
        }
        entries.kept.push_back(request);
        entries.dropped + entries.kept.len() - 1
    }

    /// Notes the status of the answer.
    pub(crate) fn answered(&self, ticket: usize, status: u16) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let at = ticket.checked_sub(entries.dropped);
        if let Some(entry) = at.and_then(|at| entries.kept.get_mut(at)) {
            entry.status = Some(status);
        }
    }

    /// All requests that are kept, the oldest first.
    pub(crate) fn all(&self) -> Vec<Logged> {
        self.entries
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .kept
            .iter()
            .cloned()
            .collect()
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.dropped += entries.kept.len();
        entries.kept.clear();
    }
}
