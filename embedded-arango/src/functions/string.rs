//! Strings: joining, cutting, trimming, finding, splitting. Arguments are cast as `TO_STRING()` does; lengths and
//! positions count characters (code points), those of `FIND_FIRST()` and `FIND_LAST()` UTF-16 units, as the server's do.

use super::arguments::{arg, flag, text};
use super::messages::RESOURCE_LIMIT;
use super::substitute::Matches;
use super::{Context, Function, pure};
use crate::error::ArangoError;
use crate::value::Value;

type Outcome = Result<Value, ArangoError>;

pub(super) const TABLE: &[Function] = &[
    pure("CHAR_LENGTH", 1, 1, |_, args| {
        Ok(count_characters(&text(args, 0)))
    }),
    pure("CONCAT", 1, usize::MAX, |ctx, args| {
        join(ctx, "CONCAT", "", args)
    }),
    pure("CONCAT_SEPARATOR", 2, usize::MAX, concat_separator),
    pure("CONTAINS", 2, 3, contains),
    pure("FIND_FIRST", 2, 4, |_, args| find(args, false)),
    pure("FIND_LAST", 2, 4, |_, args| find(args, true)),
    pure("LEFT", 2, 2, left),
    pure("LOWER", 1, 1, |ctx, args| {
        change(ctx, "LOWER", args, |text| text.to_lowercase())
    }),
    pure("LTRIM", 1, 2, |_, args| trim_by(args, true, false)),
    pure("REPEAT", 2, 3, repeat),
    pure("RIGHT", 2, 2, right),
    pure("RTRIM", 1, 2, |_, args| trim_by(args, false, true)),
    pure("SPLIT", 1, 3, split),
    pure("STARTS_WITH", 2, 4, starts_with),
    pure("SUBSTRING", 2, 3, substring),
    pure("SUBSTRING_BYTES", 2, 5, substring_bytes),
    pure("TRIM", 1, 2, trim),
    pure("UPPER", 1, 1, |ctx, args| {
        change(ctx, "UPPER", args, |text| text.to_uppercase())
    }),
];

/// The longest string that `REPEAT()` builds, in bytes; beyond it the server gives `null` and a warning.
const LONGEST_REPEAT: usize = 16 << 20;

fn count_characters(text: &str) -> Value {
    Value::Int(text.chars().count() as i64)
}

fn change(ctx: &mut Context<'_>, name: &str, args: &[Value], apply: fn(&str) -> String) -> Outcome {
    let text = text(args, 0);
    ctx.charge_text(name, text.len())?;
    Ok(Value::from(apply(&text)))
}

/// Joins what is not `null`. A single array stands for its elements.
fn join(ctx: &mut Context<'_>, name: &str, separator: &str, args: &[Value]) -> Outcome {
    let parts = match args {
        [Value::Array(items)] => items.as_slice(),
        other => other,
    };
    let mut out = String::new();
    let mut started = false;
    // The length at which the text so far is charged; it doubles, so that few charges cover any growth.
    let mut charged_at = 4096;
    for (step, part) in parts.iter().filter(|part| !part.is_null()).enumerate() {
        ctx.tick(step)?;
        if started {
            out.push_str(separator);
        }
        started = true;
        match part {
            Value::String(text) => out.push_str(text),
            other => out.push_str(&other.to_text()),
        }
        if out.len() >= charged_at {
            ctx.charge_text(name, out.len())?;
            charged_at = out.len() * 2;
        }
    }
    ctx.charge_text(name, out.len())?;
    Ok(Value::from(out))
}

fn concat_separator(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let separator = text(args, 0);
    join(
        ctx,
        "CONCAT_SEPARATOR",
        &separator,
        args.get(1..).unwrap_or_default(),
    )
}

fn contains(_: &mut Context<'_>, args: &[Value]) -> Outcome {
    let (haystack, needle) = (text(args, 0), text(args, 1));
    let found = haystack.find(&needle);
    if !flag(args, 2) {
        return Ok(Value::Bool(found.is_some()));
    }
    Ok(match found.and_then(|at| haystack.get(..at)) {
        Some(before) => count_characters(before),
        None => Value::Int(-1),
    })
}

