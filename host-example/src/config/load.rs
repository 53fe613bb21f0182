//! From a file and the environment to a checked [`Config`].

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use figment::providers::{Format as _, Toml};
use figment::value::{Dict, Value as FigmentValue};
use figment::{Figment, error::Kind};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::environment::Override;
use super::error::{ConfigError, place};
use super::model::ProviderVariables;
use super::{ArangoConfig, Config, DEFAULT_TENANT, ModelChoice, ModelConfig, TenantConfig};
use crate::grants::Grants;
use crate::limits::Limits;

/// Keys of one tenant, and of the top of the file.
const SECTIONS: [&str; 5] = ["arango", "settings", "model", "limits", "grants"];

/// Where a configuration comes from.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    file: Option<PathBuf>,
    optional: bool,
    variables: Vec<(String, String)>,
}

impl Sources {
    /// No file, and an empty environment.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads this file, which must be there.
    #[must_use]
    pub fn file(mut self, path: impl Into<PathBuf>) -> Self {
        (self.file, self.optional) = (Some(path.into()), false);
        self
    }

    /// Reads this file where it is there.
    #[must_use]
    pub fn file_if_present(mut self, path: impl Into<PathBuf>) -> Self {
        (self.file, self.optional) = (Some(path.into()), true);
        self
    }

    /// Adds these variables.
    #[must_use]
    pub fn variables(mut self, variables: impl IntoIterator<Item = (String, String)>) -> Self {
        self.variables.extend(variables);
        self
    }

    /// Adds the variables of this process. One that is not Unicode is passed over.
    #[must_use]
    pub fn environment(self) -> Self {
        let variables = std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        self.variables(variables)
    }

    /// Loads and checks.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong: see [`ConfigError`].
    pub fn load(self) -> Result<Config, ConfigError> {
        let mut figment = Figment::new();
        let providers = ProviderVariables::among(&self.variables);
        let overrides = Override::all(self.variables)?;
        let mut folder = PathBuf::new();
        if let Some(path) = self.file {
            match std::fs::read_to_string(&path) {
                Ok(text) => {
                    check_syntax(&path, &text)?;
                    figment = figment.merge(Toml::file_exact(&path));
                    folder = path.parent().map(Path::to_owned).unwrap_or_default();
                }
                Err(error) if self.optional && error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => {
                    return Err(ConfigError::File {
                        path,
                        reason: error.to_string(),
                    });
                }
            }
        }
        let file = figment.clone();
        for variable in &overrides {
            figment = figment.merge(variable);
        }
        let mut config = config(&figment, &folder)?;
        for (name, tenant) in &mut config.tenants {
            tenant.model.providers = providers.clone();
            if has_prices_of_another_model(&file, name, tenant.model.name.as_ref()) {
                tenant.model.prices = None;
            }
        }
        Ok(config)
    }
}

/// The parser's message shows the line, and the line may hold a password; its first and last lines do not.
fn check_syntax(path: &Path, text: &str) -> Result<(), ConfigError> {
    let Err(error) = Figment::from(Toml::string(text)).extract::<Dict>() else {
        return Ok(());
    };
    let words = match error.kind {
        Kind::Message(words) => words,
        other => other.to_string(),
    };
    let mut lines = words.lines().filter(|line| !line.trim().is_empty());
    let (first, last) = (
        lines.next().unwrap_or_default(),
        lines.next_back().unwrap_or_default(),
    );
    let reason = [first, last].join(": ");
    Err(ConfigError::Syntax {
        path: path.to_owned(),
        reason: reason.trim_end_matches(": ").to_owned(),
    })
}

/// Whether the prices that a tenant got from the file stand beside the name of another model than its own: one that a variable
/// or the tenant's table has replaced. What such a model costs is not known.
fn has_prices_of_another_model(file: &Figment, tenant: &str, own: Option<&ModelChoice>) -> bool {
    let own_table = format!("tenants.{tenant}.model");
    let Some(table) = [own_table.as_str(), "model"]
        .into_iter()
        .find(|table| file.contains(&format!("{table}.prices")))
    else {
        return false;
    };
    let named: Option<String> = file.extract_inner(&format!("{table}.name")).ok();
    let named = named.and_then(|name| name.parse::<ModelChoice>().ok());
    match (named, own) {
        (Some(ModelChoice::Provider(api, name)), Some(ModelChoice::Provider(own_api, own))) => {
            (api, name.as_str()) != (*own_api, own.as_str())
        }
        // Of those that are files, the paths may be written differently, and they have no prices but invented ones.
        (Some(named), Some(own)) => std::mem::discriminant(&named) != std::mem::discriminant(own),
        _ => false,
    }
}

