//! Arrays: reading, adding, removing, flattening; and the length of anything.

use std::collections::HashSet;

use super::arguments::{arg, flag};
use super::{Context, Function, messages, pure};
use crate::error::ArangoError;
use crate::value::Value;

type Outcome = Result<Value, ArangoError>;

pub(super) const TABLE: &[Function] = &[
    pure("APPEND", 2, 3, append),
    pure("CONTAINS_ARRAY", 2, 3, |ctx, args| {
        position(ctx, args, "CONTAINS_ARRAY")
    }),
    pure("COUNT", 1, 1, |_, args| Ok(length(arg(args, 0)))),
    pure("FIRST", 1, 1, |ctx, args| end(ctx, args, "FIRST", 0)),
    pure("FLATTEN", 1, 2, flatten),
    pure("INTERLEAVE", 2, usize::MAX, interleave),
    pure("LAST", 1, 1, |ctx, args| end(ctx, args, "LAST", -1)),
    pure("LENGTH", 1, 1, |_, args| Ok(length(arg(args, 0)))),
    pure("NTH", 2, 2, nth),
    pure("POP", 1, 1, pop),
    pure("POSITION", 2, 3, |ctx, args| {
        position(ctx, args, "POSITION")
    }),
    pure("PUSH", 2, 3, push),
    pure("REMOVE_NTH", 2, 2, remove_nth),
    pure("REMOVE_VALUE", 2, 3, remove_value),
    pure("REMOVE_VALUES", 2, 2, remove_values),
    pure("REPLACE_NTH", 3, 4, replace_nth),
    pure("REVERSE", 1, 1, reverse),
    pure("SHIFT", 1, 1, shift),
    pure("SLICE", 2, 3, slice),
    pure("UNSHIFT", 2, 3, unshift),
];

/// Elements of an array, attributes of an object, characters of anything else as text; `true` is 1, `false` and
/// `null` are 0.
fn length(value: &Value) -> Value {
    let count = match value {
        Value::Null => 0,
        Value::Bool(truth) => usize::from(*truth),
        Value::Array(items) => items.len(),
        Value::Object(object) => object.len(),
        text => text.to_text().chars().count(),
    };
    Value::Int(count as i64)
}

fn end(ctx: &mut Context<'_>, args: &[Value], name: &str, position: i64) -> Outcome {
    match arg(args, 0) {
        array @ Value::Array(_) => Ok(array.at(position)),
        _ => ctx.array_expected(name),
    }
}

/// Only from the start: a negative position is outside.
fn nth(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    match arg(args, 0) {
        array @ Value::Array(_) => {
            let position = arg(args, 1).to_i64();
            Ok(if position < 0 {
                Value::Null
            } else {
                array.at(position)
            })
        }
        _ => ctx.array_expected("NTH"),
    }
}

/// The given array as a vector to change, its memory and `more` elements charged.
fn owned(
    ctx: &mut Context<'_>,
    name: &str,
    items: &[Value],
    more: usize,
) -> Result<Vec<Value>, ArangoError> {
    ctx.charge_elements(name, items.len().saturating_add(more))?;
    Ok(items.to_vec())
}

fn push(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let added = arg(args, 1);
    match arg(args, 0) {
        Value::Null => Ok(Value::array(vec![added.clone()])),
        Value::Array(items) if flag(args, 2) && items.contains(added) => Ok(arg(args, 0).clone()),
        Value::Array(items) => {
            let mut items = owned(ctx, "PUSH", items, 1)?;
            items.push(added.clone());
            Ok(Value::array(items))
        }
        _ => ctx.invalid("PUSH"),
    }
}

fn unshift(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let added = arg(args, 1);
    match arg(args, 0) {
        Value::Null => Ok(Value::array(vec![added.clone()])),
        Value::Array(items) if flag(args, 2) && items.contains(added) => Ok(arg(args, 0).clone()),
        Value::Array(items) => {
            let mut items = owned(ctx, "UNSHIFT", items, 1)?;
            items.insert(0, added.clone());
            Ok(Value::array(items))
        }
        _ => ctx.invalid("UNSHIFT"),
    }
}

fn pop(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    match arg(args, 0) {
        Value::Null => Ok(Value::Null),
        Value::Array(items) => Ok(Value::array(
            items
                .split_last()
                .map_or(Vec::new(), |(_, rest)| rest.to_vec()),
        )),
        _ => ctx.invalid("POP"),
    }
}

fn shift(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    match arg(args, 0) {
        Value::Null => Ok(Value::Null),
        Value::Array(items) => Ok(Value::array(
            items
                .split_first()
                .map_or(Vec::new(), |(_, rest)| rest.to_vec()),
        )),
        _ => ctx.invalid("SHIFT"),
    }
}

/// Adds an array's elements or one other value; with the flag nothing stays or comes twice.
fn append(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let (list, added) = (arg(args, 0), arg(args, 1));
    let added_items = match added {
        Value::Null => return Ok(list.clone()),
        Value::Array(items) if items.is_empty() => return Ok(list.clone()),
        Value::Array(items) => items.as_slice(),
        single => std::slice::from_ref(single),
    };
    match list {
        Value::Null => Ok(added.clone()),
        Value::Array(items) => {
            let mut all = owned(ctx, "APPEND", items, added_items.len())?;
            all.extend_from_slice(added_items);
            if flag(args, 2) {
                let mut seen = HashSet::new();
                all.retain(|item| seen.insert(item.clone()));
            }
            Ok(Value::array(all))
        }
        _ => ctx.invalid("APPEND"),
    }
}

