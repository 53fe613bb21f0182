//! `DATE_FORMAT()`: placeholders begin with `%`; the longest that fits counts.

use super::super::Context;
use super::super::arguments::arg;
use super::calendar::Civil;
use super::{Outcome, instant, time_zone};
use crate::value::Value;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const WEEKDAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];

/// What a placeholder writes of a date.
type Writer = fn(Civil) -> String;

/// The placeholders, longer ones first where one begins like another. `%&` and a lone `%` are nothing.
const PLACEHOLDERS: [(&str, Writer); 33] = [
    ("%&", |_| String::new()),
    ("%yyyyyy", signed_year),
    ("%mmmm", |civil| name(&MONTHS, civil.month - 1).to_owned()),
    ("%yyyy", long_year),
    ("%wwww", |civil| name(&WEEKDAYS, civil.weekday()).to_owned()),
    ("%mmm", |civil| short(name(&MONTHS, civil.month - 1))),
    ("%www", |civil| short(name(&WEEKDAYS, civil.weekday()))),
    ("%fff", |civil| format!("{:03}", civil.millisecond())),
    ("%xxx", |civil| format!("{:03}", civil.day_of_year())),
    ("%yy", |civil| {
        format!("{:02}", civil.year.unsigned_abs() % 100)
    }),
    ("%mm", |civil| format!("{:02}", civil.month)),
    ("%dd", |civil| format!("{:02}", civil.day)),
    ("%hh", |civil| format!("{:02}", civil.hour())),
    ("%ii", |civil| format!("{:02}", civil.minute())),
    ("%ss", |civil| format!("{:02}", civil.second())),
    ("%kk", |civil| format!("{:02}", civil.iso_week().1)),
    ("%t", |civil| civil.instant().to_string()),
    ("%z", |civil| civil.iso_text(true)),
    ("%w", |civil| civil.weekday().to_string()),
    ("%y", |civil| civil.year.to_string()),
    ("%m", |civil| civil.month.to_string()),
    ("%d", |civil| civil.day.to_string()),
    ("%h", |civil| civil.hour().to_string()),
    ("%i", |civil| civil.minute().to_string()),
    ("%s", |civil| civil.second().to_string()),
    ("%f", |civil| civil.millisecond().to_string()),
    ("%x", |civil| civil.day_of_year().to_string()),
    ("%k", |civil| civil.iso_week().1.to_string()),
    ("%l", |civil| u8::from(civil.is_leap()).to_string()),
    ("%q", |civil| civil.quarter().to_string()),
    ("%a", |civil| civil.days_in_month().to_string()),
    ("%%", |_| "%".to_owned()),
    ("%", |_| String::new()),
];

fn name(names: &[&'static str], at: i64) -> &'static str {
    usize::try_from(at)
        .ok()
        .and_then(|at| names.get(at))
        .copied()
        .unwrap_or_default()
}

fn short(name: &str) -> String {
    name.chars().take(3).collect()
}

fn signed_year(civil: Civil) -> String {
    format!(
        "{}{:06}",
        if civil.year < 0 { '-' } else { '+' },
        civil.year.unsigned_abs()
    )
}

fn long_year(civil: Civil) -> String {
    if civil.year < 0 {
        format!("-{:04}", civil.year.unsigned_abs())
    } else {
        format!("{:04}", civil.year)
    }
}

pub(super) fn date_format(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    const NAME: &str = "DATE_FORMAT";
    let Some(millis) = instant(ctx, arg(args, 0), NAME)? else {
        return Ok(Value::Null);
    };
    let Some(format) = arg(args, 1).as_str() else {
        return ctx.invalid(NAME);
    };
    let local = match args.get(2) {
        None => millis,
        Some(zone) => match time_zone(ctx, zone, NAME)? {
            Some(zone) => zone.to_local(millis),
            None => return Ok(Value::Null),
        },
    };
    ctx.charge_text(NAME, format.len().saturating_mul(4))?;
    Ok(Value::from(written(format, Civil::at(local))))
}

fn written(format: &str, civil: Civil) -> String {
    let mut out = String::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        let (plain, from) = rest.split_at(at);
        out.push_str(plain);
        rest = "";
        for (placeholder, text) in PLACEHOLDERS {
            if let Some(after) = from.strip_prefix(placeholder) {
                out.push_str(&text(civil));
                rest = after;
                break;
            }
        }
    }
    out.push_str(rest);
    out
}
