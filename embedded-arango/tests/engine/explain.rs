//! What explain and the parser's endpoint show.

use embedded_arango::engine;
use serde_json::{Value as Json, json};

use crate::support::Bench;

fn products(count: usize) -> Bench {
    let bench = Bench::new();
    let documents: Vec<Json> = (0..count)
        .map(|at| json!({"id": at, "value": at}))
        .collect();
    bench.collection("products", json!(documents));
    bench
}

#[test]
fn a_filter_that_never_holds_leaves_no_results() {
    let body = Bench::new()
        .explain("FOR i IN [ 1, 2, 3 ] FILTER 1 == 2 RETURN i")
        .expect("a plan");
    let shown: Vec<(Json, Json, Json, Json)> = body["plan"]["nodes"]
        .as_array()
        .expect("nodes")
        .iter()
        .map(|node| {
            (
                node["type"].clone(),
                node["id"].clone(),
                node["estimatedCost"].clone(),
                node["dependencies"].clone(),
            )
        })
        .collect();
    assert_eq!(
        json!(shown),
        json!([
            ["SingletonNode", 1, 1, []],
            ["CalculationNode", 2, 2, [1]],
            ["EnumerateListNode", 3, 5, [2]],
            ["NoResultsNode", 4, 0.5, [3]],
            ["ReturnNode", 5, 0.5, [4]]
        ])
    );
    assert_eq!(
        body["plan"]["nodes"][1]["expression"],
        json!({"type": "array", "typeID": 41, "raw": [1, 2, 3]})
    );
    assert_eq!(body["plan"]["rules"], json!(["async-prefetch"]));
    assert_eq!(
        body["plan"]["variables"][0],
        json!({"id": 1, "name": "1", "isFullDocumentFromCollection": false, "constantValue": [1, 2, 3]})
    );
    assert_eq!(
        (&body["plan"]["isModificationQuery"], &body["cacheable"]),
        (&json!(false), &json!(true))
    );
}

#[test]
fn a_constant_that_divides_by_zero_is_null_with_a_warning() {
    let body = Bench::new()
        .explain("FOR i IN 1..10 RETURN 1 / 0")
        .expect("a plan");
    assert_eq!(
        body["warnings"],
        json!([{"code": 1562, "message": "division by zero"}])
    );
    let ids: Vec<&Json> = body["plan"]["nodes"]
        .as_array()
        .expect("nodes")
        .iter()
        .map(|node| &node["id"])
        .collect();
    assert_eq!(json!(ids), json!([1, 2, 4, 3, 5]));
    assert_eq!(
        (
            &body["plan"]["estimatedCost"],
            &body["plan"]["estimatedNrItems"]
        ),
        (&json!(23), &json!(10))
    );
}

#[test]
fn a_scan_shows_its_collection_and_costs_its_documents() {
    let body = products(10)
        .explain("FOR p IN products RETURN p")
        .expect("a plan");
    assert_eq!(
        body["plan"]["collections"],
        json!([{"name": "products", "type": "read"}])
    );
    let node = &body["plan"]["nodes"][1];
    assert_eq!(
        (
            &node["type"],
            &node["estimatedCost"],
            &node["estimatedNrItems"]
        ),
        (&json!("EnumerateCollectionNode"), &json!(12), &json!(10))
    );
    assert_eq!(
        node["outVariable"],
        json!({"id": 0, "name": "p", "isFullDocumentFromCollection": true})
    );
    assert_eq!(body["plan"]["estimatedCost"], json!(22));
    let more = products(1000)
        .explain("FOR p IN products RETURN p")
        .expect("a plan");
    assert!(more["plan"]["estimatedCost"].as_f64() > body["plan"]["estimatedCost"].as_f64());
}

