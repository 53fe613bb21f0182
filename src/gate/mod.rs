//! What may run: the only maker of a [`ReadQuery`].

mod binds;
mod functions;
mod names;
mod nearest;
mod plan;
mod read_query;
mod refusal;
#[cfg(test)]
mod testing;
mod text;

pub use read_query::ReadQuery;
pub use refusal::{Refusal, RefusalKind};
