//! Indexes in place of full scans: for filters by equality, `IN` and ranges, and for sorts.
//!
//! | index | used for |
//! |---|---|
//! | primary | `_key` or `_id` `==` or `IN` |
//! | edge | `_from` or `_to` `==` or `IN` |
//! | persistent | equality on its first fields, then `IN` or a range on the next; or the order of all its fields |
//!
//! A sparse index is used only where the condition cannot hold for `null`.

use std::collections::BTreeSet;

use aql_syntax::ast::BinaryOp;

use super::filters::{all_of, following, reads, remove, spelled_out};
use crate::engine::catalog::{Catalog, CollectionInfo, IndexInfo, IndexKind, SourceInfo};
use crate::engine::plan::Plan;
use crate::engine::plan::expression::{Ex, VarId};
use crate::engine::plan::node::{IndexScan, Node, NodeKind, Scan};

/// One part of a conjunction that an index could answer: `document.path op value`.
#[derive(Clone)]
struct Part {
    path: String,
    op: BinaryOp,
    value: Ex,
    whole: Ex,
}

/// Replaces scans by index lookups where a filter allows it.
pub(super) fn use_for_filters(plan: &mut Plan, catalog: &dyn Catalog) -> bool {
    let mut changed = false;
    let next_id = plan.nodes.iter().map(|node| node.id).max().unwrap_or(0) + 1;
    let mut next_id = next_id;
    for at in 0..plan.nodes.len() {
        let Some(NodeKind::EnumerateCollection(scan)) = plan.nodes.get(at).map(|n| &n.kind) else {
            continue;
        };
        let Some(SourceInfo::Collection(info)) = catalog.source(&scan.collection) else {
            continue;
        };
        let mut parts = Vec::new();
        let later: BTreeSet<VarId> = plan
            .nodes
            .iter()
            .skip(at)
            .flat_map(|node| node.kind.sets())
            .collect();
        for next in following(&plan.nodes, at) {
            if let Some(condition) = spelled_out(&plan.nodes, at, &next) {
                conjuncts(&condition, &mut |ex| {
                    parts.extend(part(ex, scan.output, &later))
                });
            }
        }
        let Some(index) = best(&info, &parts, scan) else {
            continue;
        };
        if let Some(node) = plan.nodes.get_mut(at) {
            node.kind = NodeKind::Index(Box::new(index));
            node.id = next_id;
            next_id += 1;
            changed = true;
        }
    }
    changed
}

/// Calls `each` with every operand of the `AND`s at the top.
fn conjuncts<'a>(condition: &'a Ex, each: &mut dyn FnMut(&'a Ex)) {
    match condition {
        Ex::Binary(BinaryOp::And, left, right) => {
            conjuncts(left, each);
            conjuncts(right, each);
        }
        other => each(other),
    }
}

/// Reads a comparison of the document's attribute with a value that is known at the scan.
fn part(condition: &Ex, document: VarId, later: &BTreeSet<VarId>) -> Option<Part> {
    let Ex::Binary(op, left, right) = condition else {
        return None;
    };
    let known = |value: &Ex| {
        let mut used = Vec::new();
        value.variables(&mut used);
        value.is_deterministic() && !used.iter().any(|id| later.contains(id))
    };
    let read = |access: &Ex, op: BinaryOp, value: &Ex| {
        let (id, path) = access.attribute_path()?;
        (id == document && !path.is_empty() && known(value)).then(|| Part {
            path: path.join("."),
            op,
            value: value.clone(),
            whole: condition.clone(),
        })
    };
    match op {
        BinaryOp::Equal
        | BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual => read(left, *op, right).or_else(|| {
            let turned = match op {
                BinaryOp::Less => BinaryOp::Greater,
                BinaryOp::LessEqual => BinaryOp::GreaterEqual,
                BinaryOp::Greater => BinaryOp::Less,
                BinaryOp::GreaterEqual => BinaryOp::LessEqual,
                other => *other,
            };
            read(right, turned, left)
        }),
        BinaryOp::In => read(left, *op, right),
        _ => None,
    }
}

