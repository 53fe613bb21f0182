//! What may run: the only maker of a [`ReadQuery`].

mod read_query;

pub use read_query::ReadQuery;
