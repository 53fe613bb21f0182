//! One response of a cursor's, read in a single pass: rows as they stand, and what the server says beside them.

use crate::ask::Result;
use crate::json::{Fault, Reader, Token, Value};

use super::client::{broken, misshapen};
use super::paths::Route;

/// What a response holds.
pub(super) struct Page<'a> {
    pub(super) rows: Vec<&'a str>,
    pub(super) has_more: bool,
    pub(super) id: Option<String>,
    pub(super) extra: Option<Extra>,
}

/// Statistics and warnings.
#[derive(Default)]
pub(super) struct Extra {
    pub(super) stats: Option<Stats>,
    /// Number and message.
    pub(super) warnings: Vec<(u64, String)>,
}

/// What the query wrote.
#[derive(Clone, Copy)]
pub(super) struct Stats {
    pub(super) writes_executed: u64,
    pub(super) writes_ignored: u64,
}

/// Why a body is no page.
enum Unreadable {
    Broken(Fault),
    Shape,
}

impl From<Fault> for Unreadable {
    fn from(fault: Fault) -> Unreadable {
        Unreadable::Broken(fault)
    }
}

impl<'a> Page<'a> {
    /// Reads a body. A member that comes twice is refused: which of the two counts would be a guess.
    pub(super) fn read(route: Route<'_>, text: &'a str) -> Result<Page<'a>> {
        page(text).map_err(|unreadable| match unreadable {
            Unreadable::Broken(fault) => broken(route, fault),
            Unreadable::Shape => misshapen(route),
        })
    }
}

fn page(text: &str) -> core::result::Result<Page<'_>, Unreadable> {
    // A row may nest as deeply as the server allows: a level takes the reader a byte.
    let mut reader = Reader::new(text, usize::MAX);
    if reader.next()? != Some(Token::BeginObject) {
        return Err(Unreadable::Shape);
    }
    let mut rows = None;
    let [mut has_more, mut id, mut extra] = [const { None }; 3];
    while let Some(Token::Key(key)) = reader.next()? {
        // Only these are looked into: a response may bring more than is read here.
        let (slot, raw) = match key.decode().as_ref() {
            "result" => {
                if rows.replace(items(&mut reader)?).is_some() {
                    return Err(Unreadable::Shape);
                }
                continue;
            }
            "hasMore" => (&mut has_more, reader.raw_value()?),
            "id" => (&mut id, reader.raw_value()?),
            "extra" => (&mut extra, reader.raw_value()?),
            _ => {
                reader.raw_value()?;
                continue;
            }
        };
        if slot.replace(Value::parse(raw)?).is_some() {
            return Err(Unreadable::Shape);
        }
    }
    reader.next()?;
    let (Some(rows), Some(Value::Bool(has_more))) = (rows, has_more) else {
        return Err(Unreadable::Shape);
    };
    let id = match id {
        None | Some(Value::Null) => None,
        Some(id) => Some(id.text().ok_or(Unreadable::Shape)?.into_owned()),
    };
    let extra = match extra {
        None | Some(Value::Null) => None,
        Some(extra) => Some(Extra::of(&extra).ok_or(Unreadable::Shape)?),
    };
    Ok(Page {
        rows,
        has_more,
        id,
        extra,
    })
}

/// The items of the list that is next.
fn items<'a>(reader: &mut Reader<'a>) -> core::result::Result<Vec<&'a str>, Unreadable> {
    if reader.next()? != Some(Token::BeginArray) {
        return Err(Unreadable::Shape);
    }
    let mut rows = Vec::new();
    while reader.more_items() {
        rows.push(reader.raw_value()?);
    }
    reader.next()?;
    Ok(rows)
}

impl Extra {
    fn of(value: &Value<'_>) -> Option<Extra> {
        let Value::Object(_) = value else {
            return None;
        };
        let stats = match value.get("stats") {
            None | Some(Value::Null) => None,
            Some(stats) => Some(Stats {
                writes_executed: stats.get("writesExecuted")?.whole()?,
                writes_ignored: stats.get("writesIgnored")?.whole()?,
            }),
        };
        let mut warnings = Vec::new();
        if let Some(listed) = value.get("warnings") {
            for item in listed.list()? {
                let message = item.text_of("message")?.into_owned();
                warnings.push((item.get("code")?.whole()?, message));
            }
        }
        Some(Extra { stats, warnings })
    }
}
