//! The document API, one document and many.

mod util;

use reqwest::Method;
use serde_json::json;
use util::Server;

async fn with_collection() -> Server {
    let server = Server::start().await;
    server.collection("c").await;
    server
}

#[tokio::test]
async fn a_new_document_gets_key_id_and_revision_in_front_of_its_attributes() {
    let server = with_collection().await;
    let answer = server
        .post("/_api/document/c?returnNew=true", json!({"a": 2, "z": 1}))
        .await;
    assert_eq!(answer.status, 202);
    let key = answer.json["_key"].as_str().expect("a key");
    assert_eq!(answer.json["_id"], format!("c/{key}"));
    assert_eq!(
        answer.header("location"),
        format!("/_db/_system/_api/document/c/{key}")
    );
    assert_eq!(
        answer.header("etag"),
        format!("\"{}\"", answer.json["_rev"].as_str().expect("a revision"))
    );
    let revision = answer.json["_rev"].as_str().expect("a revision");
    let text = server.get(&format!("/_api/document/c/{key}")).await.text;
    assert_eq!(
        text,
        format!(
            "{{\"_key\":\"{key}\",\"_id\":\"c/{key}\",\"_rev\":\"{revision}\",\"a\":2,\"z\":1}}"
        )
    );
}

#[tokio::test]
async fn a_key_that_exists_is_a_unique_constraint_violation() {
    let server = with_collection().await;
    assert_eq!(
        server
            .post("/_api/document/c", json!({"_key": "k"}))
            .await
            .status,
        202
    );
    let answer = server.post("/_api/document/c", json!({"_key": "k"})).await;
    assert_eq!(answer.failure(), (409, 1210));
    assert_eq!(
        answer.json["errorMessage"],
        "unique constraint violated - in index primary of type primary over '_key'; conflicting key: k"
    );
}

#[tokio::test]
async fn an_illegal_key_or_document_is_refused() {
    let server = with_collection().await;
    for key in [
        json!("a/b"),
        json!(""),
        json!(7),
        json!(null),
        json!("x".repeat(255)),
    ] {
        assert_eq!(
            server
                .post("/_api/document/c", json!({"_key": key}))
                .await
                .failure(),
            (400, 1221),
            "{key}"
        );
    }
    assert_eq!(
        server
            .post("/_api/document/c", json!("text"))
            .await
            .failure(),
        (400, 1227)
    );
    assert_eq!(
        server
            .post("/_api/document/nowhere", json!({}))
            .await
            .failure(),
        (404, 1203)
    );
    assert_eq!(
        server.get("/_api/document/c/none").await.failure(),
        (404, 1202)
    );
}

#[tokio::test]
async fn overwrite_modes_keep_replace_or_merge() {
    let server = with_collection().await;
    server
        .post("/_api/document/c", json!({"_key": "k", "a": 1}))
        .await;
    let get = async || server.get("/_api/document/c/k").await.json;
    let answer = server
        .post(
            "/_api/document/c?overwriteMode=ignore",
            json!({"_key": "k", "b": 2}),
        )
        .await;
    assert!(answer.json.get("_oldRev").is_none());
    assert_eq!(get().await["a"], 1);
    let answer = server
        .post(
            "/_api/document/c?overwriteMode=update",
            json!({"_key": "k", "b": 2}),
        )
        .await;
    assert!(answer.json["_oldRev"].is_string());
    assert_eq!(
        (get().await["a"].clone(), get().await["b"].clone()),
        (json!(1), json!(2))
    );
    server
        .post(
            "/_api/document/c?overwrite=true",
            json!({"_key": "k", "c": 3}),
        )
        .await;
    assert_eq!(
        (get().await["a"].clone(), get().await["c"].clone()),
        (json!(null), json!(3))
    );
    assert_eq!(
        server
            .post("/_api/document/c?overwriteMode=other", json!({}))
            .await
            .failure(),
        (400, 10)
    );
}

