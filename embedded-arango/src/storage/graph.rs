//! Named graphs: documents of `_graphs`, read into the types that planning uses, and written back.

use crate::engine::catalog::{EdgeDefinition, GraphInfo};
use crate::value::{Object, Value};

/// Reads `{collection, from, to}`; nothing where one of them is missing or of the wrong type.
pub(crate) fn read_definition(value: &Value) -> Option<EdgeDefinition> {
    let collection = value
        .get("collection")
        .as_str()
        .filter(|name| !name.is_empty())?
        .to_owned();
    let from = names(&value.get("from"))?;
    let to = names(&value.get("to"))?;
    (!from.is_empty() && !to.is_empty()).then(|| EdgeDefinition {
        collection,
        from: sorted(from),
        to: sorted(to),
    })
}

/// A definition as the HTTP API gives it.
pub(crate) fn write_definition(definition: &EdgeDefinition) -> Value {
    Value::object(Object::from_iter([
        ("collection", Value::string(&definition.collection)),
        ("from", list(&definition.from)),
        ("to", list(&definition.to)),
    ]))
}

/// Reads a document of `_graphs`.
pub(crate) fn read_graph(document: &Value) -> Option<GraphInfo> {
    let definitions = document.get("edgeDefinitions");
    Some(GraphInfo {
        name: document.get("_key").as_str()?.to_owned(),
        edges: definitions
            .as_array()?
            .iter()
            .filter_map(read_definition)
            .collect(),
        orphans: names(&document.get("orphanCollections")).unwrap_or_default(),
    })
}

/// The attributes of a graph's document, without `_key`.
pub(crate) fn write_graph(graph: &GraphInfo) -> Object {
    let definitions = graph.edges.iter().map(write_definition).collect();
    Object::from_iter([
        ("edgeDefinitions", Value::array(definitions)),
        ("orphanCollections", list(&graph.orphans)),
    ])
}

/// Whether an edge definition names the vertex collection.
pub(crate) fn is_related(graph: &GraphInfo, vertex_collection: &str) -> bool {
    let mut ends = graph
        .edges
        .iter()
        .flat_map(|definition| definition.from.iter().chain(&definition.to));
    ends.any(|name| name == vertex_collection)
}

/// An array of texts.
pub(crate) fn names(value: &Value) -> Option<Vec<String>> {
    value
        .as_array()?
        .iter()
        .map(|name| name.as_str().map(str::to_owned))
        .collect()
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names.dedup();
    names
}

fn list(names: &[String]) -> Value {
    Value::array(names.iter().map(Value::string).collect())
}
