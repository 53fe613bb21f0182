//! A query that runs as it stands.

use crate::ask::{Error, ErrorKind, Result};
use crate::settings::Settings;

/// A caller's query, past every gate: `execute` alone makes one, and only where the settings allow it.
///
/// ```compile_fail
/// let forged = querent::node::RawQuery { text: "FOR d IN c REMOVE d IN c".into(), bind_vars: "{}".into() };
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawQuery {
    text: String,
    bind_vars: String,
}

impl RawQuery {
    /// The query, where the settings allow `execute`.
    ///
    /// # Errors
    ///
    /// `query-refused` with the code `execute-disabled` where they do not.
    pub(super) fn allowed(settings: &Settings, text: &str, bind_vars: String) -> Result<RawQuery> {
        if !settings.allow_execute {
            return Err(Error::new(
                ErrorKind::QueryRefused,
                "execute-disabled",
                "`execute` is off, and the query was not run; set `allow_execute` to true in the settings to allow it, or use `read` for a query that only reads",
            ));
        }
        Ok(RawQuery {
            text: text.into(),
            bind_vars,
        })
    }

    /// The AQL, as the caller gave it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The bind variables, a JSON object.
    pub fn bind_vars(&self) -> &str {
        &self.bind_vars
    }

    /// For tests of what runs it.
    #[cfg(test)]
    pub(crate) fn for_tests(text: &str, bind_vars: &str) -> RawQuery {
        RawQuery {
            text: text.into(),
            bind_vars: bind_vars.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raw_query_cannot_be_made_where_the_settings_do_not_allow_it() {
        let settings = Settings::parse("{}").unwrap();
        let error = RawQuery::allowed(&settings, "RETURN 1", "{}".into()).unwrap_err();
        assert_eq!(
            (error.kind, error.code.as_str()),
            (ErrorKind::QueryRefused, "execute-disabled")
        );
    }
}
