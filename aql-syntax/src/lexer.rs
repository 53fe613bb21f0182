//! The lexer: one token at a time, with the server's rules for words, quotes, numbers and comments.
//!
//! | text | token |
//! |---|---|
//! | `for`, `FOR`, `For` | keyword |
//! | `name`, `_key`, `$x` | identifier, case-sensitive |
//! | `` `a b` ``, `´a b´` | identifier; a backslash escapes |
//! | `'a'`, `"a"` | quoted string, may contain newlines; a backslash escapes |
//! | `1`, `0b101`, `0xff` | integer number |
//! | `1.5`, `.5`, `1e3` | number; `1..5` is `1`, `..`, `5` |
//! | `@a`, `@@a` | bind parameter, bind data source parameter |
//! | `// …`, `/* … */` | passed over |
//!
//! What is none of these becomes an invalid token, `;` among them, and the parser refuses it at its place. Only what never
//! ends is an error here: a quote, a tick or a comment without its other half, and integers beyond 32 bits in base 2 or 16.

use crate::Version;
use crate::error::{Place, SyntaxError};
use crate::token::{Token, TokenKind};

/// Reads tokens from a text. Lazy, so that an early error costs nothing for what follows it.
#[derive(Debug)]
pub(crate) struct Lexer<'a> {
    source: &'a str,
    bytes: &'a [u8],
    version: Version,
    /// The next byte to read.
    at: usize,
    /// The current line, from 1.
    line: u32,
    /// The byte at which column 0 of this line would be.
    column_base: usize,
    /// Where the lexeme read last begins, whitespace among them: there the server places the end of the query.
    last: Place,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(source: &'a str, version: Version) -> Lexer<'a> {
        Lexer {
            source,
            bytes: source.as_bytes(),
            version,
            at: 0,
            line: 1,
            column_base: 0,
            last: Place { line: 1, column: 0 },
        }
    }

    /// The next token; `End` again and again after the last.
    pub(crate) fn next(&mut self) -> Result<Token, Box<SyntaxError>> {
        self.skip_blank()?;
        let start = self.at;
        let Some(first) = self.byte(0) else {
            return Ok(Token {
                kind: TokenKind::End,
                start: start as u32,
                end: start as u32,
                line: self.last.line,
                column: self.last.column,
            });
        };
        self.mark();
        let kind = match first {
            b'a'..=b'z' | b'A'..=b'Z' => self.word(),
            b'_' => match self.underscored() {
                0 => self.take(1, TokenKind::Invalid),
                length => self.take(length, TokenKind::Identifier),
            },
            b'$' if self.byte(1).is_some_and(|b| b.is_ascii_alphabetic()) => {
                let length = 1 + self.word_length(1);
                self.take(length, TokenKind::Identifier)
            }
            b'0'..=b'9' => self.number()?,
            b'.' if self.byte(1).is_some_and(|b| b.is_ascii_digit()) => self.fraction(0),
            b'"' | b'\'' => self.quoted(&[first], TokenKind::QuotedString, UNTERMINATED_STRING)?,
            b'`' => self.quoted(b"`", TokenKind::Identifier, UNTERMINATED_NAME)?,
            0xC2 if self.byte(1) == Some(0xB4) => {
                self.quoted("´".as_bytes(), TokenKind::Identifier, UNTERMINATED_NAME)?
            }
            b'@' => self.parameter(),
            0 | 0x80.. => {
                let length = self.source.get(start..).and_then(|s| s.chars().next());
                self.take(length.map_or(1, char::len_utf8), TokenKind::Foreign)
            }
            _ => self.operator(first),
        };
        Ok(Token {
            kind,
            start: start as u32,
            end: self.at as u32,
            line: self.last.line,
            column: self.last.column,
        })
    }

    /// The byte `ahead` of the next one.
    fn byte(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    /// Notes that a lexeme begins here.
    fn mark(&mut self) {
        self.last = Place {
            line: self.line,
            column: (self.at - self.column_base) as u32,
        };
    }

    /// Moves past `length` bytes that are a token of that kind.
    fn take(&mut self, length: usize, kind: TokenKind) -> TokenKind {
        self.at += length;
        kind
    }

    /// Moves past whitespace and comments.
    fn skip_blank(&mut self) -> Result<(), Box<SyntaxError>> {
        loop {
            match (self.byte(0), self.byte(1)) {
                (Some(b' ' | b'\t' | b'\r'), _) => {
                    self.mark();
                    while matches!(self.byte(0), Some(b' ' | b'\t' | b'\r')) {
                        self.at += 1;
                    }
                }
                (Some(b'\n'), _) => self.newline(),
                (Some(b'/'), Some(b'/')) => {
                    self.mark();
                    self.at += 2;
                    if !matches!(self.byte(0), None | Some(b'\n')) {
                        self.mark();
                    }
                    while !matches!(self.byte(0), None | Some(b'\n')) {
                        self.at += 1;
                    }
                }
                (Some(b'/'), Some(b'*')) => self.block_comment()?,
                _ => return Ok(()),
            }
        }
    }

    /// Moves past a newline outside quotes. The server counts the line before it notes the place.
    fn newline(&mut self) {
        self.line += 1;
        self.mark();
        self.at += 1;
        self.column_base = self.at;
    }

    fn block_comment(&mut self) -> Result<(), Box<SyntaxError>> {
        let start = self.at;
        self.mark();
        self.at += 2;
        let mut in_chunk = false;
        loop {
            match (self.byte(0), self.byte(1)) {
                (None, _) => return Err(self.unterminated(start, UNTERMINATED_COMMENT)),
                (Some(b'*'), Some(b'/')) => {
                    self.mark();
                    self.at += 2;
                    return Ok(());
                }
                (Some(b'\n'), _) => {
                    self.newline();
                    in_chunk = false;
                }
                (Some(b'*'), _) => {
                    self.mark();
                    self.at += 1;
                    in_chunk = false;
                }
                _ => {
                    if !in_chunk {
                        self.mark();
                        in_chunk = true;
                    }
                    self.at += 1;
                }
            }
        }
    }

    /// A keyword, an identifier, or one of the two-word tokens `NOT IN` and `AT LEAST`.
    fn word(&mut self) -> TokenKind {
        let length = self.word_length(0);
        let word = self.source.get(self.at..self.at + length).unwrap_or("");
        let kind = TokenKind::of_word(word, self.version);
        if kind == TokenKind::Not {
            if let Some(both) = self.second_word(length, "IN") {
                return self.take_lines(both, TokenKind::NotIn);
            }
        } else if word.eq_ignore_ascii_case("AT")
            && let Some(both) = self.second_word(length, "LEAST")
        {
            return self.take_lines(both, TokenKind::AtLeast);
        }
        self.take(length, kind)
    }

    /// The length of both words, where only whitespace lies between the first and `second`.
    fn second_word(&self, first: usize, second: &str) -> Option<usize> {
        let mut ahead = first;
        while matches!(self.byte(ahead), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            ahead += 1;
        }
        let length = self.word_length(ahead);
        let start = self.at + ahead;
        let word = self.source.get(start..start + length)?;
        (ahead > first && word.eq_ignore_ascii_case(second)).then_some(ahead + length)
    }

    /// Like [`Lexer::take`] for a token that may span lines.
    fn take_lines(&mut self, length: usize, kind: TokenKind) -> TokenKind {
        for _ in 0..length {
            let newline = self.byte(0) == Some(b'\n');
            self.at += 1;
            if newline {
                self.line += 1;
                self.column_base = self.at;
            }
        }
        kind
    }

    /// The number of bytes of a word from `ahead` on.
    fn word_length(&self, ahead: usize) -> usize {
        let rest = self.bytes.get(self.at + ahead..).unwrap_or(&[]);
        rest.iter().take_while(|b| is_word(**b)).count()
    }

    /// The length of an identifier that begins with underscores, which a letter must follow; else 0.
    fn underscored(&self) -> usize {
        let length = self.word_length(0);
        let word = self.bytes.get(self.at..self.at + length).unwrap_or(&[]);
        match word.iter().find(|b| **b != b'_') {
            Some(b) if b.is_ascii_alphabetic() => length,
            _ => 0,
        }
    }

    fn digits(&self, ahead: usize, is_digit: fn(u8) -> bool) -> usize {
        let rest = self.bytes.get(self.at + ahead..).unwrap_or(&[]);
        rest.iter().take_while(|b| is_digit(**b)).count()
    }

    fn number(&mut self) -> Result<TokenKind, Box<SyntaxError>> {
        let (is_digit, most, name): (fn(u8) -> bool, usize, &str) =
            match (self.byte(0), self.byte(1)) {
                (Some(b'0'), Some(b'b' | b'B')) => (|b| matches!(b, b'0' | b'1'), 32, "binary"),
                (Some(b'0'), Some(b'x' | b'X')) => (|b| b.is_ascii_hexdigit(), 8, "hex"),
                _ => return Ok(self.decimal()),
            };
        match self.digits(2, is_digit) {
            0 => Ok(self.take(1, TokenKind::Integer)),
            length if length > most => {
                let start = self.at;
                self.at += 2 + length;
                let mut text = String::from(name);
                text.push_str(" number literal value exceeds the supported range");
                Err(self.unterminated(start, &text))
            }
            length => Ok(self.take(2 + length, TokenKind::Integer)),
        }
    }

    fn decimal(&mut self) -> TokenKind {
        // No leading zeros: `01` is `0` and `1`.
        let whole = match self.byte(0) {
            Some(b'0') => 1,
            _ => self.digits(0, |b| b.is_ascii_digit()),
        };
        self.fraction(whole)
    }

    /// What may follow the digits before the point: `.` and digits, and an exponent.
    fn fraction(&mut self, whole: usize) -> TokenKind {
        let mut length = whole;
        if self.byte(length) == Some(b'.') {
            let digits = self.digits(length + 1, |b| b.is_ascii_digit());
            if digits > 0 {
                length += 1 + digits;
            }
        }
        if matches!(self.byte(length), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.byte(length + 1), Some(b'+' | b'-')));
            let digits = self.digits(length + 1 + sign, |b| b.is_ascii_digit());
            if digits > 0 {
                length += 1 + sign + digits;
            }
        }
        let kind = if length == whole {
            TokenKind::Integer
        } else {
            TokenKind::Double
        };
        self.take(length, kind)
    }

    fn quoted(
        &mut self,
        quote: &[u8],
        kind: TokenKind,
        message: &str,
    ) -> Result<TokenKind, Box<SyntaxError>> {
        let start = self.at;
        self.at += quote.len();
        loop {
            match self.byte(0) {
                None => return Err(self.unterminated(start, message)),
                Some(b'\\') if self.byte(1).is_some_and(|b| b != b'\n') => {
                    self.mark();
                    self.at += 2;
                }
                Some(b'\n') => {
                    // The server counts the line here, but no new column.
                    self.line += 1;
                    self.mark();
                    self.at += 1;
                }
                Some(_) => {
                    self.mark();
                    if self
                        .bytes
                        .get(self.at..)
                        .is_some_and(|rest| rest.starts_with(quote))
                    {
                        self.at += quote.len();
                        return Ok(kind);
                    }
                    self.at += 1;
                }
            }
        }
    }

    fn parameter(&mut self) -> TokenKind {
        let (at, kind) = match self.byte(1) {
            Some(b'@') => (2, TokenKind::DataSourceParameter),
            _ => (1, TokenKind::Parameter),
        };
        let length = self.word_length(at);
        let name = self
            .bytes
            .get(self.at + at..self.at + at + length)
            .unwrap_or(&[]);
        match name.iter().all(|b| *b == b'_') {
            true => self.take(1, TokenKind::Invalid),
            false => self.take(at + length, kind),
        }
    }

    fn operator(&mut self, first: u8) -> TokenKind {
        use TokenKind::*;
        let (length, kind) = match (first, self.byte(1)) {
            (b'=', Some(b'~')) => (2, RegexMatch),
            (b'=', Some(b'=')) => (2, Equal),
            (b'=', _) => (1, Assign),
            (b'!', Some(b'~')) => (2, RegexNonMatch),
            (b'!', Some(b'=')) => (2, NotEqual),
            (b'!', _) => (1, Bang),
            (b'>', Some(b'=')) => (2, GreaterEqual),
            (b'>', _) => (1, Greater),
            (b'<', Some(b'=')) => (2, LessEqual),
            (b'<', _) => (1, Less),
            (b'&', Some(b'&')) => (2, And),
            (b'|', Some(b'|')) => (2, Or),
            (b'+', _) => (1, Plus),
            (b'-', _) => (1, Minus),
            (b'*', _) => (1, Times),
            (b'/', _) => (1, Divide),
            (b'%', _) => (1, Modulo),
            (b'?', _) => (1, Question),
            (b':', Some(b':')) => (2, Scope),
            (b':', _) => (1, Colon),
            (b'.', Some(b'.')) if self.version == Version::V4 && self.byte(2) == Some(b'.') => {
                (3, Spread)
            }
            (b'.', Some(b'.')) => (2, Range),
            (b'.', _) => (1, Dot),
            (b',', _) => (1, Comma),
            (b'(', _) => (1, Open),
            (b')', _) => (1, Close),
            (b'{', _) => (1, ObjectOpen),
            (b'}', _) => (1, ObjectClose),
            (b'[', _) => (1, ArrayOpen),
            (b']', _) => (1, ArrayClose),
            _ => (1, Invalid),
        };
        self.take(length, kind)
    }

    fn unterminated(&self, start: usize, message: &str) -> Box<SyntaxError> {
        SyntaxError::near(
            1501,
            message,
            self.source,
            self.last,
            start as u32,
            self.at as u32,
        )
    }
}

