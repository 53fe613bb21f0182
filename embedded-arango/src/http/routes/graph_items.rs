//! `/_api/gharial/<graph>/vertex|edge/<collection>[/<key>]`: vertices and edges, kept consistent with their graph.
//!
//! An edge's ends must exist and belong to the definition; removing a vertex removes the edges at it.

use axum::http::{Method, header};

use super::document::{options, write_status};
use crate::engine::catalog::GraphInfo;
use crate::error::{ArangoError, number};
use crate::http::reply::{Reply, fields};
use crate::http::request::Call;
use crate::storage::{Direction, Mode, Txn, WriteOptions, Written, split_id};
use crate::value::Value;

/// Vertices of the graph.
pub(super) fn vertex(call: &Call, graph: &GraphInfo, path: &[&str]) -> Result<Reply, ArangoError> {
    let [collection, ..] = path else {
        return Err(call.wrong_method());
    };
    if !graph
        .vertex_collections()
        .iter()
        .any(|name| name == collection)
    {
        let message = format!(
            "vertex collection '{collection}' does not exist in graph '{}'",
            graph.name
        );
        return Err(ArangoError::new(
            number::GRAPH_VERTEX_COLLECTION_MISSING,
            message,
        ));
    }
    if let (&Method::DELETE, [_, key]) = (&call.method, path) {
        return remove_vertex(call, graph, collection, key);
    }
    item(call, "vertex", path, |_, _| Ok(()))
}

/// Edges of the graph.
pub(super) fn edge(call: &Call, graph: &GraphInfo, path: &[&str]) -> Result<Reply, ArangoError> {
    let [collection, ..] = path else {
        return Err(call.wrong_method());
    };
    let definition = graph
        .edges
        .iter()
        .find(|edge| edge.collection == *collection)
        .ok_or_else(|| {
            ArangoError::new(
                number::GRAPH_EDGE_COLLECTION_NOT_USED,
                "edge collection not used in graph",
            )
        })?;
    item(call, "edge", path, |txn, document| {
        for (attribute, allowed) in [("_from", &definition.from), ("_to", &definition.to)] {
            let end = document.get(attribute);
            if end.is_null() && call.method == Method::PATCH {
                continue;
            }
            let Some((of, key)) = end.as_str().and_then(split_id) else {
                return Err(ArangoError::new(
                    number::INVALID_EDGE_ATTRIBUTE,
                    "edge attribute missing or invalid",
                ));
            };
            if !allowed.iter().any(|name| name == of) {
                let message =
                    format!("referenced {attribute} collection '{of}' is not part of the graph");
                return Err(ArangoError::new(
                    number::GRAPH_REFERENCED_VERTEX_MISSING,
                    message,
                ));
            }
            txn.open(of, Mode::Read)?;
            if txn.get(of, key).is_none() {
                return Err(ArangoError::document_not_found());
            }
        }
        Ok(())
    })
}

/// Reads or writes one item; `check` sees what is about to be written.
fn item(
    call: &Call,
    what: &'static str,
    path: &[&str],
    check: impl FnOnce(&mut Txn, &Value) -> Result<(), ArangoError>,
) -> Result<Reply, ArangoError> {
    match (&call.method, path) {
        (&Method::GET, [collection, key]) => {
            let found = call.work(collection, Mode::Read, |txn| {
                txn.get(collection, key)
                    .ok_or_else(ArangoError::document_not_found)
            })?;
            let revision = found.get("_rev").to_text();
            if call.header("if-none-match").map(unquoted) == Some(&revision) {
                return Ok(Reply::empty(304).with(header::ETAG, revision));
            }
            expect(call, &found)?;
            Ok(Reply::first(200, fields([(what, found)])).with(header::ETAG, revision))
        }
        (&Method::POST, [collection]) => {
            let body = call.json_object()?;
            let written = call.work(collection, Mode::Write, |txn| {
                check(txn, &body)?;
                txn.insert(collection, &body, &WriteOptions::default())
            })?;
            Ok(answer(
                call,
                what,
                write_status(call, collection, 201),
                &written,
            ))
        }
        (&Method::PUT | &Method::PATCH, [collection, key]) => {
            let body = call.json_object()?;
            let options = options(call)?;
            let written = call.work(collection, Mode::Write, |txn| {
                expect(
                    call,
                    &txn.get(collection, key)
                        .ok_or_else(ArangoError::document_not_found)?,
                )?;
                check(txn, &body)?;
                if call.method == Method::PATCH {
                    txn.update(collection, key, &body, &options)
                } else {
                    txn.replace(collection, key, &body, &options)
                }
            })?;
            Ok(answer(
                call,
                what,
                write_status(call, collection, 200),
                &written,
            ))
        }
        (&Method::DELETE, [collection, key]) => {
            let written = call.work(collection, Mode::Write, |txn| {
                expect(
                    call,
                    &txn.get(collection, key)
                        .ok_or_else(ArangoError::document_not_found)?,
                )?;
                txn.remove(collection, key, None)
            })?;
            Ok(removed(call, write_status(call, collection, 200), &written))
        }
        (_, [_] | [_, _]) => Err(call.wrong_method()),
        _ => Err(call.unknown_path()),
    }
}

fn remove_vertex(
    call: &Call,
    graph: &GraphInfo,
    collection: &str,
    key: &str,
) -> Result<Reply, ArangoError> {
    let id = format!("{collection}/{key}");
    let written = call.work(collection, Mode::Write, |txn| {
        expect(
            call,
            &txn.get(collection, key)
                .ok_or_else(ArangoError::document_not_found)?,
        )?;
        let written = txn.remove(collection, key, None)?;
        for definition in &graph.edges {
            txn.open(&definition.collection, Mode::Write)?;
            for edge in txn.edges_of(&definition.collection, &id, Direction::Any) {
                txn.remove(&definition.collection, &edge.get("_key").to_text(), None)?;
            }
        }
        Ok(written)
    })?;
    Ok(removed(call, write_status(call, collection, 200), &written))
}

/// Refuses where `if-match` or the parameter `rev` wants another revision.
fn expect(call: &Call, document: &Value) -> Result<(), ArangoError> {
    let wanted = call
        .header("if-match")
        .map(unquoted)
        .or_else(|| call.parameter("rev"));
    match wanted {
        Some(wanted) if document.get("_rev").as_str() != Some(wanted) => Err(ArangoError::new(
            number::CONFLICT,
            "conflict, _rev values do not match",
        )
        .with_http(412)),
        _ => Ok(()),
    }
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches('"')
}

fn answer(call: &Call, what: &'static str, status: u16, written: &Written) -> Reply {
    let new = written.new.clone().unwrap_or_default();
    let revision = new.get("_rev");
    let mut described = fields([("_id", new.get("_id")), ("_key", new.get("_key"))]);
    if let Some(old) = &written.old {
        described.insert("_oldRev", old.get("_rev"));
    }
    described.insert("_rev", revision.clone());
    let mut body = fields([(what, Value::object(described))]);
    if call.flag("returnNew") == Some(true) {
        body.insert("new", new);
    }
    if let (Some(true), Some(old)) = (call.flag("returnOld"), &written.old) {
        body.insert("old", old.clone());
    }
    Reply::first(status, body).with(header::ETAG, revision.to_text())
}

fn removed(call: &Call, status: u16, written: &Written) -> Reply {
    let mut body = fields([("removed", Value::Bool(true))]);
    if let (Some(true), Some(old)) = (call.flag("returnOld"), &written.old) {
        body.insert("old", old.clone());
    }
    Reply::first(status, body)
}
