//! The built-in functions of AQL: a table by name, and what a function may ask of the query that calls it.
//!
//! A [`Function`] is plain data; [`lookup`] and [`resolve`] find it. Everything a function needs beyond its arguments
//! goes through [`Host`]: warnings, documents, the clock, the memory limit, the kill flag. A wrong argument gives
//! `null` and a warning, as on the server, save where the server raises an error. No function panics, recurses
//! without bound or runs without end on any input; what produces much memory charges it first.
//!
//! What needs JavaScript, a cluster or an index of an older kind is in the table too, and answers with an error that says
//! so: never with a made-up value.

mod analyzer;
mod arguments;
mod array;
mod bits;
mod cast;
mod date;
mod dispatch;
mod encoding;
mod geo;
mod hashes;
mod identity;
mod messages;
mod numeric;
mod object;
mod pattern;
mod random;
mod runtime;
mod search;
mod sets;
mod similarity;
mod statistics;
mod string;
mod substitute;
mod unavailable;
mod vector;

use std::collections::HashMap;
use std::sync::OnceLock;
use std::time::Duration;

use crate::error::ArangoError;
use crate::value::Value;

pub use analyzer::{Analyzer, Token};
pub(crate) use analyzer::{named as named_analyzer, needs_shapes};
pub(crate) use date::iso_text;
pub use pattern::{like, regex_test};
pub(crate) use similarity::edits;

/// The code of a function: reads its arguments, may ask the [`Context`], and gives a value.
pub type Eval = fn(&mut Context<'_>, &[Value]) -> Result<Value, ArangoError>;

/// A built-in function.
#[derive(Debug)]
pub struct Function {
    /// The name in upper case.
    pub name: &'static str,
    /// The fewest arguments it takes.
    pub min_args: usize,
    /// The most arguments it takes; `usize::MAX` where there is no limit.
    pub max_args: usize,
    /// Whether equal arguments always give an equal result, so that a constant call can be computed while planning.
    pub deterministic: bool,
    /// The code. Call it with an allowed number of arguments; missing ones read as `null`.
    pub eval: Eval,
}

/// What a function may ask of the query that runs it.
pub trait Host {
    /// Notes a warning of the query.
    ///
    /// # Errors
    /// The warning itself, where the query asked that warnings fail it.
    fn warn(&mut self, number: u16, message: String) -> Result<(), ArangoError>;

    /// The document with the `_id` (`collection/key`), or `None` where there is none.
    ///
    /// # Errors
    /// Where the collection may not be read (1652, 11), but not where it or the document does not exist.
    fn document(&mut self, id: &str) -> Result<Option<Value>, ArangoError>;

    /// How many documents a collection has.
    ///
    /// # Errors
    /// 1203 for an unknown collection; 1652 and 11 as for [`Host::document`].
    fn collection_count(&mut self, name: &str) -> Result<i64, ArangoError>;

    /// Identifier and name of each collection that the user may see, as pairs, ordered by name.
    ///
    /// # Errors
    /// Whatever keeps the catalog from being read.
    fn collections(&mut self) -> Result<Vec<(String, String)>, ArangoError>;

    /// The validation schema of a collection, or `null`.
    ///
    /// # Errors
    /// 1203 for an unknown collection.
    fn schema(&mut self, name: &str) -> Result<Value, ArangoError>;

    /// The definition of an analyzer of the database, `{type, properties}`; `None` leaves a name to the built-in ones.
    ///
    /// # Errors
    /// Whatever keeps the database from being read.
    fn analyzer(&mut self, name: &str) -> Result<Option<Value>, ArangoError> {
        let _ = name;
        Ok(None)
    }

    /// The rows of a query that reads no data, with a value as the bind parameter `param`.
    ///
    /// # Errors
    /// Those of the query; 501 from a host that runs none.
    fn evaluate(&mut self, query: &str, parameter: &Value) -> Result<Vec<Value>, ArangoError> {
        let _ = (query, parameter);
        Err(ArangoError::not_implemented("a query within a function"))
    }

    /// Milliseconds since 1970 in UTC; the same for a whole query.
    fn now_millis(&self) -> i64;

    /// The name of the user, or `None` where authentication is off.
    fn user(&self) -> Option<String>;

    /// The name of the database.
    fn database(&self) -> String;

    /// The version that the server reports.
    fn version(&self) -> String;

    /// Waits.
    ///
    /// # Errors
    /// 1500 as soon as the query is killed or its time is up.
    fn sleep(&mut self, time: Duration) -> Result<(), ArangoError>;

    /// Whether the query may go on; long loops ask now and then.
    ///
    /// # Errors
    /// 1500 where the query was killed or its time is up.
    fn check_killed(&self) -> Result<(), ArangoError>;

    /// Charges memory to the query that a function is about to fill, or has filled so far. A host may give it back at
    /// once, as a result is mostly handed on and dropped; what is charged in one call is always a whole.
    ///
    /// # Errors
    /// 32 where the query's memory limit is reached.
    fn charge(&mut self, bytes: usize) -> Result<(), ArangoError>;
}

/// What a function's code gets beside its arguments.
pub struct Context<'a> {
    /// The query that runs it.
    pub host: &'a mut dyn Host,
}

/// The function of a name in upper case, or `None`.
pub fn lookup(name_upper: &str) -> Option<&'static Function> {
    static TABLE: OnceLock<HashMap<&'static str, &'static Function>> = OnceLock::new();
    TABLE
        .get_or_init(|| all().map(|function| (function.name, function)).collect())
        .get(name_upper)
        .copied()
}

/// The function of a name in any case, checked against the number of arguments.
///
/// # Errors
/// 1540 for an unknown name, 1541 for a wrong number of arguments, in the server's words.
pub fn resolve(name: &str, arguments: usize) -> Result<&'static Function, ArangoError> {
    let function =
        lookup(&name.to_ascii_uppercase()).ok_or_else(|| messages::unknown_function(name))?;
    if (function.min_args..=function.max_args).contains(&arguments) {
        Ok(function)
    } else {
        Err(messages::argument_count(function))
    }
}

/// All functions, grouped by category.
pub fn all() -> impl Iterator<Item = &'static Function> {
    [
        array::TABLE,
        bits::TABLE,
        cast::TABLE,
        date::TABLE,
        dispatch::TABLE,
        encoding::TABLE,
        geo::TABLE,
        identity::TABLE,
        numeric::TABLE,
        object::TABLE,
        pattern::TABLE,
        random::TABLE,
        runtime::TABLE,
        search::TABLE,
        sets::TABLE,
        similarity::TABLE,
        statistics::TABLE,
        string::TABLE,
        substitute::TABLE,
        unavailable::TABLE,
        vector::TABLE,
    ]
    .into_iter()
    .flatten()
}

/// A table entry of a deterministic function.
const fn pure(name: &'static str, min_args: usize, max_args: usize, eval: Eval) -> Function {
    Function {
        name,
        min_args,
        max_args,
        deterministic: true,
        eval,
    }
}

/// A table entry of a function whose result depends on more than its arguments, or that acts.
const fn volatile(name: &'static str, min_args: usize, max_args: usize, eval: Eval) -> Function {
    Function {
        name,
        min_args,
        max_args,
        deterministic: false,
        eval,
    }
}
