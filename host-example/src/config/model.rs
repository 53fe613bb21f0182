//! The table `[model]`: which model answers prompts.
//!
//! | name | is |
//! |---|---|
//! | `openai:NAME` | a model behind an OpenAI-compatible endpoint, `base_url` |
//! | `anthropic:NAME` | a model behind Anthropic's messages, at `base_url` where it is another server than theirs |
//! | `scripted:FILE` | replies from a file |
//! | `exchange:DIR` | each prompt becomes a file, and its reply is read from one |

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Deserializer};

use super::ConfigError;
use super::arango::read_secret;
use crate::llm::{Api, Prices};
use crate::secret::Secret;

/// Which model, and its key.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelConfig {
    /// The model. Absent: none, and a call that needs one fails as `model`.
    #[serde(deserialize_with = "choice")]
    pub name: Option<ModelChoice>,
    /// Where the endpoint is, if it is not the provider's own.
    pub base_url: Option<String>,
    /// The provider's key.
    pub api_key: Option<Secret>,
    /// A file with the key, read where `api_key` is absent.
    pub api_key_file: Option<PathBuf>,
    /// What a million tokens of this model cost. Absent: no cost is shown.
    pub prices: Option<Prices>,
    /// What the environment says of the providers, for where the configuration says nothing.
    #[serde(skip)]
    pub(super) providers: ProviderVariables,
}

/// The variables that other programs of the providers read too. Each counts for its own provider alone, so that no key is
/// shown to another one.
#[derive(Clone, Debug, Default)]
pub(super) struct ProviderVariables {
    openai: Own,
    anthropic: Own,
}

/// Key and address of one provider.
#[derive(Clone, Debug, Default)]
struct Own {
    api_key: Option<Secret>,
    base_url: Option<String>,
}

impl ProviderVariables {
    /// Those among the variables of an environment; blank ones do not count.
    pub(super) fn among(variables: &[(String, String)]) -> Self {
        let of = |name: &str| {
            let found = variables.iter().rev().find(|(known, _)| known == name);
            found
                .map(|(_, value)| value.clone())
                .filter(|value| !value.is_empty())
        };
        let own = |prefix: &str| Own {
            api_key: of(&format!("{prefix}_API_KEY")).map(Secret::new),
            base_url: of(&format!("{prefix}_BASE_URL")),
        };
        Self {
            openai: own("OPENAI"),
            anthropic: own("ANTHROPIC"),
        }
    }

    fn of(&self, api: Api) -> &Own {
        match api {
            Api::OpenAi => &self.openai,
            Api::Anthropic => &self.anthropic,
        }
    }
}

/// A model as it is written: `openai:NAME`, `anthropic:NAME`, `scripted:FILE`, `exchange:DIR`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelChoice {
    /// A model of a provider.
    Provider(Api, String),
    /// Replies from this file.
    Scripted(PathBuf),
    /// Prompts and replies as files in this folder.
    Exchange(PathBuf),
}

impl FromStr for ModelChoice {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim().split_once(':') {
            Some(("openai", name)) if !name.is_empty() => {
                Ok(Self::Provider(Api::OpenAi, name.to_owned()))
            }
            Some(("anthropic", name)) if !name.is_empty() => {
                Ok(Self::Provider(Api::Anthropic, name.to_owned()))
            }
            Some(("scripted", file)) if !file.is_empty() => Ok(Self::Scripted(file.into())),
            Some(("exchange", folder)) if !folder.is_empty() => Ok(Self::Exchange(folder.into())),
            _ => Err(ConfigError::Model(text.to_owned())),
        }
    }
}

impl fmt::Display for ModelChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Provider(api, name) => write!(f, "{}:{name}", api.name()),
            Self::Scripted(file) => write!(f, "scripted:{}", file.display()),
            Self::Exchange(folder) => write!(f, "exchange:{}", folder.display()),
        }
    }
}

impl ModelConfig {
    pub(super) fn rebase(&mut self, folder: &Path) {
        if let Some(ModelChoice::Scripted(path) | ModelChoice::Exchange(path)) = &mut self.name {
            *path = folder.join(&*path);
        }
        if let Some(file) = &mut self.api_key_file {
            *file = folder.join(&*file);
        }
    }

    /// The key for this provider: from the text, the file, or the provider's own variable.
    pub(crate) fn key(&self, api: Api) -> Result<Option<Secret>, ConfigError> {
        let given = read_secret(self.api_key.as_ref(), self.api_key_file.as_deref())?;
        Ok(given.or_else(|| self.providers.of(api).api_key.clone()))
    }

    /// The address for this provider, where it is not the provider's own.
    pub(crate) fn address(&self, api: Api) -> Option<&str> {
        self.base_url
            .as_deref()
            .or(self.providers.of(api).base_url.as_deref())
    }

    /// Whether there is a key for this provider in the environment or the configuration.
    #[must_use]
    pub fn has_key(&self, api: Api) -> bool {
        self.api_key.is_some()
            || self.api_key_file.is_some()
            || self.providers.of(api).api_key.is_some()
    }
}

fn choice<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<ModelChoice>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.trim().is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(serde::de::Error::custom)
}
