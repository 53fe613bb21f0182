//! `prepared`: what one instance learns, the next one is handed.

use embedded_arango::storage::{CollectionKind, CollectionOptions};
use end_to_end::{DATABASE, Replies, Stage, StageOptions, read, reply};
use host_example::types::ErrorKind;
use serde_json::json;

#[tokio::test]
async fn a_second_call_configures_its_instance_without_a_request() {
    let stage = Stage::with_replies([reply("RETURN 1"), reply("RETURN 2")]).await;
    stage.plugin.question("one").await.unwrap();
    stage.server.clear_requests();
    let answer = stage.plugin.question("two").await.unwrap();
    assert_eq!(answer.rows, "[2]");
    let paths: Vec<String> = stage
        .server
        .requests()
        .into_iter()
        .map(|request| format!("{} {}", request.method, request.path))
        .collect();
    assert_eq!(paths.len(), 4, "explain, begin, cursor, abort: {paths:?}");
    stage.finish().await;
}

#[tokio::test]
async fn prepared_is_accepted_by_another_host_and_makes_no_request() {
    let stage = Stage::with_replies([reply("RETURN 1")]).await;
    let first = stage.plugin.configure().await.unwrap();
    stage.server.clear_requests();
    let second = stage
        .plugin
        .configure_with(stage.plugin.settings(), &first.prepared)
        .await
        .unwrap();
    assert_eq!(second.summary, first.summary);
    assert_eq!(second.prepared, first.prepared);
    assert_eq!(second.usage.http_calls, 0);
    assert!(stage.server.requests().is_empty());
    stage.finish().await;
}

#[tokio::test]
async fn prepared_with_other_settings_is_stale() {
    let stage = Stage::set(StageOptions::default(), Replies::default()).await;
    let first = stage.plugin.configure().await.unwrap();
    let mut settings: serde_json::Value = serde_json::from_str(stage.plugin.settings()).unwrap();
    settings["limits"] = json!({"field_depth": 1});
    let error = stage
        .plugin
        .configure_with(&settings.to_string(), &first.prepared)
        .await
        .unwrap_err();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::Configuration, "stale-prepared")
    );
    stage.finish().await;
}

#[tokio::test]
async fn prepared_that_is_none_is_stale_and_never_a_trap() {
    let stage = Stage::set(StageOptions::default(), Replies::default()).await;
    let settings = stage.plugin.settings().to_owned();
    for prepared in [
        "",
        "{}",
        "[]",
        "null",
        "{\"querent\":1}",
        "{\"querent\":99}",
        "x",
        "{\"querent\":1,\"digest\":\"\",\"collections\":[]}",
    ] {
        let error = stage
            .plugin
            .configure_with(&settings, prepared)
            .await
            .unwrap_err();
        assert_eq!(error.code(), "stale-prepared", "{prepared}: {error}");
    }
    stage.finish().await;
}

#[tokio::test]
async fn a_collection_that_has_vanished_makes_the_host_reflect_again() {
    let stage = Stage::with_settings(
        json!({"max_attempts": 1}),
        [
            reply("RETURN LENGTH(branches)"),
            reply("RETURN LENGTH(branches)"),
            reply("RETURN 1"),
        ],
    )
    .await;
    stage.plugin.question("how many?").await.unwrap();
    assert!(stage.plugin.prepared().is_some());
    let database = stage.server.store().database(DATABASE).unwrap();
    database.drop_collection("branches", false).unwrap();
    let _ = stage.plugin.question("how many?").await;
    stage.plugin.question("anything").await.unwrap();
    let schema = stage.plugin.schema(None).await.unwrap();
    assert!(
        !schema.contains("\"branches\":{"),
        "the vanished collection is still in the schema"
    );
    stage.finish().await;
}

#[tokio::test]
async fn a_collection_made_after_the_schema_was_kept_can_be_read_by_a_caller() {
    let stage = Stage::set(StageOptions::default(), Replies::default()).await;
    stage.plugin.configure().await.unwrap();
    let database = stage.server.store().database(DATABASE).unwrap();
    let options = CollectionOptions::of(CollectionKind::Document);
    database.create_collection("fresh", options).unwrap();
    let answer = stage
        .plugin
        .question(read("RETURN LENGTH(fresh)"))
        .await
        .unwrap();
    assert_eq!(answer.rows, "[0]");
    let error = stage
        .plugin
        .question(read("FOR x IN nowhere RETURN x"))
        .await
        .unwrap_err();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::QueryInvalid, "arango-1203")
    );
    stage.finish().await;
}
