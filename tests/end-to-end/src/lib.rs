//! What the end-to-end tests share: an embedded server, a host that runs the built component against it, and everything
//! that crossed the boundary, kept for looking at.
//!
//! A [`Stage`] is one server, one host, one tenant. [`Stage::finish`] asserts that nothing is left open on the server; every
//! test ends with it.

mod ask;
mod model;
mod spy;
mod stage;

pub use ask::{execute, read};
pub use model::Replies;
pub use spy::{Crossing, Spy};
pub use stage::{Calls, DATABASE, Stage, StageOptions, reply};