/// First or last place of a needle between two positions, the second included.
fn find(args: &[Value], last: bool) -> Outcome {
    let (haystack, needle) = (text(args, 0), text(args, 1));
    let start = arg(args, 2).to_i64();
    let bounded = !arg(args, 3).is_null();
    let units = |text: &str| text.encode_utf16().count() as i64;
    let end = if bounded {
        arg(args, 3).to_i64()
    } else {
        units(&haystack)
    };
    if start < 0 || (bounded && end < start) {
        return Ok(Value::Int(-1));
    }
    if needle.is_empty() {
        return Ok(Value::Int(if last {
            end.saturating_add(i64::from(bounded))
        } else {
            start
        }));
    }
    let from = byte_of(&haystack, start);
    let part = haystack
        .get(from..byte_of(&haystack, end.saturating_add(1)))
        .unwrap_or_default();
    let found = if last {
        part.rfind(&needle)
    } else {
        part.find(&needle)
    };
    let before = found.and_then(|at| haystack.get(..from + at));
    Ok(Value::Int(before.map_or(-1, units)))
}

/// The byte at which so many UTF-16 units end, or the end of the text.
fn byte_of(text: &str, units: i64) -> usize {
    let mut seen = 0;
    let at = text.char_indices().find(|(_, character)| {
        let before = seen;
        seen += character.len_utf16() as i64;
        before >= units
    });
    at.map_or(text.len(), |(at, _)| at)
}

fn left(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Ok(count) = usize::try_from(arg(args, 1).to_i64()) else {
        return ctx.invalid("LEFT");
    };
    Ok(Value::from(
        text(args, 0).chars().take(count).collect::<String>(),
    ))
}

fn right(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Ok(count) = usize::try_from(arg(args, 1).to_i64()) else {
        return ctx.invalid("RIGHT");
    };
    let text = text(args, 0);
    let skip = text.chars().count().saturating_sub(count);
    Ok(Value::from(text.chars().skip(skip).collect::<String>()))
}

fn repeat(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Ok(count) = usize::try_from(arg(args, 1).to_i64()) else {
        return ctx.invalid("REPEAT");
    };
    let (part, separator) = (text(args, 0), text(args, 2));
    let bytes = part
        .len()
        .saturating_add(separator.len())
        .saturating_mul(count);
    if bytes > LONGEST_REPEAT {
        return ctx.warn_in("REPEAT", RESOURCE_LIMIT, "resource limit exceeded");
    }
    ctx.charge_text("REPEAT", bytes)?;
    if part.is_empty() && separator.is_empty() {
        return Ok(Value::from(""));
    }
    let mut out = String::with_capacity(bytes);
    for at in 0..count {
        if at > 0 {
            out.push_str(&separator);
        }
        out.push_str(&part);
    }
    Ok(Value::from(out))
}

fn trim(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    match arg(args, 1) {
        kind @ (Value::Int(_) | Value::Double(_)) => {
            let text = text(args, 0);
            let whitespace = char::is_whitespace;
            match kind.to_i64() {
                0 => Ok(Value::from(text.trim_matches(whitespace))),
                1 => Ok(Value::from(text.trim_start_matches(whitespace))),
                2 => Ok(Value::from(text.trim_end_matches(whitespace))),
                _ => ctx.invalid("TRIM"),
            }
        }
        _ => trim_by(args, true, true),
    }
}

fn trim_by(args: &[Value], start: bool, end: bool) -> Outcome {
    let text = text(args, 0);
    let set: Option<Vec<char>> = args.get(1).map(|set| set.to_text().chars().collect());
    let drop = |c: char| {
        set.as_ref()
            .map_or(c.is_whitespace(), |set| set.contains(&c))
    };
    let mut rest = text.as_str();
    if start {
        rest = rest.trim_start_matches(drop);
    }
    if end {
        rest = rest.trim_end_matches(drop);
    }
    Ok(Value::from(rest))
}

