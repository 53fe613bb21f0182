//! Variables of the environment as overrides of keys.

use figment::value::{Dict, Map, Value};
use figment::{Metadata, Profile, Provider};

use super::ConfigError;

/// The prefix of all variables.
const PREFIX: &str = "QUERENT_";

/// Variables with a name of their own, and the keys that they override.
const SHORT: [(&str, &str); 14] = [
    ("ENDPOINT", "arango.endpoint"),
    ("DATABASE", "arango.database"),
    ("AUTH_METHOD", "arango.auth_method"),
    ("USER", "arango.user"),
    ("PASSWORD", "arango.password"),
    ("PASSWORD_FILE", "arango.password_file"),
    ("TOKEN", "arango.token"),
    ("TOKEN_FILE", "arango.token_file"),
    ("CA_FILE", "arango.ca_file"),
    ("MODEL", "model.name"),
    ("BASE_URL", "model.base_url"),
    ("API_KEY", "model.api_key"),
    ("API_KEY_FILE", "model.api_key_file"),
    ("COMPONENT", "component"),
];

/// Variables that the command and the build script read for themselves.
const OTHERS: [&str; 3] = ["EMBEDDED_PASSWORD", "LOG", "PREBUILT_COMPONENT"];

/// One variable.
#[derive(Debug)]
pub(super) struct Override {
    variable: String,
    key: String,
    value: Value,
}

impl Override {
    /// The overrides among these variables.
    pub(super) fn all(
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Vec<Self>, ConfigError> {
        let mut found = Vec::new();
        for (variable, text) in variables {
            if let Some(name) = variable
                .strip_prefix(PREFIX)
                .filter(|name| !OTHERS.contains(name))
            {
                let key = key(name).ok_or_else(|| ConfigError::Unknown {
                    what: "environment variable",
                    name: variable.clone(),
                    place: String::new(),
                    known: SHORT
                        .iter()
                        .map(|(name, _)| format!("{PREFIX}{name}"))
                        .collect(),
                })?;
                // A blank variable is how a shell unsets one; a blank password is a password.
                if !text.is_empty() || key == "arango.password" {
                    found.push(Self {
                        value: value(&key, &text),
                        variable,
                        key,
                    });
                }
            }
        }
        Ok(found)
    }
}

fn key(name: &str) -> Option<String> {
    if let Some((_, key)) = SHORT.iter().find(|(short, _)| *short == name) {
        return Some((*key).to_owned());
    }
    name.contains("__")
        .then(|| name.to_lowercase().replace("__", "."))
}

/// Numbers and the like where keys have them; text everywhere else, so that a password of digits stays one.
fn value(key: &str, text: &str) -> Value {
    let typed = key
        .split('.')
        .any(|part| matches!(part, "limits" | "settings" | "grants" | "prices"));
    if typed {
        text.parse().unwrap_or_else(|never| match never {})
    } else {
        Value::from(text)
    }
}

impl Provider for Override {
    fn metadata(&self) -> Metadata {
        Metadata::named(format!("environment variable `{}`", self.variable))
    }

    fn data(&self) -> Result<Map<Profile, Dict>, figment::Error> {
        let nested = figment::util::nest(&self.key, self.value.clone());
        let dict = nested.into_dict().unwrap_or_default();
        Ok(Profile::Default.collect(dict))
    }
}
