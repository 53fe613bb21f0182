//! The query that finds attributes, and what is made of its answer.

use serde_json::json;

use super::super::{Step, Type, path_text, reflect};
use super::{field, path};
use crate::arango::Client;
use crate::arango::tests::fake::Fake;
use crate::settings::Settings;

fn settings(limits: &str) -> Settings {
    Settings::parse(&format!("{{\"database\": \"shop\", \"limits\": {limits}}}")).expect("valid")
}

fn sampling_queries(fake: &Fake) -> Vec<serde_json::Value> {
    fake.seen()
        .into_iter()
        .filter(|seen| seen.text.contains("LENGTH("))
        .map(|seen| seen.body)
        .collect()
}

#[test]
fn the_query_parses_and_reads_only_at_every_depth() {
    for depth in 1..=8 {
        let mut fake = Fake::new();
        fake.collection("another", 1, json!([]));
        let outside = fake.outside();
        let settings = settings(&format!("{{\"field_depth\": {depth}}}"));
        reflect(&Client::new(&outside, &settings)).expect("reflected");
        let queries = sampling_queries(&fake);
        let text = queries[0]["query"].as_str().expect("a query");
        aql_syntax::parse(text).expect("valid AQL");
        assert_eq!(
            queries[0]["bindVars"],
            json!({"v0": 25, "v1": 1501, "@c2": "another", "@c3": "orders"})
        );
        for keyword in ["INSERT", "UPDATE", "REPLACE", "REMOVE", "UPSERT"] {
            assert!(!text.contains(keyword));
        }
    }
}

