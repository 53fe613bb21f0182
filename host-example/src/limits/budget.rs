//! Model requests and tokens, counted before they are spent: a request reserves its input, estimated, and all the output that it
//! may produce; when the reply is there, the reservation is replaced by what the provider reports.

use std::sync::{Mutex, PoisonError};

use super::Limits;

/// Which budget had no room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The name of the limit, as the configuration has it.
    pub(crate) limit: &'static str,
    pub(crate) allowed: u64,
    pub(crate) wanted: u64,
}

/// What one request has set aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reservation {
    tokens: u64,
}

/// The budget of one call.
#[derive(Debug)]
pub(crate) struct CallBudget {
    http_calls: u32,
    http_bytes: u64,
    model_calls: u32,
    model_tokens: u64,
}

impl CallBudget {
    pub(crate) fn new() -> Self {
        Self {
            http_calls: 0,
            http_bytes: 0,
            model_calls: 0,
            model_tokens: 0,
        }
    }

    /// Counts a request to a server, and says how many bytes its response may have.
    pub(crate) fn http(&mut self, limits: &Limits) -> Result<u64, Refusal> {
        if self.http_calls >= limits.http_calls {
            let (allowed, wanted) = (limits.http_calls.into(), u64::from(self.http_calls) + 1);
            return Err(Refusal {
                limit: "http_calls",
                allowed,
                wanted,
            });
        }
        self.http_calls += 1;
        Ok(limits
            .call_response_bytes
            .saturating_sub(self.http_bytes)
            .min(limits.response_bytes))
    }

    pub(crate) fn received(&mut self, bytes: u64) {
        self.http_bytes = self.http_bytes.saturating_add(bytes);
    }

    /// Counts a request to the model, and sets its tokens aside.
    pub(crate) fn model(&mut self, limits: &Limits, tokens: u64) -> Result<Reservation, Refusal> {
        if self.model_calls >= limits.model_calls {
            let (allowed, wanted) = (limits.model_calls.into(), u64::from(self.model_calls) + 1);
            return Err(Refusal {
                limit: "model_calls",
                allowed,
                wanted,
            });
        }
        let wanted = self.model_tokens.saturating_add(tokens);
        if wanted > limits.model_tokens {
            return Err(Refusal {
                limit: "model_tokens",
                allowed: limits.model_tokens,
                wanted,
            });
        }
        self.model_calls += 1;
        self.model_tokens = wanted;
        Ok(Reservation { tokens })
    }

    /// Replaces a reservation by what was spent; `None` keeps the estimate.
    pub(crate) fn settle(&mut self, reservation: Reservation, spent: Option<u64>) {
        if let Some(spent) = spent {
            self.model_tokens = self
                .model_tokens
                .saturating_sub(reservation.tokens)
                .saturating_add(spent);
        }
    }
}

/// What a tenant has spent since the host started.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    spent: Mutex<Spent>,
}

#[derive(Debug, Default)]
struct Spent {
    calls: u64,
    tokens: u64,
    reported: Reported,
}

/// What was asked of the model, and what its provider reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reported {
    pub(crate) model_calls: u64,
    pub(crate) input_tokens: u64,
    pub(crate) output_tokens: u64,
}

impl Ledger {
    pub(crate) fn reserve(&self, limits: &Limits, tokens: u64) -> Result<Reservation, Refusal> {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        let (calls, total) = (
            spent.calls.saturating_add(1),
            spent.tokens.saturating_add(tokens),
        );
        for (limit, allowed, wanted) in [
            ("tenant_model_calls", limits.tenant_model_calls, calls),
            ("tenant_model_tokens", limits.tenant_model_tokens, total),
        ] {
            if let Some(allowed) = allowed.filter(|allowed| wanted > *allowed) {
                return Err(Refusal {
                    limit,
                    allowed,
                    wanted,
                });
            }
        }
        (spent.calls, spent.tokens) = (calls, total);
        Ok(Reservation { tokens })
    }

    /// Counts a request that was sent, with the tokens that the provider reported for it.
    pub(crate) fn report(&self, input_tokens: u64, output_tokens: u64) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        let reported = &mut spent.reported;
        reported.model_calls = reported.model_calls.saturating_add(1);
        reported.input_tokens = reported.input_tokens.saturating_add(input_tokens);
        reported.output_tokens = reported.output_tokens.saturating_add(output_tokens);
    }

    /// All that was reported so far.
    pub(crate) fn reported(&self) -> Reported {
        self.spent
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .reported
    }

    pub(crate) fn settle(&self, reservation: Reservation, used: Option<u64>) {
        if let Some(used) = used {
            let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
            spent.tokens = spent
                .tokens
                .saturating_sub(reservation.tokens)
                .saturating_add(used);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> Limits {
        Limits {
            http_calls: 2,
            response_bytes: 100,
            call_response_bytes: 150,
            model_calls: 2,
            model_tokens: 1_000,
            tenant_model_calls: Some(3),
            tenant_model_tokens: Some(2_000),
            ..Limits::default()
        }
    }

    #[test]
    fn a_request_that_would_exceed_the_tokens_is_refused_before_it_is_made() {
        let mut budget = CallBudget::new();
        budget.model(&limits(), 800).unwrap();
        let refusal = budget.model(&limits(), 201).unwrap_err();
        assert_eq!(
            refusal,
            Refusal {
                limit: "model_tokens",
                allowed: 1_000,
                wanted: 1_001
            }
        );
    }

    #[test]
    fn what_was_reserved_and_not_spent_comes_back() {
        let mut budget = CallBudget::new();
        let reservation = budget.model(&limits(), 800).unwrap();
        budget.settle(reservation, Some(100));
        assert!(budget.model(&limits(), 900).is_ok());
    }

    #[test]
    fn a_provider_that_reports_nothing_costs_the_estimate() {
        let mut budget = CallBudget::new();
        let reservation = budget.model(&limits(), 800).unwrap();
        budget.settle(reservation, None);
        assert_eq!(
            budget.model(&limits(), 300).unwrap_err().limit,
            "model_tokens"
        );
    }

    #[test]
    fn the_third_model_call_of_two_is_refused() {
        let mut budget = CallBudget::new();
        budget.model(&limits(), 1).unwrap();
        budget.model(&limits(), 1).unwrap();
        assert_eq!(
            budget.model(&limits(), 1).unwrap_err(),
            Refusal {
                limit: "model_calls",
                allowed: 2,
                wanted: 3
            }
        );
    }

    #[test]
    fn a_response_may_have_what_the_call_has_left() {
        let mut budget = CallBudget::new();
        assert_eq!(budget.http(&limits()), Ok(100));
        budget.received(90);
        assert_eq!(budget.http(&limits()), Ok(60));
        assert_eq!(budget.http(&limits()).unwrap_err().limit, "http_calls");
    }

    #[test]
    fn a_tenant_is_stopped_across_calls() {
        let ledger = Ledger::default();
        let first = ledger.reserve(&limits(), 1_500).unwrap();
        assert_eq!(
            ledger.reserve(&limits(), 501).unwrap_err().limit,
            "tenant_model_tokens"
        );
        ledger.settle(first, Some(10));
        ledger.reserve(&limits(), 501).unwrap();
        ledger.reserve(&limits(), 1).unwrap();
        assert_eq!(
            ledger.reserve(&limits(), 1).unwrap_err().limit,
            "tenant_model_calls"
        );
    }
}
