//! `querent.toml`, overridden by the environment: databases, models, limits and grants, for one tenant or for many.
//!
//! ```toml
//! [arango]                                # the tenant `default`
//! endpoint = "https://db.example:8529"
//! database = "shop"
//! user = "reader"
//! password_file = "/run/secrets/arango"   # or QUERENT_PASSWORD
//!
//! [settings]                              # handed to the component as they stand
//! db_description = "orders of a shop"
//!
//! [model]
//! name = "openai:gpt-4.1-mini"            # or QUERENT_MODEL; the key from QUERENT_API_KEY
//!
//! [limits]
//! model_calls = 10
//!
//! [tenants.acme.arango]                   # another tenant: a database and credentials of its own
//! database = "acme"
//! ```
//!
//! A tenant inherits `model` and `limits` from the top of the file, and nothing else: never a server, never a password.
//!
//! | variable | key |
//! |---|---|
//! | `QUERENT_ENDPOINT`, `…_DATABASE`, `…_AUTH_METHOD`, `…_USER`, `…_PASSWORD`, `…_PASSWORD_FILE`, `…_TOKEN`, `…_TOKEN_FILE`, `…_CA_FILE` | the same in `[arango]` |
//! | `QUERENT_MODEL`, `QUERENT_BASE_URL`, `QUERENT_API_KEY`, `QUERENT_API_KEY_FILE` | `model.name` and the same in `[model]` |
//! | `QUERENT_COMPONENT` | `component` |
//! | `QUERENT_LIMITS__MODEL_CALLS` and the like | two underscores stand for a dot |
//! | `OPENAI_API_KEY`, `OPENAI_BASE_URL`, `ANTHROPIC_API_KEY`, `ANTHROPIC_BASE_URL` | key and address of that provider, where nothing else gives them |
//!
//! An unknown key or variable is an error that names it, its place, and the nearest known name. Secrets are read from the
//! environment or from files, never from the command line, and no message and no `Debug` shows one.

mod arango;
mod environment;
mod error;
mod load;
mod model;
mod nearest;
mod setup;

pub use arango::{ArangoConfig, AuthMethod};
pub use error::ConfigError;
pub use load::Sources;
pub use model::{ModelChoice, ModelConfig};
pub use setup::SetupError;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Map, Value};

use crate::grants::Grants;
use crate::limits::Limits;

/// The tenant that the top of the file describes.
pub const DEFAULT_TENANT: &str = "default";

/// A whole configuration, checked.
#[derive(Clone, Debug)]
pub struct Config {
    /// The component's file. Absent: the one that this crate was built with.
    pub component: Option<PathBuf>,
    /// The tenants by name; `default` is always there when the configuration was loaded.
    pub tenants: BTreeMap<String, TenantConfig>,
}

/// One tenant.
#[derive(Clone, Debug, Default)]
pub struct TenantConfig {
    /// The database, and who asks it.
    pub arango: ArangoConfig,
    /// The component's settings, without `database`, which stands in [`ArangoConfig::database`] alone.
    pub settings: Map<String, Value>,
    /// The model, and its key.
    pub model: ModelConfig,
    /// What the tenant may spend.
    pub limits: Limits,
    /// Requests to the database that are allowed beside those that the component needs.
    pub grants: Grants,
}

impl Default for Config {
    /// The defaults alone: `_system` on `http://localhost:8529` as `root`, and no model.
    fn default() -> Self {
        Self {
            component: None,
            tenants: BTreeMap::from([(DEFAULT_TENANT.to_owned(), TenantConfig::default())]),
        }
    }
}

impl TenantConfig {
    /// The JSON that the component is configured with.
    #[must_use]
    pub fn settings_json(&self) -> String {
        let mut settings = self.settings.clone();
        settings.insert(
            "database".to_owned(),
            Value::String(self.arango.database.clone()),
        );
        Value::Object(settings).to_string()
    }
}
