//! `/_api/cursor`: run a query, fetch batches, end a cursor.

use std::time::Duration;

use axum::http::Method;

use super::aql::{Query, extra, run};
use crate::engine::Control;
use crate::error::{ArangoError, number};
use crate::http::cursors::Cursor;
use crate::http::reply::{Reply, fields};
use crate::http::request::Call;
use crate::storage::{Access, Txn};
use crate::value::Value;

pub(super) fn answer(call: &Call, path: &[&str]) -> Result<Reply, ArangoError> {
    match (&call.method, path) {
        (&Method::POST, []) => create(call),
        (&Method::PUT, []) => Err(ArangoError::bad_request(
            "expecting POST /_api/cursor/<cursor-id>",
        )),
        (&Method::POST | &Method::PUT, [id]) => {
            call.app.cursors.next(number(id)?, None, call.owner())
        }
        (&Method::POST, [id, batch]) => {
            call.app
                .cursors
                .next(number(id)?, Some(number(batch)?), call.owner())
        }
        (&Method::DELETE, [id]) => {
            let cursor = number(id)?;
            call.app.cursors.delete(cursor, call.owner())?;
            Ok(Reply::last(202, fields([("id", Value::string(id))])))
        }
        (&Method::DELETE, []) => Err(ArangoError::bad_request(
            "expecting DELETE /_api/cursor/<cursor-id>",
        )),
        (_, [] | [_] | [_, _]) => Err(call.wrong_method()),
        _ => Err(call.unknown_path()),
    }
}

fn number(text: &str) -> Result<u64, ArangoError> {
    text.parse()
        .map_err(|_| ArangoError::new(number::CURSOR_NOT_FOUND, "cursor not found"))
}

/// How the rows are given out.
struct Delivery {
    batch_size: usize,
    count: bool,
    ttl: Duration,
    allow_retry: bool,
}

fn delivery(call: &Call, query: &Query) -> Result<Delivery, ArangoError> {
    let positive = "expecting positive value for <batchSize>";
    let batch_size = match query.body.get("batchSize") {
        Value::Null => 1000,
        given => match given.as_i64().and_then(|n| usize::try_from(n).ok()) {
            Some(n) if n > 0 => n,
            _ => return Err(ArangoError::new(number::TYPE_ERROR, positive)),
        },
    };
    let streams = query.body.get("stream").is_true() || query.option("stream").is_true();
    let count = query.body.get("count").is_true();
    if streams && count {
        return Err(ArangoError::bad_parameter(
            "cannot use 'count' option for a streaming query",
        ));
    }
    let ttl = query
        .body
        .get("ttl")
        .as_f64()
        .filter(|seconds| *seconds > 0.0);
    let ttl = match ttl {
        Some(seconds) => Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX),
        None => call.app.settings.cursor_ttl,
    };
    Ok(Delivery {
        batch_size,
        count,
        ttl,
        allow_retry: query.option("allowRetry").is_true(),
    })
}

fn create(call: &Call) -> Result<Reply, ArangoError> {
    let query = Query::read(call)?;
    let delivery = delivery(call, &query)?;
    let control = Control::new(&query.request.options);
    let (outcome, lease) = match call.lease()? {
        Some(mut lease) => {
            lease.stops_with(control.kill_flag());
            let outcome = run(call, lease.txn()?, &query, &control)?;
            (outcome, Some(lease))
        }
        None => {
            let allow_implicit = query.option("allowImplicit").as_bool().unwrap_or(true);
            let mut txn = Txn::begin(&call.database, Access::query(allow_implicit), &call.user)?;
            let outcome = run(call, &mut txn, &query, &control)?;
            txn.commit()?;
            (outcome, None)
        }
    };
    let extra = extra(&outcome);
    let mut cursor = Cursor::new(call.owner(), outcome.rows, extra);
    cursor.batch_size = delivery.batch_size;
    cursor.show_count = delivery.count;
    cursor.ttl = delivery.ttl;
    cursor.allow_retry = delivery.allow_retry;
    cursor.lease = lease;
    Ok(call
        .app
        .cursors
        .first(call.app.store.clock().next_id(), cursor))
}
