//! `configure`: what is wrong is found there, each with its kind.

use embedded_arango::data::DataSet;
use end_to_end::{DATABASE, Replies, Stage, StageOptions};
use host_example::CallError;
use host_example::types::ErrorKind;
use serde_json::{Value, json};

async fn configured(
    options: StageOptions,
) -> (Stage, Result<host_example::types::Configured, CallError>) {
    let stage = Stage::set(options, Replies::default()).await;
    let outcome = stage.plugin.configure().await;
    (stage, outcome)
}

#[tokio::test]
async fn the_summary_names_server_version_and_counts() {
    let (stage, outcome) = configured(StageOptions::default()).await;
    let configured = outcome.unwrap();
    let summary: Value = serde_json::from_str(&configured.summary).unwrap();
    assert_eq!(summary["database"], json!(DATABASE));
    assert_eq!(summary["collections"], json!(8));
    assert_eq!(summary["edge_collections"], json!(3));
    assert_eq!(
        (&summary["graphs"], &summary["views"]),
        (&json!(1), &json!(1))
    );
    assert!(summary["version"].as_str().unwrap().starts_with("3.12"));
    assert_eq!(
        summary["read_only_transaction"],
        json!({"writes": "refuses", "undeclared_reads": "refuses"})
    );
    assert_eq!(configured.warnings.len(), 0, "{:?}", configured.warnings);
    stage.finish().await;
}

#[tokio::test]
async fn a_wrong_password_is_a_matter_of_credentials() {
    let (stage, outcome) = configured(StageOptions {
        password: "guess".into(),
        ..StageOptions::default()
    })
    .await;
    let error = outcome.unwrap_err();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::DatabaseUnauthorized, "arango-11")
    );
    assert!(!error.to_string().contains("guess"));
    stage.finish().await;
}

#[tokio::test]
async fn a_database_that_is_not_there_is_a_matter_of_configuration() {
    let (stage, outcome) = configured(StageOptions {
        database: "bokshop".into(),
        ..StageOptions::default()
    })
    .await;
    let error = outcome.unwrap_err();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::Configuration, "arango-1228")
    );
    stage.finish().await;
}

#[tokio::test]
async fn settings_that_are_wrong_name_the_key_the_value_and_what_is_allowed() {
    for (settings, code, parts) in [
        (
            json!({"max_atempts": 3}),
            "settings-unknown-key",
            vec!["`max_atempts`", "`max_attempts`"],
        ),
        (
            json!({"max_attempts": 0}),
            "settings-range",
            vec!["`max_attempts`", "0", "1 to 20"],
        ),
        (
            json!({"max_attempts": "five"}),
            "settings-type",
            vec!["`max_attempts`", "five"],
        ),
        (
            json!({"allow_execute": "maybe"}),
            "settings-type",
            vec!["`allow_execute`", "maybe"],
        ),
        (
            json!({"limits": {"field_deepth": 2}}),
            "settings-unknown-key",
            vec!["`limits.field_deepth`", "`limits.field_depth`"],
        ),
        (
            json!({"password": "s3cret-marker"}),
            "settings-host-key",
            vec!["`password`"],
        ),
    ] {
        let (stage, outcome) = configured(StageOptions {
            settings: settings.clone(),
            ..StageOptions::default()
        })
        .await;
        let error = outcome.unwrap_err();
        assert_eq!(
            (error.kind(), error.code()),
            (ErrorKind::Configuration, code),
            "{settings}"
        );
        for part in parts {
            assert!(
                error.message().contains(part),
                "`{part}` is missing in: {}",
                error.message()
            );
        }
        assert!(!error.message().contains("s3cret-marker"));
        assert!(
            stage.server.requests().is_empty(),
            "settings are checked before any request"
        );
        stage.finish().await;
    }
}

