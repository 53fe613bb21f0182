//! Aggregates over an array of numbers. `null` elements do not count; another element that is no number makes the
//! result `null`.

use super::arguments::arg;
use super::{Context, Function, pure};
use crate::error::ArangoError;
use crate::value::Value;

type Outcome = Result<Value, ArangoError>;

pub(super) const TABLE: &[Function] = &[
    pure("AVERAGE", 1, 1, |ctx, args| average(ctx, args, "AVERAGE")),
    pure("AVG", 1, 1, |ctx, args| average(ctx, args, "AVG")),
    pure("MAX", 1, 1, |ctx, args| {
        extreme(ctx, args, "MAX", |new, old| new > old)
    }),
    pure("MEDIAN", 1, 1, median),
    pure("MIN", 1, 1, |ctx, args| {
        extreme(ctx, args, "MIN", |new, old| new < old)
    }),
    pure("PERCENTILE", 2, 3, percentile),
    pure("PRODUCT", 1, 1, |ctx, args| {
        fold(ctx, args, "PRODUCT", 1.0, |all, one| all * one)
    }),
    pure("STDDEV", 1, 1, |ctx, args| {
        spread(ctx, args, "STDDEV", 0, true)
    }),
    pure("STDDEV_POPULATION", 1, 1, |ctx, args| {
        spread(ctx, args, "STDDEV_POPULATION", 0, true)
    }),
    pure("STDDEV_SAMPLE", 1, 1, |ctx, args| {
        spread(ctx, args, "STDDEV_SAMPLE", 1, true)
    }),
    pure("SUM", 1, 1, |ctx, args| {
        fold(ctx, args, "SUM", 0.0, |all, one| all + one)
    }),
    pure("VARIANCE", 1, 1, |ctx, args| {
        spread(ctx, args, "VARIANCE", 0, false)
    }),
    pure("VARIANCE_POPULATION", 1, 1, |ctx, args| {
        spread(ctx, args, "VARIANCE_POPULATION", 0, false)
    }),
    pure("VARIANCE_SAMPLE", 1, 1, |ctx, args| {
        spread(ctx, args, "VARIANCE_SAMPLE", 1, false)
    }),
];

/// The numbers of an array, or `None` where an element is neither number nor `null`.
fn numbers(items: &[Value]) -> Option<Vec<f64>> {
    items
        .iter()
        .filter(|item| !item.is_null())
        .map(Value::as_f64)
        .collect()
}

fn fold(
    ctx: &mut Context<'_>,
    args: &[Value],
    name: &str,
    start: f64,
    step: fn(f64, f64) -> f64,
) -> Outcome {
    let Some(items) = arg(args, 0).as_array() else {
        return ctx.array_expected(name);
    };
    Ok(numbers(items).map_or(Value::Null, |all| {
        Value::from_f64_narrow(all.into_iter().fold(start, step))
    }))
}

fn average(ctx: &mut Context<'_>, args: &[Value], name: &str) -> Outcome {
    let Some(items) = arg(args, 0).as_array() else {
        return ctx.array_expected(name);
    };
    match numbers(items) {
        None => ctx.array_expected(name),
        Some(all) if all.is_empty() => Ok(Value::Null),
        Some(all) => Ok(Value::from_f64_narrow(
            all.iter().sum::<f64>() / all.len() as f64,
        )),
    }
}

/// The first of the greatest or least elements by the total order, `null` aside.
fn extreme(
    ctx: &mut Context<'_>,
    args: &[Value],
    name: &str,
    better: fn(&Value, &Value) -> bool,
) -> Outcome {
    let Some(items) = arg(args, 0).as_array() else {
        return ctx.array_expected(name);
    };
    let mut best = &Value::Null;
    for (step, item) in items.iter().enumerate() {
        ctx.tick(step)?;
        if !item.is_null() && (best.is_null() || better(item, best)) {
            best = item;
        }
    }
    Ok(best.clone())
}

/// The numbers of the first argument in order, or the outcome that says why there are none.
fn sorted(
    ctx: &mut Context<'_>,
    args: &[Value],
    name: &str,
) -> Result<Result<Vec<f64>, Value>, ArangoError> {
    let Some(items) = arg(args, 0).as_array() else {
        return ctx.array_expected(name).map(Err);
    };
    let Some(mut all) = numbers(items) else {
        return ctx.invalid_arithmetic(name).map(Err);
    };
    all.sort_unstable_by(f64::total_cmp);
    Ok(Ok(all))
}

fn median(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let all = match sorted(ctx, args, "MEDIAN")? {
        Ok(all) => all,
        Err(outcome) => return Ok(outcome),
    };
    let middle = all.len() / 2;
    let at = |position: usize| all.get(position).copied().unwrap_or(f64::NAN);
    Ok(Value::from_f64_narrow(match all.len() {
        0 => f64::NAN,
        even if even % 2 == 0 => f64::midpoint(at(middle - 1), at(middle)),
        _ => at(middle),
    }))
}

/// The value below which so many percent lie: by rank an element of the array, by interpolation one between two.
fn percentile(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    const NAME: &str = "PERCENTILE";
    if arg(args, 0).as_array().is_none() {
        return ctx.array_expected(NAME);
    }
    let Some(percent) = arg(args, 1)
        .as_f64()
        .filter(|percent| *percent > 0.0 && *percent <= 100.0)
    else {
        return ctx.invalid(NAME);
    };
    let interpolate = match args.get(2).map(Value::as_str) {
        None | Some(Some("rank")) => false,
        Some(Some("interpolation")) => true,
        Some(_) => return ctx.invalid(NAME),
    };
    let all = match sorted(ctx, args, NAME)? {
        Ok(all) => all,
        Err(outcome) => return Ok(outcome),
    };
    let count = all.len() as f64;
    let (Some(first), Some(last)) = (all.first(), all.last()) else {
        return Ok(Value::Null);
    };
    let index = percent * if interpolate { count + 1.0 } else { count } / 100.0;
    let position = if interpolate {
        index.floor()
    } else {
        index.ceil()
    };
    Ok(if all.len() == 1 {
        Value::from_f64_narrow(*first)
    } else if position >= count {
        Value::from_f64_narrow(*last)
    } else if position <= 0.0 {
        Value::Null
    } else {
        let at = |position: f64| all.get(position as usize).copied().unwrap_or(f64::NAN);
        let below = at(position - 1.0);
        Value::from_f64_narrow(if interpolate {
            (index - position) * (at(position) - below) + below
        } else {
            below
        })
    })
}

/// Variance or its root, by Welford's method; `lost` is 1 for a sample.
fn spread(ctx: &mut Context<'_>, args: &[Value], name: &str, lost: usize, root: bool) -> Outcome {
    let Some(items) = arg(args, 0).as_array() else {
        return ctx.array_expected(name);
    };
    let Some(all) = numbers(items) else {
        return ctx.invalid_arithmetic(name);
    };
    if all.len() <= lost {
        return Ok(Value::Null);
    }
    let (mut mean, mut sum) = (0.0, 0.0);
    for (at, number) in all.iter().enumerate() {
        let delta = number - mean;
        mean += delta / (at + 1) as f64;
        sum += delta * (number - mean);
    }
    let variance = sum / (all.len() - lost) as f64;
    Ok(Value::from_f64_narrow(if root {
        variance.sqrt()
    } else {
        variance
    }))
}
