//! AQL: from the text to a plan, from a plan to what explain shows, and from a plan to rows.
//!
//! The same plan serves explain and execution, so that what explain says of a query is what running it does.

pub mod catalog;
mod request;

pub use request::{Control, Outcome, QueryOptions, Request, Stats, Warning};
