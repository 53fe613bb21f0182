//! Replays recordings of a real server in this process, and compares row by row.
//!
//! The recordings lie beside the repository in `shared/arangodb`; where they are absent the test says so and passes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use embedded_arango::engine::QueryOptions;
use embedded_arango::storage::{CollectionKind, CollectionOptions, ViewKind};
use embedded_arango::value::Value;
use serde_json::{Value as Json, json};

use crate::support::Bench;

/// The share of the recordings that passes at least; raise it when more do.
const LEAST_SHARE: f64 = 0.97;

const CHECKABLE: [&str; 5] = [
    "exact",
    "multiset",
    "multiset-after-key-normalisation",
    "count",
    "error",
];

/// The folder of recordings beside the repository, where there is one.
pub(crate) fn recordings() -> Option<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let shared = workspace.parent()?.join("shared").join("arangodb");
    shared.join("aql-3.12.jsonl").is_file().then_some(shared)
}

fn load(bench: &Bench, data: &Json) {
    for collection in list(&data["collections"]) {
        create(
            bench,
            text(&collection["name"]),
            &collection["type"],
            &Json::Null,
        );
        bench.insert(text(&collection["name"]), collection["docs"].clone());
    }
    for index in list(&data["indexes"]) {
        let body = if index["index"].is_object() {
            &index["index"]
        } else {
            index
        };
        bench.index(text(&index["collection"]), body.clone());
    }
    for graph in list(&data["graphs"]) {
        bench.graph(
            text(&graph["name"]),
            graph["edgeDefinitions"].clone(),
            or_empty(&graph["orphanCollections"]),
        );
    }
    for view in list(&data["views"]) {
        make_view(bench, view);
    }
}

fn make_view(bench: &Bench, view: &Json) {
    let kind = ViewKind::parse(text(&view["type"])).expect("a kind of view");
    let mut body = view["properties"].clone();
    if body.is_null() {
        body = json!({});
    }
    body["name"] = view["name"].clone();
    body["type"] = view["type"].clone();
    bench.view(text(&view["name"]), kind, body);
}

fn create(bench: &Bench, name: &str, kind: &Json, _: &Json) {
    let kind = match kind.as_i64() {
        Some(3) => CollectionKind::Edge,
        _ => CollectionKind::Document,
    };
    // A collection that is there already stays, as through the API.
    let _ = bench
        .database
        .create_collection(name, CollectionOptions::of(kind));
}

fn set_up(bench: &Bench, operations: &Json) -> Result<(), String> {
    for operation in list(operations) {
        match text(&operation["op"]) {
            "createCollection" => {
                if operation["properties"]["computedValues"].is_array() {
                    return Err("computed values are the HTTP layer's".into());
                }
                create(
                    bench,
                    text(&operation["name"]),
                    &operation["type"],
                    &Json::Null,
                );
            }
            "drop" => {
                let _ = bench
                    .database
                    .drop_collection(text(&operation["collection"]), false);
            }
            "insert" => {
                let documents = match &operation["doc"] {
                    Json::Array(many) => Json::Array(many.clone()),
                    one => json!([one]),
                };
                bench.insert(text(&operation["collection"]), documents);
            }
            "ensureIndex" => {
                bench
                    .database
                    .ensure_index(
                        text(&operation["collection"]),
                        &Value::from_json(operation["index"].clone()),
                    )
                    .map_err(|error| error.to_string())?;
            }
            "createView" => make_view(bench, operation),
            "createGraph" => {
                bench.graph(
                    text(&operation["name"]),
                    operation["edgeDefinitions"].clone(),
                    or_empty(&operation["orphans"]),
                );
            }
            "createAnalyzer" => {
                bench
                    .database
                    .create_analyzer(&Value::from_json(operation.clone()))
                    .map_err(|error| error.to_string())?;
            }
            "query" => {
                let _ = bench.run(
                    text(&operation["query"]),
                    operation["bindVars"].clone(),
                    QueryOptions::from_json(&operation["options"]),
                );
            }
            _ => {}
        }
    }
    Ok(())
}