/// The index that narrows the most: the most fields by equality, then a unique one, then the first.
fn best(info: &CollectionInfo, parts: &[Part], scan: &Scan) -> Option<IndexScan> {
    info.indexes
        .iter()
        .filter_map(|index| {
            let lookup = lookup(index, parts, scan)?;
            let bounded =
                lookup.any_of.is_some() || lookup.lower.is_some() || lookup.upper.is_some();
            let rank = (
                index.kind == IndexKind::Primary,
                index.unique && lookup.equal.len() == index.fields.len(),
                lookup.equal.len(),
                bounded,
                index.kind == IndexKind::Edge,
            );
            Some((rank, lookup))
        })
        // Of equal ranks the index that comes first stays.
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, lookup)| lookup)
}

fn lookup(index: &IndexInfo, parts: &[Part], scan: &Scan) -> Option<IndexScan> {
    let mut found = IndexScan {
        scan: scan.clone(),
        index: index.clone(),
        equal: Vec::new(),
        any_of: None,
        lower: None,
        upper: None,
        ascending: true,
        sorted_by: Vec::new(),
        condition: Vec::new(),
    };
    let alternatives: Vec<&str> = match index.kind {
        IndexKind::Primary => vec!["_key", "_id"],
        IndexKind::Edge => vec!["_from", "_to"],
        IndexKind::Persistent => vec![],
        IndexKind::Vector | IndexKind::Other => return None,
    };
    for name in alternatives {
        let part = parts
            .iter()
            .find(|part| part.path == name && part.op == BinaryOp::Equal)
            .or_else(|| {
                parts
                    .iter()
                    .find(|part| part.path == name && part.op == BinaryOp::In)
            });
        if let Some(part) = part {
            take(&mut found, part);
            // A lookup by one of the two names, so the node says which.
            found.index.fields = vec![name.to_owned()];
            return Some(found);
        }
    }
    if index.kind != IndexKind::Persistent || index.fields.iter().any(|field| field.contains('[')) {
        return None;
    }
    for field in &index.fields {
        let on = |op: BinaryOp| {
            parts
                .iter()
                .find(move |part| part.path == *field && part.op == op)
        };
        if let Some(part) = on(BinaryOp::Equal) {
            take(&mut found, part);
            continue;
        }
        if let Some(part) = on(BinaryOp::In) {
            take(&mut found, part);
            break;
        }
        for op in [
            BinaryOp::Greater,
            BinaryOp::GreaterEqual,
            BinaryOp::Less,
            BinaryOp::LessEqual,
        ] {
            let free = match op {
                BinaryOp::Greater | BinaryOp::GreaterEqual => found.lower.is_none(),
                _ => found.upper.is_none(),
            };
            if let (true, Some(part)) = (free, on(op)) {
                take(&mut found, part);
            }
        }
        break;
    }
    let useful = !found.condition.is_empty();
    (useful && (!index.sparse || excludes_null(&found))).then_some(found)
}

fn take(found: &mut IndexScan, part: &Part) {
    let value = part.value.clone();
    match part.op {
        BinaryOp::Equal => found.equal.push(value),
        BinaryOp::In => found.any_of = Some(value),
        BinaryOp::Greater => found.lower = Some((value, false)),
        BinaryOp::GreaterEqual => found.lower = Some((value, true)),
        BinaryOp::Less => found.upper = Some((value, false)),
        _ => found.upper = Some((value, true)),
    }
    found.condition.push(part.whole.clone());
}

/// Whether no document that a sparse index leaves out can satisfy the condition.
fn excludes_null(found: &IndexScan) -> bool {
    let not_null = |ex: &Ex| ex.constant().is_some_and(|value| !value.is_null());
    let first = match (found.equal.first(), &found.lower) {
        (Some(value), _) => not_null(value),
        (None, Some((value, inclusive))) => !*inclusive || not_null(value),
        (None, None) => false,
    };
    first
        && found.equal.iter().all(not_null)
        && (found.index.fields.len() == found.equal.len() || found.index.fields.len() == 1)
}

