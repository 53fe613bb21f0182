//! The JSON object that was asked for, at any place of a reply.

use core::ops::Range;

use super::{AMBIGUOUS, CONTRADICTION, NOT_AN_OBJECT, Reply, UNREADABLE, Unusable, loose, tidy};
use crate::json::{self, FaultKind, Reader, Token};

/// How many opening braces are tried. Past that a reply is not one object with something around it.
const MAX_TRIES: usize = 512;

/// Objects of the form asked for are flat; a little more is harmless.
const MAX_DEPTH: usize = 16;

/// A value, as far as the form asked for needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    Bool(bool),
    Null,
    /// An array of texts.
    Texts(Vec<String>),
    /// Anything else.
    Other,
}

/// The members of an object that bear on the reply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fields {
    is_valid: Option<Value>,
    query: Option<Value>,
    assumptions: Option<Value>,
    clarify: Option<Value>,
    /// A member came twice.
    doubled: bool,
}

/// An object that was found, and where.
pub(super) struct Found {
    pub(super) range: Range<usize>,
    pub(super) fields: Fields,
}

/// What a search found.
pub(super) struct Search {
    pub(super) found: Vec<Found>,
    /// An object of the form began and did not end.
    pub(super) unfinished: bool,
}

impl Fields {
    pub(super) fn new(members: Vec<(String, Value)>) -> Fields {
        let mut fields = Fields::default();
        for (name, value) in members {
            fields.add(&name, value);
        }
        fields
    }

    /// Takes a member, where it is one of those that bear on the reply.
    fn add(&mut self, name: &str, value: Value) {
        let place = match name.to_ascii_lowercase().as_str() {
            "isvalid" | "is_valid" => &mut self.is_valid,
            "query" | "aql" => &mut self.query,
            "assumptions" => &mut self.assumptions,
            "clarify" => &mut self.clarify,
            _ => return,
        };
        self.doubled |= place.replace(value).is_some();
    }

    /// Whether this is the form that was asked for, and not some other object.
    fn fits(&self) -> bool {
        self.query.is_some() || self.is_valid.is_some() || self.clarify.is_some()
    }

    /// What the object says.
    pub(super) fn reply(&self) -> Result<Reply, Unusable> {
        if self.doubled {
            return Err(AMBIGUOUS);
        }
        let text = text_of(self.query.as_ref())?;
        let clarify = text_of(self.clarify.as_ref())?;
        let query = tidy::query(&text);
        let is_query = tidy::parses(&query);
        let valid = match &self.is_valid {
            Some(Value::Bool(valid)) => *valid,
            Some(Value::Text(text)) => match text.trim().to_ascii_lowercase().as_str() {
                "true" => true,
                "false" | "no" => false,
                _ => return Err(CONTRADICTION),
            },
            Some(Value::Null) => false,
            Some(_) => return Err(CONTRADICTION),
            None => is_query,
        };
        match (valid, text.trim().is_empty(), clarify.trim().is_empty()) {
            (true, false, _) => Ok(Reply::Query {
                query,
                assumptions: self.assumptions(),
            }),
            (_, _, false) => Ok(Reply::Clarify(tidy::words(&clarify))),
            // The model says that this is no query, and it is one.
            (false, false, true) if is_query => Err(CONTRADICTION),
            // Without a verdict, a text that is no query may be prose or a query with a mistake.
            (false, false, true) if self.is_valid.is_none() => Err(UNREADABLE),
            (false, false, true) => Ok(Reply::Words(tidy::words(&text))),
            (_, true, true) => Err(UNREADABLE),
        }
    }

    fn assumptions(&self) -> Vec<String> {
        let texts = match &self.assumptions {
            Some(Value::Texts(texts)) => texts.clone(),
            Some(Value::Text(text)) => vec![text.clone()],
            _ => Vec::new(),
        };
        let mut kept = Vec::new();
        for text in texts {
            let words = tidy::words(&text);
            if !words.is_empty() {
                kept.push(words);
            }
        }
        kept
    }
}

