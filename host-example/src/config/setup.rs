//! From a checked configuration to a running [`Host`].

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Config, ConfigError, ModelChoice, TenantConfig};
use crate::component::{BYTES, LoadError, Loaded};
use crate::engine::{EngineOptions, engine};
use crate::grants::{self, GrantError};
use crate::host::{Host, HostBuilder, TenantSpec};
use crate::http::{Endpoint, Origin, OriginError};
use crate::llm::{Exchange, Model, ModelSetupError, NoModel, Priced, Provider, Scripted};

/// The name under which the component asks for the database.
const DATABASE_ENDPOINT: &str = "database";

/// Why a configuration does not become a host.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The component is refused.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The component's file cannot be read.
    #[error("the component `{path}` cannot be read: {reason}")]
    Component {
        /// The file.
        path: PathBuf,
        /// The system's words.
        reason: std::io::Error,
    },
    /// A secret cannot be read, or is missing.
    #[error("tenant `{tenant}`: {reason}")]
    Config {
        /// Whose.
        tenant: String,
        /// What is wrong.
        reason: ConfigError,
    },
    /// The database cannot be bound.
    #[error("tenant `{tenant}`: {reason}")]
    Origin {
        /// Whose.
        tenant: String,
        /// What is wrong.
        reason: OriginError,
    },
    /// The database's name gives no grants.
    #[error("tenant `{tenant}`: the database's name cannot stand in a path: {reason}")]
    Grants {
        /// Whose.
        tenant: String,
        /// What is wrong.
        reason: GrantError,
    },
    /// The model cannot be used.
    #[error("tenant `{tenant}`: {reason}")]
    Model {
        /// Whose.
        tenant: String,
        /// What is wrong.
        reason: ModelSetupError,
    },
}

impl Config {
    /// Audits and compiles the component, the configured one or the one that this crate was built with. Takes some hundred
    /// milliseconds of every core.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read, or the component is refused.
    pub fn load_component(&self) -> Result<Loaded, SetupError> {
        let default = EngineOptions::default();
        let memory_bytes = self
            .tenants
            .values()
            .map(|tenant| tenant.limits.memory_bytes)
            .max();
        let options = EngineOptions {
            memory_bytes: memory_bytes.unwrap_or(default.memory_bytes),
            ..default
        };
        let engine = engine(options).map_err(LoadError::Engine)?;
        match &self.component {
            None => Ok(Loaded::new(&engine, BYTES)?),
            Some(path) => {
                let bytes = std::fs::read(path).map_err(|reason| SetupError::Component {
                    path: path.clone(),
                    reason,
                })?;
                Ok(Loaded::new(&engine, &bytes)?)
            }
        }
    }
}

impl TenantConfig {
    /// Binds the database and the model.
    ///
    /// # Errors
    ///
    /// [`SetupError`] names the tenant, and what of it cannot be used.
    pub fn spec(&self, tenant: &str) -> Result<TenantSpec, SetupError> {
        let name = || tenant.to_owned();
        let config = |reason| SetupError::Config {
            tenant: name(),
            reason,
        };
        let origin = Origin::new(self.arango.origin().map_err(config)?).map_err(|reason| {
            SetupError::Origin {
                tenant: name(),
                reason,
            }
        })?;
        let mut grants =
            grants::arango(&self.arango.database).map_err(|reason| SetupError::Grants {
                tenant: name(),
                reason,
            })?;
        grants.extend(self.grants.clone());
        let endpoint: Arc<dyn Endpoint> = Arc::new(origin);
        let refused = |reason| SetupError::Model {
            tenant: name(),
            reason,
        };
        let model: Arc<dyn Model> = match &self.model.name {
            None => Arc::new(NoModel),
            Some(ModelChoice::Scripted(file)) => {
                Arc::new(Scripted::from_file(file).map_err(refused)?)
            }
            Some(ModelChoice::Exchange(folder)) => {
                Arc::new(Exchange::new(folder).map_err(refused)?)
            }
            Some(ModelChoice::Provider(api, model)) => {
                let key = self.model.key(*api).map_err(config)?;
                Arc::new(
                    Provider::new(*api, model, self.model.address(*api), key).map_err(refused)?,
                )
            }
        };
        let model = match self.model.prices {
            Some(prices) => Arc::new(Priced::new(model, prices)),
            None => model,
        };
        Ok(TenantSpec {
            settings: self.settings_json(),
            endpoints: BTreeMap::from([(DATABASE_ENDPOINT.to_owned(), (grants, endpoint))]),
            model,
            limits: self.limits.clone(),
        })
    }
}

impl Host {
    /// A host as the configuration describes it. Compiles the component: some hundred milliseconds, off the threads that serve.
    ///
    /// # Errors
    ///
    /// [`SetupError`] names what cannot be used. Nothing is sent to a database or a model yet.
    pub fn new(config: &Config) -> Result<Self, SetupError> {
        let loaded = config.load_component()?;
        let builder = HostBuilder::default()
            .component(loaded)
            .configured(config)?;
        Ok(builder.build()?)
    }
}

impl HostBuilder {
    /// Adds every tenant of a configuration.
    ///
    /// # Errors
    ///
    /// [`SetupError`] names the tenant, and what of it cannot be used.
    pub fn configured(mut self, config: &Config) -> Result<Self, SetupError> {
        for (name, tenant) in &config.tenants {
            self = self.tenant(name, tenant.spec(name)?);
        }
        Ok(self)
    }
}
