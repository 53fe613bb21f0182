//! The server's answer to EXPLAIN, read until it is shown to read or refused.
//!
//! Fail closed: the reader knows the form that the server writes, and everything that bears on the verdict must be there, once,
//! and of that form.
//!
//! | part | must be |
//! |---|---|
//! | `error` | `false`; `code`, where it stands, 200 |
//! | `plan` | one object; `plans` was not asked for and alone is no plan |
//! | `plan.isModificationQuery` | `false` |
//! | `plan.collections[]` | objects with a `name` and the `type` `read` |
//! | `plan.nodes` | not empty; each node, at every depth and wherever `nodes` stands, of a type on the read list |
//! | `SingleRemoteOperationNode` | of the mode `IndexNode` |
//! | an expression node (`typeID`) | of a number and name of the table, no call of a user's function, each call on the plan's list |
//!
//! Values of the query's own, which stand under `raw` of an array or object and under `constantValue`, are passed over: a
//! document with the key `nodes` is no plan. The reader keeps its own stack and one frame a level, since a legal sum of 500
//! terms nests a thousand levels deep.

mod fault;
mod frame;
mod nodes;
mod read;

use crate::ask::Notice;
use crate::order::NameSet;

pub(crate) use fault::PlanFault;
pub(crate) use read::read;

/// The largest answer to EXPLAIN that is read, in bytes.
pub(crate) const MAX_BYTES: usize = 8 * 1024 * 1024;

/// The most collections that a plan may name. Smart edge collections count four times.
pub(crate) const MAX_NAMES: usize = 8_192;

/// What a plan says of itself, once it is shown to read.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Plan {
    /// The collections and views that it declares to read.
    pub(crate) collections: NameSet,
    /// The collections that its nodes name.
    pub(crate) touched: NameSet,
    /// The types of its nodes.
    pub(crate) nodes: NameSet,
    /// The estimated cost.
    pub(crate) cost: Option<Estimate>,
    /// The estimated number of rows.
    pub(crate) rows: Option<Estimate>,
    /// What the server warned of while planning.
    pub(crate) warnings: Vec<Notice>,
}

/// A number of the server's.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Estimate {
    /// Its value.
    pub(crate) value: f64,
    /// Its text, digit for digit.
    pub(crate) text: String,
}

impl Estimate {
    /// Its text without a fraction, where it is written without an exponent.
    pub(crate) fn whole(&self) -> &str {
        match self.text.split_once('.') {
            Some((whole, rest)) if rest.bytes().all(|byte| byte.is_ascii_digit()) => whole,
            _ => &self.text,
        }
    }
}

#[cfg(test)]
mod tests;
