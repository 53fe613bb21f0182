//! The first step: the text itself, judged by its syntax tree before the server sees anything.
//!
//! | in the text | verdict |
//! |---|---|
//! | longer than the bound, or no AQL of any version | refused, with the place and a hint |
//! | `INSERT`, `UPDATE`, `REPLACE`, `REMOVE`, `UPSERT` as a statement, at any depth | refused: `writes` |
//! | a call of a refused, a user's or an unknown function, its name quoted or not | refused |
//! | a collection or view, by name or bound, that the policy denies or the schema does not know | refused |
//! | a range or `REPEAT` whose literals make more than the bound | refused: planning alone would compute it |
//! | a constant regular expression that backtracks without end | refused: no time limit stops it |
//!
//! The tree decides, not words: strings, comments, quoted names and attributes called `update` are what they are. EXPLAIN of
//! a text that writes would take write locks, which is why such a text ends here.

mod bounds;
mod constants;
mod facts;
mod patterns;

use aql_syntax::ast::Query;

use super::binds::Binds;
use super::names::Names;
use super::refusal::{Refusal, RefusalKind};
use crate::arango::clean;
use crate::ask::Notice;
use crate::order::NameSet;

/// What the text says of what it will read.
#[derive(Debug)]
pub(crate) struct Text {
    /// The syntax tree.
    pub(crate) query: Query,
    /// Collections that it names, by name, by bind parameter, or as a constant argument.
    pub(crate) collections: NameSet,
    /// Where it reads what no plan names, the first of such places, for a message.
    pub(crate) dynamic: Option<&'static str>,
    /// Where only the server's transaction keeps it to what it declares, the first of such places, for a message.
    pub(crate) guarded: Option<&'static str>,
    /// What is valid and likely not meant.
    pub(crate) warnings: Vec<Notice>,
}

/// Judges a text with its bind variables.
pub(crate) fn check(
    text: &str,
    binds: &Binds<'_>,
    names: &dyn Names,
    max_bytes: usize,
) -> Result<Text, Box<Refusal>> {
    if text.len() > max_bytes {
        return Err(Refusal::repairable(
            RefusalKind::Invalid,
            "query-size",
            format!(
                "the query has {} bytes and may have {max_bytes}; write a shorter one",
                text.len()
            ),
        ));
    }
    let query = aql_syntax::parse_any(text).map_err(|error| syntax(&error))?;
    if query.modifies() {
        return Err(Refusal::repairable(
            RefusalKind::Writes,
            "writes",
            "the query writes, and only queries that read are run; write one without INSERT, UPDATE, REPLACE, REMOVE and UPSERT".into(),
        ));
    }
    let facts = facts::gather(&query, binds, names)?;
    Ok(Text {
        collections: facts.collections,
        dynamic: facts.dynamic,
        guarded: facts.guarded,
        warnings: facts.warnings,
        query,
    })
}

fn syntax(error: &aql_syntax::SyntaxError) -> Box<Refusal> {
    let mut message = format!("the query is not AQL: {error}");
    if let Some(hint) = error.hint() {
        message.push_str("; ");
        message.push_str(hint);
    }
    Refusal::repairable(RefusalKind::Syntax, "syntax", clean(&message))
}

#[cfg(test)]
mod tests;
