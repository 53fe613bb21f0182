//! `APPROX_NEAR_COSINE()`, `APPROX_NEAR_L2()` and `APPROX_NEAR_INNER_PRODUCT()`: the planner puts a search of a vector index in
//! their place. Where it could not, the call is an error, as on the real server; it is never computed row by row.

use super::{Function, pure as call};
use crate::error::{ArangoError, number};
use crate::value::Value;

pub(super) const TABLE: &[Function] = &[
    call("APPROX_NEAR_COSINE", 2, 3, |_, _| not_applied()),
    call("APPROX_NEAR_INNER_PRODUCT", 2, 3, |_, _| not_applied()),
    call("APPROX_NEAR_L2", 2, 3, |_, _| not_applied()),
];

fn not_applied() -> Result<Value, ArangoError> {
    Err(ArangoError::new(
        number::QUERY_VECTOR_SEARCH_NOT_APPLIED,
        "AQL: vector search not applied: it needs a vector index on the attribute with the function's metric, and \
         FOR, SORT by the function (DESC; ASC for APPROX_NEAR_L2) and LIMIT in this order",
    ))
}
