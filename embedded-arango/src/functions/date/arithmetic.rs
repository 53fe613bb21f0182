//! Adding, comparing, rounding and truncating dates, each in UTC or in a time zone.

use super::super::Context;
use super::super::arguments::arg;
use super::calendar::Civil;
use super::zone::Zone;
use super::{Outcome, Unit, instant, iso_value, parse, time_zone};
use crate::error::ArangoError;
use crate::value::Value;

/// The date of the first argument in the zone, where one is given: local time, and the zone to go back by.
fn localized(
    ctx: &mut Context<'_>,
    date: &Value,
    zone: Option<&Value>,
    name: &str,
) -> Result<Option<(i64, Option<Zone>)>, ArangoError> {
    let Some(millis) = instant(ctx, date, name)? else {
        return Ok(None);
    };
    match zone {
        None => Ok(Some((millis, None))),
        Some(zone) => {
            Ok(time_zone(ctx, zone, name)?.map(|zone| (zone.to_local(millis), Some(zone))))
        }
    }
}

fn back(local: i64, zone: Option<&Zone>) -> i64 {
    zone.map_or(local, |zone| zone.to_utc(local))
}

/// `DATE_ADD(date, amount, unit[, zone])` and `DATE_ADD(date, duration[, zone])`.
pub(super) fn add(ctx: &mut Context<'_>, args: &[Value], name: &str, sign: i64) -> Outcome {
    let by_duration = args.len() == 2 || (args.len() == 3 && arg(args, 1).as_str().is_some());
    let zone = args.get(if by_duration { 2 } else { 3 });
    let Some((local, zone)) = localized(ctx, arg(args, 0), zone, name)? else {
        return Ok(Value::Null);
    };
    let (months, millis) = if by_duration {
        let Some(text) = arg(args, 1).as_str() else {
            return ctx.invalid(name);
        };
        match parse::duration(text) {
            Some(duration) => (duration.months, duration.millis),
            None => return ctx.invalid_date(name),
        }
    } else {
        let (Some(amount), Some(unit)) = (arg(args, 1).as_f64(), arg(args, 2).as_str()) else {
            return ctx.invalid(name);
        };
        match Unit::named(unit) {
            Some(unit) => amount_of(amount, unit),
            None => return ctx.invalid_date(name),
        }
    };
    // Beyond any date no exact sum is needed: the result is refused.
    const FAR: i64 = 1_000_000_000_000_000;
    let months = months.clamp(-1_000_000, 1_000_000) * sign;
    let moved = Civil::at(local).plus_months(months).instant() + millis.clamp(-FAR, FAR) * sign;
    iso_value(ctx, back(moved, zone.as_ref()), name)
}

/// Whole months, and the rest in milliseconds: a fraction of a year is months, one of a month is of 30 days.
fn amount_of(amount: f64, unit: Unit) -> (i64, i64) {
    let months = match unit {
        Unit::Year => amount.trunc() * 12.0 + (amount.fract() * 12.0).trunc(),
        Unit::Month => amount.trunc(),
        _ => return (0, (amount * unit.millis()) as i64),
    };
    let rest = match unit {
        Unit::Year => (amount.fract() * 12.0).fract(),
        _ => amount.fract(),
    };
    (months as i64, (rest * 30.0 * Unit::Day.millis()) as i64)
}

/// The two dates of a comparison, each in its zone, or `None` after a warning.
fn both(
    ctx: &mut Context<'_>,
    args: &[Value],
    zones: (Option<&Value>, Option<&Value>),
    name: &str,
) -> Result<Option<(i64, i64)>, ArangoError> {
    let Some((left, _)) = localized(ctx, arg(args, 0), zones.0, name)? else {
        return Ok(None);
    };
    let second = zones.1.or(zones.0);
    Ok(localized(ctx, arg(args, 1), second, name)?.map(|(right, _)| (left, right)))
}

