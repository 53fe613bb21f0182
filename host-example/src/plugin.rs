//! A component bound to one tenant's database, as a caller uses it.
//!
//! Every call gets an instance of its own. What is expensive, the reflected schema, is kept outside of it as `prepared`, with a
//! time to live, and handed to the next instance; where the component says that it is stale, the schema is reflected again.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{MutexGuard, SemaphorePermit};

use crate::component::Loaded;
use crate::error::CallError;
use crate::instance::Instance;
use crate::llm::Prices;
use crate::spent::Spent;
use crate::tenant::Tenant;
use crate::types::{
    Answer, AqlAnswer, AqlRequest, Configured, Definition, ErrorKind, QuestionRequest,
};

/// Codes that say that the kept schema no longer fits the database or the settings.
const STALE: &str = "stale-prepared";
const VANISHED: &str = "arango-1203";

/// One tenant's database, ready for questions. Cheap to clone; calls may run at the same time.
#[derive(Clone)]
pub struct Plugin {
    inner: Arc<Inner>,
}

struct Inner {
    loaded: Loaded,
    tenant: Arc<Tenant>,
    settings: String,
    kept: Mutex<Option<Kept>>,
    /// Held while the schema is reflected, so that calls that start together reflect once.
    reflecting: tokio::sync::Mutex<()>,
}

#[derive(Clone)]
struct Kept {
    prepared: Arc<String>,
    since: Instant,
}

