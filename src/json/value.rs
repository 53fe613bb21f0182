//! A JSON value as a small tree, for what must be looked up by name: texts and numbers stay in the source.
//!
//! `serde_json::Value` and derived readers cost the component some 90 KB, most of it the same code once a type. Here one
//! function reads everything, and whoever wants a record picks its members out.

use std::borrow::Cow;

use super::{Fault, FaultKind, Reader, Text, Token, Writer};

/// The deepest nesting of a tree: reading one is recursive.
const MAX_TREE_DEPTH: usize = 128;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value<'a> {
    Null,
    Bool(bool),
    /// Digit for digit.
    Number(&'a str),
    Text(Text<'a>),
    List(Vec<Value<'a>>),
    /// In the order of the source, names that come twice included.
    Object(Vec<(Text<'a>, Value<'a>)>),
}

impl<'a> Value<'a> {
    /// Reads a text that is one value.
    pub(crate) fn parse(text: &'a str) -> Result<Value<'a>, Fault> {
        let mut reader = Reader::new(text, MAX_TREE_DEPTH);
        let value = Value::read(&mut reader)?;
        reader.next()?;
        Ok(value)
    }

    /// Reads the value that is next.
    pub(crate) fn read(reader: &mut Reader<'a>) -> Result<Value<'a>, Fault> {
        match reader.next()? {
            Some(token) => Value::of(token, reader, 0),
            None => Err(reader.fault(FaultKind::Unexpected)),
        }
    }

    fn of(token: Token<'a>, reader: &mut Reader<'a>, depth: usize) -> Result<Value<'a>, Fault> {
        if depth > MAX_TREE_DEPTH {
            return Err(reader.fault(FaultKind::TooDeep));
        }
        let depth = depth.saturating_add(1);
        Ok(match token {
            Token::Null => Value::Null,
            Token::Bool(value) => Value::Bool(value),
            Token::Number(digits) => Value::Number(digits),
            Token::String(text) => Value::Text(text),
            Token::BeginArray => {
                let mut items = Vec::new();
                loop {
                    match reader.next()? {
                        Some(Token::EndArray) => break,
                        Some(token) => items.push(Value::of(token, reader, depth)?),
                        None => return Err(reader.fault(FaultKind::Unfinished)),
                    }
                }
                Value::List(items)
            }
            Token::BeginObject => {
                let mut members = Vec::new();
                while let Some(Token::Key(key)) = reader.next()? {
                    let Some(token) = reader.next()? else { break };
                    members.push((key, Value::of(token, reader, depth)?));
                }
                Value::Object(members)
            }
            Token::EndObject | Token::EndArray | Token::Key(_) => {
                return Err(reader.fault(FaultKind::Unexpected));
            }
        })
    }

    /// The member of this name, where the value is an object that has it. Where it comes twice, the last one counts.
    pub(crate) fn get(&self, name: &str) -> Option<&Value<'a>> {
        let (_, value) = self.members().iter().rev().find(|(key, _)| key.is(name))?;
        Some(value)
    }

    /// The text that it is.
    pub(crate) fn text(&self) -> Option<Cow<'a, str>> {
        match self {
            Value::Text(text) => Some(text.decode()),
            _ => None,
        }
    }

    /// The text that the member of this name is.
    pub(crate) fn text_of(&self, name: &str) -> Option<Cow<'a, str>> {
        self.get(name)?.text()
    }

    /// The whole number from 0 on that it is, written without fraction and exponent.
    pub(crate) fn whole(&self) -> Option<u64> {
        match self {
            Value::Number(digits) => digits.parse().ok(),
            _ => None,
        }
    }

    /// Whether it is `true`.
    pub(crate) fn is_true(&self) -> bool {
        *self == Value::Bool(true)
    }

    /// The items, where it is a list.
    pub(crate) fn list(&self) -> Option<&[Value<'a>]> {
        match self {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    /// The items; none where it is no list.
    pub(crate) fn items(&self) -> &[Value<'a>] {
        self.list().unwrap_or_default()
    }

    /// The members; none where it is no object.
    pub(crate) fn members(&self) -> &[(Text<'a>, Value<'a>)] {
        match self {
            Value::Object(members) => members,
            _ => &[],
        }
    }

    /// The items of the list under this name; none where there is no such list.
    pub(crate) fn items_of(&self, name: &str) -> &[Value<'a>] {
        self.get(name).map(Value::items).unwrap_or_default()
    }

    /// Appends the value without white space, digits and escapes as they stand.
    pub(crate) fn write(&self, writer: &mut Writer) {
        match self {
            Value::Null => writer.raw("null"),
            Value::Bool(value) => writer.bool(*value),
            Value::Number(digits) => writer.raw(digits),
            Value::Text(text) => writer.source_text(*text),
            Value::List(items) => {
                writer.begin('[');
                for item in items {
                    item.write(writer);
                }
                writer.end(']');
            }
            Value::Object(members) => {
                writer.begin('{');
                for (key, value) in members {
                    writer.source_key(*key);
                    value.write(writer);
                }
                writer.end('}');
            }
        }
    }

    /// The value as [`Value::write`] writes it.
    pub(crate) fn to_json(&self) -> String {
        let mut writer = Writer::default();
        self.write(&mut writer);
        writer.finish()
    }
}
