//! The documentation, held against the code: every code, number, text and command that it shows.

#[path = "../common/mod.rs"]
mod common;

mod commands;
mod embedding;
mod errors;
mod grants;
mod limits;
mod page;
mod source;
mod troubleshooting;
