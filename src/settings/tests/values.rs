//! What a document gives.

use super::super::{Example, Settings};

fn parse(json: &str) -> Settings {
    Settings::parse(json).expect("valid settings")
}

#[test]
fn an_empty_document_gives_every_default() {
    let settings = parse("{}");
    assert_eq!(settings.database, "_system");
    assert_eq!(settings.db_description, "");
    assert_eq!(settings.max_attempts, 5);
    assert_eq!(settings.max_execute_rows, 25_000);
    assert!(!settings.allow_execute);
    assert_eq!(settings.default_limit, 250);
    assert!(settings.examples.is_empty());
    assert!(settings.policy.collections.allow.is_empty());
    assert!(settings.policy.collections.deny.is_empty());
    assert_eq!(settings.limits.query_runtime_ms, 30_000);
    assert_eq!(settings.limits.query_memory_bytes, 1 << 30);
    assert_eq!(settings.limits.explain_memory_bytes, 64 << 20);
    assert_eq!(settings.limits.max_estimated_cost, None);
    assert_eq!(settings.limits.sample_documents, 25);
    assert_eq!(settings.limits.field_depth, 3);
}

#[test]
fn every_value_of_a_document_arrives() {
    let settings = parse(
        r#"{
            "database": "shop", "db_description": "Orders", "max_attempts": 20, "max_execute_rows": 1000000,
            "allow_execute": true, "default_limit": 1, "schema_budget_tokens": 100,
            "examples": [{"aql": "RETURN 1", "question": "one?"}],
            "policy": {"collections": {"allow": ["orders", "cust*"], "deny": ["customers_old"]}},
            "limits": {"query_runtime_ms": 1, "query_memory_bytes": 1048576, "explain_runtime_ms": 2,
                "explain_memory_bytes": 1048577, "max_estimated_cost": 0.5, "sample_documents": 3, "field_depth": 8,
                "max_fields_per_collection": 4, "max_collections": 5, "max_question_bytes": 6, "max_query_bytes": 7,
                "max_result_bytes": 1024}
        }"#,
    );
    assert_eq!(settings.database, "shop");
    assert_eq!(settings.db_description, "Orders");
    assert_eq!(settings.max_attempts, 20);
    assert_eq!(settings.max_execute_rows, 1_000_000);
    assert!(settings.allow_execute);
    assert_eq!(settings.default_limit, 1);
    assert_eq!(settings.schema_budget_tokens, 100);
    assert_eq!(
        settings.examples,
        [Example {
            question: "one?".into(),
            aql: "RETURN 1".into()
        }]
    );
    assert!(settings.policy.allows("customers"));
    assert!(!settings.policy.allows("customers_old"));
    assert_eq!(settings.limits.query_runtime_ms, 1);
    assert_eq!(settings.limits.query_memory_bytes, 1_048_576);
    assert_eq!(settings.limits.explain_runtime_ms, 2);
    assert_eq!(settings.limits.explain_memory_bytes, 1_048_577);
    assert_eq!(settings.limits.max_estimated_cost, Some(0.5));
    assert_eq!(settings.limits.sample_documents, 3);
    assert_eq!(settings.limits.field_depth, 8);
    assert_eq!(settings.limits.max_fields_per_collection, 4);
    assert_eq!(settings.limits.max_collections, 5);
    assert_eq!(settings.limits.max_question_bytes, 6);
    assert_eq!(settings.limits.max_query_bytes, 7);
    assert_eq!(settings.limits.max_result_bytes, 1_024);
    assert!(settings.warnings.is_empty());
}

#[test]
fn the_switch_takes_the_texts_that_people_write() {
    for (text, on) in [
        ("true", true),
        ("\"1\"", true),
        ("\" TRUE \"", true),
        ("\"Yes\"", true),
        ("\"on\\n\"", true),
        ("false", false),
        ("\"0\"", false),
        ("\"False\"", false),
        ("\"NO\"", false),
        ("\" off\"", false),
    ] {
        let settings = parse(&format!("{{\"allow_execute\": {text}}}"));
        assert_eq!(settings.allow_execute, on, "{text}");
    }
}

#[test]
fn a_blank_database_is_the_system_database_with_a_warning() {
    for json in [r#"{"database": "  "}"#, r#"{"database": "_system"}"#, "{}"] {
        let settings = parse(json);
        assert_eq!(settings.database, "_system");
        assert_eq!(settings.warnings.len(), 1, "{json}");
        assert_eq!(settings.warnings[0].code, "database-system");
    }
    assert_eq!(parse(r#"{"database": " żółw \n"}"#).database, "żółw");
}

#[test]
fn a_whole_number_may_be_written_with_a_fraction_of_nought() {
    assert_eq!(parse(r#"{"max_attempts": 7.0}"#).max_attempts, 7);
}

#[test]
fn thousands_of_examples_are_taken() {
    let one = r#"{"question": "how many orders?", "aql": "RETURN LENGTH(orders)"}"#;
    let list = vec![one; 5_000].join(",");
    let settings = parse(&format!("{{\"examples\": [{list}]}}"));
    assert_eq!(settings.examples.len(), 5_000);
}

#[test]
fn the_digest_differs_where_any_effect_differs_and_only_there() {
    let base = parse(r#"{"database": "shop"}"#).digest();
    assert_eq!(base.len(), 32);
    for other in [
        r#"{"database": "shop2"}"#,
        r#"{"database": "shop", "db_description": "x"}"#,
        r#"{"database": "shop", "max_attempts": 4}"#,
        r#"{"database": "shop", "allow_execute": true}"#,
        r#"{"database": "shop", "examples": [{"question": "a", "aql": "b"}]}"#,
        r#"{"database": "shop", "policy": {"collections": {"allow": ["a"]}}}"#,
        r#"{"database": "shop", "policy": {"collections": {"deny": ["a"]}}}"#,
        r#"{"database": "shop", "limits": {"field_depth": 4}}"#,
        r#"{"database": "shop", "limits": {"max_estimated_cost": 4}}"#,
    ] {
        assert_ne!(parse(other).digest(), base, "{other}");
    }
    for same in [
        r#"{"limits": {"field_depth": 3}, "database": " shop "}"#,
        r#"{"database": "shop", "allow_execute": "no", "max_attempts": 5.0, "examples": []}"#,
        r#"{"policy": {"collections": {}}, "database": "shop"}"#,
    ] {
        assert_eq!(parse(same).digest(), base, "{same}");
    }
}

#[test]
fn examples_that_differ_only_in_where_they_end_have_different_digests() {
    let one = parse(r#"{"examples": [{"question": "ab", "aql": "c"}]}"#);
    let two = parse(r#"{"examples": [{"question": "a", "aql": "bc"}]}"#);
    assert_ne!(one.digest(), two.digest());
}