pub(super) fn difference(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    const NAME: &str = "DATE_DIFF";
    let Some(unit) = arg(args, 2).as_str() else {
        return ctx.invalid(NAME);
    };
    // A flag for fractions may come before the zones.
    let (as_float, zones) = match args.get(3) {
        None => (false, (None, None)),
        Some(Value::Bool(as_float)) => (*as_float, (args.get(4), args.get(5))),
        Some(Value::String(_)) => (false, (args.get(3), args.get(4))),
        Some(_) => return ctx.invalid(NAME),
    };
    let Some((left, right)) = both(ctx, args, zones, NAME)? else {
        return Ok(Value::Null);
    };
    let Some(unit) = Unit::named(unit) else {
        return ctx.invalid_date(NAME);
    };
    let difference = (right - left) as f64 / unit.millis();
    Ok(Value::from_f64_narrow(if as_float {
        difference
    } else {
        difference.round()
    }))
}

/// Whether two dates agree in all units from one down to another.
pub(super) fn compare(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    const NAME: &str = "DATE_COMPARE";
    let unit = |value: &Value| value.as_str().and_then(Unit::named);
    let Some(start) = unit(arg(args, 2)) else {
        return ctx.invalid(NAME);
    };
    let (end, zones) = match (unit(arg(args, 3)), args.len()) {
        (_, 3) => (start, (None, None)),
        (None, 4 | 5) => (start, (args.get(3), args.get(4))),
        (Some(end), _) => (end, (args.get(4), args.get(5))),
        (None, _) => return ctx.invalid(NAME),
    };
    if start == Unit::Week || end == Unit::Week {
        return ctx.invalid(NAME);
    }
    let Some((left, right)) = both(ctx, args, zones, NAME)? else {
        return Ok(Value::Null);
    };
    let (left, right) = (Civil::at(left), Civil::at(right));
    let agree = |unit: Unit, part: fn(Civil) -> i64| {
        unit > start || unit < end || part(left) == part(right)
    };
    Ok(Value::Bool(
        agree(Unit::Year, |civil| civil.year)
            && agree(Unit::Month, |civil| civil.month)
            && agree(Unit::Day, |civil| civil.day)
            && agree(Unit::Hour, Civil::hour)
            && agree(Unit::Minute, Civil::minute)
            && agree(Unit::Second, Civil::second)
            && agree(Unit::Millisecond, Civil::millisecond),
    ))
}

pub(super) fn truncate(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    const NAME: &str = "DATE_TRUNC";
    let Some(unit) = arg(args, 1).as_str() else {
        return ctx.invalid(NAME);
    };
    let Some((local, zone)) = localized(ctx, arg(args, 0), args.get(2), NAME)? else {
        return Ok(Value::Null);
    };
    let civil = Civil::at(local);
    let cut = |length: i64| civil.millis / length * length;
    let civil = match Unit::named(unit) {
        Some(Unit::Year) => Civil {
            month: 1,
            day: 1,
            millis: 0,
            ..civil
        },
        Some(Unit::Month) => Civil {
            day: 1,
            millis: 0,
            ..civil
        },
        Some(Unit::Day) => Civil { millis: 0, ..civil },
        Some(Unit::Hour) => Civil {
            millis: cut(3_600_000),
            ..civil
        },
        Some(Unit::Minute) => Civil {
            millis: cut(60_000),
            ..civil
        },
        Some(Unit::Second) => Civil {
            millis: cut(1_000),
            ..civil
        },
        Some(Unit::Millisecond) => civil,
        Some(Unit::Week) | None => return ctx.invalid_date(NAME),
    };
    iso_value(ctx, back(civil.instant(), zone.as_ref()), NAME)
}

pub(super) fn round(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    const NAME: &str = "DATE_ROUND";
    let (Some(amount), Some(unit)) = (arg(args, 1).as_i64(), arg(args, 2).as_str()) else {
        return ctx.invalid(NAME);
    };
    let Some((local, zone)) = localized(ctx, arg(args, 0), args.get(3), NAME)? else {
        return Ok(Value::Null);
    };
    let unit = match Unit::named(unit) {
        Some(unit) if unit <= Unit::Day => unit.millis() as i64,
        _ => return ctx.invalid(NAME),
    };
    if amount <= 0 {
        return ctx.invalid(NAME);
    }
    let length = amount.saturating_mul(unit);
    // Towards 1970, as the server's division of integers does.
    iso_value(ctx, back(local / length * length, zone.as_ref()), NAME)
}
