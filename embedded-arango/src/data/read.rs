//! Reading a data set from JSON, and checking that its parts fit together.

use std::collections::BTreeMap;

use super::{CollectionData, DataError, DataSet, GraphData, IndexData, ViewData};
use crate::storage::{CollectionKind, ViewKind};
use crate::value::{Object, Value};

type Read<T> = Result<T, DataError>;

/// The parts of a data set that may be there; `name` and `source` describe it.
const PARTS: [&str; 6] = [
    "name",
    "source",
    "collections",
    "indexes",
    "graphs",
    "views",
];

impl DataSet {
    /// Reads a data set in the form that the [module's page](super) shows.
    ///
    /// # Errors
    /// For text that is no JSON, for an unknown part, and for each way in which a collection, document, index, graph or
    /// view is wrong or names a collection that the data set does not have.
    pub fn parse(text: &str) -> Read<Self> {
        let json = Value::from_json_text(text)
            .map_err(|error| DataError::new("", format!("is not JSON: {error}")))?;
        let Value::Object(root) = json else {
            return Err(DataError::new(
                "",
                format!("must be a JSON object, not {}", article(&json)),
            ));
        };
        if let Some(unknown) = root.keys().find(|name| !PARTS.contains(&&***name)) {
            let message = format!("is unknown; a data set has `{}`", PARTS.join("`, `"));
            return Err(DataError::new(unknown.to_string(), message));
        }
        let mut set = Self::default();
        for (place, item) in items(&root, "", "collections")? {
            set.collections.push(collection(&place, &item)?);
        }
        let kinds = kinds(&set.collections)?;
        for (place, item) in items(&root, "", "indexes")? {
            set.indexes.push(index(&place, &item, &kinds)?);
        }
        for (place, item) in items(&root, "", "graphs")? {
            set.graphs.push(graph(&place, &item, &kinds)?);
        }
        for (place, item) in items(&root, "", "views")? {
            set.views.push(view(&place, &item, &kinds)?);
        }
        Ok(set)
    }
}

fn article(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Int(_) | Value::Double(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// The elements of an optional array of objects with their places.
fn items(object: &Object, within: &str, name: &str) -> Read<Vec<(String, Object)>> {
    let place = if within.is_empty() {
        name.to_owned()
    } else {
        format!("{within}.{name}")
    };
    match object.get(name) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(items)) => items
            .iter()
            .enumerate()
            .map(|(at, item)| match item {
                Value::Object(item) => Ok((format!("{place}[{at}]"), (**item).clone())),
                other => Err(DataError::new(
                    format!("{place}[{at}]"),
                    format!("must be an object, not {}", article(other)),
                )),
            })
            .collect(),
        Some(other) => Err(DataError::new(
            place,
            format!("must be an array, not {}", article(other)),
        )),
    }
}

/// A text that must be there.
fn text(object: &Object, place: &str, name: &str) -> Read<String> {
    match object.get(name) {
        Some(Value::String(text)) if !text.is_empty() => Ok(text.to_string()),
        Some(Value::String(_)) => Err(DataError::new(
            format!("{place}.{name}"),
            "must not be empty",
        )),
        Some(other) => Err(DataError::new(
            format!("{place}.{name}"),
            format!("must be a text, not {}", article(other)),
        )),
        None => Err(DataError::new(place, format!("has no `{name}`"))),
    }
}

fn collection(place: &str, object: &Object) -> Read<CollectionData> {
    let name = text(object, place, "name")?;
    let kind = match object.get("type") {
        None | Some(Value::Int(2)) => CollectionKind::Document,
        Some(Value::Int(3)) => CollectionKind::Edge,
        Some(Value::String(text)) if &**text == "document" => CollectionKind::Document,
        Some(Value::String(text)) if &**text == "edge" => CollectionKind::Edge,
        Some(other) => {
            let message = format!("must be 2 (`document`) or 3 (`edge`), not `{other}`");
            return Err(DataError::new(format!("{place}.type"), message));
        }
    };
    let mut documents = Vec::new();
    let mut keys = BTreeMap::new();
    for (at, (place, document)) in items(object, place, "docs")?.into_iter().enumerate() {
        if let Some(key) = document.get("_key") {
            let Some(key) = key.as_str() else {
                return Err(DataError::new(
                    format!("{place}._key"),
                    format!("must be a text, not {}", article(key)),
                ));
            };
            if let Some(first) = keys.insert(key.to_owned(), at) {
                return Err(DataError::new(
                    format!("{place}._key"),
                    format!("`{key}` is already the key of `docs[{first}]`"),
                ));
            }
        }
        if kind == CollectionKind::Edge {
            for end in ["_from", "_to"] {
                let id = text(&document, &place, end)?;
                if !is_id(&id) {
                    let message = format!("`{id}` is no document's id; write `collection/key`");
                    return Err(DataError::new(format!("{place}.{end}"), message));
                }
            }
        }
        documents.push(Value::object(document));
    }
    Ok(CollectionData {
        name,
        kind,
        documents,
    })
}

