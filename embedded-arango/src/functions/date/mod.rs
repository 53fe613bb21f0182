//! Dates: milliseconds since 1970 or ISO 8601 text in, ISO 8601 text in UTC out.
//!
//! Years run from 0 to 9999. A time zone is a name of the IANA database, whose copy is compiled in. An unknown zone and
//! a value that is no date give `null` and a warning.

mod arithmetic;
mod calendar;
mod format;
mod parse;
mod parts;
mod zone;

use super::arguments::arg;
use super::{Context, Function, pure};
use crate::error::ArangoError;
use crate::value::Value;
use calendar::Civil;

type Outcome = Result<Value, ArangoError>;

pub(super) const TABLE: &[Function] = &[
    pure("DATE_ADD", 2, 4, |ctx, args| {
        arithmetic::add(ctx, args, "DATE_ADD", 1)
    }),
    pure("DATE_COMPARE", 3, 6, arithmetic::compare),
    pure("DATE_DAY", 1, 2, |ctx, args| {
        parts::read(ctx, args, "DATE_DAY", |civil| Value::Int(civil.day))
    }),
    pure("DATE_DAYOFWEEK", 1, 2, |ctx, args| {
        parts::read(ctx, args, "DATE_DAYOFWEEK", |civil| {
            Value::Int(civil.weekday())
        })
    }),
    pure("DATE_DAYOFYEAR", 1, 2, |ctx, args| {
        parts::read(ctx, args, "DATE_DAYOFYEAR", |civil| {
            Value::Int(civil.day_of_year())
        })
    }),
    pure("DATE_DAYS_IN_MONTH", 1, 2, |ctx, args| {
        parts::read(ctx, args, "DATE_DAYS_IN_MONTH", |civil| {
            Value::Int(civil.days_in_month())
        })
    }),
    pure("DATE_DIFF", 3, 6, arithmetic::difference),
    pure("DATE_FORMAT", 2, 3, format::date_format),
    pure("DATE_HOUR", 1, 2, |ctx, args| {
        parts::read(ctx, args, "DATE_HOUR", |civil| Value::Int(civil.hour()))
    }),
    pure("DATE_ISO8601", 1, 7, |ctx, args| {
        parts::build(ctx, args, "DATE_ISO8601", false)
    }),
    pure("DATE_ISOWEEK", 1, 2, |ctx, args| {
        parts::read(ctx, args, "DATE_ISOWEEK", |civil| {
            Value::Int(civil.iso_week().1)
        })
    }),
    pure("DATE_ISOWEEKYEAR", 1, 2, |ctx, args| {
        parts::read(ctx, args, "DATE_ISOWEEKYEAR", parts::iso_week_year)
    }),
    pure("DATE_LEAPYEAR", 1, 2, |ctx, args| {
        parts::read(ctx, args, "DATE_LEAPYEAR", |civil| {
            Value::Bool(civil.is_leap())
        })
    }),
    pure("DATE_LOCALTOUTC", 2, 3, zone::local_to_utc),
    pure("DATE_MILLISECOND", 1, 1, |ctx, args| {
        parts::read(ctx, args, "DATE_MILLISECOND", |civil| {
            Value::Int(civil.millisecond())
        })
    }),
    pure("DATE_MINUTE", 1, 2, |ctx, args| {
        parts::read(ctx, args, "DATE_MINUTE", |civil| Value::Int(civil.minute()))
    }),
    pure("DATE_MONTH", 1, 2, |ctx, args| {
        parts::read(ctx, args, "DATE_MONTH", |civil| Value::Int(civil.month))
    }),
    pure("DATE_NOW", 0, 0, |ctx, _| {
        Ok(Value::Int(ctx.host.now_millis()))
    }),
    pure("DATE_QUARTER", 1, 2, |ctx, args| {
        parts::read(ctx, args, "DATE_QUARTER", |civil| {
            Value::Int(civil.quarter())
        })
    }),
    pure("DATE_ROUND", 3, 4, arithmetic::round),
    pure("DATE_SECOND", 1, 1, |ctx, args| {
        parts::read(ctx, args, "DATE_SECOND", |civil| Value::Int(civil.second()))
    }),
    pure("DATE_SUBTRACT", 2, 4, |ctx, args| {
        arithmetic::add(ctx, args, "DATE_SUBTRACT", -1)
    }),
    pure("DATE_TIMESTAMP", 1, 7, |ctx, args| {
        parts::build(ctx, args, "DATE_TIMESTAMP", true)
    }),
    // The server runs in UTC, as containers do.
    pure("DATE_TIMEZONE", 0, 0, |_, _| Ok(Value::from("UTC"))),
    pure("DATE_TIMEZONES", 0, 0, |_, _| Ok(zone::names())),
    pure("DATE_TRUNC", 2, 3, arithmetic::truncate),
    pure("DATE_UTCTOLOCAL", 2, 3, zone::utc_to_local),
    pure("DATE_YEAR", 1, 2, |ctx, args| {
        parts::read(ctx, args, "DATE_YEAR", |civil| Value::Int(civil.year))
    }),
    pure("IS_DATESTRING", 1, 1, |_, args| {
        Ok(Value::Bool(
            arg(args, 0)
                .as_str()
                .is_some_and(|text| parse::date(text).is_some()),
        ))
    }),
];

