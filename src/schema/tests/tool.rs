//! The schema as the tool returns it.

use serde_json::{Value, json};

use super::super::{
    CollectionKind, EdgeDefinition, Graph, Index, IndexField, Type, View, ViewField, ViewLink,
};
use super::{collection, field, path, schema};
use crate::ask::Notice;

fn shop() -> super::Schema {
    let mut orders = collection(
        "orders",
        12,
        vec![
            field(&["address", "city"], &[Type::Null, Type::String]),
            field(&["total"], &[Type::Double]),
        ],
    );
    orders.indexes = Some(vec![Index {
        name: "idx_1".into(),
        kind: "inverted".into(),
        fields: vec![
            IndexField {
                path: "total".into(),
                analyzer: None,
            },
            IndexField {
                path: "title".into(),
                analyzer: Some("text_en".into()),
            },
        ],
        sparse: true,
        options: vec![("includeAllFields".into(), "true".into())],
        ..Index::default()
    }]);
    let mut bought = collection("bought", 3, Vec::new());
    bought.kind = CollectionKind::Edge;
    bought.count = None;
    bought.indexes = None;
    let mut schema = schema(vec![orders, bought]);
    schema.graphs = vec![Graph {
        name: "sales".into(),
        edges: vec![EdgeDefinition {
            collection: "bought".into(),
            from: vec!["orders".into()],
            to: vec!["orders".into()],
        }],
        orphans: Vec::new(),
    }];
    schema.views = vec![View {
        name: "search".into(),
        kind: "arangosearch".into(),
        links: vec![ViewLink {
            collection: "orders".into(),
            fields: vec![ViewField {
                path: path(&["title"]),
                analyzers: vec!["text_en".into()],
            }],
            ..ViewLink::default()
        }],
    }];
    schema.warnings = vec![Notice::new("views-cut", "some")];
    schema
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("json")
}

#[test]
fn the_whole_schema_has_the_known_shape_and_ours() {
    assert_eq!(
        parsed(&shop().tool_json(None)),
        json!({
            "database": "shop",
            "collections": {
                "orders": {
                    "type": "document",
                    "count": 12,
                    "fields": [
                        {"field": "address.city", "type": "null|string"},
                        {"field": "total", "type": "double"}
                    ],
                    "indexed_fields": ["total", "title"],
                    "indexes": [{
                        "name": "idx_1", "type": "inverted", "unique": false, "sparse": true, "includeAllFields": true,
                        "fields": ["total", {"name": "title", "analyzer": "text_en"}]
                    }]
                },
                "bought": {"type": "edge", "count": null, "fields": [], "indexed_fields": [], "indexes": null}
            },
            "graphs": [{
                "name": "sales",
                "edge_definitions": [{"edge": "bought", "from": ["orders"], "to": ["orders"]}],
                "orphans": []
            }],
            "views": [{
                "name": "search", "type": "arangosearch",
                "links": [{
                    "collection": "orders", "analyzers": [], "include_all_fields": false,
                    "fields": [{"field": "title", "analyzers": ["text_en"]}]
                }]
            }],
            "warnings": [{"code": "views-cut", "message": "some"}]
        })
    );
}

#[test]
fn one_collection_comes_with_all_graphs_and_views() {
    let one = parsed(&shop().tool_json(Some("bought")));
    let collections = one["collections"].as_object().expect("an object");
    assert_eq!(collections.len(), 1);
    assert!(collections.contains_key("bought"));
    assert_eq!(one["graphs"].as_array().expect("a list").len(), 1);
    assert_eq!(one["views"].as_array().expect("a list").len(), 1);
}

#[test]
fn an_unknown_collection_is_an_error_with_the_nearest_names() {
    assert_eq!(
        parsed(&shop().tool_json(Some("order"))),
        json!({"error": "Collection order not found", "nearest": ["orders"]})
    );
    assert_eq!(
        parsed(&shop().tool_json(Some("weather \"x"))),
        json!({"error": "Collection weather \"x not found"})
    );
}
