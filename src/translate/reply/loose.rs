//! One tolerant pass over an object that is nearly JSON.
//!
//! Tolerated: single quotes, trailing commas, raw line breaks, `True`, `False`, `None`, and backslashes that begin no escape,
//! which stay as they are (`"\d"` is the text `\d`). Not tolerated, because it would be a guess: keys without quotes, and a
//! quote within a text of the same quotes.

use core::iter::Peekable;
use core::str::CharIndices;

use super::object::Value;
use crate::json;

/// Why the pass stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The text ends within the object.
    Unfinished,
    /// It is no such object.
    Wrong,
}

/// The members of the object at the beginning of a text, and its length in bytes.
pub(super) fn object(text: &str) -> Result<(Vec<(String, Value)>, usize), Fault> {
    let mut pass = Pass {
        text,
        chars: text.char_indices().peekable(),
    };
    pass.expect('{')?;
    let mut members = Vec::new();
    loop {
        match pass.peek()? {
            '}' => break,
            '"' | '\'' => {
                let key = pass.string()?;
                pass.expect(':')?;
                members.push((key, pass.value()?));
            }
            _ => return Err(Fault::Wrong),
        }
        match pass.peek()? {
            ',' => pass.expect(',')?,
            '}' => {}
            _ => return Err(Fault::Wrong),
        }
    }
    pass.expect('}')?;
    let length = pass.chars.peek().map_or(text.len(), |(at, _)| *at);
    Ok((members, length))
}

struct Pass<'a> {
    text: &'a str,
    chars: Peekable<CharIndices<'a>>,
}

impl Pass<'_> {
    /// The next character that is not white space; it stays.
    fn peek(&mut self) -> Result<char, Fault> {
        while self.chars.next_if(|(_, c)| c.is_whitespace()).is_some() {}
        self.chars.peek().map(|(_, c)| *c).ok_or(Fault::Unfinished)
    }

    fn expect(&mut self, expected: char) -> Result<(), Fault> {
        if self.peek()? != expected {
            return Err(Fault::Wrong);
        }
        self.chars.next();
        Ok(())
    }

    fn value(&mut self) -> Result<Value, Fault> {
        match self.peek()? {
            '"' | '\'' => self.string().map(Value::Text),
            '[' => self.array(),
            c if c.is_ascii_alphanumeric() || c == '-' => self.word(),
            _ => Err(Fault::Wrong),
        }
    }

    /// An array of texts and words.
    fn array(&mut self) -> Result<Value, Fault> {
        self.expect('[')?;
        let mut texts = Some(Vec::new());
        loop {
            match self.peek()? {
                ']' => break,
                '[' | '{' => return Err(Fault::Wrong),
                _ => match (self.value()?, &mut texts) {
                    (Value::Text(text), Some(texts)) => texts.push(text),
                    _ => texts = None,
                },
            }
            match self.peek()? {
                ',' => self.expect(',')?,
                ']' => {}
                _ => return Err(Fault::Wrong),
            }
        }
        self.expect(']')?;
        Ok(texts.map_or(Value::Other, Value::Texts))
    }

    fn word(&mut self) -> Result<Value, Fault> {
        let mut word = String::new();
        while let Some((_, c)) = self
            .chars
            .next_if(|(_, c)| c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.'))
        {
            word.push(c);
        }
        match word.as_str() {
            "true" | "True" => Ok(Value::Bool(true)),
            "false" | "False" => Ok(Value::Bool(false)),
            "null" | "None" => Ok(Value::Null),
            _ if word.starts_with(|c: char| c.is_ascii_digit() || c == '-') => Ok(Value::Other),
            _ if self.chars.peek().is_none() => Err(Fault::Unfinished),
            _ => Err(Fault::Wrong),
        }
    }

    fn string(&mut self) -> Result<String, Fault> {
        let quote = self.peek()?;
        self.chars.next();
        let mut out = String::new();
        loop {
            match self.chars.next() {
                None => return Err(Fault::Unfinished),
                Some((_, c)) if c == quote => return Ok(out),
                Some((at, '\\')) => self.escape(at, quote, &mut out)?,
                Some((_, c)) => out.push(c),
            }
        }
    }

    fn escape(&mut self, at: usize, quote: char, out: &mut String) -> Result<(), Fault> {
        let Some((_, c)) = self.chars.next() else {
            return Err(Fault::Unfinished);
        };
        match c {
            '"' | '\\' | '/' => out.push(c),
            '\'' if quote == '\'' => out.push(c),
            'b' => out.push('\u{8}'),
            'f' => out.push('\u{c}'),
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            'u' => self.unicode(at, out),
            _ => {
                out.push('\\');
                out.push(c);
            }
        }
        Ok(())
    }

    /// `\uXXXX`, or `\uXXXX\uXXXX` for a pair, from its backslash at this byte; `\u` alone where no digits follow.
    fn unicode(&mut self, at: usize, out: &mut String) {
        for length in [12, 6] {
            let escape = self
                .text
                .get(at..at.saturating_add(length))
                .and_then(json::decode_escape);
            if let Some(decoded) = escape {
                out.push(decoded);
                for _ in 2..length {
                    self.chars.next();
                }
                return;
            }
        }
        out.push_str("\\u");
    }
}
