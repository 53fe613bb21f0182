//! Searches of vector indexes.

use embedded_arango::engine::QueryOptions;
use serde_json::{Value as Json, json};

use crate::support::Bench;

/// Five points of the plane, one without a vector, one with a vector of another length.
fn points() -> Bench {
    let bench = Bench::new();
    bench.collection(
        "points",
        json!([
            {"_key": "east", "v": [1, 0], "kind": "axis"},
            {"_key": "north", "v": [0, 2], "kind": "axis"},
            {"_key": "west", "v": [-3, 0], "kind": "axis"},
            {"_key": "diagonal", "v": [2, 2], "kind": "between", "nested": {"v": [2, 2]}},
            {"_key": "near", "v": [1, 0.5], "kind": "between"},
            {"_key": "none"},
            {"_key": "long", "v": [1, 0, 0]},
        ]),
    );
    bench
}

fn indexed(metric: &str) -> Bench {
    let bench = points();
    bench.index(
        "points",
        json!({"type": "vector", "name": "by_v", "fields": ["v"], "sparse": true,
               "params": {"metric": metric, "dimension": 2, "nLists": 1}}),
    );
    bench
}

#[test]
fn the_most_similar_come_first_by_cosine() {
    let bench = indexed("cosine");
    assert_eq!(
        bench.rows(
            "FOR p IN points SORT APPROX_NEAR_COSINE(p.v, [4, 0]) DESC LIMIT 3 RETURN p._key"
        ),
        json!(["east", "near", "diagonal"])
    );
    let scored = bench.rows(
        "LET q = [0, 1] FOR p IN points LET s = APPROX_NEAR_COSINE(q, p.v) SORT s DESC LIMIT 1, 2 RETURN [p._key, ROUND(s * 1000)]",
    );
    assert_eq!(scored, json!([["diagonal", 707], ["near", 447]]));
}

#[test]
fn the_nearest_come_first_by_distance_and_the_largest_product_by_product() {
    assert_eq!(
        indexed("l2").rows(
            "FOR p IN points LET d = APPROX_NEAR_L2(p.v, [1, 0]) SORT d LIMIT 3 RETURN [p._key, ROUND(d * 1000)]"
        ),
        json!([["east", 0], ["near", 500], ["north", 2236]])
    );
    assert_eq!(
        indexed("innerProduct").rows(
            "FOR p IN points LET s = APPROX_NEAR_INNER_PRODUCT(p.v, [1, 1]) SORT s DESC LIMIT 2 RETURN [p._key, ROUND(s)]"
        ),
        json!([["diagonal", 4], ["north", 2]])
    );
}

#[test]
fn filters_are_checked_before_the_limit_is_filled() {
    let bench = indexed("l2");
    let query = "FOR p IN points FILTER p.kind == 'axis' LET far = p.v[0] < -1 FILTER !far \
                 SORT APPROX_NEAR_L2(p.v, [0, 0]) LIMIT 5 RETURN p._key";
    assert_eq!(bench.rows(query), json!(["east", "north"]));
    assert!(!bench.nodes(query).contains(&"FilterNode".to_owned()));
}

#[test]
fn a_search_starts_anew_for_each_row_before_it() {
    let bench = indexed("l2");
    assert_eq!(
        bench.rows(
            "FOR q IN [[1, 0], [-2, 0]] LET found = (FOR p IN points SORT APPROX_NEAR_L2(p.v, q) LIMIT 1 RETURN p._key) RETURN found"
        ),
        json!([["east"], ["west"]])
    );
}

#[test]
fn the_plan_shows_the_search_and_what_brings_the_documents() {
    let bench = indexed("cosine");
    let query =
        "FOR p IN points SORT APPROX_NEAR_COSINE(p.v, @q, {nProbe: 7}) DESC LIMIT 2 RETURN p";
    let shown = bench
        .explain_with(query, json!({"q": [1, 0]}), Json::Null)
        .expect("a plan");
    let nodes = shown["plan"]["nodes"].as_array().expect("nodes");
    let types: Vec<&str> = nodes
        .iter()
        .map(|node| node["type"].as_str().unwrap_or_default())
        .collect();
    assert_eq!(
        types,
        [
            "SingletonNode",
            "CalculationNode",
            "EnumerateNearVectorNode",
            "MaterializeNode",
            "LimitNode",
            "ReturnNode"
        ]
    );
    assert_eq!(nodes[2]["searchParameters"]["nProbe"], 7);
    assert_eq!(nodes[2]["index"]["name"], "by_v");
    assert_eq!(nodes[2]["limit"], 2);
    assert_eq!(
        shown["plan"]["collections"],
        json!([{"name": "points", "type": "read"}])
    );
    let rules = shown["plan"]["rules"].as_array().expect("rules");
    assert!(rules.contains(&json!("use-vector-index")));
}

#[test]
fn without_a_fitting_index_order_or_limit_the_search_is_not_applied() {
    let query = "FOR p IN points SORT APPROX_NEAR_COSINE(p.v, [1, 0]) DESC LIMIT 2 RETURN p";
    assert_eq!(points().error(query).0, 1554);
    assert_eq!(indexed("l2").error(query).0, 1554);
    let bench = indexed("cosine");
    for text in [
        "FOR p IN points SORT APPROX_NEAR_COSINE(p.v, [1, 0]) LIMIT 2 RETURN p",
        "FOR p IN points SORT APPROX_NEAR_COSINE(p.v, [1, 0]) DESC RETURN p",
        "FOR p IN points SORT APPROX_NEAR_COSINE(p.nested.v, [1, 0]) DESC LIMIT 2 RETURN p",
        "FOR p IN points FILTER APPROX_NEAR_COSINE(p.v, [1, 0]) > 0.5 RETURN p",
        "RETURN APPROX_NEAR_COSINE([1, 0], [1, 0])",
    ] {
        assert_eq!(bench.error(text).0, 1554, "{text}");
    }
}

#[test]
fn a_vector_of_another_length_is_an_error_that_says_how_long_it_must_be() {
    let bench = indexed("cosine");
    for target in ["[1, 0, 0]", "'text'", "[1, 'x']", "null"] {
        let (number, message) = bench.error(&format!(
            "FOR p IN points SORT APPROX_NEAR_COSINE(p.v, {target}) DESC LIMIT 1 RETURN p"
        ));
        assert_eq!(number, 10, "{target}");
        assert!(message.contains("vector of 2 numbers"), "{message}");
    }
}

#[test]
fn a_write_of_the_query_itself_is_not_seen_by_its_search() {
    let bench = indexed("l2");
    let query = "FOR p IN points SORT APPROX_NEAR_L2(p.v, [-3, 0]) LIMIT 1 \
                 UPDATE p WITH {seen: true} IN points RETURN NEW._key";
    let outcome = bench
        .run(query, Json::Null, QueryOptions::default())
        .expect("an update");
    assert_eq!(outcome.rows.len(), 1);
    assert_eq!(
        bench.rows("FOR p IN points FILTER p.seen RETURN p._key"),
        json!(["west"])
    );
}
