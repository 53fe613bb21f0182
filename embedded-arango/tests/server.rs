//! Starting, stopping, logging, and answers that do not depend on data.

mod util;

use embedded_arango::EmbeddedArango;
use reqwest::Method;
use serde_json::json;
use util::Server;

#[tokio::test]
async fn it_reports_itself_as_the_release_that_it_follows() {
    let server = Server::start().await;
    let answer = server.get("/_api/version").await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json["server"], "arango");
    assert_eq!(answer.json["version"], "3.12.10");
    assert_eq!(answer.json["license"], "community");
    assert_eq!(answer.json["apiVersions"], json!(["v0"]));
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.header("server"), "ArangoDB");
    assert_eq!(
        server.get("/_api/version?details=true").await.json["details"]["role"],
        "SINGLE"
    );
    assert_eq!(
        server.get("/_admin/server/role").await.json["role"],
        "SINGLE"
    );
    assert_eq!(
        server.get("/_admin/server/mode").await.json["mode"],
        "default"
    );
    assert_eq!(
        server.get("/_admin/status").await.json["serverInfo"]["role"],
        "SINGLE"
    );
}

#[tokio::test]
async fn an_unknown_path_is_answered_as_the_real_server_does() {
    let server = Server::start().await;
    let answer = server.get("/_api/nothing/here").await;
    assert_eq!(answer.failure(), (404, 404));
    assert_eq!(
        answer.json["errorMessage"],
        "unknown path '/_api/nothing/here'"
    );
    assert_eq!(server.get("/").await.status, 404);
    assert_eq!(server.delete("/_api/version/x").await.status, 404);
}

#[tokio::test]
async fn an_unknown_database_is_not_found() {
    let server = Server::start().await;
    let answer = server.get("/_db/nowhere/_api/version").await;
    assert_eq!(answer.failure(), (404, 1228));
    assert_eq!(answer.json["errorMessage"], "database not found");
}

#[tokio::test]
async fn a_database_with_blanks_and_accents_is_reached_by_its_encoded_name() {
    let server = Server::start().await;
    assert_eq!(
        server
            .post("/_api/database", json!({"name": "café bar"}))
            .await
            .status,
        201
    );
    let answer = server
        .get("/_db/caf%C3%A9%20bar/_api/database/current")
        .await;
    assert_eq!(answer.json["result"]["name"], "café bar");
    assert_eq!(answer.json["result"]["isSystem"], false);
    assert_eq!(
        server
            .post("/_api/database", json!({"name": "café bar"}))
            .await
            .failure(),
        (409, 1207)
    );
    assert_eq!(
        server
            .post("/_api/database", json!({"name": "_x"}))
            .await
            .failure(),
        (400, 1229)
    );
    assert_eq!(
        server
            .post("/_db/caf%C3%A9%20bar/_api/database", json!({"name": "y"}))
            .await
            .failure(),
        (403, 1230)
    );
    assert_eq!(
        server.delete("/_api/database/caf%C3%A9%20bar").await.json["result"],
        true
    );
    assert_eq!(
        server
            .delete("/_api/database/caf%C3%A9%20bar")
            .await
            .failure(),
        (404, 1228)
    );
}

#[tokio::test]
async fn a_body_that_is_no_json_is_refused_and_not_a_fault_of_the_server() {
    let server = Server::start().await;
    server.collection("c").await;
    for path in [
        "/_api/cursor",
        "/_api/explain",
        "/_api/query",
        "/_api/collection",
        "/_api/document/c",
        "/_api/index?collection=c",
        "/_api/gharial",
        "/_api/view",
        "/_api/analyzer",
        "/_api/transaction/begin",
        "/_api/database",
        "/_api/user",
        "/_open/auth",
    ] {
        for body in [
            "{",
            "nul",
            "[[[[[[",
            "\u{0}",
            "{\"query\":7}",
            "[1,2]",
            "\"text\"",
            "{\"name\":{}}",
            "{\"collections\":7}",
        ] {
            let answer = server
                .send(Method::POST, path, &[], Some(body.to_owned()))
                .await
                .expect("an answer");
            assert!(
                (400..500).contains(&answer.status)
                    || answer.status == 202 && path == "/_api/document/c",
                "{path} {body}: {}",
                answer.text
            );
        }
    }
    let answer = server
        .send(Method::POST, "/_api/collection", &[], Some("{".to_owned()))
        .await
        .expect("an answer");
    assert_eq!(answer.failure(), (400, 600));
}