#[test]
fn without_rules_the_plan_is_the_text() {
    let bench = products(100);
    let query = "FOR i IN products FILTER i.value > 97 SORT i.value RETURN i.value";
    let body = bench
        .explain_with(query, Json::Null, json!({"optimizer": {"rules": ["-all"]}}))
        .expect("a plan");
    let nodes = body["plan"]["nodes"].as_array().expect("nodes");
    let costs: Vec<f64> = nodes
        .iter()
        .filter_map(|node| node["estimatedCost"].as_f64())
        .collect();
    assert_eq!(costs[..5], [1.0, 102.0, 202.0, 302.0, 402.0]);
    assert!((costs[5] - 1066.3856189774724).abs() < 1e-9);
    assert_eq!(nodes[2]["expression"]["type"], json!("compare >"));
    assert_eq!(nodes[2]["expression"]["typeID"], json!(29));
    assert_eq!(
        nodes[2]["expression"]["subNodes"][1],
        json!({"type": "value", "typeID": 40, "value": 97, "vTypeID": 2})
    );
    assert_eq!(body["plan"]["rules"], json!([]));
}

#[test]
fn an_index_answers_filter_and_sort() {
    let bench = products(100);
    bench.index(
        "products",
        json!({"type": "persistent", "fields": ["value"]}),
    );
    let query = "FOR i IN products FILTER i.value > 97 SORT i.value RETURN i.value";
    let types = bench.nodes(query);
    assert!(
        types.contains(&"IndexNode".to_owned()) && !types.contains(&"SortNode".to_owned()),
        "{types:?}"
    );
    assert!(!types.contains(&"FilterNode".to_owned()), "{types:?}");
    let body = bench.explain(query).expect("a plan");
    let rules = body["plan"]["rules"].as_array().expect("rules");
    assert!(rules.contains(&json!("use-indexes")) && rules.contains(&json!("use-index-for-sort")));
}

#[test]
fn all_plans_come_as_an_array() {
    let body = products(1)
        .explain_with(
            "FOR p IN products RETURN p",
            Json::Null,
            json!({"allPlans": true}),
        )
        .expect("plans");
    assert_eq!(body["plans"].as_array().map(Vec::len), Some(1));
    assert!(body.get("plan").is_none() && body.get("cacheable").is_none());
}

#[test]
fn a_text_that_writes_is_a_modification_even_where_it_cannot_run() {
    let bench = products(1);
    bench.collection("log", json!([]));
    for (query, collection, access) in [
        ("INSERT {} INTO log", "log", "write"),
        ("FILTER false INSERT {} INTO log", "log", "write"),
        (
            "LET x = (FOR p IN products REMOVE p IN products) RETURN 1",
            "products",
            "write",
        ),
        ("UPSERT {a: 1} INSERT {} UPDATE {} IN log", "log", "write"),
        (
            "UPDATE 'x' WITH {} IN log OPTIONS {exclusive: true}",
            "log",
            "exclusive",
        ),
    ] {
        let plan = bench.explain(query).expect(query)["plan"].clone();
        assert_eq!(plan["isModificationQuery"], json!(true), "{query}");
        let listed = plan["collections"].as_array().expect("collections");
        assert!(
            listed.contains(&json!({"name": collection, "type": access})),
            "{query}: {listed:?}"
        );
    }
    assert_eq!(
        bench.rows("RETURN [LENGTH(products), LENGTH(log)]"),
        json!([[1, 0]])
    );
}

#[test]
fn node_types_are_those_of_the_statements() {
    let bench = products(3);
    bench.edges("e", json!([]));
    for (query, last) in [
        ("INSERT {} INTO products", "InsertNode"),
        ("UPDATE 'x' WITH {} IN products", "UpdateNode"),
        ("REPLACE 'x' WITH {} IN products", "ReplaceNode"),
        ("REMOVE 'x' IN products", "RemoveNode"),
        (
            "UPSERT {a: 1} INSERT {} UPDATE {} IN products",
            "UpsertNode",
        ),
    ] {
        assert_eq!(
            bench.nodes(query).last().map(String::as_str),
            Some(last),
            "{query}"
        );
    }
    for (query, node) in [
        ("FOR x IN OUTBOUND 'products/1' e RETURN x", "TraversalNode"),
        (
            "FOR x IN ANY SHORTEST_PATH 'a/1' TO 'a/2' e RETURN x",
            "ShortestPathNode",
        ),
        (
            "FOR x IN ANY K_SHORTEST_PATHS 'a/1' TO 'a/2' e RETURN x",
            "EnumeratePathsNode",
        ),
        ("FOR x IN products COLLECT y = x.a RETURN y", "CollectNode"),
        (
            "FOR x IN products WINDOW {preceding: 1} AGGREGATE n = LENGTH() RETURN n",
            "WindowNode",
        ),
        ("FOR x IN products LIMIT 1 RETURN x", "LimitNode"),
        ("FOR x IN products SORT x.q RETURN x", "SortNode"),
        (
            "FOR x IN products RETURN (FOR y IN products FILTER y.a == x.a RETURN y)",
            "SubqueryStartNode",
        ),
        (
            "FOR x IN products FILTER x._key == 'a' RETURN x",
            "IndexNode",
        ),
        ("FOR x IN e FILTER x._from == 'a/1' RETURN x", "IndexNode"),
    ] {
        assert!(
            bench.nodes(query).contains(&node.to_owned()),
            "{query}: {:?}",
            bench.nodes(query)
        );
    }
}

