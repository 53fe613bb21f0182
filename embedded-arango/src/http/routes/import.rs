//! `POST /_api/import`: many documents in one of three notations.
//!
//! | `type` | body |
//! |---|---|
//! | `documents` | one JSON object a line |
//! | `list`, `array` | one JSON array of objects |
//! | `auto` | either, told apart by the first character |
//! | none | one JSON array a line; the first one holds the attribute names |

use axum::http::Method;

use crate::error::ArangoError;
use crate::http::reply::{Reply, fields};
use crate::http::request::Call;
use crate::storage::{Mode, OverwriteMode, Txn, WriteOptions};
use crate::value::{Object, Value};

#[derive(Default)]
struct Counts {
    created: i64,
    errors: i64,
    empty: i64,
    updated: i64,
    ignored: i64,
    details: Vec<Value>,
}

/// One line or element of a body.
enum Item {
    Document(Value),
    Empty,
    Bad(String),
}

pub(super) fn answer(call: &Call) -> Result<Reply, ArangoError> {
    if call.method != Method::POST {
        return Err(call.wrong_method());
    }
    let collection = call.parameter("collection").filter(|name| !name.is_empty());
    let collection = collection
        .ok_or_else(|| ArangoError::bad_request("the parameter `collection` is missing"))?;
    if call.database.snapshot().collection(collection).is_none() {
        return Err(ArangoError::data_source_not_found(collection));
    }
    let text = std::str::from_utf8(&call.body)
        .map_err(|_| ArangoError::bad_request("the body is no UTF-8"))?;
    let items = match call.parameter("type") {
        None => table(text)?,
        Some("documents") => lines(text),
        Some("list" | "array") => list(text)?,
        Some("auto") if text.trim_start().starts_with('[') => list(text)?,
        Some("auto") => lines(text),
        Some(_) => {
            return Err(ArangoError::bad_request(
                "invalid `type`, expecting documents, list, array or auto",
            ));
        }
    };
    let complete = call.flag("complete") == Some(true);
    let counts = call.work(collection, Mode::Write, |txn| {
        if call.flag("overwrite") == Some(true) {
            txn.truncate(collection)?;
        }
        let mut counts = Counts::default();
        for (position, item) in items.into_iter().enumerate() {
            store(
                call,
                txn,
                collection,
                position + 1,
                item,
                complete,
                &mut counts,
            )?;
        }
        Ok(counts)
    })?;
    let mut body = fields([
        ("error", Value::Bool(false)),
        ("created", Value::Int(counts.created)),
        ("errors", Value::Int(counts.errors)),
        ("empty", Value::Int(counts.empty)),
        ("updated", Value::Int(counts.updated)),
        ("ignored", Value::Int(counts.ignored)),
    ]);
    if call.flag("details") == Some(true) {
        body.insert("details", Value::array(counts.details));
    }
    Ok(Reply::bare(201, &Value::object(body)))
}

fn store(
    call: &Call,
    txn: &mut Txn,
    collection: &str,
    position: usize,
    item: Item,
    complete: bool,
    counts: &mut Counts,
) -> Result<(), ArangoError> {
    let fail = |counts: &mut Counts, error: ArangoError, text: String| {
        if complete {
            return Err(error);
        }
        counts.errors += 1;
        counts
            .details
            .push(Value::from(format!("at position {position}: {text}")));
        Ok(())
    };
    let document = match item {
        Item::Empty => {
            counts.empty += 1;
            return Ok(());
        }
        Item::Bad(reason) => return fail(counts, ArangoError::bad_request(reason.clone()), reason),
        Item::Document(document) => prefixed(call, document),
    };
    let overwrite = match call.parameter("onDuplicate").unwrap_or("error") {
        "error" => OverwriteMode::Conflict,
        "ignore" => OverwriteMode::Ignore,
        "replace" => OverwriteMode::Replace,
        "update" => OverwriteMode::Update,
        _ => {
            return Err(ArangoError::bad_request(
                "invalid `onDuplicate`, expecting error, update, replace or ignore",
            ));
        }
    };
    let options = WriteOptions {
        overwrite,
        ..WriteOptions::default()
    };
    match txn.insert(collection, &document, &options) {
        Ok(written) if written.ignored => counts.ignored += 1,
        Ok(written) if written.old.is_some() => counts.updated += 1,
        Ok(_) => counts.created += 1,
        Err(error) => {
            let reason = if error.number == crate::error::number::INVALID_EDGE_ATTRIBUTE {
                "missing '_from' or '_to' attribute".to_owned()
            } else {
                format!("creating document failed with error '{}'", error.message)
            };
            let text = format!("{reason}, offending document: {}", document.to_json_text());
            fail(counts, error, text)?;
        }
    }
    Ok(())
}

