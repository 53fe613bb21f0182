//! Pages of the documentation, and the tables between marks such as `<!-- kinds -->` and `<!-- end -->`.

use std::path::{Path, PathBuf};

/// The workspace.
pub(crate) fn workspace() -> PathBuf {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_folder.parent().expect("a workspace").to_owned()
}

/// A page by its path in the workspace.
pub(crate) fn page(path: &str) -> String {
    std::fs::read_to_string(workspace().join(path))
        .unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The README and every page of `docs/`, by path.
pub(crate) fn all() -> Vec<(String, String)> {
    let mut paths = vec!["README.md".to_owned()];
    for entry in std::fs::read_dir(workspace().join("docs")).expect("docs") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_str().expect("a plain name");
        if name.ends_with(".md") {
            paths.push(format!("docs/{name}"));
        }
    }
    paths.sort();
    paths
        .into_iter()
        .map(|path| (path.clone(), page(&path)))
        .collect()
}

/// The rows of every table between `<!-- MARK -->` and `<!-- end -->`, without their heads.
pub(crate) fn rows(page: &str, mark: &str) -> Vec<Vec<String>> {
    let open = format!("<!-- {mark} -->");
    let mut rows = Vec::new();
    for part in page.split(&open).skip(1) {
        let (table, _) = part.split_once("<!-- end -->").expect("the table ends");
        let lines = table.lines().filter(|line| line.starts_with('|'));
        rows.extend(lines.skip(2).map(cells));
    }
    assert!(!rows.is_empty(), "no table `{mark}`");
    rows
}

fn cells(line: &str) -> Vec<String> {
    let inner = line.trim().trim_start_matches('|').trim_end_matches('|');
    inner
        .split(" | ")
        .map(|cell| cell.trim().to_owned())
        .collect()
}

/// The code spans of a text, whatever number of backticks holds them.
pub(crate) fn spans(text: &str) -> Vec<String> {
    let mut spans = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('`') {
        let ticks = rest[start..].chars().take_while(|c| *c == '`').count();
        let fence = "`".repeat(ticks);
        let inner = &rest[start + ticks..];
        let Some(end) = inner.find(&fence) else { break };
        spans.push(inner[..end].trim().to_owned());
        rest = &inner[end + ticks..];
    }
    spans
}
