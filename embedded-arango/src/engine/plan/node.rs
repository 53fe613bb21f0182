//! The nodes of a plan: one for each step that the real server would show, in the order of execution.
//!
//! A plan is flat. A subquery is the run of nodes from its `SubqueryStart` to its `SubqueryEnd`, which may hold further
//! runs. Each node reads variables that nodes before it set.

use std::sync::Arc;

use aql_syntax::ast::{Direction, PathKind};

use super::expression::{Ex, VarId};
use crate::engine::catalog::IndexInfo;
use crate::value::Value;

/// A node with what explain shows of it beside its own attributes.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) id: usize,
    pub(crate) kind: NodeKind,
    pub(crate) cost: f64,
    pub(crate) items: f64,
    pub(crate) prefetch: bool,
}

/// What a node does.
#[derive(Clone, Debug)]
pub(crate) enum NodeKind {
    Singleton,
    EnumerateCollection(Scan),
    Index(Box<IndexScan>),
    EnumerateList {
        input: VarId,
        output: VarId,
    },
    EnumerateView(Box<ViewScan>),
    EnumerateNearVector(Box<NearScan>),
    /// Brings the document of an id that the node before it found. Here that node has brought it.
    Materialize {
        collection: String,
        document: VarId,
    },
    Calculation {
        expression: Ex,
        output: VarId,
    },
    Filter {
        input: VarId,
    },
    Limit {
        offset: u64,
        count: u64,
        full_count: bool,
    },
    Sort {
        elements: Vec<SortElement>,
    },
    Collect(Box<Collect>),
    Window(Box<Window>),
    Return {
        input: VarId,
    },
    SubqueryStart {
        output: VarId,
    },
    SubqueryEnd {
        input: Option<VarId>,
        output: VarId,
    },
    Traversal(Box<Traversal>),
    ShortestPath(Box<ShortestPath>),
    EnumeratePaths(Box<Paths>),
    NoResults,
    Modify(Box<Modify>),
}

/// A full scan of a collection.
#[derive(Clone, Debug)]
pub(crate) struct Scan {
    pub(crate) collection: String,
    pub(crate) output: VarId,
    /// A condition checked on each document before it leaves the node.
    pub(crate) filter: Option<Ex>,
    /// Whether documents written by this query are seen: only in the lookup of an `UPSERT`.
    pub(crate) own_writes: bool,
    /// Whether a later node reads the document.
    pub(crate) produces: bool,
    /// The attributes that are all that later nodes read, where they are few.
    pub(crate) projections: Vec<Projection>,
}

/// An attribute of a document with a variable of its own.
#[derive(Clone, Debug)]
pub(crate) struct Projection {
    pub(crate) path: Vec<String>,
    pub(crate) variable: VarId,
}

/// A scan through an index.
#[derive(Clone, Debug)]
pub(crate) struct IndexScan {
    pub(crate) scan: Scan,
    pub(crate) index: IndexInfo,
    /// Equality with these values on the first fields, in order.
    pub(crate) equal: Vec<Ex>,
    /// A list of values for the field after those.
    pub(crate) any_of: Option<Ex>,
    /// Bounds of the field after those: value, and whether it is included.
    pub(crate) lower: Option<(Ex, bool)>,
    pub(crate) upper: Option<(Ex, bool)>,
    /// The edge index is read from this attribute; empty for other indexes.
    pub(crate) ascending: bool,
    /// The attributes by whose order a `SORT` was spared; empty where none was.
    pub(crate) sorted_by: Vec<String>,
    /// The parts of the filter that the index answers, for display.
    pub(crate) condition: Vec<Ex>,
}

/// A scan of a view.
#[derive(Clone, Debug)]
pub(crate) struct ViewScan {
    pub(crate) view: String,
    pub(crate) id: String,
    pub(crate) collections: Vec<String>,
    pub(crate) output: VarId,
    pub(crate) condition: Option<Ex>,
    pub(crate) options: Value,
    /// `BM25()` and `TFIDF()` of the document.
    pub(crate) scorers: Vec<ViewScorer>,
    /// `OFFSET_INFO()` of the document.
    pub(crate) offsets: Vec<ViewOffsets>,
}