/// Removes filters, and parts of them, that the index before them answers.
pub(super) fn remove_covered(plan: &mut Plan) -> bool {
    let reads = reads(&plan.nodes);
    let mut gone = BTreeSet::new();
    let mut shorter: Vec<(usize, Ex)> = Vec::new();
    for (at, node) in plan.nodes.iter().enumerate() {
        let NodeKind::Index(index) = &node.kind else {
            continue;
        };
        let covered: BTreeSet<String> =
            index.condition.iter().map(|ex| format!("{ex:?}")).collect();
        for next in following(&plan.nodes, at) {
            let Some(condition) = spelled_out(&plan.nodes, at, &next) else {
                continue;
            };
            if reads.get(&next.output) != Some(&1) {
                continue;
            }
            let (mut rest, mut dropped) = (Vec::new(), false);
            conjuncts(&condition, &mut |ex| {
                if covered.contains(&format!("{ex:?}")) {
                    dropped = true;
                } else {
                    rest.push(ex.clone());
                }
            });
            match (dropped, all_of(rest)) {
                (false, _) => {}
                (true, Some(rest)) => shorter.push((next.calculation, rest)),
                (true, None) => gone.extend([next.calculation, next.filter]),
            }
        }
    }
    let changed = !gone.is_empty() || !shorter.is_empty();
    for (at, rest) in shorter {
        if let Some(NodeKind::Calculation { expression, .. }) =
            plan.nodes.get_mut(at).map(|node| &mut node.kind)
        {
            *expression = rest;
        }
    }
    remove(&mut plan.nodes, &gone);
    changed
}

/// Drops a sort whose order a persistent index gives, on the scan that it sorts.
pub(super) fn use_for_sort(plan: &mut Plan, catalog: &dyn Catalog) -> bool {
    let mut changed = false;
    let mut at = 0;
    while at < plan.nodes.len() {
        if let Some((sort, index)) = sorted_by_index(&plan.nodes, at, catalog) {
            plan.nodes.remove(sort);
            let next_id = plan.nodes.iter().map(|node| node.id).max().unwrap_or(0) + 1;
            if let Some(node) = plan.nodes.get_mut(at) {
                if !matches!(node.kind, NodeKind::Index(_)) {
                    node.id = next_id;
                }
                node.kind = NodeKind::Index(Box::new(index));
            }
            changed = true;
        }
        at += 1;
    }
    changed
}

fn sorted_by_index(nodes: &[Node], at: usize, catalog: &dyn Catalog) -> Option<(usize, IndexScan)> {
    // Only the outermost loop: an inner one starts its order anew for each row.
    let outer = nodes.get(..at)?.iter().any(|node| node.kind.is_loop());
    if outer {
        return None;
    }
    let sort = nodes
        .iter()
        .enumerate()
        .skip(at + 1)
        .find_map(|(place, node)| match &node.kind {
            NodeKind::Calculation { .. } | NodeKind::Filter { .. } => None,
            NodeKind::Sort { .. } => Some(Some(place)),
            _ => Some(None),
        })??;
    let NodeKind::Sort { elements } = &nodes.get(sort)?.kind else {
        return None;
    };
    let ascending = elements.first()?.ascending;
    let output = *nodes.get(at)?.kind.sets().first()?;
    let mut paths = Vec::new();
    for element in elements {
        let setter = nodes.iter().find_map(|node| match &node.kind {
            NodeKind::Calculation { expression, output } if *output == element.input => {
                Some(expression)
            }
            _ => None,
        })?;
        let (id, path) = setter.attribute_path()?;
        if id != output || element.ascending != ascending {
            return None;
        }
        paths.push(path.join("."));
    }
    match &nodes.get(at)?.kind {
        NodeKind::Index(index) if index.index.kind == IndexKind::Persistent => {
            // What is equal has no order of its own; the rest must follow the fields after it.
            let skipped = index.equal.len();
            let simple = index.any_of.is_none();
            let fits = index.index.fields.get(skipped..)?.starts_with(&paths)
                || index.index.fields.starts_with(&paths);
            (simple && fits).then(|| {
                let mut index = (**index).clone();
                index.ascending = ascending;
                index.sorted_by = paths;
                (sort, index)
            })
        }
        NodeKind::EnumerateCollection(scan) => {
            let SourceInfo::Collection(info) = catalog.source(&scan.collection)? else {
                return None;
            };
            let index = info.indexes.iter().find(|index| {
                index.kind == IndexKind::Persistent
                    && !index.sparse
                    && !index.fields.iter().any(|field| field.contains('['))
                    && index.fields.starts_with(&paths)
            })?;
            Some((
                sort,
                IndexScan {
                    scan: scan.clone(),
                    index: index.clone(),
                    equal: Vec::new(),
                    any_of: None,
                    lower: None,
                    upper: None,
                    ascending,
                    sorted_by: paths,
                    condition: Vec::new(),
                },
            ))
        }
        _ => None,
    }
}
