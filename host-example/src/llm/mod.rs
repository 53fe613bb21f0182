//! Language models behind `llm-complete`.
//!
//! A [`Model`] answers requests that the budgets have let pass. Three come with this crate; an embedder may bring another.

mod exchange;
mod gate;
mod none;
mod priced;
mod prices;
mod provider;
mod scripted;

pub use exchange::Exchange;
pub use none::NoModel;
pub use priced::Priced;
pub use prices::{Prices, money};
pub use provider::{Api, Provider};
pub use scripted::Scripted;

use std::path::PathBuf;
use std::time::Duration;

use crate::BoxFuture;
use crate::types::llm::{Completion, Error, ErrorKind, Request};

/// What answers a component's prompts.
pub trait Model: Send + Sync {
    /// The name for a person: provider and model, without a secret.
    fn name(&self) -> String;

    /// What it costs, where that is known.
    fn prices(&self) -> Option<Prices> {
        None
    }

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

/// Why a model cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelSetupError {
    /// A file or folder cannot be read or made.
    #[error("`{path}` cannot be used: {reason}")]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The system's words.
        reason: String,
    },
    /// A script has the wrong form.
    #[error("`{path}` is no script: {reason}")]
    Script {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A provider that needs a key has none.
    #[error(
        "the model `{0}` needs a key: set `QUERENT_API_KEY` (or `OPENAI_API_KEY`, `ANTHROPIC_API_KEY`), or `api_key_file` in `[model]`"
    )]
    NoKey(String),
    /// The endpoint's address cannot be used.
    #[error("`{url}` is no address of a model: {reason}")]
    BaseUrl {
        /// The address.
        url: String,
        /// What is wrong.
        reason: String,
    },
    /// TLS cannot be set up on this machine.
    #[error("no client for the model: {0}")]
    Client(String),
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