#[tokio::test]
async fn an_update_merges_objects_and_drops_nulls_only_when_asked() {
    let server = with_collection().await;
    server
        .post(
            "/_api/document/c",
            json!({"_key": "k", "o": {"a": 1}, "x": 1}),
        )
        .await;
    server
        .patch("/_api/document/c/k", json!({"o": {"b": 2}, "x": null}))
        .await;
    let got = server.get("/_api/document/c/k").await.json;
    assert_eq!(
        (got["o"].clone(), got.get("x")),
        (json!({"a": 1, "b": 2}), Some(&json!(null)))
    );
    server
        .patch(
            "/_api/document/c/k?keepNull=false",
            json!({"x": null, "o": {"a": null}}),
        )
        .await;
    let got = server.get("/_api/document/c/k").await.json;
    assert_eq!((got["o"].clone(), got.get("x")), (json!({"b": 2}), None));
    server
        .patch(
            "/_api/document/c/k?mergeObjects=false",
            json!({"o": {"c": 3}}),
        )
        .await;
    assert_eq!(
        server.get("/_api/document/c/k").await.json["o"],
        json!({"c": 3})
    );
}

#[tokio::test]
async fn a_revision_that_does_not_match_fails_the_precondition() {
    let server = with_collection().await;
    server.post("/_api/document/c", json!({"_key": "k"})).await;
    let wrong = [("if-match", "\"_wrong\"")];
    for method in [Method::GET, Method::PUT, Method::PATCH, Method::DELETE] {
        let answer = server
            .send(method, "/_api/document/c/k", &wrong, Some("{}".to_owned()))
            .await
            .expect("an answer");
        assert_eq!(answer.failure(), (412, 1200));
        assert_eq!(answer.json["_key"], "k");
    }
    let answer = server
        .put(
            "/_api/document/c/k?ignoreRevs=false",
            json!({"_rev": "_wrong"}),
        )
        .await;
    assert_eq!(answer.failure(), (412, 1200));
    let etag = server
        .get("/_api/document/c/k")
        .await
        .header("etag")
        .to_owned();
    let same = [("if-none-match", etag.as_str())];
    let answer = server
        .send(Method::GET, "/_api/document/c/k", &same, None)
        .await
        .expect("an answer");
    assert_eq!((answer.status, answer.text.as_str()), (304, ""));
    let right = [("if-match", etag.as_str())];
    assert_eq!(
        server
            .send(Method::DELETE, "/_api/document/c/k", &right, None)
            .await
            .expect("an answer")
            .status,
        202
    );
}

#[tokio::test]
async fn of_many_documents_each_succeeds_or_fails_for_itself() {
    let server = with_collection().await;
    let answer = server
        .post(
            "/_api/document/c",
            json!([{"_key": "1"}, {"_key": "1"}, {"_key": "a/b"}, 7, {"_key": "2"}]),
        )
        .await;
    assert_eq!(answer.status, 202);
    let numbers: Vec<_> = answer
        .json
        .as_array()
        .expect("an array")
        .iter()
        .map(|row| row["errorNum"].as_u64())
        .collect();
    assert_eq!(numbers, [None, Some(1210), Some(1221), Some(1227), None]);
    assert_eq!(
        answer.header("x-arango-error-codes"),
        "{\"1210\":1,\"1221\":1,\"1227\":1}"
    );
    assert_eq!(
        server.get("/_api/collection/c/count").await.json["count"],
        2
    );
    let answer = server
        .put(
            "/_api/document/c?onlyget=true",
            json!(["1", {"_key": "2"}, "3"]),
        )
        .await;
    assert_eq!(answer.status, 200);
    assert_eq!(
        (
            &answer.json[0]["_key"],
            &answer.json[1]["_key"],
            &answer.json[2]["errorNum"]
        ),
        (&json!("1"), &json!("2"), &json!(1202))
    );
    let answer = server
        .patch("/_api/document/c", json!([{"_key": "1", "v": 1}, {"v": 2}]))
        .await;
    assert_eq!(
        (
            answer.json[0]["_key"].clone(),
            answer.json[1]["errorNum"].clone()
        ),
        (json!("1"), json!(1226))
    );
    let answer = server
        .send(
            Method::DELETE,
            "/_api/document/c?silent=true",
            &[],
            Some("[\"1\",\"2\"]".to_owned()),
        )
        .await
        .expect("an answer");
    assert_eq!((answer.status, answer.text.as_str()), (202, "[]"));
}

