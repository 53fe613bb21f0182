//! The rows that the model sees: the first ones, their long values shortened with a mark.

use crate::arango::RawRows;
use crate::json::{self, Reader, Token, Writer};
use crate::render;
use crate::settings::Settings;

/// A list longer than this is shortened, at any depth.
const MAX_ITEMS: usize = 32;

/// The first rows of an answer, as the model is shown them.
pub struct Excerpt {
    /// The rows, one a line.
    rows: String,
    /// How many are shown.
    shown: usize,
    /// How many the answer has.
    all: usize,
    /// Whether the database had more.
    more: bool,
}

impl Excerpt {
    /// The first `prose.top_k` rows that together fit `prose.max_bytes`. A first row that alone does not is cut, with a mark.
    pub fn of(rows: &RawRows, more: bool, settings: &Settings) -> Excerpt {
        let size = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        let room = size(settings.prose.max_bytes);
        let mut excerpt = Excerpt {
            rows: String::new(),
            shown: 0,
            all: rows.len(),
            more,
        };
        for row in rows.iter().take(size(settings.prose.top_k)) {
            let mut row = shorten(row);
            if excerpt.rows.len().saturating_add(row.len()) > room {
                if excerpt.shown > 0 {
                    break;
                }
                row = cut(&row, room);
            }
            excerpt.rows.push_str(&row);
            excerpt.rows.push('\n');
            excerpt.shown = excerpt.shown.saturating_add(1);
        }
        excerpt
    }

    /// The rows, one a line.
    pub(super) fn rows(&self) -> &str {
        &self.rows
    }

    /// How many rows there are, and how many follow.
    pub(super) fn told(&self) -> String {
        let Excerpt { shown, all, .. } = self;
        let more = if self.more {
            " The database had more rows than these."
        } else {
            ""
        };
        match all {
            0 => "The query gave no row.".into(),
            _ if shown == all => format!(
                "The query gave {all} rows, all of them shown, a JSON value each behind a bar:{more}"
            ),
            _ => format!(
                "The query gave {all} rows.{more} Only the first {shown} are shown, a JSON value each behind a bar:"
            ),
        }
    }
}

/// The beginning of a row that has no room, and how much is missing.
fn cut(row: &str, room: usize) -> String {
    let kept = row
        .char_indices()
        .map(|(at, c)| at.saturating_add(c.len_utf8()))
        .take_while(|end| *end <= room)
        .last()
        .unwrap_or_default();
    format!(
        "{}… (+{} bytes)",
        row.get(..kept).unwrap_or_default(),
        row.len().saturating_sub(kept)
    )
}

/// The value with every text of more than 256 characters and every list of more than 32 items shortened, at any depth. It
/// stays JSON: a mark is a text, or the end of one.
fn shorten(raw: &str) -> String {
    let mut reader = Reader::new(raw, json::MAX_DEPTH);
    let mut out = Writer::default();
    // One entry a level: how many items a list has had; `None` in an object.
    let mut levels: Vec<Option<usize>> = Vec::new();
    loop {
        if let Some(Some(MAX_ITEMS)) = levels.last() {
            let mut more = 0_usize;
            while reader.more_items() && reader.raw_value().is_ok() {
                more = more.saturating_add(1);
            }
            if more > 0 {
                out.text(&format!("… (+{more} items)"));
            }
        }
        let Ok(Some(token)) = reader.next() else {
            return out.finish();
        };
        if let Some(Some(items)) = levels.last_mut()
            && token != Token::EndArray
        {
            *items = items.saturating_add(1);
        }
        match token {
            Token::BeginObject => {
                out.begin('{');
                levels.push(None);
            }
            Token::BeginArray => {
                out.begin('[');
                levels.push(Some(0));
            }
            Token::EndObject | Token::EndArray => {
                out.end(if token == Token::EndObject { '}' } else { ']' });
                levels.pop();
            }
            Token::Key(name) => {
                out.key(&name.decode());
            }
            Token::String(text) => out.text(&render::shorten(&text.decode())),
            Token::Number(digits) => out.raw(digits),
            Token::Bool(value) => out.bool(value),
            Token::Null => out.raw("null"),
        }
    }
}
