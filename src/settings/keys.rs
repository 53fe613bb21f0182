//! The table of keys: what each accepts, and its default.

use super::{Example, Pattern, Settings};

/// One key of the settings document.
pub struct Key {
    /// The key's path, its parts joined by `.`: `limits.field_depth`.
    pub path: &'static str,
    /// What it accepts.
    pub accepts: Accepts,
    /// The value where the document leaves the key out, as JSON.
    pub default: &'static str,
}

/// What a key accepts, and where its value goes.
pub enum Accepts {
    /// Text of at most so many bytes.
    Text {
        /// The longest, in bytes.
        max_bytes: usize,
        /// Stores the value.
        set: fn(&mut Settings, &str),
    },
    /// A whole number.
    Whole {
        /// The least.
        min: u64,
        /// The greatest.
        max: u64,
        /// Stores the value.
        set: fn(&mut Settings, u64),
    },
    /// A number above zero, or null for none.
    Ceiling {
        /// Stores the value.
        set: fn(&mut Settings, Option<f64>),
    },
    /// `true` or `false`, or a text that says the same.
    Switch {
        /// Stores the value.
        set: fn(&mut Settings, bool),
    },
    /// A list of patterns of names.
    Patterns {
        /// The most patterns.
        max: usize,
        /// Stores the value.
        set: fn(&mut Settings, Vec<Pattern>),
    },
    /// A list of examples.
    Examples {
        /// The most examples.
        max: usize,
        /// Stores the value.
        set: fn(&mut Settings, Vec<Example>),
    },
}

/// Keys of the host's configuration that people are used to write beside the component's. The component never holds
/// an address or a credential.
pub const HOST_KEYS: &[&str] = &["endpoint", "auth_method", "user", "password", "token"];

/// The longest question of an example, in bytes.
pub(super) const EXAMPLE_QUESTION_BYTES: usize = 4_096;
/// The longest query of an example, in bytes.
pub(super) const EXAMPLE_AQL_BYTES: usize = 65_536;

const fn whole(
    path: &'static str,
    (min, max): (u64, u64),
    default: &'static str,
    set: fn(&mut Settings, u64),
) -> Key {
    Key {
        path,
        accepts: Accepts::Whole { min, max, set },
        default,
    }
}

/// A range's maximum fits the field, so that nothing is cut here.
fn small(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;
const GIB: u64 = 1024 * MIB;

/// Every key, in the order of the documentation.
pub static KEYS: &[Key] = &[
    Key {
        path: "database",
        accepts: Accepts::Text {
            max_bytes: 128,
            set: |settings, value| settings.database = value.into(),
        },
        default: "\"_system\"",
    },
    Key {
        path: "db_description",
        accepts: Accepts::Text {
            max_bytes: 65_536,
            set: |settings, value| settings.db_description = value.into(),
        },
        default: "\"\"",
    },
    whole("max_attempts", (1, 20), "5", |settings, value| {
        settings.max_attempts = small(value)
    }),
    whole(
        "max_execute_rows",
        (1, 1_000_000),
        "25000",
        |settings, value| settings.max_execute_rows = small(value),
    ),
    Key {
        path: "allow_execute",
        accepts: Accepts::Switch {
            set: |settings, value| settings.allow_execute = value,
        },
        default: "false",
    },
    whole("default_limit", (1, 25_000), "250", |settings, value| {
        settings.default_limit = small(value)
    }),
    Key {
        path: "examples",
        accepts: Accepts::Examples {
            max: 5_000,
            set: |settings, value| settings.examples = value,
        },
        default: "[]",
    },
    Key {
        path: "policy.collections.allow",
        accepts: Accepts::Patterns {
            max: 10_000,
            set: |settings, value| settings.policy.collections.allow = value,
        },
        default: "[]",
    },
    Key {
        path: "policy.collections.deny",
        accepts: Accepts::Patterns {
            max: 10_000,
            set: |settings, value| settings.policy.collections.deny = value,
        },
        default: "[]",
    },
    whole(
        "schema_budget_tokens",
        (100, 1_000_000),
        "6000",
        |settings, value| settings.schema_budget_tokens = small(value),
    ),
    whole("prose.top_k", (1, 1_000), "10", |settings, value| {
        settings.prose.top_k = small(value)
    }),
    whole("prose.max_bytes", (KIB, MIB), "16384", |settings, value| {
        settings.prose.max_bytes = small(value)
    }),
    whole(
        "limits.query_runtime_ms",
        (1, 3_600_000),
        "30000",
        |settings, value| settings.limits.query_runtime_ms = small(value),
    ),
    whole(
        "limits.query_memory_bytes",
        (MIB, 1024 * GIB),
        "1073741824",
        |settings, value| settings.limits.query_memory_bytes = value,
    ),
    whole(
        "limits.explain_runtime_ms",
        (1, 600_000),
        "10000",
        |settings, value| settings.limits.explain_runtime_ms = small(value),
    ),
    whole(
        "limits.explain_memory_bytes",
        (MIB, 64 * GIB),
        "67108864",
        |settings, value| settings.limits.explain_memory_bytes = value,
    ),
    Key {
        path: "limits.max_estimated_cost",
        accepts: Accepts::Ceiling {
            set: |settings, value| settings.limits.max_estimated_cost = value,
        },
        default: "null",
    },
    whole(
        "limits.sample_documents",
        (1, 1_000),
        "25",
        |settings, value| settings.limits.sample_documents = small(value),
    ),
    whole("limits.field_depth", (1, 8), "3", |settings, value| {
        settings.limits.field_depth = small(value)
    }),
    whole(
        "limits.max_fields_per_collection",
        (1, 10_000),
        "500",
        |settings, value| settings.limits.max_fields_per_collection = small(value),
    ),
    whole(
        "limits.max_collections",
        (1, 100_000),
        "5000",
        |settings, value| settings.limits.max_collections = small(value),
    ),
    whole(
        "limits.max_question_bytes",
        (1, MIB),
        "32768",
        |settings, value| settings.limits.max_question_bytes = small(value),
    ),
    whole(
        "limits.max_query_bytes",
        (1, 16 * MIB),
        "262144",
        |settings, value| settings.limits.max_query_bytes = small(value),
    ),
    whole(
        "limits.max_result_bytes",
        (KIB, GIB),
        "16777216",
        |settings, value| settings.limits.max_result_bytes = value,
    ),
];

impl Key {
    /// What the key accepts, as the end of the sentence "must be …".
    pub fn allowed(&self) -> String {
        match &self.accepts {
            Accepts::Text { max_bytes, .. } => format!("text of at most {max_bytes} bytes"),
            Accepts::Whole { min, max, .. } => format!("a whole number from {min} to {max}"),
            Accepts::Ceiling { .. } => "a number above 0, or null for no ceiling".into(),
            Accepts::Switch { .. } => {
                "true or false, or one of the texts 1, true, yes, on, 0, false, no, off".into()
            }
            Accepts::Patterns { max, .. } => {
                format!("a list of at most {max} collection names, `*` standing for any characters")
            }
            Accepts::Examples { max, .. } => {
                format!("a list of at most {max} objects with the texts `question` and `aql`")
            }
        }
    }
}
