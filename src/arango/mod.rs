//! What speaks ArangoDB's HTTP API: every request of the core's is built here, and every response read here.
//!
//! | module | what it does |
//! |---|---|
//! | [`paths`] | the methods and paths that the core may call, and no other |
//! | [`Client`] | sends a request, tells ArangoDB's own errors from a broken exchange |
//! | [`DatabaseError`] | an error of the server's: whose fault it is, and whether a better query mends it |
//! | [`OwnQuery`] | AQL fixed at compile time |
//! | [`Runnable`] | the three kinds of query that may reach the cursor |
//! | [`canary`] | whether the server refuses what a read-only transaction must not do |
//! | [`version`] | what the server says it is |
//!
//! A response that is not ArangoDB's (HTML, a redirect, JSON of another shape, a body that breaks off) is an error that says
//! so. It is never read as an empty result.

mod body;
pub mod canary;
mod clean;
mod client;
mod cursor;
mod describe;
mod failure;
mod own_query;
mod page;
pub mod paths;
mod rows;
mod transaction;
pub mod version;

#[cfg(test)]
pub(crate) mod tests;

pub use client::Client;
pub use cursor::{Rows, Runnable};
pub use failure::{DatabaseError, Repair};
pub use own_query::{Bound, OwnQuery};
pub use rows::RawRows;

pub(crate) use clean::{clean, clean_to, is_plain};
