//! A JSON string as it stands in the source, decoded only where someone looks at it.

use core::str::Chars;
use std::borrow::Cow;

/// The characters between the quotes of a JSON string, escapes and all. The reader has checked them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Text<'a>(&'a str);

impl<'a> Text<'a> {
    pub(super) fn new(between_quotes: &'a str) -> Text<'a> {
        Text(between_quotes)
    }

    /// The characters as they stand in the source.
    pub(super) fn source(self) -> &'a str {
        self.0
    }

    /// Whether it means this text.
    pub(crate) fn is(self, text: &str) -> bool {
        // Names are looked up often, and hardly ever escaped.
        match self.0.bytes().any(|byte| byte == b'\\') {
            false => self.0 == text,
            true => self.decode() == text,
        }
    }

    /// The text that is meant. Half of a surrogate pair becomes U+FFFD, since it is no character.
    pub(crate) fn decode(self) -> Cow<'a, str> {
        if !self.0.contains('\\') {
            return Cow::Borrowed(self.0);
        }
        let mut out = String::with_capacity(self.0.len());
        let mut chars = self.0.chars();
        while let Some(c) = chars.next() {
            if c == '\\' {
                out.push(unescape(&mut chars));
            } else {
                out.push(c);
            }
        }
        Cow::Owned(out)
    }
}

/// The character after a backslash, with what belongs to it.
fn unescape(chars: &mut Chars<'_>) -> char {
    match chars.next() {
        Some('b') => '\u{8}',
        Some('f') => '\u{c}',
        Some('n') => '\n',
        Some('r') => '\r',
        Some('t') => '\t',
        Some('u') => unicode(chars),
        Some(other) => other,
        None => char::REPLACEMENT_CHARACTER,
    }
}

/// The character that `XXXX`, or `XXXX\uXXXX` for a pair, names.
fn unicode(chars: &mut Chars<'_>) -> char {
    let Some(first) = hex4(chars) else {
        return char::REPLACEMENT_CHARACTER;
    };
    if !(0xD800..0xDC00).contains(&first) {
        return char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER);
    }
    let mut ahead = chars.clone();
    if ahead.next() == Some('\\')
        && ahead.next() == Some('u')
        && let Some(second) = hex4(&mut ahead)
        && (0xDC00..0xE000).contains(&second)
    {
        *chars = ahead;
        let high = (first & 0x3FF) << 10;
        let pair = (high | (second & 0x3FF)).saturating_add(0x1_0000);
        return char::from_u32(pair).unwrap_or(char::REPLACEMENT_CHARACTER);
    }
    char::REPLACEMENT_CHARACTER
}

/// The character that a text is which is nothing but one `\\uXXXX`, or one pair of them.
pub(crate) fn decode_escape(text: &str) -> Option<char> {
    let mut chars = text.chars();
    let found = match (chars.next(), chars.next()) {
        (Some('\\'), Some('u')) => unicode(&mut chars),
        _ => return None,
    };
    (found != char::REPLACEMENT_CHARACTER && chars.next().is_none()).then_some(found)
}

fn hex4(chars: &mut Chars<'_>) -> Option<u32> {
    let mut value = 0_u32;
    for _ in 0..4 {
        value = (value << 4) | chars.next()?.to_digit(16)?;
    }
    Some(value)
}
