//! Thoughts that a model wrote down before its reply: taken out whole, and never read.

use std::borrow::Cow;

use super::{AMBIGUOUS, UNCLOSED_THOUGHT, Unusable, object};
use crate::find::{find_last, holds};

/// The tags that enclose a thought, as providers and models write them.
const TAGS: &[&str] = &[
    "think",
    "thinking",
    "thought",
    "thoughts",
    "reasoning",
    "reason",
    "reflection",
    "analysis",
    "scratchpad",
];

/// The longest tag, in characters after its name.
const MAX_TAG: usize = 200;

/// The mark after which a reply begins that was written in channels.
const FINAL_CHANNEL: &str = "<|channel|>final<|message|>";

/// A tag: where it stands, which it is, whether it closes.
struct Tag {
    start: usize,
    end: usize,
    name: &'static str,
    closes: bool,
}

/// The text without its thoughts. A closing tag alone ends a thought that began in the prompt: what stands before it is
/// dropped too.
pub(super) fn strip(text: &str) -> Result<Cow<'_, str>, Unusable> {
    let text = match find_last(text, FINAL_CHANNEL) {
        Some(at) => text
            .get(at.saturating_add(FINAL_CHANNEL.len())..)
            .unwrap_or_default(),
        None => text,
    };
    let Some(first) = next_tag(text, 0) else {
        return Ok(Cow::Borrowed(text));
    };
    if let Some(found) = object::search(text)?.found.first()
        && found.range.start < first.start
        && first.end <= found.range.end
    {
        // The tag is part of a value. With another one outside, where thoughts begin and end is a guess.
        return match next_tag(text, found.range.end) {
            None => Ok(Cow::Borrowed(text)),
            Some(_) => Err(AMBIGUOUS),
        };
    }
    let before = text.get(..first.start).unwrap_or_default();
    if holds(before, "```") || holds(before, "~~~") {
        return Err(AMBIGUOUS);
    }
    outside(text, first)
}

fn outside(text: &str, first: Tag) -> Result<Cow<'_, str>, Unusable> {
    let mut out = String::new();
    let mut from = 0;
    let mut within: Option<(&'static str, u32)> = None;
    let mut tag = Some(first);
    while let Some(here) = tag {
        match (&mut within, here.closes) {
            (None, false) => {
                out.push_str(text.get(from..here.start).unwrap_or_default());
                within = Some((here.name, 1));
            }
            (None, true) => {
                out.clear();
                from = here.end;
            }
            (Some((name, depth)), false) if *name == here.name => *depth = depth.saturating_add(1),
            (Some((name, depth)), true) if *name == here.name => {
                *depth = depth.saturating_sub(1);
                if *depth == 0 {
                    within = None;
                    from = here.end;
                }
            }
            (Some(_), _) => {}
        }
        tag = next_tag(text, here.end);
    }
    if within.is_some() {
        return Err(UNCLOSED_THOUGHT);
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Ok(Cow::Owned(out))
}

/// The next tag from a byte on: `<think>`, `</think>`, `<think kind="x">`, `[THINK]`, in any case.
fn next_tag(text: &str, from: usize) -> Option<Tag> {
    let rest = text.get(from..)?;
    for (at, open) in rest.match_indices(['<', '[']) {
        let inner = rest.get(at.saturating_add(1)..)?;
        let (closes, inner) = match inner.strip_prefix('/') {
            Some(inner) => (true, inner),
            None => (false, inner),
        };
        let length = inner.bytes().take_while(u8::is_ascii_alphabetic).count();
        let word = inner.get(..length)?;
        let after = inner.get(length..)?;
        let close = if open == "<" { '>' } else { ']' };
        let Some(name) = TAGS.iter().find(|tag| tag.eq_ignore_ascii_case(word)) else {
            continue;
        };
        // `[thought]` may be an index or a link in prose: square tags are the model's own only in capitals.
        if open == "[" && word != "THINK" {
            continue;
        }
        if !after.starts_with(|c: char| c == close || c.is_whitespace()) {
            continue;
        }
        // Looked for nearby only: a text of nothing but opening tags must not be read once for each.
        let Some((end, _)) = after
            .char_indices()
            .take(MAX_TAG)
            .find(|(_, c)| *c == close)
        else {
            continue;
        };
        let start = from.saturating_add(at);
        let spent = rest
            .len()
            .saturating_sub(after.len())
            .saturating_add(end)
            .saturating_add(1);
        return Some(Tag {
            start,
            end: from.saturating_add(spent),
            name,
            closes,
        });
    }
    None
}
