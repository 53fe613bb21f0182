//! `/_api/explain` and `/_api/query`: what a query would do, its syntax, the running ones; and the caches that are not there.

use axum::http::Method;

use super::aql::{Query, session};
use crate::engine;
use crate::error::{ArangoError, number};
use crate::http::reply::{Reply, fields};
use crate::http::request::Call;
use crate::storage::{Access, Txn};
use crate::value::{Object, Value};

/// `POST /_api/explain`. It opens the collections as the query would, with the caller's rights, and runs nothing. It stands
/// outside of any stream transaction, as in the real server.
pub(super) fn explain(call: &Call) -> Result<Reply, ArangoError> {
    if call.method != Method::POST {
        return Err(ArangoError::new(
            number::NOT_IMPLEMENTED,
            "method not supported",
        ));
    }
    let query = match Query::read(call) {
        Err(error) if error.number == number::QUERY_EMPTY => {
            return Err(ArangoError::bad_parameter(
                "expecting `query` to be a non-empty string",
            ));
        }
        query => query?,
    };
    let session = session(call);
    let mut txn = Txn::begin(&call.database, Access::query(true), &call.user)?;
    for (name, mode) in engine::collections(&txn, &query.request, &session)? {
        txn.open(&name, mode)?;
    }
    let body = engine::explain(&txn, &query.request, &session)?;
    Ok(Reply::bare(200, &Value::from_json(body)))
}

/// `/_api/query`.
pub(super) fn answer(call: &Call, path: &[&str]) -> Result<Reply, ArangoError> {
    match (&call.method, path) {
        (&Method::POST, []) => {
            let query = call.json_object()?.get("query");
            let query = query.as_str().filter(|text| !text.is_empty());
            let query = query.ok_or_else(|| {
                ArangoError::bad_parameter("expecting `query` to be a non-empty string")
            })?;
            Ok(Reply::bare(
                200,
                &Value::from_json(engine::parse_only(query)?),
            ))
        }
        (&Method::GET, ["current"]) => Ok(Reply::bare(
            200,
            &call.app.queries.list(call.database.name()),
        )),
        (&Method::GET, ["slow"]) => Ok(Reply::bare(200, &Value::array(Vec::new()))),
        (&Method::DELETE, ["slow"]) => Ok(Reply::first(200, Object::default())),
        (&Method::GET, ["properties"]) => Ok(Reply::first(200, properties())),
        (&Method::PUT, ["properties"]) => Err(ArangoError::not_implemented(
            "changing the tracking of queries",
        )),
        (&Method::GET, ["rules"]) => {
            Err(ArangoError::not_implemented("the list of optimizer rules"))
        }
        (&Method::DELETE, [id]) => {
            let id = id.parse().map_err(|_| {
                ArangoError::new(number::QUERY_NOT_FOUND, "query ID not found in query list")
            })?;
            call.app.queries.kill(id, call.database.name())?;
            Ok(Reply::first(200, Object::default()))
        }
        (_, [] | [_]) => Err(call.wrong_method()),
        _ => Err(call.unknown_path()),
    }
}

fn properties() -> Object {
    fields([
        ("enabled", Value::Bool(true)),
        ("trackSlowQueries", Value::Bool(false)),
        ("trackBindVars", Value::Bool(true)),
        ("maxSlowQueries", Value::Int(0)),
        ("slowQueryThreshold", Value::Int(10)),
        ("slowStreamingQueryThreshold", Value::Int(10)),
        ("maxQueryStringLength", Value::Int(4096)),
    ])
}

/// `/_api/query-cache`: results are never cached.
pub(super) fn cache(call: &Call, path: &[&str]) -> Result<Reply, ArangoError> {
    match (&call.method, path) {
        (&Method::DELETE, []) => Ok(Reply::first(200, Object::default())),
        (&Method::GET, ["entries"]) => Ok(Reply::bare(200, &Value::array(Vec::new()))),
        (&Method::GET, ["properties"]) => {
            let body = fields([
                ("mode", Value::string("off")),
                ("maxResults", Value::Int(128)),
                ("maxResultsSize", Value::Int(268_435_456)),
                ("maxEntrySize", Value::Int(16_777_216)),
                ("includeSystem", Value::Bool(false)),
            ]);
            Ok(Reply::bare(200, &Value::object(body)))
        }
        (&Method::PUT, ["properties"]) => {
            Err(ArangoError::not_implemented("the cache of query results"))
        }
        _ => Err(call.unknown_path()),
    }
}

/// `/_api/query-plan-cache`: plans are never cached.
pub(super) fn plan_cache(call: &Call) -> Result<Reply, ArangoError> {
    match call.method {
        Method::GET => Ok(Reply::bare(200, &Value::array(Vec::new()))),
        Method::DELETE => Ok(Reply::first(200, Object::default())),
        _ => Err(call.wrong_method()),
    }
}

/// `/_api/aqlfunction`: there are no user-defined functions, and none can be made.
pub(super) fn functions(call: &Call) -> Result<Reply, ArangoError> {
    match call.method {
        Method::GET => Ok(Reply::result(200, Value::array(Vec::new()))),
        _ => Err(ArangoError::not_implemented("a user-defined function")),
    }
}
