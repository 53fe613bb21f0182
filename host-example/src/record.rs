//! One line for each use of a capability: who, which component, what, how it ended.
//!
//! Lines go to `tracing` under the target `querent::audit`, and to an [`Observer`] where one is set. They carry no body, no
//! message, no header.

use std::sync::Arc;
use std::time::Duration;

use crate::error::printable;

/// The longest subject of a line, in bytes; a path longer than this is cut, visibly.
const SUBJECT_BYTES: usize = 512;

/// One use of a capability, allowed or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostCall {
    /// Whose call it was.
    pub tenant: Arc<str>,
    /// The component, by the first digits of its digest.
    pub component: Arc<str>,
    /// `http-fetch` or `llm-complete`.
    pub capability: &'static str,
    /// Endpoint, method and path, or the purpose of a model call.
    pub subject: String,
    /// The HTTP status, where a server answered.
    pub status: Option<u16>,
    /// Bytes of the request's body, or of all messages.
    pub sent_bytes: u64,
    /// Bytes of the response's body, or of the model's text.
    pub received_bytes: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// How it was decided, and how it ended.
    pub decision: Decision,
}

/// What became of a use of a capability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// The host let it pass, and an answer came.
    Answered,
    /// The host let it pass, and it failed: the kind of the error, as the contract names it.
    Failed(&'static str),
    /// The host refused it: the kind of the error, as the contract names it.
    Refused(&'static str),
}

/// Sees each use of a capability, for metrics, for tests, for a log of one's own.
pub trait Observer: Send + Sync {
    /// Called once, after the use has ended. It must not block.
    fn host_call(&self, call: &HostCall);
}

impl HostCall {
    pub(crate) fn log(&self) {
        let (decision, reason) = match self.decision {
            Decision::Answered => ("answered", ""),
            Decision::Failed(kind) => ("failed", kind),
            Decision::Refused(kind) => ("refused", kind),
        };
        tracing::info!(
            target: "querent::audit",
            tenant = %self.tenant,
            component = %self.component,
            capability = self.capability,
            subject = %self.subject,
            status = self.status,
            sent_bytes = self.sent_bytes,
            received_bytes = self.received_bytes,
            elapsed_ms = u64::try_from(self.elapsed.as_millis()).unwrap_or(u64::MAX),
            decision,
            reason,
        );
    }
}

/// A subject fit for a log line.
pub(crate) fn subject(text: &str) -> String {
    let text = printable(text).replace('\n', "\\n");
    match text.char_indices().nth(SUBJECT_BYTES) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text,
    }
}
