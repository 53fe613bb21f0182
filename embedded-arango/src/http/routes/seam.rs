//! The engine's functions as the routes call them, until the engine has them: each answers "not implemented".

use std::collections::BTreeMap;

use crate::engine::catalog::Catalog;
use crate::engine::{Control, Outcome, Request};
use crate::error::ArangoError;
use crate::storage::{Mode, Txn};
use crate::value::Value;

/// Who asks, where and when.
#[allow(dead_code, reason = "the engine will read it")]
pub(super) struct Session {
    pub(super) user: Option<String>,
    pub(super) database: String,
    pub(super) version: String,
    pub(super) now_millis: i64,
}

pub(super) fn explain(
    _: &dyn Catalog,
    _: &Request,
    _: &Session,
) -> Result<serde_json::Value, ArangoError> {
    Err(ArangoError::not_implemented("explaining a query"))
}

pub(super) fn parse_only(_: &str) -> Result<serde_json::Value, ArangoError> {
    Err(ArangoError::not_implemented("parsing a query"))
}

pub(super) fn run(
    _: &mut Txn,
    _: &Request,
    _: &Control,
    _: &Session,
) -> Result<Outcome, ArangoError> {
    Err(ArangoError::not_implemented("running a query"))
}

pub(super) fn collections(
    _: &dyn Catalog,
    _: &Request,
    _: &Session,
) -> Result<BTreeMap<String, Mode>, ArangoError> {
    Err(ArangoError::not_implemented("planning a query"))
}

pub(super) fn compute(_: &str, _: &Value) -> Result<Value, ArangoError> {
    Err(ArangoError::not_implemented("a computed value"))
}
