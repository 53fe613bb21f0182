//! The records of the contract, as `wit/` defines and documents them.
//!
//! [`llm`] and [`http`] are what a component asks of its host; the rest is what a caller asks of a component.

pub use crate::bindings::exports::querent::ask::aql::{AqlAnswer, AqlReply, AqlRequest};
pub use crate::bindings::exports::querent::ask::ask::{
    Answer, Attempt, Configured, Error, ErrorKind, Notice, Outcome, Outputs, QuestionKind,
    QuestionRequest, Turn, Usage,
};
pub use crate::bindings::exports::querent::ask::tools::Definition;

/// `querent:host/llm-complete`: one call to a language model.
pub mod llm {
    pub use crate::bindings::querent::host::llm_complete::{
        Completion, Error, ErrorKind, Finish, Message, Request, Role, Usage,
    };
}

/// `querent:host/http-fetch`: one call to a server that the host has bound by name.
pub mod http {
    pub use crate::bindings::querent::host::http_fetch::{
        Error, ErrorKind, Method, Request, Response,
    };
}

impl Default for QuestionRequest {
    /// An empty question of the kind `ask` that wants every output but prose.
    fn default() -> Self {
        Self {
            kind: QuestionKind::Ask,
            text: String::new(),
            bind_vars: None,
            limit: None,
            history: Vec::new(),
            outputs: Outputs::ROWS | Outputs::TABLE | Outputs::TEXT | Outputs::ANSWERS,
            options: Vec::new(),
        }
    }
}

impl From<&str> for QuestionRequest {
    /// The text as a question of the kind `ask`.
    fn from(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            ..Self::default()
        }
    }
}

impl Default for AqlRequest {
    /// An empty question without history.
    fn default() -> Self {
        Self {
            question: String::new(),
            limit: None,
            history: Vec::new(),
            plan: false,
            options: Vec::new(),
        }
    }
}

impl From<&str> for AqlRequest {
    /// The text as a question to translate.
    fn from(question: &str) -> Self {
        Self {
            question: question.to_owned(),
            ..Self::default()
        }
    }
}
