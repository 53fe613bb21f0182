//! `FOR`, `LET`, `FILTER`, `SORT`, `LIMIT`, `RETURN`, subqueries, views and indexes.

use embedded_arango::engine::QueryOptions;
use embedded_arango::storage::ViewKind;
use serde_json::{Value as Json, json};

use crate::support::Bench;

fn people() -> Bench {
    let bench = Bench::new();
    bench.collection(
        "people",
        json!([
            {"_key": "ada", "name": "Ada", "age": 36, "tags": ["x", "y"]},
            {"_key": "bob", "name": "Bob", "age": 25, "tags": ["y"]},
            {"_key": "cyd", "name": "Cyd", "age": 36},
            {"_key": "dan", "name": "Dan"},
        ]),
    );
    bench
}

#[test]
fn a_loop_over_a_collection_gives_documents_in_the_order_of_insertion() {
    assert_eq!(
        people().rows("FOR p IN people RETURN p._key"),
        json!(["ada", "bob", "cyd", "dan"])
    );
}

#[test]
fn loops_nest_from_the_outside_in() {
    assert_eq!(
        Bench::new().rows("FOR a IN 1..2 FOR b IN [10, 20] RETURN a + b"),
        json!([11, 21, 12, 22])
    );
}

#[test]
fn a_loop_over_no_array_is_an_error_that_names_the_type() {
    let (number, message) = Bench::new().error("LET x = NOOPT(5) FOR i IN x RETURN i");
    assert_eq!(number, 1563);
    assert!(message.contains("collection or array expected as operand to FOR loop; you provided a value of type 'number'"), "{message}");
}

#[test]
fn destructuring_takes_arrays_and_objects_apart() {
    assert_eq!(
        Bench::new().rows("FOR [a, , {b, c: d}] IN [[1, 2, {b: 3, c: 4}]] LET {e: [f]} = {e: [5]} RETURN [a, b, d, f]"),
        json!([[1, 3, 4, 5]])
    );
}

#[test]
fn a_sort_is_stable_and_orders_by_type_and_value() {
    let bench = people();
    assert_eq!(
        bench.rows("FOR p IN people SORT p.age RETURN p._key"),
        json!(["dan", "bob", "ada", "cyd"])
    );
    assert_eq!(
        bench.rows("FOR p IN people SORT p.age DESC, p.name DESC RETURN p._key"),
        json!(["cyd", "ada", "bob", "dan"])
    );
    assert_eq!(
        bench.rows("FOR x IN ['b', 1, null, [1], {a: 1}, true, 'a'] SORT x RETURN x"),
        json!([null, true, 1, "a", "b", [1], {"a": 1}])
    );
}

#[test]
fn a_sort_with_a_limit_gives_the_first_of_all_rows() {
    assert_eq!(
        Bench::new().rows("FOR i IN 1..5000 SORT i DESC LIMIT 2, 3 RETURN i"),
        json!([4998, 4997, 4996])
    );
}

#[test]
fn a_limit_stops_the_loops_before_it() {
    let bench = people();
    let outcome = bench
        .run(
            "FOR p IN people LIMIT 1 RETURN p",
            Json::Null,
            QueryOptions::default(),
        )
        .expect("rows");
    assert_eq!(outcome.stats.scanned_full, 1);
    assert_eq!(bench.rows("FOR i IN 1..3 LIMIT 1, 0 RETURN i"), json!([]));
}

#[test]
fn full_count_counts_what_the_last_limit_cut() {
    let options = QueryOptions {
        full_count: true,
        ..QueryOptions::default()
    };
    let outcome = Bench::new()
        .run(
            "FOR i IN 1..1000 FILTER i > 500 LIMIT 10 RETURN i",
            Json::Null,
            options,
        )
        .expect("rows");
    assert_eq!(outcome.stats.full_count, Some(500));
    assert_eq!((outcome.rows.len(), outcome.stats.filtered), (10, 500));
}

#[test]
fn distinct_keeps_the_first_of_equal_values() {
    assert_eq!(
        Bench::new().rows("FOR x IN [1, 2, 1.0, 'a', 'a', null, null] RETURN DISTINCT x"),
        json!([1, 2, "a", null])
    );
}

#[test]
fn a_subquery_sees_the_row_around_it() {
    let bench = people();
    assert_eq!(
        bench.rows(
            "FOR a IN [25, 36] RETURN (FOR p IN people FILTER p.age == a SORT p.name RETURN p.name)"
        ),
        json!([["Bob"], ["Ada", "Cyd"]])
    );
    assert_eq!(
        bench.rows("RETURN LENGTH(FOR p IN people RETURN 1)"),
        json!([4])
    );
    assert_eq!(
        bench.rows("RETURN [LENGTH(people), COUNT(people)]"),
        json!([[4, 4]])
    );
}

#[test]
fn a_sort_keeps_what_is_read_after_it_and_a_subquery_starts_anew_each_time() {
    assert_eq!(
        Bench::new().rows("FOR a IN [2, 1] LET b = (FOR c IN [a, 3, 0] SORT c LIMIT 2 RETURN c) SORT a RETURN [a, b]"),
        json!([[1, [0, 1]], [2, [0, 2]]])
    );
}

