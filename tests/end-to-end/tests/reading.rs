//! `read`: a caller's own query, through every gate.

use embedded_arango::storage::{Level, User};
use end_to_end::{DATABASE, Replies, Stage, StageOptions, read};
use host_example::types::{ErrorKind, QuestionRequest};
use serde_json::json;

async fn stage() -> Stage {
    Stage::with_replies::<String>([]).await
}

#[tokio::test]
async fn a_read_runs_without_a_model() {
    let stage = stage().await;
    let answer = stage
        .plugin
        .question(read("RETURN LENGTH(branches)"))
        .await
        .unwrap();
    assert_eq!(answer.rows, "[8]");
    assert_eq!(answer.usage.llm_calls, 0);
    stage.finish().await;
}

#[tokio::test]
async fn a_read_takes_bind_variables_for_values_and_for_collections() {
    let stage = stage().await;
    let request = QuestionRequest {
        bind_vars: Some(json!({"@c": "branches", "n": 3}).to_string()),
        ..read("FOR b IN @@c LIMIT @n RETURN 1")
    };
    let answer = stage.plugin.question(request).await.unwrap();
    assert_eq!(answer.rows, "[1,1,1]");
    stage.finish().await;
}

#[tokio::test]
async fn numbers_and_keys_pass_to_the_last_digit_and_in_their_order() {
    let stage = stage().await;
    let answer = stage
        .plugin
        .question(read("RETURN {z: 9007199254740993, a: 0.1, m: null}"))
        .await
        .unwrap();
    let raw = stage.spy.seen();
    let from_server = String::from_utf8(
        raw.iter()
            .rev()
            .find(|one| one.request.path.ends_with("/_api/cursor"))
            .unwrap()
            .response
            .as_ref()
            .unwrap()
            .body
            .clone(),
    )
    .unwrap();
    assert!(
        from_server.contains(answer.rows.trim_matches(['[', ']'])),
        "{from_server}\n{}",
        answer.rows
    );
    assert!(answer.rows.contains("9007199254740993"));
    stage.finish().await;
}

#[tokio::test]
async fn a_read_of_a_system_collection_is_refused_before_the_server_sees_it() {
    let stage = stage().await;
    stage.plugin.configure().await.unwrap();
    stage.server.clear_requests();
    for query in [
        "FOR u IN _graphs RETURN u",
        "RETURN DOCUMENT('_graphs/bookshop')",
        "FOR u IN @@c RETURN u",
    ] {
        let request = QuestionRequest {
            bind_vars: Some(json!({"@c": "_graphs"}).to_string()),
            ..read(query)
        };
        let error = stage.plugin.question(request).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::QueryRefused, "{query}: {error}");
    }
    assert!(
        stage
            .server
            .requests()
            .iter()
            .all(|request| !request.path.contains("cursor"))
    );
    stage.finish().await;
}

#[tokio::test]
async fn a_collection_that_the_policy_denies_is_neither_read_nor_named() {
    let settings = json!({"policy": {"collections": {"deny": ["customers"]}}});
    let stage = Stage::with_settings::<String>(settings, []).await;
    for query in [
        "FOR c IN customers RETURN c",
        "RETURN DOCUMENT('customers/c1')",
        "FOR r IN reviewed RETURN DOCUMENT(r._from)",
        "FOR v IN 1..1 INBOUND 'books/b001' reviewed RETURN v",
        "FOR v IN 1..1 INBOUND 'books/b001' GRAPH 'bookshop' RETURN v",
    ] {
        let outcome = stage.plugin.question(read(query)).await;
        let shown = match &outcome {
            Ok(answer) => answer.rows.clone(),
            Err(error) => error.to_string(),
        };
        assert!(
            !shown.contains("@") && !shown.contains("email"),
            "{query}: {shown}"
        );
        assert!(
            outcome.is_err() || outcome.is_ok_and(|answer| !answer.rows.contains("customers/")),
            "{query}"
        );
    }
    let schema = stage.plugin.schema(None).await.unwrap();
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    assert!(schema["collections"].get("customers").is_none());
    stage.finish().await;
}