const UNTERMINATED_STRING: &str = "unexpected unterminated string literal";
const UNTERMINATED_NAME: &str = "unexpected unterminated identifier";
const UNTERMINATED_COMMENT: &str = "unexpected unterminated multi-line comment";

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether the text reads as one identifier without quotes, keywords aside.
pub(crate) fn is_bare_identifier(text: &str) -> bool {
    let rest = text.strip_prefix('$').unwrap_or(text);
    let letter = match rest.len() == text.len() {
        true => rest.trim_start_matches('_'),
        false => rest,
    };
    letter.starts_with(|c: char| c.is_ascii_alphabetic()) && rest.bytes().all(is_word)
}

/// Undoes the backslash escapes between quotes or ticks.
///
/// `\b`, `\f`, `\n`, `\r`, `\t` are control characters, `\uXXXX` is a code unit of UTF-16, and any other `\c` is `c`. Half
/// of a surrogate pair, which no text can hold, becomes U+FFFD.
pub(crate) fn unescape(text: &str) -> String {
    if !text.contains('\\') {
        return String::from(text);
    }
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        result.push_str(rest.get(..at).unwrap_or(""));
        rest = rest.get(at + 1..).unwrap_or("");
        let Some(escaped) = rest.chars().next() else {
            break;
        };
        rest = rest.get(escaped.len_utf8()..).unwrap_or("");
        match escaped {
            'b' => result.push('\u{8}'),
            'f' => result.push('\u{c}'),
            'n' => result.push('\n'),
            'r' => result.push('\r'),
            't' => result.push('\t'),
            'u' => match code_unit(rest) {
                Some(high @ 0xD800..=0xDBFF) => {
                    let after = rest.get(4..).unwrap_or("");
                    match after.strip_prefix("\\u").and_then(code_unit) {
                        Some(low @ 0xDC00..=0xDFFF) => {
                            let code = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
                            result.push(char::from_u32(code).unwrap_or('\u{FFFD}'));
                            rest = after.get(6..).unwrap_or("");
                        }
                        _ => {
                            result.push('\u{FFFD}');
                            rest = after;
                        }
                    }
                }
                Some(unit) => {
                    result.push(char::from_u32(unit).unwrap_or('\u{FFFD}'));
                    rest = rest.get(4..).unwrap_or("");
                }
                None => result.push('u'),
            },
            other => result.push(other),
        }
    }
    result.push_str(rest);
    result
}

/// The four hexadecimal digits at the start of the text.
fn code_unit(text: &str) -> Option<u32> {
    let digits = text.get(..4)?;
    match digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        true => u32::from_str_radix(digits, 16).ok(),
        false => None,
    }
}
