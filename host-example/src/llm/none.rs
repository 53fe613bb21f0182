//! No model at all: what a host has whose configuration names none. Schema, `read` and `execute` work without one.

use std::time::Duration;

use super::{Model, error};
use crate::BoxFuture;
use crate::types::llm::{Completion, Error, ErrorKind, Request};

/// Answers each prompt with an error that says how to name a model.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoModel;

impl Model for NoModel {
    fn name(&self) -> String {
        "none".to_owned()
    }

    fn complete(
        &self,
        _request: Request,
        _timeout: Duration,
    ) -> BoxFuture<'_, Result<Completion, Error>> {
        let message = "no model is configured: set `QUERENT_MODEL` to `openai:NAME`, `anthropic:NAME`, `scripted:FILE` or `exchange:DIR`, \
                       or `name` in `[model]`";
        Box::pin(std::future::ready(Err(error(
            ErrorKind::Unavailable,
            "no-model",
            message,
        ))))
    }
}
