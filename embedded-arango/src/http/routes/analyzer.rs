//! `/_api/analyzer`: list, describe, create, drop. Definitions are kept; whether a type can tokenize is another matter.

use axum::http::Method;

use crate::error::ArangoError;
use crate::http::reply::{Reply, fields};
use crate::http::request::Call;
use crate::storage::{Analyzer, Level};
use crate::value::Value;

pub(super) fn answer(call: &Call, path: &[&str]) -> Result<Reply, ArangoError> {
    let database = call.database.name();
    match (&call.method, path) {
        (&Method::GET, []) => {
            let snapshot = call.database.snapshot();
            let own = snapshot.analyzers().cloned();
            let all = Analyzer::all_built_in().into_iter().chain(own);
            let described = all.map(|analyzer| Value::object(analyzer.describe(database)));
            Ok(Reply::result(200, Value::array(described.collect())))
        }
        (&Method::GET, [name]) => {
            let analyzer = call
                .database
                .snapshot()
                .analyzer(name)
                .ok_or_else(ArangoError::document_not_found)?;
            Ok(Reply::first(200, analyzer.describe(database)))
        }
        (&Method::POST, []) => {
            call.require_database(Level::ReadWrite)?;
            let (analyzer, is_new) = call.database.create_analyzer(&call.json_object()?)?;
            Ok(Reply::bare(
                if is_new { 201 } else { 200 },
                &Value::object(analyzer.describe(database)),
            ))
        }
        (&Method::DELETE, [name]) => {
            call.require_database(Level::ReadWrite)?;
            let analyzer = call
                .database
                .drop_analyzer(name, call.flag("force") == Some(true))?;
            Ok(Reply::first(
                200,
                fields([("name", Value::from(analyzer.full_name(database)))]),
            ))
        }
        (_, [] | [_]) => Err(call.wrong_method()),
        _ => Err(call.unknown_path()),
    }
}
