//! What is refused, with which number and in which words.

use embedded_arango::engine::QueryOptions;
use serde_json::{Value as Json, json};

use crate::support::Bench;

#[test]
fn the_numbers_are_those_of_the_real_server() {
    let bench = Bench::new();
    bench.collection("c", json!([]));
    for (query, number) in [
        ("", 1502),
        ("   ", 1502),
        ("RETURN", 1501),
        ("FOR d IN missing RETURN d", 1203),
        ("RETURN missing", 1203),
        ("RETURN NOSUCH()", 1540),
        ("RETURN LENGTH()", 1541),
        ("RETURN c", 1568),
        ("INSERT 5 INTO c", 1227),
        ("REMOVE {} IN c", 1226),
        ("LET o = NOOPT({}) INSERT {} INTO c OPTIONS o", 1501),
        ("RETURN my::udf()", 1582),
        ("FOR d IN c SEARCH d.x == 1 RETURN d", 1501),
    ] {
        assert_eq!(bench.error(query).0, number, "{query}");
    }
}

#[test]
fn bind_parameters_must_be_there_be_declared_and_fit() {
    let bench = Bench::new();
    let error = |query: &str, bind: Json| {
        let error = bench
            .run(query, bind, QueryOptions::default())
            .expect_err("an error");
        (error.number, error.message)
    };
    assert_eq!(
        error("RETURN @id", json!({})),
        (
            1551,
            "AQL: no value specified for declared bind parameter 'id' (while parsing)".into()
        )
    );
    assert_eq!(
        error("RETURN 1", json!({"x": 1})),
        (
            1552,
            "AQL: bind parameter 'x' was not declared in the query (while parsing)".into()
        )
    );
    assert_eq!(error("FOR d IN @@c RETURN d", json!({"@c": 5})).0, 1553);
    assert_eq!(error("RETURN {}.@a", json!({"a": 5})).0, 1553);
    assert_eq!(
        error("FOR d IN @@c RETURN d", json!({"@c": "none"})),
        (1203, "collection or view not found: none".into())
    );
}

#[test]
fn the_memory_limit_stops_a_sort_and_names_the_nodes() {
    let options = QueryOptions {
        memory_limit: 100_000,
        ..QueryOptions::default()
    };
    let error = Bench::new()
        .run("FOR i IN 1..100000 SORT i RETURN i", Json::Null, options)
        .expect_err("an error");
    assert_eq!(error.number, 32);
    assert_eq!(
        error.message,
        "AQL: query would use more memory than allowed [node #3: EnumerateListNode] [node #4: SortNode] [node #4: SortNode] \
         [node #5: ReturnNode] (while executing)"
    );
}

#[test]
fn the_memory_limit_holds_for_rows_groups_and_constants() {
    let options = QueryOptions {
        memory_limit: 100_000,
        ..QueryOptions::default()
    };
    for query in [
        "FOR i IN 1..100000 RETURN i",
        "FOR i IN 1..100000 COLLECT x = i RETURN x",
        "FOR i IN 1..100000 RETURN DISTINCT i",
        "RETURN LENGTH(FOR i IN 1..100000 RETURN i)",
        "RETURN REPEAT('x', 1000000)",
        "LET x = NOOPT(1) RETURN LENGTH(x..1000000)",
    ] {
        let error = Bench::new()
            .run(query, Json::Null, options.clone())
            .expect_err(query);
        assert_eq!(error.number, 32, "{query}");
    }
}

#[test]
fn a_query_that_takes_too_long_is_killed() {
    let options = QueryOptions {
        max_runtime: 0.05,
        ..QueryOptions::default()
    };
    for query in [
        "FOR a IN 1..1000000 FOR b IN 1..1000000 FILTER a + b < 0 RETURN 1",
        "RETURN SLEEP(60)",
        "RETURN LENGTH((1..1000000)[* FILTER LENGTH((1..1000000)[* FILTER CURRENT < 0]) > 5])",
    ] {
        let error = Bench::new()
            .run(query, Json::Null, options.clone())
            .expect_err(query);
        assert_eq!((error.number, error.http), (1500, 410), "{query}");
    }
}

#[test]
fn a_warning_fails_the_query_that_asks_for_it() {
    let options = QueryOptions {
        fail_on_warning: true,
        ..QueryOptions::default()
    };
    for query in ["RETURN 1 / 0", "FOR i IN [0] RETURN 1 / i"] {
        let error = Bench::new()
            .run(query, Json::Null, options.clone())
            .expect_err(query);
        assert_eq!(error.number, 1562, "{query}");
    }
}

#[test]
fn no_more_warnings_are_kept_than_asked_for() {
    let options = QueryOptions {
        max_warning_count: 3,
        ..QueryOptions::default()
    };
    let outcome = Bench::new()
        .run("FOR i IN 1..100 RETURN 1 / (i - i)", Json::Null, options)
        .expect("rows");
    assert_eq!(outcome.warnings.len(), 3);
}
