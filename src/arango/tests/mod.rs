//! Tests of the HTTP API, against a server played in the shapes of a real one.

mod client;
mod cursor;
mod failure;
pub(crate) mod fake;
mod faults;
mod random;

pub(crate) use faults::faults;
mod transaction;
