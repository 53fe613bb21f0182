//! `/_api/transaction`: stream transactions. One that runs JavaScript is refused.

use std::time::Duration;

use axum::http::Method;

use crate::error::{ArangoError, number};
use crate::http::reply::{Reply, fields};
use crate::http::request::Call;
use crate::http::transactions::Phase;
use crate::storage::{Access, Level, Txn};
use crate::value::{Object, Value};

pub(super) fn answer(call: &Call, path: &[&str]) -> Result<Reply, ArangoError> {
    match (&call.method, path) {
        (&Method::POST, ["begin"]) => begin(call),
        (&Method::POST, []) => Err(ArangoError::not_implemented("a JavaScript transaction")),
        (&Method::GET, []) => {
            // An administrator sees everybody's.
            let everybody = call.user.database_level("_system") == Level::ReadWrite;
            let user = (!everybody).then_some(call.user.name.as_str());
            let running = call.app.transactions.running(call.database.name(), user);
            let rows = running.iter().map(|id| {
                Value::object(fields([
                    ("id", Value::from(id.to_string())),
                    ("state", Value::string("running")),
                ]))
            });
            let body = fields([("transactions", Value::array(rows.collect()))]);
            Ok(Reply::bare(200, &Value::object(body)))
        }
        (&Method::GET, [id]) => {
            let id = number(id)?;
            let phase = call.app.transactions.phase(id, call.owner())?;
            Ok(state(200, id, phase))
        }
        (&Method::PUT, [id]) => {
            let id = number(id)?;
            call.app.transactions.commit(id, call.owner())?;
            Ok(state(200, id, Phase::Committed))
        }
        (&Method::DELETE, ["write"]) => Err(ArangoError::not_implemented(
            "aborting all write transactions",
        )),
        (&Method::DELETE, [id]) => {
            let id = number(id)?;
            // Only after this is known to be the caller's own may cursors be ended.
            call.app.transactions.phase(id, call.owner())?;
            call.app.cursors.delete_of_transaction(id);
            call.app.transactions.abort(id, call.owner())?;
            Ok(state(200, id, Phase::Aborted))
        }
        (_, [] | [_]) => Err(call.wrong_method()),
        _ => Err(call.unknown_path()),
    }
}

fn number(id: &str) -> Result<u64, ArangoError> {
    id.parse()
        .map_err(|_| ArangoError::bad_parameter("bad transaction ID"))
}

fn state(status: u16, id: u64, phase: Phase) -> Reply {
    let result = fields([
        ("id", Value::from(id.to_string())),
        ("status", Value::string(phase.name())),
    ]);
    let body = fields([
        ("code", Value::Int(status.into())),
        ("error", Value::Bool(false)),
        ("result", Value::object(result)),
    ]);
    Reply::bare(status, &Value::object(body))
}

fn begin(call: &Call) -> Result<Reply, ArangoError> {
    if call.header("x-arango-trx-id").is_some() {
        return Err(ArangoError::new(
            number::TRANSACTION_NESTED,
            "nested transactions detected",
        ));
    }
    let body = call.json_object()?;
    let Value::Object(collections) = body.get("collections") else {
        return Err(ArangoError::bad_parameter(
            "missing/invalid collections attribute for transaction",
        ));
    };
    let [read, write, exclusive] =
        ["read", "write", "exclusive"].map(|mode| names(&collections, mode));
    let allow_implicit = body.get("allowImplicit").as_bool().unwrap_or(true);
    let mut access = Access::stream(read?, write?, exclusive?, allow_implicit);
    if let Some(seconds) = body.get("lockTimeout").as_f64() {
        access.lock_timeout = Duration::try_from_secs_f64(seconds)
            .map_err(|_| ArangoError::bad_parameter("lockTimeout needs to be positive"))?;
    }
    let txn = Txn::begin(&call.database, access, &call.user)?;
    let id = call.app.transactions.add(call.owner(), txn);
    Ok(state(201, id, Phase::Running))
}

/// One name, or an array of names.
fn names(collections: &Object, mode: &str) -> Result<Vec<String>, ArangoError> {
    match collections.get(mode) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::String(name)) => Ok(vec![name.to_string()]),
        Some(Value::Array(names)) if names.iter().all(|name| name.as_str().is_some()) => Ok(names
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect()),
        Some(_) => Err(ArangoError::bad_parameter(format!(
            "invalid collections attribute `{mode}`, expecting a name or an array of names"
        ))),
    }
}
