//! `SUBSTITUTE()`: replaces several strings in one pass, the earliest match first.

use std::sync::Arc;

use super::arguments::{MOST_BYTES, arg, text};
use super::{Context, Function, messages, pure};
use crate::error::ArangoError;
use crate::value::Value;

pub(super) const TABLE: &[Function] = &[pure("SUBSTITUTE", 2, 4, substitute)];

const NAME: &str = "SUBSTITUTE";

/// What is looked for and what takes its place.
type Pairs = Vec<(Arc<str>, Arc<str>)>;

fn substitute(ctx: &mut Context<'_>, args: &[Value]) -> Result<Value, ArangoError> {
    let by_object = arg(args, 1).as_object().is_some();
    let pairs = if by_object {
        from_object(arg(args, 1))
    } else {
        from_lists(arg(args, 1), args.get(2))
    };
    let Some(pairs) = pairs else {
        return ctx.invalid(NAME);
    };
    let limit = match args.get(if by_object { 2 } else { 3 }) {
        None | Some(Value::Null) => usize::MAX,
        Some(limit) => match usize::try_from(limit.to_i64()) {
            Ok(limit) => limit,
            Err(_) => return ctx.invalid(NAME),
        },
    };
    replace(ctx, &text(args, 0), pairs, limit).map(Value::from)
}

/// A replacement of `null` removes; anything but a string and `null` is no replacement.
fn replacement(value: &Value) -> Option<Arc<str>> {
    match value {
        Value::Null => Some(Arc::from("")),
        Value::String(text) => Some(text.clone()),
        _ => None,
    }
}

fn from_object(mapping: &Value) -> Option<Pairs> {
    mapping
        .as_object()?
        .iter()
        .map(|(search, with)| Some((search.clone(), replacement(with)?)))
        .collect()
}

/// One replacement string serves all; of an array each serves the search at its place, and where it is too short the
/// found is removed.
fn from_lists(search: &Value, with: Option<&Value>) -> Option<Pairs> {
    let search: Vec<Arc<str>> = match search {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items
            .iter()
            .map(|item| {
                if let Value::String(text) = item {
                    Some(text.clone())
                } else {
                    None
                }
            })
            .collect::<Option<_>>()?,
        _ => return None,
    };
    let empty: Arc<str> = Arc::from("");
    match with {
        None => Some(
            search
                .into_iter()
                .map(|text| (text, empty.clone()))
                .collect(),
        ),
        Some(Value::String(one)) => {
            Some(search.into_iter().map(|text| (text, one.clone())).collect())
        }
        Some(Value::Array(items)) => {
            let with: Vec<Arc<str>> = items.iter().map(replacement).collect::<Option<_>>()?;
            Some(
                search
                    .into_iter()
                    .enumerate()
                    .map(|(at, text)| (text, with.get(at).unwrap_or(&empty).clone()))
                    .collect(),
            )
        }
        Some(_) => None,
    }
}

fn replace(
    ctx: &mut Context<'_>,
    text: &str,
    pairs: Pairs,
    limit: usize,
) -> Result<String, ArangoError> {
    let mut matches = Matches::new(text, pairs.iter().map(|(search, _)| &**search));
    let mut out = String::new();
    let mut done = 0;
    for _ in 0..limit {
        let Some((at, place)) = matches.next(ctx)? else {
            break;
        };
        let Some((search, with)) = pairs.get(place) else {
            break;
        };
        out.push_str(text.get(done..at).unwrap_or_default());
        out.push_str(with);
        if out.len() > MOST_BYTES {
            ctx.host.charge(out.len())?;
            return Err(messages::too_large(NAME));
        }
        done = at + search.len();
    }
    out.push_str(text.get(done..).unwrap_or_default());
    ctx.charge_text(NAME, out.len())?;
    Ok(out)
}

/// The places of several needles in a text from left to right, none overlapping; of several at one place the first
/// needle counts, and an empty one is nowhere.
///
/// Each needle keeps its next place, so that the whole takes one pass for each needle.
pub(super) struct Matches<'a> {
    text: &'a str,
    done: usize,
    /// The next place, which needle, and the needle.
    open: Vec<(usize, usize, &'a str)>,
    steps: usize,
}

impl<'a> Matches<'a> {
    pub(super) fn new(text: &'a str, needles: impl Iterator<Item = &'a str>) -> Self {
        let found = needles.enumerate().filter(|(_, needle)| !needle.is_empty());
        let open = found
            .filter_map(|(place, needle)| Some((text.find(needle)?, place, needle)))
            .collect();
        Self {
            text,
            done: 0,
            open,
            steps: 0,
        }
    }

    /// The next place and which needle is there.
    pub(super) fn next(
        &mut self,
        ctx: &Context<'_>,
    ) -> Result<Option<(usize, usize)>, ArangoError> {
        self.steps += self.open.len();
        if self.steps > 4096 {
            self.steps = 0;
            ctx.host.check_killed()?;
        }
        let Some((at, place, needle)) = self.open.iter().min().copied() else {
            return Ok(None);
        };
        self.done = at + needle.len();
        let (text, done) = (self.text, self.done);
        self.open.retain_mut(|(next, _, needle)| {
            if *next < done {
                match text.get(done..).and_then(|rest| rest.find(*needle)) {
                    Some(found) => *next = done + found,
                    None => return false,
                }
            }
            true
        });
        Ok(Some((at, place)))
    }
}
