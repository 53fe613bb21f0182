//! What was found: a line a check for a person, a record a check for a program.

use host_example::types::{Configured, ErrorKind};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output;

/// The checks so far. A person sees each when it is done, a program all of them at the end.
pub(crate) struct Report {
    json: bool,
    checks: Vec<Value>,
}

impl Report {
    pub(super) fn new(json: bool) -> Self {
        Self {
            json,
            checks: Vec::new(),
        }
    }

    /// All is well.
    pub(super) fn pass(&mut self, check: &str, found: &str) {
        self.add("ok", check, found, None);
    }

    /// It works, and could work better or more safely.
    pub(super) fn warn(&mut self, check: &str, found: &str, advice: &str) {
        self.add("warning", check, found, Some(advice));
    }

    /// It does not work.
    pub(super) fn fail(&mut self, check: &str, found: &str, advice: &str) {
        self.add("failed", check, found, Some(advice));
    }

    fn add(&mut self, result: &str, check: &str, found: &str, advice: Option<&str>) {
        if !self.json {
            let mark = match result {
                "ok" => "ok      ",
                "warning" => "warning ",
                _ => "FAILED  ",
            };
            // Printed at once: a later check may take its time.
            println!("{mark}{check}: {found}");
            if let Some(advice) = advice {
                println!("        -> {advice}");
            }
        }
        self.checks
            .push(json!({"check": check, "result": result, "found": found, "advice": advice}));
    }

    /// What `configure` learned.
    pub(super) fn configured(&mut self, configured: &Configured) {
        let summary: Value = serde_json::from_str(&configured.summary).unwrap_or_default();
        let count = |name: &str| summary[name].as_u64().unwrap_or_default();
        let barrier = &summary["read_only_transaction"];
        let (reads, writes) = (
            barrier["undeclared_reads"].as_str().unwrap_or("unknown"),
            barrier["writes"].as_str().unwrap_or("unknown"),
        );
        if reads == "refuses" && writes == "refuses" {
            self.pass(
                "read barrier",
                "the server refuses undeclared reads and every write in a read-only transaction",
            );
        } else {
            self.warn(
                "read barrier",
                &format!("in a read-only transaction the server {} undeclared reads and {} writes", told(reads), told(writes)),
                "queries that read what their plan does not name are refused; keep to a database user that may only read, and update the server",
            );
        }
        let collections = count("collections");
        let found = format!(
            "{collections} collections ({} of edges) with {} documents, {} graphs, {} views",
            count("edge_collections"),
            count("documents"),
            count("graphs"),
            count("views"),
        );
        if collections == 0 {
            self.warn(
                "schema",
                &found,
                "there is nothing to ask about: check `database`, the user's rights and `policy`",
            );
        } else {
            self.pass("schema", &found);
        }
        for warning in &configured.warnings {
            self.warn(
                "settings",
                &format!("{} (`{}`)", warning.message, warning.code),
                "see docs/settings.md",
            );
        }
    }

    /// Prints what is printed at the end.
    pub(super) fn finish(&self) -> Result<(), Failure> {
        if self.json {
            return output::print(&format!("{}\n", Value::from(self.checks.clone())));
        }
        let count = |result: &str| {
            self.checks
                .iter()
                .filter(|check| check["result"] == result)
                .count()
        };
        println!(
            "{} checks: {} ok, {} warnings, {} failed",
            self.checks.len(),
            count("ok"),
            count("warning"),
            count("failed"),
        );
        Ok(())
    }
}

fn told(verdict: &str) -> &str {
    match verdict {
        "refuses" => "refuses",
        "does-not-refuse" => "does not refuse",
        _ => "is not known to refuse",
    }
}

/// What to do about a failure of this kind.
pub(super) fn advice(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Configuration => {
            "mend the key that the sentence names, in `[arango]` or `[settings]`"
        }
        ErrorKind::DatabaseUnauthorized => {
            "grant the user read access: require(\"@arangodb/users\").grantDatabase(USER, DATABASE, \"ro\")"
        }
        ErrorKind::DatabaseUnreachable | ErrorKind::Timeout => {
            "check host, port and firewall, and whether the server is up"
        }
        ErrorKind::Denied | ErrorKind::LimitExceeded => {
            "see `[limits]` and `grants` in querent.toml"
        }
        _ => "run again with `--verbose` to see each request",
    }
}