fn remove_nth(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    match arg(args, 0) {
        Value::Null => Ok(Value::array(Vec::new())),
        Value::Array(items) => {
            let position = arg(args, 1).to_i64();
            let from_start = if position < 0 {
                position.saturating_add(items.len() as i64)
            } else {
                position
            };
            let mut items = owned(ctx, "REMOVE_NTH", items, 0)?;
            if let Some(at) = usize::try_from(from_start)
                .ok()
                .filter(|at| *at < items.len())
            {
                items.remove(at);
            }
            Ok(Value::array(items))
        }
        _ => ctx.invalid("REMOVE_NTH"),
    }
}

fn remove_value(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    match arg(args, 0) {
        Value::Null => Ok(Value::array(Vec::new())),
        Value::Array(items) => {
            let mut left = match arg(args, 2) {
                Value::Null => i64::MAX,
                limit => limit.to_i64(),
            };
            let mut items = owned(ctx, "REMOVE_VALUE", items, 0)?;
            items.retain(|item| {
                let gone = left != 0 && item == arg(args, 1);
                left -= i64::from(gone && left > 0);
                !gone
            });
            Ok(Value::array(items))
        }
        _ => ctx.invalid("REMOVE_VALUE"),
    }
}

fn remove_values(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    match (arg(args, 0), arg(args, 1)) {
        (list, Value::Null) => Ok(list.clone()),
        (Value::Null, _) => Ok(Value::array(Vec::new())),
        (Value::Array(items), Value::Array(gone)) => {
            let gone: HashSet<&Value> = gone.iter().collect();
            Ok(Value::array(
                items
                    .iter()
                    .filter(|item| !gone.contains(item))
                    .cloned()
                    .collect(),
            ))
        }
        _ => ctx.invalid("REMOVE_VALUES"),
    }
}

/// Replaces at a position, or beyond the end after filling up with a given value. Without that value a position beyond
/// the end is an error, as on the server.
fn replace_nth(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    const NAME: &str = "REPLACE_NTH";
    let Value::Array(items) = arg(args, 0) else {
        return ctx.invalid(NAME);
    };
    if arg(args, 1).is_null() {
        return Err(messages::argument_type(NAME));
    }
    let position = arg(args, 1).to_i64();
    let from_start = if position < 0 {
        position.saturating_add(items.len() as i64).max(0)
    } else {
        position
    };
    let at = usize::try_from(from_start).unwrap_or(usize::MAX);
    if at > items.len() && args.len() < 4 {
        return Err(messages::argument_type(NAME));
    }
    let mut items = owned(
        ctx,
        NAME,
        items,
        at.saturating_sub(items.len()).saturating_add(1),
    )?;
    while items.len() <= at {
        items.push(arg(args, 3).clone());
    }
    if let Some(place) = items.get_mut(at) {
        *place = arg(args, 2).clone();
    }
    Ok(Value::array(items))
}

fn position(ctx: &mut Context<'_>, args: &[Value], name: &str) -> Outcome {
    let Value::Array(items) = arg(args, 0) else {
        return ctx.array_expected(name);
    };
    let found = items.iter().position(|item| item == arg(args, 1));
    Ok(if flag(args, 2) {
        Value::Int(found.map_or(-1, |at| at as i64))
    } else {
        Value::Bool(found.is_some())
    })
}

fn reverse(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    match arg(args, 0) {
        Value::Array(items) => {
            let mut items = owned(ctx, "REVERSE", items, 0)?;
            items.reverse();
            Ok(Value::array(items))
        }
        Value::String(text) => Ok(Value::from(text.chars().rev().collect::<String>())),
        _ => ctx.invalid("REVERSE"),
    }
}

/// A part from a start position; a negative length counts from the end.
fn slice(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Value::Array(items) = arg(args, 0) else {
        return ctx.array_expected("SLICE");
    };
    let count = items.len() as i64;
    let start = arg(args, 1).to_i64();
    let from = if start < 0 {
        start.saturating_add(count).max(0)
    } else {
        start.min(count)
    };
    let to = match args.get(2) {
        None | Some(Value::Null) => count,
        Some(length) => match length.to_i64() {
            back if back < 0 => count.saturating_add(back),
            ahead => from.saturating_add(ahead).min(count),
        },
    };
    let range = usize::try_from(from).unwrap_or(0)..usize::try_from(to.max(from)).unwrap_or(0);
    Ok(Value::array(items.get(range).unwrap_or_default().to_vec()))
}

fn flatten(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Value::Array(items) = arg(args, 0) else {
        return ctx.array_expected("FLATTEN");
    };
    let depth = match arg(args, 1).to_i64() {
        depth if depth < 1 => 1,
        depth => depth,
    };
    let mut out = Vec::new();
    flatten_into(&mut out, items, depth);
    ctx.charge_elements("FLATTEN", out.len())?;
    Ok(Value::array(out))
}

fn flatten_into(out: &mut Vec<Value>, items: &[Value], depth: i64) {
    for item in items {
        match item {
            Value::Array(inner) if depth > 0 => flatten_into(out, inner, depth - 1),
            other => out.push(other.clone()),
        }
    }
}

fn interleave(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Some(arrays) = args.iter().map(Value::as_array).collect::<Option<Vec<_>>>() else {
        return ctx.array_expected("INTERLEAVE");
    };
    ctx.charge_elements("INTERLEAVE", arrays.iter().map(|items| items.len()).sum())?;
    let longest = arrays.iter().map(|items| items.len()).max().unwrap_or(0);
    let by_round = (0..longest).flat_map(|at| arrays.iter().filter_map(move |items| items.get(at)));
    Ok(Value::array(by_round.cloned().collect()))
}
