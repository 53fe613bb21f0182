//! Requests that need no model.

use host_example::types::{QuestionKind, QuestionRequest};

/// A query of the caller's, through every gate.
pub fn read(query: &str) -> QuestionRequest {
    of_kind(QuestionKind::Read, query)
}

/// A query of the caller's, as it stands.
pub fn execute(query: &str) -> QuestionRequest {
    of_kind(QuestionKind::Execute, query)
}

fn of_kind(kind: QuestionKind, query: &str) -> QuestionRequest {
    QuestionRequest {
        kind,
        ..QuestionRequest::from(query)
    }
}
