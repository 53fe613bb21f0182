//! Exchanges that were recorded from a real server, sent to this one: the status has to be the same, and the body has to have
//! the same shape. The recordings lie beside the repository; without them the test says so and passes.
//!
//! A recording begins with data that it does not show. `setup` makes it, from what the request and the answer name.

#[path = "../util/mod.rs"]
mod util;

mod setup;
mod shape;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use reqwest::Method;
use serde_json::Value as Json;

use util::Server;

/// Recordings that this server cannot or will not follow, with the reason.
const LEFT_OUT: [(&str, &str); 18] = [
    ("HttpGharialCreateS", "smart and satellite graphs"),
    ("HttpSetQueryResultsCache", "there is no results cache"),
    (
        "RestExplainOptimizerRules",
        "rules that move something and move it back are not listed",
    ),
    (
        "RestExplainWarning",
        "rules that move something and move it back are not listed",
    ),
    (
        "RestCollectionGetAllCollections",
        "a server with other collections",
    ),
    ("HttpListQueryPlanCache", "there is no plan cache"),
    (
        "RestCollectionGetCollectionFiguresDetails",
        "the storage engine's own figures",
    ),
    ("RestFetchAllUser", "users that the recording does not show"),
    (
        "RestFetchUserDatabaseListFull",
        "a server with other collections",
    ),
    ("RestGetShards", "a cluster"),
    ("RestQueryRules", "the list of rules is this server's own"),
    ("RestTransactionAbort", "JavaScript"),
    ("RestTransactionMulti", "JavaScript"),
    ("RestTransactionNonExisting", "JavaScript"),
    ("RestVersionDetails", "the details of a build"),
    (
        "RestViewGetAllViews",
        "views that the recording does not show",
    ),
    ("RestCursorProfileQuery", "timings of each node"),
    ("job_getByType_03", "JavaScript"),
];

fn recordings() -> Option<BTreeMap<String, Vec<Json>>> {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/arangodb/rest-3.12.jsonl");
    let text = fs::read_to_string(path).ok()?;
    let mut by_name: BTreeMap<String, Vec<Json>> = BTreeMap::new();
    for line in text.lines() {
        let record: Json = serde_json::from_str(line).expect("a recording is JSON");
        by_name
            .entry(record["name"].as_str().expect("a name").to_owned())
            .or_default()
            .push(record);
    }
    Some(by_name)
}

#[tokio::test]
async fn recorded_requests_get_the_recorded_status_and_shape() {
    let Some(recordings) = recordings() else {
        println!("skipped: there is no shared/arangodb/rest-3.12.jsonl beside the repository");
        return;
    };
    let (mut followed, mut failures) = (0, Vec::new());
    for (name, steps) in &recordings {
        if LEFT_OUT.iter().any(|(prefix, _)| name.starts_with(prefix)) {
            continue;
        }
        followed += 1;
        if let Err(failure) = follow(steps).await {
            failures.push(format!("{name}: {failure}"));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {followed}:\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert!(followed > 80, "only {followed} recordings were followed");
    println!("{followed} recordings followed");
}

/// Sends the requests of one recording to a fresh server.
async fn follow(steps: &[Json]) -> Result<(), String> {
    let server = Server::start().await;
    let mut names = setup::prepare(&server, steps).await;
    for step in steps {
        let path = replaced(step["path"].as_str().expect("a path"), &names);
        let method: Method = step["method"]
            .as_str()
            .expect("a method")
            .parse()
            .expect("a method");
        let body = match &step["request_body"] {
            Json::Null => None,
            Json::String(text) => Some(text.clone()),
            body => Some(replaced(&body.to_string(), &names)),
        };
        let headers: Vec<(String, String)> = step["headers"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, value)| {
                (
                    name.clone(),
                    replaced(value.as_str().unwrap_or_default(), &names),
                )
            })
            .collect();
        let headers: Vec<(&str, &str)> = headers
            .iter()
            .map(|(name, value)| (&**name, &**value))
            .collect();
        let answer = server
            .send(method, &path, &headers, body)
            .await
            .map_err(|error| error.to_string())?;
        let Some(status) = step["status"].as_u64() else {
            // The recording left this answer out; what it made still has a name that later requests use.
            setup::learn_missing(&mut names, steps, &answer.json);
            continue;
        };
        if u64::from(answer.status) != status {
            return Err(format!(
                "{path}: wanted {status}, got {} {}",
                answer.status, answer.text
            ));
        }
        setup::learn(&mut names, &step["response_body"], &answer.json);
        shape::compare(&step["response_body"], &answer.json, "body")
            .map_err(|difference| format!("{path}: {difference}"))?;
        for (header, _) in step["response_headers"].as_object().into_iter().flatten() {
            if answer.header(header).is_empty() {
                return Err(format!("{path}: the header `{header}` is missing"));
            }
        }
    }
    Ok(())
}

/// A text with the recorded ids replaced by those of this server.
fn replaced(text: &str, names: &BTreeMap<String, String>) -> String {
    names
        .iter()
        .fold(text.to_owned(), |text, (recorded, ours)| {
            text.replace(recorded, ours)
        })
}
