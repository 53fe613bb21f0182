//! The table against the parser, the JSON Schema and the documentation.
//!
//! `BLESS=1 cargo test -p querent --lib settings` writes the two files anew.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::sorted::sorted;

use super::super::keys::{EXAMPLE_AQL_BYTES, EXAMPLE_QUESTION_BYTES};
use super::super::{Accepts, KEYS, Key, Settings};

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

#[track_caller]
fn assert_file(name: &str, expected: &str) {
    if std::env::var_os("BLESS").is_some() {
        fs::write(file(name), expected).expect("write");
    }
    let actual = fs::read_to_string(file(name)).expect(name);
    assert!(
        actual == expected,
        "`{name}` differs from the table of keys; run with BLESS=1 to write it anew"
    );
}

#[test]
fn every_default_is_valid_and_is_what_an_empty_document_gives() {
    let empty = Settings::parse("{}").expect("valid");
    for key in KEYS {
        let mut document = key.default.to_string();
        for part in key.path.rsplit('.') {
            document = format!("{{\"{part}\": {document}}}");
        }
        let settings = Settings::parse(&document).expect(key.path);
        assert_eq!(settings, empty, "{}", key.path);
    }
}

#[test]
fn paths_are_unique_and_no_key_is_a_group_too() {
    for (index, key) in KEYS.iter().enumerate() {
        for other in &KEYS[index + 1..] {
            assert_ne!(key.path, other.path);
            assert!(!other.path.starts_with(&format!("{}.", key.path)));
        }
        assert!(key.about().ends_with('.'), "{}", key.path);
    }
}

#[test]
fn both_ends_of_every_range_are_taken_and_the_next_values_are_not() {
    for key in KEYS {
        let Accepts::Whole { min, max, .. } = key.accepts else {
            continue;
        };
        let with = |value: String| {
            let mut document = value;
            for part in key.path.rsplit('.') {
                document = format!("{{\"{part}\": {document}}}");
            }
            Settings::parse(&document)
        };
        let least = with(min.to_string()).expect(key.path);
        let greatest = with(max.to_string()).expect(key.path);
        assert_ne!(least, greatest, "{} is stored nowhere", key.path);
        for outside in [i128::from(min) - 1, i128::from(max) + 1] {
            let error = with(outside.to_string()).expect_err(key.path);
            assert_eq!(error.code, "settings-range", "{} {outside}", key.path);
        }
    }
}

#[test]
fn the_json_schema_says_what_the_table_says() {
    let mut text = serde_json::to_string_pretty(&sorted(json_schema())).expect("json");
    text.push('\n');
    assert_file("wit/settings.schema.json", &text);
}

#[test]
fn the_documentation_says_what_the_table_says() {
    let name = "docs/settings.md";
    let actual = fs::read_to_string(file(name)).expect(name);
    let (before, rest) = actual.split_once("<!-- keys -->\n").expect("a beginning");
    let (_, after) = rest.split_once("<!-- end of keys -->\n").expect("an end");
    let expected = format!(
        "{before}<!-- keys -->\n{}<!-- end of keys -->\n{after}",
        markdown()
    );
    assert_file(name, &expected);
}

fn markdown() -> String {
    let mut text = String::from("\n| key | accepts | default | for |\n|---|---|---|---|\n");
    for key in KEYS {
        let about = key.about().replace('|', "\\|");
        text.push_str(&format!(
            "| `{}` | {} | `{}` | {about} |\n",
            key.path,
            key.allowed(),
            key.default
        ));
    }
    text.push('\n');
    text
}

fn json_schema() -> Value {
    let mut schema = object("The settings of one configured database.");
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("Settings of the querent component");
    for key in KEYS {
        let mut place = &mut schema;
        let mut parts: Vec<&str> = key.path.split('.').collect();
        let last = parts.pop().expect("a name");
        for part in parts {
            let group = &mut place["properties"][part];
            if group.is_null() {
                *group = object("");
            }
            place = group;
        }
        place["properties"][last] = property(key);
    }
    schema
}

fn object(about: &str) -> Value {
    let mut object = json!({"type": "object", "additionalProperties": false, "properties": {}});
    if !about.is_empty() {
        object["description"] = json!(about);
    }
    object
}

fn property(key: &Key) -> Value {
    let mut property = match key.accepts {
        // JSON Schema counts characters; a text within the bytes is within as many characters.
        Accepts::Text { max_bytes, .. } => json!({"type": "string", "maxLength": max_bytes}),
        Accepts::Whole { min, max, .. } => {
            json!({"type": "integer", "minimum": min, "maximum": max})
        }
        Accepts::Ceiling { .. } => json!({"type": ["number", "null"], "exclusiveMinimum": 0}),
        Accepts::Switch { .. } => json!({"anyOf": [
            {"type": "boolean"},
            {"type": "string", "pattern": "^\\s*(1|[Tt][Rr][Uu][Ee]|[Yy][Ee][Ss]|[Oo][Nn]|0|[Ff][Aa][Ll][Ss][Ee]|[Nn][Oo]|[Oo][Ff][Ff])\\s*$"}
        ]}),
        Accepts::Patterns { max, .. } => json!({
            "type": "array", "maxItems": max,
            "items": {"type": "string", "minLength": 1, "maxLength": 256}
        }),
        Accepts::Examples { max, .. } => json!({
            "type": "array", "maxItems": max,
            "items": {
                "type": "object", "additionalProperties": false, "required": ["question", "aql"],
                "properties": {
                    "question": {"type": "string", "minLength": 1, "maxLength": EXAMPLE_QUESTION_BYTES},
                    "aql": {"type": "string", "minLength": 1, "maxLength": EXAMPLE_AQL_BYTES}
                }
            }
        }),
    };
    property["default"] = serde_json::from_str(key.default).expect("json");
    property["description"] = json!(key.about());
    property
}
