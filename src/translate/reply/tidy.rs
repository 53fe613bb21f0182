//! What is taken off a query before it is one: fences, bold marks, tag lines, labels, quotes, end tokens, one `;`.

use super::fences;
use crate::find::{count_chars, is_of_word, split_once};

/// The longest text that is tried as AQL here, in bytes. The gate has the bound of the settings.
const MAX_QUERY_BYTES: usize = 256 * 1024;

/// Tokens with which chat templates end a turn.
const END_TOKENS: &[&str] = &[
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|end|>",
    "<|return|>",
    "<|eos|>",
    "<|end_of_turn|>",
    "<end_of_turn>",
    "<eos>",
    "</s>",
    "[/INST]",
    "<｜end▁of▁sentence｜>",
    "<|END_OF_TURN_TOKEN|>",
];

/// First lines that name a language and are no part of a query.
const TAG_LINES: &[&str] = &["aql", "sql", "json", "arangodb", "query"];

/// Whether a text is one AQL query from end to end, of any version.
pub(super) fn parses(text: &str) -> bool {
    text.len() <= MAX_QUERY_BYTES && aql_syntax::parse_any(text).is_ok()
}

/// The text without white space and chat-template tokens at its end, and white space at its beginning.
pub(super) fn without_end_tokens(text: &str) -> &str {
    let mut text = text.trim();
    while let Some(rest) = END_TOKENS.iter().find_map(|token| text.strip_suffix(token)) {
        text = rest.trim_end();
    }
    text
}

/// Words for a person: without control characters, which drive terminals, and without overrides of the reading direction.
pub(super) fn words(text: &str) -> String {
    let kept = |c: &char| match c {
        '\n' | '\t' => true,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => false,
        c => !c.is_control(),
    };
    text.trim().chars().filter(kept).collect()
}

/// A query without what models put around one. A text that is AQL stays as it is. A label and quotes are taken off only
/// where the rest is AQL as a whole.
pub(super) fn query(text: &str) -> String {
    let mut text = without_end_tokens(text);
    // Each mark may stand within another; four rounds take off every mixture that was seen.
    for _ in 0..4 {
        if parses(text) {
            return text.to_owned();
        }
        text = outer(text);
    }
    if let Some(rest) = without_label(text) {
        return rest;
    }
    text.to_owned()
}

/// One layer less: a surrounding fence, bold marks, a tag line, one `;`.
fn outer(text: &str) -> &str {
    let text = without_end_tokens(text);
    if let Some(inner) = fences::only_block(text) {
        return inner.trim();
    }
    for mark in ["**", "`"] {
        if let Some(inner) = text
            .strip_prefix(mark)
            .and_then(|rest| rest.strip_suffix(mark))
        {
            return inner.trim();
        }
    }
    if let Some((first, rest)) = text.split_once('\n')
        && TAG_LINES
            .iter()
            .any(|tag| first.trim().eq_ignore_ascii_case(tag))
    {
        return rest.trim();
    }
    text.strip_suffix(';').map_or(text, str::trim_end)
}

/// The AQL after a label such as `Query:` or `Here is the query:`, its quotes taken off once; only where it is AQL as a whole.
pub(super) fn without_label(text: &str) -> Option<String> {
    let (label, rest) = text.split_once(':')?;
    let plain =
        |c: char| is_of_word(c) || matches!(c, ' ' | '_' | '-' | '\'' | '*' | '’' | ',' | '#');
    if count_chars(label) > 60 || !label.chars().all(plain) {
        return None;
    }
    let mut rest = rest.trim();
    while let Some(inner) = rest.strip_prefix("**") {
        rest = inner;
    }
    rest = rest.trim();
    for _ in 0..3 {
        if parses(rest) {
            return Some(rest.to_owned());
        }
        rest = outer(rest);
    }
    let quoted = rest
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))?;
    let mut unquoted = String::with_capacity(quoted.len());
    let mut quoted = quoted;
    while let Some((before, after)) = split_once(quoted, "\\\"") {
        unquoted.push_str(before);
        unquoted.push('"');
        quoted = after;
    }
    unquoted.push_str(quoted);
    parses(&unquoted).then_some(unquoted)
}
