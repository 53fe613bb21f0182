//! Every way to write, through every way to ask: the data stays as it was.

use end_to_end::{Replies, Stage, StageOptions, read, reply};
use host_example::types::ErrorKind;
use serde_json::{Value, json};

/// Queries that write, some in disguise.
const WRITES: [&str; 22] = [
    "INSERT {_key: 'x'} INTO books",
    "insert {_key: 'x'} into books",
    "FOR b IN books REMOVE b IN books",
    "FOR b IN books UPDATE b WITH {stock: 0} IN books",
    "FOR b IN books REPLACE b WITH {} IN books",
    "UPSERT {_key: 'x'} INSERT {_key: 'x'} UPDATE {} IN books",
    "UPSERT {_key: 'x'} INSERT {_key: 'x'} REPLACE {} IN books",
    "FOR b IN books FILTER false REMOVE b IN books",
    "FOR b IN [] REMOVE b IN books",
    "LET gone = (FOR b IN books REMOVE b IN books RETURN OLD) RETURN LENGTH(gone)",
    "RETURN (FOR b IN books REMOVE b IN books RETURN OLD)",
    "RETURN LENGTH(FOR b IN books REMOVE b IN books RETURN 1)",
    "RETURN true ? 1 : (FOR b IN books REMOVE b IN books RETURN 1)",
    "RETURN [1, 2][* RETURN (INSERT {} INTO books RETURN 1)]",
    "FOR b IN books RE/**/MOVE b IN books",
    "/* ' */ FOR b IN books REMOVE b IN books /* ' */",
    "LET x = {`'`: 1} FOR b IN books REMOVE b IN books LET y = {`'`: 1} RETURN 1",
    "// \n FOR b IN books\tREMOVE\nb\rIN books",
    "FOR b IN books REMOVE b IN 'books'",
    "FOR b IN books REMOVE b IN `books`",
    "FOR b IN books UPDATE b._key WITH {a: 1} IN books OPTIONS {exclusive: true}",
    "WITH books FOR v IN 1..1 ANY 'books/b1' GRAPH 'bookshop' REMOVE v IN books",
];

async fn stage(settings: Value) -> Stage {
    Stage::set(
        StageOptions {
            settings,
            ..StageOptions::default()
        },
        Replies::default(),
    )
    .await
}

#[tokio::test]
async fn no_write_passes_a_question() {
    let stage = stage(json!({})).await;
    let before = stage.digest();
    for query in WRITES {
        stage.model.then([reply(query), reply(query), reply(query)]);
        let error = stage.plugin.question("please").await.unwrap_err();
        assert!(
            matches!(
                error.kind(),
                ErrorKind::QueryRefused | ErrorKind::QueryInvalid | ErrorKind::Model
            ),
            "{query}: {error}"
        );
        stage.model.drop_rest();
        assert_eq!(stage.digest(), before, "{query}");
    }
    stage.finish().await;
}

#[tokio::test]
async fn no_write_passes_a_read() {
    let stage = stage(json!({})).await;
    let before = stage.digest();
    for query in WRITES {
        let request = read(query);
        let error = stage.plugin.question(request).await.unwrap_err();
        assert!(
            matches!(
                error.kind(),
                ErrorKind::QueryRefused | ErrorKind::QueryInvalid
            ),
            "{query}: {error}"
        );
        assert_eq!(stage.digest(), before, "{query}");
    }
    stage.finish().await;
}

#[tokio::test]
async fn no_write_passes_a_read_even_where_execute_is_allowed() {
    let stage = stage(json!({"allow_execute": true})).await;
    let before = stage.digest();
    for query in WRITES {
        let request = read(query);
        assert!(stage.plugin.question(request).await.is_err(), "{query}");
    }
    assert_eq!(stage.digest(), before);
    stage.finish().await;
}

#[tokio::test]
async fn no_write_passes_a_translation_or_a_tool() {
    let stage = stage(json!({})).await;
    let before = stage.digest();
    for query in WRITES {
        stage.model.then([reply(query), reply(query), reply(query)]);
        assert!(stage.plugin.aql("please").await.is_err(), "{query}");
        stage.model.drop_rest();
        for tool in ["get_data", "get_aql"] {
            stage.model.then([reply(query), reply(query), reply(query)]);
            let result = stage
                .plugin
                .invoke(tool, json!({"question": "please"}).to_string())
                .await
                .unwrap();
            let result: Value = serde_json::from_str(&result).unwrap();
            assert!(result["error"].is_string(), "{tool} {query}: {result}");
            assert_eq!(result["valid"], json!(false), "{tool} {query}: {result}");
            assert!(result.get("rows").is_none(), "{tool} {query}: {result}");
            stage.model.drop_rest();
        }
    }
    assert_eq!(stage.digest(), before);
    stage.finish().await;
}

