//! The table `[model]`: which model answers prompts.
//!
//! | name | is |
//! |---|---|
//! | `openai:NAME` | a model behind an OpenAI-compatible endpoint, `base_url` |
//! | `scripted:FILE` | replies from a file |
//! | `exchange:DIR` | each prompt becomes a file, and its reply is read from one |

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Deserializer};

use super::ConfigError;
use super::arango::read_secret;
use crate::secret::Secret;

/// Which model, and its key.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelConfig {
    /// The model. Absent: none, and a call that needs one fails as `model`.
    #[serde(deserialize_with = "choice")]
    pub name: Option<ModelChoice>,
    /// Where the OpenAI-compatible endpoint is. `https://api.openai.com/v1/`.
    pub base_url: Option<String>,
    /// The provider's key.
    pub api_key: Option<Secret>,
    /// A file with the key, read where `api_key` is absent.
    pub api_key_file: Option<PathBuf>,
}

/// A model as it is written: `openai:NAME`, `scripted:FILE`, `exchange:DIR`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelChoice {
    /// A model of an OpenAI-compatible endpoint.
    OpenAi(String),
    /// Replies from this file.
    Scripted(PathBuf),
    /// Prompts and replies as files in this folder.
    Exchange(PathBuf),
}

impl FromStr for ModelChoice {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim().split_once(':') {
            Some(("openai", name)) if !name.is_empty() => Ok(Self::OpenAi(name.to_owned())),
            Some(("scripted", file)) if !file.is_empty() => Ok(Self::Scripted(file.into())),
            Some(("exchange", folder)) if !folder.is_empty() => Ok(Self::Exchange(folder.into())),
            _ => Err(ConfigError::Model(text.to_owned())),
        }
    }
}

impl fmt::Display for ModelChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OpenAi(name) => write!(f, "openai:{name}"),
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

    /// The key, from the text or the file.
    pub(crate) fn key(&self) -> Result<Option<Secret>, ConfigError> {
        read_secret(self.api_key.as_ref(), self.api_key_file.as_deref())
    }
}

fn choice<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<ModelChoice>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.trim().is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(serde::de::Error::custom)
}
