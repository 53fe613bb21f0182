//! A scan whose document is only read attribute by attribute gives those attributes, at most five, as variables.

use std::collections::{BTreeMap, BTreeSet};

use super::filters::remove;
use crate::engine::plan::expression::{Ex, VarId};
use crate::engine::plan::node::{NodeKind, Projection, Scan};
use crate::engine::plan::{Plan, Variable};

/// The most attributes that are taken apart; with more the whole document is read. The server's default.
const MOST: usize = 5;

/// Gives scans projections, and removes calculations that only read one.
pub(super) fn extract(plan: &mut Plan) -> bool {
    let mut changed = false;
    for at in 0..plan.nodes.len() {
        let Some(document) =
            scan_of(&mut plan.nodes.get_mut(at).map(|node| &mut node.kind)).map(|scan| scan.output)
        else {
            continue;
        };
        let Some(paths) = paths(plan, at, document) else {
            continue;
        };
        let mut known: BTreeMap<Vec<String>, VarId> = BTreeMap::new();
        let mut projections = Vec::with_capacity(paths.len());
        for path in paths {
            let variable = plan.variables.len();
            plan.variables.push(Variable {
                name: None,
                full_document: false,
                subquery: false,
                constant: None,
                listed: true,
            });
            known.insert(path.clone(), variable);
            projections.push(Projection { path, variable });
        }
        for node in plan.nodes.iter_mut().skip(at + 1) {
            node.kind
                .expressions(&mut |ex| replace(ex, document, &known));
        }
        if let Some(scan) = scan_of(&mut plan.nodes.get_mut(at).map(|node| &mut node.kind)) {
            scan.projections = projections;
        }
        if let Some(variable) = plan.variables.get_mut(document) {
            variable.full_document = false;
        }
        changed = true;
    }
    if changed {
        forward(plan);
    }
    changed
}

fn scan_of<'a>(kind: &'a mut Option<&mut NodeKind>) -> Option<&'a mut Scan> {
    match kind {
        Some(NodeKind::EnumerateCollection(scan)) => Some(scan),
        Some(NodeKind::Index(index)) => Some(&mut index.scan),
        _ => None,
    }
}

/// The attributes that later nodes read of the document, in the order of their coming; nothing where the whole document is read,
/// or none of it.
fn paths(plan: &mut Plan, at: usize, document: VarId) -> Option<Vec<Vec<String>>> {
    let mut paths: Vec<Vec<String>> = Vec::new();
    for node in plan.nodes.iter_mut().skip(at + 1) {
        let mut used = node.kind.uses();
        let mut inside = Vec::new();
        let mut whole = false;
        node.kind.expressions(&mut |ex| {
            ex.variables(&mut inside);
            whole |= !read(ex, document, &mut paths);
        });
        // What remains reads a variable itself, and not through an expression.
        for id in inside {
            if let Some(place) = used.iter().position(|one| *one == id) {
                used.swap_remove(place);
            }
        }
        if whole || used.contains(&document) {
            return None;
        }
    }
    // `a` gives `a.b` as well.
    let all = paths.clone();
    paths.retain(|path| {
        !all.iter()
            .any(|other| other.len() < path.len() && path.starts_with(other))
    });
    (!paths.is_empty() && paths.len() <= MOST).then_some(paths)
}

/// Adds the paths that the expression reads of the document; false where it reads the whole.
fn read(ex: &Ex, document: VarId, paths: &mut Vec<Vec<String>>) -> bool {
    match ex.attribute_path() {
        Some((id, path)) if id == document => {
            if path.is_empty() {
                return false;
            }
            let path: Vec<String> = path.into_iter().map(str::to_owned).collect();
            if !paths.contains(&path) {
                paths.push(path);
            }
            true
        }
        _ => {
            let mut fine = true;
            ex.children(&mut |child| fine &= read(child, document, paths));
            fine
        }
    }
}

/// Replaces accesses to the document by the variables of its projections.
fn replace(ex: &mut Ex, document: VarId, known: &BTreeMap<Vec<String>, VarId>) {
    let found = ex
        .attribute_path()
        .filter(|(id, _)| *id == document)
        .and_then(|(_, path)| {
            let path: Vec<String> = path.into_iter().map(str::to_owned).collect();
            known.get(&path).copied()
        });
    match found {
        Some(variable) => *ex = Ex::Var(variable),
        None => ex.children_mut(&mut |child| replace(child, document, known)),
    }
}

/// Lets what reads a calculation that only hands a variable on read that variable.
fn forward(plan: &mut Plan) {
    let mut same: BTreeMap<VarId, VarId> = BTreeMap::new();
    let mut gone = BTreeSet::new();
    for (at, node) in plan.nodes.iter_mut().enumerate() {
        let map = |id: VarId| same.get(&id).copied().unwrap_or(id);
        node.kind.map(&map);
        if let NodeKind::Calculation {
            expression: Ex::Var(from),
            output,
        } = &node.kind
        {
            same.insert(*output, *from);
            gone.insert(at);
        }
    }
    remove(&mut plan.nodes, &gone);
}
