//! Traversals and path searches.

use embedded_arango::engine::{self, Control, QueryOptions};
use embedded_arango::storage::{Access, Txn};
use serde_json::{Value as Json, json};

use crate::support::{Bench, request, with_stack};

/// a → b → d, a → c → d, d → a, b → e; weights on the edges.
fn diamond() -> Bench {
    let bench = Bench::new();
    let vertex = |key: &str| json!({"_key": key, "name": key.to_uppercase()});
    let edge = |from: &str, to: &str, w: i64| json!({"_key": format!("{from}{to}"), "_from": format!("v/{from}"), "_to": format!("v/{to}"), "w": w});
    bench.collection(
        "v",
        json!([
            vertex("a"),
            vertex("b"),
            vertex("c"),
            vertex("d"),
            vertex("e")
        ]),
    );
    bench.edges(
        "e",
        json!([
            edge("a", "b", 1),
            edge("a", "c", 5),
            edge("b", "d", 9),
            edge("c", "d", 1),
            edge("d", "a", 1),
            edge("b", "e", 2)
        ]),
    );
    bench.graph(
        "g",
        json!([{"collection": "e", "from": ["v"], "to": ["v"]}]),
        json!([]),
    );
    bench
}

#[test]
fn a_traversal_follows_edges_in_its_direction_and_depth() {
    let bench = diamond();
    for subject in ["GRAPH 'g'", "GRAPH g", "e"] {
        assert_eq!(
            bench.rows(&format!(
                "FOR x IN 1..2 OUTBOUND 'v/a' {subject} SORT x._key RETURN x._key"
            )),
            json!(["b", "c", "d", "d", "e"])
        );
    }
    assert_eq!(
        bench.rows("FOR x IN INBOUND 'v/d' GRAPH 'g' SORT x._key RETURN x._key"),
        json!(["b", "c"])
    );
    assert_eq!(
        bench.rows("FOR x IN ANY 'v/d' GRAPH 'g' SORT x._key RETURN x._key"),
        json!(["a", "b", "c"])
    );
    assert_eq!(
        bench.rows("FOR x, y IN 0..0 OUTBOUND 'v/a' GRAPH 'g' RETURN [x.name, y]"),
        json!([["A", null]])
    );
    assert_eq!(
        bench.rows(
            "FOR s IN v FILTER s._key == 'b' FOR x IN OUTBOUND s e SORT x._key RETURN x._key"
        ),
        json!(["d", "e"])
    );
}

#[test]
fn a_path_has_its_vertices_and_edges() {
    assert_eq!(
        diamond().rows("FOR x, y, p IN 2 OUTBOUND 'v/a' GRAPH 'g' FILTER x._key == 'e' RETURN [p.vertices[*].name, p.edges[*].w, y.w]"),
        json!([[["A", "B", "E"], [1, 2], 2]])
    );
}

#[test]
fn an_edge_is_used_once_on_a_path_and_vertices_as_the_options_say() {
    let bench = diamond();
    assert_eq!(
        bench.rows("RETURN LENGTH(FOR x IN 1..10 OUTBOUND 'v/a' GRAPH 'g' RETURN 1)"),
        json!([12])
    );
    assert_eq!(
        bench.rows("FOR x IN 1..10 OUTBOUND 'v/a' GRAPH 'g' OPTIONS {uniqueVertices: 'path'} SORT x._key RETURN x._key"),
        json!(["b", "c", "d", "d", "e"])
    );
    assert_eq!(
        bench.rows("FOR x IN 1..10 OUTBOUND 'v/a' GRAPH 'g' OPTIONS {uniqueVertices: 'global', order: 'bfs'} SORT x._key RETURN x._key"),
        json!(["b", "c", "d", "e"])
    );
    assert_eq!(bench.error("FOR x IN 1..10 OUTBOUND 'v/a' GRAPH 'g' OPTIONS {uniqueVertices: 'global'} RETURN x").0, 10);
}

