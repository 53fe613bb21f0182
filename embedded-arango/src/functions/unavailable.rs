//! Functions that exist and that this server does not compute: they need legacy indexes,
//! JavaScript, a cluster, or are the real server's own. Calling one is an error that names it.

use super::{Function, volatile};
use crate::error::ArangoError;

/// One entry that answers "not implemented by the embedded server".
macro_rules! unavailable {
    ($($name:literal $min:expr, $max:expr;)*) => {
        &[$(volatile($name, $min, $max, |_, _| {
            Err(ArangoError::not_implemented(concat!("function `", $name, "`")))
        })),*]
    };
}

pub(super) const TABLE: &[Function] = unavailable! {
    "FULLTEXT" 3, 4;
    "INTERNAL" 0, 0;
    "MAKE_DISTRIBUTE_GRAPH_INPUT" 1, 1;
    "MAKE_DISTRIBUTE_INPUT" 2, 2;
    "MAKE_DISTRIBUTE_INPUT_WITH_KEY_CREATION" 3, 3;
    "NEAR" 3, 5;
    "SELECT_SMART_DISTRIBUTE_GRAPH_INPUT" 2, 2;
    "SHARD_ID" 2, 2;
    "V8" 1, 1;
    "WITHIN" 4, 5;
    "WITHIN_RECTANGLE" 5, 5;
};
