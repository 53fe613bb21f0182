//! A filter right after a scan is checked within the scan, before the document goes on.

use aql_syntax::ast::BinaryOp;

use crate::engine::plan::Plan;
use crate::engine::plan::expression::{Ex, VarId};
use crate::engine::plan::node::{Node, NodeKind};

/// A filter after a scan: where its calculation and the filter itself stand.
pub(super) struct Following {
    pub(super) calculation: usize,
    pub(super) filter: usize,
    pub(super) condition: Ex,
}

/// The filters that follow the scan at this place before anything that changes the rows.
pub(super) fn following(nodes: &[Node], scan: usize) -> Vec<Following> {
    let mut found = Vec::new();
    let mut calculations: Vec<(usize, VarId, &Ex)> = Vec::new();
    for (at, node) in nodes.iter().enumerate().skip(scan + 1) {
        match &node.kind {
            NodeKind::Calculation { expression, output } => {
                calculations.push((at, *output, expression));
            }
            NodeKind::Filter { input } => {
                let Some((calculation, _, expression)) =
                    calculations.iter().find(|(_, output, _)| output == input)
                else {
                    continue;
                };
                found.push(Following {
                    calculation: *calculation,
                    filter: at,
                    condition: (*expression).clone(),
                });
            }
            _ => break,
        }
    }
    found
}

/// How often the plan reads a variable.
pub(super) fn reads(nodes: &[Node], id: VarId) -> usize {
    nodes
        .iter()
        .flat_map(|node| node.kind.uses())
        .filter(|used| *used == id)
        .count()
}

/// Moves filters into the scans of collections and indexes before them.
pub(super) fn into_enumerate(plan: &mut Plan) -> bool {
    let mut changed = false;
    let mut at = 0;
    while at < plan.nodes.len() {
        while let Some(next) = movable_filter(&plan.nodes, at) {
            plan.nodes.remove(next.filter);
            plan.nodes.remove(next.calculation);
            let scan = match plan.nodes.get_mut(at).map(|node| &mut node.kind) {
                Some(NodeKind::EnumerateCollection(scan)) => scan,
                Some(NodeKind::Index(index)) => &mut index.scan,
                _ => break,
            };
            scan.filter = Some(match scan.filter.take() {
                Some(before) => {
                    Ex::Binary(BinaryOp::And, Box::new(before), Box::new(next.condition))
                }
                None => next.condition,
            });
            changed = true;
        }
        at += 1;
    }
    changed
}

/// The first filter after the scan that reads only what is known at the scan.
fn movable_filter(nodes: &[Node], scan: usize) -> Option<Following> {
    if !matches!(
        nodes.get(scan)?.kind,
        NodeKind::EnumerateCollection(_) | NodeKind::Index(_)
    ) {
        return None;
    }
    following(nodes, scan).into_iter().find(|next| {
        let mut used = Vec::new();
        next.condition.variables(&mut used);
        let between = nodes
            .get(scan + 1..next.filter)
            .unwrap_or_default()
            .iter()
            .flat_map(|node| node.kind.sets())
            .any(|id| used.contains(&id));
        let output = nodes
            .get(next.calculation)
            .and_then(|node| node.kind.sets().first().copied());
        let once = output.is_some_and(|id| reads(nodes, id) == 1);
        once && !between && next.condition.is_deterministic()
    })
}
