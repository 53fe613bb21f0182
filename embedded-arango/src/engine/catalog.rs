//! What planning asks about a database: names, kinds, counts, indexes, links and graphs.
//!
//! Storage implements [`Catalog`]; the planner reads it and changes nothing. A name that the catalog does not know makes
//! a query fail with 1203 before anything runs.

use crate::value::Value;

/// A read-only view of a database's data sources.
pub trait Catalog {
    /// The collection or view of this name, or with this numeric id.
    fn source(&self, name: &str) -> Option<SourceInfo>;
    /// The named graph.
    fn graph(&self, name: &str) -> Option<GraphInfo>;
    /// Every named graph of the database.
    fn graphs(&self) -> Vec<GraphInfo>;
    /// The definition of an analyzer that the database has beside the built-in ones: `{type, properties}`.
    fn analyzer(&self, name: &str) -> Option<Value> {
        let _ = name;
        None
    }
}

/// A data source.
#[derive(Clone, Debug, PartialEq)]
pub enum SourceInfo {
    /// A collection.
    Collection(CollectionInfo),
    /// A view.
    View(ViewInfo),
}

/// A collection as the planner sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectionInfo {
    /// The name.
    pub name: String,
    /// Whether it holds edges.
    pub edge: bool,
    /// The number of documents.
    pub count: u64,
    /// The indexes, the primary index first.
    pub indexes: Vec<IndexInfo>,
}

/// The kinds of index that the planner can use; others are never chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexKind {
    /// On `_key`.
    Primary,
    /// On `_from` and `_to`.
    Edge,
    /// `persistent`, and its older names `hash` and `skiplist`.
    Persistent,
    /// `vector`.
    Vector,
    /// Any other kind.
    Other,
}

/// What a vector index holds.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorInfo {
    /// `cosine`, `l2` or `innerProduct`.
    pub metric: String,
    /// The numbers of each vector.
    pub dimension: usize,
    /// How many cells of the index are searched where a query does not say; shown, not used: the search is exact.
    pub default_probes: i64,
}

/// An index as the planner sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexInfo {
    /// The id without the collection's name: `0` for the primary index.
    pub id: String,
    /// The name.
    pub name: String,
    /// The kind.
    pub kind: IndexKind,
    /// The kind as the API spells it.
    pub type_name: String,
    /// The indexed attributes, each as a path in dot notation.
    pub fields: Vec<String>,
    /// Whether values are unique.
    pub unique: bool,
    /// Whether documents without the attributes are left out.
    pub sparse: bool,
    /// Whether a repeated element of an array is indexed once.
    pub deduplicate: bool,
    /// Whether selectivity is estimated.
    pub estimates: bool,
    /// The estimate of distinct values by documents, 1 for unique values.
    pub selectivity: f64,
    /// The parameters of a vector index.
    pub vector: Option<VectorInfo>,
}

/// A view as the planner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewInfo {
    /// The name.
    pub name: String,
    /// The id.
    pub id: String,
    /// The linked collections, sorted.
    pub collections: Vec<String>,
}

/// A named graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphInfo {
    /// The name.
    pub name: String,
    /// The edge definitions.
    pub edges: Vec<EdgeDefinition>,
    /// Vertex collections that no edge definition names.
    pub orphans: Vec<String>,
}

/// One edge definition of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeDefinition {
    /// The edge collection.
    pub collection: String,
    /// The vertex collections that edges start in.
    pub from: Vec<String>,
    /// The vertex collections that edges end in.
    pub to: Vec<String>,
}

impl GraphInfo {
    /// The vertex collections, sorted and without repetition.
    pub fn vertex_collections(&self) -> Vec<String> {
        let mut names: Vec<String> = self
            .edges
            .iter()
            .flat_map(|edge| edge.from.iter().chain(&edge.to))
            .chain(&self.orphans)
            .cloned()
            .collect();
        names.sort();
        names.dedup();
        names
    }
}