#[tokio::test]
async fn a_body_that_nests_without_end_is_refused() {
    let server = Server::start().await;
    server.collection("c").await;
    let body = "[".repeat(200_000);
    let answer = server
        .send(Method::POST, "/_api/document/c", &[], Some(body))
        .await
        .expect("an answer");
    assert_eq!(answer.failure(), (400, 600));
}

#[tokio::test]
async fn a_body_beyond_the_limit_is_refused() {
    let server = Server::start_with(
        EmbeddedArango::builder()
            .password("secret")
            .max_body_bytes(100),
    )
    .await;
    let answer = server
        .post("/_api/collection", json!({"name": "x".repeat(200)}))
        .await;
    assert_eq!(answer.failure(), (413, 413));
    assert_eq!(
        server
            .post("/_api/collection", json!({"name": "x"}))
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn the_log_tells_which_requests_were_made() {
    let server = Server::start().await;
    server.running.clear_requests();
    server.get("/_api/version?details=true").await;
    server.get("/_db/nowhere/_api/x%20y").await;
    let log = server.running.requests();
    let seen: Vec<_> = log
        .iter()
        .map(|r| (&*r.method, &*r.database, &*r.path, &*r.query, r.status))
        .collect();
    assert_eq!(
        seen,
        [
            ("GET", "_system", "/_api/version", "details=true", Some(200)),
            ("GET", "nowhere", "/_api/x%20y", "", Some(404))
        ]
    );
}

#[tokio::test]
async fn after_shutdown_nobody_answers() {
    let server = Server::start().await;
    let url = server.running.url();
    assert!(
        util::client()
            .get(format!("{url}/_api/version"))
            .send()
            .await
            .is_ok()
    );
    server.running.shutdown().await.expect("an orderly end");
    assert!(
        util::client()
            .get(format!("{url}/_api/version"))
            .send()
            .await
            .is_err()
    );
}

#[tokio::test]
async fn head_has_the_headers_of_get_without_its_body() {
    let server = Server::start().await;
    server.collection("c").await;
    server.post("/_api/document/c", json!({"_key": "a"})).await;
    let answer = server
        .send(Method::HEAD, "/_api/document/c/a", &[], None)
        .await
        .expect("an answer");
    assert_eq!((answer.status, answer.text.as_str()), (200, ""));
    assert_eq!(
        answer.header("etag"),
        server.get("/_api/document/c/a").await.header("etag")
    );
}

#[tokio::test]
async fn an_asynchronous_request_is_answered_at_once_and_its_result_kept_for_its_user() {
    let server = Server::start().await;
    let store = [("x-arango-async", "store")];
    let accepted = server
        .send(Method::GET, "/_api/version", &store, None)
        .await
        .expect("an answer");
    assert_eq!((accepted.status, accepted.text.as_str()), (202, ""));
    let path = format!("/_api/job/{}", accepted.header("x-arango-async-id"));
    let result = loop {
        let result = server.put(&path, json!({})).await;
        if result.status != 204 {
            break result;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(
        (result.status, result.json["version"].clone()),
        (200, json!("3.12.10"))
    );
    assert_eq!(
        server.put(&path, json!({})).await.failure(),
        (404, 404),
        "a result is given once"
    );
    let anybody = [("x-arango-async", "store"), ("authorization", "")];
    let refused = server
        .send(Method::GET, "/_api/version", &anybody, None)
        .await
        .expect("an answer");
    assert_eq!(refused.failure(), (401, 11));
}
