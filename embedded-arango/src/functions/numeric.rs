//! Numbers: rounding, roots, logarithms, angles, ranges, decay. Arguments are cast as `TO_NUMBER()` does; a result that
//! is no finite number is `null`.

use super::arguments::{arg, number};
use super::{Context, Function, pure};
use crate::error::ArangoError;
use crate::value::Value;

type Outcome = Result<Value, ArangoError>;

pub(super) const TABLE: &[Function] = &[
    pure("ABS", 1, 1, abs),
    pure("ACOS", 1, 1, |_, args| map(args, f64::acos)),
    pure("ASIN", 1, 1, |_, args| map(args, f64::asin)),
    pure("ATAN", 1, 1, |_, args| map(args, f64::atan)),
    pure("ATAN2", 2, 2, |_, args| {
        finite(number(args, 0).atan2(number(args, 1)))
    }),
    pure("CEIL", 1, 1, |_, args| whole(args, f64::ceil)),
    pure("COS", 1, 1, |_, args| map(args, f64::cos)),
    pure("DECAY_EXP", 5, 5, |ctx, args| {
        decay(ctx, args, "DECAY_EXP", decay_exp)
    }),
    pure("DECAY_GAUSS", 5, 5, |ctx, args| {
        decay(ctx, args, "DECAY_GAUSS", decay_gauss)
    }),
    pure("DECAY_LINEAR", 5, 5, |ctx, args| {
        decay(ctx, args, "DECAY_LINEAR", decay_linear)
    }),
    pure("DEGREES", 1, 1, |_, args| map(args, f64::to_degrees)),
    pure("EXP", 1, 1, |_, args| map(args, f64::exp)),
    pure("EXP2", 1, 1, |_, args| map(args, f64::exp2)),
    pure("FLOOR", 1, 1, |_, args| whole(args, f64::floor)),
    pure("LOG", 1, 1, |_, args| map(args, f64::ln)),
    pure("LOG10", 1, 1, |_, args| map(args, f64::log10)),
    pure("LOG2", 1, 1, |_, args| map(args, f64::log2)),
    pure("PI", 0, 0, |_, _| Ok(Value::Double(std::f64::consts::PI))),
    pure("POW", 2, 2, |_, args| {
        finite(number(args, 0).powf(number(args, 1)))
    }),
    pure("RADIANS", 1, 1, |_, args| map(args, f64::to_radians)),
    pure("RANGE", 2, 3, range),
    // Half rounds up, also below zero: -2.5 is -2.
    pure("ROUND", 1, 1, |_, args| {
        whole(args, |number| (number + 0.5).floor())
    }),
    pure("SIN", 1, 1, |_, args| map(args, f64::sin)),
    pure("SQRT", 1, 1, |_, args| map(args, f64::sqrt)),
    pure("TAN", 1, 1, |_, args| map(args, f64::tan)),
];

fn finite(number: f64) -> Outcome {
    Ok(Value::from_f64_narrow(number))
}

fn map(args: &[Value], apply: fn(f64) -> f64) -> Outcome {
    finite(apply(number(args, 0)))
}

/// Rounding: an integer is already whole, and must not lose digits as a double.
fn whole(args: &[Value], apply: fn(f64) -> f64) -> Outcome {
    match arg(args, 0).to_number() {
        Value::Int(int) => Ok(Value::Int(int)),
        other => finite(apply(other.as_f64().unwrap_or(0.0))),
    }
}

fn abs(_: &mut Context<'_>, args: &[Value]) -> Outcome {
    match arg(args, 0).to_number() {
        Value::Int(int) => Ok(int
            .checked_abs()
            .map_or(Value::Double((int as f64).abs()), Value::Int)),
        other => finite(other.as_f64().unwrap_or(0.0).abs()),
    }
}

/// `RANGE(a, b)` counts whole numbers in either direction; with a step it counts in doubles and must go towards `b`.
fn range(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    if args.len() < 3 {
        return whole_range(ctx, arg(args, 0).to_i64(), arg(args, 1).to_i64());
    }
    let (from, to, step) = (number(args, 0), number(args, 1), number(args, 2));
    if step == 0.0 || (from < to && step < 0.0) || (from > to && step > 0.0) {
        return ctx.invalid("RANGE");
    }
    let count = ((to - from) / step).floor().max(0.0) + 1.0;
    ctx.charge_elements("RANGE", count as usize)?;
    let mut items = Vec::new();
    let mut next = from;
    while items.len() < count as usize && if step > 0.0 { next <= to } else { next >= to } {
        items.push(Value::from_f64_narrow(next));
        next += step;
    }
    Ok(Value::array(items))
}

fn whole_range(ctx: &mut Context<'_>, from: i64, to: i64) -> Outcome {
    let count = usize::try_from(from.abs_diff(to))
        .unwrap_or(usize::MAX)
        .saturating_add(1);
    ctx.charge_elements("RANGE", count)?;
    Ok(Value::array(if from <= to {
        (from..=to).map(Value::Int).collect()
    } else {
        (to..=from).rev().map(Value::Int).collect()
    }))
}

/// How far a value lies beyond the offset around the origin, and the curve's scale and decay.
struct Curve {
    origin: f64,
    scale: f64,
    offset: f64,
    decay: f64,
}

impl Curve {
    fn distance(&self, value: f64) -> f64 {
        ((value - self.origin).abs() - self.offset).max(0.0)
    }
}

fn decay_gauss(curve: &Curve, value: f64) -> f64 {
    let sigma = -(curve.scale * curve.scale) / (2.0 * curve.decay.ln());
    let distance = curve.distance(value);
    (-(distance * distance) / (2.0 * sigma)).exp()
}

fn decay_exp(curve: &Curve, value: f64) -> f64 {
    (curve.decay.ln() / curve.scale * curve.distance(value)).exp()
}

fn decay_linear(curve: &Curve, value: f64) -> f64 {
    let reach = curve.scale / (1.0 - curve.decay);
    ((reach - curve.distance(value)) / reach).max(0.0)
}

/// A number, or an array of numbers element by element.
fn decay(
    ctx: &mut Context<'_>,
    args: &[Value],
    name: &str,
    shape: fn(&Curve, f64) -> f64,
) -> Outcome {
    let [_, origin, scale, offset, decay] = args else {
        return ctx.invalid(name);
    };
    let (Some(origin), Some(scale), Some(offset), Some(decay)) = (
        origin.as_f64(),
        scale.as_f64(),
        offset.as_f64(),
        decay.as_f64(),
    ) else {
        return ctx.invalid(name);
    };
    if scale <= 0.0 || offset < 0.0 || decay <= 0.0 || decay >= 1.0 {
        return ctx.invalid(name);
    }
    let curve = Curve {
        origin,
        scale,
        offset,
        decay,
    };
    match arg(args, 0) {
        Value::Array(items) => {
            let mut out = Vec::with_capacity(items.len());
            for item in items.iter() {
                let Some(value) = item.as_f64() else {
                    return ctx.invalid(name);
                };
                out.push(Value::from_f64_narrow(shape(&curve, value)));
            }
            Ok(Value::array(out))
        }
        single => match single.as_f64() {
            Some(value) => finite(shape(&curve, value)),
            None => ctx.invalid(name),
        },
    }
}
