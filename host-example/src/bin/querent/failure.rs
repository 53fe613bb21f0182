//! Why a command gave no result, and which exit code that is.

use host_example::CallError;
use host_example::audit::AuditError;
use host_example::component::LoadError;
use host_example::config::{ConfigError, SetupError};
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
            Self::Config(_) | Self::Setup(_) | Self::Tenant(_) | Self::Unreadable { .. } => {
                exit::code(ErrorKind::Configuration)
            }
            Self::Embedded(_) | Self::Print(_) => exit::OTHER,
            Self::Stopped(_) | Self::NotJson(_) => exit::code(ErrorKind::Internal),
        }
    }

    /// The record, where there is one.
    pub(crate) fn json(&self) -> Option<String> {
        match self {
            Self::Call(error) => Some(record::error(error)),
            _ => None,
        }
    }
}
