//! Rows as a table: the columns in the order in which they first appear, and a value for each.

use std::collections::HashMap;

use serde_json::Value;

/// What stands where a row has no such attribute.
static NULL: Value = Value::Null;

/// The column of rows that are not objects. No attribute has a blank name.
const ITSELF: &str = "";

/// A row's values, column by column.
pub(super) type Row<'a> = Vec<&'a Value>;

/// Rows, column by column.
pub(super) struct Table<'a> {
    pub(super) columns: Vec<&'a str>,
    pub(super) rows: Vec<Row<'a>>,
}

impl<'a> Table<'a> {
    pub(super) fn of(rows: &'a [Value]) -> Self {
        let mut places: HashMap<&str, usize> = HashMap::new();
        let mut columns: Vec<&str> = Vec::new();
        for row in rows {
            for (name, _) in cells(row) {
                places.entry(name).or_insert_with(|| {
                    columns.push(name);
                    columns.len() - 1
                });
            }
        }
        let rows = rows
            .iter()
            .map(|row| {
                let mut values = vec![&NULL; columns.len()];
                for (name, value) in cells(row) {
                    if let Some(place) = places.get(name).and_then(|at| values.get_mut(*at)) {
                        *place = value;
                    }
                }
                values
            })
            .collect();
        Self { columns, rows }
    }

    /// The rows with these columns alone, in this order.
    pub(super) fn only(&self, columns: &[usize]) -> Vec<Row<'a>> {
        self.rows
            .iter()
            .map(|row| {
                columns
                    .iter()
                    .map(|at| row.get(*at).copied().unwrap_or(&NULL))
                    .collect()
            })
            .collect()
    }
}

fn cells(row: &Value) -> Vec<(&str, &Value)> {
    match row {
        Value::Object(map) => map
            .iter()
            .map(|(name, value)| (name.as_str(), value))
            .collect(),
        other => vec![(ITSELF, other)],
    }
}
