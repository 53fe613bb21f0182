//! Fenced blocks: three or more backticks or tildes, a tag of any kind, closed or running to the end.

use core::ops::Range;

use super::{AMBIGUOUS, Reply, UNREADABLE, Unusable, query, same, tidy};
use crate::find::is_of_word;

/// A block.
pub(super) struct Block {
    /// Where it stands, its marks included.
    pub(super) range: Range<usize>,
    /// The word after the opening mark, in lower case.
    pub(super) tag: String,
    /// What it holds.
    pub(super) text: String,
}

impl Block {
    /// Whether it holds this range.
    pub(super) fn holds(&self, range: &Range<usize>) -> bool {
        self.range.start <= range.start && range.end <= self.range.end
    }
}

/// The blocks of a text that hold something, in order.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some((start, mark)) = next_mark(text, from) {
        let open_end = start.saturating_add(mark.len());
        let (close, end) = closing(text, open_end, mark).unwrap_or((text.len(), text.len()));
        let (tag, inner) = without_tag(text.get(open_end..close).unwrap_or_default());
        if !inner.trim().is_empty() {
            found.push(Block {
                range: start..end,
                tag: tag.to_ascii_lowercase(),
                text: inner.trim().to_owned(),
            });
        }
        from = end;
    }
    found
}

/// What one fence holds that surrounds the whole text.
pub(super) fn only_block(text: &str) -> Option<&str> {
    let (start, mark) = next_mark(text, 0)?;
    let (close, end) = closing(text, mark.len(), mark)?;
    if start != 0 || end != text.len() {
        return None;
    }
    Some(without_tag(text.get(mark.len()..close)?).1)
}

/// Reads a reply whose query stands in a fence.
pub(super) fn read(blocks: &[&Block]) -> Result<Reply, Unusable> {
    let (first, others) = blocks.split_first().ok_or(UNREADABLE)?;
    let text = tidy::query(&first.text);
    if others
        .iter()
        .any(|other| !same(&tidy::query(&other.text), &text))
    {
        return Err(AMBIGUOUS);
    }
    // With a mistake in it, a query still goes to the gate, which says where. Other languages do not.
    let aql = matches!(first.tag.as_str(), "" | "aql" | "arangodb" | "sql");
    if tidy::parses(&text) || (aql && starts_like_aql(&text)) {
        Ok(query(text))
    } else {
        Err(UNREADABLE)
    }
}

/// Whether a text begins as a query does: with a keyword in capitals, or with `for … in`.
pub(super) fn starts_like_aql(text: &str) -> bool {
    const FIRST: &[&str] = &[
        "FOR", "LET", "RETURN", "WITH", "FILTER", "COLLECT", "SORT", "LIMIT", "INSERT", "UPDATE",
        "REPLACE", "REMOVE", "UPSERT", "SEARCH", "WINDOW",
    ];
    let mut words = text
        .split(|c: char| !is_of_word(c) && c != '_')
        .filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    FIRST.contains(&first) || (first == "for" && words.nth(1) == Some("in"))
}

/// The next run of three or more backticks or tildes: where it stands, and the run. One pass, whichever of the two is rare.
fn next_mark(text: &str, from: usize) -> Option<(usize, &str)> {
    let mut rest = text.get(from..)?;
    loop {
        rest = rest.get(rest.find(['`', '~'])?..)?;
        let mark = rest.chars().next()?;
        let length = rest
            .bytes()
            .take_while(|byte| char::from(*byte) == mark)
            .count();
        if length >= 3 {
            return Some((text.len().saturating_sub(rest.len()), rest.get(..length)?));
        }
        rest = rest.get(length..)?;
    }
}

/// Where the run that closes a block begins and ends: the next one of the same mark that is as long.
fn closing(text: &str, from: usize, mark: &str) -> Option<(usize, usize)> {
    let kind = mark.chars().next()?;
    let mut from = from;
    loop {
        let (start, run) = next_mark(text, from)?;
        let end = start.saturating_add(run.len());
        if run.starts_with(kind) && run.len() >= mark.len() {
            return Some((start, end));
        }
        from = end;
    }
}

/// The tag and what follows it. A first line of more than one word is no tag.
fn without_tag(inner: &str) -> (&str, &str) {
    let is_tag = |word: &str| {
        word.chars()
            .all(|c| is_of_word(c) || matches!(c, '_' | '-' | '+' | '.' | '{' | '}'))
    };
    match inner.split_once('\n') {
        Some((first, rest)) if is_tag(first.trim()) => (first.trim(), rest),
        Some(_) => ("", inner),
        // On one line: a known tag may stand before the query.
        None => match inner.split_once(' ') {
            Some((first, rest))
                if matches!(first.to_ascii_lowercase().as_str(), "aql" | "sql" | "json") =>
            {
                (first, rest)
            }
            _ => ("", inner),
        },
    }
}
