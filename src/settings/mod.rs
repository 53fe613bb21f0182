//! The settings document: parsed once, at `configure`, and checked to the last key.
//!
//! A settings document is a JSON object. Every key has a type, a range and a default; they stand in one table, [`KEYS`],
//! which drives the parser, the digest, `wit/settings.schema.json` and `docs/settings.md`. What the table does not name is
//! an error, and so is a key given twice: a misspelt limit must not become no limit.
//!
//! Addresses and credentials are not settings of the component's. A key that belongs to the host is refused by name, and
//! its value is never repeated.

mod about;
mod digest;
mod document;
mod keys;
mod nearest;
mod parse;
mod policy;

#[cfg(test)]
mod tests;

pub use keys::{Accepts, HOST_KEYS, KEYS, Key};
pub use nearest::nearest;
pub use policy::{CollectionRules, Pattern, Policy};

pub(crate) use digest::Digest;

use crate::ask::{Notice, Result};

/// The settings of one configured database, every value within its range.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The database's name. `_system` where the document leaves it out or blank.
    pub database: String,
    /// What the database is about, in the operator's words, for prompts.
    pub db_description: String,
    /// How many queries a question may take, the first one included.
    pub max_attempts: u32,
    /// The most rows that a call may ask for, and that `execute` may return.
    pub max_execute_rows: u32,
    /// Whether `execute` runs queries that no gate has seen.
    pub allow_execute: bool,
    /// Rows returned where the caller names no limit.
    pub default_limit: u32,
    /// Questions with the queries that answer them, for prompts.
    pub examples: Vec<Example>,
    /// What may be read.
    pub policy: Policy,
    /// The room that the schema may take in a prompt, in tokens.
    pub schema_budget_tokens: u32,
    /// What an answer in words is made from.
    pub prose: ProseRows,
    /// Bounds on work and on size.
    pub limits: Limits,
    /// What the document gives reason to say.
    pub warnings: Vec<Notice>,
    digest: String,
}

/// A question with the query that answers it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Example {
    /// The question.
    pub question: String,
    /// The AQL that answers it.
    pub aql: String,
}

/// What the model sees of the rows when it writes an answer in words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProseRows {
    /// The most rows.
    pub top_k: u32,
    /// The most bytes of rows.
    pub max_bytes: u32,
}

/// Bounds on work and on size. The unit stands in the name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// How long the server may run a query.
    pub query_runtime_ms: u32,
    /// How much memory the server may take for a query.
    pub query_memory_bytes: u64,
    /// How long the server may plan a query.
    pub explain_runtime_ms: u32,
    /// How much memory the server may take to plan a query.
    pub explain_memory_bytes: u64,
    /// The estimated cost above which a plan is refused. Absent: no ceiling.
    pub max_estimated_cost: Option<f64>,
    /// Documents sampled per collection for names and types.
    pub sample_documents: u32,
    /// How deep nested attributes are followed, counted in names.
    pub field_depth: u32,
    /// The most attribute paths kept per collection.
    pub max_fields_per_collection: u32,
    /// The most collections reflected.
    pub max_collections: u32,
    /// The longest question.
    pub max_question_bytes: u32,
    /// The longest query, a caller's or a model's.
    pub max_query_bytes: u32,
    /// The most bytes of rows that one call reads.
    pub max_result_bytes: u64,
}

impl Settings {
    /// Reads a settings document.
    ///
    /// # Errors
    ///
    /// `configuration`, with one of these codes; the message names the key by its whole path, its value and what is allowed.
    ///
    /// | code | when |
    /// |---|---|
    /// | `settings-json` | the text is not a JSON object |
    /// | `settings-unknown-key` | a key that the table does not name |
    /// | `settings-host-key` | a key that belongs to the host |
    /// | `settings-duplicate-key` | a key given twice |
    /// | `settings-type` | a value of the wrong type or form |
    /// | `settings-range` | a value out of its range |
    ///
    /// ```
    /// use querent::settings::Settings;
    ///
    /// let settings = Settings::parse(r#"{"database": "shop", "limits": {"field_depth": 2}}"#).unwrap();
    /// assert_eq!(settings.limits.field_depth, 2);
    /// assert_eq!(settings.default_limit, 250);
    ///
    /// let error = Settings::parse(r#"{"max_attempts": 99}"#).unwrap_err();
    /// assert_eq!(error.message, "`max_attempts` must be a whole number from 1 to 20, not 99");
    /// ```
    pub fn parse(json: &str) -> Result<Settings> {
        parse::parse(json)
    }

    /// A short text that differs wherever two documents differ in effect: what `prepared` is bound to.
    ///
    /// It guards against mix-ups, not against forgery.
    pub fn digest(&self) -> String {
        self.digest.clone()
    }

    /// All fields empty, for the parser to fill from the table.
    fn blank() -> Settings {
        Settings {
            database: String::new(),
            db_description: String::new(),
            max_attempts: 0,
            max_execute_rows: 0,
            allow_execute: false,
            default_limit: 0,
            examples: Vec::new(),
            policy: Policy::default(),
            schema_budget_tokens: 0,
            prose: ProseRows::default(),
            limits: Limits::default(),
            warnings: Vec::new(),
            digest: String::new(),
        }
    }
}