#[tokio::test]
async fn an_edge_needs_both_ends() {
    let server = Server::start().await;
    server
        .post("/_api/collection", json!({"name": "e", "type": 3}))
        .await;
    assert_eq!(
        server
            .post("/_api/document/e", json!({"_from": "v/1"}))
            .await
            .failure(),
        (400, 1233)
    );
    assert_eq!(
        server
            .post(
                "/_api/document/e",
                json!({"_from": "v/1", "_to": "nowhere"})
            )
            .await
            .failure(),
        (400, 1233)
    );
    let answer = server
        .post(
            "/_api/document/e?returnNew=true",
            json!({"x": 1, "_to": "v/2", "_from": "v/1"}),
        )
        .await;
    assert_eq!(answer.status, 202);
    let edges = server.get("/_api/edges/e?vertex=v/1&direction=out").await;
    assert_eq!(edges.json["edges"][0]["_to"], "v/2");
    assert_eq!(
        server
            .get("/_api/edges/e?vertex=v/1&direction=in")
            .await
            .json["edges"],
        json!([])
    );
}

#[tokio::test]
async fn waiting_for_the_disk_changes_the_status_and_nothing_else() {
    let server = Server::start().await;
    server
        .post(
            "/_api/collection",
            json!({"name": "s", "waitForSync": true}),
        )
        .await;
    assert_eq!(
        server
            .post("/_api/document/s", json!({"_key": "k"}))
            .await
            .status,
        201
    );
    assert_eq!(
        server.put("/_api/document/s/k", json!({})).await.status,
        201
    );
    assert_eq!(server.delete("/_api/document/s/k").await.status, 200);
}

#[tokio::test]
async fn an_import_counts_what_came_and_what_did_not() {
    let server = with_collection().await;
    let import = async |query: &str, body: &str| {
        let path = format!("/_api/import?collection=c&{query}");
        server
            .send(Method::POST, &path, &[], Some(body.to_owned()))
            .await
            .expect("an answer")
    };
    let answer = import(
        "type=documents",
        "{\"_key\":\"1\"}\n\n{\"_key\":\"1\"}\nnonsense",
    )
    .await;
    assert_eq!(answer.status, 201);
    assert_eq!(
        answer.json,
        json!({"error": false, "created": 1, "errors": 2, "empty": 1, "updated": 0, "ignored": 0})
    );
    let answer = import(
        "type=list&onDuplicate=update",
        "[{\"_key\":\"1\",\"v\":2},{\"_key\":\"2\"}]",
    )
    .await;
    assert_eq!(
        (
            answer.json["created"].clone(),
            answer.json["updated"].clone()
        ),
        (json!(1), json!(1))
    );
    let answer = import("", "[\"_key\",\"v\"]\n[\"3\",5]\n[\"4\"]").await;
    assert_eq!(
        (
            answer.json["created"].clone(),
            answer.json["errors"].clone()
        ),
        (json!(1), json!(1))
    );
    assert_eq!(server.get("/_api/document/c/3").await.json["v"], 5);
    let answer = import(
        "type=list&complete=true",
        "[{\"_key\":\"9\"},{\"_key\":\"9\"}]",
    )
    .await;
    assert_eq!(answer.failure(), (409, 1210));
    assert_eq!(server.get("/_api/document/c/9").await.status, 404);
}

#[tokio::test]
async fn generated_keys_follow_the_options_of_the_collection() {
    let server = Server::start().await;
    let options =
        json!({"type": "autoincrement", "offset": 10, "increment": 5, "allowUserKeys": false});
    server
        .post(
            "/_api/collection",
            json!({"name": "n", "keyOptions": options}),
        )
        .await;
    let mut keys = Vec::new();
    for _ in 0..3 {
        keys.push(server.post("/_api/document/n", json!({})).await.json["_key"].clone());
    }
    assert_eq!(keys, ["10", "15", "20"]);
    assert_eq!(
        server
            .post("/_api/document/n", json!({"_key": "x"}))
            .await
            .failure(),
        (400, 1222)
    );
}
