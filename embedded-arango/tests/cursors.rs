//! Queries over HTTP: cursors, explain, and what stops a query.

mod util;

use std::time::Duration;

use embedded_arango::EmbeddedArango;
use embedded_arango::storage::{Level, User};
use reqwest::Method;
use serde_json::{Value as Json, json};
use util::{Answer, Server};

async fn with_numbers() -> Server {
    let server = Server::start().await;
    server.collection("c").await;
    server.collection("d").await;
    let documents: Vec<Json> = (1..=5)
        .map(|n| json!({"_key": n.to_string(), "n": n}))
        .collect();
    server
        .post("/_api/document/c", Json::Array(documents))
        .await;
    server
}

async fn query(server: &Server, text: &str) -> Answer {
    server.post("/_api/cursor", json!({"query": text})).await
}

async fn query_within(server: &Server, transaction: &str, text: &str) -> Answer {
    server
        .within(
            transaction,
            Method::POST,
            "/_api/cursor",
            json!({"query": text}),
        )
        .await
}

#[tokio::test]
async fn a_result_that_fits_has_no_cursor() {
    let server = with_numbers().await;
    let answer = server
        .post(
            "/_api/cursor",
            json!({"query": "FOR x IN c SORT x.n RETURN x.n", "count": true}),
        )
        .await;
    assert_eq!(
        (answer.status, answer.json["result"].clone()),
        (201, json!([1, 2, 3, 4, 5]))
    );
    assert_eq!(
        (answer.json["hasMore"].clone(), answer.json["count"].clone()),
        (json!(false), json!(5))
    );
    assert!(answer.json.get("id").is_none() && answer.json.get("nextBatchId").is_none());
    assert!(answer.text.starts_with("{\"result\":[1,2,3,4,5],\"hasMore\":false,\"count\":5,\"cached\":false,\"extra\":{\"warnings\":[],\"stats\":{\"writesExecuted\":0,"), "{}", answer.text);
    assert_eq!(server.running.stats().open_cursors, 0);
}

#[tokio::test]
async fn batches_follow_each_other_until_the_rows_end() {
    let server = with_numbers().await;
    let first = server
        .post(
            "/_api/cursor",
            json!({"query": "FOR x IN c SORT x.n RETURN x.n", "batchSize": 2}),
        )
        .await;
    assert_eq!(
        (
            first.json["result"].clone(),
            first.json["nextBatchId"].clone()
        ),
        (json!([1, 2]), json!("2"))
    );
    assert_eq!(server.running.stats().open_cursors, 1);
    let path = format!("/_api/cursor/{}", first.json["id"].as_str().expect("an id"));
    let second = server.post(&path, Json::Null).await;
    assert_eq!(
        (
            second.status,
            second.json["result"].clone(),
            second.json["hasMore"].clone()
        ),
        (200, json!([3, 4]), json!(true))
    );
    let third = server.put(&path, Json::Null).await;
    assert_eq!(
        (third.json["result"].clone(), third.json["hasMore"].clone()),
        (json!([5]), json!(false))
    );
    assert_eq!(server.post(&path, Json::Null).await.failure(), (404, 1600));
    assert_eq!(server.running.stats().open_cursors, 0);
}

#[tokio::test]
async fn a_cursor_can_be_ended_early() {
    let server = with_numbers().await;
    let first = server
        .post(
            "/_api/cursor",
            json!({"query": "FOR x IN c RETURN x", "batchSize": 1}),
        )
        .await;
    let path = format!("/_api/cursor/{}", first.json["id"].as_str().expect("an id"));
    let ended = server.delete(&path).await;
    assert_eq!(
        (ended.status, ended.json["id"].clone()),
        (202, first.json["id"].clone())
    );
    assert_eq!(server.delete(&path).await.failure(), (404, 1600));
}

#[tokio::test]
async fn a_batch_is_given_again_where_that_was_asked_for() {
    let server = with_numbers().await;
    let body = json!({"query": "FOR x IN c SORT x.n RETURN x.n", "batchSize": 2, "options": {"allowRetry": true}});
    let first = server.post("/_api/cursor", body).await;
    let path = format!("/_api/cursor/{}", first.json["id"].as_str().expect("an id"));
    let second = server.post(&format!("{path}/2"), Json::Null).await;
    assert_eq!(
        server.post(&format!("{path}/2"), Json::Null).await.text,
        second.text
    );
    let third = server.post(&format!("{path}/3"), Json::Null).await;
    assert_eq!(
        server.post(&format!("{path}/3"), Json::Null).await.text,
        third.text
    );
    assert_eq!(
        server
            .post(&format!("{path}/2"), Json::Null)
            .await
            .failure(),
        (404, 1600)
    );
}

