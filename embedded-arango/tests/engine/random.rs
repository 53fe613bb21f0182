//! Random queries: none panics, explain says of each whether it writes, and what only reads changes nothing.

use embedded_arango::engine::{self, Control, QueryOptions};
use embedded_arango::storage::ViewKind;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value as Json, json};

use crate::support::{Bench, request, with_stack};

fn leaf() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("null"),
        Just("true"),
        Just("0"),
        Just("1"),
        Just("-7.5"),
        Just("9223372036854775807"),
        Just("''"),
        Just("'a'"),
        Just("'v/a'"),
        Just("[]"),
        Just("[1, 2, [3, 'x'], {a: 1}]"),
        Just("{}"),
        Just("{a: 1, b: {c: [2]}}"),
        Just("d"),
        Just("d.a"),
        Just("d._key"),
        Just("1..3"),
        Just("@p"),
        Just("LENGTH(c)"),
    ]
    .prop_map(str::to_owned)
}

fn expression() -> impl Strategy<Value = String> {
    leaf().prop_recursive(3, 24, 3, |inner| {
        let operator = prop_oneof![
            Just("+"),
            Just("-"),
            Just("*"),
            Just("/"),
            Just("%"),
            Just("=="),
            Just("!="),
            Just("<"),
            Just(">="),
            Just("IN"),
            Just("NOT IN"),
            Just("AND"),
            Just("OR"),
            Just("LIKE"),
            Just("=~"),
            Just("ANY =="),
            Just("ALL IN"),
            Just("NONE >"),
            Just("?:"),
        ];
        let function = prop_oneof![
            Just("LENGTH"),
            Just("SUM"),
            Just("TO_STRING"),
            Just("TO_NUMBER"),
            Just("FLATTEN"),
            Just("UNIQUE"),
            Just("REVERSE"),
            Just("KEYS"),
            Just("FIRST"),
            Just("MAX"),
            Just("SORTED"),
            Just("DOCUMENT"),
            Just("TYPENAME"),
            Just("JSON_STRINGIFY"),
            Just("MERGE"),
        ];
        prop_oneof![
            (inner.clone(), operator, inner.clone())
                .prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            (function, inner.clone()).prop_map(|(name, a)| format!("{name}({a})")),
            inner.clone().prop_map(|a| format!("(NOT {a})")),
            inner.clone().prop_map(|a| format!("(-{a})")),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| format!("({a} ? {b} : {c})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a})[{b}]")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!(
                "({a})[* FILTER CURRENT == {b} LIMIT 1, 2 RETURN [CURRENT]]"
            )),
            inner.clone().prop_map(|a| format!("({a})[**].x[*]")),
            (inner.clone(), inner.clone())
                .prop_map(|(a, b)| format!("({a})[? AT LEAST (1) FILTER CURRENT < {b}]")),
            (inner.clone(), inner.clone())
                .prop_map(|(a, b)| format!("[{a}, {{x: {b}, [{a}]: 1}}]")),
            inner
                .clone()
                .prop_map(|a| format!("(FOR s IN [1, 2] FILTER s == {a} RETURN [s, d])")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("({a}..{b})")),
        ]
    })
}

fn statement() -> impl Strategy<Value = String> {
    let bound = prop_oneof![Just("0"), Just("1"), Just("3"), Just("'unbounded'")];
    let direction = prop_oneof![Just("OUTBOUND"), Just("INBOUND"), Just("ANY")];
    let options = prop_oneof![
        Just(""),
        Just("OPTIONS {order: 'bfs', uniqueVertices: 'global'}"),
        Just("OPTIONS {order: 'weighted', weightAttribute: 'w'}"),
        Just("OPTIONS {uniqueVertices: 'path'}"),
    ];
    prop_oneof![
        3 => expression().prop_map(|a| format!("FILTER {a}")),
        2 => expression().prop_map(|a| format!("SORT {a} DESC, d")),
        2 => expression().prop_map(|a| format!("LET d = [{a}]").replace("LET d", "LET e")),
        1 => (0..4_u8, 0..4_u8).prop_map(|(a, b)| format!("LIMIT {a}, {b}")),
        1 => expression().prop_map(|a| format!("COLLECT d = {a}")),
        1 => expression().prop_map(|a| format!("COLLECT d = {a} INTO g")),
        1 => expression().prop_map(|a| format!("COLLECT AGGREGATE d = PUSH({a})")),
        1 => (bound.clone(), bound, expression()).prop_map(|(a, b, x)| format!("WINDOW {{preceding: {a}, following: {b}}} AGGREGATE w = SUM({x})")),
        1 => expression().prop_map(|a| format!("FOR i IN TO_ARRAY({a}) LIMIT 20")),
        1 => (direction.clone(), options, expression()).prop_map(|(way, options, x)| format!("FOR v, e2, p IN 0..3 {way} 'v/a' e PRUNE v.x == {x} {options}")),
        1 => direction.prop_map(|way| format!("FOR q IN {way} K_SHORTEST_PATHS 'v/a' TO 'v/c' GRAPH 'g' LIMIT 5")),
    ]
}

fn source() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("FOR d IN c".to_owned()),
        Just("FOR d IN view".to_owned()),
        expression().prop_map(|a| format!(
            "FOR d IN TO_ARRAY({})",
            a.replace("d.a", "1")
                .replace("d._key", "1")
                .replace(", d]", "]")
        )),
    ]
}

