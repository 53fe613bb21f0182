//! Cost estimates: they grow with the work, by the real server's formulas where recordings show them.

use super::Plan;
use super::expression::{Ex, VarId};
use super::node::{CollectMethod, IndexScan, NodeKind};
use crate::engine::catalog::{Catalog, IndexKind, SourceInfo};
use crate::value::Value;

/// The length that is assumed of an array that is not known when planning.
const UNKNOWN_LENGTH: f64 = 100.0;

/// The edges that are assumed at each vertex.
const EDGES_PER_VERTEX: f64 = 2.0;

/// Estimates every node, from the first on.
pub(super) fn estimate(plan: &mut Plan, catalog: &dyn Catalog) {
    let mut cost = 0.0;
    let mut items = 1.0_f64;
    let mut outer: Vec<f64> = Vec::new();
    let lengths = lengths(plan);
    for node in &mut plan.nodes {
        match &node.kind {
            NodeKind::Singleton => {
                cost = 1.0;
                items = 1.0;
            }
            NodeKind::EnumerateCollection(scan) => {
                let count = count(catalog, &scan.collection);
                cost += items * count + 1.0;
                items *= count;
            }
            NodeKind::Index(index) => {
                let count = count(catalog, &index.scan.collection);
                let (found, work) = index_work(index, count);
                cost += items * work;
                items *= found;
            }
            NodeKind::EnumerateList { input, .. } => {
                let length = lengths.get(*input).copied().flatten();
                items *= length.unwrap_or(UNKNOWN_LENGTH);
                cost += items;
            }
            NodeKind::EnumerateView(view) => {
                let documents: f64 = view
                    .collections
                    .iter()
                    .map(|name| count(catalog, name))
                    .sum();
                items *= documents;
                cost += items + 1.0;
            }
            NodeKind::EnumerateNearVector(near) => {
                let found = count(catalog, &near.collection).min(near.limit as f64);
                items = (items * found).min(near.limit as f64);
                cost += items;
            }
            NodeKind::Materialize { .. } => cost += items,
            NodeKind::Limit { offset, count, .. } => {
                items = (items - *offset as f64).max(0.0).min(*count as f64);
                cost += items;
            }
            NodeKind::Sort { .. } => {
                cost += if items > 2.0 {
                    items * items.log2()
                } else {
                    items
                };
            }
            NodeKind::Collect(collect) => {
                cost += items;
                items = if collect.groups.is_empty() || collect.method == CollectMethod::Count {
                    1.0
                } else {
                    items * 0.8
                };
            }
            NodeKind::Window(window) => {
                cost += items * (1.0 + window.aggregates.len() as f64);
            }
            NodeKind::SubqueryStart { .. } => {
                outer.push(items);
                cost += items;
            }
            NodeKind::SubqueryEnd { .. } => {
                cost += items;
                items = outer.pop().unwrap_or(1.0);
            }
            NodeKind::Traversal(walk) => {
                let depth = walk.max.min(64) as f64;
                let reached = EDGES_PER_VERTEX.powf(depth) * walk.graph.edges.len().max(1) as f64;
                items *= reached;
                cost += items;
            }
            NodeKind::ShortestPath(_) | NodeKind::EnumeratePaths(_) => {
                items *= UNKNOWN_LENGTH;
                cost += items * 10.0;
            }
            NodeKind::NoResults => {
                cost = 0.5;
                items = 0.0;
            }
            NodeKind::Calculation { .. }
            | NodeKind::Filter { .. }
            | NodeKind::Return { .. }
            | NodeKind::Modify(_) => cost += items,
        }
        node.cost = cost;
        node.items = items;
    }
}

fn count(catalog: &dyn Catalog, collection: &str) -> f64 {
    match catalog.source(collection) {
        Some(SourceInfo::Collection(info)) => info.count as f64,
        _ => 0.0,
    }
}

/// How many documents an index lookup finds, and what one lookup costs.
fn index_work(scan: &IndexScan, count: f64) -> (f64, f64) {
    if scan.equal.is_empty()
        && scan.any_of.is_none()
        && scan.lower.is_none()
        && scan.upper.is_none()
    {
        return (count, count);
    }
    let seek = count.max(2.0).log2();
    let exact = !scan.equal.is_empty() || scan.any_of.is_some();
    let found = if exact {
        let selectivity = match scan.index.kind {
            IndexKind::Primary => 1.0 / count.max(1.0),
            _ if scan.index.unique && scan.equal.len() == scan.index.fields.len() => {
                1.0 / count.max(1.0)
            }
            _ => 1.0 / (count * scan.index.selectivity.max(1e-9)).max(1.0),
        };
        (count * selectivity).max(1.0).min(count.max(1.0)).floor()
    } else {
        count
    };
    (found, seek + 0.05 * found)
}

/// The lengths of the lists that are known when planning, by variable.
fn lengths(plan: &Plan) -> Vec<Option<f64>> {
    let mut lengths: Vec<Option<f64>> = vec![None; plan.variables.len()];
    let mut set = |id: VarId, length: Option<f64>| {
        if let Some(slot) = lengths.get_mut(id) {
            *slot = length;
        }
    };
    for node in &plan.nodes {
        if let NodeKind::Calculation { expression, output } = &node.kind {
            set(
                *output,
                match expression {
                    Ex::Const(Value::Array(items)) => Some(items.len() as f64),
                    Ex::Array(items) => Some(items.len() as f64),
                    Ex::Range(from, to) => match (from.constant(), to.constant()) {
                        (Some(from), Some(to)) => {
                            Some(from.to_i64().abs_diff(to.to_i64()) as f64 + 1.0)
                        }
                        _ => None,
                    },
                    _ => None,
                },
            );
        }
    }
    lengths
}
