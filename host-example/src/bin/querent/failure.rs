//! Why a command gave no result, and which exit code that is.

use host_example::CallError;
use host_example::audit::AuditError;
use host_example::component::LoadError;
use host_example::config::{ConfigError, SetupError};
use host_example::eval::{QuestionsError, RecordsError};
use host_example::types::ErrorKind;

use crate::exit;
use crate::output::record;

/// What a command can fail with.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error(transparent)]
    Call(#[from] CallError),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error(transparent)]
    Refused(#[from] LoadError),
    #[error("{0}")]
    Tenant(String),
    #[error("`{path}` cannot be read: {reason}")]
    Unreadable { path: String, reason: String },
    #[error("`{path}` cannot be written: {reason}")]
    Unwritable { path: String, reason: String },
    /// A check of the doctor's; the code is the shell's.
    #[error("{sentence}")]
    Examined { code: u8, sentence: String },
    #[error(transparent)]
    Records(#[from] RecordsError),
    #[error("`{path}` cannot be evaluated: {reason}")]
    Questions {
        path: String,
        reason: QuestionsError,
    },
    #[error(
        "no model is configured: `--model openai:NAME` with QUERENT_API_KEY, `--model scripted:FILE`, or `--model exchange:DIR`"
    )]
    NoModel,
    #[error("no question could be judged; of the first: {0}")]
    Unjudged(String),
    #[error("{right} of {questions} answers are right, and at least {least} % were asked for")]
    Below {
        right: usize,
        questions: usize,
        least: f64,
    },
    #[error("the embedded server: {0}")]
    Embedded(String),
    #[error("the result cannot be printed: {0}")]
    Print(#[from] std::io::Error),
    #[error("a part of the program stopped: {0}")]
    Stopped(#[from] tokio::task::JoinError),
    #[error("what the component returned is not JSON: {0}")]
    NotJson(#[from] serde_json::Error),
}

impl From<AuditError> for Failure {
    fn from(error: AuditError) -> Self {
        Self::Refused(error.into())
    }
}

impl Failure {
    /// The code for the shell.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Call(error) => exit::code(error.kind()),
            Self::Refused(_) | Self::Setup(SetupError::Load(_)) => exit::code(ErrorKind::Denied),
            Self::Config(_)
            | Self::Setup(_)
            | Self::Tenant(_)
            | Self::Records(_)
            | Self::Questions { .. }
            | Self::NoModel
            | Self::Unreadable { .. }
            | Self::Unwritable { .. } => exit::code(ErrorKind::Configuration),
            Self::Examined { code, .. } => *code,
            Self::Below { .. } => exit::BELOW,
            Self::Embedded(_) | Self::Print(_) | Self::Unjudged(_) => exit::OTHER,
            Self::Stopped(_) | Self::NotJson(_) => exit::code(ErrorKind::Internal),
        }
    }

    /// Whether the doctor would find out more: the database was not reached, or let nobody in.
    pub(crate) fn is_worth_an_examination(&self) -> bool {
        matches!(self, Self::Call(error) if matches!(
            error.kind(),
            ErrorKind::DatabaseUnreachable | ErrorKind::DatabaseUnauthorized
        ))
    }

    /// The record for a program: the call's own, or one of the same form. None where a record was printed already: an audit
    /// says itself that its component is refused.
    pub(crate) fn json(&self) -> Option<String> {
        let (kind, code) = match (self, self.exit_code()) {
            (Self::Call(error), _) => return Some(record::error(error)),
            (Self::Refused(_), _) => return None,
            (_, 3) => (ErrorKind::Configuration, "host-configuration"),
            (_, 5) => (ErrorKind::Denied, "host-component"),
            (_, 14) => (ErrorKind::Internal, "host-internal"),
            _ => (ErrorKind::Other, "host-other"),
        };
        Some(record::failure(kind, code, &self.to_string()))
    }
}