#[test]
fn an_index_gives_the_same_rows_as_a_scan() {
    let queries = [
        "FOR p IN people FILTER p.age == 36 SORT p._key RETURN p._key",
        "FOR p IN people FILTER p.age IN [25, 36, 25] SORT p._key RETURN p._key",
        "FOR p IN people FILTER p.age > 25 AND p.age <= 36 SORT p._key RETURN p._key",
        "FOR p IN people FILTER p.age < 30 SORT p._key RETURN p._key",
        "FOR p IN people FILTER 30 > p.age AND p.name != 'Bob' SORT p._key RETURN p._key",
        "FOR a IN [25, 36] FOR p IN people FILTER p.age == a SORT p._key RETURN p._key",
        "FOR p IN people FILTER p._key IN ['bob', 'ada', 'nobody'] SORT p._key RETURN p._key",
        "FOR p IN people FILTER p._id == 'people/cyd' RETURN p._key",
        "FOR p IN people FILTER p.age == null RETURN p._key",
        "FOR p IN people SORT p.age, p.name RETURN p._key",
    ];
    let plain = people();
    let indexed = people();
    indexed.index(
        "people",
        json!({"type": "persistent", "fields": ["age", "name"]}),
    );
    for query in queries {
        assert_eq!(plain.rows(query), indexed.rows(query), "{query}");
    }
    assert!(indexed.nodes(queries[0]).contains(&"IndexNode".to_owned()));
    assert!(!plain.nodes(queries[0]).contains(&"IndexNode".to_owned()));
}

#[test]
fn a_sparse_index_is_not_used_where_null_could_match() {
    let bench = people();
    bench.index(
        "people",
        json!({"type": "persistent", "fields": ["age"], "sparse": true}),
    );
    assert_eq!(
        bench.rows("FOR p IN people FILTER p.age == null RETURN p._key"),
        json!(["dan"])
    );
    assert_eq!(
        bench.rows("FOR p IN people FILTER p.age < 30 SORT p._key RETURN p._key"),
        json!(["bob", "dan"])
    );
    assert!(
        bench
            .nodes("FOR p IN people FILTER p.age == 36 RETURN p")
            .contains(&"IndexNode".to_owned())
    );
}

#[test]
fn a_view_gives_the_documents_of_its_links_that_satisfy_the_search() {
    let bench = people();
    bench.view(
        "everyone",
        ViewKind::ArangoSearch,
        json!({"links": {"people": {"includeAllFields": true}}}),
    );
    assert_eq!(
        bench.rows("FOR p IN everyone SEARCH p.age == 36 AND p.name != 'Cyd' RETURN p._key"),
        json!(["ada"])
    );
    assert_eq!(
        bench.rows("FOR p IN everyone SEARCH p.tags == 'y' SORT p._key RETURN p._key"),
        json!(["ada", "bob"])
    );
    assert_eq!(bench.rows("FOR p IN everyone SEARCH BOOST(p.age > 30, 2) OR p.name IN ['Dan'] SORT p._key RETURN p._key"), json!(["ada", "cyd", "dan"]));
}

#[test]
fn a_value_bind_parameter_names_an_attribute_or_a_path() {
    let bench = people();
    let outcome = bench
        .run(
            "FOR p IN @@c FILTER p.@a == @v RETURN p.@path",
            json!({"@c": "people", "a": "name", "v": "Ada", "path": ["tags"]}),
            QueryOptions::default(),
        )
        .expect("rows");
    assert_eq!(outcome.rows[0].to_json(), json!(["x", "y"]));
}

#[test]
fn membership_in_a_long_list_is_what_it_is_in_a_short_one() {
    let bench = people();
    let list = "[9, 'x', null, 36, [1], 25.0, 36, true, {a: 1}, 7]";
    for (query, keys) in [
        (format!("FOR p IN people FILTER p.age IN {list} RETURN p._key"), json!(["ada", "bob", "cyd", "dan"])),
        (format!("FOR p IN people FILTER p.age NOT IN {list} RETURN p._key"), json!([])),
        ("LET l = (FOR x IN [36, 1, 36] RETURN x) FOR p IN people FILTER p.age IN l RETURN p._key".into(), json!(["ada", "cyd"])),
        ("LET l = (FOR x IN [36, 1] RETURN x) FOR p IN people FILTER p.age NOT IN l RETURN p._key".into(), json!(["bob", "dan"])),
        ("LET l = (RETURN 36) FOR a IN 1..2 LET m = [a * 18, 25] FOR p IN people FILTER p.age IN m AND p.age IN l RETURN p._key".into(), json!(["ada", "cyd"])),
    ] {
        assert_eq!(bench.rows(&query), keys, "{query}");
    }
    let text = bench
        .explain(
            "LET l = (FOR x IN people RETURN x.age) FOR p IN people FILTER p.age IN l RETURN p",
        )
        .expect("a plan")
        .to_string();
    assert!(
        text.contains("SORTED_UNIQUE") && text.contains("sort-in-values"),
        "{text}"
    );
}
