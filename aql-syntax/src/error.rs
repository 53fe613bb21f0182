//! The error of the parser: the server's number and words, the place, and a hint where one repair is likely.

use std::fmt;

use crate::span::Span;

/// Why a text is not a query.
///
/// `Display` gives the message as the server words it, without its state suffix ` (while parsing)`:
///
/// ```
/// let error = aql_syntax::parse("RETURN 1 +").unwrap_err();
/// assert_eq!(error.to_string(), "syntax error, unexpected end of query string near '+' at position 1:10");
/// assert_eq!(error.number, 1501);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The server's error number: 1501 for most, else one that names a rule (1511 for a variable that is declared twice).
    pub number: u16,
    /// The message in full, the place included where the server prints one.
    pub message: String,
    /// The line, from 1, as the server counts.
    pub line: u32,
    /// The column in bytes, from 1, as the server counts.
    pub column: u32,
    /// The bytes of the text that the error is about.
    pub span: Span,
    /// What to write instead, where one repair is likely.
    pub hint: Option<String>,
}

impl SyntaxError {
    /// What to write instead, where one repair is likely: for example which keyword to quote.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// An error whose message ends with an excerpt and the place.
    pub(crate) fn near(
        number: u16,
        text: &str,
        source: &str,
        place: Place,
        start: u32,
        end: u32,
    ) -> Box<SyntaxError> {
        let mut message = String::from(text);
        message.push_str(" near '");
        excerpt(source, place, &mut message);
        message.push_str("' at position ");
        push_number(&mut message, place.line);
        message.push(':');
        push_number(&mut message, place.column + 1);
        SyntaxError::plain(number, message, place, start, end)
    }

    /// An error whose message is only the text.
    pub(crate) fn plain(
        number: u16,
        message: String,
        place: Place,
        start: u32,
        end: u32,
    ) -> Box<SyntaxError> {
        Box::new(SyntaxError {
            number,
            message,
            line: place.line,
            column: place.column + 1,
            span: Span { start, end },
            hint: None,
        })
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SyntaxError {}

/// A place as the server counts: the line from 1, the column in bytes from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// How many bytes of the query an error quotes.
const EXCERPT: usize = 32;

/// Appends the text from the place on: up to 32 bytes, then `...` where the query goes on.
///
/// A carriage return counts as an end of line here, unlike in the lexer; so it does in the server. A character is never
/// split: its bytes before the cut are left out.
fn excerpt(source: &str, place: Place, message: &mut String) {
    let bytes = source.as_bytes();
    let (mut at, mut line, mut column) = (0, 1, 0);
    while let Some(byte) = bytes.get(at) {
        if *byte == 0 || line > place.line || (line == place.line && column >= place.column) {
            break;
        }
        at += 1;
        match byte {
            b'\n' => (line, column) = (line + 1, 0),
            b'\r' => {
                (line, column) = (line + 1, 0);
                at += usize::from(bytes.get(at) == Some(&b'\n'));
            }
            _ => column += 1,
        }
    }
    while !source.is_char_boundary(at) {
        at += 1;
    }
    let rest = source.get(at..).unwrap_or("");
    if rest.len() < EXCERPT {
        message.push_str(rest);
        return;
    }
    let mut end = EXCERPT;
    while !rest.is_char_boundary(end) {
        end -= 1;
    }
    message.push_str(rest.get(..end).unwrap_or(""));
    message.push_str("...");
}

/// Appends a number in decimal.
pub(crate) fn push_number(text: &mut String, number: u32) {
    if number >= 10 {
        push_number(text, number / 10);
    }
    text.push(char::from(b'0' + (number % 10) as u8));
}
