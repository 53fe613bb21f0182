//! Reading a part of a date, and building a date from parts.

use super::super::Context;
use super::super::arguments::arg;
use super::calendar::{Civil, days};
use super::{Outcome, instant, iso_value, time_zone};
use crate::value::{Object, Value};

/// A part of the date of the first argument, in the zone of the second.
pub(super) fn read(
    ctx: &mut Context<'_>,
    args: &[Value],
    name: &str,
    part: fn(Civil) -> Value,
) -> Outcome {
    let Some(millis) = instant(ctx, arg(args, 0), name)? else {
        return Ok(Value::Null);
    };
    let local = match args.get(1) {
        None => millis,
        Some(zone) => match time_zone(ctx, zone, name)? {
            Some(zone) => zone.to_local(millis),
            None => return Ok(Value::Null),
        },
    };
    Ok(part(Civil::at(local)))
}

pub(super) fn iso_week_year(civil: Civil) -> Value {
    let (year, week) = civil.iso_week();
    Value::object(
        [("week", Value::Int(week)), ("year", Value::Int(year))]
            .into_iter()
            .collect::<Object>(),
    )
}

/// From one date, or from year, month, day and the parts of a time; parts beyond their range count on.
pub(super) fn build(ctx: &mut Context<'_>, args: &[Value], name: &str, as_millis: bool) -> Outcome {
    let millis = match args {
        [date] => match instant(ctx, date, name)? {
            Some(millis) => millis,
            None => return Ok(Value::Null),
        },
        [_, _] => return ctx.invalid(name),
        parts => {
            if parts
                .iter()
                .any(|part| !part.is_number() && part.as_str().is_none())
            {
                return ctx.invalid(name);
            }
            // Clamped far above what a date can hold, so that no sum overflows; the result is checked below.
            let part = |at: usize| arg(parts, at).to_i64().min(1_000_000_000_000);
            if !(0..=9999).contains(&part(0)) || (1..7).any(|at| part(at) < 0) {
                return ctx.invalid_date(name);
            }
            let first = Civil {
                year: part(0),
                month: 1,
                day: 1,
                millis: 0,
            }
            .plus_months(part(1) - 1);
            let time = part(3) * 3_600_000 + part(4) * 60_000 + part(5) * 1_000 + part(6).min(999);
            days(first.year, first.month, 1)
                .saturating_add(part(2) - 1)
                .saturating_mul(86_400_000)
                .saturating_add(time)
        }
    };
    if as_millis && super::iso_text(millis).is_some() {
        Ok(Value::Int(millis))
    } else {
        iso_value(ctx, millis, name)
    }
}
