//! The pull reader: strict JSON (RFC 8259), token by token, with an explicit stack.

use super::Text;

/// What the reader gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// `{`
    BeginObject,
    /// `}`
    EndObject,
    /// `[`
    BeginArray,
    /// `]`
    EndArray,
    /// The name of a member, its colon passed.
    Key(Text<'a>),
    /// A string that is a value.
    String(Text<'a>),
    /// A number, digit for digit.
    Number(&'a str),
    /// `true`, `false`
    Bool(bool),
    /// `null`
    Null,
}

/// Why the reading stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// What is wrong.
    pub(crate) kind: FaultKind,
    /// The byte at which it shows.
    pub(crate) at: usize,
}

/// What is wrong with a text that is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// The text ends within a value.
    Unfinished,
    /// A character that cannot stand there.
    Unexpected,
    /// More levels than the bound allows.
    TooDeep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expect {
    Value,
    /// Right after `[`.
    ItemOrEnd,
    /// Right after `{`.
    KeyOrEnd,
    /// After a value within an array or object.
    CommaOrEnd,
    /// The value is complete.
    Nothing,
}

impl Fault {
    /// The fault in words for a message, with its line and column.
    pub(crate) fn tell(self, text: &str) -> String {
        let what = match self.kind {
            FaultKind::Unfinished => "it breaks off",
            FaultKind::Unexpected => "it has an unexpected character",
            FaultKind::TooDeep => "it nests too deeply",
        };
        let (line, column) = super::place(text, self.at);
        format!("{what} at line {line} column {column}")
    }
}

/// A reader over one JSON value.
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// One entry a level: whether it is an object.
    open: Vec<bool>,
    max_depth: usize,
    expect: Expect,
}

impl<'a> Reader<'a> {
    /// A reader at the beginning of `text`.
    pub(crate) fn new(text: &'a str, max_depth: usize) -> Reader<'a> {
        Reader {
            text,
            at: 0,
            open: Vec::new(),
            max_depth,
            expect: Expect::Value,
        }
    }

    /// The next token; `None` after a complete value with nothing but white space behind it.
    pub(crate) fn next(&mut self) -> Result<Option<Token<'a>>, Fault> {
        if self.expect == Expect::Nothing {
            return match self.peek() {
                None => Ok(None),
                Some(_) => Err(self.fault(FaultKind::Unexpected)),
            };
        }
        if self.expect == Expect::CommaOrEnd && self.peek() == Some(b',') {
            self.advance(1);
            if self.open.last() == Some(&true) {
                return self.key().map(Some);
            }
            self.expect = Expect::Value;
        }
        let Some(byte) = self.peek() else {
            return Err(self.fault(FaultKind::Unfinished));
        };
        match (self.expect, byte) {
            (Expect::KeyOrEnd | Expect::CommaOrEnd, b'}') if self.open.last() == Some(&true) => {
                Ok(Some(self.close(Token::EndObject)))
            }
            (Expect::ItemOrEnd | Expect::CommaOrEnd, b']') if self.open.last() == Some(&false) => {
                Ok(Some(self.close(Token::EndArray)))
            }
            (Expect::KeyOrEnd, _) => self.key().map(Some),
            (Expect::Value | Expect::ItemOrEnd, _) => self.value(byte).map(Some),
            _ => Err(self.fault(FaultKind::Unexpected)),
        }
    }

