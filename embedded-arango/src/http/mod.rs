//! The HTTP side: connections, authentication, routes, cursors and stream transactions.
//!
//! axum carries the requests; `routes` decides by method and decoded path segments, because the prefix `/_db/<name>` and
//! the real server's own answers for unknown paths and methods do not fit a table of route patterns. Every request that
//! passed authentication is worked off on a thread of its own with a large stack, so that a deeply nested query cannot
//! overflow it, and no route needs to be asynchronous.

mod app;
mod auth;
mod builder;
mod cursors;
mod faults;
mod jobs;
mod listener;
mod log;
mod queries;
mod reply;
mod request;
mod routes;
mod running;
mod service;
mod threads;
mod transactions;

pub use builder::{Builder, EmbeddedArango};
pub use faults::Faults;
pub use log::Logged;
pub use running::{Running, Stats};
