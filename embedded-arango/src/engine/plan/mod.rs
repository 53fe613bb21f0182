//! From a syntax tree to a plan: the steps that the real server's optimizer would show.
//!
//! Planning reads the catalog and the bind variables, folds what is constant, and runs nothing. It refuses what the real
//! server refuses before it runs a query: unknown data sources and functions, wrong bind parameters, reading after writing.

pub(crate) mod bind;
mod build;
mod cost;
pub(crate) mod expression;
pub(crate) mod fold;
pub(crate) mod node;
mod ports;
mod rules;
pub(crate) mod walk;

use std::collections::BTreeMap;

use aql_syntax::ast::Query;

use self::expression::VarId;
use self::node::{Node, NodeKind};
use super::catalog::Catalog;
use super::request::{QueryOptions, Request, Warning};
use crate::error::ArangoError;
use crate::value::Value;

/// How a query uses a collection; a later one includes the earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Access {
    Read,
    Write,
    Exclusive,
}

/// A variable of a plan.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    /// The name in the text; `None` for one that planning made.
    pub(crate) name: Option<String>,
    /// Whether it holds whole documents of a collection.
    pub(crate) full_document: bool,
    /// Whether a subquery sets it.
    pub(crate) subquery: bool,
    /// The value, where it is the same for every row.
    pub(crate) constant: Option<Value>,
    /// Whether explain lists it.
    pub(crate) listed: bool,
}

impl Variable {
    /// The name that explain shows.
    pub(crate) fn label(&self, id: VarId) -> String {
        self.name.clone().unwrap_or_else(|| id.to_string())
    }
}

/// A planned query.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) nodes: Vec<Node>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) collections: BTreeMap<String, Access>,
    /// The optimizer rules that changed the plan, in order.
    pub(crate) rules: Vec<&'static str>,
    pub(crate) is_modification: bool,
    pub(crate) warnings: Vec<Warning>,
    /// Whether the result may be cached: nothing in it depends on when it runs.
    pub(crate) cacheable: bool,
}

impl Plan {
    /// Whether a node writes.
    pub(crate) fn writes(nodes: &[Node]) -> bool {
        nodes
            .iter()
            .any(|node| matches!(node.kind, NodeKind::Modify(_)))
    }
}

/// Parses, checks and plans a query.
pub(crate) fn plan(
    catalog: &dyn Catalog,
    request: &Request,
    session: &super::Session,
) -> Result<Plan, ArangoError> {
    let query = parse(&request.query)?;
    from_syntax(catalog, request, session, &query)
}

/// Plans a query that has been parsed.
pub(crate) fn from_syntax(
    catalog: &dyn Catalog,
    request: &Request,
    session: &super::Session,
    query: &Query,
) -> Result<Plan, ArangoError> {
    bind::check(query, &request.bind_vars)?;
    let mut plan = build::build(catalog, request, session, query)?;
    optimize(&mut plan, catalog, &request.options);
    Ok(plan)
}

/// Parses a query: 1502 where it is empty, else the parser's own number and words.
pub(crate) fn parse(text: &str) -> Result<Query, ArangoError> {
    if text.trim().is_empty() {
        return Err(ArangoError::new(
            crate::error::number::QUERY_EMPTY,
            "query is empty",
        ));
    }
    aql_syntax::parse(text).map_err(|error| bind::parsing(error.number, &error.message))
}

fn optimize(plan: &mut Plan, catalog: &dyn Catalog, options: &QueryOptions) {
    rules::apply(plan, catalog, options);
    cost::estimate(plan, catalog);
}
