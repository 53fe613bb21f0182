//! Stream transactions: what they see, what they refuse, how they end.

mod util;

use std::time::Duration;

use embedded_arango::EmbeddedArango;
use embedded_arango::storage::{Level, User};
use reqwest::Method;
use serde_json::{Value as Json, json};
use util::Server;

async fn with_collections() -> Server {
    let server = Server::start().await;
    for name in ["a", "b"] {
        server.collection(name).await;
        server
            .post(
                &format!("/_api/document/{name}"),
                json!({"_key": "k", "v": 1}),
            )
            .await;
    }
    server
}

async fn read(server: &Server, transaction: &str, path: &str) -> util::Answer {
    server
        .send(Method::GET, path, &[("x-arango-trx-id", transaction)], None)
        .await
        .expect("an answer")
}

#[tokio::test]
async fn it_reads_the_moment_of_its_beginning() {
    let server = with_collections().await;
    let transaction = server.begin(json!({"collections": {"read": "a"}})).await;
    server.patch("/_api/document/a/k", json!({"v": 2})).await;
    server
        .post("/_api/document/a", json!({"_key": "new"}))
        .await;
    assert_eq!(
        read(&server, &transaction, "/_api/document/a/k").await.json["v"],
        1
    );
    assert_eq!(
        read(&server, &transaction, "/_api/document/a/new")
            .await
            .status,
        404
    );
    assert_eq!(server.get("/_api/document/a/k").await.json["v"], 2);
}

#[tokio::test]
async fn its_writes_are_its_own_until_it_commits() {
    let server = with_collections().await;
    let transaction = server.begin(json!({"collections": {"write": ["a"]}})).await;
    server
        .within(
            &transaction,
            Method::PATCH,
            "/_api/document/a/k",
            json!({"v": 9}),
        )
        .await;
    assert_eq!(
        read(&server, &transaction, "/_api/document/a/k").await.json["v"],
        9
    );
    assert_eq!(server.get("/_api/document/a/k").await.json["v"], 1);
    let path = format!("/_api/transaction/{transaction}");
    let done = server.put(&path, Json::Null).await;
    assert_eq!(
        (done.status, done.json["result"]["status"].clone()),
        (200, json!("committed"))
    );
    assert_eq!(server.get("/_api/document/a/k").await.json["v"], 9);
    assert_eq!(
        server.get(&path).await.json["result"]["status"],
        "committed"
    );
    assert_eq!(server.put(&path, Json::Null).await.status, 200);
    assert_eq!(server.delete(&path).await.failure(), (400, 1653));
    assert_eq!(
        read(&server, &transaction, "/_api/document/a/k")
            .await
            .failure(),
        (400, 1653)
    );
}

#[tokio::test]
async fn aborting_leaves_the_data_as_it_was() {
    let server = with_collections().await;
    let before = server.running.digest("_system").expect("a database");
    let transaction = server.begin(json!({"collections": {"write": "a"}})).await;
    server
        .within(
            &transaction,
            Method::DELETE,
            "/_api/document/a/k",
            Json::Null,
        )
        .await;
    let path = format!("/_api/transaction/{transaction}");
    assert_eq!(server.running.stats().open_transactions, 1);
    let done = server.delete(&path).await;
    assert_eq!(done.json["result"]["status"], "aborted");
    assert_eq!(server.running.stats().open_transactions, 0);
    assert_eq!(
        server.running.digest("_system").expect("a database"),
        before
    );
    assert_eq!(server.delete(&path).await.status, 200);
    assert_eq!(
        read(&server, &transaction, "/_api/document/a/k")
            .await
            .failure(),
        (410, 1654)
    );
}

#[tokio::test]
async fn what_it_did_not_declare_is_refused() {
    let server = with_collections().await;
    let closed = server
        .begin(json!({"collections": {"read": "a"}, "allowImplicit": false}))
        .await;
    let refused = read(&server, &closed, "/_api/document/b/k").await;
    assert_eq!(refused.failure(), (400, 1652));
    assert_eq!(
        refused.json["errorMessage"],
        "unregistered collection used in transaction: b [read]"
    );
    let open = server.begin(json!({"collections": {"read": "a"}})).await;
    assert_eq!(read(&server, &open, "/_api/document/b/k").await.status, 200);
    for (transaction, collection) in [(&closed, "a"), (&closed, "b"), (&open, "a"), (&open, "b")] {
        let path = format!("/_api/document/{collection}");
        let refused = server
            .within(transaction, Method::POST, &path, json!({}))
            .await;
        assert_eq!(refused.failure(), (400, 1652));
        let message = format!("unregistered collection used in transaction: {collection} [write]");
        assert_eq!(refused.json["errorMessage"], message);
    }
    let nested = json!({"collections": {"read": "a", "allowImplicit": false}});
    let nested = server.begin(nested).await;
    assert_eq!(
        read(&server, &nested, "/_api/document/b/k").await.status,
        200,
        "only the top level counts"
    );
}

