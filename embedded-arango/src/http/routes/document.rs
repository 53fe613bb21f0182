//! `/_api/document`: one document. A body that is an array goes to [`many`].

use axum::http::{Method, header};

use super::many;
use crate::error::{ArangoError, number};
use crate::http::reply::{Reply, fields};
use crate::http::request::Call;
use crate::storage::{Mode, OverwriteMode, Txn, WriteOptions, Written};
use crate::value::{Object, Value};

pub(super) fn answer(call: &Call, path: &[&str]) -> Result<Reply, ArangoError> {
    match (&call.method, path) {
        (&Method::GET | &Method::HEAD, [collection, key]) => read(call, collection, key),
        (&Method::POST, []) => match call.parameter("collection") {
            Some(collection) => create(call, collection),
            None => Err(ArangoError::new(
                number::COLLECTION_PARAMETER_MISSING,
                "parameter `collection` is missing",
            )),
        },
        (&Method::POST, [collection]) => create(call, collection),
        (&Method::PUT | &Method::PATCH, [collection, key]) => change(call, collection, key),
        (&Method::DELETE, [collection, key]) => remove(call, collection, key),
        (&Method::PUT, [collection]) if call.flag("onlyget") == Some(true) => {
            many::read(call, collection)
        }
        (&Method::PUT | &Method::PATCH, [collection]) => many::change(call, collection),
        (&Method::DELETE, [collection]) => many::remove(call, collection),
        (_, [] | [_] | [_, _]) => Err(call.wrong_method()),
        _ => Err(call.unknown_path()),
    }
}

/// How a write behaves, from the parameters.
pub(super) fn options(call: &Call) -> Result<WriteOptions, ArangoError> {
    let overwrite = match (call.parameter("overwriteMode"), call.flag("overwrite")) {
        (Some(mode), _) => OverwriteMode::parse(mode.trim_matches('"')).ok_or_else(|| {
            ArangoError::bad_parameter(
                "invalid value for `overwriteMode`, expecting conflict, ignore, replace or update",
            )
        })?,
        (None, Some(true)) => OverwriteMode::Replace,
        _ => OverwriteMode::Conflict,
    };
    Ok(WriteOptions {
        overwrite,
        keep_null: call.flag("keepNull").unwrap_or(true),
        merge_objects: call.flag("mergeObjects").unwrap_or(true),
        ignore_revs: call.flag("ignoreRevs").unwrap_or(true),
    })
}

/// The status of a write: `synced` where the collection or the request waits for the disk, else 202.
pub(super) fn write_status(call: &Call, collection: &str, synced: u16) -> u16 {
    let waits = call
        .database
        .snapshot()
        .collection(collection)
        .is_some_and(|found| found.meta().wait_for_sync);
    if waits || call.flag("waitForSync") == Some(true) {
        synced
    } else {
        202
    }
}

/// `_id`, `_key`, `_rev`, `_oldRev`, and the documents that the parameters ask for.
pub(super) fn describe(call: &Call, written: &Written) -> Object {
    let current = written
        .new
        .as_ref()
        .or(written.old.as_ref())
        .cloned()
        .unwrap_or_default();
    let mut out = fields([
        ("_id", current.get("_id")),
        ("_key", current.get("_key")),
        ("_rev", current.get("_rev")),
    ]);
    if let (Some(old), Some(_), false) = (&written.old, &written.new, written.ignored) {
        out.insert("_oldRev", old.get("_rev"));
    }
    if let (Some(true), Some(new)) = (call.flag("returnNew"), &written.new) {
        out.insert("new", new.clone());
    }
    if let (Some(true), Some(old)) = (call.flag("returnOld"), &written.old) {
        out.insert("old", old.clone());
    }
    out
}

