//! Scores and places of matches come from the view: calls of `BM25()`, `TFIDF()` and `OFFSET_INFO()` become variables that the
//! view sets. Equal calls share a variable.

use std::collections::BTreeMap;

use crate::engine::plan::expression::{Ex, VarId};
use crate::engine::plan::node::{NodeKind, ViewOffsets, ViewScan, ViewScorer};
use crate::engine::plan::{Plan, Variable};

/// What a view is to compute.
#[derive(Default)]
struct Wanted {
    scorers: Vec<ViewScorer>,
    offsets: Vec<ViewOffsets>,
}

/// Takes the calls out of the nodes after their views.
pub(super) fn take_over(plan: &mut Plan) -> bool {
    let mut wanted: BTreeMap<VarId, Wanted> = BTreeMap::new();
    let Plan {
        nodes, variables, ..
    } = plan;
    for node in nodes.iter_mut() {
        if let NodeKind::EnumerateView(view) = &node.kind {
            wanted.insert(view.output, Wanted::default());
            continue;
        }
        if !wanted.is_empty() {
            node.kind
                .expressions(&mut |ex| replace(ex, &mut wanted, variables));
        }
    }
    let changed = !wanted.is_empty();
    for node in nodes {
        if let NodeKind::EnumerateView(view) = &mut node.kind
            && let Some(wanted) = wanted.remove(&view.output)
        {
            let view: &mut ViewScan = view;
            view.scorers = wanted.scorers;
            view.offsets = wanted.offsets;
        }
    }
    changed
}

fn replace(ex: &mut Ex, wanted: &mut BTreeMap<VarId, Wanted>, variables: &mut Vec<Variable>) {
    ex.children_mut(&mut |child| replace(child, wanted, variables));
    let Ex::Call(function, arguments) = ex else {
        return;
    };
    let Some((Ex::Var(document), rest)) = arguments.split_first() else {
        return;
    };
    let Some(wanted) = wanted.get_mut(document) else {
        return;
    };
    let mut variable = || {
        variables.push(Variable {
            name: None,
            full_document: false,
            subquery: false,
            constant: None,
            listed: true,
        });
        variables.len() - 1
    };
    let output = match function.name {
        "BM25" | "TFIDF" => {
            let known = wanted.scorers.iter().find(|one| {
                one.function == function.name
                    && format!("{:?}", one.arguments) == format!("{rest:?}")
            });
            known.map(|one| one.output).unwrap_or_else(|| {
                let output = variable();
                wanted.scorers.push(ViewScorer {
                    function: function.name,
                    arguments: rest.to_vec(),
                    output,
                });
                output
            })
        }
        "OFFSET_INFO" => match rest.first() {
            Some(rules) => {
                let output = variable();
                wanted.offsets.push(ViewOffsets {
                    rules: rules.clone(),
                    output,
                });
                output
            }
            None => return,
        },
        _ => return,
    };
    *ex = Ex::Var(output);
}