fn config(figment: &Figment, folder: &Path) -> Result<Config, ConfigError> {
    check_keys(figment, "", &["component", "tenants"])?;
    let component: Option<PathBuf> = match figment.find_value("component") {
        Ok(value) => Some(
            value
                .deserialize()
                .map_err(|error| ConfigError::from_figment("component", error))?,
        ),
        Err(_) => None,
    };
    let mut tenants = BTreeMap::from([(DEFAULT_TENANT.to_owned(), tenant(figment, "", folder)?)]);
    for name in keys(figment, "tenants")? {
        if name == DEFAULT_TENANT {
            return Err(ConfigError::DefaultTenant);
        }
        let path = format!("tenants.{name}");
        check_keys(figment, &path, &[])?;
        tenants.insert(name, tenant(figment, &path, folder)?);
    }
    Ok(Config {
        component: component.map(|file| folder.join(file)),
        tenants,
    })
}

fn tenant(figment: &Figment, path: &str, folder: &Path) -> Result<TenantConfig, ConfigError> {
    let mut arango: ArangoConfig = section(figment, &[&join(path, "arango")])?;
    arango.rebase(folder);
    let settings: Map<String, Value> = section(figment, &[&join(path, "settings")])?;
    if settings.contains_key("database") {
        return Err(ConfigError::DatabaseTwice);
    }
    let mut model: ModelConfig = section(figment, &["model", &join(path, "model")])?;
    model.rebase(folder);
    let limits: Limits = section(figment, &["limits", &join(path, "limits")])?;
    if let Some((key, least)) = limits.too_small() {
        return Err(ConfigError::Value {
            key: join(&join(path, "limits"), key),
            place: String::new(),
            reason: format!("with less than {least}, no call could succeed"),
        });
    }
    let grants = grants(figment, &join(path, "grants"))?;
    Ok(TenantConfig {
        arango,
        settings,
        model,
        limits,
        grants,
    })
}

/// What stands under these paths, the later over the earlier.
fn section<T: DeserializeOwned>(figment: &Figment, paths: &[&str]) -> Result<T, ConfigError> {
    let merged = paths.iter().fold(Figment::new(), |merged, path| {
        merged.merge(figment.focus(path))
    });
    let path = paths.last().copied().unwrap_or_default();
    merged
        .extract()
        .map_err(|error| ConfigError::from_figment(path, error))
}

/// Further grants, by the endpoint's name; there is one, `database`.
fn grants(figment: &Figment, path: &str) -> Result<Grants, ConfigError> {
    #[derive(serde::Deserialize, Default)]
    #[serde(default, deny_unknown_fields)]
    struct Section {
        database: Vec<String>,
    }
    let section: Section = section(figment, &[path])?;
    let parsed = section.database.iter().map(|grant| {
        let refused = |error: crate::grants::GrantError| ConfigError::Value {
            key: format!("{path}.database"),
            place: String::new(),
            reason: error.to_string(),
        };
        grant.parse().map_err(refused)
    });
    parsed.collect::<Result<_, _>>().map(Grants::new)
}

/// Refuses keys that are no section, and sections that are no table.
fn check_keys(figment: &Figment, path: &str, others: &[&str]) -> Result<(), ConfigError> {
    for name in keys(figment, path)? {
        let full = join(path, &name);
        let value = figment.find_value(&full).ok();
        let place = figment.find_metadata(&full).map(place).unwrap_or_default();
        if others.contains(&name.as_str()) && name != "tenants" {
            continue;
        }
        if !SECTIONS.contains(&name.as_str()) && !others.contains(&name.as_str()) {
            let known = SECTIONS
                .iter()
                .chain(others)
                .map(|name| (*name).to_owned())
                .collect();
            return Err(ConfigError::Unknown {
                what: "key",
                name: full,
                place,
                known,
            });
        }
        if !matches!(value, Some(FigmentValue::Dict(..))) {
            return Err(ConfigError::Value {
                key: full,
                place,
                reason: "expected a table".to_owned(),
            });
        }
    }
    Ok(())
}

fn keys(figment: &Figment, path: &str) -> Result<Vec<String>, ConfigError> {
    let dict: Dict = if path.is_empty() {
        figment.extract()
    } else {
        figment.focus(path).extract()
    }
    .map_err(|error| ConfigError::from_figment(path, error))?;
    Ok(dict.keys().cloned().collect())
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}