fn check(record: &Json, data_sets: &BTreeMap<String, Json>) -> Result<(), String> {
    let bench = Bench::new();
    let guessed = list(&record["collections_guess"])
        .iter()
        .filter_map(Json::as_str)
        .any(|name| ["demo", "animals", "mycollection", "ignore"].contains(&name));
    let data = match record["dataset"].as_str() {
        Some(name) => data_sets.get(name),
        None if guessed => data_sets.get("_base"),
        None => None,
    };
    if let Some(data) = data {
        load(&bench, data);
    }
    set_up(&bench, &record["setup"])?;
    let options = QueryOptions::from_json(&record["options"]);
    let result = bench.run(text(&record["query"]), record["bindVars"].clone(), options);
    let how = text(&record["compare"]);
    let want = &record["result"];
    let outcome = match (result, how) {
        (Err(error), "error") if want["errorNum"] == json!(error.number) => return Ok(()),
        (Err(error), _) => return Err(error.to_string()),
        (Ok(_), "error") => return Err("no error".into()),
        (Ok(outcome), _) => outcome,
    };
    let rows: Vec<Json> = outcome.rows.iter().map(Value::to_json).collect();
    if how == "count" {
        return (want.as_u64() == Some(rows.len() as u64))
            .then_some(())
            .ok_or_else(|| format!("{} rows", rows.len()));
    }
    let drop: &[&str] = if how == "multiset-after-key-normalisation" {
        &["_rev", "_key", "_id"]
    } else {
        &["_rev"]
    };
    let want = strip(want.clone(), drop);
    let rows = strip(Json::Array(rows), drop);
    let fine = match how {
        "exact" => same(&want, &rows),
        _ => same_bag(&want, &rows),
    };
    fine.then_some(())
        .ok_or_else(|| format!("wanted {}\n     got {}", cut(&want), cut(&rows)))
}

fn strip(value: Json, drop: &[&str]) -> Json {
    match value {
        Json::Object(object) => object
            .into_iter()
            .filter(|(name, _)| !drop.contains(&name.as_str()))
            .map(|(name, value)| (name, strip(value, drop)))
            .collect(),
        Json::Array(items) => items.into_iter().map(|item| strip(item, drop)).collect(),
        other => other,
    }
}

pub(crate) fn same(left: &Json, right: &Json) -> bool {
    match (left, right) {
        (Json::Number(left), Json::Number(right)) => {
            let (left, right) = (left.as_f64().unwrap_or(0.0), right.as_f64().unwrap_or(0.0));
            let scale = left.abs().max(right.abs());
            (left - right).abs() <= (scale * 1e-9).max(1e-12)
        }
        (Json::Array(left), Json::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(l, r)| same(l, r))
        }
        (Json::Object(left), Json::Object(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .all(|(name, l)| right.get(name).is_some_and(|r| same(l, r)))
        }
        _ => left == right,
    }
}

fn same_bag(left: &Json, right: &Json) -> bool {
    let mut rest: Vec<&Json> = list(right).iter().collect();
    for item in list(left) {
        match rest.iter().position(|other| same(item, other)) {
            Some(at) => {
                rest.swap_remove(at);
            }
            None => return false,
        }
    }
    rest.is_empty()
}

fn cut(value: &Json) -> String {
    value.to_string().chars().take(300).collect()
}

fn list(value: &Json) -> &[Json] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Json) -> &str {
    value.as_str().unwrap_or_default()
}

fn or_empty(value: &Json) -> Json {
    if value.is_null() {
        json!([])
    } else {
        value.clone()
    }
}

#[test]
fn recorded_queries_give_the_rows_that_a_real_server_gave() {
    let Some(folder) = recordings() else {
        println!("skipped: no recordings in ../shared/arangodb");
        return;
    };
    let read = |path: &Path| std::fs::read_to_string(path).expect("a recording");
    let mut data_sets = BTreeMap::new();
    for entry in std::fs::read_dir(folder.join("datasets")).expect("data sets") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        data_sets.insert(name, serde_json::from_str(&read(&path)).expect("JSON"));
    }
    let (mut passed, mut failed) = (0, 0);
    for line in read(&folder.join("aql-3.12.jsonl")).lines() {
        let record: Json = serde_json::from_str(line).expect("JSON");
        if !CHECKABLE.contains(&text(&record["compare"])) || record["deployment"] == "cluster" {
            continue;
        }
        match check(&record, &data_sets) {
            Ok(()) => passed += 1,
            Err(problem) => {
                failed += 1;
                println!(
                    "FAIL {}#{}: {}\n     {problem}",
                    record["name"],
                    record["seq"],
                    text(&record["query"])
                );
            }
        }
    }
    let share = f64::from(passed) / f64::from(passed + failed).max(1.0);
    println!("replay: {passed} passed, {failed} failed, share {share:.3}");
    assert!(
        share >= LEAST_SHARE,
        "only {share:.3} of the recordings passed"
    );
}
