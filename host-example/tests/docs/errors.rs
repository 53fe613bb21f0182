//! `docs/errors.md`: every kind of the contract, every code of the component and of the host, each with the kind that it has.

use std::collections::{BTreeMap, BTreeSet};

use crate::page::{page, rows, spans};
use crate::source::{codes, file, files, is_code, literals};

/// Texts of the component that look like codes and are none: names of headers, options, slots and purposes.
const NO_CODES: [&str; 12] = [
    "content-type",
    "does-not-refuse",
    "no-op",
    "one-more",
    "provider-code",
    "querent-canary",
    "repair-query",
    "retry-after",
    "time-zone",
    "write-answer",
    "write-query",
    "x-arango-trx-id",
];

/// Each documented code of a table, with its kind.
fn documented(mark: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for row in rows(&page("docs/errors.md"), mark) {
        let kind = spans(&row[1]).into_iter().next().unwrap_or_default();
        for code in spans(&row[0]) {
            let before = found.insert(code.clone(), kind.clone());
            assert!(before.is_none(), "`{code}` stands twice in `{mark}`");
        }
    }
    found
}

fn kinds_of(wit: &str) -> Vec<String> {
    let text = page(wit);
    let (_, rest) = text.split_once("enum error-kind {").expect("kinds");
    let (body, _) = rest.split_once('}').expect("their end");
    let lines = body
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with("///"));
    lines
        .map(|line| line.trim_end_matches(',').to_owned())
        .collect()
}

#[test]
fn every_kind_of_the_contract_is_told_in_its_order_with_the_exit_code_of_the_command() {
    let told: Vec<Vec<String>> = rows(&page("docs/errors.md"), "kinds");
    let kinds: Vec<String> = told
        .iter()
        .map(|row| row[0].trim_matches('`').to_owned())
        .collect();
    assert_eq!(kinds, kinds_of("wit/world.wit"));
    let exit = file("host-example/src/bin/querent/exit.rs");
    for row in &told {
        let (kind, code) = (row[0].trim_matches('`'), &row[2]);
        let line = exit
            .lines()
            .find(|line| line.trim().starts_with(&format!("{code}  ")));
        let line = line.unwrap_or_else(|| panic!("no exit code {code}"));
        assert!(line.contains(kind) || kind == "other", "{line}: {kind}");
    }
}

#[test]
fn every_code_of_the_component_is_told_with_its_kind_and_no_other() {
    let errors = documented("component");
    let refusals = documented("refusals");
    let warnings: BTreeSet<String> = rows(&page("docs/errors.md"), "warnings")
        .iter()
        .flat_map(|row| spans(&row[0]))
        .collect();
    let mut written = BTreeSet::new();
    for (path, text) in files("src") {
        for literal in literals(&text) {
            let dashed = is_code(literal)
                && literal.contains('-')
                && !literal.contains('_')
                && !literal.ends_with('-');
            if dashed && !NO_CODES.contains(&literal) {
                let told = errors.contains_key(literal)
                    || refusals.contains_key(literal)
                    || warnings.contains(literal);
                assert!(told, "`{literal}` of {path} is missing in docs/errors.md");
            }
            written.insert(literal.to_owned());
        }
        for (kind, code) in codes(&text, "ErrorKind") {
            if let Some(told) = errors.get(&code) {
                assert_eq!(*told, kind, "`{code}` of {path}");
            }
        }
    }
    for code in errors.keys().chain(refusals.keys()).chain(&warnings) {
        // The question's and the query's are made of two parts.
        let parts = code
            .strip_prefix("question")
            .or(code.strip_prefix("query"))
            .filter(|end| ["-empty", "-too-long"].contains(end));
        let known = written.contains(code)
            || parts.is_some_and(|end| written.contains(&format!("{{what}}{end}")));
        assert!(
            known,
            "docs/errors.md tells `{code}`, which the component does not know"
        );
    }
}

#[test]
fn a_refused_query_has_the_kind_that_is_told() {
    let told = documented("refusals");
    let mut seen = 0;
    for (path, text) in files("src/gate") {
        for (rule, code) in codes(&text, "RefusalKind") {
            let kind = match rule.as_str() {
                "writes" | "policy" | "plan" => "query-refused",
                "syntax" | "invalid" => "query-invalid",
                other => panic!("{path}: what is `{other}`?"),
            };
            // A policy's name is told with the schema's errors, too.
            let code_told = told.get(&code).map(String::as_str);
            assert!(
                code_told == Some(kind) || code == "unknown-collection",
                "`{code}` of {path}: {code_told:?}"
            );
            seen += 1;
        }
    }
    assert!(seen >= 9, "{seen}");
}

#[test]
fn every_code_of_the_host_is_told_with_its_kind() {
    let told = [
        ("http", "host-example/src/http"),
        ("llm", "host-example/src/llm"),
    ];
    for (mark, folder) in told {
        let documented = documented(mark);
        let mut written = BTreeSet::new();
        for (path, text) in files(folder) {
            for (kind, code) in codes(&text, "ErrorKind") {
                let told = documented
                    .get(&code)
                    .unwrap_or_else(|| panic!("`{code}` of {path} is missing"));
                assert_eq!(*told, kind, "`{code}` of {path}");
                written.insert(code);
            }
        }
        let budgets = file("host-example/src/limits/budget.rs");
        for code in documented.keys() {
            let budget = mark == "llm" && budgets.contains(&format!("\"{code}\""));
            assert!(
                written.contains(code) || budget,
                "`{code}` of `{mark}` is told, and nothing answers it"
            );
        }
    }
    let documented = documented("host");
    let mut written = BTreeSet::new();
    for (path, text) in files("host-example/src") {
        for (kind, code) in codes(&text, "ErrorKind")
            .into_iter()
            .filter(|(_, code)| code.starts_with("host-"))
        {
            let told = documented
                .get(&code)
                .unwrap_or_else(|| panic!("`{code}` of {path} is missing"));
            assert_eq!(*told, kind, "`{code}` of {path}");
            written.insert(code);
        }
    }
    assert_eq!(written, documented.into_keys().collect());
}

#[test]
fn the_kinds_of_both_imports_are_those_of_the_contract() {
    for (mark, at) in [("http", 1), ("llm", 0)] {
        let host = page("wit/deps/querent-host/host.wit");
        let mut blocks = host.split("enum error-kind {").skip(1);
        let block = blocks
            .nth(at)
            .expect("kinds")
            .split('}')
            .next()
            .expect("their end");
        for kind in documented(mark).values() {
            assert!(
                block.contains(&format!("    {kind},\n")),
                "`{kind}` of `{mark}`"
            );
        }
    }
}
