//! What a real server answered. The recordings lie beside the repository; without them these tests say so and pass.

use std::fs;
use std::path::PathBuf;

use embedded_arango::value::Value;
use serde_json::Value as Json;

use super::Query;
use super::evaluate::{Stop, row};

/// The lines of a file of recordings, or `None` where there is none.
fn recordings(name: &str) -> Option<Vec<Json>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared/arangodb")
        .join(name);
    let text = fs::read_to_string(path).ok()?;
    Some(
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect(),
    )
}

/// Equal up to the last digits of doubles and the order of attributes.
fn alike(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right.iter())
                    .all(|(left, right)| alike(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .all(|(name, value)| right.get(name).is_some_and(|other| alike(value, other)))
        }
        _ => match (left.as_f64(), right.as_f64()) {
            (Some(left), Some(right)) => (left - right).abs() <= 1e-12 * left.abs().max(1.0),
            _ => left == right,
        },
    }
}

/// The query that a recording was made in, with the analyzers of its preparation; `None` where it was prepared otherwise.
fn prepared(record: &Json) -> Option<Query> {
    let mut query = Query::default();
    for step in record["setup"].as_array().unwrap() {
        // These run a query, which this evaluator does not, and the real server's collation keys.
        if step["op"] != "createAnalyzer" || step["type"] == "aql" || step["type"] == "collation" {
            return None;
        }
        query.analyzers.insert(
            step["name"].as_str().unwrap().to_owned(),
            Value::from_json(step.clone()),
        );
    }
    Some(query)
}

#[test]
fn functions_answer_as_the_recorded_server_did() {
    let Some(recordings) = recordings("aql-3.12.jsonl") else {
        println!("skipped: no recordings beside the repository");
        return;
    };
    let (mut checked, mut wrong) = (0, Vec::new());
    for record in recordings {
        let text = record["query"].as_str().unwrap();
        let usable = record["dataset"].is_null()
            && record["bindVars"] == serde_json::json!({})
            && record["explain"] == false;
        let Some(mut query) = prepared(&record).filter(|_| usable) else {
            continue;
        };
        let result = row(&mut query, text);
        let fits = match (record["compare"].as_str().unwrap(), &result) {
            (_, Err(Stop::Beyond)) => continue,
            ("exact", Ok(value)) => alike(value, &Value::from_json(record["result"][0].clone())),
            ("error", Err(Stop::Failed(number))) => record["result"]["errorNum"] == *number,
            ("exact" | "error", _) => false,
            _ => continue,
        };
        checked += 1;
        if !fits {
            wrong.push(format!(
                "{text}\n  recorded {}\n  computed {result:?}",
                record["result"]
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {checked} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(checked > 150, "only {checked} were checked");
    println!("{checked} recordings checked");
}

/// Hand-written lines of the documentation that the server itself contradicts, or that round or describe.
const NOT_LITERAL: [&str; 5] = [
    // 2 to the power of 20 is 1048576.
    "BIT_FROM_STRING(\"100000000000000000000\")",
    // 60 is 00111100.
    "BIT_TO_STRING(60, 8)",
    // Rounded to three digits.
    "COSINE_SIMILARITY([[0,1,0,1]",
    // The doubles nearest to these arguments are not exact.
    "COS(-3.141592653589783)",
    "SIN(-3.141592653589783 / 2)",
];

#[test]
fn functions_answer_as_the_documentation_says() {
    let Some(lines) = recordings("aql-inline-3.12.jsonl") else {
        println!("skipped: no recordings beside the repository");
        return;
    };
    let (mut checked, mut wrong) = (0, Vec::new());
    for line in lines {
        let text = line["expr"].as_str().unwrap();
        let volatile = ["RAND()", "FAIL("].iter().any(|name| text.contains(name));
        if line["result_is_json"] == false
            || volatile
            || NOT_LITERAL.iter().any(|start| text.starts_with(start))
        {
            continue;
        }
        let result = row(&mut Query::default(), &format!("RETURN {text}"));
        let expected = Value::from_json(line["result"].clone());
        // An example's result is the value, or the array of rows with the value.
        let fits = match &result {
            Err(Stop::Beyond) => continue,
            Ok(value) => {
                alike(value, &expected) || alike(&Value::array(vec![value.clone()]), &expected)
            }
            Err(Stop::Failed(_)) => false,
        };
        checked += 1;
        if !fits {
            wrong.push(format!(
                "{text}\n  documented {expected}\n  computed {result:?}"
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {checked} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(checked > 100, "only {checked} were checked");
    println!("{checked} examples checked");
}
