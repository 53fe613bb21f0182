//! Search functions that have an exact meaning without an index: on a row's values they are ordinary conditions.
//!
//! `ANALYZER()` and `BOOST()` give their condition back, as the server does outside `SEARCH`.

use super::arguments::{arg, text};
use super::similarity::{damerau, levenshtein};
use super::{Context, Function, pure, volatile};
use crate::error::ArangoError;
use crate::value::Value;

type Outcome = Result<Value, ArangoError>;

pub(super) const TABLE: &[Function] = &[
    pure("ANALYZER", 2, 2, |_, args| Ok(arg(args, 0).clone())),
    pure("BOOST", 2, 2, |_, args| Ok(arg(args, 0).clone())),
    pure("EXISTS", 1, 3, exists),
    pure("IN_RANGE", 5, 5, in_range),
    pure("LEVENSHTEIN_MATCH", 3, 6, levenshtein_match),
    pure("MIN_MATCH", 2, usize::MAX, min_match),
    // Deterministic on the server; here planning has no analyzers of the database, so that it is left to running.
    volatile("TOKENS", 1, 2, super::analyzer::tokens),
];

/// Whether there is a value, or one of the named type.
fn exists(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let value = arg(args, 0);
    let Some(kind) = args.get(1) else {
        return Ok(Value::Bool(!value.is_null()));
    };
    Ok(Value::Bool(
        match kind.as_str().map(str::to_ascii_lowercase).as_deref() {
            Some("null") => value.is_null(),
            Some("bool" | "boolean") => value.as_bool().is_some(),
            Some("numeric") => value.is_number(),
            Some("string" | "analyzer") => value.as_str().is_some(),
            Some("type" | "nested") => !value.is_null(),
            _ => return ctx.invalid("EXISTS"),
        },
    ))
}

fn in_range(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let [value, low, high, include_low, include_high] = args else {
        return ctx.invalid("IN_RANGE");
    };
    let above = if include_low.is_true() {
        value >= low
    } else {
        value > low
    };
    let below = if include_high.is_true() {
        value <= high
    } else {
        value < high
    };
    Ok(Value::Bool(above && below))
}

/// Whether at least so many of the conditions hold; the last argument is the number.
fn min_match(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Some((least, conditions)) = args.split_last() else {
        return ctx.invalid("MIN_MATCH");
    };
    let Some(least) = least.as_i64() else {
        return ctx.invalid("MIN_MATCH");
    };
    Ok(Value::Bool(
        conditions
            .iter()
            .filter(|condition| condition.is_true())
            .count() as i64
            >= least,
    ))
}

/// Whether a text is at most so many edits away, after an optional prefix that must be there as it is.
fn levenshtein_match(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    const NAME: &str = "LEVENSHTEIN_MATCH";
    let (Value::String(value), Value::String(target)) = (arg(args, 0), arg(args, 1)) else {
        return ctx.invalid(NAME);
    };
    let Some(most) = arg(args, 2).as_i64().filter(|most| (0..=4).contains(most)) else {
        return ctx.invalid(NAME);
    };
    let transpositions = args.get(3).is_none_or(Value::is_true);
    if transpositions && most > 3 {
        return ctx.invalid(NAME);
    }
    let Some(rest) = value.strip_prefix(text(args, 5).as_str()) else {
        return Ok(Value::Bool(false));
    };
    let distance = if transpositions {
        damerau(ctx, NAME, rest, target)?
    } else {
        levenshtein(ctx, NAME, rest, target)?
    };
    Ok(Value::Bool(distance as i64 <= most))
}