fn ending() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => expression().prop_map(|a| format!("RETURN {a}")),
        1 => expression().prop_map(|a| format!("RETURN DISTINCT {a}")),
        1 => expression().prop_map(|a| format!("INSERT {{x: {a}}} INTO w RETURN NEW.x")),
        1 => expression().prop_map(|a| format!("UPSERT {{x: {a}}} INSERT {{x: 1}} UPDATE {{y: OLD.x}} IN w OPTIONS {{ignoreErrors: true}}")),
        1 => expression().prop_map(|a| format!("UPDATE TO_STRING({a}) WITH {{x: 1}} IN w OPTIONS {{ignoreErrors: true}}")),
        1 => Just("REMOVE d IN w OPTIONS {ignoreErrors: true}".to_owned()),
    ]
}

fn query() -> impl Strategy<Value = String> {
    (source(), prop::collection::vec(statement(), 0..4), ending()).prop_map(
        |(source, statements, ending)| format!("{source} {} {ending}", statements.join(" ")),
    )
}

fn bench() -> Bench {
    let bench = Bench::new();
    bench.collection("c", json!([{"_key": "a", "a": 1}, {"_key": "b", "a": [1, "x"]}, {"_key": "d", "a": {"b": null}}]));
    bench.collection("w", json!([{"_key": "1", "x": 1}]));
    bench.collection("v", json!([{"_key": "a"}, {"_key": "b"}, {"_key": "c"}]));
    bench.edges("e", json!([
        {"_from": "v/a", "_to": "v/b", "w": 2}, {"_from": "v/b", "_to": "v/c", "w": 1}, {"_from": "v/a", "_to": "v/c"},
        {"_from": "v/c", "_to": "v/a", "w": -1}, {"_from": "v/a", "_to": "v/a"}, {"_from": "v/c", "_to": "gone/x"},
    ]));
    bench.index("c", json!({"type": "persistent", "fields": ["a"]}));
    bench.graph(
        "g",
        json!([{"collection": "e", "from": ["v"], "to": ["v"]}]),
        json!([]),
    );
    bench.view(
        "view",
        ViewKind::ArangoSearch,
        json!({"links": {"c": {"includeAllFields": true}}}),
    );
    bench
}

#[test]
fn no_query_panics_and_one_that_only_reads_changes_nothing() {
    with_stack(|| {
        let bench = bench();
        let runs = std::cell::Cell::new((0_u32, 0_u32));
        let mut runner = TestRunner::new(Config {
            cases: 600,
            failure_persistence: None,
            ..Config::default()
        });
        let result = runner.run(&query(), |text| {
            let options = QueryOptions {
                memory_limit: 16 << 20,
                max_runtime: 5.0,
                ..QueryOptions::default()
            };
            let bind = if text.contains("@p") {
                json!({"p": [1, "a"]})
            } else {
                Json::Null
            };
            let request = request(&text, bind, options);
            let explained = engine::explain(&bench.database.snapshot(), &request, &bench.session());
            let mut txn = bench.transaction(true);
            let before = bench.database.digest();
            let control = Control::new(&request.options);
            let ran = engine::run(&mut txn, &request, &control, &bench.session());
            let (tried, done) = runs.get();
            runs.set((tried + 1, done + u32::from(ran.is_ok())));
            let writes = ["INSERT", "UPSERT", "UPDATE", "REMOVE"]
                .iter()
                .any(|word| text.contains(word));
            if let Ok(body) = explained {
                prop_assert_eq!(&body["plan"]["isModificationQuery"], &json!(writes));
                let listed = body["plan"]["collections"]
                    .as_array()
                    .cloned()
                    .unwrap_or_default();
                prop_assert_eq!(listed.iter().any(|one| one["type"] == "write"), writes);
            } else {
                prop_assert!(ran.is_err(), "explain refuses what runs: {}", text);
            }
            if !writes {
                prop_assert!(!txn.has_changes());
                txn.commit().expect("a commit");
            }
            prop_assert_eq!(before, bench.database.digest());
            Ok(())
        });
        result.expect("no counterexample");
        let (tried, done) = runs.get();
        println!("{done} of {tried} random queries ran to their end");
        assert!(
            done * 5 > tried,
            "the generator must mostly make queries that run: {done} of {tried}"
        );
    });
}

#[test]
fn a_query_gives_the_same_rows_with_and_without_the_optimizer() {
    with_stack(|| {
        let bench = bench();
        let mut runner = TestRunner::new(Config {
            cases: 500,
            failure_persistence: None,
            ..Config::default()
        });
        let result = runner.run(&query(), |text| {
            if ["INSERT", "UPSERT", "UPDATE", "REMOVE"]
                .iter()
                .any(|word| text.contains(word))
            {
                return Ok(());
            }
            let bind = if text.contains("@p") {
                json!({"p": [1, "a"]})
            } else {
                Json::Null
            };
            let rows = |rules: Vec<String>| {
                let options = QueryOptions {
                    max_runtime: 5.0,
                    rules,
                    ..QueryOptions::default()
                };
                let request = request(&text, bind.clone(), options);
                let control = Control::new(&request.options);
                engine::run(
                    &mut bench.transaction(true),
                    &request,
                    &control,
                    &bench.session(),
                )
                .map(|outcome| outcome.rows)
            };
            // Which error comes first is the optimizer's to change; whether rows come, and which, is not.
            if let (Ok(plain), Ok(optimized)) = (rows(vec!["-all".into()]), rows(Vec::new())) {
                prop_assert_eq!(plain, optimized);
            }
            Ok(())
        });
        result.expect("no counterexample");
    });
}