#[tokio::test]
async fn a_query_that_reads_by_an_id_it_computes_sees_allowed_collections_only_because_the_server_holds_it()
 {
    let stage = stage().await;
    let answer = stage
        .plugin
        .question(read(
            "FOR w IN wrote LIMIT 1 RETURN DOCUMENT(w._to).title != null",
        ))
        .await
        .unwrap();
    assert_eq!(answer.rows, "[true]");
    stage.finish().await;
}

#[tokio::test]
async fn many_rows_come_in_batches_and_all_of_them_arrive() {
    let stage = stage().await;
    let request = QuestionRequest {
        limit: Some(25_000),
        ..read("FOR i IN 1..20000 RETURN i")
    };
    let answer = stage.plugin.question(request).await.unwrap();
    assert_eq!((answer.row_count, answer.truncated), (20_000, false));
    assert!(answer.rows.ends_with("19999,20000]"));
    stage.finish().await;
}

#[tokio::test]
async fn bind_variables_that_are_no_object_are_an_input_error() {
    let stage = stage().await;
    let request = QuestionRequest {
        bind_vars: Some("[1]".into()),
        ..read("RETURN 1")
    };
    let error = stage.plugin.question(request).await.unwrap_err();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::InvalidInput, "bind-vars")
    );
    stage.finish().await;
}

#[tokio::test]
async fn names_and_texts_that_only_look_like_writes_are_read() {
    let stage = stage().await;
    for query in [
        "RETURN 'REMOVE b IN books'",
        "/* REMOVE */ RETURN 1 // INSERT",
        "FOR b IN books LIMIT 1 RETURN b.`update`",
        "FOR b IN books SORT b.updated_at LIMIT 1 RETURN b.removed",
        "LET insert_count = 1 RETURN {`remove`: insert_count}",
        "RETURN REGEX_REPLACE('a', 'a', 'b')",
        "FOR b IN books LIMIT 1 RETURN REMOVE_VALUE([1, 2], 1)",
    ] {
        let outcome = stage.plugin.question(read(query)).await;
        assert!(outcome.is_ok(), "{query}: {outcome:?}");
    }
    stage.finish().await;
}

#[tokio::test]
async fn a_hidden_collection_is_named_in_no_error_however_a_query_comes_to_it() {
    let settings = json!({"policy": {"collections": {"deny": ["customers"]}}});
    let stage = Stage::with_settings::<String>(settings, []).await;
    for query in [
        "RETURN DOCUMENT(CONCAT('cust', 'omers/c001'))",
        "FOR r IN reviewed LIMIT 1 RETURN DOCUMENT(r._from)",
        "FOR r IN reviewed LIMIT 1 FOR v IN 1..1 INBOUND r._to reviewed RETURN v",
    ] {
        let error = stage.plugin.question(read(query)).await.unwrap_err();
        assert_eq!(
            (error.kind(), error.code()),
            (ErrorKind::QueryRefused, "policy-collection"),
            "{query}: {error}"
        );
        assert!(
            !format!("{:?}", error.record())
                .replace(query, "")
                .contains("customers"),
            "{query}: {error}"
        );
    }
    stage.finish().await;
}

#[tokio::test]
async fn a_collection_without_permission_is_a_matter_of_rights() {
    let mut reader = User::new("reader", "reads");
    reader.grant_database(DATABASE, Level::ReadOnly);
    reader.grant_collection(DATABASE, "orders", Level::None);
    let options = StageOptions {
        user: "reader".into(),
        password: "reads".into(),
        users: vec![reader],
        ..StageOptions::default()
    };
    let stage = Stage::set(options, Replies::default()).await;
    let error = stage
        .plugin
        .question(read("FOR o IN orders RETURN o"))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DatabaseUnauthorized, "{error}");
    let answer = stage
        .plugin
        .question(read("RETURN LENGTH(branches)"))
        .await
        .unwrap();
    assert_eq!(answer.rows, "[8]");
    stage.finish().await;
}

#[tokio::test]
async fn fourteen_megabytes_of_rows_arrive_in_every_output() {
    let stage = stage().await;
    let request = QuestionRequest {
        limit: Some(25_000),
        ..read("FOR i IN 1..25000 RETURN {i, s: REPEAT('y', 540)}")
    };
    let answer = stage.plugin.question(request).await.unwrap();
    assert_eq!((answer.row_count, answer.truncated), (25_000, false));
    assert!(answer.rows.len() > 13_000_000 && answer.table.lines().count() == 25_002);
    stage.finish().await;
}
