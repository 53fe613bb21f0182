//! What a real server ran parses by that server's grammar, and what it refused as no query does not.
//!
//! The recordings lie beside the repository; where they are absent, the tests say so and pass.

use std::path::PathBuf;

use aql_syntax::{Version, parse_with};
use serde_json::Value;

/// The lines of a recording, or `None` with a note where the recordings are absent.
fn recording(file: &str) -> Option<Vec<Value>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared/arangodb")
        .join(file);
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: {} is not there", path.display());
        return None;
    };
    let lines = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"));
    Some(lines.collect())
}

/// Whether the line was recorded from a query. A few were typed into the server's shell, whose results are no rows.
fn is_query(line: &Value) -> bool {
    let result = &line["result"];
    line["kind"] != "aql"
        || !(result.is_number() || result.is_object() && result["errorNum"].is_null())
}

/// Checks every query of a recording; gives how many there were.
fn check(file: &str, version: Version) -> Option<usize> {
    let lines = recording(file)?;
    let queries: Vec<&Value> = lines.iter().filter(|line| is_query(line)).collect();
    assert!(
        lines.len() - queries.len() <= 3,
        "{file}: {} lines are taken for no queries",
        lines.len() - queries.len()
    );
    let mut wrong = Vec::new();
    for line in &queries {
        let text = line["query"].as_str().expect("a text");
        let refused = line["result"]["errorNum"] == 1501;
        match parse_with(text, version) {
            Ok(_) if refused => wrong.push(format!(
                "{}: parses, but the server refused it: {text}",
                line["name"]
            )),
            Err(error) if !refused => wrong.push(format!("{}: {error}: {text}", line["name"])),
            Err(_) => {}
            Ok(query) => {
                let printed = query.to_string();
                if parse_with(&printed, version).as_ref() != Ok(&query) {
                    wrong.push(format!("{}: reads back otherwise: {printed}", line["name"]));
                }
                if line["has_modification"] == true && !query.modifies() {
                    wrong.push(format!("{}: writes, but is taken for a read", line["name"]));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{file}:\n{}", wrong.join("\n"));
    Some(queries.len())
}

#[test]
fn the_queries_of_3_11_parse() {
    assert!(check("aql-3.11.jsonl", Version::V3_12).is_none_or(|count| count > 300));
}

#[test]
fn the_queries_of_3_12_parse() {
    assert!(check("aql-3.12.jsonl", Version::V3_12).is_none_or(|count| count > 300));
}

#[test]
fn the_queries_of_4_parse() {
    assert!(check("aql-4.x.jsonl", Version::V4).is_none_or(|count| count > 300));
}

#[test]
fn the_expressions_of_the_documentation_parse() {
    for (file, version) in [
        ("aql-inline-3.12.jsonl", Version::V3_12),
        ("aql-inline-4.x.jsonl", Version::V4),
    ] {
        let Some(lines) = recording(file) else {
            continue;
        };
        for line in lines.iter().filter(|line| line["result_is_json"] == true) {
            let text = format!("RETURN {}", line["expr"].as_str().expect("a text"));
            if let Err(error) = parse_with(&text, version) {
                panic!("{file}: {error}: {text}");
            }
        }
    }
}

#[test]
fn the_queries_in_recorded_requests_parse() {
    for (file, version) in [
        ("rest-3.12.jsonl", Version::V3_12),
        ("rest-4.x.jsonl", Version::V4),
    ] {
        let Some(lines) = recording(file) else {
            continue;
        };
        let queries: Vec<&str> = lines
            .iter()
            .filter(|line| line["response_body"]["errorNum"] != 1501)
            .filter_map(|line| line["request_body"]["query"].as_str())
            .collect();
        assert!(queries.len() > 10, "{file}: {}", queries.len());
        for text in queries {
            if let Err(error) = parse_with(text, version) {
                panic!("{file}: {error}: {text}");
            }
        }
    }
}
