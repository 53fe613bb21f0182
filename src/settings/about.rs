//! What each key is for, apart from the table, so that the component need not carry its own documentation.

use super::Key;

impl Key {
    /// What it is for, as a sentence.
    pub fn about(&self) -> &'static str {
        match self.path {
            "database" => {
                "The database's name, Unicode-normalised (NFC) as the server keeps it. Blank means `_system`, which is allowed with a warning."
            }
            "db_description" => "What the database is about, for the model.",
            "max_attempts" => {
                "How many queries the model may write for a question, the first one included."
            }
            "max_execute_rows" => {
                "The most rows that a call may ask for. `execute` fails where a query returns more."
            }
            "allow_execute" => {
                "Whether `execute` runs a query as it stands, past every gate, writes included."
            }
            "default_limit" => "Rows returned where the caller names no limit.",
            "examples" => "Questions with the queries that answer them, for the model.",
            "policy.collections.allow" => {
                "The collections that may be read. Empty means all that are not denied. A name that begins with `_` must be given exactly."
            }
            "policy.collections.deny" => {
                "The collections that may not be read, whatever `allow` says."
            }
            "schema_budget_tokens" => {
                "The room that the schema may take in a prompt, in tokens, estimated at four bytes each."
            }
            "prose.top_k" => "The most rows that the model sees when it writes an answer in words.",
            "prose.max_bytes" => {
                "The most bytes of rows that the model sees when it writes an answer in words."
            }
            "limits.query_runtime_ms" => {
                "How long the server may run a query. The host's own time limit stands above it."
            }
            "limits.query_memory_bytes" => "How much memory the server may take for a query.",
            "limits.explain_runtime_ms" => "How long the server may plan a query.",
            "limits.explain_memory_bytes" => "How much memory the server may take to plan a query.",
            "limits.max_estimated_cost" => "The estimated cost above which a plan is refused.",
            "limits.sample_documents" => {
                "Documents sampled per collection for attribute names and types. The server reads them; they are not fetched."
            }
            "limits.field_depth" => "How deep nested attributes are followed, counted in names.",
            "limits.max_fields_per_collection" => {
                "The most attribute paths kept per collection. What is cut is a warning."
            }
            "limits.max_collections" => "The most collections reflected. What is cut is a warning.",
            "limits.max_question_bytes" => "The longest question.",
            "limits.max_query_bytes" => "The longest query, a caller's or a model's.",
            "limits.max_result_bytes" => {
                "The most bytes of rows that one call reads. The host's own limit on a response stands beside it."
            }
            // A test holds every key to have a sentence.
            _ => "",
        }
    }
}
