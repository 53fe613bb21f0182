//! The host: one engine, one component, and a plugin for each tenant.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::audit::Audit;
use crate::component::{self, LoadError, Loaded};
use crate::engine::{EngineOptions, engine};
use crate::error::CallError;
use crate::grants::Grants;
use crate::http::Endpoint;
use crate::limits::Limits;
use crate::llm::Model;
use crate::plugin::Plugin;
use crate::record::Observer;
use crate::tenant::{Bound, Tenant};
use crate::types::ErrorKind;

/// A loaded component and its tenants.
#[derive(Clone)]
pub struct Host {
    audit: Audit,
    plugins: BTreeMap<String, Plugin>,
}

impl Host {
    /// Starts a host that is put together by hand: see [`HostBuilder`].
    #[must_use]
    pub fn builder() -> HostBuilder {
        HostBuilder::default()
    }

    /// What the component can reach.
    #[must_use]
    pub fn audit(&self) -> &Audit {
        &self.audit
    }

    /// The plugin of a tenant.
    ///
    /// # Errors
    ///
    /// `host-tenant` where there is none of this name; the message lists those that there are.
    pub fn plugin(&self, tenant: &str) -> Result<Plugin, CallError> {
        self.plugins.get(tenant).cloned().ok_or_else(|| {
            let known: Vec<String> = self.tenants().map(|name| format!("`{name}`")).collect();
            let message = format!("no tenant `{tenant}`; there is {}", known.join(", "));
            CallError::host(ErrorKind::Configuration, "host-tenant", message)
        })
    }

    /// The names of the tenants.
    pub fn tenants(&self) -> impl Iterator<Item = &str> {
        self.plugins.keys().map(String::as_str)
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host")
            .field("audit", &self.audit)
            .field("tenants", &self.plugins.keys())
            .finish()
    }
}

/// Everything that one tenant is given.
pub struct TenantSpec {
    /// The component's settings: JSON, without a secret.
    pub settings: String,
    /// Servers by name, each with what may be asked of it.
    pub endpoints: BTreeMap<String, (Grants, Arc<dyn Endpoint>)>,
    /// What answers prompts.
    pub model: Arc<dyn Model>,
    /// What the tenant may spend.
    pub limits: Limits,
}

/// Puts a host together from parts of one's own.
#[derive(Default)]
pub struct HostBuilder {
    loaded: Option<Loaded>,
    tenants: BTreeMap<String, TenantSpec>,
    observer: Option<Arc<dyn Observer>>,
}

impl HostBuilder {
    /// Uses a component that is loaded already. Without this, the one that this crate was built with is compiled.
    #[must_use]
    pub fn component(mut self, loaded: Loaded) -> Self {
        self.loaded = Some(loaded);
        self
    }

    /// Adds a tenant, or replaces the one of this name.
    #[must_use]
    pub fn tenant(mut self, name: impl Into<String>, spec: TenantSpec) -> Self {
        self.tenants.insert(name.into(), spec);
        self
    }

    /// Lets every use of a capability be seen.
    #[must_use]
    pub fn observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Compiles the component where none was given, and binds the tenants.
    ///
    /// # Errors
    ///
    /// Where no engine can be made, or the component is refused.
    pub fn build(self) -> Result<Host, LoadError> {
        let loaded = match self.loaded {
            Some(loaded) => loaded,
            None => {
                let memory_bytes = self
                    .tenants
                    .values()
                    .map(|spec| spec.limits.memory_bytes)
                    .max();
                let default = EngineOptions::default();
                let options = EngineOptions {
                    memory_bytes: memory_bytes.unwrap_or(default.memory_bytes),
                    ..default
                };
                Loaded::new(
                    &engine(options).map_err(LoadError::Engine)?,
                    component::BYTES,
                )?
            }
        };
        let plugins = self
            .tenants
            .into_iter()
            .map(|(name, spec)| {
                let endpoints = spec
                    .endpoints
                    .into_iter()
                    .map(|(name, (grants, endpoint))| (name, Bound { grants, endpoint }))
                    .collect();
                let tenant = Tenant::new(
                    name.as_str().into(),
                    endpoints,
                    spec.model,
                    spec.limits,
                    self.observer.clone(),
                );
                (
                    name,
                    Plugin::new(loaded.clone(), Arc::new(tenant), spec.settings),
                )
            })
            .collect();
        Ok(Host {
            audit: loaded.audit().clone(),
            plugins,
        })
    }
}
