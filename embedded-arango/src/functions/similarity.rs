//! How near two texts or two vectors are.

use std::collections::HashSet;

use super::analyzer::Smallest;
use super::arguments::{arg, text};
use super::hashes::value_hash;
use super::{Context, Function, messages, pure};
use crate::error::ArangoError;
use crate::value::Value;

type Outcome = Result<Value, ArangoError>;

pub(super) const TABLE: &[Function] = &[
    pure("COSINE_SIMILARITY", 2, 2, |ctx, args| {
        vectors(ctx, args, "COSINE_SIMILARITY", cosine)
    }),
    pure("L1_DISTANCE", 2, 2, |ctx, args| {
        vectors(ctx, args, "L1_DISTANCE", |pairs| {
            pairs.iter().map(|(a, b)| (a - b).abs()).sum()
        })
    }),
    pure("L2_DISTANCE", 2, 2, |ctx, args| {
        vectors(ctx, args, "L2_DISTANCE", |pairs| {
            pairs
                .iter()
                .map(|(a, b)| (a - b).powi(2))
                .sum::<f64>()
                .sqrt()
        })
    }),
    pure("LEVENSHTEIN_DISTANCE", 2, 2, |ctx, args| {
        let distance = damerau(ctx, "LEVENSHTEIN_DISTANCE", &text(args, 0), &text(args, 1))?;
        Ok(Value::Int(distance as i64))
    }),
    pure("MINHASH", 2, 2, minhash),
    pure("MINHASH_COUNT", 1, 1, minhash_count),
    pure("MINHASH_ERROR", 1, 1, minhash_error),
    pure("MINHASH_MATCH", 3, 4, minhash_match),
    pure("NGRAM_POSITIONAL_SIMILARITY", 3, 3, |ctx, args| {
        ngrams(ctx, args, "NGRAM_POSITIONAL_SIMILARITY", true)
    }),
    pure("NGRAM_SIMILARITY", 3, 3, |ctx, args| {
        ngrams(ctx, args, "NGRAM_SIMILARITY", false)
    }),
];

/// No comparison of two texts takes more steps than this: it would run for minutes, and nothing that it could tell is
/// worth that.
const MOST_STEPS: usize = 400_000_000;

fn characters(
    ctx: &mut Context<'_>,
    name: &str,
    left: &str,
    right: &str,
) -> Result<(Vec<char>, Vec<char>), ArangoError> {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    ctx.host
        .charge((left.len() + right.len()).saturating_mul(16))?;
    if left.len().saturating_mul(right.len()) > MOST_STEPS {
        return Err(messages::too_large(name));
    }
    Ok((left, right))
}

/// Insertions, deletions and replacements from one text to the other.
pub(super) fn levenshtein(
    ctx: &mut Context<'_>,
    name: &str,
    left: &str,
    right: &str,
) -> Result<usize, ArangoError> {
    count_edits(ctx, name, left, right, false)
}

/// The same, where two neighbours changing places count once.
pub(super) fn damerau(
    ctx: &mut Context<'_>,
    name: &str,
    left: &str,
    right: &str,
) -> Result<usize, ArangoError> {
    count_edits(ctx, name, left, right, true)
}

/// The edits between two texts, where `swaps` lets neighbours change places at once.
///
/// # Errors
/// 32 for texts that are too long to be compared.
pub(crate) fn edits(
    ctx: &mut Context<'_>,
    left: &str,
    right: &str,
    swaps: bool,
) -> Result<usize, ArangoError> {
    count_edits(ctx, "LEVENSHTEIN_MATCH", left, right, swaps)
}

fn count_edits(
    ctx: &mut Context<'_>,
    name: &str,
    left: &str,
    right: &str,
    swaps: bool,
) -> Result<usize, ArangoError> {
    let (left, right) = characters(ctx, name, left, right)?;
    // Three rows: the one before the last is for swaps.
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (row, a) in left.iter().enumerate() {
        if row % 64 == 63 {
            ctx.host.check_killed()?;
        }
        let mut next = Vec::with_capacity(last.len());
        let mut so_far = row + 1;
        next.push(so_far);
        for (column, ((b, diagonal), above)) in
            right.iter().zip(&last).zip(last.iter().skip(1)).enumerate()
        {
            so_far = (so_far + 1)
                .min(above + 1)
                .min(diagonal + usize::from(a != b));
            if swaps
                && row > 0
                && column > 0
                && left.get(row - 1) == Some(b)
                && right.get(column - 1) == Some(a)
            {
                so_far = so_far.min(before.get(column - 1).map_or(usize::MAX, |cost| cost + 1));
            }
            next.push(so_far);
        }
        before = std::mem::replace(&mut last, next);
    }
    Ok(last.last().copied().unwrap_or(0))
}

