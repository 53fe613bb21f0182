//! What a sandbox cannot bound by itself: time, bytes, calls, tokens, and how much of each one tenant may have at once.
//!
//! Every number has a default, and every default is applied: the tests in `tests/limits.rs` exceed them one by one.

mod budget;
mod deadline;
mod memory;

pub(crate) use budget::{CallBudget, Ledger, Refusal};
pub(crate) use deadline::Deadline;
pub(crate) use memory::MemoryLimiter;

use std::time::Duration;

use serde::Deserialize;

/// The limits of one tenant. The names are those of the table `limits` in `querent.toml`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// A whole call into the component, in milliseconds; when it is over, the instance is dropped. 180,000.
    ///
    /// Two seconds before (a quarter of the time, where that is less), capabilities begin to answer `timeout`, so that a
    /// component can release what it holds: four `DELETE` requests still pass.
    pub call_timeout_ms: u64,
    /// One request to a server, in milliseconds. 35,000: above the 30 seconds that a query may run.
    pub http_timeout_ms: u64,
    /// One request to a model, in milliseconds. 60,000.
    pub model_timeout_ms: u64,
    /// How long a call waits for its turn, in milliseconds, before it fails as `host-busy`. 10,000.
    pub queue_timeout_ms: u64,
    /// How long a reflected schema is kept, in milliseconds. 600,000; 0 keeps none.
    pub prepared_ttl_ms: u64,
    /// Linear memory of one instance, in bytes. 128 MiB.
    pub memory_bytes: usize,
    /// The body of one request to a server, in bytes. 4 MiB.
    pub request_bytes: u64,
    /// The body of one response, in bytes, counted while it arrives. 16 MiB.
    pub response_bytes: u64,
    /// The bodies of all responses of one call, in bytes. 256 MiB.
    pub call_response_bytes: u64,
    /// Requests to servers in one call. 10,000.
    pub http_calls: u32,
    /// Requests to the model in one call. 40.
    pub model_calls: u32,
    /// Tokens of all model requests of one call, input and output. 400,000.
    pub model_tokens: u64,
    /// Output tokens of one model request. 4,096.
    pub output_tokens: u32,
    /// All messages of one model request, in bytes. 1 MiB.
    pub prompt_bytes: u64,
    /// Calls of the tenant that run at the same time. 8.
    pub concurrent_calls: u32,
    /// Model requests of the tenant that run at the same time. 4. Counted apart from calls, so that neither can block the other.
    pub concurrent_model_calls: u32,
    /// Server requests of the tenant that run at the same time. 32.
    pub concurrent_http_calls: u32,
    /// Purposes of model requests that are refused as `denied`. None. With `write-answer`, rows never reach a model: answers in
    /// words are not made, and say so. The component names the purpose, so this binds one that is trusted to name it.
    pub refused_purposes: Vec<String>,
    /// Model requests of the tenant, over the life of the host. Unlimited where absent.
    pub tenant_model_calls: Option<u64>,
    /// Tokens of the tenant, over the life of the host. Unlimited where absent.
    pub tenant_model_tokens: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        const MIB: u64 = 1 << 20;
        Self {
            call_timeout_ms: 180_000,
            http_timeout_ms: 35_000,
            model_timeout_ms: 60_000,
            queue_timeout_ms: 10_000,
            prepared_ttl_ms: 600_000,
            memory_bytes: 128 << 20,
            request_bytes: 4 * MIB,
            response_bytes: 16 * MIB,
            call_response_bytes: 256 * MIB,
            http_calls: 10_000,
            model_calls: 40,
            model_tokens: 400_000,
            output_tokens: 4_096,
            prompt_bytes: MIB,
            concurrent_calls: 8,
            concurrent_model_calls: 4,
            concurrent_http_calls: 32,
            refused_purposes: Vec::new(),
            tenant_model_calls: None,
            tenant_model_tokens: None,
        }
    }
}

impl Limits {
    /// The first limit with which no call could succeed, and the least that it may be.
    pub(crate) fn too_small(&self) -> Option<(&'static str, u64)> {
        // The component begins with less than 2 MiB of memory, half of it its stack.
        const LEAST_MEMORY: u64 = 2 << 20;
        let memory = u64::try_from(self.memory_bytes).unwrap_or(u64::MAX);
        [
            ("call_timeout_ms", self.call_timeout_ms, 1),
            ("http_timeout_ms", self.http_timeout_ms, 1),
            ("model_timeout_ms", self.model_timeout_ms, 1),
            ("memory_bytes", memory, LEAST_MEMORY),
            ("request_bytes", self.request_bytes, 1),
            ("response_bytes", self.response_bytes, 1),
            ("concurrent_calls", self.concurrent_calls.into(), 1),
            (
                "concurrent_http_calls",
                self.concurrent_http_calls.into(),
                1,
            ),
        ]
        .into_iter()
        .find(|(_, value, least)| value < least)
        .map(|(key, _, least)| (key, least))
    }

    pub(crate) fn call_timeout(&self) -> Duration {
        Duration::from_millis(self.call_timeout_ms)
    }

    pub(crate) fn http_timeout(&self) -> Duration {
        Duration::from_millis(self.http_timeout_ms)
    }

    pub(crate) fn model_timeout(&self) -> Duration {
        Duration::from_millis(self.model_timeout_ms)
    }

    pub(crate) fn queue_timeout(&self) -> Duration {
        Duration::from_millis(self.queue_timeout_ms)
    }

    pub(crate) fn prepared_ttl(&self) -> Duration {
        Duration::from_millis(self.prepared_ttl_ms)
    }
}