#[tokio::test]
async fn a_request_that_is_none_is_refused() {
    let server = with_numbers().await;
    for (body, failure) in [
        (json!({}), (400, 1502)),
        (json!({"query": ""}), (400, 1502)),
        (json!({"query": "RETURN 1", "bindVars": [1]}), (400, 17)),
        (json!({"query": "RETURN 1", "batchSize": 0}), (400, 17)),
        (json!({"query": "RETURN 1", "batchSize": -1}), (400, 17)),
        (
            json!({"query": "RETURN 1", "count": true, "stream": true}),
            (400, 10),
        ),
        (json!({"query": "RETRUN 1"}), (400, 1501)),
        (json!({"query": "RETURN @x"}), (400, 1551)),
        (
            json!({"query": "RETURN 1", "bindVars": {"x": 1}}),
            (400, 1552),
        ),
        (json!({"query": "FOR x IN nowhere RETURN x"}), (404, 1203)),
    ] {
        assert_eq!(
            server.post("/_api/cursor", body.clone()).await.failure(),
            failure,
            "{body}"
        );
    }
    assert_eq!(
        server.put("/_api/cursor", json!({})).await.failure(),
        (400, 400)
    );
}

#[tokio::test]
async fn a_query_that_fails_writes_nothing() {
    let server = with_numbers().await;
    let before = server.running.digest("_system").expect("a database");
    let answer = query(
        &server,
        "FOR x IN c LET y = x.n == 5 ? FAIL('stop') : x INSERT {n: y.n} INTO d",
    )
    .await;
    assert_eq!(answer.failure(), (400, 1569));
    assert_eq!(
        server.running.digest("_system").expect("a database"),
        before
    );
    let transaction = server
        .begin(json!({"collections": {"write": ["c", "d"]}}))
        .await;
    assert_eq!(
        query_within(&server, &transaction, "INSERT {_key: 'kept'} INTO d")
            .await
            .status,
        201
    );
    assert_eq!(
        query_within(
            &server,
            &transaction,
            "FOR x IN ['one', 'kept'] INSERT {_key: x} INTO d"
        )
        .await
        .failure(),
        (409, 1210)
    );
    server
        .put(&format!("/_api/transaction/{transaction}"), Json::Null)
        .await;
    assert_eq!(
        query(&server, "FOR x IN d RETURN x._key").await.json["result"],
        json!(["kept"])
    );
}

#[tokio::test]
async fn a_transaction_of_reads_refuses_queries_that_write() {
    let server = with_numbers().await;
    let before = server.running.digest("_system").expect("a database");
    let transaction = server
        .begin(json!({"collections": {"read": ["c"]}, "allowImplicit": false}))
        .await;
    assert_eq!(
        query_within(&server, &transaction, "FOR x IN c RETURN x")
            .await
            .status,
        201
    );
    for text in [
        "FOR x IN c REMOVE x IN c",
        "INSERT {} INTO c",
        "INSERT {} INTO d",
        "FOR x IN c UPDATE x WITH {n: 0} IN c",
        "FOR x IN c UPSERT {n: 1} INSERT {} UPDATE {} IN c",
        "FOR x IN c INSERT x INTO c OPTIONS {exclusive: true}",
        "FOR x IN d RETURN x",
        "RETURN DOCUMENT('d/1')",
        "RETURN LENGTH(d)",
    ] {
        assert_eq!(
            query_within(&server, &transaction, text).await.failure(),
            (400, 1652),
            "{text}"
        );
    }
    server
        .put(&format!("/_api/transaction/{transaction}"), Json::Null)
        .await;
    assert_eq!(
        server.running.digest("_system").expect("a database"),
        before
    );
}

