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
            json!({"v0": 25, "v1": depth, "v2": 1501, "@c3": "another", "@c4": "orders"})
        );
        for keyword in ["INSERT", "UPDATE", "REPLACE", "REMOVE", "UPSERT"] {
            assert!(!text.contains(keyword));
        }
    }
}

#[test]
fn the_query_of_depth_one_is_this_one() {
    let fake = Fake::new();
    let outside = fake.outside();
    let settings = settings(r#"{"field_depth": 1, "sample_documents": 7}"#);
    reflect(&Client::new(&outside, &settings)).expect("reflected");
    assert_eq!(
        sampling_queries(&fake)[0]["query"],
        "RETURN [[LENGTH(@@c3),(FOR d IN @@c3 LIMIT @v0 FOR s1 IN SLICE(ATTRIBUTES(d),0,1000) LET v1=d[s1] LET n1=1 \
         LET t1=(IS_NUMBER(v1)?(v1==FLOOR(v1)?\"int\":\"double\"):TYPENAME(v1)) FOR f IN (FOR s2 IN IS_OBJECT(v1)&&n1<@v1?\
         APPEND([null],SLICE(ATTRIBUTES(v1),0,1000)):IS_ARRAY(v1)?APPEND([null],SLICE([0,1,2],0,LENGTH(v1))):[null] \
         LET v2=s2==null?null:v1[s2] LET n2=n1+(IS_STRING(s2)?1:0) LET t2=s2==null?t1:\
         (IS_NUMBER(v2)?(v2==FLOOR(v2)?\"int\":\"double\"):TYPENAME(v2)) LIMIT 500 RETURN [t2,s1,IS_NUMBER(s2)?0:s2]) \
         COLLECT g=f LIMIT @v2 RETURN g)]]"
    );
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
    assert_eq!(queries[0]["bindVars"]["@c3"], "` REMOVE d IN x //");
}

#[test]
fn types_of_a_path_are_joined_and_names_stay_whole() {
    let long = "n".repeat(256);
    let mut fake = Fake::new();
    fake.collection(
        "odd",
        9,
        json!([
            ["int", "a.b", null, null],
            ["string", "a.b", null, null],
            ["object", "a", null, null],
            ["null", "a", "b", null],
            ["double", "a", "b", null],
            ["array", "list", null, null],
            ["object", "list", 0, null],
            ["bool", "list", 0, "x y"],
            ["number", "żółw `x`", null, null],
            ["string", long, null, null],
            ["string", "", null, null],
            ["string", "0", null, null],
            ["string", "n".repeat(1_025), null, null],
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
            field(&["list", "[*]"], &[Type::Object]),
            field(&["list", "[*]", "x y"], &[Type::Bool]),
            field(&[&long], &[Type::String]),
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
            ["object", "a", null, null],
            ["int", "a", "x", null],
            ["int", "b", null, null],
            ["int", "c", null, null],
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