/// The first and last instants that are dates: the years 0 and 9999.
const FIRST: i64 = -62_167_219_200_000;
const LAST: i64 = 253_402_300_799_999;

/// A unit of time by its names, or `None`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Unit {
    Millisecond,
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

impl Unit {
    fn named(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "y" | "year" | "years" => Self::Year,
            "m" | "month" | "months" => Self::Month,
            "w" | "week" | "weeks" => Self::Week,
            "d" | "day" | "days" => Self::Day,
            "h" | "hour" | "hours" => Self::Hour,
            "i" | "minute" | "minutes" => Self::Minute,
            "s" | "second" | "seconds" => Self::Second,
            "f" | "millisecond" | "milliseconds" => Self::Millisecond,
            _ => return None,
        })
    }

    /// Its length in milliseconds; of months and years the mean of 400 years.
    fn millis(self) -> f64 {
        const DAY: f64 = 86_400_000.0;
        match self {
            Self::Millisecond => 1.0,
            Self::Second => 1_000.0,
            Self::Minute => 60_000.0,
            Self::Hour => 3_600_000.0,
            Self::Day => DAY,
            Self::Week => 7.0 * DAY,
            Self::Month => 146_097.0 / 4_800.0 * DAY,
            Self::Year => 146_097.0 / 400.0 * DAY,
        }
    }
}

/// The instant that a value stands for, or `None` after a warning.
fn instant(ctx: &mut Context<'_>, value: &Value, name: &str) -> Result<Option<i64>, ArangoError> {
    let millis = match value {
        Value::Int(_) | Value::Double(_) => value
            .as_i64()
            .filter(|millis| (FIRST..=LAST).contains(millis)),
        Value::String(text) => parse::date(text),
        _ => {
            ctx.invalid(name)?;
            return Ok(None);
        }
    };
    if millis.is_none() {
        ctx.invalid_date(name)?;
    }
    Ok(millis)
}

/// The zone that an argument names, or `None` after a warning.
fn time_zone(
    ctx: &mut Context<'_>,
    value: &Value,
    name: &str,
) -> Result<Option<zone::Zone>, ArangoError> {
    let found = value.as_str().and_then(zone::Zone::named);
    if found.is_none() {
        ctx.invalid(name)?;
    }
    Ok(found)
}

/// The instant as `YYYY-MM-DDTHH:MM:SS.mmmZ`, or `None` outside the years 0 to 9999.
pub(crate) fn iso_text(millis: i64) -> Option<String> {
    (FIRST..=LAST)
        .contains(&millis)
        .then(|| Civil::at(millis).iso_text(true))
}

/// [`iso_text`] as a function's result: `null` and a warning where there is none.
fn iso_value(ctx: &mut Context<'_>, millis: i64, name: &str) -> Outcome {
    match iso_text(millis) {
        Some(text) => Ok(Value::from(text)),
        None => ctx.invalid_date(name),
    }
}
