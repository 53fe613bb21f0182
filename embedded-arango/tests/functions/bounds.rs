//! No input makes a function panic, run without end, or take memory that its query may not.

use embedded_arango::functions::all;
use embedded_arango::value::{Object, Value};
use proptest::prelude::*;

use super::Query;

/// Values that functions branch on, and any others.
fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        (-40..40_i64).prop_map(Value::Int),
        any::<f64>().prop_map(Value::from_f64),
        (-5.0..5.0_f64).prop_map(Value::from_f64),
        prop::sample::select(vec![
            "",
            "a",
            "year",
            "m",
            "Europe/Berlin",
            "UTC",
            "2024-02-29T12:00:00.000Z",
            "0000",
            "9999-12-31T23:59:59.999Z",
            "P1Y2M",
            "(a+)+$",
            "[",
            "a|b",
            "%_\\",
            "people/ada",
            "wgs84",
            "interpolation",
            "text_en",
            "identity",
            "Point",
            "type",
            "coordinates",
            "_id",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab",
            "1.5e3",
            "éè\u{301}🥑",
            "%yyyyyy %mmmm %",
            "0101",
            "127.0.0.1",
            "$1${x}\\",
        ])
        .prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        (-190.0..190.0_f64, -95.0..95.0_f64)
            .prop_map(|(x, y)| Value::array(vec![Value::from(x), Value::from(y)])),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::array),
            prop::collection::vec(
                (
                    prop::sample::select(vec![
                        "a",
                        "b",
                        "type",
                        "coordinates",
                        "_id",
                        "_key",
                        "geometries",
                        ""
                    ]),
                    inner.clone()
                ),
                0..5
            )
            .prop_map(|entries| Value::object(entries.into_iter().collect::<Object>())),
            (
                prop::sample::select(vec!["Point", "LineString", "Polygon", "MultiPolygon"]),
                inner
            )
                .prop_map(|(kind, coordinates)| {
                    Value::object(
                        [("type", Value::from(kind)), ("coordinates", coordinates)]
                            .into_iter()
                            .collect::<Object>(),
                    )
                }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn every_function_ends_without_a_panic_on_any_values(args in prop::collection::vec(values(), 0..7)) {
        for function in all() {
            let count = args.len().clamp(function.min_args, function.max_args);
            let args: Vec<Value> = args.iter().cloned().chain(std::iter::repeat(Value::Null)).take(count).collect();
            let mut query = Query { limit: Some(32 << 20), ..Query::default() };
            if let Ok(value) = query.call(function.name, &args) {
                // Whatever comes out is finite, and its text is JSON again.
                prop_assert!(serde_json::from_str::<serde_json::Value>(&value.to_json_text()).is_ok(), "{}", function.name);
            }
        }
    }

    #[test]
    fn a_deterministic_function_gives_equal_results_for_equal_arguments(args in prop::collection::vec(values(), 1..4)) {
        for function in all().filter(|function| function.deterministic) {
            let count = args.len().clamp(function.min_args, function.max_args);
            let args: Vec<Value> = args.iter().cloned().chain(std::iter::repeat(Value::Null)).take(count).collect();
            let mut first = Query { limit: Some(32 << 20), ..Query::default() };
            let mut second = Query { limit: Some(32 << 20), ..Query::default() };
            prop_assert_eq!(first.call(function.name, &args), second.call(function.name, &args), "{}", function.name);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn every_built_in_analyzer_ends_on_any_text(
        text in prop_oneof![
            "\\PC{0,30}",
            "[a-zäöüßéèêçñøåšžğıëïœаеиояыйсщьъэю'’. -]{0,30}",
            "[αεηιουωάέήίσςμνπρ]{0,12}",
            "(in|ge|be|an)?[a-z]{0,6}(ational|iveness|fulness|edly|ingly|ement|ieurs|heit|keit|lich|mente|ción|issimo|ssa|lla|ными|ость)?",
        ],
    ) {
        for locale in ["de", "en", "es", "fi", "fr", "it", "nl", "no", "pt", "ru", "sv", "zh"] {
            let args = [Value::from(text.as_str()), Value::from(format!("text_{locale}"))];
            let tokens = Query::default().call("TOKENS", &args).unwrap();
            prop_assert!(tokens.as_array().unwrap().len() <= text.chars().count());
        }
    }
}

#[test]
fn what_grows_keeps_to_the_memory_limit() {
    let long = Value::from("x".repeat(1 << 20));
    let calls: Vec<(&str, Vec<Value>)> = vec![
        ("REPEAT", vec![Value::from("x"), Value::Int(15_000_000)]),
        ("RANGE", vec![Value::Int(1), Value::Int(i64::MAX)]),
        (
            "RANGE",
            vec![Value::Int(0), Value::Int(1), Value::Double(1e-9)],
        ),
        ("CONCAT", vec![long.clone(); 40]),
        (
            "CONCAT_SEPARATOR",
            [vec![long.clone()], vec![Value::from("y"); 40]].concat(),
        ),
        (
            "REPLACE_NTH",
            vec![
                Value::array(vec![]),
                Value::Int(1 << 40),
                Value::Null,
                Value::Null,
            ],
        ),
        (
            "SUBSTITUTE",
            vec![
                long.clone(),
                Value::from("x"),
                Value::from("a long replacement"),
            ],
        ),
        (
            "REGEX_REPLACE",
            vec![
                long.clone(),
                Value::from("x"),
                Value::from("a long replacement"),
            ],
        ),
        ("SPLIT", vec![long.clone(), Value::from("")]),
        ("LEVENSHTEIN_DISTANCE", vec![long.clone(), long]),
    ];
    for (name, args) in calls {
        let mut query = Query {
            limit: Some(8 << 20),
            ..Query::default()
        };
        assert_eq!(
            query.call(name, &args).map_err(|error| error.number),
            Err(32),
            "{name}"
        );
    }
}

#[test]
fn without_a_memory_limit_a_single_call_is_still_bounded() {
    for (name, args) in [
        ("RANGE", vec![Value::Int(1), Value::Int(i64::MAX)]),
        (
            "REPLACE_NTH",
            vec![
                Value::array(vec![]),
                Value::Int(1 << 40),
                Value::Null,
                Value::Null,
            ],
        ),
        ("CONCAT", vec![Value::from("x".repeat(1 << 24)); 8]),
    ] {
        assert_eq!(
            Query::default()
                .call(name, &args)
                .map_err(|error| error.number),
            Err(32),
            "{name}"
        );
    }
    let mut query = Query::default();
    assert_eq!(
        query.call("REPEAT", &[Value::from("x"), Value::Int(i64::MAX)]),
        Ok(Value::Null)
    );
    assert_eq!(
        query.warnings,
        [(
            32,
            "in function 'REPEAT()': resource limit exceeded".to_owned()
        )]
    );
}

#[test]
fn a_pattern_that_backtracks_without_end_stops() {
    let text = Value::from("a".repeat(5_000));
    for pattern in ["(a+)+$b", "(a|a)*b", r"(a+)+\1c", "(?=(a+)+b)x"] {
        let result = Query::default().call("REGEX_TEST", &[text.clone(), Value::from(pattern)]);
        assert_eq!(result, Ok(Value::Bool(false)), "{pattern}");
    }
}
