//! The errors, word for word.

use super::super::{HOST_KEYS, Settings};
use crate::ask::ErrorKind;

/// The code and the message of a document that is refused.
fn refused(json: &str) -> (String, String) {
    let error = Settings::parse(json).expect_err(json);
    assert_eq!(error.kind, ErrorKind::Configuration);
    assert!(!error.retryable);
    (error.code, error.message)
}

#[track_caller]
fn assert_refused(json: &str, code: &str, message: &str) {
    let (actual_code, actual) = refused(json);
    assert_eq!(actual, message);
    assert_eq!(actual_code, code);
}

#[test]
fn a_text_that_is_no_json_object_is_refused() {
    assert_refused(
        "{\"a\": tru}",
        "settings-json",
        "the settings are not a JSON document: syntax error at line 1 column 10",
    );
    assert_refused(
        "",
        "settings-json",
        "the settings are not a JSON document: syntax error at line 1 column 1",
    );
    assert_refused(
        "{} {}",
        "settings-json",
        "the settings are not a JSON document: syntax error at line 1 column 4",
    );
    assert_refused(
        "[]",
        "settings-json",
        "the settings must be a JSON object, not a list",
    );
    assert_refused(
        "null",
        "settings-json",
        "the settings must be a JSON object, not null",
    );
}

#[test]
fn a_value_out_of_range_is_named_with_its_range() {
    assert_refused(
        r#"{"max_attempts": 99}"#,
        "settings-range",
        "`max_attempts` must be a whole number from 1 to 20, not 99",
    );
    assert_refused(
        r#"{"max_execute_rows": 0}"#,
        "settings-range",
        "`max_execute_rows` must be a whole number from 1 to 1000000, not 0",
    );
    assert_refused(
        r#"{"default_limit": -3}"#,
        "settings-range",
        "`default_limit` must be a whole number from 1 to 25000, not -3",
    );
    assert_refused(
        r#"{"limits": {"field_depth": 2.5}}"#,
        "settings-range",
        "`limits.field_depth` must be a whole number from 1 to 8, not 2.5",
    );
    assert_refused(
        r#"{"limits": {"max_estimated_cost": 0}}"#,
        "settings-range",
        "`limits.max_estimated_cost` must be a number above 0, or null for no ceiling, not 0",
    );
    assert_refused(
        &format!("{{\"database\": \"{}\"}}", "x".repeat(129)),
        "settings-range",
        "`database` must be text of at most 128 bytes, not of 129 bytes",
    );
    assert_refused(
        r#"{"limits": {"query_memory_bytes": 1e300}}"#,
        "settings-range",
        "`limits.query_memory_bytes` must be a whole number from 1048576 to 1099511627776, not 1e300",
    );
}

#[test]
fn a_value_of_the_wrong_type_is_named_with_what_is_allowed() {
    assert_refused(
        r#"{"max_attempts": "5"}"#,
        "settings-type",
        "`max_attempts` must be a whole number from 1 to 20, not \"5\"",
    );
    assert_refused(
        r#"{"max_attempts": null}"#,
        "settings-type",
        "`max_attempts` must be a whole number from 1 to 20, not null",
    );
    assert_refused(
        r#"{"database": ["shop"]}"#,
        "settings-type",
        "`database` must be text of at most 128 bytes, not a list",
    );
    assert_refused(
        r#"{"allow_execute": "maybe"}"#,
        "settings-type",
        "`allow_execute` must be true or false, or one of the texts 1, true, yes, on, 0, false, no, off, not \"maybe\"",
    );
    assert_refused(
        r#"{"allow_execute": 1}"#,
        "settings-type",
        "`allow_execute` must be true or false, or one of the texts 1, true, yes, on, 0, false, no, off, not 1",
    );
    assert_refused(
        r#"{"database": "a/b"}"#,
        "settings-type",
        "`database` must be the name of a database, without `/`, `:` and control characters, not \"a/b\"",
    );
    assert_refused(
        r#"{"limits": 5}"#,
        "settings-type",
        "`limits` must be an object with `query_runtime_ms`, `query_memory_bytes`, `explain_runtime_ms`, `explain_memory_bytes`, `max_estimated_cost`, `sample_documents`, `field_depth`, `max_fields_per_collection`, `max_collections`, `max_question_bytes`, `max_query_bytes`, `max_result_bytes`, not 5",
    );
    assert_refused(
        r#"{"policy": {"collections": {"allow": "orders"}}}"#,
        "settings-type",
        "`policy.collections.allow` must be a list of at most 10000 collection names, `*` standing for any characters, not \"orders\"",
    );
    assert_refused(
        r#"{"policy": {"collections": {"deny": ["a", ""]}}}"#,
        "settings-type",
        "`policy.collections.deny[1]` must be a collection's name of 1 to 256 bytes, `*` standing for any characters, not \"\"",
    );
}

