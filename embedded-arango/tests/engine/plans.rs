//! Plans against those that a real server showed: every node with its attributes, ids, estimates, variables, collections.
//!
//! Left out are the names of rules that moved something and moved it back, counters of rules, and generated index names.

use std::path::Path;

use serde_json::{Value as Json, json};

use crate::replay::recordings;
use crate::support::Bench;

/// What differs from server to server, or is not modelled.
const IGNORED: [&str; 4] = ["rules", "useCache", "stats", "cacheable"];

fn differences(want: &Json, got: &Json, path: &str, found: &mut Vec<String>) {
    match (want, got) {
        (Json::Object(want), Json::Object(got)) => {
            for name in want
                .keys()
                .chain(got.keys().filter(|name| !want.contains_key(*name)))
            {
                let generated =
                    path.contains(".indexes") && ["id", "name"].contains(&name.as_str());
                if generated || IGNORED.contains(&name.as_str()) {
                    continue;
                }
                let absent = Json::String("(absent)".into());
                let want = want.get(name).unwrap_or(&absent);
                let got = got.get(name).unwrap_or(&absent);
                differences(want, got, &format!("{path}.{name}"), found);
            }
        }
        (Json::Array(want), Json::Array(got)) if want.len() == got.len() => {
            for (at, (want, got)) in want.iter().zip(got).enumerate() {
                differences(want, got, &format!("{path}[{at}]"), found);
            }
        }
        (Json::Number(want), Json::Number(got)) => {
            let (want, got) = (want.as_f64().unwrap_or(0.0), got.as_f64().unwrap_or(0.0));
            if (want - got).abs() > 1e-9 * want.abs().max(1.0) {
                found.push(format!("{path}: wanted {want}, got {got}"));
            }
        }
        _ if want == got => {}
        _ => found.push(format!("{path}: wanted {want}, got {got}")),
    }
}

fn lines(path: &Path) -> Vec<Json> {
    std::fs::read_to_string(path)
        .expect("a recording")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn recorded_plans_are_the_plans_that_explain_shows() {
    let Some(folder) = recordings() else {
        println!("skipped: no recordings in ../shared/arangodb");
        return;
    };
    let (mut compared, mut found) = (0, Vec::new());
    for record in lines(&folder.join("rest-3.12.jsonl")) {
        if record["path"] != "/_api/explain" || record["status"] != 200 {
            continue;
        }
        let body = &record["request_body"];
        let query = body["query"].as_str().expect("a query");
        let bench = Bench::new();
        let documents: Vec<Json> = (0..10).map(|id| json!({"id": id})).collect();
        bench.collection("products", json!(documents));
        if query.contains("p.id") {
            bench.index("products", json!({"type": "persistent", "fields": ["id"]}));
        }
        let got = bench
            .explain_with(query, body["bindVars"].clone(), body["options"].clone())
            .expect(query);
        let name = record["name"].as_str().unwrap_or_default();
        differences(&record["response_body"], &got, name, &mut found);
        compared += 1;
    }
    for record in lines(&folder.join("aql-3.12.jsonl")) {
        let name = record["name"].as_str().unwrap_or_default();
        if !name.starts_with("AQLEXP") || !record["result"]["plan"].is_object() {
            continue;
        }
        let bench = Bench::new();
        let documents: Vec<Json> = (0..100).map(|value| json!({"value": value})).collect();
        bench.collection("test", json!(documents));
        bench.index("test", json!({"type": "persistent", "fields": ["value"]}));
        let query = record["query"].as_str().expect("a query");
        let got = bench
            .explain_with(query, Json::Null, record["explain_options"].clone())
            .expect(query);
        differences(&record["result"]["plan"], &got["plan"], name, &mut found);
        compared += 1;
    }
    assert!(compared > 0, "the recordings hold no plan");
    assert!(
        found.is_empty(),
        "{compared} plans compared:\n{}",
        found.join("\n")
    );
}