/// The longest common sequence of n-grams by the number of n-grams: of the target, where only whole n-grams count; of
/// the longer text, where each place of an n-gram counts by itself.
fn ngrams(ctx: &mut Context<'_>, args: &[Value], name: &str, positional: bool) -> Outcome {
    let (Value::String(value), Value::String(target)) = (arg(args, 0), arg(args, 1)) else {
        return ctx.invalid(name);
    };
    let size = arg(args, 2).is_number().then(|| arg(args, 2).to_i64());
    let Some(size) = size
        .and_then(|size| usize::try_from(size).ok())
        .filter(|size| *size > 0)
    else {
        return ctx.invalid(name);
    };
    let (mut value, mut target) = characters(ctx, name, value, target)?;
    if positional && value.len() > target.len() {
        std::mem::swap(&mut value, &mut target);
    }
    if value.len() < size || target.len() < size {
        return Ok(short_ngrams(&value, &target, positional));
    }
    if value
        .len()
        .saturating_mul(target.len())
        .saturating_mul(size)
        > MOST_STEPS
    {
        return Err(messages::too_large(name));
    }
    let columns = target.len() - size + 1;
    let mut best = vec![0.0_f32; columns + 1];
    for (row, left) in value.windows(size).enumerate() {
        if row % 64 == 63 {
            ctx.host.check_killed()?;
        }
        let (mut diagonal, mut before) = (0.0, 0.0_f32);
        for (right, cell) in target.windows(size).zip(best.iter_mut().skip(1)) {
            let same = left.iter().zip(right).filter(|(a, b)| a == b).count();
            let score = if positional {
                same as f32 / size as f32
            } else {
                f32::from(u8::from(same == size))
            };
            let above = *cell;
            *cell = before.max(above).max(diagonal + score);
            diagonal = above;
            before = *cell;
        }
    }
    let similarity = best.last().copied().unwrap_or(0.0) / columns as f32;
    Ok(Value::from_f64_narrow(f64::from(similarity)))
}

/// The length of the longest sequence of tokens that two texts have in common, in order.
pub(super) fn common_ngrams(
    ctx: &mut Context<'_>,
    name: &str,
    left: &[Value],
    right: &[Value],
) -> Result<usize, ArangoError> {
    if left.len().saturating_mul(right.len()) > MOST_STEPS {
        return Err(messages::too_large(name));
    }
    let mut best = vec![0_usize; right.len() + 1];
    for (row, one) in left.iter().enumerate() {
        if row % 64 == 63 {
            ctx.host.check_killed()?;
        }
        let (mut diagonal, mut before) = (0, 0_usize);
        for (other, cell) in right.iter().zip(best.iter_mut().skip(1)) {
            let above = *cell;
            let taken = diagonal + usize::from(one == other);
            *cell = before.max(above).max(taken);
            diagonal = above;
            before = *cell;
        }
    }
    Ok(best.last().copied().unwrap_or(0))
}

/// Texts shorter than an n-gram: by place only, where places count.
fn short_ngrams(value: &[char], target: &[char], positional: bool) -> Value {
    if !positional {
        return Value::Int(0);
    }
    if value.is_empty() && target.is_empty() {
        return Value::Int(1);
    }
    let same = value.iter().zip(target).filter(|(a, b)| a == b).count();
    Value::from_f64_narrow(f64::from(same as f32 / target.len() as f32))
}

fn cosine(pairs: &[(f64, f64)]) -> f64 {
    let sum = |part: fn(&(f64, f64)) -> f64| pairs.iter().map(part).sum::<f64>();
    let lengths = sum(|(a, _)| a * a).sqrt() * sum(|(_, b)| b * b).sqrt();
    if lengths == 0.0 {
        f64::NAN
    } else {
        (sum(|(a, b)| a * b) / lengths).clamp(-1.0, 1.0)
    }
}

