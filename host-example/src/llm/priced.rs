//! A model with its prices beside it.

use std::sync::Arc;
use std::time::Duration;

use super::{Model, Prices};
use crate::BoxFuture;
use crate::types::llm::{Completion, Error, Request};

/// Another model, and what it costs.
pub struct Priced {
    model: Arc<dyn Model>,
    prices: Prices,
}

impl Priced {
    /// Puts prices beside a model.
    #[must_use]
    pub fn new(model: Arc<dyn Model>, prices: Prices) -> Self {
        Self { model, prices }
    }
}

impl Model for Priced {
    fn name(&self) -> String {
        self.model.name()
    }

    fn prices(&self) -> Option<Prices> {
        Some(self.prices)
    }

    fn complete(
        &self,
        request: Request,
        timeout: Duration,
    ) -> BoxFuture<'_, Result<Completion, Error>> {
        self.model.complete(request, timeout)
    }
}