#[test]
fn functions_show_by_name_and_user_functions_as_such() {
    let bench = products(1);
    let body = bench
        .explain("FOR p IN products RETURN [sleep(p.x), my::own(1), LENGTH(products)]")
        .expect("a plan");
    let text = body.to_string();
    assert!(
        text.contains(r#""name":"SLEEP""#) && text.contains(r#""name":"MY::OWN""#),
        "{text}"
    );
    assert!(
        text.contains(r#""typeID":48"#) && text.contains(r#""name":"COLLECTION_COUNT""#),
        "{text}"
    );
    assert_eq!(body["cacheable"], json!(false));
}

#[test]
fn a_view_and_a_graph_list_all_that_they_read() {
    let bench = products(1);
    bench.edges("knows", json!([]));
    bench.graph(
        "g",
        json!([{"collection": "knows", "from": ["products"], "to": ["products"]}]),
        json!([]),
    );
    bench.view(
        "v",
        embedded_arango::storage::ViewKind::ArangoSearch,
        json!({"links": {"products": {"includeAllFields": true}}}),
    );
    let names = |query: &str| {
        bench.explain(query).expect(query)["plan"]["collections"]
            .as_array()
            .expect("collections")
            .iter()
            .map(|one| one["name"].clone())
            .collect::<Json>()
    };
    assert_eq!(names("FOR p IN v RETURN p"), json!(["products", "v"]));
    assert_eq!(
        names("FOR p IN ANY 'products/1' GRAPH 'g' RETURN p"),
        json!(["knows", "products"])
    );
    assert_eq!(
        names("FOR p IN ANY 'products/1' knows RETURN p"),
        json!(["knows", "products"])
    );
    assert_eq!(names("WITH products RETURN 1"), json!(["products"]));
}

#[test]
fn the_parser_shows_the_tree_and_what_the_text_names() {
    let body =
        engine::parse_only("FOR i IN 1..100 FILTER i > 10 LIMIT 2 RETURN i * 3").expect("a tree");
    assert_eq!(
        body,
        json!({"error": false, "code": 200, "parsed": true, "collections": [], "bindVars": [], "ast": [{"type": "root", "subNodes": [
            {"type": "for", "subNodes": [
                {"type": "variable", "name": "i", "id": 0},
                {"type": "range", "subNodes": [{"type": "value", "value": 1}, {"type": "value", "value": 100}]},
                {"type": "no-op"}]},
            {"type": "filter", "subNodes": [{"type": "compare >", "subNodes": [
                {"type": "reference", "name": "i", "id": 0, "subqueryReference": false}, {"type": "value", "value": 10}]}]},
            {"type": "limit", "subNodes": [{"type": "value", "value": 0}, {"type": "value", "value": 2}]},
            {"type": "return", "subNodes": [{"type": "times", "subNodes": [
                {"type": "reference", "name": "i", "id": 0, "subqueryReference": false}, {"type": "value", "value": 3}]}]}
        ]}], "warnings": []})
    );
    let body = engine::parse_only("FOR d IN docs FILTER d.x == @x INSERT d INTO @@target")
        .expect("a tree");
    assert_eq!(
        (&body["collections"], &body["bindVars"]),
        (&json!(["docs"]), &json!(["@target", "x"]))
    );
}
