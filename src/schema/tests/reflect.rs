//! Reflection against a server of many shapes.

use serde_json::json;

use super::super::{CollectionKind, Schema, reflect};
use crate::arango::Client;
use crate::arango::tests::fake::{Fake, Fault, error};
use crate::ask::{ErrorKind, Result};
use crate::ports::HttpErrorKind;
use crate::settings::Settings;

fn reflected_with(fake: &Fake, settings: &str) -> Result<Schema> {
    let outside = fake.outside();
    let settings = Settings::parse(settings).expect("valid settings");
    let schema = reflect(&Client::new(&outside, &settings));
    fake.assert_nothing_open();
    schema
}

fn reflected(fake: &Fake) -> Schema {
    reflected_with(fake, r#"{"database": "shop"}"#).expect("reflected")
}

fn names(schema: &Schema) -> Vec<&str> {
    schema
        .collections
        .iter()
        .map(|collection| collection.name.as_ref())
        .collect()
}

#[test]
fn an_empty_database_is_a_schema_without_collections() {
    let mut fake = Fake::new();
    fake.collections.clear();
    let schema = reflected(&fake);
    assert!(schema.collections.is_empty());
    assert!(schema.warnings.is_empty());
    assert_eq!(fake.seen().len(), 3);
}

#[test]
fn a_callers_limit_on_rows_does_not_cut_the_schema() {
    let mut fake = Fake::new();
    let paths: Vec<_> = (0..200)
        .map(|at| json!(["int", format!("attribute_{at:03}")]))
        .collect();
    fake.collection("wide", 1, json!(paths));
    let schema = reflected_with(
        &fake,
        r#"{"database": "shop", "max_execute_rows": 1, "limits": {"max_result_bytes": 1024}}"#,
    )
    .expect("reflected");
    assert_eq!(schema.collection("wide").expect("there").fields.len(), 200);
}

#[test]
fn only_what_the_policy_allows_is_asked_about() {
    let mut fake = Fake::new();
    fake.collection("salaries", 1, json!([]));
    fake.collection("_secret", 1, json!([]));
    fake.collection("123", 1, json!([]));
    fake.graphs = json!([
        {"_key": "pay", "name": "pay", "orphanCollections": [],
         "edgeDefinitions": [{"collection": "orders", "from": ["salaries"], "to": ["orders"]}]}
    ]);
    fake.views.insert(
        "search".into(),
        json!({"type": "arangosearch", "links": {"salaries": {"analyzers": ["identity"], "fields": {}}}}),
    );
    let schema = reflected_with(
        &fake,
        r#"{"database": "shop", "policy": {"collections": {"deny": ["salar*"]}}}"#,
    )
    .expect("reflected");
    assert_eq!(names(&schema), ["orders"]);
    assert!(schema.graphs.is_empty());
    assert!(schema.views.is_empty());
    for seen in fake.seen() {
        for hidden in ["salaries", "_secret", "123"] {
            assert!(
                !seen.text.contains(hidden) && !seen.path.contains(hidden),
                "{}",
                seen.path
            );
        }
    }
}

#[test]
fn requests_stay_within_one_for_fifty_collections_and_eight_beside() {
    for (count, most) in [(1, 8), (50, 9), (51, 9), (500, 18), (1_000, 28)] {
        let mut fake = Fake::new();
        fake.collections.clear();
        for number in 0..count {
            fake.collection(&format!("c{number:04}"), number, json!([["int", "n"]]));
        }
        let schema = reflected(&fake);
        assert_eq!(schema.collections.len() as u64, count);
        let lines = fake.lines();
        let (indexes, others): (Vec<_>, Vec<_>) =
            lines.iter().partition(|line| line.contains("/_api/index"));
        assert!(others.len() <= most, "{count}: {} requests", others.len());
        assert_eq!(indexes.len() as u64, count.min(200));
    }
}

#[test]
fn beyond_two_hundred_collections_the_largest_have_their_indexes_read() {
    let mut fake = Fake::new();
    fake.collections.clear();
    for number in 0..250_u64 {
        fake.collection(&format!("c{number:04}"), number, json!([]));
    }
    let schema = reflected(&fake);
    let read: Vec<&str> = schema
        .collections
        .iter()
        .filter(|collection| collection.indexes.is_some())
        .map(|collection| collection.name.as_ref())
        .collect();
    assert_eq!((read.len(), read[0]), (200, "c0050"));
    assert_eq!(schema.warnings.len(), 1);
    assert_eq!(schema.warnings[0].code, "indexes-cut");
}

#[test]
fn too_many_collections_are_cut_with_a_warning() {
    let mut fake = Fake::new();
    fake.collection("a", 1, json!([]));
    fake.collection("b", 1, json!([]));
    let schema = reflected_with(
        &fake,
        r#"{"database": "shop", "limits": {"max_collections": 2}}"#,
    )
    .expect("reflected");
    assert_eq!(names(&schema), ["a", "b"]);
    assert_eq!(
        schema.warnings[0].message,
        "the database has 3 collections, and `limits.max_collections` allows 2; those after `b` are left out; name the ones that matter in `policy.collections.allow`"
    );
}

#[test]
fn a_forbidden_collection_is_found_by_halving_and_left_out_with_a_warning() {
    for fails in [(403, 11), (403, 1004), (404, 1203)] {
        let mut fake = Fake::new();
        for number in 0..40 {
            fake.collection(&format!("c{number:02}"), 5, json!([["int", "n"]]));
        }
        fake.collection("c17", 5, json!([])).fails = Some(fails);
        let schema = reflected(&fake);
        assert_eq!(schema.collections.len(), 40);
        assert!(schema.collection("c17").is_none());
        assert!(
            schema
                .collections
                .iter()
                .all(|collection| collection.count.is_some())
        );
        assert_eq!(schema.warnings.len(), 1);
        assert_eq!(schema.warnings[0].code, "collection-unreadable");
        assert!(schema.warnings[0].message.contains("`c17`"));
        let sampled = fake
            .lines()
            .iter()
            .filter(|line| line.ends_with("/cursor"))
            .count();
        assert!(sampled <= 14, "{sampled} queries");
    }
}

#[test]
fn a_collection_that_is_too_much_for_a_query_stays_without_attributes() {
    for fails in [(500, 32), (410, 1500), (500, 4)] {
        let mut fake = Fake::new();
        fake.collection("huge", 5, json!([])).fails = Some(fails);
        let schema = reflected(&fake);
        let huge = schema.collection("huge").expect("there");
        assert_eq!((huge.count, huge.fields.len()), (None, 0));
        assert_eq!(schema.collection("orders").expect("there").count, Some(3));
        assert_eq!(schema.warnings[0].code, "fields-unreadable");
    }
}

#[test]
fn where_all_is_forbidden_the_schema_is_empty_and_the_warnings_are_bounded() {
    let mut fake = Fake::new();
    fake.collections.clear();
    for number in 0..60 {
        fake.collection(&format!("c{number:02}"), 1, json!([]))
            .fails = Some((403, 11));
    }
    let schema = reflected(&fake);
    assert!(schema.collections.is_empty());
    assert_eq!(schema.warnings.len(), 21);
    assert_eq!(schema.warnings[20].message, "and 40 more of the same");
}

#[test]
fn a_query_that_the_server_does_not_understand_is_an_error_and_not_halved() {
    let mut fake = Fake::new();
    for number in 0..40 {
        fake.collection(&format!("c{number:02}"), 1, json!([]))
            .fails = Some((400, 1540));
    }
    let error = reflected_with(&fake, r#"{"database": "shop"}"#).expect_err("not understood");
    assert_eq!(error.code, "arango-1540");
    assert_eq!(
        fake.lines()
            .iter()
            .filter(|line| line.ends_with("/cursor"))
            .count(),
        1
    );
}

#[test]
fn an_answer_that_is_too_large_is_asked_for_in_halves() {
    let mut fake = Fake::new();
    for number in 0..8 {
        fake.collection(&format!("c{number}"), 1, json!([["int", "n"]]));
    }
    // The first query is the fourth request, after the three lists.
    fake.fault = Some((3, Fault::Broken(HttpErrorKind::ResponseTooLarge)));
    let schema = reflected(&fake);
    assert_eq!(schema.collections.len(), 9);
    assert!(
        schema
            .collections
            .iter()
            .all(|collection| collection.count.is_some())
    );
}

#[test]
fn every_kind_of_index_is_read() {
    let mut fake = Fake::new();
    fake.collection("things", 1, json!([])).indexes = json!([
        {"fields": ["_key"], "id": "things/0", "name": "primary", "selectivityEstimate": 1, "sparse": false, "type": "primary", "unique": true},
        {"fields": ["_from", "_to"], "id": "things/1", "name": "edge", "sparse": false, "type": "edge", "unique": false},
        {"cacheEnabled": false, "deduplicate": true, "estimates": true, "fields": ["a", "b[*].c"], "id": "things/2", "name": "idx_a", "sparse": true, "type": "persistent", "unique": true, "storedValues": ["x"]},
        {"estimates": false, "expireAfter": 3600, "fields": ["createdAt"], "id": "things/3", "name": "idx_t", "sparse": true, "type": "ttl", "unique": false},
        {"bestIndexedLevel": 17, "fields": ["e", "f"], "geoJson": true, "legacyPolygons": false, "name": "idx_g", "sparse": true, "type": "geo", "unique": false},
        {"fields": ["text"], "minLength": 2, "name": "idx_f", "sparse": true, "type": "fulltext", "unique": false},
        {"estimates": true, "fieldValueTypes": "double", "fields": ["from", "to"], "name": "idx_m", "prefixFields": ["year", "month"], "sparse": false, "type": "mdi-prefixed", "unique": false},
        {"analyzer": "identity", "features": ["frequency"], "fields": [{"name": "a"}, {"name": "b", "analyzer": "text_en", "features": []}], "includeAllFields": false, "name": "inv-idx", "primarySort": {"fields": [], "compression": "lz4"}, "storedValues": [], "searchField": true, "type": "inverted", "sparse": true, "unique": false},
        {"type": "vector", "name": "vec", "fields": ["v"], "params": {"metric": "cosine", "dimension": 384, "nLists": 10}, "sparse": false, "unique": false, "trainingState": "ready"},
        {"type": "quantum", "name": "q", "fields": ["x"]}
    ]);
    let schema = reflected(&fake);
    let indexes = schema
        .collection("things")
        .and_then(|things| things.indexes.as_ref())
        .expect("read");
    let told: Vec<String> = indexes
        .iter()
        .map(|index| {
            let fields: Vec<String> = index
                .fields
                .iter()
                .map(|field| match &field.analyzer {
                    Some(analyzer) => format!("{}:{analyzer}", field.path),
                    None => field.path.to_string(),
                })
                .collect();
            let options: Vec<String> = index
                .options
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            format!(
                "{} {} [{}]{}{} {}",
                index.kind,
                index.name,
                fields.join(" "),
                if index.unique { " unique" } else { "" },
                if index.sparse { " sparse" } else { "" },
                options.join(" ")
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            "edge edge [_from _to] ",
            "persistent idx_a [a b[*].c] unique sparse storedValues=[\"x\"]",
            "ttl idx_t [createdAt] sparse expireAfter=3600",
            "geo idx_g [e f] sparse geoJson=true",
            "fulltext idx_f [text] sparse minLength=2",
            "mdi-prefixed idx_m [from to] prefixFields=[\"year\",\"month\"]",
            "inverted inv-idx [a b:text_en] sparse analyzer=\"identity\" searchField=true",
            "vector vec [v] trainingState=\"ready\" dimension=384 metric=\"cosine\"",
            "quantum q [x] ",
        ]
    );
}

#[test]
fn graphs_and_views_are_read_with_what_they_join_and_search() {
    let mut fake = Fake::new();
    fake.collection("customers", 2, json!([]));
    fake.collection("bought", 5, json!([])).edge = true;
    fake.graphs = json!([
        {"_id": "_graphs/sales", "_key": "sales", "_rev": "x", "name": "sales", "orphanCollections": ["orders"],
         "edgeDefinitions": [{"collection": "bought", "from": ["customers"], "to": ["orders"]}]},
        {"_key": "lost", "edgeDefinitions": [{"collection": "gone", "from": ["customers"], "to": ["orders"]}], "orphanCollections": []}
    ]);
    fake.views.insert(
        "search".into(),
        json!({
            "error": false, "code": 200, "name": "search", "type": "arangosearch",
            "links": {"orders": {"analyzers": ["identity"], "includeAllFields": true, "fields": {
                "title": {"analyzers": ["text_en"], "fields": {"de": {"analyzers": ["text_de"]}}}}}}
        }),
    );
    fake.views.insert("alias".into(), json!({
        "type": "search-alias", "name": "alias", "indexes": [{"collection": "customers", "index": "inv"}]
    }));
    let schema = reflected(&fake);
    assert_eq!(
        schema.collection("bought").expect("there").kind,
        CollectionKind::Edge
    );
    assert_eq!(schema.graphs.len(), 1);
    let graph = schema.graph("sales").expect("there");
    assert_eq!(graph.collections(), ["bought", "customers", "orders"]);
    assert_eq!(schema.views.len(), 2);
    assert_eq!(
        schema.view("alias").expect("there").links[0]
            .index
            .as_deref(),
        Some("inv")
    );
    let link = &schema.view("search").expect("there").links[0];
    assert!(link.all_fields);
    assert_eq!(link.fields.len(), 2);
    assert_eq!(link.fields[1].path, super::path(&["title", "de"]));
    assert_eq!(link.fields[1].analyzers[0].as_ref(), "text_de");
}

#[test]
fn parts_that_the_user_may_not_read_are_left_out_with_a_warning() {
    for (at, code) in [
        ("/_api/gharial", "graphs-unreadable"),
        ("/_api/view", "views-unreadable"),
        ("/_api/index", "indexes-unreadable"),
        ("/properties", "view-unreadable"),
    ] {
        let mut fake = Fake::new();
        fake.views.insert(
            "search".into(),
            json!({"type": "arangosearch", "links": {}}),
        );
        let body: &'static str =
            Box::leak(error(403, 11, "forbidden").1.to_string().into_boxed_str());
        fake.fault_at = Some((at, Fault::Body(403, "application/json", body)));
        let schema = reflected(&fake);
        assert_eq!(names(&schema), ["orders"], "{at}");
        assert_eq!(schema.warnings.len(), 1, "{at}");
        assert_eq!(schema.warnings[0].code, code);
    }
}

#[test]
fn a_user_who_may_not_list_the_collections_gets_an_error() {
    let mut fake = Fake::new();
    fake.fault_at = Some(("/_api/collection", Fault::Status(403, "forbidden")));
    let error = reflected_with(&fake, r#"{"database": "shop"}"#).expect_err("forbidden");
    assert_eq!(error.kind, ErrorKind::DatabaseUnauthorized);
}

#[test]
fn names_are_found_exactly_and_near_ones_are_offered() {
    let mut fake = Fake::new();
    fake.collection("customers", 2, json!([]));
    let schema = reflected(&fake);
    assert!(schema.collection("customer").is_none());
    assert_eq!(schema.nearest("customer"), ["customers"]);
    assert_eq!(schema.nearest("Orders"), ["orders"]);
    assert!(schema.nearest("weather").is_empty());
}
