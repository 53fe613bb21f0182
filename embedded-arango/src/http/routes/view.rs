//! `/_api/view`: list, describe, create, change, rename, drop.

use std::sync::Arc;

use axum::http::Method;

use crate::error::{ArangoError, number};
use crate::http::reply::{Reply, fields};
use crate::http::request::Call;
use crate::storage::{Level, View, ViewKind};
use crate::value::Value;

pub(super) fn answer(call: &Call, path: &[&str]) -> Result<Reply, ArangoError> {
    if call.method != Method::GET {
        call.require_database(Level::ReadWrite)?;
    }
    match (&call.method, path) {
        (&Method::GET, []) => {
            let snapshot = call.database.snapshot();
            let views = snapshot
                .views()
                .map(|view| Value::object(view.summary()))
                .collect();
            Ok(Reply::result(200, Value::array(views)))
        }
        (&Method::POST, []) => create(call),
        (&Method::GET, [name]) => Ok(Reply::first(200, find(call, name)?.summary())),
        (&Method::GET, [name, "properties"]) => {
            Ok(Reply::first(200, find(call, name)?.properties()))
        }
        (&Method::PUT, [name, "properties"]) => change(call, name, true),
        (&Method::PATCH, [name, "properties"]) => change(call, name, false),
        (&Method::PUT, [name, "rename"]) => {
            let body = call.json_object()?;
            let new_name = body.get("name");
            let new_name = new_name.as_str().ok_or_else(|| {
                ArangoError::new(number::ILLEGAL_NAME, "illegal name: name is missing")
            })?;
            Ok(Reply::bare(
                200,
                &Value::object(call.database.rename_view(name, new_name)?.properties()),
            ))
        }
        (&Method::DELETE, [name]) => {
            call.database.drop_view(name)?;
            Ok(Reply::first(200, fields([("result", Value::Bool(true))])))
        }
        (_, [] | [_] | [_, "properties" | "rename"]) => Err(call.wrong_method()),
        _ => Err(call.unknown_path()),
    }
}

fn find(call: &Call, name: &str) -> Result<Arc<View>, ArangoError> {
    call.database
        .snapshot()
        .view(name)
        .cloned()
        .ok_or_else(|| ArangoError::data_source_not_found(name))
}

fn create(call: &Call) -> Result<Reply, ArangoError> {
    let body = call.json_object()?;
    let (name, kind) = (body.get("name"), body.get("type"));
    let name = name.as_str().ok_or_else(|| {
        ArangoError::bad_parameter("expecting parameter `name` of a view to be a string")
    })?;
    let kind = kind.as_str().and_then(ViewKind::parse);
    let kind = kind.ok_or_else(|| {
        ArangoError::bad_parameter(
            "expecting parameter `type` to be \"arangosearch\" or \"search-alias\"",
        )
    })?;
    require_links(call, &body)?;
    let view = call.database.create_view(name, kind, &body)?;
    Ok(Reply::bare(201, &Value::object(view.properties())))
}

fn change(call: &Call, name: &str, replace: bool) -> Result<Reply, ArangoError> {
    let body = call.json_object()?;
    require_links(call, &body)?;
    let view = call.database.alter_view(name, &body, replace)?;
    Ok(Reply::bare(200, &Value::object(view.properties())))
}

/// Linking a collection takes the right to read it.
fn require_links(call: &Call, body: &Value) -> Result<(), ArangoError> {
    let links = body.get("links");
    for name in links.as_object().into_iter().flat_map(|links| links.keys()) {
        call.require_collection(name, false)?;
    }
    Ok(())
}
