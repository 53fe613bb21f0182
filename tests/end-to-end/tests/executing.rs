//! `execute`: off unless the settings allow it.

use end_to_end::{Stage, execute};
use host_example::types::{ErrorKind, Outcome, QuestionKind, QuestionRequest};
use serde_json::{Value, json};

async fn allowed() -> Stage {
    Stage::with_settings::<String>(json!({"allow_execute": "Yes "}), []).await
}

#[tokio::test]
async fn execute_is_an_error_where_it_is_off_and_sends_nothing() {
    let stage = Stage::with_replies::<String>([]).await;
    stage.plugin.configure().await.unwrap();
    stage.server.clear_requests();
    let error = stage
        .plugin
        .question(execute("INSERT {} INTO branches"))
        .await
        .unwrap_err();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::QueryRefused, "execute-disabled")
    );
    assert!(stage.server.requests().is_empty());
    stage.finish().await;
}

#[tokio::test]
async fn execute_writes_where_it_is_allowed_and_counts_from_the_servers_statistics() {
    let stage = allowed().await;
    let before = stage.digest();
    let answer = stage
        .plugin
        .question(execute(
            "FOR i IN 1..3 INSERT {_key: CONCAT('new', i)} INTO branches",
        ))
        .await
        .unwrap();
    assert_eq!(
        (answer.outcome, answer.affected_rows),
        (Outcome::Affected, Some(3))
    );
    assert_eq!(answer.text, "3 rows affected");
    assert_eq!(answer.answers, r#"{"rows":[],"affected_rows":3}"#);
    assert_ne!(stage.digest(), before);
    let answer = stage
        .plugin
        .question(execute(
            "FOR b IN branches FILTER b._key LIKE 'new%' REMOVE b IN branches RETURN OLD._key",
        ))
        .await
        .unwrap();
    assert_eq!((answer.affected_rows, answer.row_count), (Some(3), 3));
    let answers: Value = serde_json::from_str(&answer.answers).unwrap();
    assert_eq!(answers["affected_rows"], json!(3));
    assert_eq!(stage.digest(), before);
    stage.finish().await;
}

#[tokio::test]
async fn execute_takes_bind_variables() {
    let stage = allowed().await;
    let request = QuestionRequest {
        bind_vars: Some(json!({"x": [1, 2]}).to_string()),
        ..execute("RETURN @x")
    };
    assert_eq!(
        stage.plugin.question(request).await.unwrap().rows,
        "[[1,2]]"
    );
    stage.finish().await;
}

#[tokio::test]
async fn more_rows_than_the_maximum_are_an_error_and_exactly_the_maximum_is_fine() {
    let stage =
        Stage::with_settings::<String>(json!({"allow_execute": true, "max_execute_rows": 5}), [])
            .await;
    let answer = stage
        .plugin
        .question(execute("FOR i IN 1..5 RETURN i"))
        .await
        .unwrap();
    assert_eq!(answer.row_count, 5);
    let error = stage
        .plugin
        .question(execute("FOR i IN 1..6 RETURN i"))
        .await
        .unwrap_err();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::LimitExceeded, "too-many-rows")
    );
    stage.finish().await;
}

#[tokio::test]
async fn an_error_of_the_servers_has_its_number_as_code() {
    let stage = allowed().await;
    let error = stage
        .plugin
        .question(execute("RETURN NOPE(1)"))
        .await
        .unwrap_err();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::DatabaseError, "arango-1540")
    );
    let error = stage
        .plugin
        .question(execute("FOR x IN nowhere RETURN x"))
        .await
        .unwrap_err();
    assert_eq!(error.code(), "arango-1203");
    stage.finish().await;
}

#[tokio::test]
async fn the_dialect_is_told_without_a_request() {
    let stage = allowed().await;
    stage.plugin.configure().await.unwrap();
    stage.server.clear_requests();
    let request = QuestionRequest {
        kind: QuestionKind::Dialect,
        ..QuestionRequest::from("")
    };
    let answer = stage.plugin.question(request).await.unwrap();
    assert_eq!(
        (answer.outcome, answer.answers.as_str()),
        (Outcome::Dialect, r#"{"dialect":"arango"}"#)
    );
    assert!(stage.server.requests().is_empty());
    stage.finish().await;
}
