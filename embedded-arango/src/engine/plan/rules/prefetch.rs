//! Which nodes the real server would let run ahead of their reader. It changes nothing here; explain shows it.

use crate::engine::plan::Plan;
use crate::engine::plan::node::NodeKind;

/// Marks the nodes, unless the query writes or has a subquery or an early end.
pub(super) fn mark(plan: &mut Plan) -> bool {
    let barred = plan.nodes.iter().any(|node| {
        matches!(
            node.kind,
            NodeKind::Modify(_) | NodeKind::SubqueryStart { .. }
        )
    });
    if barred {
        return false;
    }
    let last_limit = plan
        .nodes
        .iter()
        .rposition(|node| matches!(node.kind, NodeKind::Limit { .. }));
    let mut changed = false;
    for (at, node) in plan.nodes.iter_mut().enumerate() {
        let before_limit = last_limit.is_some_and(|limit| at <= limit);
        node.prefetch = !before_limit
            && match &node.kind {
                NodeKind::Calculation { expression, .. } => expression.is_deterministic(),
                NodeKind::EnumerateCollection(_)
                | NodeKind::Index(_)
                | NodeKind::EnumerateList { .. }
                | NodeKind::Filter { .. }
                | NodeKind::Sort { .. } => true,
                _ => false,
            };
        changed |= node.prefetch;
    }
    changed
}