/// Whether a text is `collection/key`.
fn is_id(text: &str) -> bool {
    text.split_once('/').is_some_and(|(collection, key)| {
        !collection.is_empty() && !key.is_empty() && !key.contains('/')
    })
}

/// The kinds of the collections by name, each name once.
fn kinds(collections: &[CollectionData]) -> Read<BTreeMap<String, CollectionKind>> {
    let mut kinds = BTreeMap::new();
    for (at, collection) in collections.iter().enumerate() {
        if kinds
            .insert(collection.name.clone(), collection.kind)
            .is_some()
        {
            let message = format!("`{}` is the name of two collections", collection.name);
            return Err(DataError::new(format!("collections[{at}].name"), message));
        }
    }
    Ok(kinds)
}

/// Checks that a collection is in the data set.
fn known(
    kinds: &BTreeMap<String, CollectionKind>,
    place: &str,
    name: &str,
) -> Read<CollectionKind> {
    kinds.get(name).copied().ok_or_else(|| {
        let names: Vec<&str> = kinds.keys().map(String::as_str).collect();
        DataError::new(
            place,
            format!(
                "there is no collection `{name}` in this data set; it has `{}`",
                names.join("`, `")
            ),
        )
    })
}

fn index(
    place: &str,
    object: &Object,
    kinds: &BTreeMap<String, CollectionKind>,
) -> Read<IndexData> {
    let collection = text(object, place, "collection")?;
    known(kinds, &format!("{place}.collection"), &collection)?;
    text(object, place, "type")?;
    let mut definition = object.clone();
    definition.remove("collection");
    Ok(IndexData {
        collection,
        definition: Value::object(definition),
    })
}

fn graph(
    place: &str,
    object: &Object,
    kinds: &BTreeMap<String, CollectionKind>,
) -> Read<GraphData> {
    let name = text(object, place, "name")?;
    for (place, edge) in items(object, place, "edgeDefinitions")? {
        let collection = text(&edge, &place, "collection")?;
        let at = format!("{place}.collection");
        if known(kinds, &at, &collection)? != CollectionKind::Edge {
            return Err(DataError::new(
                at,
                format!("`{collection}` holds documents; an edge definition needs edges (type 3)"),
            ));
        }
        for end in ["from", "to"] {
            names(&edge, &place, end, kinds)?;
        }
    }
    if object.get("orphanCollections").is_some() {
        names(object, place, "orphanCollections", kinds)?;
    }
    Ok(GraphData {
        name,
        definition: Value::object(object.clone()),
    })
}

/// Checks an array of names of collections.
fn names(
    object: &Object,
    place: &str,
    name: &str,
    kinds: &BTreeMap<String, CollectionKind>,
) -> Read<()> {
    let at = format!("{place}.{name}");
    let Some(items) = object.get(name).and_then(Value::as_array) else {
        return Err(DataError::new(
            at,
            "must be an array of names of collections",
        ));
    };
    for item in items {
        let Some(collection) = item.as_str() else {
            return Err(DataError::new(
                at,
                format!("must hold names of collections, not {}", article(item)),
            ));
        };
        known(kinds, &at, collection)?;
    }
    Ok(())
}

fn view(place: &str, object: &Object, kinds: &BTreeMap<String, CollectionKind>) -> Read<ViewData> {
    let name = text(object, place, "name")?;
    let kind = text(object, place, "type")?;
    if ViewKind::parse(&kind).is_none() {
        let message = format!("must be `arangosearch` or `search-alias`, not `{kind}`");
        return Err(DataError::new(format!("{place}.type"), message));
    }
    let properties = object.get("properties").cloned().unwrap_or_default();
    if let Some(links) = properties.get("links").as_object() {
        for collection in links.keys() {
            known(kinds, &format!("{place}.properties.links"), collection)?;
        }
    }
    Ok(ViewData {
        name,
        kind,
        properties,
    })
}