/// A score that a view computes for each document.
#[derive(Clone, Debug)]
pub(crate) struct ViewScorer {
    pub(crate) function: &'static str,
    /// What follows the document.
    pub(crate) arguments: Vec<Ex>,
    pub(crate) output: VarId,
}

/// The places of matches that a view tells for each document.
#[derive(Clone, Debug)]
pub(crate) struct ViewOffsets {
    /// The fields.
    pub(crate) rules: Ex,
    pub(crate) output: VarId,
}

/// A search for the nearest vectors.
#[derive(Clone, Debug)]
pub(crate) struct NearScan {
    pub(crate) collection: String,
    pub(crate) index: IndexInfo,
    pub(crate) metric: Metric,
    /// The vector that others are compared with.
    pub(crate) target: VarId,
    pub(crate) output: VarId,
    pub(crate) distance: VarId,
    pub(crate) offset: u64,
    pub(crate) limit: u64,
    /// How many cells a query asks to search; absent: what the index says.
    pub(crate) probes: Option<i64>,
    pub(crate) filter: Option<Ex>,
}

/// The ways to compare vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Metric {
    Cosine,
    L2,
    InnerProduct,
}

/// A criterion of a sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SortElement {
    pub(crate) input: VarId,
    pub(crate) ascending: bool,
}

/// The ways to group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CollectMethod {
    Hash,
    Sorted,
    Distinct,
    Count,
}

/// Grouping.
#[derive(Clone, Debug)]
pub(crate) struct Collect {
    pub(crate) method: CollectMethod,
    /// Output and input of each criterion.
    pub(crate) groups: Vec<(VarId, VarId)>,
    pub(crate) aggregates: Vec<Aggregate>,
    /// The array of the group's members.
    pub(crate) into: Option<VarId>,
    /// What is kept of a member; absent: an object of [`Collect::keep`].
    pub(crate) projection: Option<VarId>,
    /// Names and variables that make up a member.
    pub(crate) keep: Vec<(Arc<str>, VarId)>,
    pub(crate) distinct: bool,
}

/// An aggregate of a `COLLECT` or `WINDOW`.
#[derive(Clone, Debug)]
pub(crate) struct Aggregate {
    pub(crate) output: VarId,
    pub(crate) input: Option<VarId>,
    pub(crate) function: AggregateFunction,
    pub(crate) name: String,
}

/// The functions that aggregate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AggregateFunction {
    Length,
    Min,
    Max,
    Sum,
    Average,
    StddevPopulation,
    StddevSample,
    VariancePopulation,
    VarianceSample,
    Unique,
    SortedUnique,
    CountDistinct,
    BitAnd,
    BitOr,
    BitXor,
    Push,
}

impl AggregateFunction {
    /// The function of this upper-case name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "LENGTH" | "COUNT" => Self::Length,
            "MIN" => Self::Min,
            "MAX" => Self::Max,
            "SUM" => Self::Sum,
            "AVERAGE" | "AVG" => Self::Average,
            "STDDEV_POPULATION" | "STDDEV" => Self::StddevPopulation,
            "STDDEV_SAMPLE" => Self::StddevSample,
            "VARIANCE_POPULATION" | "VARIANCE" => Self::VariancePopulation,
            "VARIANCE_SAMPLE" => Self::VarianceSample,
            "UNIQUE" => Self::Unique,
            "SORTED_UNIQUE" => Self::SortedUnique,
            "COUNT_DISTINCT" | "COUNT_UNIQUE" => Self::CountDistinct,
            "BIT_AND" => Self::BitAnd,
            "BIT_OR" => Self::BitOr,
            "BIT_XOR" => Self::BitXor,
            "PUSH" => Self::Push,
            _ => return None,
        })
    }
}

/// A sliding window.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    /// The value of a range-based window.
    pub(crate) range: Option<VarId>,
    pub(crate) preceding: Bound,
    pub(crate) following: Bound,
    pub(crate) aggregates: Vec<Aggregate>,
}

