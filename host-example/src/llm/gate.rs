//! `llm-complete` as a component sees it: measured, paid for in advance, bounded and recorded, then handed to the model.

use std::time::{Duration, Instant};

use super::{error, kind_name};
use crate::bindings::querent::host::llm_complete::Host;
use crate::instance::CallState;
use crate::limits::Refusal;
use crate::record::{Decision, HostCall, subject};
use crate::types::llm::{Completion, Error, ErrorKind, Request};

/// Bytes of a token, for the estimate before a call. English text has about four; names and JSON have fewer.
const BYTES_PER_TOKEN: u64 = 3;

/// How much later than the model itself the host gives up, so that the model's own words are heard.
const GRACE: Duration = Duration::from_millis(250);

/// Tokens that a provider adds for each message.
const TOKENS_PER_MESSAGE: u64 = 8;

impl Host for CallState {
    async fn complete(&mut self, request: Request) -> Result<Completion, Error> {
        let started = Instant::now();
        let subject = subject(&request.purpose);
        let sent_bytes = prompt_bytes(&request);
        let mut passed = false;
        let outcome = self.paid(request, sent_bytes, &mut passed).await;
        let (received_bytes, decision) = match &outcome {
            Ok(completion) => (completion.text.len() as u64, Decision::Answered),
            Err(error) if passed => (0, Decision::Failed(kind_name(error.kind))),
            Err(error) => (0, Decision::Refused(kind_name(error.kind))),
        };
        self.record(HostCall {
            tenant: self.tenant.name.clone(),
            component: self.component.clone(),
            capability: "llm-complete",
            subject,
            status: None,
            sent_bytes,
            received_bytes,
            elapsed: started.elapsed(),
            decision,
        });
        outcome.map(|mut completion| {
            completion.elapsed_ms =
                Some(u32::try_from(started.elapsed().as_millis()).unwrap_or(u32::MAX));
            completion
        })
    }
}

impl CallState {
    /// Sets `passed` once the request is on its way to the model.
    async fn paid(
        &mut self,
        mut request: Request,
        prompt: u64,
        passed: &mut bool,
    ) -> Result<Completion, Error> {
        let tenant = self.tenant.clone();
        let limits = &tenant.limits;
        if limits.refused_purposes.contains(&request.purpose) {
            let message = format!(
                "the host refuses model requests for `{}` (`limits.refused_purposes`)",
                subject(&request.purpose)
            );
            return Err(error(ErrorKind::Denied, "purpose", message));
        }
        if prompt > limits.prompt_bytes {
            let message = format!(
                "the prompt has {prompt} bytes, and {} are allowed",
                limits.prompt_bytes
            );
            return Err(error(ErrorKind::TooLarge, "prompt-bytes", message));
        }
        let Some(left) = self.deadline.admit(Instant::now(), false) else {
            return Err(error(
                ErrorKind::Timeout,
                "call-deadline",
                "the call's time is over",
            ));
        };
        let output = request
            .max_output_tokens
            .unwrap_or(u32::MAX)
            .min(limits.output_tokens);
        request.max_output_tokens = Some(output);
        let tokens = prompt / BYTES_PER_TOKEN
            + TOKENS_PER_MESSAGE * request.messages.len() as u64
            + u64::from(output);
        // The tenant first: a call's own reservation ends with the call.
        let owed = tenant
            .ledger
            .reserve(limits, tokens)
            .map_err(|refusal| exceeded(&refusal))?;
        let reserved = self.budget.model(limits, tokens).map_err(|refusal| {
            tenant.ledger.settle(owed, Some(0));
            exceeded(&refusal)
        })?;

        let wished = request
            .timeout_ms
            .map_or(Duration::MAX, |ms| Duration::from_millis(ms.into()));
        let timeout = left.min(limits.model_timeout()).min(wished);
        let too_late = || {
            let message = format!("no answer from the model within {} ms", timeout.as_millis());
            error(ErrorKind::Timeout, "model-timeout", message)
        };
        let end = Instant::now() + timeout;
        let Ok(turn) = tokio::time::timeout(timeout, tenant.model_calls.acquire()).await else {
            tenant.ledger.settle(owed, Some(0));
            self.budget.settle(reserved, Some(0));
            return Err(too_late());
        };
        *passed = true;
        let timeout = end.saturating_duration_since(Instant::now());
        let outcome =
            tokio::time::timeout(timeout + GRACE, tenant.model.complete(request, timeout)).await;
        drop(turn);
        let outcome = outcome.unwrap_or_else(|_| Err(too_late()));
        // A failed request keeps its estimate: a provider may have charged for it.
        let spent = outcome
            .as_ref()
            .ok()
            .and_then(|completion| completion.usage.as_ref());
        tenant.ledger.report(
            spent.map_or(0, |usage| usage.input_tokens.into()),
            spent.map_or(0, |usage| usage.output_tokens.into()),
        );
        let spent =
            spent.map(|usage| u64::from(usage.input_tokens) + u64::from(usage.output_tokens));
        tenant.ledger.settle(owed, spent);
        self.budget.settle(reserved, spent);
        let completion = outcome?;
        if completion.text.len() as u64 > limits.response_bytes {
            let message = format!("the reply has more than {} bytes", limits.response_bytes);
            return Err(error(ErrorKind::TooLarge, "reply-bytes", message));
        }
        Ok(completion)
    }
}

fn prompt_bytes(request: &Request) -> u64 {
    let messages: usize = request
        .messages
        .iter()
        .map(|message| message.content.len())
        .sum();
    (messages + request.json_schema.as_ref().map_or(0, String::len)) as u64
}

fn exceeded(refusal: &Refusal) -> Error {
    let Refusal {
        limit,
        allowed,
        wanted,
    } = refusal;
    error(
        ErrorKind::BudgetExceeded,
        limit,
        format!("`limits.{limit}` allows {allowed}, and this request would make it {wanted}"),
    )
}
