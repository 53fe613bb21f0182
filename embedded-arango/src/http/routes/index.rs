//! `/_api/index`: list, describe, create, drop.

use axum::http::Method;

use super::collection::find;
use crate::error::{ArangoError, number};
use crate::http::reply::{Reply, fields};
use crate::http::request::Call;
use crate::value::{Object, Value};

pub(super) fn answer(call: &Call, path: &[&str]) -> Result<Reply, ArangoError> {
    match (&call.method, path) {
        (&Method::GET, []) => list(call),
        (&Method::POST, []) => create(call),
        (&Method::GET, [collection, index]) => {
            let collection = find(call, collection, false)?;
            let found = collection
                .indexes()
                .find(|i| i.name == *index || i.id.to_string() == *index);
            let found = found
                .ok_or_else(|| ArangoError::new(number::INDEX_NOT_FOUND, "index not found"))?;
            Ok(Reply::code_last(200, collection.describe(found)))
        }
        (&Method::DELETE, [collection, index]) => {
            let collection = find(call, collection, true)?;
            let name = &collection.meta().name;
            let dropped = call.database.drop_index(name, index)?;
            Ok(Reply::last(
                200,
                fields([("id", Value::from(format!("{name}/{}", dropped.id)))]),
            ))
        }
        (_, [] | [_, _]) => Err(call.wrong_method()),
        _ => Err(call.unknown_path()),
    }
}

fn wanted(call: &Call) -> Result<&str, ArangoError> {
    let name = call.parameter("collection").filter(|name| !name.is_empty());
    name.ok_or_else(|| ArangoError::bad_parameter("the parameter `collection` is missing"))
}

fn list(call: &Call) -> Result<Reply, ArangoError> {
    let collection = find(call, wanted(call)?, false)?;
    let described: Vec<Object> = collection
        .indexes()
        .map(|index| collection.describe(index))
        .collect();
    let by_id = described.iter().map(|index| {
        (
            index.get("id").map(Value::to_text).unwrap_or_default(),
            Value::object(index.clone()),
        )
    });
    let identifiers: Object = by_id.collect();
    let indexes = described.into_iter().map(Value::object).collect();
    Ok(Reply::first(
        200,
        fields([
            ("indexes", Value::array(indexes)),
            ("identifiers", Value::object(identifiers)),
        ]),
    ))
}

fn create(call: &Call) -> Result<Reply, ArangoError> {
    let collection = find(call, wanted(call)?, true)?;
    let (collection, definition, is_new) = call
        .database
        .ensure_index(&collection.meta().name, &call.json_object()?)?;
    let mut described: Vec<(String, Value)> = collection
        .describe(&definition)
        .into_iter()
        .map(|(name, value)| (name.to_string(), value))
        .collect();
    described.push(("isNewlyCreated".to_owned(), Value::Bool(is_new)));
    described.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(Reply::code_last(
        if is_new { 201 } else { 200 },
        described.into_iter().collect(),
    ))
}
