//! JSON written member by member, commas where they belong.

use super::Text;

/// JSON in the making.
///
/// Whether a comma is due shows in the last byte: none after `{`, `[` and `:`, and no value ends in one of these.
#[derive(Default)]
pub(crate) struct Writer(String);

impl Writer {
    /// Begins an object or a list: `{` or `[`.
    pub(crate) fn begin(&mut self, bracket: char) {
        self.comma();
        self.0.push(bracket);
    }

    /// Ends it.
    pub(crate) fn end(&mut self, bracket: char) {
        self.0.push(bracket);
    }

    /// The name of a member, whose value comes next.
    pub(crate) fn key(&mut self, name: &str) -> &mut Writer {
        self.text(name);
        self.0.push(':');
        self
    }

    /// A text.
    pub(crate) fn text(&mut self, text: &str) {
        self.comma();
        push_quoted(&mut self.0, text);
    }

    /// A text, or null.
    pub(crate) fn maybe_text(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.text(text),
            None => self.raw("null"),
        }
    }

    /// A list of texts.
    pub(crate) fn texts<T: AsRef<str>>(&mut self, texts: &[T]) {
        self.begin('[');
        for text in texts {
            self.text(text.as_ref());
        }
        self.end(']');
    }

    /// A whole number.
    pub(crate) fn whole(&mut self, number: u64) {
        self.raw(&number.to_string());
    }

    /// How many there are of something.
    pub(crate) fn count(&mut self, number: usize) {
        self.whole(u64::try_from(number).unwrap_or(u64::MAX));
    }

    /// `true` or `false`.
    pub(crate) fn bool(&mut self, value: bool) {
        self.raw(if value { "true" } else { "false" });
    }

    /// A value that is JSON already.
    pub(crate) fn raw(&mut self, json: &str) {
        self.comma();
        self.0.push_str(json);
    }

    /// A text as it stands in another source, escapes and all.
    pub(super) fn source_text(&mut self, text: Text<'_>) {
        self.comma();
        self.0.push('"');
        self.0.push_str(text.source());
        self.0.push('"');
    }

    /// A name as it stands in another source.
    pub(super) fn source_key(&mut self, name: Text<'_>) {
        self.source_text(name);
        self.0.push(':');
    }

    /// What was written.
    pub(crate) fn finish(self) -> String {
        self.0
    }

    fn comma(&mut self) {
        if !matches!(self.0.as_bytes().last(), None | Some(b'{' | b'[' | b':')) {
            self.0.push(',');
        }
    }
}

/// Appends a text as a JSON string, quotes and all.
pub(crate) fn push_quoted(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        let short = match c {
            '"' | '\\' => c,
            '\n' => 'n',
            '\r' => 'r',
            '\t' => 't',
            '\u{8}' => 'b',
            '\u{c}' => 'f',
            '\0'..='\u{1f}' => {
                out.push_str("\\u00");
                push_hex(out, u32::from(c), 2);
                continue;
            }
            _ => {
                out.push(c);
                continue;
            }
        };
        out.push('\\');
        out.push(short);
    }
    out.push('"');
}

/// Appends the last so many hexadecimal digits of a number, in lower case.
pub(crate) fn push_hex(out: &mut String, number: u32, digits: u32) {
    for place in (0..digits).rev() {
        let nibble = number >> place.saturating_mul(4) & 0xf;
        out.push(char::from_digit(nibble, 16).unwrap_or('0'));
    }
}
