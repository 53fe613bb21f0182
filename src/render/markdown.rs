//! The Markdown table.
//!
//! Cells hold data that strangers may have written. Beside what would break the table (`|`, line breaks, backslashes,
//! backticks), what would make markup of it is escaped too: `<`, and the `](` of links and images, so that showing a table
//! never loads an address that a row names.

use super::{Column, Grid, MAX_COUNTED, cell};

pub(super) fn table(grid: &Grid<'_>) -> String {
    if grid.rows.is_empty() {
        return String::new();
    }
    let mut out = String::new();
    let cut = grid.left_out > 0;
    line(&mut out, grid, &|column, _| heading(column));
    let least = if grid.left_out >= MAX_COUNTED {
        "at least "
    } else {
        ""
    };
    let left_out = format!(" … (+{least}{} columns) |", grid.left_out);
    finish(&mut out, cut.then_some(&left_out));
    line(&mut out, grid, &|_, _| "---".to_owned());
    finish(&mut out, cut.then_some(" --- |"));
    for row in &grid.rows {
        line(&mut out, grid, &|column, at| match row.value(column, at) {
            Some(raw) => escape(&cell::show(raw)),
            None => String::new(),
        });
        finish(&mut out, cut.then_some(" … |"));
    }
    out
}

/// One line: a cell for each column, which is told with its place in the header.
fn line(out: &mut String, grid: &Grid<'_>, cell: &dyn Fn(&Column<'_>, usize) -> String) {
    out.push('|');
    if grid.columns.is_empty() {
        // Rows without any key: a table needs one column all the same.
        out.push(' ');
        out.push_str(&cell(&Column::Key("".into()), 0));
        out.push_str(" |");
    }
    for (at, column) in grid.columns.iter().enumerate() {
        let text = cell(column, at);
        if !text.is_empty() {
            out.push(' ');
            out.push_str(&text);
        }
        out.push_str(" |");
    }
}

fn finish(out: &mut String, last: Option<&str>) {
    out.push_str(last.unwrap_or_default());
    out.push('\n');
}

fn heading(column: &Column<'_>) -> String {
    match column {
        Column::Key(key) => escape(&cell::shorten(key)),
        Column::Position(at) => letters(*at),
    }
}

/// `A`, `B`, … `Z`, `AA`, as spreadsheets count.
pub(super) fn letters(mut at: usize) -> String {
    let mut reversed = Vec::new();
    loop {
        let letter = u8::try_from(at % 26).unwrap_or_default();
        reversed.push(char::from(b'A'.saturating_add(letter)));
        match (at / 26).checked_sub(1) {
            Some(next) => at = next,
            None => break,
        }
    }
    reversed.into_iter().rev().collect()
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '|' | '\\' | '`' | '<' => {
                out.push('\\');
                out.push(c);
            }
            ']' if chars.peek() == Some(&'(') => out.push_str("\\]"),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' | '\r' => out.push_str("<br>"),
            '\t' => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}
