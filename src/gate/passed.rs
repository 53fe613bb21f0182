//! A query that passed, with what its plan says.

use aql_syntax::ast::ExprKind;

use super::ReadQuery;
use super::plan::Plan;
use crate::ask::Notice;
use crate::json::Writer;

/// A query that passed the gate.
#[derive(Clone, Debug, PartialEq)]
pub struct Passed {
    /// The query, ready to run.
    pub query: ReadQuery,
    /// What its plan says.
    pub summary: PlanSummary,
    /// What is valid and likely not meant, and what the server warned of while planning.
    pub warnings: Vec<Notice>,
    /// The rows that the query's own outermost `LIMIT` keeps, where it has one.
    limit: Option<u64>,
}

/// What an execution plan says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanSummary {
    /// The collections and views that it reads, sorted.
    pub collections: Vec<String>,
    /// The types of its nodes, sorted, each once.
    pub nodes: Vec<String>,
    /// The estimated cost in the server's own unit, as the server wrote the number.
    pub cost: Option<String>,
    /// The estimated number of rows, as the server wrote the number.
    pub rows: Option<String>,
}

impl Passed {
    pub(super) fn new(
        query: ReadQuery,
        tree: &aql_syntax::ast::Query,
        plan: Plan,
        mut warnings: Vec<Notice>,
    ) -> Passed {
        let limit = tree
            .outermost_limit()
            .and_then(|(_, count)| match count.kind {
                ExprKind::Integer(count) => u64::try_from(count).ok(),
                _ => None,
            });
        warnings.extend(plan.warnings);
        Passed {
            query,
            summary: PlanSummary {
                collections: plan.collections.into_vec(),
                nodes: plan.nodes.into_vec(),
                cost: plan.cost.map(|cost| cost.text),
                rows: plan.rows.map(|rows| rows.text),
            },
            warnings,
            limit,
        }
    }

    /// The warning `limit-in-query`, where the query's own outermost `LIMIT` was reached: `rows` were returned, and the
    /// server had no more. Whether the data has more is then not known.
    pub fn limit_reached(&self, rows: usize, more: bool) -> Option<Notice> {
        let limit = self.limit.filter(|limit| *limit > 0 && !more)?;
        (u64::try_from(rows).ok()? == limit).then(|| {
            Notice::new(
                "limit-in-query",
                format!(
                    "the query itself has LIMIT {limit}, and it was reached: there may be more rows"
                ),
            )
        })
    }
}

impl PlanSummary {
    /// The summary as a JSON object with the keys `collections`, `nodes`, `estimatedCost` and `estimatedNrItems`.
    pub fn to_json(&self) -> String {
        let mut json = Writer::default();
        json.begin('{');
        json.key("collections").texts(&self.collections);
        json.key("nodes").texts(&self.nodes);
        json.key("estimatedCost")
            .raw(self.cost.as_deref().unwrap_or("null"));
        json.key("estimatedNrItems")
            .raw(self.rows.as_deref().unwrap_or("null"));
        json.end('}');
        json.finish()
    }
}
