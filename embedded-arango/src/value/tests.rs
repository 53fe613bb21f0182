//! What the rest of the crate relies on: one order, equality and hashing that agree, JSON that survives a round trip.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::{Object, Value, compare_strings, double_text};

fn json(text: &str) -> Value {
    Value::from_json_text(text).unwrap()
}

#[test]
fn types_have_one_order() {
    let ordered = [
        "null",
        "false",
        "true",
        "-1.5",
        "0",
        "1",
        "1.5",
        "\"\"",
        "\"0\"",
        "\"a\"",
        "[]",
        "[0]",
        "[1,2]",
        "[2]",
        "{}",
        "{\"a\":1}",
    ];
    for (at, left) in ordered.iter().enumerate() {
        for (other, right) in ordered.iter().enumerate() {
            assert_eq!(
                json(left).compare(&json(right)),
                at.cmp(&other),
                "{left} against {right}"
            );
        }
    }
}

#[test]
fn what_is_missing_compares_as_null() {
    assert_eq!(json("{}"), json(r#"{"a":null}"#));
    assert_eq!(json("[1]"), json("[1,null]"));
    assert!(json(r#"{"b":1}"#) < json(r#"{"a":0}"#));
    assert!(json(r#"{"a":{"c":true}}"#) < json(r#"{"a":{"c":0}}"#));
    assert_eq!(json(r#"{"a":1,"b":2}"#), json(r#"{"b":2,"a":1}"#));
}

#[test]
fn integers_and_doubles_compare_by_exact_value() {
    assert_eq!(Value::Int(1), Value::Double(1.0));
    assert_eq!(Value::Int(0), Value::Double(-0.0));
    assert!(Value::Int(i64::MAX) < Value::Double(9_223_372_036_854_775_808.0));
    assert!(Value::Int(9_007_199_254_740_993) > Value::Double(9_007_199_254_740_992.0));
    assert!(Value::Int(-1) > Value::Double(-1.5));
    assert!(Value::Int(i64::MIN) > Value::Double(-1e300));
}

#[test]
fn equal_values_hash_alike() {
    let set: HashSet<Value> = [
        Value::Int(1),
        Value::Double(1.0),
        json("[1,null]"),
        json("[1.0]"),
        json(r#"{"a":null,"b":[0]}"#),
        json(r#"{"b":[-0.0]}"#),
    ]
    .into_iter()
    .collect();
    assert_eq!(set.len(), 3);
}

#[test]
fn strings_sort_by_language_and_upper_case_comes_first() {
    let mut words = [
        "b", "a", "B", "A", "ä", "z", "Ä", "ab", "_", "1", "é", "f", "e",
    ];
    words.sort_by(|left, right| compare_strings(left, right));
    assert_eq!(
        words,
        [
            "_", "1", "A", "a", "Ä", "ä", "ab", "B", "b", "e", "é", "f", "z"
        ]
    );
    assert_eq!(
        compare_strings("e\u{301}", "\u{e9}"),
        "e\u{301}".cmp("\u{e9}")
    );
    assert_eq!(compare_strings("same", "same"), Ordering::Equal);
}

#[test]
fn doubles_print_as_the_server_prints_them() {
    for (number, text) in [
        (1.0, "1"),
        (-0.0, "-0"),
        (0.5, "0.5"),
        (1.25, "1.25"),
        (12_000_000.0, "12000000"),
        (1e8, "1e+8"),
        (123_456_789_012.0, "123456789012"),
        (1e21, "1e+21"),
        (0.000_001, "0.000001"),
        (1.5e-7, "1.5e-7"),
        (112.643_856_189_774_72, "112.64385618977472"),
        (-3.380_515_006_246_586, "-3.380515006246586"),
    ] {
        assert_eq!(double_text(number), text);
    }
}

#[test]
fn casts_follow_the_language() {
    for (value, number) in [
        ("null", "0"),
        ("true", "1"),
        ("\" 12 \"", "12"),
        ("\"1.5e1\"", "15"),
        ("\"12a\"", "0"),
        ("\"inf\"", "0"),
        ("[[\"7\"]]", "7"),
        ("[1,2]", "0"),
        ("{}", "0"),
    ] {
        assert_eq!(json(value).to_number(), json(number), "{value}");
    }
    for (value, text) in [
        ("null", ""),
        ("true", "true"),
        ("[1,\"a\",1.50]", "[1,\"a\",1.5]"),
        ("{\"a\":[]}", "{\"a\":[]}"),
        ("-1.23", "-1.23"),
    ] {
        assert_eq!(json(value).to_text(), text);
    }
    for (value, array) in [
        ("null", "[]"),
        ("1", "[1]"),
        ("{\"a\":1,\"b\":[2]}", "[1,[2]]"),
    ] {
        assert_eq!(json(value).to_array(), json(array));
    }
    for (value, truth) in [
        ("null", false),
        ("0.0", false),
        ("\"\"", false),
        ("\" \"", true),
        ("[]", true),
        ("{}", true),
    ] {
        assert_eq!(json(value).is_true(), truth, "{value}");
    }
}

#[test]
fn objects_keep_their_order_small_and_large() {
    let mut object = Object::new();
    for at in (0..100).rev() {
        object.insert(format!("k{at}"), Value::Int(at));
    }
    assert_eq!(object.insert("k50", Value::Null), Some(Value::Int(50)));
    assert_eq!(object.remove("k99"), Some(Value::Int(99)));
    assert_eq!(object.keys().next().map(|name| &**name), Some("k98"));
    assert_eq!(object.get("k0"), Some(&Value::Int(0)));
    assert_eq!(object.get("k99"), None);
    object.retain(|name, _| name.len() == 2);
    assert_eq!(
        Value::object(object).to_json_text(),
        r#"{"k9":9,"k8":8,"k7":7,"k6":6,"k5":5,"k4":4,"k3":3,"k2":2,"k1":1,"k0":0}"#
    );
}

#[test]
fn json_survives_a_round_trip_in_order() {
    let text = r#"{"b":[1,2.5,-0.25,"ü\n\u0001",null,true],"a":{"z":{},"y":[]},"big":9223372036854775807}"#;
    let value = json(text);
    assert_eq!(value.to_json_text(), text);
    assert_eq!(serde_json::to_string(&value).unwrap(), text);
    assert_eq!(Value::from_json(value.to_json()), value);
    assert_eq!(
        json("18446744073709551615"),
        Value::Double(18_446_744_073_709_551_615.0)
    );
    assert_eq!(
        json(r#"{"a":1,"b":2,"a":3}"#).to_json_text(),
        r#"{"a":3,"b":2}"#
    );
    assert_eq!(serde_json::to_string(&Value::Double(3.0)).unwrap(), "3");
}
