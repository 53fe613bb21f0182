//! `x IN list` by binary search, where the list is the same for many rows: it is sorted once, before the loop.
//!
//! A constant list is sorted where it stands. A list that a subquery or an array literal set before the loop gets a sorted copy
//! in a variable of its own.

use std::collections::{BTreeMap, BTreeSet};

use aql_syntax::ast::BinaryOp;

use crate::engine::plan::expression::{Ex, VarId};
use crate::engine::plan::node::{Node, NodeKind};
use crate::engine::plan::{Plan, Variable};
use crate::functions;
use crate::value::Value;

/// Shorter lists are searched as they are; the server's threshold.
const LEAST: usize = 8;

/// Sorts the lists that membership is asked of.
pub(super) fn sort_lists(plan: &mut Plan) -> bool {
    let mut changed = false;
    for node in &mut plan.nodes {
        node.kind
            .expressions(&mut |ex| changed |= sort_constants(ex));
    }
    let Some(sorted_unique) = functions::lookup("SORTED_UNIQUE") else {
        return changed;
    };
    let copies = copies(plan);
    for (at, node) in plan.nodes.iter_mut().enumerate() {
        let within: BTreeMap<VarId, VarId> = copies
            .iter()
            .filter(|copy| copy.loops.iter().any(|first| *first <= at))
            .map(|copy| (copy.list, copy.sorted))
            .collect();
        if !within.is_empty() {
            node.kind.expressions(&mut |ex| use_copies(ex, &within));
        }
    }
    let read: BTreeSet<VarId> = plan
        .nodes
        .iter()
        .flat_map(|node| node.kind.uses())
        .collect();
    let first_id = plan.nodes.iter().map(|node| node.id).max().unwrap_or(0) + 1;
    let used = copies
        .iter()
        .rev()
        .filter(|copy| read.contains(&copy.sorted));
    for (at, copy) in used.enumerate() {
        let expression = Ex::Call(sorted_unique, vec![Ex::Var(copy.list)]);
        let node = Node {
            id: first_id + at,
            kind: NodeKind::Calculation {
                expression,
                output: copy.sorted,
            },
            cost: 0.0,
            items: 0.0,
            prefetch: false,
        };
        plan.nodes.insert(copy.setter + 1, node);
        if let Some(variable) = plan.variables.get_mut(copy.sorted) {
            variable.listed = true;
        }
        changed = true;
    }
    changed
}

/// A list that could get a sorted copy.
struct Copy {
    list: VarId,
    sorted: VarId,
    /// The node that sets the list.
    setter: usize,
    /// The first loop after it; membership asked there or later is asked more than once.
    loops: Option<usize>,
}

/// The lists that are arrays for sure, have a loop after them, and are asked for members; in the order of their setters.
fn copies(plan: &mut Plan) -> Vec<Copy> {
    let mut asked = BTreeSet::new();
    for node in &mut plan.nodes {
        node.kind.expressions(&mut |ex| {
            ex.walk(&mut |ex| {
                if let Ex::Binary(BinaryOp::In | BinaryOp::NotIn, _, list) = ex
                    && let Ex::Var(id) = **list
                {
                    asked.insert(id);
                }
            });
        });
    }
    let mut found = Vec::new();
    for (setter, node) in plan.nodes.iter().enumerate() {
        let list = match &node.kind {
            NodeKind::SubqueryEnd { output, .. } => *output,
            NodeKind::Calculation {
                expression: Ex::Array(_) | Ex::Expansion(_),
                output,
            } => *output,
            _ => continue,
        };
        if asked.contains(&list) {
            let loops = plan
                .nodes
                .iter()
                .enumerate()
                .skip(setter + 1)
                .find(|(_, node)| node.kind.is_loop())
                .map(|(at, _)| at);
            found.push((list, setter, loops));
        }
    }
    let mut copies = Vec::with_capacity(found.len());
    for (list, setter, loops) in found {
        let sorted = plan.variables.len();
        plan.variables.push(Variable {
            name: None,
            full_document: false,
            subquery: false,
            constant: None,
            listed: false,
        });
        copies.push(Copy {
            list,
            sorted,
            setter,
            loops,
        });
    }
    copies
}

fn sort_constants(ex: &mut Ex) -> bool {
    let mut changed = false;
    ex.children_mut(&mut |child| changed |= sort_constants(child));
    if let Ex::Binary(op @ (BinaryOp::In | BinaryOp::NotIn), value, list) = ex
        && let Ex::Const(Value::Array(items)) = &**list
        && items.len() >= LEAST
    {
        let mut items = items.to_vec();
        items.sort();
        items.dedup();
        let value = std::mem::replace(&mut **value, Ex::Const(Value::Null));
        *ex = Ex::Among {
            negated: *op == BinaryOp::NotIn,
            value: Box::new(value),
            list: Box::new(Ex::Const(Value::array(items))),
        };
        changed = true;
    }
    changed
}

fn use_copies(ex: &mut Ex, copies: &BTreeMap<VarId, VarId>) {
    ex.children_mut(&mut |child| use_copies(child, copies));
    if let Ex::Binary(op @ (BinaryOp::In | BinaryOp::NotIn), value, list) = ex
        && let Ex::Var(id) = **list
        && let Some(sorted) = copies.get(&id)
    {
        let value = std::mem::replace(&mut **value, Ex::Const(Value::Null));
        *ex = Ex::Among {
            negated: *op == BinaryOp::NotIn,
            value: Box::new(value),
            list: Box::new(Ex::Var(*sorted)),
        };
    }
}
