//! AQL through the engine: statement by statement, against recordings of a real server, and with random queries.

mod collect;
mod errors;
mod explain;
mod expressions;
mod graphs;
mod inline;
mod modify;
mod plans;
mod random;
mod reading;
mod replay;
mod search;
mod support;
mod vectors;
mod window;
