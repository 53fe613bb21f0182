//! From a request's body to the engine, and back: what cursors, explain and computed values share.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{SystemTime, UNIX_EPOCH};

use super::info::VERSION;
use crate::engine::{self, Control, Outcome, QueryOptions, Request, Session};
use crate::error::{ArangoError, number};
use crate::http::reply::fields;
use crate::http::request::Call;
use crate::storage::{Compute, Store, Txn};
use crate::value::{Object, Value};

/// Tells the store how computed values are evaluated.
pub(in crate::http) fn install_computed_values(store: &Arc<Store>) {
    store.set_compute(Compute::new(engine::compute));
}

/// A query as a body gives it.
pub(super) struct Query {
    pub(super) request: Request,
    /// The whole body.
    pub(super) body: Value,
}

impl Query {
    /// Reads `{query, bindVars, options}`.
    ///
    /// # Errors
    /// 400/1502 for an empty query, 400/17 for bind parameters of the wrong type, 400/600 for a body that is no JSON.
    pub(super) fn read(call: &Call) -> Result<Self, ArangoError> {
        let body = call.json_object()?;
        let text = match body.get("query") {
            Value::String(text) if !text.is_empty() => text.to_string(),
            Value::Null | Value::String(_) => {
                return Err(ArangoError::new(number::QUERY_EMPTY, "query is empty"));
            }
            _ => {
                return Err(ArangoError::bad_parameter(
                    "expecting `query` to be a string",
                ));
            }
        };
        let bind_vars = match body.get("bindVars") {
            Value::Null => Object::default(),
            Value::Object(bind_vars) => (*bind_vars).clone(),
            _ => {
                return Err(ArangoError::new(
                    number::TYPE_ERROR,
                    "expecting object for <bindVars>",
                ));
            }
        };
        let options = body.get("options");
        if !matches!(options, Value::Null | Value::Object(_)) {
            return Err(ArangoError::new(
                number::TYPE_ERROR,
                "expecting object for <options>",
            ));
        }
        let mut read = QueryOptions::from_json(&options.to_json());
        if let Some(limit) = body
            .get("memoryLimit")
            .as_i64()
            .and_then(|limit| usize::try_from(limit).ok())
        {
            read.memory_limit = limit;
        }
        Ok(Query {
            request: Request {
                query: text,
                bind_vars,
                options: read,
            },
            body,
        })
    }

    /// An option of the query.
    pub(super) fn option(&self, name: &str) -> Value {
        self.body.get("options").get(name)
    }
}

/// What the engine may know of who asks.
pub(super) fn session(call: &Call) -> Session {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |time| time.as_millis());
    Session {
        user: Some(call.user.name.clone()),
        database: call.database.name().to_owned(),
        version: VERSION.to_owned(),
        now_millis: i64::try_from(now).unwrap_or(i64::MAX),
    }
}

/// Runs a query within a transaction, on the list of running queries.
///
/// # Errors
/// Those of the engine; what the query wrote is undone then.
pub(super) fn run(
    call: &Call,
    txn: &mut Txn,
    query: &Query,
    control: &Control,
) -> Result<Outcome, ArangoError> {
    let Request {
        query: text,
        bind_vars,
        ..
    } = &query.request;
    let kill = control.kill_flag();
    let registered = call
        .app
        .queries
        .register(call.owner(), text, bind_vars, Arc::clone(&kill));
    let savepoint = txn.savepoint();
    let result = engine::run(txn, &query.request, control, &session(call));
    drop(registered);
    match result {
        Ok(_) if kill.load(Ordering::Relaxed) => {
            txn.roll_back_to(savepoint);
            Err(ArangoError::query_killed())
        }
        Ok(outcome) => Ok(outcome),
        Err(error) => {
            txn.roll_back_to(savepoint);
            Err(error)
        }
    }
}

/// The `extra` of a cursor.
pub(super) fn extra(outcome: &Outcome) -> Value {
    let warnings = outcome.warnings.iter().map(|warning| {
        Value::object(fields([
            ("code", Value::Int(warning.code.into())),
            ("message", Value::string(&warning.message)),
        ]))
    });
    let mut extra = fields([
        ("warnings", Value::array(warnings.collect())),
        ("stats", stats(outcome)),
    ]);
    if let Some(plan) = &outcome.plan {
        extra.insert("plan", Value::from_json(plan.clone()));
    }
    if let Some(profile) = &outcome.profile {
        extra.insert("profile", Value::from_json(profile.clone()));
    }
    Value::object(extra)
}

/// The counters in the order of the real server.
fn stats(outcome: &Outcome) -> Value {
    let whole = |n: u64| Value::Int(i64::try_from(n).unwrap_or(i64::MAX));
    let stats = &outcome.stats;
    let mut out = fields([
        ("writesExecuted", whole(stats.writes_executed)),
        ("writesIgnored", whole(stats.writes_ignored)),
        ("documentLookups", whole(stats.document_lookups)),
        ("seeks", whole(stats.seeks)),
        ("scannedFull", whole(stats.scanned_full)),
        ("scannedIndex", whole(stats.scanned_index)),
        ("searchParallelism", Value::Int(1)),
        ("cursorsCreated", whole(stats.cursors_created)),
        ("cursorsRearmed", Value::Int(0)),
        ("cacheHits", Value::Int(0)),
        ("cacheMisses", Value::Int(0)),
        ("filtered", whole(stats.filtered)),
        ("httpRequests", Value::Int(0)),
    ]);
    if let Some(count) = stats.full_count {
        out.insert("fullCount", whole(count));
    }
    out.insert("executionTime", Value::from_f64(stats.execution_time));
    out.insert("peakMemoryUsage", whole(stats.peak_memory_usage as u64));
    out.insert("intermediateCommits", Value::Int(0));
    if let Some(nodes) = &outcome.nodes {
        out.insert("nodes", Value::from_json(nodes.clone()));
    }
    Value::object(out)
}