/// One side of a window.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Bound {
    /// No end.
    Unbounded,
    /// So many rows.
    Rows(u64),
    /// A distance of the value.
    Number(f64),
    /// An ISO 8601 duration.
    Duration(String),
}

/// An edge collection with the direction in which it is followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EdgeSource {
    pub(crate) collection: String,
    pub(crate) direction: Direction,
}

/// The graph of a traversal or path search.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    /// The name of a named graph.
    pub(crate) name: Option<String>,
    pub(crate) edges: Vec<EdgeSource>,
    /// The vertex collections that are known when planning.
    pub(crate) vertices: Vec<String>,
    pub(crate) direction: Direction,
}

/// Where repetition is refused on the way through a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Uniqueness {
    None,
    Path,
    Global,
}

/// The order of a traversal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Depth,
    Breadth,
    Weighted,
}

/// The weight of an edge.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weight {
    pub(crate) attribute: Option<String>,
    pub(crate) default: f64,
}

/// A traversal.
#[derive(Clone, Debug)]
pub(crate) struct Traversal {
    pub(crate) graph: Graph,
    pub(crate) start: Ex,
    pub(crate) min: u64,
    pub(crate) max: u64,
    pub(crate) vertex: VarId,
    pub(crate) edge: VarId,
    pub(crate) path: VarId,
    pub(crate) edge_used: bool,
    pub(crate) path_used: bool,
    pub(crate) prune: Option<Ex>,
    pub(crate) prune_output: Option<VarId>,
    pub(crate) order: Order,
    pub(crate) unique_vertices: Uniqueness,
    pub(crate) unique_edges: Uniqueness,
    pub(crate) edge_collections: Option<Vec<String>>,
    pub(crate) vertex_collections: Option<Vec<String>>,
    pub(crate) weight: Weight,
}

/// `SHORTEST_PATH`.
#[derive(Clone, Debug)]
pub(crate) struct ShortestPath {
    pub(crate) graph: Graph,
    pub(crate) from: Ex,
    pub(crate) to: Ex,
    pub(crate) vertex: VarId,
    pub(crate) edge: Option<VarId>,
    pub(crate) weight: Option<Weight>,
}

/// `K_SHORTEST_PATHS`, `ALL_SHORTEST_PATHS`, `K_PATHS`.
#[derive(Clone, Debug)]
pub(crate) struct Paths {
    pub(crate) kind: PathKind,
    pub(crate) graph: Graph,
    pub(crate) from: Ex,
    pub(crate) to: Ex,
    pub(crate) min: u64,
    pub(crate) max: u64,
    pub(crate) path: VarId,
    pub(crate) weight: Option<Weight>,
}

/// The five statements that write.
#[derive(Clone, Debug)]
pub(crate) enum ModifyKind {
    Insert {
        document: VarId,
    },
    Update {
        key: Option<VarId>,
        document: VarId,
    },
    Replace {
        key: Option<VarId>,
        document: VarId,
    },
    Remove {
        key: VarId,
    },
    Upsert {
        found: VarId,
        insert: VarId,
        update: VarId,
        replace: bool,
    },
}

/// What an `INSERT` does where the key exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overwrite {
    Conflict,
    Ignore,
    Replace,
    Update,
}

/// The options of a statement that writes.
#[derive(Clone, Debug)]
pub(crate) struct ModifyOptions {
    pub(crate) ignore_errors: bool,
    pub(crate) keep_null: bool,
    pub(crate) merge_objects: bool,
    pub(crate) ignore_revs: bool,
    pub(crate) exclusive: bool,
    pub(crate) wait_for_sync: bool,
    pub(crate) overwrite: Overwrite,
}

/// A write.
#[derive(Clone, Debug)]
pub(crate) struct Modify {
    pub(crate) kind: ModifyKind,
    pub(crate) collection: String,
    pub(crate) options: ModifyOptions,
    pub(crate) old: Option<VarId>,
    pub(crate) new: Option<VarId>,
}
