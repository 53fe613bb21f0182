//! What may run: the only maker of a [`ReadQuery`].
//!
//! Three steps, and each fails closed:
//!
//! 1. The text is judged by its syntax tree, before the server sees anything: writes, refused functions, names that the
//!    policy denies, literals that planning would blow up.
//! 2. The server plans the same text with the same bind variables, and its answer is read until it is shown to only read:
//!    access, nodes, expressions, cost. What is not known is refused.
//! 3. The collections are gathered that a read-only transaction declares, so that the server refuses what neither step saw.
//!
//! What no plan can show (an id that is a value, a vertex of a graph without a name) passes only where the canary has found
//! that the server's transactions refuse undeclared reads; then every readable collection is declared.

mod binds;
mod functions;
mod names;
mod passed;
mod plan;
mod read_query;
#[cfg(test)]
mod recordings;
mod refusal;
mod rules;
#[cfg(test)]
mod testing;
mod text;
mod told;

pub use passed::{Passed, PlanSummary};
pub use read_query::ReadQuery;
pub use refusal::{Refusal, RefusalKind};
pub use rules::{Author, Rules};

use crate::arango::canary::{Canary, Verdict};
use crate::arango::{Client, DatabaseError};
use crate::ask::{Notice, Result};
use crate::order::NameSet;
use binds::Binds;
use names::{Names, logical};
use plan::Plan;
use text::Text;

/// The most collections that a transaction declares: the server's own bound.
const MAX_COLLECTIONS: usize = 2_048;

/// What became of a query at the gate.
pub type Judged = core::result::Result<Passed, Box<Refusal>>;

/// Judges a query with its bind variables, a JSON object. One request, to plan it; none where the text is refused.
///
/// # Errors
///
/// Outside: the exchange with the server broke. Inside: why the query may not run.
pub fn read(client: &Client<'_>, rules: Rules<'_>, text: &str, bind_vars: &str) -> Result<Judged> {
    let bind_vars = if bind_vars.trim().is_empty() {
        "{}"
    } else {
        bind_vars
    };
    let limits = &rules.settings.limits;
    let max_bytes = usize::try_from(limits.max_query_bytes).unwrap_or(usize::MAX);
    let checked = match Binds::parse(bind_vars)
        .and_then(|binds| text::check(text, &binds, &rules, max_bytes))
    {
        Ok(checked) => checked,
        Err(refusal) => return Ok(Err(refusal)),
    };
    // Before the request: a query that cannot be held would be refused after it all the same.
    if let Err(refusal) = dynamic_reads(&checked, rules.canary) {
        return Ok(Err(refusal));
    }
    let body = match client.explain(text, bind_vars)? {
        Ok(body) => body,
        Err(error) => return Ok(Err(told::refusal(error, &rules))),
    };
    Ok(
        judge_plan(&body, limits.max_estimated_cost, &rules).map(|plan| {
            let mut warnings = checked.warnings.clone();
            let collections = declared(&checked, &plan, &rules, &mut warnings);
            let query = ReadQuery::new(text.to_owned(), bind_vars.to_owned(), collections);
            Passed::new(query, &checked.query, plan, warnings)
        }),
    )
}

/// What an error that a passed query met while running amounts to: told without what the policy hides, and whether another
/// query could do better.
pub fn failed_run(rules: Rules<'_>, error: DatabaseError) -> Box<Refusal> {
    let mut refusal = told::refusal(error, &rules);
    if refusal.kind == RefusalKind::Database {
        refusal.kind = RefusalKind::Failed;
    }
    refusal
}

/// Refuses what only the server's transaction could hold, where it does not.
fn dynamic_reads(text: &Text, canary: &Canary) -> core::result::Result<(), Box<Refusal>> {
    match (text.dynamic.or(text.guarded), &canary.undeclared_reads) {
        (None, _) | (_, Verdict::Refuses) => Ok(()),
        (Some(reason), _) => Err(Refusal::repairable(
            RefusalKind::Policy,
            "dynamic-read",
            format!(
                "{reason}, and this server is not known to refuse reads that were not declared; write ids as literals, or use a named graph"
            ),
        )),
    }
}

/// Reads the plan, and holds what it reads and costs to the policy.
fn judge_plan(
    body: &[u8],
    max_cost: Option<f64>,
    names: &dyn Names,
) -> core::result::Result<Plan, Box<Refusal>> {
    let plan = plan::read(body).map_err(|fault| plan_refusal(&fault))?;
    for name in plan.collections.iter().chain(plan.touched.iter()) {
        let name = logical(name);
        if !names.is_view(name) && !names.allows(name) {
            // The text has been held to the policy: the server alone brings this name in, and it is not repeated.
            return Err(Refusal::hidden_collection());
        }
    }
    if let Some(most) = max_cost {
        // A plan without a cost is not shown to stay below it.
        let (cost, told) = match &plan.cost {
            Some(cost) => (cost.value, cost.whole()),
            None => (f64::INFINITY, "not told"),
        };
        if cost > most {
            return Err(Refusal::repairable(
                RefusalKind::Policy,
                "plan-cost",
                format!(
                    "the query's estimated cost is {told}, and {} is the most; filter by an indexed attribute, or ask for less",
                    whole(most)
                ),
            ));
        }
    }
    Ok(plan)
}

/// A number for a message, without its fraction; formatting one with it costs the component more than it tells.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` saturates, which is enough for a message"
)]
fn whole(number: f64) -> u64 {
    number as u64
}

fn plan_refusal(fault: &plan::PlanFault) -> Box<Refusal> {
    let kind = match fault {
        plan::PlanFault::Writes(_) => RefusalKind::Writes,
        _ => RefusalKind::Plan,
    };
    let notice = fault.notice();
    let mut refusal = Refusal::repairable(kind, &notice.code, notice.message);
    refusal.repairable = fault.repairable();
    refusal
}

/// The collections that the transaction declares: those of the plan and of the text, and every readable one where the query
/// reads what neither names.
fn declared(
    text: &Text,
    plan: &Plan,
    names: &dyn Names,
    warnings: &mut Vec<Notice>,
) -> Vec<String> {
    let of_plan = plan.collections.iter().chain(plan.touched.iter());
    let mut declared = NameSet::default();
    for name in of_plan.map(|name| logical(name)) {
        if !names.is_view(name) {
            declared.insert(name);
        }
    }
    for name in text.collections.iter() {
        if !names.is_view(name) {
            declared.insert(name);
        }
    }
    if text.dynamic.is_some() {
        for name in names.readable() {
            if declared.len() >= MAX_COLLECTIONS && !declared.contains(&name) {
                warnings.push(Notice::new(
                    "declared-capped",
                    format!("the query can read any collection, and only {MAX_COLLECTIONS} could be declared; others are refused when it runs"),
                ));
                break;
            }
            declared.insert(&name);
        }
    }
    declared.into_vec()
}

#[cfg(test)]
mod tests;