/// `fromPrefix` and `toPrefix` complete the ends of edges that have no collection.
fn prefixed(call: &Call, document: Value) -> Value {
    let Value::Object(object) = &document else {
        return document;
    };
    let mut changed = (**object).clone();
    for (attribute, parameter) in [("_from", "fromPrefix"), ("_to", "toPrefix")] {
        let (Some(prefix), Some(end)) = (call.parameter(parameter), changed.get(attribute)) else {
            continue;
        };
        let end = end.to_text();
        if !end.contains('/') {
            changed.insert(
                attribute,
                Value::from(format!("{}/{end}", prefix.trim_end_matches('/'))),
            );
        }
    }
    Value::object(changed)
}

fn parse(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("invalid JSON: {error}"))
}

fn lines(text: &str) -> Vec<Item> {
    text.lines()
        .map(|line| match line.trim() {
            "" => Item::Empty,
            line => match parse(line) {
                Ok(document @ Value::Object(_)) => Item::Document(document),
                Ok(other) => Item::Bad(format!(
                    "invalid JSON type (expecting object), offending document: {}",
                    other.to_json_text()
                )),
                Err(reason) => Item::Bad(reason),
            },
        })
        .collect()
}

fn list(text: &str) -> Result<Vec<Item>, ArangoError> {
    match parse(text) {
        Ok(Value::Array(items)) => Ok(items
            .iter()
            .map(|item| match item {
                Value::Object(_) => Item::Document(item.clone()),
                other => Item::Bad(format!(
                    "invalid JSON type (expecting object), offending document: {}",
                    other.to_json_text()
                )),
            })
            .collect()),
        _ => Err(ArangoError::bad_request(
            "expecting a JSON array in the request",
        )),
    }
}

fn table(text: &str) -> Result<Vec<Item>, ArangoError> {
    let mut rows = text.lines();
    let names = match rows.next().map(parse) {
        Some(Ok(Value::Array(names))) => names,
        Some(Ok(Value::Object(_))) if text.lines().count() == 1 => {
            return Err(ArangoError::bad_request(
                "no JSON array found in second line",
            ));
        }
        _ => {
            return Err(ArangoError::bad_request(
                "no JSON array found in second line",
            ));
        }
    };
    let names: Option<Vec<String>> = names
        .iter()
        .map(|name| name.as_str().map(str::to_owned))
        .collect();
    let names = names
        .ok_or_else(|| ArangoError::bad_request("no JSON string array found in first line"))?;
    let items = rows.map(|row| match row.trim() {
        "" => Item::Empty,
        row => match parse(row) {
            Ok(Value::Array(values)) if values.len() == names.len() => {
                let filled = names
                    .iter()
                    .zip(values.iter())
                    .filter(|(_, value)| !value.is_null());
                Item::Document(Value::object(
                    filled
                        .map(|(name, value)| (name.as_str(), value.clone()))
                        .collect::<Object>(),
                ))
            }
            Ok(Value::Array(values)) => Item::Bad(format!(
                "wrong number of JSON values, got {}, expected {}",
                values.len(),
                names.len()
            )),
            Ok(_) => Item::Bad("no valid JSON data".to_owned()),
            Err(reason) => Item::Bad(reason),
        },
    });
    Ok(items.collect())
}
