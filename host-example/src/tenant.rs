//! One tenant at run time: what its calls may reach, what they may spend, and what they have spent.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::grants::Grants;
use crate::http::Endpoint;
use crate::limits::{Ledger, Limits};
use crate::llm::Model;
use crate::record::Observer;

/// A server behind a name, with what may be asked of it.
pub(crate) struct Bound {
    pub(crate) grants: Grants,
    pub(crate) endpoint: Arc<dyn Endpoint>,
}

/// Shared by all calls of one tenant.
pub(crate) struct Tenant {
    pub(crate) name: Arc<str>,
    pub(crate) endpoints: BTreeMap<String, Bound>,
    pub(crate) model: Arc<dyn Model>,
    pub(crate) limits: Limits,
    pub(crate) ledger: Ledger,
    pub(crate) calls: Semaphore,
    pub(crate) model_calls: Semaphore,
    pub(crate) http_calls: Semaphore,
    pub(crate) observer: Option<Arc<dyn Observer>>,
}

impl Tenant {
    pub(crate) fn new(
        name: Arc<str>,
        endpoints: BTreeMap<String, Bound>,
        model: Arc<dyn Model>,
        limits: Limits,
        observer: Option<Arc<dyn Observer>>,
    ) -> Self {
        let permits =
            |wanted: u32| Semaphore::new((wanted.max(1) as usize).min(Semaphore::MAX_PERMITS));
        Self {
            name,
            endpoints,
            model,
            calls: permits(limits.concurrent_calls),
            model_calls: permits(limits.concurrent_model_calls),
            http_calls: permits(limits.concurrent_http_calls),
            ledger: Ledger::default(),
            limits,
            observer,
        }
    }
}