impl Plugin {
    pub(crate) fn new(loaded: Loaded, tenant: Arc<Tenant>, settings: String) -> Self {
        let inner = Inner {
            loaded,
            tenant,
            settings,
            kept: Mutex::new(None),
            reflecting: tokio::sync::Mutex::new(()),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// The tenant's name.
    #[must_use]
    pub fn tenant(&self) -> &str {
        &self.inner.tenant.name
    }

    /// The model that answers this tenant's prompts.
    #[must_use]
    pub fn model(&self) -> String {
        self.inner.tenant.model.name()
    }

    /// What that model costs, where the configuration says so.
    #[must_use]
    pub fn prices(&self) -> Option<Prices> {
        self.inner.tenant.model.prices()
    }

    /// What all calls of the tenant have asked of its model since the host was made.
    #[must_use]
    pub fn spent(&self) -> Spent {
        let reported = self.inner.tenant.ledger.reported();
        Spent::new(
            reported.model_calls,
            reported.input_tokens,
            reported.output_tokens,
            self.prices(),
        )
    }

    /// The settings that the component gets: JSON, without a secret.
    #[must_use]
    pub fn settings(&self) -> &str {
        &self.inner.settings
    }

    /// Checks the connection and reflects the schema now, whatever is kept, and keeps the result.
    ///
    /// # Errors
    ///
    /// The component's, with the kind that says whose fault it was, or the host's ([`CallError`]).
    pub async fn configure(&self) -> Result<Configured, CallError> {
        let _turn = self.turn().await?;
        let _alone = self.alone().await?;
        let mut instance = self.instance().await?;
        self.reflect(&mut instance).await
    }

    /// Configures an instance with these settings and with what an earlier configuration left, and keeps nothing: for hosts
    /// that keep `prepared` in a store of their own, and want to know whether it still fits.
    ///
    /// # Errors
    ///
    /// `stale-prepared` where it does not; otherwise the component's or the host's ([`CallError`]).
    pub async fn configure_with(
        &self,
        settings: &str,
        prepared: &str,
    ) -> Result<Configured, CallError> {
        let _turn = self.turn().await?;
        let mut instance = self.instance().await?;
        instance
            .configure(&settings.to_owned(), Some(&prepared.to_owned()))
            .await
    }

    /// Asks a question, or runs a query: see [`crate::types::QuestionKind`]. Where the caller names no `today`, the host's date
    /// and time zone are told: a component has no clock.
    ///
    /// # Errors
    ///
    /// The component's or the host's ([`CallError`]).
    pub async fn question(&self, request: impl Into<QuestionRequest>) -> Result<Answer, CallError> {
        let mut request = request.into();
        today(&mut request.options);
        let _turn = self.turn().await?;
        let outcome = self.ready().await?.question(&request).await;
        self.noticed(outcome)
    }

    /// The schema as JSON; of one collection, where one is named.
    ///
    /// # Errors
    ///
    /// The component's or the host's ([`CallError`]).
    pub async fn schema(&self, collection: Option<&str>) -> Result<String, CallError> {
        let _turn = self.turn().await?;
        let outcome = self.ready().await?.schema(collection).await;
        self.noticed(outcome)
    }

    /// Translates a question without running the query.
    ///
    /// # Errors
    ///
    /// The component's or the host's ([`CallError`]).
    pub async fn aql(&self, request: impl Into<AqlRequest>) -> Result<AqlAnswer, CallError> {
        let mut request = request.into();
        today(&mut request.options);
        let _turn = self.turn().await?;
        let outcome = self.ready().await?.aql(&request).await;
        self.noticed(outcome)
    }

    /// Calls one of the component's tools, with JSON in and out.
    ///
    /// # Errors
    ///
    /// The component's or the host's ([`CallError`]). A tool's own failures are in its JSON.
    pub async fn invoke(
        &self,
        name: &str,
        arguments: impl Into<String>,
    ) -> Result<String, CallError> {
        let arguments = arguments.into();
        let _turn = self.turn().await?;
        let outcome = self.ready().await?.invoke(name, &arguments).await;
        self.noticed(outcome)
    }

    /// The component's tools. Needs no database.
    ///
    /// # Errors
    ///
    /// The host's ([`CallError`]).
    pub async fn definitions(&self) -> Result<Vec<Definition>, CallError> {
        let _turn = self.turn().await?;
        self.instance().await?.definitions().await
    }

    /// What the last configuration left for the next instance, where it is kept and not too old.
    #[must_use]
    pub fn prepared(&self) -> Option<String> {
        self.kept().map(|prepared| prepared.as_ref().clone())
    }

    fn kept(&self) -> Option<Arc<String>> {
        let kept = self
            .inner
            .kept
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let ttl = self.inner.tenant.limits.prepared_ttl();
        kept.as_ref()
            .filter(|kept| kept.since.elapsed() < ttl)
            .map(|kept| kept.prepared.clone())
    }

    /// Forgets the kept schema: the next call reflects it again.
    pub fn forget(&self) {
        self.keep(None);
    }

    /// A configured instance: from what is kept where that fits, by reflecting where not.
    async fn ready(&self) -> Result<Instance, CallError> {
        if let Some(instance) = self.with_kept().await? {
            return Ok(instance);
        }
        let _alone = self.alone().await?;
        // Another call may have reflected while this one waited.
        if let Some(instance) = self.with_kept().await? {
            return Ok(instance);
        }
        let mut instance = self.instance().await?;
        self.reflect(&mut instance).await?;
        Ok(instance)
    }

    async fn with_kept(&self) -> Result<Option<Instance>, CallError> {
        let Some(prepared) = self.kept() else {
            return Ok(None);
        };
        let mut instance = self.instance().await?;
        match instance
            .configure(&self.inner.settings, Some(&prepared))
            .await
        {
            Ok(_) => Ok(Some(instance)),
            Err(error) if error.code() == STALE => {
                tracing::info!(tenant = %self.inner.tenant.name, "the kept schema is stale, and is reflected again");
                self.forget();
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    async fn reflect(&self, instance: &mut Instance) -> Result<Configured, CallError> {
        let configured = instance.configure(&self.inner.settings, None).await?;
        for warning in &configured.warnings {
            tracing::warn!(
                target: "querent::configure",
                tenant = %self.inner.tenant.name, code = %warning.code, "{}", warning.message
            );
        }
        self.keep(Some(Kept {
            prepared: Arc::new(configured.prepared.clone()),
            since: Instant::now(),
        }));
        Ok(configured)
    }

    /// Waits until no other call reflects; not longer than a call may take.
    async fn alone(&self) -> Result<MutexGuard<'_, ()>, CallError> {
        let wait = self.inner.tenant.limits.call_timeout();
        tokio::time::timeout(wait, self.inner.reflecting.lock())
            .await
            .map_err(|_| {
                let message = format!(
                    "another call was reflecting the schema, and did not end within {} ms",
                    wait.as_millis()
                );
                CallError::host(ErrorKind::Timeout, "host-timeout", message)
            })
    }

    fn keep(&self, kept: Option<Kept>) {
        *self
            .inner
            .kept
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = kept;
    }

    /// Drops what is kept where an error says that the database has changed under it.
    fn noticed<T>(&self, outcome: Result<T, CallError>) -> Result<T, CallError> {
        if outcome
            .as_ref()
            .is_err_and(|error| matches!(error.code(), STALE | VANISHED))
        {
            self.forget();
        }
        outcome
    }

    async fn instance(&self) -> Result<Instance, CallError> {
        Instance::new(&self.inner.loaded, &self.inner.tenant).await
    }

    /// Waits until the tenant may run one more call.
    async fn turn(&self) -> Result<SemaphorePermit<'_>, CallError> {
        let tenant = &self.inner.tenant;
        let wait: Duration = tenant.limits.queue_timeout();
        let busy = || {
            let message = format!(
                "{} calls of `{}` are running, and none ended within {} ms",
                tenant.limits.concurrent_calls,
                tenant.name,
                wait.as_millis()
            );
            CallError::host(ErrorKind::LimitExceeded, "host-busy", message)
        };
        // The semaphore is never closed, so that only the wait can fail.
        tokio::time::timeout(wait, tenant.calls.acquire())
            .await
            .ok()
            .and_then(Result::ok)
            .ok_or_else(busy)
    }
}

/// Adds the date and the time zone of this machine, where the caller has not said what day it is.
fn today(options: &mut Vec<(String, String)>) {
    if options.iter().any(|(name, _)| name == "today") {
        return;
    }
    let now = jiff::ZonedDateTime::now();
    options.push(("today".to_owned(), now.date().to_string()));
    if !options.iter().any(|(name, _)| name == "time-zone") {
        let zone = now
            .time_zone()
            .iana_name()
            .map_or_else(|| now.offset().to_string(), str::to_owned);
        options.push(("time-zone".to_owned(), zone));
    }
}

impl fmt::Debug for Plugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plugin")
            .field("tenant", &self.inner.tenant.name)
            .field("component", self.inner.loaded.audit())
            .finish_non_exhaustive()
    }
}

/// Calls can be spawned on a runtime with several threads.
#[cfg(test)]
mod tests {
    use super::*;

    fn sendable<T: Send>(_: T) {}

    #[allow(dead_code, reason = "that it compiles is the test")]
    fn every_call_can_be_spawned(plugin: &Plugin) {
        sendable(plugin.configure());
        sendable(plugin.question("how many"));
        sendable(plugin.schema(None));
        sendable(plugin.aql("how many"));
        sendable(plugin.invoke("get_schema", "{}"));
        sendable(plugin.definitions());
    }
}
