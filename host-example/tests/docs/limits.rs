//! `docs/limits.md`: every number, against the defaults, the table of settings, and the constants.

use std::collections::BTreeMap;

use host_example::Limits;

use crate::page::{page, rows, spans};
use crate::source::file;

fn number(cell: &str) -> String {
    cell.replace(',', "")
}

/// The fields of `Limits`, as they are: there is no other list that could be forgotten.
fn defaults() -> BTreeMap<String, String> {
    let shown = format!("{:?}", Limits::default());
    let inner = shown.trim_start_matches("Limits { ").trim_end_matches(" }");
    let fields = inner
        .split(", ")
        .map(|field| field.split_once(": ").expect("a field"));
    let word = |value: &str| match value {
        "None" | "[]" => "none".to_owned(),
        other => other.to_owned(),
    };
    fields
        .map(|(name, value)| (name.to_owned(), word(value)))
        .collect()
}

#[test]
fn the_hosts_limits_are_all_there_with_their_defaults() {
    let rows = rows(&page("docs/limits.md"), "host");
    let told = rows
        .iter()
        .map(|row| (spans(&row[0]).remove(0), number(&row[1])));
    assert_eq!(told.collect::<BTreeMap<_, _>>(), defaults());
}

#[test]
fn the_components_limits_have_the_defaults_of_the_settings() {
    let settings = page("docs/settings.md");
    let (_, table) = settings.split_once("<!-- keys -->").expect("keys");
    let (table, _) = table.split_once("<!-- end of keys -->").expect("their end");
    let default = |key: &str| {
        let row = table
            .lines()
            .find(|line| line.starts_with(&format!("| `{key}` |")));
        let row = row.unwrap_or_else(|| panic!("no setting `{key}`"));
        row.split(" | ")
            .nth(2)
            .expect("a default")
            .trim_matches('`')
            .to_owned()
    };
    let told = rows(&page("docs/limits.md"), "settings");
    for row in &told {
        let key = spans(&row[0]).remove(0);
        let said = if row[1] == "none" {
            "null".to_owned()
        } else {
            number(&row[1])
        };
        assert_eq!(said, default(&key), "`{key}`");
    }
    let limits = table
        .lines()
        .filter_map(|line| line.strip_prefix("| `limits."));
    let told: Vec<String> = told.iter().map(|row| row[0].clone()).collect();
    for line in limits {
        let key = format!("`limits.{}`", line.split('`').next().expect("a key"));
        assert!(told.contains(&key), "{key} is missing");
    }
}

#[test]
fn the_fixed_limits_have_the_numbers_of_their_constants() {
    for row in rows(&page("docs/limits.md"), "fixed") {
        let [path, name] = spans(&row[2]).try_into().expect("a file and a constant");
        let text = file(&path);
        let line = text
            .lines()
            .find(|line| line.contains(&format!("const {name}:")));
        let line = line.unwrap_or_else(|| panic!("no `{name}` in {path}"));
        let (_, value) = line.split_once(" = ").expect("a value");
        let factors = value.trim_end_matches(';').split(" * ");
        let product: u64 = factors
            .map(|factor| {
                factor
                    .replace('_', "")
                    .trim_end_matches(".0")
                    .parse::<u64>()
                    .expect("a number")
            })
            .product();
        assert_eq!(number(&row[1]), product.to_string(), "`{name}` of {path}");
    }
}
