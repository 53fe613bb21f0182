//! The gate against what real servers said, where the recordings lie beside the repository.
//!
//! They are read from `../shared/arangodb`, seen from the workspace; without them these tests say so and pass.

use std::path::PathBuf;

use serde_json::Value;

use super::binds::Binds;
use super::names::Names;
use super::{plan, text};

/// Everything is there and may be read, but for system collections and ids.
struct Everything;

impl Names for Everything {
    fn allows(&self, collection: &str) -> bool {
        !collection.starts_with('_') && !collection.bytes().all(|byte| byte.is_ascii_digit())
    }

    fn is_collection(&self, _: &str) -> bool {
        true
    }

    fn refuses_unknown(&self) -> bool {
        true
    }

    fn is_view(&self, name: &str) -> bool {
        name.to_ascii_lowercase().contains("view")
    }

    fn near(&self, _: &str) -> Vec<String> {
        Vec::new()
    }

    fn readable(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The lines of a recording; none where it is not there.
fn lines(file: &str) -> Vec<Value> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("../shared/arangodb").join(file);
    if let Ok(text) = std::fs::read_to_string(path) {
        return text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
    }
    println!("skipped: the recording {file} is not beside the repository");
    Vec::new()
}

const VERSIONS: [&str; 3] = ["aql-3.11.jsonl", "aql-3.12.jsonl", "aql-4.x.jsonl"];

/// Recordings of the server's shell that are JavaScript and no AQL.
const NOT_AQL: [&str; 3] = [
    "lastExpressionResult_single",
    "viewUsage_05_single",
    "viewUsage_07_single",
];

#[test]
fn recorded_queries_that_read_pass_and_those_that_write_do_not() {
    let mut counts = (0, 0);
    for file in VERSIONS {
        for line in lines(file) {
            let Some(query) = line["query"].as_str() else {
                continue;
            };
            let bind_vars = line["bindVars"].to_string();
            let bind_vars = if line["bindVars"].is_null() {
                "{}"
            } else {
                &bind_vars
            };
            let binds = Binds::parse(bind_vars).unwrap();
            let verdict = text::check(query, &binds, &Everything, 1_000_000);
            let code = verdict
                .as_ref()
                .err()
                .map(|refusal| refusal.notice.code.clone());
            if aql_syntax::parse_any(query).is_ok_and(|tree| tree.modifies()) {
                counts.1 += 1;
                assert_eq!(code.as_deref(), Some("writes"), "{query}");
                continue;
            }
            counts.0 += 1;
            match code.as_deref() {
                None => {}
                Some("refused-function") => assert!(
                    query.contains("SLEEP(") || query.contains("SHARD_ID("),
                    "{query}"
                ),
                Some("policy-collection") => {
                    assert!(bind_vars.contains("\"_"), "{query} {bind_vars}")
                }
                Some("syntax") => {
                    assert!(NOT_AQL.contains(&line["name"].as_str().unwrap()), "{query}")
                }
                Some(code) => panic!("{code}: {query}"),
            }
        }
    }
    println!("{} queries that read, {} that write", counts.0, counts.1);
}

#[test]
fn recorded_plans_of_reading_queries_are_shown_to_read() {
    let mut count = 0;
    for file in VERSIONS {
        for line in lines(file) {
            count += plans(&line["result"], file);
        }
    }
    for file in ["rest-3.12.jsonl", "rest-4.x.jsonl"] {
        for line in lines(file) {
            if line["path"]
                .as_str()
                .is_some_and(|path| path.contains("explain"))
                && line["status"] == 200
            {
                count += plans(&line["response_body"], file);
            }
        }
    }
    println!("{count} plans");
}

/// Reads each plan within a recorded value, as the answer to EXPLAIN that it was part of.
fn plans(value: &Value, file: &str) -> usize {
    let mut count = 0;
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if value.get("isModificationQuery").is_some() {
            count += 1;
            let answer =
                serde_json::json!({"plan": value, "error": false, "code": 200}).to_string();
            let verdict = plan::read(answer.as_bytes());
            if value["isModificationQuery"] == false {
                assert!(verdict.is_ok(), "{file}: {verdict:?}: {value}");
            } else {
                assert!(verdict.is_err(), "{file}: {value}");
            }
            continue;
        }
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => open.extend(members.values()),
            _ => {}
        }
    }
    count
}
