//! An in-memory server that speaks the HTTP API of ArangoDB 3.12 and runs AQL, for tests and demonstrations.
//!
//! It is measured against recordings of a real server and answers with that server's status codes, error numbers,
//! messages and attribute order. It is not a database: nothing is written to disk, one process serves all of it, and
//! a collection lives in memory as persistent maps, so that a transaction's snapshot is a clone of a pointer.
//!
//! What it refuses, it refuses with an error of the real server's kind: JavaScript transactions, user-defined functions
//! and cluster administration answer "not implemented" and never a made-up result.

pub mod data;
pub mod engine;
pub mod error;
pub mod functions;
pub mod http;
pub mod storage;
pub mod value;

pub use error::ArangoError;
pub use http::{Builder, EmbeddedArango, Faults, Logged, Running, Stats};
