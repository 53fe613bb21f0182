//! The state of a database at one moment.

use std::sync::Arc;

use rpds::RedBlackTreeMapSync;

use super::analyzer::Analyzer;
use super::collection::{Collection, CollectionKind};
use super::graph::read_graph;
use super::index::{IndexDefinition, IndexKind};
use super::view::View;
use crate::engine::catalog::{
    Catalog, CollectionInfo, GraphInfo, IndexInfo, IndexKind as PlanIndex, SourceInfo, VectorInfo,
    ViewInfo,
};
use crate::value::Value;

/// The collection that holds the named graphs.
pub(crate) const GRAPHS: &str = "_graphs";

/// Collections, views and analyzers of a database at one moment. A clone is O(1), and nothing that happens later changes it.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    pub(crate) collections: RedBlackTreeMapSync<Arc<str>, Arc<Collection>>,
    pub(crate) views: RedBlackTreeMapSync<Arc<str>, Arc<View>>,
    pub(crate) analyzers: RedBlackTreeMapSync<Arc<str>, Arc<Analyzer>>,
}

impl Snapshot {
    /// A collection by name, or by id where the name is a number.
    pub fn collection(&self, name: &str) -> Option<&Arc<Collection>> {
        self.collections.get(name).or_else(|| {
            let id: u64 = name.parse().ok()?;
            self.collections
                .values()
                .find(|collection| collection.meta.id == id)
        })
    }

    /// All collections in the order of their names.
    pub fn collections(&self) -> impl Iterator<Item = &Arc<Collection>> {
        self.collections.values()
    }

    /// A view by name, or by id where the name is a number.
    pub fn view(&self, name: &str) -> Option<&Arc<View>> {
        self.views.get(name).or_else(|| {
            let id: u64 = name.parse().ok()?;
            self.views.values().find(|view| view.id == id)
        })
    }

    /// All views in the order of their names.
    pub fn views(&self) -> impl Iterator<Item = &Arc<View>> {
        self.views.values()
    }

    /// The analyzers that were created in this database, in the order of their names; the built-in ones are not among them.
    pub fn analyzers(&self) -> impl Iterator<Item = &Arc<Analyzer>> {
        self.analyzers.values()
    }
}

impl Snapshot {
    /// The analyzer with a name, built-in or of this database, with or without `database::` before it.
    pub fn analyzer(&self, name: &str) -> Option<Arc<Analyzer>> {
        Analyzer::built_in(name).or_else(|| {
            let local = name.rsplit("::").next().unwrap_or(name);
            self.analyzers.get(local).cloned()
        })
    }
}

impl Catalog for Snapshot {
    fn source(&self, name: &str) -> Option<SourceInfo> {
        if let Some(collection) = self.collection(name) {
            return Some(SourceInfo::Collection(collection_info(collection)));
        }
        let view = self.view(name)?;
        let mut collections: Vec<String> = view
            .links(self)
            .iter()
            .map(|link| link.collection.to_string())
            .collect();
        collections.dedup();
        Some(SourceInfo::View(ViewInfo {
            name: view.name.to_string(),
            id: view.id.to_string(),
            collections,
        }))
    }

    fn graph(&self, name: &str) -> Option<GraphInfo> {
        read_graph(&self.collections.get(GRAPHS)?.get(name)?)
    }

    fn analyzer(&self, name: &str) -> Option<Value> {
        let found = Snapshot::analyzer(self, name)?;
        (!found.built_in).then(|| {
            let entries = [
                ("type", Value::from(&*found.kind)),
                ("properties", found.properties.clone()),
            ];
            Value::object(entries.into_iter().collect())
        })
    }

    fn graphs(&self) -> Vec<GraphInfo> {
        let graphs = self.collections.get(GRAPHS);
        graphs
            .map(|graphs| {
                graphs
                    .scan()
                    .filter_map(|document| read_graph(&document))
                    .collect()
            })
            .unwrap_or_default()
    }
}

/// A collection as the planner sees it.
fn collection_info(collection: &Collection) -> CollectionInfo {
    CollectionInfo {
        name: collection.meta.name.to_string(),
        edge: collection.meta.kind == CollectionKind::Edge,
        count: collection.count() as u64,
        indexes: collection
            .indexes()
            .map(|index| index_info(collection, index))
            .collect(),
    }
}

fn index_info(collection: &Collection, index: &IndexDefinition) -> IndexInfo {
    let flag = |name: &str| {
        index
            .properties
            .get(name)
            .and_then(Value::as_bool)
            .unwrap_or(false)
    };
    IndexInfo {
        id: index.id.to_string(),
        name: index.name.clone(),
        kind: match index.kind {
            IndexKind::Primary => PlanIndex::Primary,
            IndexKind::Edge => PlanIndex::Edge,
            IndexKind::Persistent => PlanIndex::Persistent,
            IndexKind::Vector => PlanIndex::Vector,
            _ => PlanIndex::Other,
        },
        type_name: index.kind.name().to_owned(),
        fields: index.fields.clone(),
        unique: index.unique,
        sparse: index.sparse,
        deduplicate: flag("deduplicate"),
        estimates: flag("estimates"),
        selectivity: collection.selectivity(index.id).unwrap_or(1.0),
        vector: vector_info(index),
    }
}

/// The parameters of a vector index; `None` for the other kinds.
fn vector_info(index: &IndexDefinition) -> Option<VectorInfo> {
    let params = index.properties.get("params")?;
    Some(VectorInfo {
        metric: params.get("metric").as_str()?.to_owned(),
        dimension: usize::try_from(params.get("dimension").as_i64()?).ok()?,
        default_probes: params.get("defaultNProbe").as_i64().unwrap_or(1),
    })
}
