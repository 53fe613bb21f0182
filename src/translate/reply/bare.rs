//! A reply without object and fence: AQL by itself, or between paragraphs of prose.

use super::fences::starts_like_aql;
use super::{AMBIGUOUS, Reply, UNREADABLE, Unusable, query, tidy};
use crate::find::holds;

/// Replies of more paragraphs are essays.
const MAX_PARAGRAPHS: usize = 8;

/// Longer replies are not searched for a query between paragraphs: each run of them is parsed.
const MAX_SEARCHED_BYTES: usize = 64 * 1024;

/// Reads a reply that has neither object nor fence.
pub(super) fn read(text: &str) -> Result<Reply, Unusable> {
    let whole = tidy::query(text);
    if tidy::parses(&whole) {
        return Ok(query(whole));
    }
    if let Some(before) = before_invention(text) {
        let before = tidy::query(before);
        if tidy::parses(&before) {
            return Ok(query(before));
        }
    }
    if let Some(found) = between_prose(text)? {
        return Ok(query(found));
    }
    // A query with a mistake in it: the gate says where.
    if starts_like_aql(&whole) && !holds(&whole, "\n\n") {
        return Ok(query(whole));
    }
    Err(UNREADABLE)
}

/// What stands before a line that begins an invented result: `SQLResult:`, `Answer:`, `Explanation:`.
fn before_invention(text: &str) -> Option<&str> {
    let mut at = 0_usize;
    for line in text.split_inclusive('\n') {
        let label = line
            .split_once(':')
            .map(|(label, _)| label.trim().to_ascii_lowercase());
        let invented = label.is_some_and(|label| {
            label.len() <= 24
                && label
                    .bytes()
                    .all(|byte| byte.is_ascii_alphabetic() || byte == b'_')
                && [
                    "result",
                    "results",
                    "answer",
                    "explanation",
                    "output",
                    "note",
                ]
                .iter()
                .any(|end| label.ends_with(end))
        });
        if invented && at > 0 {
            return text.get(..at);
        }
        at = at.saturating_add(line.len());
    }
    None
}

/// The one run of paragraphs that is AQL as a whole, where no other paragraph is AQL or looks like a part of it.
fn between_prose(text: &str) -> Result<Option<String>, Unusable> {
    if text.len() > MAX_SEARCHED_BYTES {
        return Ok(None);
    }
    let paragraphs = paragraphs(text);
    if paragraphs.len() < 2 || paragraphs.len() > MAX_PARAGRAPHS {
        return Ok(None);
    }
    let run = |from: usize, to: usize| {
        let first = paragraphs.get(from)?.0;
        let last = paragraphs.get(to)?.1;
        let text = tidy::query(text.get(first..last)?);
        tidy::parses(&text).then_some(text)
    };
    for length in (1..=paragraphs.len()).rev() {
        for from in 0..=paragraphs.len().saturating_sub(length) {
            let to = from.saturating_add(length).saturating_sub(1);
            let Some(found) = run(from, to) else { continue };
            let others = paragraphs
                .iter()
                .enumerate()
                .filter(|(at, _)| *at < from || *at > to);
            for (_, (start, end)) in others {
                let other = text.get(*start..*end).unwrap_or_default();
                if starts_like_aql(other) || tidy::parses(&tidy::query(other)) {
                    return Err(AMBIGUOUS);
                }
            }
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Where the paragraphs begin and end, blank lines between them.
fn paragraphs(text: &str) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut at = 0_usize;
    let mut open = false;
    for line in text.split_inclusive('\n') {
        let end = at.saturating_add(line.len());
        if line.trim().is_empty() {
            open = false;
        } else if let (true, Some(last)) = (open, found.last_mut()) {
            last.1 = end;
        } else {
            found.push((at, end));
            open = true;
        }
        at = end;
    }
    found
}