#[tokio::test]
async fn it_begins_only_with_collections_that_exist() {
    let server = with_collections().await;
    let begin = "/_api/transaction/begin";
    assert_eq!(server.post(begin, json!({})).await.failure(), (400, 10));
    assert_eq!(
        server
            .post(begin, json!({"collections": {"read": [7]}}))
            .await
            .failure(),
        (400, 10)
    );
    let unknown = server
        .post(begin, json!({"collections": {"read": "none"}}))
        .await;
    assert_eq!(unknown.failure(), (404, 1203));
    assert_eq!(
        unknown.json["errorMessage"],
        "collection or view not found: none"
    );
    let body = json!({"collections": {}}).to_string();
    let nested = server
        .send(Method::POST, begin, &[("x-arango-trx-id", "1")], Some(body))
        .await
        .expect("an answer");
    assert_eq!(nested.failure(), (400, 1651));
    assert_eq!(server.running.stats().open_transactions, 0);
}

#[tokio::test]
async fn an_unknown_or_foreign_one_is_not_found() {
    let mut other = User::new("other", "o");
    other.grant_database("_system", Level::ReadWrite);
    let mut server =
        Server::start_with(EmbeddedArango::builder().password("secret").user(other)).await;
    server.collection("a").await;
    let transaction = server.begin(json!({"collections": {"read": "a"}})).await;
    let path = format!("/_api/transaction/{transaction}");
    assert_eq!(
        server.get("/_api/transaction").await.json["transactions"],
        json!([{"id": transaction, "state": "running"}])
    );
    server.login("other", "o");
    for answer in [
        server.get(&path).await,
        server.put(&path, Json::Null).await,
        server.delete(&path).await,
        server.get("/_api/transaction/999999").await,
    ] {
        assert_eq!(answer.failure(), (404, 1655), "{}", answer.text);
    }
    assert_eq!(
        server.get("/_api/transaction/abc").await.failure(),
        (400, 10)
    );
    assert_eq!(server.running.stats().open_transactions, 1);
}

#[tokio::test]
async fn it_ends_by_itself_when_nobody_uses_it() {
    let builder = EmbeddedArango::builder()
        .password("secret")
        .transaction_idle(Duration::ZERO);
    let server = Server::start_with(builder).await;
    server.collection("a").await;
    let transaction = server.begin(json!({"collections": {"read": "a"}})).await;
    let answer = server
        .get(&format!("/_api/transaction/{transaction}"))
        .await;
    assert_eq!(answer.failure(), (404, 1655));
    assert_eq!(
        answer.json["errorMessage"],
        format!("transaction '{transaction}' has already expired")
    );
    assert_eq!(server.running.stats().open_transactions, 0);
}

#[tokio::test]
async fn of_two_that_change_one_document_the_second_to_commit_fails() {
    let server = with_collections().await;
    let first = server.begin(json!({"collections": {"write": "a"}})).await;
    let second = server.begin(json!({"collections": {"write": "a"}})).await;
    server
        .within(&first, Method::PATCH, "/_api/document/a/k", json!({"v": 2}))
        .await;
    server
        .within(
            &second,
            Method::PATCH,
            "/_api/document/a/k",
            json!({"v": 3}),
        )
        .await;
    server
        .within(
            &second,
            Method::POST,
            "/_api/document/a",
            json!({"_key": "x"}),
        )
        .await;
    assert_eq!(
        server
            .put(&format!("/_api/transaction/{first}"), Json::Null)
            .await
            .status,
        200
    );
    assert_eq!(
        server
            .put(&format!("/_api/transaction/{second}"), Json::Null)
            .await
            .failure(),
        (409, 1200)
    );
    assert_eq!(server.get("/_api/document/a/k").await.json["v"], 2);
    assert_eq!(server.get("/_api/document/a/x").await.status, 404);
}

#[tokio::test]
async fn two_that_change_different_documents_both_commit() {
    let server = with_collections().await;
    let first = server.begin(json!({"collections": {"write": "a"}})).await;
    let second = server.begin(json!({"collections": {"write": "a"}})).await;
    server
        .within(
            &first,
            Method::POST,
            "/_api/document/a",
            json!({"_key": "x"}),
        )
        .await;
    server
        .within(
            &second,
            Method::POST,
            "/_api/document/a",
            json!({"_key": "y"}),
        )
        .await;
    for transaction in [first, second] {
        assert_eq!(
            server
                .put(&format!("/_api/transaction/{transaction}"), Json::Null)
                .await
                .status,
            200
        );
    }
    assert_eq!(
        server.get("/_api/collection/a/count").await.json["count"],
        3
    );
}

#[tokio::test]
async fn one_with_exclusive_access_keeps_writers_out() {
    let server = with_collections().await;
    let exclusive = server
        .begin(json!({"collections": {"exclusive": "a"}}))
        .await;
    let late = json!({"collections": {"write": "a"}, "lockTimeout": 0});
    assert_eq!(
        server
            .post("/_api/transaction/begin", late.clone())
            .await
            .failure(),
        (500, 18)
    );
    server
        .delete(&format!("/_api/transaction/{exclusive}"))
        .await;
    assert_eq!(
        server.post("/_api/transaction/begin", late).await.status,
        201
    );
}

#[tokio::test]
async fn one_that_runs_javascript_is_refused() {
    let server = with_collections().await;
    let body = json!({"collections": {"write": "a"}, "action": "function () { return 1; }"});
    assert_eq!(
        server.post("/_api/transaction", body).await.failure(),
        (501, 9)
    );
}
