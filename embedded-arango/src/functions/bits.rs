//! Bits of unsigned 32-bit numbers. Anything else gives `null` and a warning.

use super::arguments::arg;
use super::{Context, Function, pure};
use crate::error::ArangoError;
use crate::value::Value;

type Outcome = Result<Value, ArangoError>;

pub(super) const TABLE: &[Function] = &[
    pure("BIT_AND", 1, 2, |ctx, args| {
        combine(ctx, args, "BIT_AND", |a, b| a & b)
    }),
    pure("BIT_CONSTRUCT", 1, 1, construct),
    pure("BIT_DECONSTRUCT", 1, 1, deconstruct),
    pure("BIT_FROM_STRING", 1, 1, from_string),
    pure("BIT_NEGATE", 2, 2, negate),
    pure("BIT_OR", 1, 2, |ctx, args| {
        combine(ctx, args, "BIT_OR", |a, b| a | b)
    }),
    pure("BIT_POPCOUNT", 1, 1, popcount),
    pure("BIT_SHIFT_LEFT", 3, 3, |ctx, args| {
        shift(ctx, args, "BIT_SHIFT_LEFT", |bits, by| bits << by)
    }),
    pure("BIT_SHIFT_RIGHT", 3, 3, |ctx, args| {
        shift(ctx, args, "BIT_SHIFT_RIGHT", |bits, by| bits >> by)
    }),
    pure("BIT_TEST", 2, 2, test),
    pure("BIT_TO_STRING", 2, 2, to_string),
    pure("BIT_XOR", 1, 2, |ctx, args| {
        combine(ctx, args, "BIT_XOR", |a, b| a ^ b)
    }),
];

/// A number from 0 to 2^32 - 1, as 64 bits so that shifting by 32 is defined.
fn operand(value: &Value) -> Option<u64> {
    up_to(value, u64::from(u32::MAX))
}

/// A number from 0 to `most`, its fraction cut.
fn up_to(value: &Value, most: u64) -> Option<u64> {
    if !value.is_number() {
        return None;
    }
    value
        .as_i64()
        .and_then(|number| u64::try_from(number).ok())
        .filter(|number| *number <= most)
}

fn result(bits: u64) -> Outcome {
    Ok(Value::Int(bits as i64))
}

fn mask(width: u64) -> u64 {
    (1 << width) - 1
}

/// Two numbers, or an array of them without its `null`s.
fn combine(
    ctx: &mut Context<'_>,
    args: &[Value],
    name: &str,
    apply: fn(u64, u64) -> u64,
) -> Outcome {
    let items: &[Value] = match args {
        [Value::Array(items)] => items,
        [_, _] => args,
        _ => return ctx.invalid(name),
    };
    if args.len() == 2 && args.iter().any(|item| operand(item).is_none()) {
        return ctx.invalid(name);
    }
    let mut out: Option<u64> = None;
    for item in items.iter().filter(|item| !item.is_null()) {
        let Some(bits) = operand(item) else {
            return ctx.invalid(name);
        };
        out = Some(out.map_or(bits, |before| apply(before, bits)));
    }
    out.map_or(Ok(Value::Null), result)
}

fn construct(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Some(positions) = arg(args, 0).as_array() else {
        return ctx.invalid("BIT_CONSTRUCT");
    };
    let mut bits = 0;
    for position in positions {
        let Some(position) = up_to(position, 31) else {
            return ctx.invalid("BIT_CONSTRUCT");
        };
        bits |= 1 << position;
    }
    result(bits)
}

fn deconstruct(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Some(bits) = operand(arg(args, 0)) else {
        return ctx.invalid("BIT_DECONSTRUCT");
    };
    Ok(Value::array(
        (0..32)
            .filter(|at| bits >> at & 1 == 1)
            .map(Value::Int)
            .collect(),
    ))
}

fn from_string(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    match arg(args, 0).as_str() {
        Some(text)
            if (1..=32).contains(&text.len())
                && text.bytes().all(|byte| matches!(byte, b'0' | b'1')) =>
        {
            result(
                text.bytes()
                    .fold(0, |bits, byte| bits << 1 | u64::from(byte - b'0')),
            )
        }
        _ => ctx.invalid("BIT_FROM_STRING"),
    }
}

fn to_string(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let (Some(bits), Some(width)) = (operand(arg(args, 0)), up_to(arg(args, 1), 32)) else {
        return ctx.invalid("BIT_TO_STRING");
    };
    Ok(Value::from(
        (0..width)
            .rev()
            .map(|at| if bits >> at & 1 == 1 { '1' } else { '0' })
            .collect::<String>(),
    ))
}

fn negate(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let (Some(bits), Some(width)) = (operand(arg(args, 0)), up_to(arg(args, 1), 32)) else {
        return ctx.invalid("BIT_NEGATE");
    };
    result(!bits & mask(width))
}

fn popcount(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    match operand(arg(args, 0)) {
        Some(bits) => result(u64::from(bits.count_ones())),
        None => ctx.invalid("BIT_POPCOUNT"),
    }
}

fn shift(ctx: &mut Context<'_>, args: &[Value], name: &str, apply: fn(u64, u64) -> u64) -> Outcome {
    match (
        operand(arg(args, 0)),
        up_to(arg(args, 1), 32),
        up_to(arg(args, 2), 32),
    ) {
        (Some(bits), Some(by), Some(width)) => result(apply(bits, by) & mask(width)),
        _ => ctx.invalid(name),
    }
}

fn test(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    match (operand(arg(args, 0)), up_to(arg(args, 1), 31)) {
        (Some(bits), Some(at)) => Ok(Value::Bool(bits >> at & 1 == 1)),
        _ => ctx.invalid("BIT_TEST"),
    }
}
