//! The table `[arango]`: the names that users of `db_arango` know.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer};

use super::ConfigError;
use crate::http::{Credentials, OriginOptions};
use crate::secret::Secret;

/// Where the database is, and who asks it.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ArangoConfig {
    /// Scheme, host and port. `http://localhost:8529`.
    pub endpoint: String,
    /// The database's name. `_system` where absent or blank.
    #[serde(deserialize_with = "database")]
    pub database: String,
    /// Whether `user` and `password` or `token` are used. `userpass`.
    pub auth_method: AuthMethod,
    /// The user. `root` where absent or blank.
    #[serde(deserialize_with = "user")]
    pub user: String,
    /// The password; empty where neither this nor the file is given.
    pub password: Option<Secret>,
    /// A file with the password, read where `password` is absent. One line end at its end is not part of it.
    pub password_file: Option<PathBuf>,
    /// The token, for `auth_method = "token"`.
    pub token: Option<Secret>,
    /// A file with the token, read where `token` is absent.
    pub token_file: Option<PathBuf>,
    /// A PEM file with certificates to trust beside the system's.
    pub ca_file: Option<PathBuf>,
}

/// How the host proves who it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AuthMethod {
    /// HTTP Basic with `user` and `password`.
    #[default]
    Userpass,
    /// A bearer token.
    Token,
}

impl Default for ArangoConfig {
    fn default() -> Self {
        Self {
            endpoint: "http://localhost:8529".to_owned(),
            database: "_system".to_owned(),
            auth_method: AuthMethod::Userpass,
            user: "root".to_owned(),
            password: None,
            password_file: None,
            token: None,
            token_file: None,
            ca_file: None,
        }
    }
}

impl ArangoConfig {
    /// The files are relative to the folder of the file that names them.
    pub(super) fn rebase(&mut self, folder: &Path) {
        for file in [
            &mut self.password_file,
            &mut self.token_file,
            &mut self.ca_file,
        ]
        .into_iter()
        .flatten()
        {
            *file = folder.join(&*file);
        }
    }

    /// How to reach the database, with the secrets read.
    pub(crate) fn origin(&self) -> Result<OriginOptions, ConfigError> {
        let credentials = match self.auth_method {
            AuthMethod::Userpass => {
                let password = read_secret(self.password.as_ref(), self.password_file.as_deref())?;
                Credentials::Basic {
                    user: self.user.clone(),
                    password: password.unwrap_or_default(),
                }
            }
            AuthMethod::Token => {
                let token = read_secret(self.token.as_ref(), self.token_file.as_deref())?;
                Credentials::Bearer(token.ok_or(ConfigError::NoToken)?)
            }
        };
        Ok(OriginOptions {
            url: self.endpoint.clone(),
            credentials,
            ca_file: self.ca_file.clone(),
        })
    }
}

/// A secret from where it is given, the text before the file.
pub(super) fn read_secret(
    text: Option<&Secret>,
    file: Option<&Path>,
) -> Result<Option<Secret>, ConfigError> {
    match (text, file) {
        (Some(secret), _) => Ok(Some(secret.clone())),
        (None, Some(path)) => {
            let mut text = std::fs::read_to_string(path).map_err(|error| ConfigError::File {
                path: path.to_owned(),
                reason: error.to_string(),
            })?;
            if text.ends_with('\n') {
                text.pop();
            }
            if text.ends_with('\r') {
                text.pop();
            }
            Ok(Some(Secret::new(text)))
        }
        (None, None) => Ok(None),
    }
}

fn database<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(or_default(&String::deserialize(deserializer)?, "_system"))
}

fn user<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(or_default(&String::deserialize(deserializer)?, "root"))
}

fn or_default(given: &str, default: &str) -> String {
    let given = given.trim();
    if given.is_empty() {
        default.to_owned()
    } else {
        given.to_owned()
    }
}