    /// Reads one whole value, where one is due, and gives its raw text.
    pub(crate) fn raw_value(&mut self) -> Result<&'a str, Fault> {
        if self.expect == Expect::CommaOrEnd && self.peek() == Some(b',') {
            self.advance(1);
            self.expect = Expect::Value;
        }
        self.peek();
        let from = self.at;
        let depth = self.open.len();
        loop {
            match self.next()? {
                None | Some(Token::Key(_)) if self.open.len() <= depth => {
                    return Err(self.fault(FaultKind::Unexpected));
                }
                Some(_) if self.open.len() < depth => {
                    return Err(self.fault(FaultKind::Unexpected));
                }
                Some(_) if self.open.len() == depth => break,
                _ => {}
            }
        }
        Ok(self.text.get(from..self.at).unwrap_or_default())
    }

    /// Whether the array that was begun has another item.
    pub(crate) fn more_items(&mut self) -> bool {
        match self.expect {
            Expect::ItemOrEnd => self.peek().is_some_and(|byte| byte != b']'),
            Expect::CommaOrEnd => self.peek() == Some(b','),
            _ => false,
        }
    }

    /// The byte after the last token.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// Whether one whole value has been read.
    pub(crate) fn complete(&self) -> bool {
        self.expect == Expect::Nothing
    }

    fn value(&mut self, byte: u8) -> Result<Token<'a>, Fault> {
        match byte {
            b'{' => self.begin(true),
            b'[' => self.begin(false),
            b'"' => {
                let text = self.string()?;
                self.after_value();
                Ok(Token::String(text))
            }
            b't' => self.word("true", Token::Bool(true)),
            b'f' => self.word("false", Token::Bool(false)),
            b'n' => self.word("null", Token::Null),
            _ => self.number(),
        }
    }

    fn begin(&mut self, object: bool) -> Result<Token<'a>, Fault> {
        if self.open.len() >= self.max_depth {
            return Err(self.fault(FaultKind::TooDeep));
        }
        self.advance(1);
        self.open.push(object);
        if object {
            self.expect = Expect::KeyOrEnd;
            Ok(Token::BeginObject)
        } else {
            self.expect = Expect::ItemOrEnd;
            Ok(Token::BeginArray)
        }
    }

    fn close(&mut self, token: Token<'a>) -> Token<'a> {
        self.advance(1);
        self.open.pop();
        self.after_value();
        token
    }

    fn key(&mut self) -> Result<Token<'a>, Fault> {
        match self.peek() {
            Some(b'"') => {}
            Some(_) => return Err(self.fault(FaultKind::Unexpected)),
            None => return Err(self.fault(FaultKind::Unfinished)),
        }
        let name = self.string()?;
        match self.peek() {
            Some(b':') => self.advance(1),
            Some(_) => return Err(self.fault(FaultKind::Unexpected)),
            None => return Err(self.fault(FaultKind::Unfinished)),
        }
        self.expect = Expect::Value;
        Ok(Token::Key(name))
    }

    /// A string, from its opening quote on.
    fn string(&mut self) -> Result<Text<'a>, Fault> {
        self.advance(1);
        let from = self.at;
        loop {
            // Most bytes of a text are plain: they are passed here, without a look at the reader's own state for each.
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let mut plain = 0_usize;
            for byte in rest {
                if *byte < 0x20 || matches!(byte, b'"' | b'\\') {
                    break;
                }
                plain = plain.wrapping_add(1);
            }
            self.advance(plain);
            match self.byte() {
                None => return Err(self.fault(FaultKind::Unfinished)),
                Some(b'"') => break,
                Some(b'\\') => {
                    self.advance(1);
                    self.escape()?;
                }
                Some(_) => return Err(self.fault(FaultKind::Unexpected)),
            }
        }
        let text = Text::new(self.text.get(from..self.at).unwrap_or_default());
        self.advance(1);
        Ok(text)
    }

    fn escape(&mut self) -> Result<(), Fault> {
        match self.byte() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.advance(1);
                Ok(())
            }
            Some(b'u') => {
                self.advance(1);
                for _ in 0..4 {
                    match self.byte() {
                        Some(byte) if byte.is_ascii_hexdigit() => self.advance(1),
                        Some(_) => return Err(self.fault(FaultKind::Unexpected)),
                        None => return Err(self.fault(FaultKind::Unfinished)),
                    }
                }
                Ok(())
            }
            Some(_) => Err(self.fault(FaultKind::Unexpected)),
            None => Err(self.fault(FaultKind::Unfinished)),
        }
    }

    fn word(&mut self, word: &'static str, token: Token<'a>) -> Result<Token<'a>, Fault> {
        for expected in word.bytes() {
            match self.byte() {
                Some(byte) if byte == expected => self.advance(1),
                Some(_) => return Err(self.fault(FaultKind::Unexpected)),
                None => return Err(self.fault(FaultKind::Unfinished)),
            }
        }
        self.after_value();
        Ok(token)
    }

    fn number(&mut self) -> Result<Token<'a>, Fault> {
        let from = self.at;
        if self.byte() == Some(b'-') {
            self.advance(1);
        }
        if self.byte() == Some(b'0') {
            self.advance(1);
        } else {
            self.digits()?;
        }
        if self.byte() == Some(b'.') {
            self.advance(1);
            self.digits()?;
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.advance(1);
            if matches!(self.byte(), Some(b'+' | b'-')) {
                self.advance(1);
            }
            self.digits()?;
        }
        self.after_value();
        Ok(Token::Number(
            self.text.get(from..self.at).unwrap_or_default(),
        ))
    }

    fn digits(&mut self) -> Result<(), Fault> {
        match self.byte() {
            Some(byte) if byte.is_ascii_digit() => {}
            Some(_) => return Err(self.fault(FaultKind::Unexpected)),
            None => return Err(self.fault(FaultKind::Unfinished)),
        }
        while self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            self.advance(1);
        }
        Ok(())
    }

    fn after_value(&mut self) {
        self.expect = if self.open.is_empty() {
            Expect::Nothing
        } else {
            Expect::CommaOrEnd
        };
    }

    // Called for every byte: at the component's optimisation for size it would stay a call.
    #[inline(always)]
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The next byte that is not white space, which is passed.
    fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = self.byte()?;
            if byte > b' ' || !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return Some(byte);
            }
            self.advance(1);
        }
    }

    fn advance(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }

    /// A fault at this place.
    pub(super) fn fault(&self, kind: FaultKind) -> Fault {
        Fault { kind, at: self.at }
    }
}
