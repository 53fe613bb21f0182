//! Calculations: computed as early as they can be where that spares work, once where they are equal, not at all where
//! nothing reads them.

use std::collections::{BTreeMap, BTreeSet};

use super::filters::{reads, remove};
use crate::engine::plan::Plan;
use crate::engine::plan::expression::VarId;
use crate::engine::plan::node::{Node, NodeKind};

/// Moves calculations and subqueries that do not depend on a loop out of it, and what depends on nothing to the front.
///
/// The last node moves first, as on the server, so that what moves to the front keeps its order.
pub(super) fn move_up(plan: &mut Plan) -> bool {
    let mut changed = false;
    let ids: Vec<usize> = plan.nodes.iter().rev().map(|node| node.id).collect();
    for id in ids {
        let Some(at) = plan.nodes.iter().position(|node| node.id == id) else {
            continue;
        };
        let length = movable(&plan.nodes, at);
        if length == 0 {
            continue;
        }
        let target = destination(&plan.nodes, at, length);
        if target < at
            && let Some(moved) = plan.nodes.get_mut(target..at + length)
        {
            moved.rotate_right(length);
            changed = true;
        }
    }
    changed
}

/// How many nodes from here on move as one: a calculation, or a subquery that only reads.
fn movable(nodes: &[Node], at: usize) -> usize {
    match nodes.get(at).map(|node| &node.kind) {
        Some(NodeKind::Calculation { expression, .. }) if expression.is_deterministic() => 1,
        Some(NodeKind::SubqueryStart { .. }) => {
            let end = subquery_end(nodes, at);
            let inner = nodes.get(at..=end).unwrap_or_default();
            let fixed = inner.iter().any(|node| match &node.kind {
                NodeKind::Calculation { expression, .. } => !expression.is_deterministic(),
                NodeKind::Modify(_) => true,
                NodeKind::EnumerateCollection(scan) => scan.own_writes,
                _ => false,
            });
            if fixed { 0 } else { end + 1 - at }
        }
        _ => 0,
    }
}

/// The end of the subquery that starts here.
pub(super) fn subquery_end(nodes: &[Node], start: usize) -> usize {
    let mut depth = 0_usize;
    for (at, node) in nodes.iter().enumerate().skip(start) {
        match node.kind {
            NodeKind::SubqueryStart { .. } => depth += 1,
            NodeKind::SubqueryEnd { .. } => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
    }
    nodes.len().saturating_sub(1)
}

/// The first place to which the run of nodes may move, if a loop lies between; its own place otherwise.
fn destination(nodes: &[Node], at: usize, length: usize) -> usize {
    let run = nodes.get(at..at + length).unwrap_or_default();
    let set: BTreeSet<VarId> = run.iter().flat_map(|node| node.kind.sets()).collect();
    let needed: BTreeSet<VarId> = run
        .iter()
        .flat_map(|node| node.kind.uses())
        .filter(|id| !set.contains(id))
        .collect();
    let independent = needed.is_empty() && length == 1;
    let (mut best, mut place) = (at, at);
    while place > 0 {
        let Some(before) = nodes.get(place - 1) else {
            break;
        };
        let stops = match &before.kind {
            NodeKind::Singleton
            | NodeKind::SubqueryStart { .. }
            | NodeKind::SubqueryEnd { .. }
            | NodeKind::Collect(_)
            | NodeKind::Modify(_)
            | NodeKind::NoResults => true,
            // A limit of a subquery would otherwise be computed for rows that it cuts off.
            NodeKind::Limit { .. } | NodeKind::Window(_) => true,
            other => other.sets().iter().any(|id| needed.contains(id)),
        };
        if stops {
            break;
        }
        place -= 1;
        let passes = independent && matches!(&before.kind, NodeKind::Calculation { .. });
        if before.kind.is_loop() || passes {
            best = place;
        }
    }
    best
}

/// Computes equal expressions once.
pub(super) fn merge_equal(plan: &mut Plan) -> bool {
    let mut replaced: BTreeMap<VarId, VarId> = BTreeMap::new();
    // One table for the query and each subquery around the place: what an outer one computed, an inner one may read.
    let mut known: Vec<BTreeMap<String, VarId>> = vec![BTreeMap::new()];
    for node in &mut plan.nodes {
        let map = |id: VarId| replaced.get(&id).copied().unwrap_or(id);
        node.kind.map(&map);
        match &node.kind {
            NodeKind::SubqueryStart { .. } => known.push(BTreeMap::new()),
            NodeKind::SubqueryEnd { .. } => {
                known.pop();
            }
            // What was computed before is out of reach, and a group's rows are new.
            NodeKind::Collect(_) => {
                if let Some(table) = known.last_mut() {
                    table.clear();
                }
            }
            NodeKind::Calculation { expression, output }
                if expression.is_deterministic() && expression.constant().is_none() =>
            {
                let text = format!("{expression:?}");
                let equal = known.iter().rev().find_map(|table| table.get(&text));
                match equal {
                    Some(equal) => {
                        replaced.insert(*output, *equal);
                    }
                    None => {
                        if let Some(table) = known.last_mut() {
                            table.insert(text, *output);
                        }
                    }
                }
            }
            _ => {}
        }
    }
    if replaced.is_empty() {
        return false;
    }
    // The merged calculations now set variables that nothing reads; they go here, as the server lets them go.
    let gone: BTreeSet<VarId> = replaced.keys().copied().collect();
    plan.nodes.retain(|node| match &node.kind {
        NodeKind::Calculation { output, .. } => !gone.contains(output),
        _ => true,
    });
    true
}

/// Removes calculations and reading subqueries whose result nothing reads.
///
/// From the last node on: what only a removed node read goes as well.
pub(super) fn remove_unused(plan: &mut Plan) -> bool {
    let mut reads = reads(&plan.nodes);
    let mut gone = BTreeSet::new();
    for at in (0..plan.nodes.len()).rev() {
        let Some(node) = plan.nodes.get(at) else {
            continue;
        };
        let output = match &node.kind {
            NodeKind::Calculation { output, .. } | NodeKind::SubqueryStart { output } => *output,
            _ => continue,
        };
        if gone.contains(&at) || reads.get(&output).is_some_and(|count| *count > 0) {
            continue;
        }
        for place in at..at + movable(&plan.nodes, at) {
            if gone.insert(place)
                && let Some(node) = plan.nodes.get(place)
            {
                for id in node.kind.uses() {
                    reads.entry(id).and_modify(|count| *count -= 1);
                }
            }
        }
    }
    remove(&mut plan.nodes, &gone);
    !gone.is_empty()
}