/// Two vectors of one length, or a matrix and a vector row by row.
fn vectors(
    ctx: &mut Context<'_>,
    args: &[Value],
    name: &str,
    measure: fn(&[(f64, f64)]) -> f64,
) -> Outcome {
    let (Some(left), Some(right)) = (arg(args, 0).as_array(), arg(args, 1).as_array()) else {
        return ctx.invalid(name);
    };
    let is_matrix = |items: &[Value]| items.first().is_some_and(|item| item.as_array().is_some());
    let (rows, other) = match (is_matrix(left), is_matrix(right)) {
        (false, false) => return measured(ctx, name, left, right, measure),
        (true, _) => (left, right),
        (false, true) => (right, left),
    };
    let mut out = Vec::new();
    for row in rows {
        let Some(row) = row.as_array() else {
            return ctx.invalid(name);
        };
        let value = measured(ctx, name, row, other, measure)?;
        if value.is_null() {
            return Ok(Value::Null);
        }
        out.push(value);
    }
    Ok(Value::array(out))
}

fn measured(
    ctx: &mut Context<'_>,
    name: &str,
    left: &[Value],
    right: &[Value],
    measure: fn(&[(f64, f64)]) -> f64,
) -> Outcome {
    let pair = |(a, b): (&Value, &Value)| Some((a.as_f64()?, b.as_f64()?));
    let pairs: Option<Vec<(f64, f64)>> = left.iter().zip(right).map(pair).collect();
    match pairs.filter(|pairs| !pairs.is_empty() && left.len() == right.len()) {
        None => ctx.invalid(name),
        Some(pairs) => match Value::from_f64_narrow(measure(&pairs)) {
            Value::Null => ctx.invalid_arithmetic(name),
            number => Ok(number),
        },
    }
}

/// The smallest hashes of the elements of an array, as texts.
fn minhash(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    const NAME: &str = "MINHASH";
    let count = arg(args, 1).as_i64().filter(|count| *count > 0);
    let (Value::Array(items), Some(count)) = (arg(args, 0), count) else {
        return ctx.invalid(NAME);
    };
    let most = usize::try_from(count).unwrap_or(usize::MAX);
    ctx.charge_elements(NAME, most.min(items.len()).saturating_mul(4))?;
    let mut smallest = Smallest::new(most);
    for (at, item) in items.iter().enumerate() {
        ctx.tick(at)?;
        smallest.add(value_hash(item));
    }
    Ok(Value::array(smallest.texts().map(Value::from).collect()))
}

/// Whether the signatures of two texts have so much in common.
fn minhash_match(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    const NAME: &str = "MINHASH_MATCH";
    let threshold = arg(args, 2)
        .as_f64()
        .filter(|one| (0.0..=1.0).contains(one));
    let (Value::String(left), Value::String(right), Some(threshold)) =
        (arg(args, 0), arg(args, 1), threshold)
    else {
        return ctx.invalid(NAME);
    };
    let name = text(args, 3);
    let analyzer =
        super::named_analyzer(ctx, NAME, if name.is_empty() { "identity" } else { &name })?;
    let mut terms = |text: &str| -> Result<HashSet<Value>, ArangoError> {
        let tokens = analyzer.tokens(ctx, text)?;
        Ok(tokens.into_iter().map(|token| token.term).collect())
    };
    let (left, right) = (terms(left)?, terms(right)?);
    let common = left.intersection(&right).count();
    let all = left.len() + right.len() - common;
    let share = if all == 0 {
        1.0
    } else {
        common as f64 / all as f64
    };
    Ok(Value::Bool(share >= threshold))
}

/// How many hashes keep a MinHash estimate within an error.
fn minhash_count(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    match arg(args, 0).as_f64().filter(|error| *error > 0.0) {
        Some(error) => Ok(Value::from_f64_narrow((1.0 / (error * error)).ceil())),
        None => ctx.invalid("MINHASH_COUNT"),
    }
}

/// The error of a MinHash estimate by so many hashes.
fn minhash_error(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    match arg(args, 0).as_f64().filter(|count| *count > 0.0) {
        Some(count) => Ok(Value::from_f64_narrow(1.0 / count.sqrt())),
        None => ctx.invalid("MINHASH_ERROR"),
    }
}
