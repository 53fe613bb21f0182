//! What can be wrong with a configuration, said so that it can be mended: which key, where, what is allowed.

use std::path::PathBuf;

use figment::error::Kind;

use super::nearest::nearest;

/// Why a configuration is refused. No message shows a secret's value.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A key or variable that does not exist.
    #[error("unknown {what} `{name}`{place}{}", suggestion(.name, .known))]
    Unknown {
        /// `key` or `environment variable`.
        what: &'static str,
        /// The name as given.
        name: String,
        /// ` in …`, or nothing.
        place: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A value of the wrong type, or out of range.
    #[error("`{key}`{place} is not valid: {reason}")]
    Value {
        /// The key.
        key: String,
        /// ` in …`, or nothing.
        place: String,
        /// What is wrong, and what is allowed.
        reason: String,
    },
    /// A file that cannot be read.
    #[error("`{path}` cannot be read: {reason}")]
    File {
        /// The file.
        path: PathBuf,
        /// The system's words.
        reason: String,
    },
    /// A file that is not TOML.
    #[error("`{path}` is not TOML: {reason}")]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The parser's words, without the line, which may hold a secret.
        reason: String,
    },
    /// A model that is none of the four.
    #[error(
        "`{0}` names no model: write `openai:NAME`, `anthropic:NAME`, `scripted:FILE` or `exchange:DIR`"
    )]
    Model(String),
    /// Token authentication without a token.
    #[error(
        "`auth_method` is `token`, and there is no token: set `QUERENT_TOKEN`, or `token_file` in `[arango]`"
    )]
    NoToken,
    /// `database` among the component's settings.
    #[error("`settings.database` is not a key of its own: say it once, as `arango.database`")]
    DatabaseTwice,
    /// A table `tenants.default`.
    #[error("`tenants.default` is not a key: the top of the file is the tenant `default`")]
    DefaultTenant,
}

fn suggestion(name: &str, known: &[String]) -> String {
    let last = name.rsplit('.').next().unwrap_or(name);
    let candidates = || known.iter().map(String::as_str);
    match nearest(last, candidates()) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => format!(
            "; known are {}",
            candidates()
                .map(|name| format!("`{name}`"))
                .collect::<Vec<_>>()
                .join(", ")
        ),
    }
}

/// Keys whose values are never shown.
fn is_secret(key: &str) -> bool {
    matches!(key, "password" | "token" | "api_key")
}

impl ConfigError {
    /// Translates figment's error about a section.
    pub(super) fn from_figment(section: &str, error: figment::Error) -> Self {
        let place = error.metadata.as_ref().map(place).unwrap_or_default();
        let key = std::iter::once(section)
            .chain(error.path.iter().map(String::as_str))
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(".");
        let last = error.path.last().map_or("", String::as_str);
        match error.kind {
            Kind::UnknownField(name, known) => {
                let name = if key.is_empty() || error.path.last() == Some(&name) {
                    key_or(&key, &name)
                } else {
                    format!("{key}.{name}")
                };
                Self::Unknown {
                    what: "key",
                    name,
                    place,
                    known: known.iter().map(|name| (*name).to_owned()).collect(),
                }
            }
            Kind::InvalidType(_, expected) | Kind::InvalidValue(_, expected) if is_secret(last) => {
                Self::Value {
                    key,
                    place,
                    reason: format!("expected {expected}"),
                }
            }
            Kind::InvalidType(found, expected) | Kind::InvalidValue(found, expected) => {
                Self::Value {
                    key,
                    place,
                    reason: format!("found {found}, expected {expected}"),
                }
            }
            Kind::UnknownVariant(found, allowed) => {
                let allowed: Vec<String> = allowed.iter().map(|name| format!("`{name}`")).collect();
                Self::Value {
                    key,
                    place,
                    reason: format!("found `{found}`, allowed are {}", allowed.join(" and ")),
                }
            }
            other => Self::Value {
                key,
                place,
                reason: other.to_string(),
            },
        }
    }
}

fn key_or(key: &str, name: &str) -> String {
    if key.is_empty() {
        name.to_owned()
    } else {
        key.to_owned()
    }
}

/// ` in …`, for the end of a sentence.
pub(super) fn place(metadata: &figment::Metadata) -> String {
    match metadata
        .source
        .as_ref()
        .and_then(figment::Source::file_path)
    {
        Some(path) => format!(
            " in `{}`",
            path.file_name().unwrap_or(path.as_os_str()).display()
        ),
        None => format!(" in the {}", metadata.name),
    }
}
