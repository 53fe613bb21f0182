//! Rows as a Markdown table and as plain text, for people and for models. Rows themselves pass elsewhere, untouched.
//!
//! Both read the rows' raw JSON text: numbers keep every digit, keys their order. Only here values are shortened, and each
//! shortened value says so in its place.
//!
//! | a value | is shown as |
//! |---|---|
//! | missing | nothing |
//! | `null`, `true`, a number | as it stands in the JSON text |
//! | a string | its characters, without quotes |
//! | an array or object | its JSON text without white space |
//! | an array of more than 32 numbers | `[1536 numbers]` |
//! | longer than 256 characters | its beginning and `… (+N characters)` |
//! | a control or direction-changing character | its escape, such as `\u202e` |

mod cell;
mod markdown;
mod plain;

pub(crate) use cell::shorten;

use std::borrow::Cow;

use crate::arango::RawRows;
use crate::json;
use crate::order::NameSet;

/// The rows as a table of GitHub-flavoured Markdown; empty where there are no rows.
///
/// The header is the union of the rows' keys in the order in which they first appear. Rows that are arrays or scalars fill
/// columns `A`, `B`, … beside them. At most 100 columns are shown; a last column says how many were left out.
pub fn table(rows: &RawRows) -> String {
    markdown::table(&Grid::new(rows))
}

/// The rows as plain text, a line each; empty where there are no rows.
pub fn text(rows: &RawRows) -> String {
    plain::text(&Grid::new(rows))
}

/// The most columns that a table shows.
const MAX_COLUMNS: usize = 100;

/// The most columns beyond those that are counted. Each costs a search among them.
const MAX_COUNTED: usize = 1_000;

/// Rows taken apart into columns.
struct Grid<'a> {
    columns: Vec<Column<'a>>,
    /// Columns beyond [`MAX_COLUMNS`].
    left_out: usize,
    rows: Vec<Row<'a>>,
}

/// What stands over a column.
#[derive(Clone, PartialEq, Eq)]
enum Column<'a> {
    /// A key of rows that are objects.
    Key(Cow<'a, str>),
    /// A position in rows that are arrays; a scalar row fills the first.
    Position(usize),
}

/// One row, its values as raw text.
enum Row<'a> {
    /// An object.
    Members(Vec<(Cow<'a, str>, &'a str)>),
    /// An array, or a scalar as its one item.
    Items(Vec<&'a str>, &'a str),
}

impl<'a> Grid<'a> {
    fn new(rows: &'a RawRows) -> Grid<'a> {
        let mut columns = Vec::new();
        let mut widest = 0;
        let mut left_out = NameSet::default();
        let mut taken = Vec::with_capacity(rows.len());
        for at in 0..rows.len() {
            let row = Row::new(rows.get(at).unwrap_or_default());
            match &row {
                Row::Items(items, _) => widest = widest.max(items.len()),
                Row::Members(members) => {
                    for (at, (key, _)) in members.iter().enumerate() {
                        if place(&columns, key, at).is_some() {
                        } else if columns.len() < MAX_COLUMNS {
                            columns.push(Column::Key(key.clone()));
                        } else if left_out.len() < MAX_COUNTED {
                            left_out.insert(key);
                        }
                    }
                }
            }
            taken.push(row);
        }
        let shown = MAX_COLUMNS.saturating_sub(columns.len()).min(widest);
        columns.extend((0..shown).map(Column::Position));
        Grid {
            left_out: left_out.len().saturating_add(widest.saturating_sub(shown)),
            columns,
            rows: taken,
        }
    }
}

/// The column of a key. Rows are alike, so that it is looked for where it stands in the row first.
fn place(columns: &[Column<'_>], key: &str, hint: usize) -> Option<usize> {
    let is_key = |column: &Column<'_>| matches!(column, Column::Key(known) if known == key);
    if columns.get(hint).is_some_and(is_key) {
        return Some(hint);
    }
    columns.iter().position(is_key)
}

impl<'a> Row<'a> {
    fn new(raw: &'a str) -> Row<'a> {
        match json::members(raw) {
            Some(members) => Row::Members(members),
            None => Row::Items(json::items(raw).unwrap_or_else(|| vec![raw]), raw),
        }
    }

    /// The value under a column that stands at this place of the header. The server's keys are unique; should one come
    /// twice, the first stands, as it does on the server.
    fn value(&self, column: &Column<'_>, at: usize) -> Option<&'a str> {
        match (self, column) {
            (Row::Members(members), Column::Key(key)) => {
                let hinted = members.get(at).filter(|(known, _)| known == key);
                let found = hinted.or_else(|| members.iter().find(|(known, _)| known == key));
                found.map(|(_, raw)| *raw)
            }
            (Row::Items(items, _), Column::Position(at)) => items.get(*at).copied(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
