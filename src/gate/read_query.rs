//! A query that passed every step of the gate.

/// AQL that the gate has shown to read only, with all that its run must declare.
///
/// Only the gate makes one: its fields are private to this module, and its constructor is visible to the gate alone. A
/// query that has not passed therefore cannot reach the cursor.
///
/// ```compile_fail
/// let forged = querent::gate::ReadQuery { text: "FOR d IN c REMOVE d IN c".into() };
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadQuery {
    text: String,
    bind_vars: String,
    collections: Vec<String>,
}

impl ReadQuery {
    pub(super) fn new(text: String, bind_vars: String, collections: Vec<String>) -> ReadQuery {
        ReadQuery {
            text,
            bind_vars,
            collections,
        }
    }

    /// The AQL, exactly as it was explained.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The bind variables that it was explained with, a JSON object.
    pub fn bind_vars(&self) -> &str {
        &self.bind_vars
    }

    /// The collections that the read-only transaction declares, sorted, without views.
    pub fn collections(&self) -> &[String] {
        &self.collections
    }

    /// For tests of what runs it.
    #[cfg(test)]
    #[allow(dead_code, reason = "the tests of the cursor come next")]
    pub(crate) fn for_tests(text: &str, bind_vars: &str, collections: &[&str]) -> ReadQuery {
        ReadQuery {
            text: text.into(),
            bind_vars: bind_vars.into(),
            collections: collections.iter().map(|name| (*name).into()).collect(),
        }
    }
}
