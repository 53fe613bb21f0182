//! A filter right after a scan is checked within the scan, before the document goes on.

use std::collections::{BTreeMap, BTreeSet};

use aql_syntax::ast::BinaryOp;

use crate::engine::plan::Plan;
use crate::engine::plan::expression::{Ex, VarId};
use crate::engine::plan::node::{Node, NodeKind};

/// A filter after a scan: where its calculation and the filter itself stand.
pub(super) struct Following {
    pub(super) calculation: usize,
    pub(super) filter: usize,
    pub(super) output: VarId,
}

/// The filters that follow the scan at this place before anything that changes the rows.
pub(super) fn following(nodes: &[Node], scan: usize) -> Vec<Following> {
    let mut found = Vec::new();
    let mut calculations: BTreeMap<VarId, usize> = BTreeMap::new();
    for (at, node) in nodes.iter().enumerate().skip(scan + 1) {
        match &node.kind {
            NodeKind::Calculation { output, .. } => {
                calculations.insert(*output, at);
            }
            NodeKind::Filter { input } => {
                found.extend(calculations.get(input).map(|calculation| Following {
                    calculation: *calculation,
                    filter: at,
                    output: *input,
                }));
            }
            _ => break,
        }
    }
    found
}

/// The condition of a filter.
pub(super) fn condition<'a>(nodes: &'a [Node], next: &Following) -> Option<&'a Ex> {
    match &nodes.get(next.calculation)?.kind {
        NodeKind::Calculation { expression, .. } => Some(expression),
        _ => None,
    }
}

/// The condition of a filter, with what was computed between the scan and the filter written out in it.
pub(super) fn spelled_out(nodes: &[Node], scan: usize, next: &Following) -> Option<Ex> {
    let mut condition = condition(nodes, next)?.clone();
    for node in nodes.get(scan + 1..next.calculation)?.iter().rev() {
        if let NodeKind::Calculation { expression, output } = &node.kind
            && expression.attribute_path().is_some()
        {
            write_out(&mut condition, *output, expression);
        }
    }
    Some(condition)
}

pub(super) fn write_out(ex: &mut Ex, variable: VarId, value: &Ex) {
    match ex {
        Ex::Var(id) if *id == variable => *ex = value.clone(),
        _ => ex.children_mut(&mut |child| write_out(child, variable, value)),
    }
}

/// How often the plan reads each variable.
pub(super) fn reads(nodes: &[Node]) -> BTreeMap<VarId, usize> {
    let mut reads = BTreeMap::new();
    for id in nodes.iter().flat_map(|node| node.kind.uses()) {
        *reads.entry(id).or_insert(0) += 1;
    }
    reads
}

/// Removes nodes by their places.
pub(super) fn remove(nodes: &mut Vec<Node>, places: &BTreeSet<usize>) {
    let mut at = 0;
    nodes.retain(|_| {
        let keep = !places.contains(&at);
        at += 1;
        keep
    });
}

/// The operands joined by `AND`.
pub(super) fn all_of(parts: impl IntoIterator<Item = Ex>) -> Option<Ex> {
    parts
        .into_iter()
        .reduce(|before, next| Ex::Binary(BinaryOp::And, Box::new(before), Box::new(next)))
}

/// Moves filters into the scans of collections and indexes before them.
pub(super) fn into_enumerate(plan: &mut Plan) -> bool {
    let reads = reads(&plan.nodes);
    let mut gone = BTreeSet::new();
    for at in 0..plan.nodes.len() {
        let moved = movable(&plan.nodes, at, &reads);
        if moved.is_empty() {
            continue;
        }
        let parts: Vec<Ex> = moved
            .iter()
            .filter_map(|next| condition(&plan.nodes, next).cloned())
            .collect();
        gone.extend(
            moved
                .iter()
                .flat_map(|next| [next.calculation, next.filter]),
        );
        let scan = match plan.nodes.get_mut(at).map(|node| &mut node.kind) {
            Some(NodeKind::EnumerateCollection(scan)) => scan,
            Some(NodeKind::Index(index)) => &mut index.scan,
            _ => continue,
        };
        scan.filter = all_of(scan.filter.take().into_iter().chain(parts));
    }
    remove(&mut plan.nodes, &gone);
    !gone.is_empty()
}

/// The filters after the scan that read only what is known at the scan.
fn movable(nodes: &[Node], scan: usize, reads: &BTreeMap<VarId, usize>) -> Vec<Following> {
    let is_scan = nodes.get(scan).is_some_and(|node| {
        matches!(
            node.kind,
            NodeKind::EnumerateCollection(_) | NodeKind::Index(_)
        )
    });
    if !is_scan {
        return Vec::new();
    }
    let mut found = following(nodes, scan);
    let last = found.last().map_or(scan, |next| next.filter);
    let set: BTreeSet<VarId> = nodes
        .get(scan + 1..last)
        .unwrap_or_default()
        .iter()
        .flat_map(|node| node.kind.sets())
        .collect();
    found.retain(|next| {
        let Some(condition) = condition(nodes, next) else {
            return false;
        };
        let mut used = Vec::new();
        condition.variables(&mut used);
        reads.get(&next.output) == Some(&1)
            && condition.is_deterministic()
            && !used.iter().any(|id| set.contains(id))
    });
    found
}
