//! One value for the eye: unquoted, shortened with a mark, harmless to a terminal.

use crate::json::{self, Reader, Token};

/// The most characters of one value that are shown.
const MAX_CHARACTERS: usize = 256;

/// An array of numbers longer than this is an embedding more often than a value to read.
const MAX_NUMBERS: usize = 32;

/// A value's raw JSON text as a person reads it, not yet escaped for Markdown.
pub(super) fn show(raw: &str) -> String {
    let mut reader = Reader::new(raw, json::MAX_DEPTH);
    match reader.next() {
        Ok(Some(Token::String(text))) => shorten(&text.decode()),
        Ok(Some(Token::BeginArray)) => match numbers(reader) {
            Some(count) if count > MAX_NUMBERS => format!("[{count} numbers]"),
            _ => shorten(&json::compact(raw)),
        },
        Ok(Some(Token::BeginObject)) => shorten(&json::compact(raw)),
        // A number is never cut: half of one is another number.
        _ => raw.trim().to_owned(),
    }
}

/// How many numbers the array holds, where it holds nothing else.
fn numbers(mut reader: Reader<'_>) -> Option<usize> {
    let mut count = 0_usize;
    loop {
        match reader.next() {
            Ok(Some(Token::Number(_))) => count = count.saturating_add(1),
            Ok(Some(Token::EndArray)) => return Some(count),
            _ => return None,
        }
    }
}

/// The beginning of a text, and how much more there is.
pub(crate) fn shorten(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(MAX_CHARACTERS));
    let mut rest = text.chars();
    for c in rest.by_ref().take(MAX_CHARACTERS) {
        push_visible(&mut out, c);
    }
    let more = rest.count();
    if more > 0 {
        out.push_str(&format!("… (+{more} characters)"));
    }
    out
}

/// Control characters could drive a terminal, and direction marks could make a text read as another: both are shown as their
/// escapes. Line breaks and tabs stay, for the output's own form to handle.
fn push_visible(out: &mut String, c: char) {
    let hidden = (c.is_control() && !matches!(c, '\n' | '\t' | '\r'))
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}');
    if hidden {
        out.push_str(&format!("\\u{:04x}", u32::from(c)));
    } else {
        out.push(c);
    }
}
