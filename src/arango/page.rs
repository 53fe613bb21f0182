//! One response of a cursor's, read in a single pass: rows as they stand, and what the server says beside them.

use crate::ask::Result;
use crate::json::{Reader, Token, Value};

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

impl<'a> Page<'a> {
    /// Reads a body. A member that comes twice is refused: which of the two counts would be a guess.
    pub(super) fn read(route: Route<'_>, text: &'a str) -> Result<Page<'a>> {
        let shape = || misshapen(route);
        // A row may nest as deeply as the server allows: a level takes the reader a byte.
        let mut reader = Reader::new(text, usize::MAX);
        if reader.next().map_err(|fault| broken(route, fault))? != Some(Token::BeginObject) {
            return Err(shape());
        }
        let mut rows = None;
        let mut has_more = None;
        let mut id = None;
        let mut extra = None;
        while let Some(Token::Key(key)) = reader.next().map_err(|fault| broken(route, fault))? {
            let twice = if key.is("result") {
                rows.replace(items(&mut reader, route)?).is_some()
            } else {
                let raw = reader.raw_value().map_err(|fault| broken(route, fault))?;
                // Only what follows is looked into: a response may bring more than is read here.
                let slot = if key.is("hasMore") {
                    &mut has_more
                } else if key.is("id") {
                    &mut id
                } else if key.is("extra") {
                    &mut extra
                } else {
                    continue;
                };
                let value = Value::parse(raw).map_err(|fault| broken(route, fault))?;
                slot.replace(value).is_some()
            };
            if twice {
                return Err(shape());
            }
        }
        reader.next().map_err(|fault| broken(route, fault))?;
        let (Some(rows), Some(Value::Bool(has_more))) = (rows, has_more) else {
            return Err(shape());
        };
        let id = match id {
            None | Some(Value::Null) => None,
            Some(id) => Some(id.text().ok_or_else(shape)?.into_owned()),
        };
        let extra = match extra {
            None | Some(Value::Null) => None,
            Some(extra) => Some(Extra::of(&extra).ok_or_else(shape)?),
        };
        Ok(Page {
            rows,
            has_more,
            id,
            extra,
        })
    }
}

/// The items of the list that is next.
fn items<'a>(reader: &mut Reader<'a>, route: Route<'_>) -> Result<Vec<&'a str>> {
    if reader.next().map_err(|fault| broken(route, fault))? != Some(Token::BeginArray) {
        return Err(misshapen(route));
    }
    let mut rows = Vec::new();
    while reader.more_items() {
        rows.push(reader.raw_value().map_err(|fault| broken(route, fault))?);
    }
    reader.next().map_err(|fault| broken(route, fault))?;
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
