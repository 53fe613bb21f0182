//! One instance: a fresh store, the state that its capabilities see, and the calls into it, each within the time of the whole.
//!
//! An instance serves one call of the host's and is dropped. It is never entered again after a trap.

use std::future::Future;
use std::sync::Arc;
use std::time::Instant;

use wasmtime::{PoolConcurrencyLimitError, Store, UpdateDeadline};

use crate::bindings::Arango;
use crate::component::Loaded;
use crate::error::CallError;
use crate::limits::{CallBudget, Deadline, MemoryLimiter};
use crate::record::HostCall;
use crate::tenant::Tenant;
use crate::types::{
    Answer, AqlAnswer, AqlRequest, Configured, Definition, Error, ErrorKind, QuestionRequest,
};

/// What a store holds.
pub(crate) struct CallState {
    pub(crate) tenant: Arc<Tenant>,
    pub(crate) component: Arc<str>,
    pub(crate) deadline: Deadline,
    pub(crate) budget: CallBudget,
    limiter: MemoryLimiter,
}

impl CallState {
    /// Writes the audit line.
    pub(crate) fn record(&self, call: HostCall) {
        call.log();
        if let Some(observer) = &self.tenant.observer {
            observer.host_call(&call);
        }
    }
}

/// A component, ready to be called once.
pub(crate) struct Instance {
    store: Store<CallState>,
    arango: Arango,
}

impl Instance {
    /// Makes an instance for a call that starts now.
    pub(crate) async fn new(loaded: &Loaded, tenant: &Arc<Tenant>) -> Result<Self, CallError> {
        let pre = loaded.pre();
        let state = CallState {
            tenant: tenant.clone(),
            component: loaded.audit().digest.short().into(),
            deadline: Deadline::starting(Instant::now(), tenant.limits.call_timeout()),
            budget: CallBudget::new(),
            limiter: MemoryLimiter::new(tenant.name.clone(), tenant.limits.memory_bytes),
        };
        let mut store = Store::new(pre.engine(), state);
        store.limiter(|state| &mut state.limiter);
        // What is lifted out of the guest in one go, a request of its or its answer, lies in its memory first.
        store.set_hostcall_fuel(tenant.limits.memory_bytes);
        // Each tick the guest yields, so that a loop can neither hold a thread nor outlive the wall-clock timeout around it.
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(|_| Ok(UpdateDeadline::Yield(1)));
        let arango = pre
            .instantiate_async(&mut store)
            .await
            .map_err(|error| not_made(&error))?;
        Ok(Self { store, arango })
    }

    #[allow(
        clippy::ptr_arg,
        reason = "the generated calls take an aliased `String`"
    )]
    pub(crate) async fn configure(
        &mut self,
        settings: &String,
        prepared: Option<&String>,
    ) -> Result<Configured, CallError> {
        let end = self.store.data().deadline.hard();
        let call =
            self.arango
                .querent_ask_ask()
                .call_configure(&mut self.store, settings, prepared);
        let outcome = within(end, call).await;
        self.outcome(outcome)
    }

    pub(crate) async fn question(
        &mut self,
        request: &QuestionRequest,
    ) -> Result<Answer, CallError> {
        let end = self.store.data().deadline.hard();
        let outcome = within(
            end,
            self.arango
                .querent_ask_ask()
                .call_question(&mut self.store, request),
        )
        .await;
        self.outcome(outcome)
    }

    pub(crate) async fn schema(&mut self, collection: Option<&str>) -> Result<String, CallError> {
        let end = self.store.data().deadline.hard();
        let outcome = within(
            end,
            self.arango
                .querent_ask_ask()
                .call_schema(&mut self.store, collection),
        )
        .await;
        self.outcome(outcome)
    }

    pub(crate) async fn aql(&mut self, request: &AqlRequest) -> Result<AqlAnswer, CallError> {
        let end = self.store.data().deadline.hard();
        let outcome = within(
            end,
            self.arango
                .querent_ask_aql()
                .call_aql(&mut self.store, request),
        )
        .await;
        self.outcome(outcome)
    }

    #[allow(
        clippy::ptr_arg,
        reason = "the generated calls take an aliased `String`"
    )]
    pub(crate) async fn invoke(
        &mut self,
        name: &str,
        arguments: &String,
    ) -> Result<String, CallError> {
        let end = self.store.data().deadline.hard();
        let call = self
            .arango
            .querent_ask_tools()
            .call_invoke(&mut self.store, name, arguments);
        let outcome = within(end, call).await;
        self.outcome(outcome)
    }

    pub(crate) async fn definitions(&mut self) -> Result<Vec<Definition>, CallError> {
        let end = self.store.data().deadline.hard();
        let call = self
            .arango
            .querent_ask_tools()
            .call_definitions(&mut self.store);
        let outcome = within(end, async { call.await.map(Ok) }).await;
        self.outcome(outcome)
    }

    /// The host's view of how a call ended.
    fn outcome<T>(
        &self,
        outcome: Option<wasmtime::Result<Result<T, Error>>>,
    ) -> Result<T, CallError> {
        let state = self.store.data();
        tracing::debug!(
            tenant = %state.tenant.name, memory_bytes = state.limiter.high_water(), finished = outcome.is_some(),
            "a call into the component ended"
        );
        let trap = match outcome {
            Some(Ok(answer)) => return answer.map_err(CallError::from_component),
            Some(Err(trap)) => trap,
            None => {
                let message = format!(
                    "the call took longer than {} ms, and was stopped",
                    state.tenant.limits.call_timeout_ms
                );
                return Err(CallError::host(ErrorKind::Timeout, "host-timeout", message));
            }
        };
        if state.limiter.refused() {
            let message = format!(
                "the component wanted more than {} bytes of memory",
                state.tenant.limits.memory_bytes
            );
            return Err(CallError::host(
                ErrorKind::LimitExceeded,
                "host-memory",
                message,
            ));
        }
        tracing::error!(tenant = %state.tenant.name, component = %state.component, error = ?trap, "the component stopped");
        let message = format!("the component stopped: {}", trap.root_cause());
        Err(CallError::host(ErrorKind::Internal, "host-trap", message))
    }
}

/// Why there is no instance: the pool is in use, or something is wrong.
fn not_made(error: &wasmtime::Error) -> CallError {
    if error.is::<PoolConcurrencyLimitError>() {
        let message = "all instances of the host are in use; try again later";
        return CallError::host(ErrorKind::LimitExceeded, "host-busy", message);
    }
    let message = format!("no instance could be made: {error:#}");
    CallError::host(ErrorKind::Internal, "host-instantiate", message)
}

/// The outcome of a call, or `None` where its time was over first; the future, and with it the guest's stack, is dropped then.
async fn within<T>(end: Instant, call: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout_at(end.into(), call).await.ok()
}