#[tokio::test]
async fn a_write_is_refused_before_the_server_sees_it() {
    let stage = stage(json!({})).await;
    stage.plugin.configure().await.unwrap();
    stage.server.clear_requests();
    let request = read("FOR b IN books REMOVE b IN books");
    let error = stage.plugin.question(request).await.unwrap_err();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::QueryRefused, "writes")
    );
    assert!(
        stage.server.requests().is_empty(),
        "EXPLAIN of a write takes a lock"
    );
    stage.finish().await;
}

#[tokio::test]
async fn a_plan_that_writes_is_refused_whatever_the_text_looked_like() {
    let stage = stage(json!({})).await;
    stage.plugin.configure().await.unwrap();
    let plan = json!({"plan": {
        "nodes": [{"type": "SingletonNode", "dependencies": [], "id": 1, "estimatedCost": 1, "estimatedNrItems": 1},
                  {"type": "RemoveNode", "dependencies": [1], "id": 2, "estimatedCost": 1, "estimatedNrItems": 1},
                  {"type": "ReturnNode", "dependencies": [2], "id": 3, "estimatedCost": 1, "estimatedNrItems": 1}],
        "rules": [], "collections": [{"name": "books", "type": "read"}], "variables": [],
        "estimatedCost": 1, "estimatedNrItems": 1, "isModificationQuery": false},
        "cacheable": false, "warnings": [], "stats": {}, "error": false, "code": 200});
    stage
        .server
        .faults()
        .answer("/_api/explain", 200, &plan.to_string());
    let request = read("FOR b IN books RETURN b");
    let error = stage.plugin.question(request).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::QueryRefused, "{error}");
    assert!(
        stage
            .spy
            .seen()
            .iter()
            .rev()
            .take(1)
            .all(|one| one.request.path.ends_with("/_api/explain")),
        "nothing ran"
    );
    stage.finish().await;
}

#[tokio::test]
async fn an_answer_to_explain_of_another_shape_is_refused() {
    let stage = stage(json!({})).await;
    stage.plugin.configure().await.unwrap();
    for body in [
        "{}",
        "{\"plan\":{}}",
        "{\"plan\":null}",
        "{\"plan\":{\"nodes\":[]}}",
        "{\"plans\":[]}",
        "[]",
        "null",
        "\"garbage\"",
    ] {
        stage.server.faults().clear();
        stage.server.faults().answer("/_api/explain", 200, body);
        let request = read("RETURN 1");
        let error = stage.plugin.question(request).await.unwrap_err();
        assert!(
            matches!(
                error.kind(),
                ErrorKind::QueryRefused | ErrorKind::DatabaseUnreachable
            ),
            "{body}: {error}"
        );
    }
    stage.finish().await;
}

#[tokio::test]
async fn every_read_runs_in_a_transaction_that_declares_reads_only_and_is_aborted() {
    let stage = stage(json!({})).await;
    stage.plugin.configure().await.unwrap();
    let seen_before = stage.spy.seen().len();
    let request = read("FOR b IN books LIMIT 1 RETURN 1");
    stage.plugin.question(request).await.unwrap();
    let seen = stage.spy.seen().split_off(seen_before);
    let begin = seen
        .iter()
        .find(|one| one.request.path.ends_with("/_api/transaction/begin"))
        .unwrap();
    let begun: Value = serde_json::from_slice(begin.request.body.as_ref().unwrap()).unwrap();
    assert_eq!(begun["collections"], json!({"read": ["books"]}));
    assert_eq!(begun["allowImplicit"], json!(false));
    let cursor = seen
        .iter()
        .find(|one| one.request.path.ends_with("/_api/cursor"))
        .unwrap();
    assert!(
        cursor
            .request
            .headers
            .iter()
            .any(|(name, _)| name == "x-arango-trx-id")
    );
    let last = seen.last().unwrap();
    assert!(
        last.request.path.contains("/_api/transaction/"),
        "the transaction is aborted last"
    );
    stage.finish().await;
}
