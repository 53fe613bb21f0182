//! Schemas of collections.

mod util;

use serde_json::{Value as Json, json};
use util::Server;

async fn with_level(level: &str) -> Server {
    let server = Server::start().await;
    let rule = json!({
        "properties": {"age": {"type": "number", "minimum": 0}},
        "required": ["age"],
        "additionalProperties": false,
    });
    let schema = json!({"rule": rule, "level": level, "message": "an age, please"});
    let created = server
        .post(
            "/_api/collection",
            json!({"name": "people", "schema": schema}),
        )
        .await;
    assert_eq!(created.status, 200, "{}", created.text);
    assert_eq!(created.json["schema"]["level"], level);
    assert_eq!(created.json["schema"]["type"], "json");
    server
}

#[tokio::test]
async fn a_strict_schema_refuses_invalid_documents_by_every_way_in() {
    let server = with_level("strict").await;
    let good = server
        .post("/_api/document/people", json!({"_key": "a", "age": 1}))
        .await;
    assert_eq!(good.status, 202, "{}", good.text);
    for body in [json!({}), json!({"age": -1}), json!({"age": 1, "more": 2})] {
        let refused = server.post("/_api/document/people", body).await;
        assert_eq!(refused.failure(), (400, 1620));
        assert_eq!(refused.json["errorMessage"], "an age, please");
    }
    let patched = server
        .patch("/_api/document/people/a", json!({"age": "old"}))
        .await;
    assert_eq!(patched.failure(), (400, 1620));
    let replaced = server.put("/_api/document/people/a", json!({})).await;
    assert_eq!(replaced.failure(), (400, 1620));
    for query in [
        "INSERT {age: 'x'} INTO people",
        "UPDATE 'a' WITH {age: null} IN people",
        "REPLACE 'a' WITH {} IN people",
        "UPSERT {age: 9} INSERT {age: false} UPDATE {} IN people",
    ] {
        let refused = server.post("/_api/cursor", json!({"query": query})).await;
        assert_eq!(refused.failure(), (400, 1620), "{query}");
    }
    let kept = server
        .post(
            "/_api/cursor",
            json!({"query": "FOR p IN people RETURN p.age"}),
        )
        .await;
    assert_eq!(kept.json["result"], json!([1]));
}

#[tokio::test]
async fn the_level_says_which_writes_are_checked() {
    let cases = [
        // level, insert, update of a valid one, update of an invalid one
        ("none", 202, 202, 202),
        ("new", 400, 202, 202),
        ("moderate", 400, 400, 202),
        ("strict", 400, 400, 400),
    ];
    for (level, inserted, valid, invalid) in cases {
        let server = with_level("none").await;
        for document in [json!({"_key": "good", "age": 1}), json!({"_key": "bad"})] {
            server.post("/_api/document/people", document).await;
        }
        let rule =
            server.get("/_api/collection/people/properties").await.json["schema"]["rule"].clone();
        server
            .put(
                "/_api/collection/people/properties",
                json!({"schema": {"rule": rule, "level": level}}),
            )
            .await;
        let insert = server.post("/_api/document/people", json!({})).await;
        assert_eq!(insert.status, inserted, "{level}");
        for (key, status) in [("good", valid), ("bad", invalid)] {
            let changed = server
                .patch(&format!("/_api/document/people/{key}"), json!({"age": "x"}))
                .await;
            assert_eq!(changed.status, status, "{level} {key}");
        }
    }
}

#[tokio::test]
async fn a_schema_is_taken_off_by_an_empty_one_and_a_wrong_one_is_refused() {
    let server = with_level("strict").await;
    for schema in [
        json!({"rule": 1}),
        json!({"rule": {}, "level": "harsh"}),
        json!({"rule": {"type": "nothing"}}),
        json!({"level": "strict"}),
        json!("text"),
    ] {
        let refused = server
            .put(
                "/_api/collection/people/properties",
                json!({"schema": schema}),
            )
            .await;
        assert_eq!(refused.failure(), (400, 1621), "{schema}");
    }
    server
        .put("/_api/collection/people/properties", json!({"schema": {}}))
        .await;
    let shown = server.get("/_api/collection/people/properties").await;
    assert_eq!(shown.json["schema"], Json::Null);
    let any = server.post("/_api/document/people", json!({"x": 1})).await;
    assert_eq!(any.status, 202);
}

#[tokio::test]
async fn queries_read_and_try_a_schema() {
    let server = with_level("strict").await;
    let query = "LET s = SCHEMA_GET('people') RETURN [s.level, SCHEMA_VALIDATE({age: 3}, s), \
                 SCHEMA_VALIDATE({_key: 'k'}, s), SCHEMA_VALIDATE({}, null), SCHEMA_VALIDATE(1, s)]";
    let answer = server.post("/_api/cursor", json!({"query": query})).await;
    assert_eq!(
        answer.json["result"][0],
        json!(["strict", {"valid": true}, {"valid": false, "errorMessage": "an age, please"}, {"valid": true}, null])
    );
    assert_eq!(answer.json["extra"]["warnings"][0]["code"], 1542);
}
