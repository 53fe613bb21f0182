//! `/_api/document/<collection>` with an array: each document succeeds or fails for itself, in one transaction.

use std::collections::BTreeMap;

use axum::http::Method;

use super::document::{describe, options, write_status};
use crate::error::{ArangoError, number};
use crate::http::reply::{ERROR_CODES, Reply, fields};
use crate::http::request::Call;
use crate::storage::{Mode, Txn, WriteOptions, Written};
use crate::value::Value;

pub(super) fn create(
    call: &Call,
    collection: &str,
    documents: &[Value],
) -> Result<Reply, ArangoError> {
    let options = options(call)?;
    write_each(call, collection, documents, 201, |txn, document| {
        txn.insert(collection, document, &options)
    })
}

pub(super) fn change(call: &Call, collection: &str) -> Result<Reply, ArangoError> {
    let options = options(call)?;
    write_each(call, collection, &body(call)?, 201, |txn, document| {
        let key = key(document, collection)?;
        if call.method == Method::PATCH {
            txn.update(collection, &key, document, &options)
        } else {
            txn.replace(collection, &key, document, &options)
        }
    })
}

pub(super) fn remove(call: &Call, collection: &str) -> Result<Reply, ArangoError> {
    let options = options(call)?;
    write_each(call, collection, &body(call)?, 200, |txn, document| {
        txn.remove(
            collection,
            &key(document, collection)?,
            revision(document, &options).as_deref(),
        )
    })
}

/// `PUT …?onlyget=true`: reads the documents with the given keys.
pub(super) fn read(call: &Call, collection: &str) -> Result<Reply, ArangoError> {
    let wanted = body(call)?;
    let options = options(call)?;
    call.work(collection, Mode::Read, |txn| {
        let each = wanted.iter().map(|wanted| {
            let found = txn
                .get(collection, &key(wanted, collection)?)
                .ok_or_else(ArangoError::document_not_found)?;
            match revision(wanted, &options) {
                Some(revision) if found.get("_rev").as_str() != Some(&*revision) => Err(
                    ArangoError::new(number::CONFLICT, "conflict, _rev values do not match"),
                ),
                _ => Ok(found),
            }
        });
        let mut errors = BTreeMap::new();
        let rows = each
            .map(|result| result.unwrap_or_else(|error| failure(&error, &mut errors)))
            .collect();
        Ok(with_codes(Reply::bare(200, &Value::array(rows)), &errors))
    })
}

fn body(call: &Call) -> Result<Vec<Value>, ArangoError> {
    match call.json()? {
        Value::Array(items) => Ok(items.to_vec()),
        _ => Err(ArangoError::bad_request("expecting an array of documents")),
    }
}

/// The key that an element names: the element itself, or its `_key`, or the part of `_id` after the slash.
fn key(element: &Value, collection: &str) -> Result<String, ArangoError> {
    let named = match element {
        Value::String(text) => text.to_string(),
        Value::Object(_) => match (element.get("_key"), element.get("_id")) {
            (Value::String(key), _) => key.to_string(),
            (Value::Null, Value::String(id)) => id.to_string(),
            _ => return Err(ArangoError::new(1226, "missing document key")),
        },
        _ => {
            return Err(ArangoError::new(
                number::DOCUMENT_HANDLE_BAD,
                "illegal document identifier",
            ));
        }
    };
    match named.split_once('/') {
        None => Ok(named),
        Some((of, key)) if of == collection => Ok(key.to_owned()),
        Some(_) => Err(ArangoError::new(
            number::CROSS_COLLECTION_REQUEST,
            "cross collection request not allowed",
        )),
    }
}

/// The revision that has to match, where revisions count.
fn revision(element: &Value, options: &WriteOptions) -> Option<String> {
    if options.ignore_revs {
        None
    } else {
        element.get("_rev").as_str().map(str::to_owned)
    }
}

fn write_each(
    call: &Call,
    collection: &str,
    documents: &[Value],
    synced: u16,
    mut write: impl FnMut(&mut Txn, &Value) -> Result<Written, ArangoError>,
) -> Result<Reply, ArangoError> {
    let silent = call.flag("silent") == Some(true);
    let mut errors = BTreeMap::new();
    let rows = call.work(collection, Mode::Write, |txn| {
        let mut rows = Vec::with_capacity(documents.len());
        for document in documents {
            match write(txn, document) {
                Ok(_) if silent => {}
                Ok(written) => rows.push(Value::object(describe(call, &written))),
                Err(error) => rows.push(failure(&error, &mut errors)),
            }
        }
        Ok(rows)
    })?;
    Ok(with_codes(
        Reply::bare(write_status(call, collection, synced), &Value::array(rows)),
        &errors,
    ))
}

fn failure(error: &ArangoError, errors: &mut BTreeMap<u16, usize>) -> Value {
    *errors.entry(error.number).or_default() += 1;
    Value::object(fields([
        ("error", Value::Bool(true)),
        ("errorNum", Value::Int(error.number.into())),
        ("errorMessage", Value::string(&error.message)),
    ]))
}

/// Tells how many documents failed, by error number.
fn with_codes(reply: Reply, errors: &BTreeMap<u16, usize>) -> Reply {
    if errors.is_empty() {
        return reply;
    }
    let counts: Vec<String> = errors
        .iter()
        .map(|(number, count)| format!("\"{number}\":{count}"))
        .collect();
    reply.with(ERROR_CODES, format!("{{{}}}", counts.join(",")))
}
