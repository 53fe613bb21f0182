//! From the options to the plugin of one tenant.

use std::path::Path;

use host_example::config::{Config, ModelChoice, Sources};
use host_example::types::ErrorKind;
use host_example::{Host, Plugin};

use crate::cli::Global;
use crate::failure::Failure;

/// The file that is read where no other is named.
const DEFAULT_FILE: &str = "querent.toml";

/// The configuration of the tenant that was asked for, and of no other: what is wrong with another one is not in the way.
pub(crate) fn config(global: &Global) -> Result<Config, Failure> {
    let sources = match &global.config {
        Some(path) => Sources::new().file(path),
        None => Sources::new().file_if_present(Path::new(DEFAULT_FILE)),
    };
    let mut config = sources.environment().load()?;
    if !config.tenants.contains_key(&global.tenant) {
        let known: Vec<String> = config
            .tenants
            .keys()
            .map(|name| format!("`{name}`"))
            .collect();
        return Err(Failure::Tenant(format!(
            "no tenant `{}`; there is {}",
            global.tenant,
            known.join(", ")
        )));
    }
    config.tenants.retain(|name, _| *name == global.tenant);
    if let Some(model) = &global.model {
        let choice: ModelChoice = model.parse()?;
        for tenant in config.tenants.values_mut() {
            let before = tenant.model.name.replace(choice.clone());
            if before.is_some_and(|before| before != choice) {
                // The prices are those of the model that was replaced.
                tenant.model.prices = None;
            }
        }
    }
    Ok(config)
}

/// The plugin of the tenant that was asked for.
pub(crate) async fn plugin(global: &Global) -> Result<Plugin, Failure> {
    let config = config(global)?;
    let host = tokio::task::spawn_blocking(move || Host::new(&config)).await??;
    let plugin = host.plugin(&global.tenant)?;
    tracing::info!(target: "querent", tenant = plugin.tenant(), model = plugin.model(), "ready");
    Ok(plugin)
}

/// The name of a kind of error, as the contract writes it.
pub(crate) fn kind_name(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Configuration => "configuration",
        ErrorKind::InvalidInput => "invalid-input",
        ErrorKind::Denied => "denied",
        ErrorKind::DatabaseUnreachable => "database-unreachable",
        ErrorKind::DatabaseUnauthorized => "database-unauthorized",
        ErrorKind::DatabaseError => "database-error",
        ErrorKind::QueryRefused => "query-refused",
        ErrorKind::QueryInvalid => "query-invalid",
        ErrorKind::LimitExceeded => "limit-exceeded",
        ErrorKind::Timeout => "timeout",
        ErrorKind::Model => "model",
        ErrorKind::Internal => "internal",
        ErrorKind::Other => "other",
    }
}