/// Splits at a separator or at any of several; an empty one splits into characters. At most `limit` parts, the rest
/// left out.
fn split(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let text = text(args, 0);
    let limit = match args.get(2) {
        None | Some(Value::Null) => usize::MAX,
        Some(limit) => match usize::try_from(limit.to_i64()) {
            Ok(limit) => limit,
            Err(_) => return ctx.invalid("SPLIT"),
        },
    };
    if limit == 0 {
        return Ok(Value::array(Vec::new()));
    }
    let separators: Vec<String> = match arg(args, 1) {
        Value::Null => return Ok(Value::array(vec![Value::from(text)])),
        Value::Array(items) => items.iter().map(Value::to_text).collect(),
        other => vec![other.to_text()],
    };
    let mut parts = Vec::new();
    if separators.iter().any(String::is_empty) {
        let characters = text
            .chars()
            .filter(|c| !separators.iter().any(|part| single(part) == Some(*c)));
        parts.extend(characters.take(limit).map(|c| Value::from(c.to_string())));
        ctx.charge_elements("SPLIT", parts.len())?;
        return Ok(Value::array(parts));
    }
    let mut done = 0;
    let mut matches = Matches::new(&text, separators.iter().map(String::as_str));
    while parts.len() < limit {
        match matches.next(ctx)? {
            Some((at, separator)) => {
                parts.push(Value::from(text.get(done..at).unwrap_or_default()));
                done = at + separators.get(separator).map_or(0, String::len);
            }
            None => {
                parts.push(Value::from(text.get(done..).unwrap_or_default()));
                break;
            }
        }
    }
    ctx.charge_elements("SPLIT", parts.len())?;
    Ok(Value::array(parts))
}

fn single(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

/// Whether a string starts with a prefix, or with at least so many of several.
fn starts_with(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Value::String(text) = arg(args, 0) else {
        return ctx.invalid("STARTS_WITH");
    };
    match arg(args, 1) {
        Value::String(prefix) => Ok(Value::Bool(text.starts_with(&**prefix))),
        Value::Array(prefixes) => {
            let least = match args.get(2) {
                None => 1,
                Some(least) if least.is_number() => least.to_i64(),
                Some(_) => return ctx.invalid("STARTS_WITH"),
            };
            if prefixes.iter().any(|prefix| prefix.as_str().is_none()) {
                return ctx.invalid("STARTS_WITH");
            }
            let matches = prefixes
                .iter()
                .filter_map(Value::as_str)
                .filter(|prefix| text.starts_with(prefix))
                .count();
            Ok(Value::Bool(matches as i64 >= least))
        }
        _ => ctx.invalid("STARTS_WITH"),
    }
}

fn substring(_: &mut Context<'_>, args: &[Value]) -> Outcome {
    let text = text(args, 0);
    let offset = arg(args, 1).to_i64();
    let skip = if offset < 0 {
        let back = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
        text.chars().count().saturating_sub(back)
    } else {
        usize::try_from(offset).unwrap_or(usize::MAX)
    };
    let take = match args.get(2) {
        Some(length) => usize::try_from(length.to_i64()).unwrap_or(0),
        None => usize::MAX,
    };
    Ok(Value::from(
        text.chars().skip(skip).take(take).collect::<String>(),
    ))
}

/// A part by bytes, widened by so many characters to either side. It must not cut a character.
fn substring_bytes(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let invalid = |ctx: &mut Context<'_>| {
        ctx.warn_in(
            "SUBSTRING_BYTES",
            crate::error::number::BAD_PARAMETER,
            "bad parameter",
        )
    };
    let Value::String(text) = arg(args, 0) else {
        return invalid(ctx);
    };
    let size = text.len() as i64;
    let offset = arg(args, 1).to_i64();
    let from = if offset < 0 {
        size.saturating_add(offset).max(0)
    } else {
        offset.min(size)
    };
    let length = args.get(2).map_or(size, |length| length.to_i64().max(0));
    let to = from + length.min(size - from);
    let (from, to) = (
        usize::try_from(from).unwrap_or(0),
        usize::try_from(to).unwrap_or(0),
    );
    if !text.is_char_boundary(from) || !text.is_char_boundary(to) {
        return invalid(ctx);
    }
    let wider = |position: usize| usize::try_from(arg(args, position).to_i64()).unwrap_or(0);
    let (before, after) = (wider(3), if args.len() > 4 { wider(4) } else { wider(3) });
    let start = match before {
        0 => from,
        count => text
            .get(..from)
            .unwrap_or_default()
            .char_indices()
            .rev()
            .nth(count - 1)
            .map_or(0, |(at, _)| at),
    };
    let end = text
        .get(to..)
        .unwrap_or_default()
        .char_indices()
        .nth(after)
        .map_or(text.len(), |(at, _)| to + at);
    Ok(Value::from(text.get(start..end).unwrap_or_default()))
}
