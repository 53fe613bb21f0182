//! A configured node.

mod raw_query;

pub use raw_query::RawQuery;
