//! Rows as plain text: a line a row, `key: value` pairs for objects.

use super::{Grid, Row, cell};

pub(super) fn text(grid: &Grid<'_>) -> String {
    let mut out = String::new();
    for (at, row) in grid.rows.iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        match row {
            Row::Members(members) if members.is_empty() => out.push_str("{}"),
            Row::Members(members) => {
                for (at, (key, raw)) in members.iter().enumerate() {
                    if at > 0 {
                        out.push_str(", ");
                    }
                    one_line(&mut out, &cell::shorten(key));
                    out.push_str(": ");
                    one_line(&mut out, &cell::show(raw));
                }
            }
            Row::Items(_, raw) => one_line(&mut out, &cell::show(raw)),
        }
    }
    out
}

/// A row is a line: a break within a value is shown as its escape.
fn one_line(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push(' '),
            _ => out.push(c),
        }
    }
}
