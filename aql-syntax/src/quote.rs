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
