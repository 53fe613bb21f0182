//! `GET /_api/edges/<collection>?vertex=…&direction=…`: the edges at a vertex.

use axum::http::Method;

use crate::engine::Stats;
use crate::error::{ArangoError, number};
use crate::http::reply::{Reply, fields};
use crate::http::request::Call;
use crate::storage::{CollectionKind, Direction, Mode};
use crate::value::Value;

pub(super) fn answer(call: &Call, collection: &str) -> Result<Reply, ArangoError> {
    if call.method != Method::GET {
        return Err(call.wrong_method());
    }
    let found = super::collection::find(call, collection, false)?;
    if found.meta().kind != CollectionKind::Edge {
        return Err(ArangoError::new(
            number::COLLECTION_TYPE_INVALID,
            "collection type invalid, expecting an edge collection",
        ));
    }
    let direction = match call.parameter("direction").unwrap_or("any") {
        "" | "any" => Direction::Any,
        "in" | "inbound" => Direction::Inbound,
        "out" | "outbound" => Direction::Outbound,
        _ => {
            return Err(ArangoError::bad_request(
                "`direction` must be \"any\", \"in\" or \"out\"",
            ));
        }
    };
    let vertex = call.parameter("vertex").filter(|vertex| !vertex.is_empty());
    let vertex = vertex.ok_or_else(|| {
        ArangoError::new(
            number::DOCUMENT_HANDLE_BAD,
            "illegal document handle: `vertex` is missing",
        )
    })?;
    let edges = call.work(collection, Mode::Read, |txn| {
        Ok(txn.edges_of(collection, vertex, direction))
    })?;
    let seen = edges.len() as u64;
    let stats = Stats {
        document_lookups: seen,
        scanned_index: seen,
        cursors_created: if direction == Direction::Any { 2 } else { 1 },
        ..Stats::default()
    };
    let body = fields([
        ("edges", Value::array(edges)),
        ("error", Value::Bool(false)),
        ("code", Value::Int(200)),
        ("stats", Value::from_json(stats.to_json())),
    ]);
    Ok(Reply::bare(200, &Value::object(body)))
}
