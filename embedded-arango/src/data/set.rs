//! A data set: collections with their documents, and what is defined over them.

use crate::storage::CollectionKind;
use crate::value::Value;

/// All that is loaded into one database. The names in it agree: [`DataSet::parse`] has checked them.
#[derive(Clone, Debug, Default)]
pub struct DataSet {
    /// The collections in the order in which they are created.
    pub collections: Vec<CollectionData>,
    /// Indexes beside the built-in ones.
    pub indexes: Vec<IndexData>,
    /// Named graphs.
    pub graphs: Vec<GraphData>,
    /// Views.
    pub views: Vec<ViewData>,
}

/// A collection and its documents.
#[derive(Clone, Debug)]
pub struct CollectionData {
    /// The name.
    pub name: String,
    /// Documents or edges.
    pub kind: CollectionKind,
    /// The documents: objects, of an edge collection with `_from` and `_to`. One without `_key` gets a key.
    pub documents: Vec<Value>,
}

/// An index on a collection.
#[derive(Clone, Debug)]
pub struct IndexData {
    /// The collection.
    pub collection: String,
    /// The definition, as the HTTP API takes it: `type`, `fields`, ….
    pub definition: Value,
}

/// A named graph.
#[derive(Clone, Debug)]
pub struct GraphData {
    /// The name.
    pub name: String,
    /// `edgeDefinitions` and `orphanCollections`, as the HTTP API takes them.
    pub definition: Value,
}

/// A view.
#[derive(Clone, Debug)]
pub struct ViewData {
    /// The name.
    pub name: String,
    /// `arangosearch` or `search-alias`.
    pub kind: String,
    /// Its properties, as the HTTP API takes them; `null` for none.
    pub properties: Value,
}