#[test]
fn breadth_comes_level_by_level_and_weight_from_the_lightest() {
    let bench = diamond();
    assert_eq!(
        bench.rows("FOR x, y, p IN 1..2 OUTBOUND 'v/a' GRAPH 'g' OPTIONS {order: 'bfs'} RETURN LENGTH(p.edges)"),
        json!([1, 1, 2, 2, 2])
    );
    assert_eq!(
        bench.rows("FOR x, y, p IN 1..2 OUTBOUND 'v/a' GRAPH 'g' OPTIONS {order: 'weighted', weightAttribute: 'w'} RETURN [x._key, p.weights[-1]]"),
        json!([["b", 1], ["e", 3], ["c", 5], ["d", 6], ["d", 10]])
    );
}

#[test]
fn pruning_stops_behind_the_vertex_that_satisfies_it() {
    assert_eq!(
        diamond().rows("FOR x IN 1..3 OUTBOUND 'v/a' GRAPH 'g' PRUNE stop = x._key == 'd' FILTER NOT stop SORT x._key RETURN x._key"),
        json!(["b", "c", "e"])
    );
}

#[test]
fn collections_restrict_a_traversal() {
    let bench = diamond();
    assert_eq!(
        bench.rows("FOR x IN 1..3 OUTBOUND 'v/a' GRAPH 'g' OPTIONS {edgeCollections: []} RETURN x"),
        json!([])
    );
    assert_eq!(bench.rows("FOR x IN 1 OUTBOUND 'v/a' GRAPH 'g' OPTIONS {vertexCollections: 'v'} SORT x._key RETURN x._key"), json!(["b", "c"]));
}

#[test]
fn a_shortest_path_counts_edges_or_weighs_them() {
    let bench = diamond();
    assert_eq!(
        bench.rows(
            "FOR x, y IN OUTBOUND SHORTEST_PATH 'v/a' TO 'v/e' GRAPH 'g' RETURN [x._key, y.w]"
        ),
        json!([["a", null], ["b", 1], ["e", 2]])
    );
    assert_eq!(
        bench.rows("FOR x IN OUTBOUND SHORTEST_PATH 'v/a' TO 'v/d' GRAPH 'g' OPTIONS {weightAttribute: 'w'} RETURN x._key"),
        json!(["a", "c", "d"])
    );
    assert_eq!(
        bench.rows("FOR x IN OUTBOUND SHORTEST_PATH 'v/e' TO 'v/a' GRAPH 'g' RETURN x._key"),
        json!([])
    );
}

#[test]
fn further_paths_come_from_the_lightest_to_the_heaviest() {
    let bench = diamond();
    assert_eq!(
        bench.rows("FOR p IN OUTBOUND K_SHORTEST_PATHS 'v/a' TO 'v/d' GRAPH 'g' OPTIONS {weightAttribute: 'w'} RETURN [p.vertices[*]._key, p.weight]"),
        json!([[["a", "c", "d"], 6], [["a", "b", "d"], 10]])
    );
    assert_eq!(
        bench.rows("FOR p IN OUTBOUND ALL_SHORTEST_PATHS 'v/a' TO 'v/d' GRAPH 'g' SORT p.vertices[1]._key RETURN p.vertices[*]._key"),
        json!([["a", "b", "d"], ["a", "c", "d"]])
    );
    assert_eq!(
        bench.rows("FOR p IN 1..5 ANY K_PATHS 'v/a' TO 'v/d' GRAPH 'g' SORT LENGTH(p.edges), p.vertices[1]._key RETURN p.vertices[*]._key"),
        json!([["a", "d"], ["a", "b", "d"], ["a", "c", "d"]])
    );
}

