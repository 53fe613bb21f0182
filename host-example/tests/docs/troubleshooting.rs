//! `docs/troubleshooting.md` and the README's excerpt of it: each text that the program says stands in its source.

use host_example::config::Sources;

use crate::common::folder;
use crate::page::{page, rows, spans, workspace};
use crate::source::{files, unescaped};

/// Everything that is said by the program, as one text.
fn said() -> String {
    let mut texts: Vec<String> = ["src", "host-example/src", "aql-syntax/src", "components"]
        .iter()
        .flat_map(|folder| files(folder))
        .map(|(_, text)| unescaped(&text))
        .collect();
    texts.push(unescaped(
        &std::fs::read_to_string(workspace().join("host-example/build.rs"))
            .expect("a build script"),
    ));
    texts.extend(produced());
    texts.join("\n")
}

/// Messages whose words are put together of several places.
fn produced() -> Vec<String> {
    let variable = [("QUERENT_ENDPONT".to_owned(), "x".to_owned())];
    let unknown = Sources::new()
        .variables(variable)
        .load()
        .expect_err("no such variable");
    let folder = folder("docs-troubleshooting");
    std::fs::write(folder.join("querent.toml"), "[arango]\nendpont = \"x\"\n").expect("written");
    let key = Sources::new()
        .file(folder.join("querent.toml"))
        .load()
        .expect_err("no such key");
    vec![unknown.to_string(), key.to_string()]
}

/// Whether a text is put together of what the program says, with one thing for another where the source has `{…}`.
fn stands_in(said: &str, text: &str) -> bool {
    if said.contains(text) {
        return true;
    }
    // A message of parts: an error of the server's between the component's words, a name where the source has a slot.
    let parts = text
        .split(['(', ')', ';', ':'])
        .map(str::trim)
        .filter(|part| part.len() > 3);
    let mut parts = parts.filter(|part| !SLOTS.contains(part));
    parts.all(|part| said.contains(part))
}

/// What stands in a slot of a message: the server's own words, and numbers.
const SLOTS: [&str; 6] = [
    "not authorized to execute this request",
    "error 11",
    "database not found",
    "error 1228",
    "RUST_TARGET",
    "cargo build --package arango-component --target wasm32-unknown-unknown",
];

fn check(rows: &[Vec<String>], said: &str) {
    for row in rows {
        let texts = spans(&row[0]);
        assert!(!texts.is_empty(), "{row:?}");
        for text in texts {
            for part in text
                .split('…')
                .map(|part| part.trim_matches(['`', ' ']))
                .filter(|part| part.len() > 3)
            {
                let part = part
                    .replace("wasm32-unknown-unknown", "{TARGET}")
                    .replace("arango-component", "{PACKAGE}");
                assert!(
                    stands_in(said, &part),
                    "nothing says `{part}`, of {}",
                    row[0]
                );
            }
        }
    }
}

#[test]
fn every_text_of_the_programs_own_stands_in_its_source() {
    check(&rows(&page("docs/troubleshooting.md"), "own"), &said());
}

#[test]
fn the_readmes_texts_stand_on_the_page() {
    let page_text = page("docs/troubleshooting.md");
    for row in rows(&page("README.md"), "troubleshooting") {
        for text in spans(&row[0]) {
            assert!(
                page_text.contains(text.trim_matches(['`', ' '])),
                "`{text}` is missing in docs/troubleshooting.md"
            );
        }
    }
}
