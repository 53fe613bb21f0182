//! The nearest vectors: `FOR … SORT APPROX_NEAR_…() LIMIT …` becomes a search of a vector index.
//!
//! The index must be on the attribute and have the function's metric; the order must be the metric's own, descending for
//! similarities and ascending for distances. Filters between the `FOR` and the `SORT` are checked within the search. Anything
//! else stays as it is, and the call is an error when it is reached.

use std::collections::BTreeSet;

use super::filters::{all_of, condition, following, reads, remove};
use crate::engine::catalog::{Catalog, IndexInfo, IndexKind, SourceInfo};
use crate::engine::plan::expression::{Ex, VarId};
use crate::engine::plan::node::{Metric, NearScan, Node, NodeKind};
use crate::engine::plan::{Plan, Variable};

/// A search that a plan asks for, and where its parts stand.
struct Wanted {
    near: NearScan,
    target: Ex,
    calculation: usize,
    sort: usize,
}

/// Puts searches in the place of scans.
pub(super) fn search_nearest(plan: &mut Plan, catalog: &dyn Catalog) -> bool {
    let mut changed = false;
    let mut at = 0;
    while at < plan.nodes.len() {
        if let Some(wanted) = wanted(&plan.nodes, at, catalog) {
            put_in_place(plan, at, wanted);
            changed = true;
        }
        at += 1;
    }
    changed
}

fn wanted(nodes: &[Node], at: usize, catalog: &dyn Catalog) -> Option<Wanted> {
    let NodeKind::EnumerateCollection(scan) = &nodes.get(at)?.kind else {
        return None;
    };
    let SourceInfo::Collection(info) = catalog.source(&scan.collection)? else {
        return None;
    };
    let sort = nodes
        .iter()
        .enumerate()
        .skip(at + 1)
        .find_map(|(place, node)| match &node.kind {
            NodeKind::Calculation { .. } | NodeKind::Filter { .. } => None,
            NodeKind::Sort { elements } => Some(Some((place, elements))),
            _ => Some(None),
        })?;
    let (sort, elements) = sort?;
    let [element] = elements.as_slice() else {
        return None;
    };
    let NodeKind::Limit { offset, count, .. } = nodes.get(sort + 1)?.kind else {
        return None;
    };
    let later: BTreeSet<VarId> = nodes
        .get(at..)?
        .iter()
        .flat_map(|node| node.kind.sets())
        .collect();
    let (calculation, arguments, metric) =
        (at + 1..sort).find_map(|place| match &nodes.get(place)?.kind {
            NodeKind::Calculation {
                expression: Ex::Call(function, arguments),
                output,
            } if *output == element.input => Some((place, arguments, metric(function.name)?)),
            _ => None,
        })?;
    if element.ascending != (metric == Metric::L2) {
        return None;
    }
    let (left, right) = (arguments.first()?, arguments.get(1)?);
    let probes = match arguments.get(2) {
        None => None,
        Some(options) => options.constant()?.get("nProbe").as_i64(),
    };
    let index = |attribute: &Ex, target: &Ex| -> Option<IndexInfo> {
        let (id, path) = attribute.attribute_path()?;
        let mut used = Vec::new();
        target.variables(&mut used);
        if id != scan.output || used.iter().any(|id| later.contains(id)) {
            return None;
        }
        let path = path.join(".");
        info.indexes
            .iter()
            .find(|index| serves(index, &path, metric))
            .cloned()
    };
    let (index, target) = match index(left, right) {
        Some(index) => (index, right.clone()),
        None => (index(right, left)?, left.clone()),
    };
    Some(Wanted {
        near: NearScan {
            collection: scan.collection.clone(),
            index,
            metric,
            // Set when the target has a variable of its own.
            target: scan.output,
            output: scan.output,
            distance: element.input,
            offset,
            limit: count,
            probes,
            filter: None,
        },
        target,
        calculation,
        sort,
    })
}

fn metric(function: &str) -> Option<Metric> {
    Some(match function {
        "APPROX_NEAR_COSINE" => Metric::Cosine,
        "APPROX_NEAR_L2" => Metric::L2,
        "APPROX_NEAR_INNER_PRODUCT" => Metric::InnerProduct,
        _ => return None,
    })
}

fn serves(index: &IndexInfo, path: &str, metric: Metric) -> bool {
    let name = match metric {
        Metric::Cosine => "cosine",
        Metric::L2 => "l2",
        Metric::InnerProduct => "innerProduct",
    };
    index.kind == IndexKind::Vector
        && index.fields.first().is_some_and(|field| field == path)
        && index
            .vector
            .as_ref()
            .is_some_and(|info| info.metric == name)
}

fn put_in_place(plan: &mut Plan, at: usize, wanted: Wanted) {
    let Wanted {
        mut near,
        target,
        calculation,
        sort,
    } = wanted;
    near.target = plan.variables.len();
    plan.variables.push(Variable {
        name: None,
        full_document: false,
        subquery: false,
        constant: target.constant().cloned(),
        listed: true,
    });
    let mut next_id = plan.nodes.iter().map(|node| node.id).max().unwrap_or(0);
    let mut node = |kind: NodeKind| {
        next_id += 1;
        Node {
            id: next_id,
            kind,
            cost: 0.0,
            items: 0.0,
            prefetch: false,
        }
    };
    let in_place = [
        node(NodeKind::Calculation {
            expression: target,
            output: near.target,
        }),
        node(NodeKind::Materialize {
            collection: near.collection.clone(),
            document: near.output,
        }),
    ];
    let search = node(NodeKind::EnumerateNearVector(Box::new(near)));
    let [calculate, materialize] = in_place;
    plan.nodes.remove(sort);
    plan.nodes.remove(calculation);
    plan.nodes.splice(at..=at, [calculate, search, materialize]);
}

/// Checks filters within the searches before them.
pub(super) fn filters_into_search(plan: &mut Plan) -> bool {
    let reads = reads(&plan.nodes);
    let mut gone = BTreeSet::new();
    for at in 0..plan.nodes.len() {
        if !matches!(
            plan.nodes.get(at).map(|node| &node.kind),
            Some(NodeKind::EnumerateNearVector(_))
        ) {
            continue;
        }
        // The search counts what passes: a filter that stays behind it would leave too few rows.
        let moved = following(&plan.nodes, at + 1);
        let parts: Vec<Ex> = moved
            .iter()
            .filter_map(|next| spelled_out(&plan.nodes, at, next))
            .collect();
        for next in &moved {
            gone.insert(next.filter);
            if reads.get(&next.output) == Some(&1) {
                gone.insert(next.calculation);
            }
        }
        if let Some(NodeKind::EnumerateNearVector(near)) =
            plan.nodes.get_mut(at).map(|node| &mut node.kind)
        {
            near.filter = all_of(near.filter.take().into_iter().chain(parts));
        }
    }
    remove(&mut plan.nodes, &gone);
    !gone.is_empty()
}

/// The condition of a filter, with everything that was computed between the search and the filter written out in it.
fn spelled_out(nodes: &[Node], search: usize, next: &super::filters::Following) -> Option<Ex> {
    let mut whole = condition(nodes, next)?.clone();
    for node in nodes.get(search + 1..next.calculation)?.iter().rev() {
        if let NodeKind::Calculation { expression, output } = &node.kind {
            super::filters::write_out(&mut whole, *output, expression);
        }
    }
    Some(whole)
}
