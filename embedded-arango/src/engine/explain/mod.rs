//! What explain and the parser's endpoint show of a query, in the real server's shapes.

mod expression;
mod node;
mod parse;

use std::time::Instant;

use serde_json::{Value as Json, json};

pub(super) use self::node::type_name;
pub(super) use self::parse::parse_only;
use super::catalog::Catalog;
use super::host::Session;
use super::plan::expression::VarId;
use super::plan::{Access, Plan};
use super::request::Request;
use crate::error::ArangoError;

/// The optimizer rules that the real server counts as executed for a query, whether they change it or not.
const RULES: usize = 59;

/// The rules that no option switches off.
const ALWAYS: usize = 5;

/// The body of `POST /_api/explain`.
pub(super) fn explain(
    catalog: &dyn Catalog,
    request: &Request,
    session: &Session,
) -> Result<Json, ArangoError> {
    let start = Instant::now();
    let plan = super::plan::plan(catalog, request, session)?;
    if request.options.fail_on_warning
        && let Some(warning) = plan.warnings.first()
    {
        return Err(ArangoError::new(
            warning.code,
            format!("AQL: {} (while optimizing ast)", warning.message),
        ));
    }
    let skipped = if request.options.rules.iter().any(|rule| rule == "-all") {
        RULES - ALWAYS
    } else {
        0
    };
    let warnings: Vec<Json> = plan
        .warnings
        .iter()
        .take(request.options.max_warning_count)
        .map(|warning| json!({ "code": warning.code, "message": warning.message }))
        .collect();
    let stats = json!({
        "rulesExecuted": RULES - skipped,
        "rulesSkipped": skipped,
        "plansCreated": 1,
        "rules": {},
        "peakMemoryUsage": 0,
        "executionTime": start.elapsed().as_secs_f64(),
    });
    let body = plan_json(&plan);
    Ok(if request.options.all_plans {
        json!({ "plans": [body], "warnings": warnings, "stats": stats, "error": false, "code": 200 })
    } else {
        json!({
            "plan": body,
            "cacheable": plan.cacheable,
            "warnings": warnings,
            "stats": stats,
            "error": false,
            "code": 200,
        })
    })
}

/// A plan.
pub(super) fn plan_json(plan: &Plan) -> Json {
    let mut before: Option<usize> = None;
    let mut nodes = Vec::with_capacity(plan.nodes.len());
    for one in &plan.nodes {
        nodes.push(node::node(plan, one, before));
        before = Some(one.id);
    }
    let last = plan.nodes.last();
    let prefetched = plan.nodes.iter().filter(|node| node.prefetch).count();
    let collections: Vec<Json> = plan
        .collections
        .iter()
        .map(|(name, access)| {
            let access = match access {
                Access::Read => "read",
                Access::Write => "write",
                Access::Exclusive => "exclusive",
            };
            json!({ "name": name, "type": access })
        })
        .collect();
    let variables: Vec<Json> = (0..plan.variables.len())
        .rev()
        .filter(|id| plan.variables.get(*id).is_some_and(|one| one.listed))
        .map(|id| variable(plan, id, true))
        .collect();
    json!({
        "nodes": nodes,
        "rules": plan.rules,
        "asyncPrefetchNodes": prefetched,
        "estimatedCost": number(last.map_or(0.0, |node| node.cost)),
        "estimatedNrItems": number(last.map_or(0.0, |node| node.items)),
        "collections": collections,
        "variables": variables,
        "isModificationQuery": plan.is_modification,
    })
}

/// A variable; with its constant value where it has one and `constant` is set.
fn variable(plan: &Plan, id: VarId, constant: bool) -> Json {
    let Some(variable) = plan.variables.get(id) else {
        return Json::Null;
    };
    let mut shown = json!({
        "id": id,
        "name": variable.label(id),
        "isFullDocumentFromCollection": variable.full_document,
    });
    if let (true, Some(value), Json::Object(shown)) = (constant, &variable.constant, &mut shown) {
        shown.insert("constantValue".into(), value.to_json());
    }
    shown
}

/// A number without a fraction where it has none, as the server prints it.
fn number(number: f64) -> Json {
    if number.fract() == 0.0 && number.abs() < 9e15 {
        Json::from(number as i64)
    } else {
        Json::from(number)
    }
}