#[test]
fn the_query_of_depth_two_is_this_one() {
    let fake = Fake::new();
    let outside = fake.outside();
    let settings = settings(r#"{"field_depth": 2, "sample_documents": 7}"#);
    reflect(&Client::new(&outside, &settings)).expect("reflected");
    assert_eq!(
        sampling_queries(&fake)[0]["query"],
        "RETURN [[LENGTH(@@c2),(FOR d IN @@c2 LIMIT @v0 FOR s1 IN SLICE(ATTRIBUTES(d,false,true),0,1000) LET v1=d[s1] \
         LET o1=IS_OBJECT(v1)?v1:IS_ARRAY(v1)?MERGE(SLICE(v1,0,5)[* FILTER IS_OBJECT(CURRENT)]):{} \
         FOR s2 IN APPEND([null],SLICE(ATTRIBUTES(o1,false,true),0,100)) LET v2=s2==null?null:o1[s2] \
         LET w=s2!=null?v2:v1 LIMIT 100000 COLLECT g=[\
         (IS_ARRAY(w)?SORTED_UNIQUE(SLICE(w,0,5)[* RETURN IS_NUMBER(CURRENT)?(CURRENT==FLOOR(CURRENT)?\"int\":\"double\"):TYPENAME(CURRENT)]):\
         IS_NUMBER(w)?(w==FLOOR(w)?\"int\":\"double\"):TYPENAME(w)),s1,IS_ARRAY(v1),s2] LIMIT @v1 RETURN g)]]"
    );
}

#[test]
fn as_many_collections_share_a_query_as_its_registers_allow() {
    for (depth, queries) in [(1, 2), (3, 2), (4, 3), (8, 5)] {
        let mut fake = Fake::new();
        fake.collections.clear();
        for number in 0..100 {
            fake.collection(&format!("c{number:02}"), 1, json!([]));
        }
        let outside = fake.outside();
        let settings = settings(&format!("{{\"field_depth\": {depth}}}"));
        reflect(&Client::new(&outside, &settings)).expect("reflected");
        assert_eq!(sampling_queries(&fake).len(), queries, "depth {depth}");
    }
}

#[test]
fn no_name_and_no_value_becomes_part_of_the_query() {
    let mut fake = Fake::new();
    fake.collections.clear();
    fake.collection("` REMOVE d IN x //", 1, json!([]));
    let outside = fake.outside();
    let settings = settings("{}");
    reflect(&Client::new(&outside, &settings)).expect("reflected");
    let queries = sampling_queries(&fake);
    assert!(
        !queries[0]["query"]
            .as_str()
            .expect("a query")
            .contains("REMOVE")
    );
    assert_eq!(queries[0]["bindVars"]["@c2"], "` REMOVE d IN x //");
}

#[test]
fn types_of_a_path_are_joined_and_names_stay_whole() {
    let long = "n".repeat(256);
    let mut fake = Fake::new();
    fake.collection(
        "odd",
        9,
        json!([
            ["int", "a.b", false, null, false, null],
            ["string", "a.b", false, null, false, null],
            ["object", "a", false, null, false, null],
            ["null", "a", false, "b", false, null],
            ["double", "a", false, "b", false, null],
            [["int", "object"], "list", true, null, false, null],
            [["string"], "list", true, null, false, null],
            [[], "list", true, null, false, null],
            ["bool", "list", true, "x y", false, null],
            [["array"], "list", true, "x y", true, null],
            ["int", "list", true, "x y", true, "z"],
            [[], "none", true, null, false, null],
            ["number", "żółw `x`", false, null, false, null],
            ["string", long, false, null],
            ["string", ""],
            ["string", "0", false, null, false, null],
            ["string", "n".repeat(1_025), false, null, false, null],
        ]),
    );
    let outside = fake.outside();
    let settings = settings("{}");
    let schema = reflect(&Client::new(&outside, &settings)).expect("reflected");
    let odd = schema.collection("odd").expect("there");
    assert_eq!(odd.count, Some(9));
    assert!(odd.fields_cut, "the name of 1025 bytes");
    assert_eq!(
        odd.fields,
        [
            field(&[""], &[Type::String]),
            field(&["0"], &[Type::String]),
            field(&["a"], &[Type::Object]),
            field(&["a", "b"], &[Type::Null, Type::Double]),
            field(&["a.b"], &[Type::Int, Type::String]),
            field(&["list"], &[Type::Array]),
            field(&["list", "[*]"], &[Type::Int, Type::String, Type::Object]),
            field(&["list", "[*]", "x y"], &[Type::Bool, Type::Array]),
            field(&["list", "[*]", "x y", "[*]"], &[Type::Array]),
            field(&["list", "[*]", "x y", "[*]", "z"], &[Type::Int]),
            field(&[&long], &[Type::String]),
            field(&["none"], &[Type::Array]),
            field(&["żółw `x`"], &[Type::Double]),
        ]
    );
}

#[test]
fn paths_are_written_as_aql_writes_them() {
    for (steps, text) in [
        (vec!["address", "city"], "address.city".to_string()),
        (vec!["a.b", "c"], "`a.b`.c".into()),
        (
            vec!["items", "[*]", "[*]", "sku no"],
            "items[*][*].`sku no`".into(),
        ),
        (vec!["filter"], "`filter`".into()),
        (vec!["a`b"], "`a\\`b`".into()),
        (vec!["a\\b"], "`a\\\\b`".into()),
        (vec!["żółw"], "`żółw`".into()),
        (vec!["n".repeat(256).as_str()], "n".repeat(256)),
    ]
    .map(|(steps, text): (Vec<&str>, String)| {
        (
            steps
                .iter()
                .map(|step| (*step).to_string())
                .collect::<Vec<_>>(),
            text,
        )
    }) {
        let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
        let written = path_text(&path(&steps));
        assert_eq!(written, text);
        let query = format!("FOR d IN c RETURN d.{written}");
        aql_syntax::parse(&query).expect(&query);
    }
}

#[test]
fn the_deepest_paths_are_left_out_first_and_that_is_told() {
    let mut fake = Fake::new();
    fake.collection(
        "wide",
        1,
        json!([
            ["object", "a", false, null],
            ["int", "a", false, "x"],
            ["int", "b", false, null],
            ["int", "c", false, null],
        ]),
    );
    let outside = fake.outside();
    let settings = settings(r#"{"max_fields_per_collection": 3}"#);
    let schema = reflect(&Client::new(&outside, &settings)).expect("reflected");
    let wide = schema.collection("wide").expect("there");
    let names: Vec<String> = wide
        .fields
        .iter()
        .map(|field| path_text(&field.path))
        .collect();
    assert_eq!(names, ["a", "b", "c"]);
    assert!(wide.fields_cut);
    assert_eq!(schema.warnings.len(), 1);
    assert_eq!(schema.warnings[0].code, "fields-cut");
}

#[test]
fn an_answer_of_another_shape_is_an_error() {
    for paths in [
        json!([["what", "a"]]),
        json!([["int"]]),
        json!([["int", null]]),
        json!([[1, "a"]]),
        json!([[["int", "what"], "a"]]),
        json!([[[1], "a"]]),
        json!({"a": 1}),
        json!(null),
        json!([[]]),
    ] {
        let mut fake = Fake::new();
        fake.collection("odd", 1, paths.clone());
        let outside = fake.outside();
        let settings = settings("{}");
        let error = reflect(&Client::new(&outside, &settings)).expect_err("another shape");
        assert_eq!(error.code, "not-arangodb", "{paths}");
    }
}

#[test]
fn each_comes_before_names() {
    assert!(Step::Each < Step::Name("".into()));
}
