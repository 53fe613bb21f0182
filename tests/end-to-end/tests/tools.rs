//! The tools of an agent: names, schemas, arguments, results.

use end_to_end::{Stage, reply};
use host_example::types::ErrorKind;
use serde_json::{Value, json};

async fn call(stage: &Stage, name: &str, arguments: Value) -> Value {
    serde_json::from_str(
        &stage
            .plugin
            .invoke(name, arguments.to_string())
            .await
            .unwrap(),
    )
    .unwrap()
}

#[tokio::test]
async fn the_tools_have_object_schemas_with_their_properties() {
    let stage = Stage::with_replies::<String>([]).await;
    let definitions = stage.plugin.definitions().await.unwrap();
    let names: Vec<&str> = definitions.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["get_data", "get_schema", "get_aql"]);
    for tool in &definitions {
        let input: Value = serde_json::from_str(&tool.input_schema).unwrap();
        let output: Value = serde_json::from_str(&tool.output_schema).unwrap();
        assert_eq!(
            (&input["type"], &output["type"]),
            (&json!("object"), &json!("object"))
        );
        assert!(
            input["properties"].is_object() && input["required"].is_array(),
            "{}",
            tool.name
        );
    }
    for name in ["get_data", "get_aql"] {
        let tool = definitions.iter().find(|tool| tool.name == name).unwrap();
        let input: Value = serde_json::from_str(&tool.input_schema).unwrap();
        assert_eq!(input["required"], json!(["question"]));
        assert_eq!(
            (
                &input["properties"]["limit"]["default"],
                &input["properties"]["limit"]["maximum"]
            ),
            (&json!(250), &json!(25_000))
        );
    }
    assert!(
        stage.server.requests().is_empty(),
        "definitions need no database"
    );
    stage.finish().await;
}

#[tokio::test]
async fn get_data_returns_rows_and_says_whether_they_were_cut() {
    let query = "FOR b IN branches SORT b._key RETURN b._key";
    let stage = Stage::with_replies([reply(query), reply(query)]).await;
    let result = call(
        &stage,
        "get_data",
        json!({"question": "branches", "limit": "3"}),
    )
    .await;
    assert_eq!(
        (&result["aql"], &result["row_limit"], &result["truncated"]),
        (&json!(query), &json!(3), &json!(true))
    );
    assert_eq!(result["rows"].as_array().unwrap().len(), 3);
    let result = call(&stage, "arango.get_data", json!({"question": "branches"})).await;
    assert_eq!(
        (&result["row_limit"], &result["truncated"]),
        (&json!(250), &json!(false))
    );
    assert_eq!(result["rows"].as_array().unwrap().len(), 8);
    stage.finish().await;
}

#[tokio::test]
async fn get_data_whose_run_fails_has_an_error_its_query_and_no_rows() {
    let stage = Stage::with_settings(
        json!({"max_attempts": 1}),
        [reply("RETURN ASSERT(false, 'no')")],
    )
    .await;
    let result = call(&stage, "get_data", json!({"question": "x"})).await;
    assert!(
        result["error"].is_string() && result["aql"].is_string(),
        "{result}"
    );
    stage.finish().await;
}

#[tokio::test]
async fn get_aql_returns_the_query_and_runs_nothing() {
    let stage = Stage::with_replies([
        reply("FOR b IN books LIMIT 5 RETURN b"),
        json!({"isValid": "False", "query": "No."}).to_string(),
    ])
    .await;
    assert_eq!(
        call(&stage, "get_aql", json!({"question": "books", "limit": 5})).await,
        json!({"aql": "FOR b IN books LIMIT 5 RETURN b", "valid": true})
    );
    assert_eq!(
        call(&stage, "get_aql", json!({"question": "weather"})).await,
        json!({"answer": "No.", "valid": false})
    );
    let after_configure = stage.spy.seen().into_iter().rev().take(1);
    assert!(
        after_configure
            .into_iter()
            .all(|one| one.request.path.ends_with("/_api/explain")),
        "the last request planned"
    );
    stage.finish().await;
}

#[tokio::test]
async fn get_schema_returns_all_or_one_collection_or_says_that_there_is_none() {
    let stage = Stage::with_replies::<String>([]).await;
    let all = call(&stage, "get_schema", json!({})).await;
    assert_eq!(all["database"], json!("bookshop"));
    assert_eq!(all["collections"].as_object().unwrap().len(), 8);
    assert_eq!(all["collections"]["wrote"]["type"], json!("edge"));
    assert_eq!(all["graphs"][0]["name"], json!("bookshop"));
    assert!(all["graphs"][0]["edge_definitions"][0]["edge"].is_string());
    assert_eq!(all["views"][0]["name"], json!("catalogue"));
    let indexed = &all["collections"]["books"]["indexed_fields"];
    assert!(
        indexed.as_array().unwrap().contains(&json!("isbn")),
        "{indexed}"
    );
    let one = call(&stage, "get_schema", json!({"collection": "books"})).await;
    assert_eq!(one["collections"].as_object().unwrap().len(), 1);
    let none = call(
        &stage,
        "get_schema",
        json!({"collection": "users REMOVE users IN users //"}),
    )
    .await;
    assert_eq!(
        none["error"],
        json!("Collection users REMOVE users IN users // not found")
    );
    assert_eq!(
        call(&stage, "get_schema", Value::Null).await["database"],
        json!("bookshop")
    );
    stage.finish().await;
}

#[tokio::test]
async fn arguments_of_the_wrong_form_are_an_input_error() {
    let stage = Stage::with_replies::<String>([]).await;
    for (tool, arguments) in [
        ("get_data", json!([])),
        ("get_data", json!({})),
        ("get_data", json!({"question": "  "})),
        ("get_data", json!({"question": 5})),
        ("get_data", json!({"question": "x", "limit": true})),
        ("get_aql", Value::Null),
        ("get_schema", json!("books")),
        ("drop_data", json!({})),
    ] {
        let error = stage
            .plugin
            .invoke(tool, arguments.to_string())
            .await
            .unwrap_err();
        assert_eq!(
            error.kind(),
            ErrorKind::InvalidInput,
            "{tool} {arguments}: {error}"
        );
    }
    assert!(stage.model.requests().is_empty());
    stage.finish().await;
}
