//! Runs a plan: rows are pulled from the last node, one at a time.
//!
//! All nodes share one row of values, a slot for each variable. A node that gives several rows for one writes its slot and says
//! that there is a row; a node that must see all rows first keeps the slots that are read later. So a `LIMIT` stops early, and
//! memory is held only where the query sorts, groups or returns.

mod aggregate;
mod collect;
mod compile;
mod graph;
mod lists;
mod modify;
mod near;
mod runtime;
mod scan;
mod search;
mod simple;
mod sort;
mod stage;
mod view;
mod window;

use std::collections::BTreeMap;
use std::time::Instant;

use self::runtime::Runtime;
use self::stage::{Context, Stage};
use super::catalog::{Catalog, SourceInfo};
use super::host::Session;
use super::plan::node::NodeKind;
use super::plan::{Access, Plan};
use super::request::{Control, Outcome, QueryOptions, Request};
use crate::error::ArangoError;
use crate::storage::{Mode, Txn};
use crate::value::Value;

/// Plans and runs a query.
pub(super) fn run(
    txn: &mut Txn,
    request: &Request,
    control: &Control,
    session: &Session,
) -> Result<Outcome, ArangoError> {
    let start = Instant::now();
    let plan = super::plan::plan(txn, request, session)?;
    let planned = start.elapsed().as_secs_f64();
    for (name, mode) in modes(&plan, txn) {
        txn.open(&name, mode)?;
    }
    let savepoint = txn.savepoint();
    let mut runtime = Runtime::new(Some(txn), control.clone(), session, &request.options);
    let (rows, nodes) = match rows(&plan, &mut runtime, &request.options) {
        Ok(done) => done,
        Err(error) => {
            drop(runtime);
            txn.roll_back_to(savepoint);
            return Err(error);
        }
    };
    let mut stats = std::mem::take(&mut runtime.stats);
    let warnings = std::mem::take(&mut runtime.warnings);
    stats.peak_memory_usage = runtime.peak();
    drop(runtime);
    stats.execution_time = start.elapsed().as_secs_f64();
    let options = &request.options;
    Ok(Outcome {
        rows,
        profile: (options.profile >= 1).then(|| {
            serde_json::json!({
                "initializing": 0.0,
                "parsing": 0.0,
                "optimizing ast": 0.0,
                "loading collections": 0.0,
                "instantiating plan": 0.0,
                "optimizing plan": planned,
                "instantiating executors": 0.0,
                "executing": stats.execution_time - planned,
                "finalizing": 0.0,
            })
        }),
        plan: (options.profile >= 2).then(|| super::explain::plan_json(&plan)),
        nodes: (options.profile >= 2).then_some(nodes),
        stats,
        warnings,
        is_modification: plan.is_modification,
    })
}

/// Runs a query that reads no data and gives its rows.
pub(super) fn without_data(
    catalog: &dyn Catalog,
    request: &Request,
    session: &Session,
) -> Result<Vec<Value>, ArangoError> {
    let plan = super::plan::plan(catalog, request, session)?;
    let control = Control::new(&request.options);
    let mut runtime = Runtime::new(None, control, session, &request.options);
    let (rows, _) = rows(&plan, &mut runtime, &request.options)?;
    Ok(rows)
}

/// The collections that the plan uses with the access that each needs.
pub(super) fn modes(plan: &Plan, catalog: &dyn Catalog) -> BTreeMap<String, Mode> {
    plan.collections
        .iter()
        .filter(|(name, _)| !matches!(catalog.source(name), Some(SourceInfo::View(_))))
        .map(|(name, access)| {
            let mode = match access {
                Access::Read => Mode::Read,
                Access::Write => Mode::Write,
                Access::Exclusive => Mode::Exclusive,
            };
            (name.clone(), mode)
        })
        .collect()
}

/// The rows of the query, and the counters of each node.
fn rows(
    plan: &Plan,
    runtime: &mut Runtime<'_>,
    options: &QueryOptions,
) -> Result<(Vec<Value>, serde_json::Value), ArangoError> {
    for warning in &plan.warnings {
        runtime
            .note(warning.code, warning.message.clone())
            .map_err(|error| wording(error, &[], "optimizing ast"))?;
    }
    runtime.freeze(plan);
    let mut context = Context {
        row: vec![Value::Null; plan.variables.len()],
        run: runtime,
        trace: Vec::new(),
        timed: options.profile >= 2,
    };
    let mut root = compile::compile(plan);
    match drain(&mut root, &mut context, plan) {
        Ok(rows) => {
            let mut counters = Vec::new();
            root.counters(&mut counters);
            Ok((rows, serde_json::Value::Array(counters)))
        }
        Err(error) => Err(wording(error, &context.trace, "executing")),
    }
}

fn drain(
    root: &mut Stage,
    context: &mut Context<'_, '_>,
    plan: &Plan,
) -> Result<Vec<Value>, ArangoError> {
    let output = match plan.nodes.last().map(|node| &node.kind) {
        Some(NodeKind::Return { input }) => Some(*input),
        _ => None,
    };
    let mut rows = Vec::new();
    while root.next(context)? {
        if let Some(input) = output {
            let value = context.slot(input);
            context.run.charge_value(&value)?;
            rows.push(value);
        }
    }
    Ok(rows)
}

/// The error with the real server's state and node context.
fn wording(error: ArangoError, trace: &[String], state: &str) -> ArangoError {
    let mut message = format!("AQL: {}", error.message);
    for node in trace {
        message.push(' ');
        message.push_str(node);
    }
    message.push_str(&format!(" (while {state})"));
    ArangoError { message, ..error }
}
