//! One call's way to the outside: the two ports, with the call's counters beside them.
//!
//! Everything that leaves the core passes here, so that [`Usage`] is complete on success and on failure, and so that a
//! refused or broken host call becomes an [`Error`] of the right kind in one place.

use core::cell::RefCell;

use crate::ask::{Error, ErrorKind, Result, Usage};
use crate::ports::{
    Completion, Http, HttpError, HttpErrorKind, HttpRequest, HttpResponse, Llm, LlmError,
    LlmErrorKind, LlmRequest,
};

/// The ports and counters of one call.
pub struct Outside<'a> {
    llm: &'a dyn Llm,
    http: &'a dyn Http,
    usage: RefCell<Counters>,
}

#[derive(Default)]
struct Counters {
    usage: Usage,
    elapsed_ms: u32,
    /// One host call did not say how long it took: a sum would be too small.
    elapsed_unknown: bool,
}

impl Counters {
    fn add_elapsed(&mut self, elapsed_ms: Option<u32>) {
        match elapsed_ms {
            Some(ms) => self.elapsed_ms = self.elapsed_ms.saturating_add(ms),
            None => self.elapsed_unknown = true,
        }
    }
}

impl<'a> Outside<'a> {
    /// A call's way to these ports, its counters at zero.
    pub fn new(llm: &'a dyn Llm, http: &'a dyn Http) -> Outside<'a> {
        Outside {
            llm,
            http,
            usage: RefCell::default(),
        }
    }

    /// Asks the model.
    ///
    /// # Errors
    ///
    /// `denied`, `limit-exceeded`, `timeout` or `model`, with a code that begins with `llm-`.
    pub fn complete(&self, request: &LlmRequest) -> Result<Completion> {
        let reply = self.llm.complete(request);
        let mut counters = self.usage.borrow_mut();
        counters.usage.llm_calls = counters.usage.llm_calls.saturating_add(1);
        if let Ok(completion) = &reply {
            counters.add_elapsed(completion.elapsed_ms);
            if let Some(tokens) = completion.usage {
                counters.usage.input_tokens = counters
                    .usage
                    .input_tokens
                    .saturating_add(tokens.input_tokens);
                counters.usage.output_tokens = counters
                    .usage
                    .output_tokens
                    .saturating_add(tokens.output_tokens);
            }
        }
        reply.map_err(from_llm)
    }

    /// Sends a request to an endpoint. A response of any status is `Ok`.
    ///
    /// # Errors
    ///
    /// `denied`, `limit-exceeded`, `timeout` or `database-unreachable`, with a code that begins with `http-`.
    pub fn fetch(&self, request: &HttpRequest) -> Result<HttpResponse> {
        let reply = self.http.fetch(request);
        let mut counters = self.usage.borrow_mut();
        counters.usage.http_calls = counters.usage.http_calls.saturating_add(1);
        if let Ok(response) = &reply {
            counters.add_elapsed(response.elapsed_ms);
            let bytes = u32::try_from(response.body.len()).unwrap_or(u32::MAX);
            counters.usage.bytes_read = counters.usage.bytes_read.saturating_add(bytes);
        }
        reply.map_err(from_http)
    }

    /// Counts rows taken from a cursor.
    pub fn count_rows(&self, rows: usize) {
        let rows = u32::try_from(rows).unwrap_or(u32::MAX);
        let mut counters = self.usage.borrow_mut();
        counters.usage.rows_read = counters.usage.rows_read.saturating_add(rows);
    }

    /// The counters as they stand.
    pub fn usage(&self) -> Usage {
        let counters = self.usage.borrow();
        let called = counters.usage.llm_calls > 0 || counters.usage.http_calls > 0;
        let elapsed_ms = (called && !counters.elapsed_unknown).then_some(counters.elapsed_ms);
        Usage {
            elapsed_ms,
            ..counters.usage
        }
    }
}

fn from_llm(error: LlmError) -> Box<Error> {
    let (kind, code, retryable) = match error.kind {
        LlmErrorKind::Denied => (ErrorKind::Denied, "llm-denied", false),
        LlmErrorKind::BudgetExceeded => (ErrorKind::LimitExceeded, "llm-budget-exceeded", false),
        LlmErrorKind::RateLimited => (ErrorKind::Model, "llm-rate-limited", true),
        LlmErrorKind::Timeout => (ErrorKind::Timeout, "llm-timeout", true),
        LlmErrorKind::InvalidRequest => (ErrorKind::Model, "llm-invalid-request", false),
        LlmErrorKind::TooLarge => (ErrorKind::LimitExceeded, "llm-too-large", false),
        LlmErrorKind::Unavailable => (ErrorKind::Model, "llm-unavailable", true),
        LlmErrorKind::Other => (ErrorKind::Model, "llm-failed", false),
    };
    let mut failure = Error::new(
        kind,
        code,
        format!("the model was not reached: {}", error.message),
    );
    failure.retryable = retryable;
    failure.retry_after_ms = error.retry_after_ms;
    if let Some(code) = error.code {
        failure = failure.with_detail("provider-code", crate::json::quote(&code));
    }
    failure
}

fn from_http(error: HttpError) -> Box<Error> {
    let (kind, code, retryable) = match error.kind {
        HttpErrorKind::Denied => (ErrorKind::Denied, "http-denied", false),
        HttpErrorKind::UnknownEndpoint => (ErrorKind::Denied, "http-unknown-endpoint", false),
        HttpErrorKind::Connect => (ErrorKind::DatabaseUnreachable, "http-connect", true),
        HttpErrorKind::Tls => (ErrorKind::DatabaseUnreachable, "http-tls", false),
        HttpErrorKind::Timeout => (ErrorKind::Timeout, "http-timeout", true),
        HttpErrorKind::RequestTooLarge => {
            (ErrorKind::LimitExceeded, "http-request-too-large", false)
        }
        HttpErrorKind::ResponseTooLarge => {
            (ErrorKind::LimitExceeded, "http-response-too-large", false)
        }
        HttpErrorKind::Protocol => (ErrorKind::DatabaseUnreachable, "http-protocol", true),
        HttpErrorKind::Other => (ErrorKind::DatabaseUnreachable, "http-failed", false),
    };
    let what = match error.kind {
        HttpErrorKind::ResponseTooLarge => {
            "the database's answer is too large; ask for fewer or smaller rows"
        }
        _ => "the database did not answer",
    };
    let mut failure = Error::new(kind, code, format!("{what}: {}", error.message));
    failure.retryable = retryable;
    failure
}
