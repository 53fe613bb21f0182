//! From a plan to stages: each node reads from the one before it, and a subquery's nodes form a body of their own.

use std::collections::BTreeSet;

use super::collect::Collect;
use super::graph::{paths::EnumeratePaths, shortest::ShortestPath, traversal::Traversal};
use super::lists::EnumerateList;
use super::modify::Modify;
use super::near::EnumerateNear;
use super::scan::{EnumerateCollection, Index};
use super::simple::{Calculation, Filter, Limit, NoResults, Return, Singleton, Subquery};
use super::sort::Sort;
use super::stage::Stage;
use super::view::EnumerateView;
use super::window::Window;
use crate::engine::explain::type_name;
use crate::engine::plan::Plan;
use crate::engine::plan::expression::{Ex, VarId};
use crate::engine::plan::node::{Node, NodeKind};

/// The stages of a whole plan; the last node's comes back.
pub(super) fn compile(plan: &Plan) -> Stage {
    let mut at = 0;
    let compiler = Compiler { plan };
    compiler.body(&mut at)
}

struct Compiler<'a> {
    plan: &'a Plan,
}

impl Compiler<'_> {
    /// Compiles nodes from here to the end of the plan, or to the end of the subquery, which is not passed.
    fn body(&self, at: &mut usize) -> Stage {
        let start = *at;
        let mut stage = Stage::new(1, "SingletonNode", Singleton::default());
        while let Some(node) = self.plan.nodes.get(*at) {
            match &node.kind {
                NodeKind::SubqueryEnd { .. } => break,
                NodeKind::Singleton => {
                    stage = Stage::new(node.id, type_name(&node.kind), Singleton::default());
                }
                NodeKind::SubqueryStart { .. } => {
                    *at += 1;
                    let body = self.body(at);
                    stage = self.subquery(*at, stage, body);
                }
                _ => stage = self.node(node, *at, start, stage),
            }
            *at += 1;
        }
        stage
    }

    fn subquery(&self, end: usize, input: Stage, body: Stage) -> Stage {
        let (id, result, output) = match self.plan.nodes.get(end) {
            Some(Node {
                id,
                kind: NodeKind::SubqueryEnd { input, output },
                ..
            }) => (*id, *input, *output),
            // A plan always closes its subqueries; without the end the rows would go nowhere.
            _ => (0, None, usize::MAX),
        };
        let subquery = Subquery {
            input,
            body,
            result,
            output,
            held: 0,
        };
        Stage::new(id, "SubqueryEndNode", subquery)
    }

    fn node(&self, node: &Node, at: usize, start: usize, input: Stage) -> Stage {
        let id = node.id;
        let name = type_name(&node.kind);
        match &node.kind {
            NodeKind::Singleton | NodeKind::SubqueryStart { .. } | NodeKind::SubqueryEnd { .. } => {
                input
            }
            NodeKind::EnumerateCollection(scan) => {
                let scan = EnumerateCollection {
                    input,
                    scan: scan.clone(),
                    documents: None,
                };
                Stage::new(id, name, scan)
            }
            NodeKind::Index(index) => {
                let index = Index {
                    input,
                    index: (**index).clone(),
                    documents: Vec::new().into_iter(),
                };
                Stage::new(id, name, index)
            }
            NodeKind::EnumerateList {
                input: list,
                output,
            } => {
                let range = self.range(*list);
                Stage::new(id, name, EnumerateList::new(input, *list, range, *output))
            }
            NodeKind::EnumerateView(view) => {
                Stage::new(id, name, EnumerateView::new(input, (**view).clone()))
            }
            NodeKind::EnumerateNearVector(near) => {
                Stage::new(id, name, EnumerateNear::new(input, (**near).clone()))
            }
            NodeKind::Materialize { .. } => Stage::new(id, name, Return { input }),
            // A range that is only looped over is never made an array.
            NodeKind::Calculation { output, .. } if self.is_looped_range(*output) => input,
            NodeKind::Calculation { expression, output } => {
                let calculation = Calculation {
                    input,
                    expression: expression.clone(),
                    output: *output,
                };
                Stage::new(id, name, calculation)
            }
            NodeKind::Filter { input: condition } => {
                let condition = *condition;
                Stage::new(id, name, Filter { input, condition })
            }
            NodeKind::Limit {
                offset,
                count,
                full_count,
            } => {
                let limit = Limit {
                    input,
                    offset: *offset,
                    count: *count,
                    full_count: *full_count,
                    drain: self.writes(start, at),
                    seen: 0,
                    done: false,
                };
                Stage::new(id, name, limit)
            }
            NodeKind::Sort { elements } => {
                let kept = self.kept(start, at);
                let most = self.most(at);
                Stage::new(id, name, Sort::new(id, input, elements.clone(), kept, most))
            }
            NodeKind::Collect(collect) => {
                Stage::new(id, name, Collect::new(input, (**collect).clone()))
            }
            NodeKind::Window(window) => {
                let kept = self.kept(start, at);
                Stage::new(id, name, Window::new(input, (**window).clone(), kept))
            }
            NodeKind::Return { .. } => Stage::new(id, name, Return { input }),
            NodeKind::Traversal(walk) => {
                Stage::new(id, name, Traversal::new(input, (**walk).clone()))
            }
            NodeKind::ShortestPath(path) => {
                Stage::new(id, name, ShortestPath::new(input, (**path).clone()))
            }
            NodeKind::EnumeratePaths(paths) => {
                Stage::new(id, name, EnumeratePaths::new(input, (**paths).clone()))
            }
            NodeKind::NoResults => {
                let drain = self.writes(start, at);
                Stage::new(id, name, NoResults { input, drain })
            }
            NodeKind::Modify(modify) => {
                let plan = (**modify).clone();
                Stage::new(id, name, Modify { input, plan })
            }
        }
    }

    /// Whether a node of this query before the place writes: it does so for every row, whatever is read later.
    fn writes(&self, start: usize, at: usize) -> bool {
        Plan::writes(self.plan.nodes.get(start..at).unwrap_or_default())
    }

    /// The bounds of the range that sets the variable.
    fn range(&self, list: VarId) -> Option<(Ex, Ex)> {
        self.plan.nodes.iter().find_map(|node| match &node.kind {
            NodeKind::Calculation {
                expression: Ex::Range(from, to),
                output,
            } if *output == list && self.is_looped_range(list) => {
                Some(((**from).clone(), (**to).clone()))
            }
            _ => None,
        })
    }

    /// Whether the variable is a range that nothing but loops reads.
    fn is_looped_range(&self, id: VarId) -> bool {
        let is_range = self.plan.nodes.iter().any(|node| {
            matches!(&node.kind, NodeKind::Calculation { expression: Ex::Range(from, to), output }
                if *output == id && from.constant().is_some() && to.constant().is_some())
        });
        is_range
            && self.plan.nodes.iter().all(|node| {
                matches!(node.kind, NodeKind::EnumerateList { .. })
                    || !node.kind.uses().contains(&id)
            })
    }

    /// The variables that a node must carry over: set before it in its own query, read after it anywhere.
    fn kept(&self, start: usize, at: usize) -> Vec<VarId> {
        let nodes = &self.plan.nodes;
        let set: BTreeSet<VarId> = nodes
            .get(start..at)
            .unwrap_or_default()
            .iter()
            .flat_map(|node| node.kind.sets())
            .collect();
        let read: BTreeSet<VarId> = nodes
            .iter()
            .skip(at + 1)
            .flat_map(|node| node.kind.uses())
            .collect();
        set.intersection(&read).copied().collect()
    }

    /// How many rows of a sort anyone reads, where a limit follows that does not count the rest.
    fn most(&self, at: usize) -> Option<usize> {
        for node in self.plan.nodes.iter().skip(at + 1) {
            match node.kind {
                NodeKind::Calculation { .. } => {}
                NodeKind::Limit {
                    offset,
                    count,
                    full_count: false,
                } => return usize::try_from(offset.saturating_add(count)).ok(),
                _ => return None,
            }
        }
        None
    }
}
