//! Servers that are slow, dead or not what they should be.

use std::time::Duration;

use end_to_end::{Replies, Stage, StageOptions, read, reply};
use host_example::Limits;
use host_example::types::ErrorKind;

#[tokio::test]
async fn a_dead_server_is_unreachable() {
    let stage = Stage::with_replies([reply("RETURN 1")]).await;
    stage.server.faults().kill("/");
    let error = stage.plugin.question("anything").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DatabaseUnreachable, "{error}");
    assert!(error.record().retryable);
    stage.finish().await;
}

#[tokio::test]
async fn a_server_that_dies_in_the_middle_is_unreachable_and_nothing_stays_open() {
    for path in ["/_api/explain", "/_api/transaction/begin", "/_api/cursor"] {
        let stage = Stage::with_replies::<String>([]).await;
        stage.plugin.configure().await.unwrap();
        stage.server.faults().kill(path);
        let error = stage
            .plugin
            .question(read("FOR b IN books LIMIT 1 RETURN 1"))
            .await
            .unwrap_err();
        assert_eq!(
            error.kind(),
            ErrorKind::DatabaseUnreachable,
            "{path}: {error}"
        );
        stage.server.faults().clear();
        stage.finish().await;
    }
}

#[tokio::test]
async fn a_cursor_whose_answer_was_lost_is_released_with_its_transaction() {
    let stage = Stage::with_replies::<String>([]).await;
    stage.plugin.configure().await.unwrap();
    stage.server.faults().lose_reply("/_api/cursor");
    let error = stage
        .plugin
        .question(read("FOR i IN 1..5000 RETURN i"))
        .await
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DatabaseUnreachable, "{error}");
    stage.server.faults().clear();
    stage.finish().await;
}

#[tokio::test]
async fn a_server_that_stalls_is_a_timeout_and_the_next_call_works() {
    let limits = Limits {
        call_timeout_ms: 4_000,
        http_timeout_ms: 400,
        ..Limits::default()
    };
    let stage = Stage::set(
        StageOptions {
            limits,
            ..StageOptions::default()
        },
        Replies::default(),
    )
    .await;
    stage.plugin.configure().await.unwrap();
    stage.server.faults().stall("/_api/cursor");
    let error = stage.plugin.question(read("RETURN 1")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
    stage.server.faults().clear();
    let answer = stage.plugin.question(read("RETURN 2")).await.unwrap();
    assert_eq!(answer.rows, "[2]");
    wait_until_nothing_is_open(&stage).await;
    stage.finish().await;
}

#[tokio::test]
async fn a_query_that_takes_too_long_is_killed_by_the_server_and_reported_as_a_timeout() {
    let settings = serde_json::json!({"limits": {"query_runtime_ms": 1000}});
    let stage = Stage::with_settings::<String>(settings, []).await;
    let endless = "FOR a IN 1..100000 FOR b IN 1..100000 FILTER a * b == -1 RETURN 1";
    let error = stage.plugin.question(read(endless)).await.unwrap_err();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::Timeout, "arango-1500"),
        "{error}"
    );
    stage.finish().await;
}

#[tokio::test]
async fn answers_that_are_not_arangodbs_are_told_from_empty_results() {
    let stage = Stage::with_replies::<String>([]).await;
    stage.plugin.configure().await.unwrap();
    for (status, body) in [
        (200, "<html>hello</html>"),
        (200, "{\"result\":"),
        (200, "[]"),
        (200, "{}"),
        (302, ""),
        (201, "{\"result\":[],\"hasMore\":false}"),
    ] {
        stage.server.faults().clear();
        stage.server.faults().answer("/_api/cursor", status, body);
        let error = stage.plugin.question(read("RETURN 1")).await.unwrap_err();
        assert_eq!(
            error.kind(),
            ErrorKind::DatabaseUnreachable,
            "{status} {body}: {error}"
        );
    }
    stage.server.faults().clear();
    stage.finish().await;
}

#[tokio::test]
async fn a_refused_login_in_the_middle_is_a_matter_of_credentials_and_is_not_tried_again() {
    let stage = Stage::with_replies([reply("RETURN 1"), reply("RETURN 1")]).await;
    stage.plugin.configure().await.unwrap();
    stage.server.faults().answer(
        "/_api/explain",
        401,
        r#"{"error":true,"code":401,"errorNum":11,"errorMessage":"not authorized"}"#,
    );
    let error = stage.plugin.question("anything").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DatabaseUnauthorized, "{error}");
    assert_eq!(stage.model.requests().len(), 1);
    stage.finish().await;
}

/// A stalled request is worked off once the stall ends: what it opened is gone when the server has noticed that nobody waits.
async fn wait_until_nothing_is_open(stage: &Stage) {
    for _ in 0..400 {
        let stats = stage.server.stats();
        if (stats.open_cursors, stats.open_transactions) == (0, 0) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
}

#[tokio::test]
async fn a_busy_server_is_unreachable_and_worth_another_try() {
    let stage = Stage::with_replies::<String>([]).await;
    stage.plugin.configure().await.unwrap();
    let body = r#"{"error":true,"code":503,"errorNum":21003,"errorMessage":"queue full"}"#;
    stage.server.faults().answer("/_api/explain", 503, body);
    let error = stage.plugin.question(read("RETURN 1")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DatabaseUnreachable, "{error}");
    assert!(error.record().retryable);
    stage.finish().await;
}
