//! The schema as the tool `get_schema` returns it.
//!
//! ```json
//! {
//!   "database": "shop",
//!   "collections": {
//!     "orders": {
//!       "type": "document",
//!       "count": 1200,
//!       "fields": [{"field": "total", "type": "double"}, {"field": "address.city", "type": "null|string"}],
//!       "indexed_fields": ["customer"],
//!       "indexes": [{"name": "idx_1", "type": "persistent", "fields": ["customer"], "unique": false, "sparse": false}]
//!     }
//!   },
//!   "graphs": [{"name": "sales", "edge_definitions": [{"edge": "bought", "from": ["customers"], "to": ["products"]}], "orphans": []}],
//!   "views": [{"name": "search", "type": "arangosearch", "links": [{"collection": "products", "fields": [{"field": "title", "analyzers": ["text_en"]}]}]}],
//!   "warnings": []
//! }
//! ```
//!
//! `field` is a path as AQL writes it, names quoted where AQL needs it.

use serde_json::{Map, Value, json};

use super::{Collection, CollectionKind, Graph, Index, Schema, View, ViewLink, path_text};

impl Schema {
    /// The schema as JSON; of one collection, with all graphs and views, where one is named. A collection that is not there
    /// gives `{"error": "Collection X not found"}` and the nearest names.
    pub fn tool_json(&self, collection: Option<&str>) -> String {
        let mut collections = Map::new();
        match collection {
            None => {
                for collection in &self.collections {
                    collections.insert(collection.name.as_ref().into(), collection.json());
                }
            }
            Some(name) => match self.collection(name) {
                Some(collection) => {
                    collections.insert(collection.name.as_ref().into(), collection.json());
                }
                None => {
                    let mut error = json!({ "error": format!("Collection {name} not found") });
                    let near = self.nearest(name);
                    if let (false, Some(error)) = (near.is_empty(), error.as_object_mut()) {
                        error.insert("nearest".into(), json!(near));
                    }
                    return error.to_string();
                }
            },
        }
        let warnings: Vec<Value> = self
            .warnings
            .iter()
            .map(|notice| json!({"code": notice.code, "message": notice.message}))
            .collect();
        json!({
            "database": self.database,
            "collections": collections,
            "graphs": self.graphs.iter().map(Graph::json).collect::<Vec<_>>(),
            "views": self.views.iter().map(View::json).collect::<Vec<_>>(),
            "warnings": warnings,
        })
        .to_string()
    }
}

impl Collection {
    fn json(&self) -> Value {
        let fields: Vec<Value> = self
            .fields
            .iter()
            .map(|field| json!({"field": path_text(&field.path), "type": field.types.joined()}))
            .collect();
        let mut indexed: Vec<&str> = Vec::new();
        for field in self
            .indexes
            .iter()
            .flatten()
            .flat_map(|index| &index.fields)
        {
            if !indexed.contains(&field.path.as_ref()) {
                indexed.push(&field.path);
            }
        }
        let mut collection = json!({
            "type": match self.kind {
                CollectionKind::Document => "document",
                CollectionKind::Edge => "edge",
            },
            "count": self.count,
            "fields": fields,
            "indexed_fields": indexed,
            "indexes": self.indexes.as_ref().map(|indexes| {
                indexes.iter().map(Index::json).collect::<Vec<_>>()
            }),
        });
        if let (true, Some(object)) = (self.fields_cut, collection.as_object_mut()) {
            object.insert("fields_cut".into(), Value::Bool(true));
        }
        collection
    }
}

impl Index {
    fn json(&self) -> Value {
        let fields: Vec<Value> = self
            .fields
            .iter()
            .map(|field| match &field.analyzer {
                None => json!(field.path),
                Some(analyzer) => json!({"name": field.path, "analyzer": analyzer}),
            })
            .collect();
        let mut index = json!({
            "name": self.name,
            "type": self.kind,
            "fields": fields,
            "unique": self.unique,
            "sparse": self.sparse,
        });
        if let Some(object) = index.as_object_mut() {
            for (name, value) in &self.options {
                let value = serde_json::from_str(value).unwrap_or(Value::Null);
                object.entry(name.as_ref()).or_insert(value);
            }
        }
        index
    }
}

impl Graph {
    fn json(&self) -> Value {
        let edges: Vec<Value> = self
            .edges
            .iter()
            .map(|edge| json!({"edge": edge.collection, "from": edge.from, "to": edge.to}))
            .collect();
        json!({"name": self.name, "edge_definitions": edges, "orphans": self.orphans})
    }
}

impl View {
    fn json(&self) -> Value {
        let links: Vec<Value> = self.links.iter().map(ViewLink::json).collect();
        json!({"name": self.name, "type": self.kind, "links": links})
    }
}

impl ViewLink {
    fn json(&self) -> Value {
        if let Some(index) = &self.index {
            return json!({"collection": self.collection, "index": index});
        }
        let fields: Vec<Value> = self
            .fields
            .iter()
            .map(|field| json!({"field": path_text(&field.path), "analyzers": field.analyzers}))
            .collect();
        json!({
            "collection": self.collection,
            "fields": fields,
            "analyzers": self.analyzers,
            "include_all_fields": self.all_fields,
        })
    }
}
