//! The expressions that the real server's documentation shows with their values.

use serde_json::{Value as Json, json};

use crate::replay::{recordings, same};
use crate::support::Bench;
use embedded_arango::engine::QueryOptions;
use embedded_arango::value::Value;

/// The share that agrees at least. What does not agree is rounded, random, miscalculated in the text, or leaves its variables out.
const LEAST_SHARE: f64 = 0.95;

#[test]
fn documented_expressions_have_the_documented_values() {
    let Some(folder) = recordings() else {
        println!("skipped: no recordings in ../shared/arangodb");
        return;
    };
    let text = std::fs::read_to_string(folder.join("aql-inline-3.12.jsonl")).expect("a recording");
    let bench = Bench::new();
    let (mut passed, mut failed) = (0, 0);
    for line in text.lines() {
        let record: Json = serde_json::from_str(line).expect("JSON");
        if record["result_is_json"] != json!(true) {
            continue;
        }
        let expression = record["expr"].as_str().unwrap_or_default();
        let query = format!("RETURN {expression}");
        let result = bench.run(&query, Json::Null, QueryOptions::default());
        let rows: Vec<Json> = result
            .iter()
            .flat_map(|outcome| &outcome.rows)
            .map(Value::to_json)
            .collect();
        let want = &record["result"];
        // The text shows the value, or the array of rows that holds it.
        let fits = rows.first().is_some_and(|row| same(want, row)) || same(want, &json!(rows));
        if fits {
            passed += 1;
        } else {
            failed += 1;
            println!("FAIL {expression}\n     wanted {want}\n     got {rows:?}");
        }
    }
    let share = f64::from(passed) / f64::from(passed + failed).max(1.0);
    println!("inline: {passed} passed, {failed} failed, share {share:.3}");
    assert!(
        share >= LEAST_SHARE,
        "only {share:.3} of the expressions agree"
    );
}
