//! A query that runs as it stands.

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
    #[expect(dead_code, reason = "`execute` will be its one caller")]
    pub(super) fn new(text: String, bind_vars: String) -> RawQuery {
        RawQuery { text, bind_vars }
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
