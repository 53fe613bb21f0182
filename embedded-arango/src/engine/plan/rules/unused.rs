//! What a node could set but nothing reads: it is neither computed nor shown.

use std::collections::BTreeSet;

use crate::engine::plan::Plan;
use crate::engine::plan::expression::VarId;
use crate::engine::plan::node::NodeKind;

fn used(plan: &Plan) -> BTreeSet<VarId> {
    plan.nodes
        .iter()
        .flat_map(|node| node.kind.uses())
        .collect()
}

/// Lets writes leave out `OLD` and `NEW` where nothing reads them.
pub(super) fn remove_old_and_new(plan: &mut Plan) -> bool {
    let used = used(plan);
    let mut changed = false;
    for node in &mut plan.nodes {
        if let NodeKind::Modify(modify) = &mut node.kind {
            for variable in [&mut modify.old, &mut modify.new] {
                if variable.is_some_and(|id| !used.contains(&id)) {
                    *variable = None;
                    changed = true;
                }
            }
        }
    }
    changed
}

/// Lets traversals leave out edges and paths that nothing reads.
pub(super) fn mark_traversals(plan: &mut Plan) -> bool {
    let used = used(plan);
    let mut changed = false;
    for node in &mut plan.nodes {
        if let NodeKind::Traversal(walk) = &mut node.kind {
            let mut pruned = Vec::new();
            if let Some(prune) = &walk.prune {
                prune.variables(&mut pruned);
            }
            let edge = used.contains(&walk.edge) || pruned.contains(&walk.edge);
            let path = used.contains(&walk.path) || pruned.contains(&walk.path);
            changed |= (walk.edge_used && !edge) || (walk.path_used && !path);
            walk.edge_used = edge;
            walk.path_used = path;
        }
    }
    changed
}

/// Notes which scans give documents that a later node reads at all.
pub(super) fn mark_documents(plan: &mut Plan) -> bool {
    let used = used(plan);
    let mut changed = false;
    for node in &mut plan.nodes {
        let scan = match &mut node.kind {
            NodeKind::EnumerateCollection(scan) => scan,
            NodeKind::Index(index) => &mut index.scan,
            _ => continue,
        };
        changed |= scan.filter.is_some() || !scan.projections.is_empty();
        let read = |id: &VarId| used.contains(id);
        scan.produces =
            read(&scan.output) || scan.projections.iter().any(|one| read(&one.variable));
    }
    changed
}

/// Whether there is a subquery, which the plan then shows flat.
pub(super) fn has_subqueries(plan: &mut Plan) -> bool {
    plan.nodes
        .iter()
        .any(|node| matches!(node.kind, NodeKind::SubqueryStart { .. }))
}
