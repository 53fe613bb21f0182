//! The one error of a call, wherever it arose: in the component, or in the host around it.

use std::fmt;

use crate::types::{Error, ErrorKind, Usage};

/// The most text of an error that leaves the host. A guest's words are shown to people and to models, so they are bounded.
const MESSAGE_BYTES: usize = 4_096;

/// Who made an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// The component answered with it.
    Component,
    /// The host stopped or refused the call; the code begins with `host-`.
    Host,
}

/// Why a call gave no answer. Kind, code and sentence have one form, whoever made it.
///
/// | code of the host's own | kind | when |
/// |---|---|---|
/// | `host-timeout` | `timeout` | the whole call took too long, and the instance was dropped |
/// | `host-busy` | `limit-exceeded` | too many calls of the tenant, or of all tenants, were running |
/// | `host-memory` | `limit-exceeded` | the component wanted more memory than it may have |
/// | `host-trap` | `internal` | the component stopped |
/// | `host-instantiate` | `internal` | no instance could be made |
/// | `host-tenant` | `configuration` | no tenant has this name |
#[derive(Clone, PartialEq)]
pub struct CallError {
    record: Box<Error>,
    origin: Origin,
}

impl CallError {
    /// Takes a component's error over, with its message made safe to print.
    #[must_use]
    pub fn from_component(mut record: Error) -> Self {
        record.message = printable(&record.message);
        Self {
            record: Box::new(record),
            origin: Origin::Component,
        }
    }

    pub(crate) fn host(kind: ErrorKind, code: &str, message: impl Into<String>) -> Self {
        let record = Error {
            kind,
            code: code.to_owned(),
            message: printable(&message.into()),
            attempts: Vec::new(),
            usage: Usage {
                llm_calls: 0,
                input_tokens: 0,
                output_tokens: 0,
                http_calls: 0,
                rows_read: 0,
                bytes_read: 0,
                elapsed_ms: None,
            },
            retryable: matches!(kind, ErrorKind::Timeout | ErrorKind::LimitExceeded)
                && code != "host-memory",
            retry_after_ms: None,
            details: Vec::new(),
        };
        Self {
            record: Box::new(record),
            origin: Origin::Host,
        }
    }

    /// Whose fault it was.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.record.kind
    }

    /// The stable text for programs.
    #[must_use]
    pub fn code(&self) -> &str {
        &self.record.code
    }

    /// The sentence for a person.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.record.message
    }

    /// Who made it.
    #[must_use]
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// The whole record: attempts, usage, whether to try again.
    #[must_use]
    pub fn record(&self) -> &Error {
        &self.record
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (`{}`)", self.record.message, self.record.code)
    }
}

impl fmt::Debug for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallError")
            .field("origin", &self.origin)
            .field("kind", &self.record.kind)
            .field("code", &self.record.code)
            .field("message", &self.record.message)
            .finish_non_exhaustive()
    }
}

impl std::error::Error for CallError {}

/// Text from a guest or a server, safe for a terminal and a log: bounded, and without control characters but for line ends.
pub(crate) fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(MESSAGE_BYTES));
    for character in text.chars() {
        if out.len() + character.len_utf8() > MESSAGE_BYTES {
            out.push('…');
            break;
        }
        match character {
            '\n' | '\t' => out.push(character),
            other if other.is_control() => out.extend(other.escape_default()),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guest_cannot_move_the_cursor_or_flood_the_log() {
        assert_eq!(printable("a\u{1b}[2Jb\r\nc"), "a\\u{1b}[2Jb\\r\nc");
        assert_eq!(
            printable(&"x".repeat(10_000)).chars().count(),
            MESSAGE_BYTES + 1
        );
    }

    #[test]
    fn an_error_reads_as_a_sentence_and_its_code() {
        let error = CallError::host(
            ErrorKind::Timeout,
            "host-timeout",
            "the call took longer than 180000 ms",
        );
        assert_eq!(
            error.to_string(),
            "the call took longer than 180000 ms (`host-timeout`)"
        );
        assert!(error.record().retryable);
    }
}
