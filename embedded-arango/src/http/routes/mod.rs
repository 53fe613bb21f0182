//! The routes: which function answers which method and path.

mod analyzer;
mod aql;
mod collection;
mod cursor;
mod database;
mod document;
mod edges;
mod gharial;
mod graph_items;
mod import;
mod index;
mod info;
mod job;
mod many;
mod query;
mod transaction;
mod user;
mod view;
mod work;

use super::reply::Reply;
use super::request::Call;
use crate::error::ArangoError;

pub(super) use aql::install_computed_values;

/// Finds the route of a request and lets it answer.
///
/// # Errors
/// Those of the route; 404 for an unknown path, 405 for a method that the path does not take.
pub(super) fn answer(call: &Call) -> Result<Reply, ArangoError> {
    let segments: Vec<&str> = call.target.segments.iter().map(String::as_str).collect();
    match segments.as_slice() {
        ["_api", rest @ ..] => api(call, rest),
        ["_admin", rest @ ..] => info::admin(call, rest),
        _ => Err(call.unknown_path()),
    }
}

fn api(call: &Call, path: &[&str]) -> Result<Reply, ArangoError> {
    match path {
        ["version"] => info::version(call),
        ["engine"] => info::engine(call),
        ["database", rest @ ..] => database::answer(call, rest),
        ["user", rest @ ..] => user::answer(call, rest),
        ["collection", rest @ ..] => collection::answer(call, rest),
        ["document", rest @ ..] => document::answer(call, rest),
        ["edges", collection] => edges::answer(call, collection),
        ["import"] => import::answer(call),
        ["index", rest @ ..] => index::answer(call, rest),
        ["gharial", rest @ ..] => gharial::answer(call, rest),
        ["view", rest @ ..] => view::answer(call, rest),
        ["analyzer", rest @ ..] => analyzer::answer(call, rest),
        ["cursor", rest @ ..] => cursor::answer(call, rest),
        ["explain"] => query::explain(call),
        ["query", rest @ ..] => query::answer(call, rest),
        ["query-cache", rest @ ..] => query::cache(call, rest),
        ["query-plan-cache"] => query::plan_cache(call),
        ["aqlfunction", ..] => query::functions(call),
        ["job", rest @ ..] => job::answer(call, rest),
        ["transaction", rest @ ..] => transaction::answer(call, rest),
        _ => Err(call.unknown_path()),
    }
}
