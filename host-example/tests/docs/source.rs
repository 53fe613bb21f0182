//! The program's own text, without its tests.

use std::path::Path;

use crate::page::workspace;

/// Every file of Rust below a folder of the workspace, by path, each without its tests.
pub(crate) fn files(folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    collect(&workspace(), &workspace().join(folder), &mut found);
    assert!(!found.is_empty(), "{folder}");
    found.sort();
    found
}

/// One file by its path in the workspace, without its tests.
pub(crate) fn file(path: &str) -> String {
    let text = std::fs::read_to_string(workspace().join(path));
    without_tests(&text.unwrap_or_else(|error| panic!("{path}: {error}")))
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .expect("a plain name");
        if path.is_dir() {
            if name != "tests" {
                collect(root, &path, found);
            }
        } else if name.ends_with(".rs")
            && !["tests.rs", "testing.rs", "recordings.rs"].contains(&name)
        {
            let text = std::fs::read_to_string(&path).expect("a file");
            let path = path.strip_prefix(root).expect("below the workspace");
            found.push((path.display().to_string(), without_tests(&text)));
        }
    }
}

/// Tests stand at the end of a file.
fn without_tests(text: &str) -> String {
    text.split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// What messages are made of: literals without their escapes and line ends.
pub(crate) fn unescaped(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    let mut lines = text.split("\\\n");
    joined.push_str(lines.next().unwrap_or_default());
    for line in lines {
        joined.push_str(line.trim_start());
    }
    joined.replace("\\\"", "\"")
}

/// Each `KIND::Name` of the text that a literal follows, as the name in the form of the contract, and the literal.
pub(crate) fn codes(text: &str, kind: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for part in text.split(&format!("{kind}::")).skip(1) {
        let name: String = part
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        let rest = part[name.len()..].trim_start_matches([',', ')', '}', ' ', '\n']);
        if let Some(literal) = rest
            .strip_prefix('"')
            .and_then(|rest| rest.split('"').next())
            && is_code(literal)
        {
            found.push((kebab(&name), literal.to_owned()));
        }
    }
    found
}

/// Whether a literal has the form of a code.
pub(crate) fn is_code(literal: &str) -> bool {
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    literal.starts_with(|c: char| c.is_ascii_lowercase())
        && literal.len() >= 3
        && literal.chars().all(letters)
}

/// Every literal of the text.
pub(crate) fn literals(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| line.split('"').skip(1).step_by(2))
        .collect()
}

/// `InvalidInput` as the contract writes it.
pub(crate) fn kebab(name: &str) -> String {
    let mut out = String::new();
    for character in name.chars() {
        if character.is_ascii_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.push(character.to_ascii_lowercase());
    }
    out
}