/// The answer to a write of one document.
fn written(call: &Call, status: u16, written: &Written) -> Reply {
    let described = describe(call, written);
    let id = described.get("_id").map(Value::to_text).unwrap_or_default();
    let revision = described
        .get("_rev")
        .map(Value::to_text)
        .unwrap_or_default();
    let body = if call.flag("silent") == Some(true) {
        Object::default()
    } else {
        described
    };
    Reply::bare(status, &Value::object(body))
        .with(header::ETAG, format!("\"{revision}\""))
        .with(
            header::LOCATION,
            call.location(&format!("/_api/document/{id}")),
        )
}

/// The revision of `if-match` or `if-none-match`, without its quotes.
fn expected<'a>(call: &'a Call, name: &str) -> Option<&'a str> {
    call.header(name).map(|text| text.trim().trim_matches('"'))
}

/// The answer where a revision is not the expected one; it tells the present one.
fn precondition_failed(document: &Value) -> Reply {
    let body = fields([
        ("error", Value::Bool(true)),
        ("code", Value::Int(412)),
        ("errorNum", Value::Int(number::CONFLICT.into())),
        (
            "errorMessage",
            Value::string("conflict, _rev values do not match"),
        ),
        ("_id", document.get("_id")),
        ("_key", document.get("_key")),
        ("_rev", document.get("_rev")),
    ]);
    Reply::bare(412, &Value::object(body)).with(
        header::ETAG,
        format!("\"{}\"", document.get("_rev").to_text()),
    )
}

fn read(call: &Call, collection: &str, key: &str) -> Result<Reply, ArangoError> {
    let document = call.work(collection, Mode::Read, |txn| {
        let found = txn.get(collection, key);
        found.ok_or_else(ArangoError::document_not_found)
    })?;
    let revision = document.get("_rev").to_text();
    if expected(call, "if-none-match") == Some(&revision) {
        return Ok(Reply::empty(304).with(header::ETAG, format!("\"{revision}\"")));
    }
    if expected(call, "if-match").is_some_and(|wanted| wanted != revision) {
        return Ok(precondition_failed(&document));
    }
    Ok(Reply::bare(200, &document).with(header::ETAG, format!("\"{revision}\"")))
}

fn create(call: &Call, collection: &str) -> Result<Reply, ArangoError> {
    let body = call.json()?;
    if let Value::Array(documents) = &body {
        return many::create(call, collection, documents);
    }
    let options = options(call)?;
    let result = call.work(collection, Mode::Write, |txn| {
        txn.insert(collection, &body, &options)
    })?;
    Ok(written(call, write_status(call, collection, 201), &result))
}

/// Writes one document unless its revision is not the expected one, in which case the answer is ready.
fn guarded(
    call: &Call,
    collection: &str,
    key: &str,
    write: impl FnOnce(&mut Txn) -> Result<Written, ArangoError>,
) -> Result<Result<Written, Reply>, ArangoError> {
    let wanted = expected(call, "if-match").map(str::to_owned);
    call.work(collection, Mode::Write, |txn| {
        let present = txn
            .get(collection, key)
            .ok_or_else(ArangoError::document_not_found)?;
        if wanted.is_some_and(|wanted| present.get("_rev").as_str() != Some(&*wanted)) {
            return Ok(Err(precondition_failed(&present)));
        }
        match write(txn) {
            Err(error) if error.number == number::CONFLICT => {
                Ok(Err(precondition_failed(&present)))
            }
            result => result.map(Ok),
        }
    })
}

fn change(call: &Call, collection: &str, key: &str) -> Result<Reply, ArangoError> {
    let body = call.json()?;
    let options = options(call)?;
    let result = guarded(call, collection, key, |txn| {
        if call.method == Method::PATCH {
            txn.update(collection, key, &body, &options)
        } else {
            txn.replace(collection, key, &body, &options)
        }
    })?;
    Ok(match result {
        Ok(result) => written(call, write_status(call, collection, 201), &result),
        Err(reply) => reply,
    })
}

fn remove(call: &Call, collection: &str, key: &str) -> Result<Reply, ArangoError> {
    let result = guarded(call, collection, key, |txn| {
        txn.remove(collection, key, None)
    })?;
    Ok(match result {
        Ok(result) => written(call, write_status(call, collection, 200), &result),
        Err(reply) => reply,
    })
}
