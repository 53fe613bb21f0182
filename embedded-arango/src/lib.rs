//! An in-memory server that speaks the HTTP API of ArangoDB 3.12 and runs AQL, for tests and demonstrations.
//!
//! It is measured against recordings of a real server and answers with that server's status codes, error numbers,
//! messages and attribute order. It is not a database: nothing is written to disk, one process serves all of it, and
//! a collection lives in memory as persistent maps, so that a transaction's snapshot is a clone of a pointer.
//!
//! ```
//! use embedded_arango::EmbeddedArango;
//! use embedded_arango::data::DataSet;
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let running = EmbeddedArango::builder()
//!     .password("secret")
//!     .data(DataSet::demo().fill("bookshop"))
//!     .start()
//!     .await?;
//! let before = running.digest("bookshop")?;
//! // … a client talks to `running.url()` as `root` …
//! assert_eq!(running.digest("bookshop")?, before, "nothing was written");
//! assert_eq!(running.stats().open_transactions, 0, "nothing was left open");
//! running.shutdown().await?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! For tests of clients there are [`Running::requests`] (what was sent), [`Running::faults`] (stalled, delayed, killed and
//! lost requests), [`Running::digest`] and [`Running::stats`].
//!
//! # Decisions
//!
//! - **Snapshots, not locks.** Readers and ordinary writers never wait; of two transactions that change one document, the
//!   second fails with 1200 when it writes, or, while the first has not committed, when it commits. The real server makes the
//!   second wait for the first in that case.
//! - **A thread for each request**, with a stack that a deeply nested query cannot overflow.
//! - **Rows are computed at once.** A cursor holds what is left of them; `stream` changes nothing but the rules for `count`.
//! - **What is left out says so** with 501: JavaScript transactions, user-defined functions, smart and satellite graphs' special storage, backup, replication.
//!
//! What it refuses, it refuses with an error of the real server's kind: JavaScript transactions, user-defined functions
//! and cluster administration answer "not implemented" and never a made-up result.

pub mod data;
pub mod engine;
pub mod error;
pub mod functions;
pub mod http;
pub mod schema;
pub mod storage;
pub mod value;

pub use error::ArangoError;
pub use http::{Builder, EmbeddedArango, Faults, Logged, Running, Stats};