#[test]
fn a_start_that_is_no_vertex_gives_no_rows_and_a_warning() {
    let bench = diamond();
    let outcome = bench
        .run(
            "FOR x IN OUTBOUND NOOPT(5) GRAPH 'g' RETURN x",
            Json::Null,
            QueryOptions::default(),
        )
        .expect("rows");
    assert_eq!((outcome.rows.len(), outcome.warnings.len()), (0, 1));
}

#[test]
fn a_graph_that_does_not_exist_is_refused() {
    assert_eq!(
        diamond()
            .error("FOR x IN OUTBOUND 'v/a' GRAPH 'none' RETURN x")
            .0,
        1924
    );
    assert_eq!(
        diamond()
            .error("FOR x IN 3..1 OUTBOUND 'v/a' GRAPH 'g' RETURN x")
            .0,
        1501
    );
}

#[test]
fn vertices_of_undeclared_collections_are_refused_where_implicit_reads_are_not_allowed() {
    let bench = Bench::new();
    bench.collection("v", json!([{"_key": "a"}, {"_key": "b"}]));
    bench.edges("e", json!([{"_from": "v/a", "_to": "v/b"}]));
    let run = |query: &'static str| {
        let bench = bench.clone();
        with_stack(move || {
            let access = Access::stream(vec!["e".into()], vec![], vec![], false);
            let mut txn = Txn::begin(&bench.database, access, &bench.user).expect("a transaction");
            let request = request(query, Json::Null, QueryOptions::default());
            engine::run(&mut txn, &request, &Control::default(), &bench.session())
                .expect_err("a refusal")
        })
    };
    let error = run("FOR x IN OUTBOUND 'v/a' e RETURN x");
    assert_eq!(error.number, 1521);
    assert!(error.message.contains("collection not known to traversal: 'v'. please add 'WITH v' as the first line in your AQL"), "{}", error.message);
    assert_eq!(run("RETURN DOCUMENT('v/a')").number, 1652);
    assert_eq!(run("FOR x IN v RETURN x").number, 1652);
    assert_eq!(run("INSERT {_from: 'v/a', _to: 'v/a'} INTO e").number, 1652);
}

/// A graph of 12 vertices and the edges of a number, with loops and repetitions.
fn scattered(seed: u64) -> Bench {
    let bench = Bench::new();
    let vertices: Vec<Json> = (0..12).map(|at| json!({"_key": at.to_string()})).collect();
    let mut state = seed;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % 12
    };
    let edges: Vec<Json> = (0..18)
        .map(|_| json!({"_from": format!("v/{}", next()), "_to": format!("v/{}", next())}))
        .collect();
    bench.collection("v", json!(vertices));
    bench.edges("e", json!(edges));
    bench
}

#[test]
fn a_search_from_both_ends_finds_what_a_search_from_one_end_finds() {
    for seed in 1..20 {
        let bench = scattered(seed);
        for direction in ["OUTBOUND", "INBOUND", "ANY"] {
            let lengths = bench.rows(&format!(
                "FOR t IN v SORT TO_NUMBER(t._key)
                 LET walked = (FOR x, y, p IN 0..12 {direction} 'v/0' e OPTIONS {{order: 'bfs', uniqueVertices: 'global'}}
                               FILTER x._id == t._id LIMIT 1 RETURN LENGTH(p.edges))
                 LET short = (FOR x IN {direction} SHORTEST_PATH 'v/0' TO t e RETURN 1)
                 LET weighed = (FOR x IN {direction} SHORTEST_PATH 'v/0' TO t e OPTIONS {{weightAttribute: 'none', defaultWeight: 1}} RETURN 1)
                 RETURN [FIRST(walked), LENGTH(short) - 1, LENGTH(weighed) - 1]"
            ));
            for row in lengths.as_array().into_iter().flatten() {
                let want = row[0].as_i64().unwrap_or(-1);
                assert_eq!(row[1], want, "seed {seed} {direction}: {lengths}");
                assert_eq!(row[2], want, "seed {seed} {direction}: {lengths}");
            }
        }
    }
}