fn text_of(value: Option<&Value>) -> Result<String, Unusable> {
    match value {
        Some(Value::Text(text)) => Ok(text.clone()),
        None | Some(Value::Null) => Ok(String::new()),
        Some(_) => Err(NOT_AN_OBJECT),
    }
}

/// The fields, where the text is one JSON object of the form from end to end.
pub(super) fn whole(text: &str) -> Option<Fields> {
    let fields = strict(text)?;
    fields.fits().then_some(fields)
}

/// Whether the text is JSON from end to end and no object of the form.
pub(super) fn is_other_json(text: &str) -> bool {
    let mut reader = Reader::new(text, json::MAX_DEPTH);
    loop {
        match reader.next() {
            Ok(Some(_)) => {}
            Ok(None) => return whole(text).is_none(),
            Err(_) => return false,
        }
    }
}

/// The objects of the form, in order. An object of another form is passed over with all that it holds.
pub(super) fn search(text: &str) -> Result<Search, Unusable> {
    let mut search = Search {
        found: Vec::new(),
        unfinished: false,
    };
    let mut past = 0;
    let mut tries = 0_usize;
    for (start, _) in text.match_indices('{') {
        if start < past {
            continue;
        }
        tries = tries.saturating_add(1);
        if tries > MAX_TRIES {
            return Err(UNREADABLE);
        }
        let rest = text.get(start..).unwrap_or_default();
        let (fields, length) = match at(rest) {
            Ok(found) => found,
            Err(unfinished) => {
                search.unfinished |= unfinished && begins_with_the_form(rest);
                continue;
            }
        };
        past = start.saturating_add(length);
        if fields.fits() {
            search.found.push(Found {
                range: start..past,
                fields,
            });
        }
    }
    Ok(search)
}

/// The object at the beginning of a text and its length, or whether it is unfinished.
fn at(text: &str) -> Result<(Fields, usize), bool> {
    let mut reader = Reader::new(text, MAX_DEPTH);
    let strict_fault = loop {
        match reader.next() {
            Ok(_) if reader.complete() => break None,
            Ok(_) => {}
            Err(fault) => break Some(fault.kind),
        }
    };
    let Some(fault) = strict_fault else {
        let length = reader.offset();
        let fields = text.get(..length).and_then(strict).ok_or(false)?;
        return Ok((fields, length));
    };
    match loose::object(text) {
        Ok((members, length)) => Ok((Fields::new(members), length)),
        Err(loose::Fault::Unfinished) => Err(true),
        Err(loose::Fault::Wrong) => Err(fault == FaultKind::Unfinished),
    }
}

/// Whether a text that begins with a brace names a key of the form first.
fn begins_with_the_form(text: &str) -> bool {
    let key =
        text.trim_start_matches(|c: char| c == '{' || c == '"' || c == '\'' || c.is_whitespace());
    [
        "isValid",
        "is_valid",
        "query",
        "aql",
        "assumptions",
        "clarify",
    ]
    .iter()
    .any(|name| {
        key.get(..name.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(name))
    })
}

/// The fields of one strict JSON object.
fn strict(text: &str) -> Option<Fields> {
    let members = json::members(text)?;
    let mut fields = Fields::default();
    for (name, raw) in members {
        fields.add(&name, value(raw));
    }
    Some(fields)
}

fn value(raw: &str) -> Value {
    match Reader::new(raw, 1).next() {
        Ok(Some(Token::String(text))) => Value::Text(text.decode().into_owned()),
        Ok(Some(Token::Bool(value))) => Value::Bool(value),
        Ok(Some(Token::Null)) => Value::Null,
        Ok(Some(Token::BeginArray)) => {
            let mut texts = Vec::new();
            for item in json::items(raw).unwrap_or_default() {
                match text(item) {
                    Some(text) => texts.push(text),
                    None => return Value::Other,
                }
            }
            Value::Texts(texts)
        }
        _ => Value::Other,
    }
}

fn text(raw: &str) -> Option<String> {
    match Reader::new(raw, 1).next() {
        Ok(Some(Token::String(text))) => Some(text.decode().into_owned()),
        _ => None,
    }
}