#[tokio::test]
async fn queries_of_a_transaction_see_its_snapshot_and_its_writes() {
    let server = with_numbers().await;
    let transaction = server.begin(json!({"collections": {"write": ["c"]}})).await;
    query(&server, "REMOVE '5' IN c").await;
    query_within(&server, &transaction, "UPDATE '1' WITH {n: 10} IN c").await;
    let sum = "RETURN SUM(FOR x IN c RETURN x.n)";
    assert_eq!(
        query_within(&server, &transaction, sum).await.json["result"],
        json!([24])
    );
    assert_eq!(query(&server, sum).await.json["result"], json!([10]));
    server
        .put(&format!("/_api/transaction/{transaction}"), Json::Null)
        .await;
    assert_eq!(query(&server, sum).await.json["result"], json!([19]));
}

#[tokio::test]
async fn a_cursor_with_rows_left_keeps_its_transaction_until_it_ends() {
    let builder = EmbeddedArango::builder()
        .password("secret")
        .transaction_patience(Duration::ZERO);
    let server = Server::start_with(builder).await;
    server.collection("c").await;
    let transaction = server.begin(json!({"collections": {"read": ["c"]}})).await;
    let body = json!({"query": "FOR n IN 1..5 RETURN n", "batchSize": 2});
    let first = server
        .within(&transaction, Method::POST, "/_api/cursor", body.clone())
        .await;
    assert_eq!(first.status, 201);
    assert_eq!(
        query_within(&server, &transaction, "RETURN 1")
            .await
            .failure(),
        (500, 28)
    );
    server
        .delete(&format!(
            "/_api/cursor/{}",
            first.json["id"].as_str().expect("an id")
        ))
        .await;
    assert_eq!(
        query_within(&server, &transaction, "RETURN 1").await.status,
        201
    );
    server
        .within(&transaction, Method::POST, "/_api/cursor", body)
        .await;
    assert_eq!(server.running.stats().open_cursors, 1);
    assert_eq!(
        server
            .delete(&format!("/_api/transaction/{transaction}"))
            .await
            .status,
        200
    );
    let stats = server.running.stats();
    assert_eq!(
        (stats.open_cursors, stats.open_transactions),
        (0, 0),
        "aborting ends the cursor"
    );
}

#[tokio::test]
async fn a_query_ends_when_its_time_is_over() {
    let server = with_numbers().await;
    let body = json!({"query": "FOR x IN 1..1000000000 FILTER x < 0 RETURN x", "options": {"maxRuntime": 0.01}});
    assert_eq!(
        server.post("/_api/cursor", body).await.failure(),
        (410, 1500)
    );
    let body = json!({"query": "RETURN SLEEP(3600)", "options": {"maxRuntime": 0.01}});
    assert_eq!(
        server.post("/_api/cursor", body).await.failure(),
        (410, 1500)
    );
}

#[tokio::test]
async fn a_running_query_is_listed_and_can_be_killed() {
    let server = with_numbers().await;
    let running = query(&server, "RETURN SLEEP(3600)");
    let kill = async {
        loop {
            let list = server.get("/_api/query/current").await;
            if let Some(id) = list.json[0]["id"].as_str() {
                assert_eq!(list.json[0]["query"], "RETURN SLEEP(3600)");
                return server.delete(&format!("/_api/query/{id}")).await.status;
            }
            tokio::task::yield_now().await;
        }
    };
    let (answer, killed) = tokio::join!(running, kill);
    assert_eq!((answer.failure(), killed), ((410, 1500), 200));
    assert_eq!(server.get("/_api/query/current").await.json, json!([]));
    assert_eq!(
        server.delete("/_api/query/123456").await.failure(),
        (404, 1591)
    );
}

#[tokio::test]
async fn a_query_that_holds_too_much_is_stopped() {
    let server = with_numbers().await;
    let body = json!({"query": "FOR i IN 1..100000 SORT i RETURN i", "memoryLimit": 100_000});
    assert_eq!(server.post("/_api/cursor", body).await.failure(), (500, 32));
}

#[tokio::test]
async fn explaining_runs_nothing_and_ignores_the_transaction() {
    let server = with_numbers().await;
    let before = server.running.digest("_system").expect("a database");
    let answer = server
        .post(
            "/_api/explain",
            json!({"query": "FOR x IN c REMOVE x IN c"}),
        )
        .await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json["plan"]["isModificationQuery"], true);
    assert_eq!(
        answer.json["plan"]["collections"],
        json!([{"name": "c", "type": "write"}])
    );
    assert_eq!(
        server.running.digest("_system").expect("a database"),
        before
    );
    let transaction = server
        .begin(json!({"collections": {"read": ["c"]}, "allowImplicit": false}))
        .await;
    let answer = server
        .within(
            &transaction,
            Method::POST,
            "/_api/explain",
            json!({"query": "FOR x IN d RETURN x"}),
        )
        .await;
    assert_eq!(
        (
            answer.status,
            answer.json["plan"]["isModificationQuery"].clone()
        ),
        (200, json!(false))
    );
    assert_eq!(server.get("/_api/explain").await.status, 501);
    assert_eq!(
        server.post("/_api/explain", json!({})).await.failure(),
        (400, 10)
    );
    assert_eq!(
        server
            .post(
                "/_api/explain",
                json!({"query": "FOR x IN nowhere RETURN x"})
            )
            .await
            .failure(),
        (404, 1203)
    );
}

