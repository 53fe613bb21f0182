//! Language models behind `llm-complete`.
//!
//! A [`Model`] answers requests that the budgets have let pass. Three come with this crate; an embedder may bring another.

mod gate;

use std::time::Duration;

use crate::BoxFuture;
use crate::types::llm::{Completion, Error, ErrorKind, Request};

/// What answers a component's prompts.
pub trait Model: Send + Sync {
    /// The name for a person: provider and model, without a secret.
    fn name(&self) -> String;

    /// Answers one prompt within a time. The host enforces the time again.
    ///
    /// # Errors
    ///
    /// The contract's error, which the component sees as it stands: it must not contain a secret.
    fn complete(
        &self,
        request: Request,
        timeout: Duration,
    ) -> BoxFuture<'_, Result<Completion, Error>>;
}

/// An error of the contract.
pub(crate) fn error(kind: ErrorKind, code: &str, message: impl Into<String>) -> Error {
    Error {
        kind,
        code: Some(code.to_owned()),
        message: message.into(),
        retry_after_ms: None,
    }
}

/// The kind as the contract writes it.
pub(crate) fn kind_name(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Denied => "denied",
        ErrorKind::BudgetExceeded => "budget-exceeded",
        ErrorKind::RateLimited => "rate-limited",
        ErrorKind::Timeout => "timeout",
        ErrorKind::InvalidRequest => "invalid-request",
        ErrorKind::TooLarge => "too-large",
        ErrorKind::Unavailable => "unavailable",
        ErrorKind::Other => "other",
    }
}
