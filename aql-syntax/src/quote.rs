//! Names and texts as AQL writes them.

use std::borrow::Cow;

use crate::lexer::is_bare_identifier;
use crate::token::keyword;

/// A name as a query must write it: bare where that reads back as the same name, else in backticks.
///
/// Keywords of every version are quoted, so that the text means the same to each. Backticks and backslashes are escaped.
///
/// ```
/// use aql_syntax::quote_name;
///
/// assert_eq!(quote_name("shirts"), "shirts");
/// assert_eq!(quote_name("filter"), "`filter`");
/// assert_eq!(quote_name("my-shirts"), "`my-shirts`");
/// assert_eq!(quote_name("a`b"), "`a\\`b`");
/// ```
pub fn quote_name(name: &str) -> Cow<'_, str> {
    // `AT` is no keyword, but one half of `AT LEAST`.
    if is_bare_identifier(name) && keyword(name).is_none() && !name.eq_ignore_ascii_case("AT") {
        return Cow::Borrowed(name);
    }
    let mut quoted = String::with_capacity(name.len() + 2);
    quoted.push('`');
    for c in name.chars() {
        if matches!(c, '`' | '\\') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted.push('`');
    Cow::Owned(quoted)
}

/// Appends a text as a string literal in double quotes.
pub(crate) fn push_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\0'..='\u{1f}' => {
                out.push_str("\\u00");
                for digit in [c as u32 >> 4, c as u32 & 15] {
                    out.push(char::from_digit(digit, 16).unwrap_or('0'));
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
