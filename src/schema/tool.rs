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

use crate::json::Writer;

use super::wire::write_all;
use super::{
    Collection, CollectionKind, EdgeDefinition, Graph, Index, IndexField, Schema, View, ViewLink,
    path_text,
};

impl Schema {
    /// The schema as JSON; of one collection, with all graphs and views, where one is named. A collection that is not there
    /// gives `{"error": "Collection X not found"}` and the nearest names.
    pub fn tool_json(&self, collection: Option<&str>) -> String {
        let mut json = Writer::default();
        json.begin('{');
        let one;
        let collections = match collection {
            None => self.collections.as_slice(),
            Some(name) => match self.collection(name) {
                Some(found) => {
                    one = found;
                    core::slice::from_ref(one)
                }
                None => {
                    json.key("error")
                        .text(&format!("Collection {name} not found"));
                    let near = self.nearest(name);
                    if !near.is_empty() {
                        json.key("nearest").texts(&near);
                    }
                    json.end('}');
                    return json.finish();
                }
            },
        };
        json.key("collections").begin('{');
        for collection in collections {
            json.key(&collection.name);
            collection.json(&mut json);
        }
        json.end('}');
        json.key("database").text(&self.database);
        json.key("graphs");
        write_all(&self.graphs, Graph::json, &mut json);
        json.key("views");
        write_all(&self.views, View::json, &mut json);
        json.key("warnings").begin('[');
        for notice in &self.warnings {
            json.begin('{');
            json.key("code").text(&notice.code);
            json.key("message").text(&notice.message);
            json.end('}');
        }
        json.end(']');
        json.end('}');
        json.finish()
    }
}

impl Collection {
    fn json(&self, json: &mut Writer) {
        json.begin('{');
        let count = json.key("count");
        match self.count {
            Some(number) => count.whole(number),
            None => count.raw("null"),
        }
        json.key("fields").begin('[');
        for field in &self.fields {
            json.begin('{');
            json.key("field").text(&path_text(&field.path));
            json.key("type").text(&field.types.joined());
            json.end('}');
        }
        json.end(']');
        if self.fields_cut {
            json.key("fields_cut").bool(true);
        }
        let mut indexed: Vec<&str> = Vec::new();
        for index in self.indexes.iter().flatten() {
            for field in &index.fields {
                if !indexed.contains(&field.path.as_ref()) {
                    indexed.push(&field.path);
                }
            }
        }
        json.key("indexed_fields").texts(&indexed);
        let indexes = json.key("indexes");
        match &self.indexes {
            Some(list) => write_all(list, Index::json, indexes),
            None => indexes.raw("null"),
        }
        json.key("type").text(match self.kind {
            CollectionKind::Document => "document",
            CollectionKind::Edge => "edge",
        });
        json.end('}');
    }
}

impl Index {
    fn json(&self, json: &mut Writer) {
        json.begin('{');
        json.key("fields");
        write_all(&self.fields, IndexField::json, json);
        json.key("name").text(&self.name);
        json.key("sparse").bool(self.sparse);
        json.key("type").text(&self.kind);
        json.key("unique").bool(self.unique);
        for (name, value) in &self.options {
            json.key(name).raw(value);
        }
        json.end('}');
    }
}

impl IndexField {
    fn json(&self, json: &mut Writer) {
        let Some(analyzer) = &self.analyzer else {
            json.text(&self.path);
            return;
        };
        json.begin('{');
        json.key("analyzer").text(analyzer);
        json.key("name").text(&self.path);
        json.end('}');
    }
}

impl Graph {
    fn json(&self, json: &mut Writer) {
        json.begin('{');
        json.key("edge_definitions");
        write_all(&self.edges, EdgeDefinition::json, json);
        json.key("name").text(&self.name);
        json.key("orphans").texts(&self.orphans);
        json.end('}');
    }
}

impl EdgeDefinition {
    fn json(&self, json: &mut Writer) {
        json.begin('{');
        json.key("edge").text(&self.collection);
        json.key("from").texts(&self.from);
        json.key("to").texts(&self.to);
        json.end('}');
    }
}

impl View {
    fn json(&self, json: &mut Writer) {
        json.begin('{');
        json.key("links");
        write_all(&self.links, ViewLink::json, json);
        json.key("name").text(&self.name);
        json.key("type").text(&self.kind);
        json.end('}');
    }
}

impl ViewLink {
    fn json(&self, json: &mut Writer) {
        json.begin('{');
        if let Some(index) = &self.index {
            json.key("collection").text(&self.collection);
            json.key("index").text(index);
        } else {
            json.key("analyzers").texts(&self.analyzers);
            json.key("collection").text(&self.collection);
            json.key("fields").begin('[');
            for field in &self.fields {
                json.begin('{');
                json.key("analyzers").texts(&field.analyzers);
                json.key("field").text(&path_text(&field.path));
                json.end('}');
            }
            json.end(']');
            json.key("include_all_fields").bool(self.all_fields);
        }
        json.end('}');
    }
}