#[test]
fn an_unknown_key_is_named_with_the_nearest_one() {
    assert_refused(
        r#"{"max_attemps": 3}"#,
        "settings-unknown-key",
        "the settings have no key `max_attemps`, given as 3; did you mean `max_attempts`? (allowed here: `database`, `db_description`, `max_attempts`, `max_execute_rows`, `allow_execute`, `default_limit`, `examples`, `policy`, `schema_budget_tokens`, `prose`, `limits`)",
    );
    assert_refused(
        r#"{"policy": {"collection": {}}}"#,
        "settings-unknown-key",
        "the settings have no key `policy.collection`, given as an object; did you mean `policy.collections`? (allowed here: `collections`)",
    );
    assert_refused(
        r#"{"policy": {"collections": {"alow": ["a"]}}}"#,
        "settings-unknown-key",
        "the settings have no key `policy.collections.alow`, given as a list; did you mean `policy.collections.allow`? (allowed here: `allow`, `deny`)",
    );
    assert_refused(
        r#"{"DATABASE": "shop"}"#,
        "settings-unknown-key",
        "the settings have no key `DATABASE`, given as \"shop\"; did you mean `database`? (allowed here: `database`, `db_description`, `max_attempts`, `max_execute_rows`, `allow_execute`, `default_limit`, `examples`, `policy`, `schema_budget_tokens`, `prose`, `limits`)",
    );
}

#[test]
fn a_known_key_in_the_wrong_place_is_told_its_place() {
    let (code, message) = refused(r#"{"field_depth": 2}"#);
    assert_eq!(code, "settings-unknown-key");
    assert!(
        message.starts_with(
            "the settings have no key `field_depth`, given as 2; did you mean `limits.field_depth`?"
        ),
        "{message}"
    );
    let (_, message) = refused(r#"{"limits.field_depth": 2}"#);
    assert!(
        message.starts_with("the settings have no key `limits.field_depth`, given as 2;"),
        "{message}"
    );
}

#[test]
fn a_key_given_twice_is_refused_at_every_depth() {
    assert_refused(
        r#"{"database": "a", "database": "a"}"#,
        "settings-duplicate-key",
        "`database` is given twice; keep one of them",
    );
    assert_refused(
        r#"{"limits": {"field_depth": 2, "field_depth": 3}}"#,
        "settings-duplicate-key",
        "`limits.field_depth` is given twice; keep one of them",
    );
    assert_refused(
        r#"{"limits": {}, "limits": {"field_depth": 3}}"#,
        "settings-duplicate-key",
        "`limits` is given twice; keep one of them",
    );
    assert_refused(
        r#"{"examples": [{"question": "a", "aql": "b", "aql": "c"}]}"#,
        "settings-duplicate-key",
        "`examples[0].aql` is given twice; keep one of them",
    );
}

#[test]
fn an_example_that_lacks_or_exceeds_something_is_named_by_its_place() {
    assert_refused(
        r#"{"examples": [{"question": "a", "aql": "b"}, {"question": "a"}]}"#,
        "settings-type",
        "`examples[1]` lacks the text `aql`",
    );
    assert_refused(
        r#"{"examples": [{"question": " ", "aql": "b"}]}"#,
        "settings-type",
        "`examples[0].question` must be text of 1 to 4096 bytes that is not blank, not \" \"",
    );
    assert_refused(
        r#"{"examples": [{"question": "a", "query": "b"}]}"#,
        "settings-unknown-key",
        "`examples[0]` has no key `query` (allowed here: `question`, `aql`)",
    );
    assert_refused(
        r#"{"examples": ["a"]}"#,
        "settings-type",
        "`examples[0]` must be an object with the texts `question` and `aql`, not \"a\"",
    );
    let list = vec![r#"{"question": "a", "aql": "b"}"#; 5_001].join(",");
    assert_refused(
        &format!("{{\"examples\": [{list}]}}"),
        "settings-range",
        "`examples` must be a list of at most 5000 objects with the texts `question` and `aql`, not of 5001",
    );
}

#[test]
fn a_key_of_the_hosts_is_refused_without_its_value() {
    for key in HOST_KEYS {
        assert_refused(
            &format!("{{\"{key}\": \"hunter2-secret\"}}"),
            "settings-host-key",
            &format!(
                "`{key}` belongs in the host's own configuration, not in the component's settings: the component holds no address and no credential"
            ),
        );
    }
}

#[test]
fn no_message_repeats_what_may_be_a_secret() {
    for json in [
        r#"{"passwort": "hunter2-secret"}"#,
        r#"{"pasword": "hunter2-secret"}"#,
        r#"{"Password": "hunter2-secret"}"#,
        r#"{"api_key": "hunter2-secret"}"#,
        r#"{"tokens": "hunter2-secret"}"#,
        r#"{"limits": {"token": "hunter2-secret"}}"#,
        r#"{"host": {"password": "hunter2-secret"}}"#,
        r#"{"database": {"password": "hunter2-secret"}}"#,
        r#"{"database": ["hunter2-secret"]}"#,
        "{\"password\": \"hunter2-secret\"",
        "\"hunter2-secret\"x",
    ] {
        let (_, message) = refused(json);
        assert!(!message.contains("hunter2"), "{message}");
    }
}

#[test]
fn a_message_stays_short_and_on_one_line() {
    let (_, message) = refused(&format!(
        "{{\"allow_execute\": \"a\\nb\u{202e}{}\"}}",
        "z".repeat(5_000)
    ));
    assert!(
        message.contains("not \"a bzzz") && message.ends_with("z…\""),
        "{message}"
    );
    assert!(message.len() < 250, "{message}");
    assert!(!message.contains(['\n', '\u{202e}']), "{message}");
    let (_, message) = refused(&format!("{{\"{}\\r\\n\": 1}}", "k".repeat(5_000)));
    assert!(message.len() < 400, "{message}");
    assert!(!message.contains('\r'));
}

#[test]
fn a_document_nested_without_end_is_refused() {
    let (code, _) = refused(&format!("{{\"a\": {}", "[".repeat(100_000)));
    assert_eq!(code, "settings-json");
}
