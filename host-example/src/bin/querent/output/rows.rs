//! Rows as CSV and as JSON lines, from their JSON text: numbers keep every digit, columns the order in which they first appear.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The column for rows that are not objects.
const VALUE: &str = "value";

/// One row's attributes in the order of the text.
struct Object<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Object(entries))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

/// Each row on a line of its own.
pub(crate) fn jsonl(rows: &str) -> serde_json::Result<String> {
    let rows: Vec<&RawValue> = serde_json::from_str(rows)?;
    // A line end inside a row can only be white space between its tokens.
    Ok(rows
        .iter()
        .map(|row| row.get().replace(['\n', '\r'], " ") + "\n")
        .collect())
}

/// CSV as RFC 4180 has it, with a header. Texts without quotes, null as nothing, everything else as its JSON.
pub(crate) fn csv(rows: &str) -> serde_json::Result<String> {
    let rows: Vec<&RawValue> = serde_json::from_str(rows)?;
    let rows: Vec<Vec<(String, &RawValue)>> =
        rows.into_iter().map(entries).collect::<Result<_, _>>()?;
    let mut columns: Vec<&str> = Vec::new();
    for (name, _) in rows.iter().flatten() {
        if !columns.contains(&name.as_str()) {
            columns.push(name);
        }
    }
    if columns.is_empty() {
        return Ok(String::new());
    }
    let mut out = line(columns.iter().map(|name| (*name).to_owned()));
    for row in &rows {
        let cells = columns.iter().map(|column| {
            row.iter()
                .find(|(name, _)| name == column)
                .map(|(_, value)| *value)
        });
        let cells: Vec<String> = cells
            .map(|cell| cell.map_or(Ok(String::new()), text))
            .collect::<Result<_, _>>()?;
        out.push_str(&line(cells.into_iter()));
    }
    Ok(out)
}

fn entries(row: &RawValue) -> serde_json::Result<Vec<(String, &RawValue)>> {
    if row.get().starts_with('{') {
        serde_json::from_str::<Object<'_>>(row.get()).map(|object| object.0)
    } else {
        Ok(vec![(VALUE.to_owned(), row)])
    }
}

fn text(value: &RawValue) -> serde_json::Result<String> {
    match value.get().as_bytes().first() {
        Some(b'"') => serde_json::from_str(value.get()),
        Some(b'n') => Ok(String::new()),
        _ => Ok(value.get().to_owned()),
    }
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<String> = cells
        .map(|cell| {
            if cell.contains([',', '"', '\n', '\r']) {
                format!("\"{}\"", cell.replace('"', "\"\""))
            } else {
                cell
            }
        })
        .collect();
    cells.join(",") + "\r\n"
}
