//! AQL: from the text to a plan, from a plan to what explain shows, and from a plan to rows.
//!
//! The same plan serves explain and execution, so that what explain says of a query is what running it does. Explaining
//! runs nothing: it reads the catalog, folds constants and serialises the plan.

pub mod catalog;
pub(crate) mod evaluate;
mod execute;
mod explain;
mod host;
pub(crate) mod plan;
mod request;

use std::collections::BTreeMap;

use serde_json::Value as Json;

pub use host::Session;
pub use request::{Control, Outcome, QueryOptions, Request, Stats, Warning};

use self::catalog::{Catalog, GraphInfo, SourceInfo};
use crate::error::ArangoError;
use crate::storage::Txn;
use crate::value::{Object, Value};

/// Plans a query and gives the whole body of `POST /_api/explain`.
///
/// # Errors
/// What keeps the query from being planned: 1501 and its kin from the parser, 1551 to 1553 for bind parameters, 1203 for data
/// sources, 1540 and 1541 for functions, 1579 for reading after writing.
pub fn explain(
    catalog: &dyn Catalog,
    request: &Request,
    session: &Session,
) -> Result<Json, ArangoError> {
    explain::explain(catalog, request, session)
}

/// Parses a query and gives the whole body of `POST /_api/query`.
///
/// # Errors
/// What the parser refuses.
pub fn parse_only(text: &str) -> Result<Json, ArangoError> {
    explain::parse_only(text)
}

/// Runs a query within a transaction. A query that fails leaves the transaction as it found it.
///
/// Evaluation recurses as deep as the text nests: call it on a thread with a stack of some 64 MiB.
///
/// # Errors
/// As [`explain()`], and what a running query fails with: 32, 1500, 1652, and the errors of writes and functions. The message
/// names the nodes of the plan that the error passed.
pub fn run(
    txn: &mut Txn,
    request: &Request,
    control: &Control,
    session: &Session,
) -> Result<Outcome, ArangoError> {
    execute::run(txn, request, control, session)
}

/// What a query will use, by name; views are not among them.
///
/// # Errors
/// As [`explain()`].
pub fn collections(
    catalog: &dyn Catalog,
    request: &Request,
    session: &Session,
) -> Result<BTreeMap<String, crate::storage::Mode>, ArangoError> {
    let plan = plan::plan(catalog, request, session)?;
    Ok(execute::modes(&plan, catalog))
}

/// Evaluates a query that reads no data and gives its first row: the expression of a computed value, with the document as the
/// bind parameter `doc`.
///
/// # Errors
/// As [`run`]; a data source is unknown here and gives 1203.
pub fn compute(text: &str, document: &Value) -> Result<Value, ArangoError> {
    let rows = rows_of(text, "doc", document)?;
    Ok(rows.into_iter().next().unwrap_or_default())
}

/// The rows of a query that reads no data, with one value as a bind parameter.
///
/// # Errors
/// As [`compute`].
pub(crate) fn rows_of(
    text: &str,
    parameter: &str,
    value: &Value,
) -> Result<Vec<Value>, ArangoError> {
    let mut bind_vars = Object::new();
    bind_vars.insert(parameter, value.clone());
    let request = Request {
        query: text.to_owned(),
        bind_vars,
        options: QueryOptions::default(),
    };
    let session = Session {
        user: None,
        database: String::new(),
        version: String::new(),
        now_millis: 0,
    };
    execute::without_data(&Nothing, &request, &session)
}

/// A catalog without data sources.
struct Nothing;

impl Catalog for Nothing {
    fn source(&self, _: &str) -> Option<SourceInfo> {
        None
    }

    fn graph(&self, _: &str) -> Option<GraphInfo> {
        None
    }

    fn graphs(&self) -> Vec<GraphInfo> {
        Vec::new()
    }
}