#[tokio::test]
async fn an_empty_database_is_configured_and_answers() {
    let (stage, outcome) = configured(StageOptions {
        data: DataSet::default(),
        ..StageOptions::default()
    })
    .await;
    let summary: Value = serde_json::from_str(&outcome.unwrap().summary).unwrap();
    assert_eq!(summary["collections"], json!(0));
    stage.finish().await;
}

#[tokio::test]
async fn names_of_every_kind_are_reflected_and_can_be_read() {
    let long = "n".repeat(255);
    let names = [
        "order-lines",
        "graph",
        "FOR1",
        "with.dot",
        "größe",
        "城市",
        long.as_str(),
    ];
    let odd_attributes = json!({"a b": 1, "a.b": {"c`d": "x"}, "城市名": "北京", "": 2, "for": [1, "x", {"deep": true}]});
    let collections: Vec<Value> = names
        .iter()
        .map(|name| json!({"name": name, "type": 2, "docs": [odd_attributes]}))
        .collect();
    let data = DataSet::parse(&json!({"collections": collections}).to_string()).unwrap();
    let (stage, outcome) = configured(StageOptions {
        data,
        ..StageOptions::default()
    })
    .await;
    let configured = outcome.unwrap();
    assert_eq!(configured.warnings.len(), 0, "{:?}", configured.warnings);
    let schema: Value = serde_json::from_str(&stage.plugin.schema(None).await.unwrap()).unwrap();
    for name in names {
        let fields = schema["collections"][name]["fields"].to_string();
        for part in ["a b", "c", "城市名", "deep"] {
            assert!(
                fields.contains(part),
                "{name}: `{part}` is missing in {fields}"
            );
        }
        let quoted = format!("FOR d IN `{name}` RETURN d.`a b`");
        let request = host_example::types::QuestionRequest {
            kind: host_example::types::QuestionKind::Read,
            ..quoted.as_str().into()
        };
        assert_eq!(
            stage.plugin.question(request).await.unwrap().rows,
            "[1]",
            "{name}"
        );
    }
    stage.finish().await;
}

#[tokio::test]
async fn types_of_a_field_are_a_union_over_the_sample() {
    let docs = json!([{"x": 1}, {"x": "one"}, {"x": null}, {"x": [1]}, {"x": {"y": true}}, {}]);
    let data = DataSet::parse(
        &json!({"collections": [{"name": "c", "type": 2, "docs": docs}]}).to_string(),
    )
    .unwrap();
    let (stage, outcome) = configured(StageOptions {
        data,
        ..StageOptions::default()
    })
    .await;
    outcome.unwrap();
    let schema: Value =
        serde_json::from_str(&stage.plugin.schema(Some("c")).await.unwrap()).unwrap();
    let fields = schema["collections"]["c"]["fields"].as_array().unwrap();
    let kind = |path: &str| {
        fields
            .iter()
            .find(|field| field["field"] == path)
            .map(|field| field["type"].as_str().unwrap().to_owned())
    };
    let union = kind("x").unwrap();
    for part in ["null", "string", "array", "object"] {
        assert!(union.contains(part), "{union}");
    }
    assert_eq!(kind("x.y").as_deref(), Some("bool"));
    assert_eq!(schema["collections"]["c"]["count"], json!(6));
    stage.finish().await;
}

#[tokio::test]
async fn many_collections_are_reflected_in_few_requests() {
    let collections: Vec<Value> = (0..120)
        .map(|n| json!({"name": format!("c{n:03}"), "type": 2, "docs": [{"n": n}]}))
        .collect();
    let data = DataSet::parse(&json!({"collections": collections}).to_string()).unwrap();
    let (stage, outcome) = configured(StageOptions {
        data,
        ..StageOptions::default()
    })
    .await;
    outcome.unwrap();
    let requests = stage.server.requests();
    let without_indexes = requests
        .iter()
        .filter(|request| !request.path.contains("/_api/index"))
        .count();
    // The canary's transaction and releases of cursors are counted too.
    assert!(
        without_indexes <= 120 / 50 + 8 + 6,
        "{without_indexes} requests: {requests:?}"
    );
    stage.finish().await;
}
