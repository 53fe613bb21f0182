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

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::json;
use crate::order::sort_by;

/// The rows as a table of GitHub-flavoured Markdown; empty where there are no rows.
///
/// The header is the union of the rows' keys in the order in which they first appear. Rows that are arrays or scalars fill
/// columns `A`, `B`, … beside them. At most 100 columns are shown; a last column says how many were left out.
pub fn table(rows: &[Box<RawValue>]) -> String {
    markdown::table(&Grid::new(rows))
}

/// The rows as plain text, a line each; empty where there are no rows.
pub fn text(rows: &[Box<RawValue>]) -> String {
    plain::text(&Grid::new(rows))
}

/// The most columns that a table shows.
const MAX_COLUMNS: usize = 100;

/// Rows taken apart into columns.
struct Grid<'a> {
    columns: Vec<Column<'a>>,
    /// Columns beyond [`MAX_COLUMNS`].
    left_out: usize,
    rows: Vec<Row<'a>>,
}

/// What stands over a column.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Column<'a> {
    /// A key of rows that are objects.
    Key(Cow<'a, str>),
    /// A position in rows that are arrays; a scalar row fills the first.
    Position(usize),
}

/// One row: the raw text of each value, under its column.
struct Row<'a> {
    /// Sorted by column, without duplicates.
    values: Vec<(Column<'a>, &'a str)>,
    /// In the row's own order, for plain text.
    shape: Shape<'a>,
}

enum Shape<'a> {
    Object(Vec<(Cow<'a, str>, &'a str)>),
    Other(&'a str),
}

impl<'a> Grid<'a> {
    fn new(rows: &'a [Box<RawValue>]) -> Grid<'a> {
        let mut columns = Vec::new();
        let mut known = Vec::<Column<'a>>::new();
        let mut widest = 0;
        let mut taken = Vec::with_capacity(rows.len());
        for row in rows {
            let row = Row::new(row.get());
            for (column, _) in row.in_order() {
                match column {
                    Column::Position(at) => widest = widest.max(at.saturating_add(1)),
                    Column::Key(_) => {
                        if let Err(at) = known.binary_search(&column) {
                            known.insert(at, column.clone());
                            columns.push(column);
                        }
                    }
                }
            }
            taken.push(row);
        }
        let keys = columns.len();
        let shown = MAX_COLUMNS.saturating_sub(keys).min(widest);
        columns.extend((0..shown).map(Column::Position));
        columns.truncate(MAX_COLUMNS);
        Grid {
            left_out: keys.saturating_add(widest).saturating_sub(columns.len()),
            columns,
            rows: taken,
        }
    }
}

impl<'a> Row<'a> {
    fn new(raw: &'a str) -> Row<'a> {
        let (shape, mut values) = if let Some(members) = json::members(raw) {
            let members: Vec<(Cow<'a, str>, &'a str)> = members
                .into_iter()
                .map(|(key, value)| (key.decode(), value))
                .collect();
            let values = members
                .iter()
                .map(|(key, value)| (Column::Key(key.clone()), *value))
                .collect::<Vec<_>>();
            (Shape::Object(members), values)
        } else {
            let items = json::items(raw).unwrap_or_else(|| vec![raw]);
            let values = items
                .into_iter()
                .enumerate()
                .map(|(at, value)| (Column::Position(at), value))
                .collect();
            (Shape::Other(raw), values)
        };
        // The server's keys are unique. Should one come twice, the first stands, as it does on the server.
        sort_by(&mut values, |a, b| a.0.cmp(&b.0));
        values.dedup_by(|later, earlier| later.0 == earlier.0);
        Row { values, shape }
    }

    fn in_order(&self) -> Vec<(Column<'a>, &'a str)> {
        match &self.shape {
            Shape::Object(members) => members
                .iter()
                .map(|(key, value)| (Column::Key(key.clone()), *value))
                .collect(),
            Shape::Other(_) => self.values.clone(),
        }
    }

    fn value(&self, column: &Column<'a>) -> Option<&'a str> {
        let at = self.values.binary_search_by(|(have, _)| have.cmp(column));
        at.ok()
            .and_then(|at| self.values.get(at))
            .map(|(_, raw)| *raw)
    }
}

#[cfg(test)]
mod tests;