#[tokio::test]
async fn the_rights_of_the_user_hold_for_queries_and_for_explaining_them() {
    let mut reader = User::new("reader", "r");
    reader.grant_database("_system", Level::ReadOnly);
    reader.grant_collection("_system", "d", Level::None);
    let mut server =
        Server::start_with(EmbeddedArango::builder().password("secret").user(reader)).await;
    server.collection("c").await;
    server.collection("d").await;
    server.login("reader", "r");
    for path in ["/_api/cursor", "/_api/explain"] {
        assert!(
            server
                .post(path, json!({"query": "FOR x IN c RETURN x"}))
                .await
                .status
                < 300
        );
        assert_eq!(
            server
                .post(path, json!({"query": "INSERT {} INTO c"}))
                .await
                .failure(),
            (403, 1004),
            "{path}"
        );
        assert_eq!(
            server
                .post(path, json!({"query": "FOR x IN d RETURN x"}))
                .await
                .failure(),
            (403, 11),
            "{path}"
        );
        assert_eq!(
            server
                .post(path, json!({"query": "FOR x IN _users RETURN x"}))
                .await
                .failure(),
            (403, 11),
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_query_that_nests_deeply_is_answered_or_refused_and_never_a_crash() {
    let server = with_numbers().await;
    for depth in [50, 400, 100_000] {
        let text = format!("RETURN {}1{}", "[".repeat(depth), "]".repeat(depth));
        let answer = query(&server, &text).await;
        assert!(
            answer.status == 201 || (answer.status == 400 && answer.error() > 0),
            "{depth}: {}",
            answer.status
        );
    }
    assert_eq!(query(&server, "RETURN 1").await.json["result"], json!([1]));
}

#[tokio::test]
async fn a_computed_value_is_set_when_a_document_is_written() {
    let server = Server::start().await;
    let computed =
        json!([{"name": "upper", "expression": "RETURN UPPER(@doc.name)", "overwrite": true}]);
    let made = server
        .post(
            "/_api/collection",
            json!({"name": "c", "computedValues": computed}),
        )
        .await;
    assert_eq!(made.json["computedValues"][0]["name"], "upper");
    server
        .post("/_api/document/c", json!({"_key": "1", "name": "ada"}))
        .await;
    assert_eq!(server.get("/_api/document/c/1").await.json["upper"], "ADA");
    server
        .patch("/_api/document/c/1", json!({"name": "bob"}))
        .await;
    assert_eq!(server.get("/_api/document/c/1").await.json["upper"], "BOB");
}

#[tokio::test]
async fn shutdown_stops_a_query_that_would_run_on() {
    let server = with_numbers().await;
    let url = format!("{}/_api/cursor", server.running.url());
    let body = json!({"query": "RETURN SLEEP(3600)"}).to_string();
    let request = util::client()
        .post(url)
        .basic_auth("root", Some("secret"))
        .body(body);
    let running =
        tokio::spawn(async move { request.send().await.map(|answer| answer.status().as_u16()) });
    while server.get("/_api/query/current").await.json == json!([]) {
        tokio::task::yield_now().await;
    }
    server.running.shutdown().await.expect("an orderly end");
    assert_eq!(running.await.expect("no panic").expect("an answer"), 410);
}

#[tokio::test]
async fn a_limit_of_null_is_none_as_drivers_write_it() {
    let server = with_numbers().await;
    let answer = query(&server, "FOR x IN c SORT x.n LIMIT 0, null RETURN x.n").await;
    assert_eq!(answer.json["result"], json!([1, 2, 3, 4, 5]));
    assert_eq!(
        query(&server, "FOR x IN c LIMIT -1 RETURN x")
            .await
            .failure(),
        (400, 1504)
    );
}
