//! Reading dates and durations.
//!
//! | text | |
//! |---|---|
//! | `2016`, `2016-2`, `2016-02-29` | month and day default to 1; a day up to 31 counts on into the next month |
//! | `…T16:30`, `… 16:30:05`, `…T16:30:05.123` | after a full or partial date, `T` or a space; a fraction is cut to milliseconds |
//! | `…Z`, `…+02:00` | the offset from UTC; without one the time is UTC |
//! | `P1Y2M3W4DT5H6M7.89S` | a duration; each part may be missing |

use super::calendar::Civil;
use super::{FIRST, LAST};

/// Reads a text from the left.
struct Reader<'a>(&'a str);

impl Reader<'_> {
    /// Whether the next character is one of `set`, which it takes.
    fn take(&mut self, set: &[char]) -> Option<char> {
        let next = self.0.chars().next().filter(|c| set.contains(c))?;
        self.0 = self.0.get(next.len_utf8()..)?;
        Some(next)
    }

    /// The digits that come next, at least one.
    fn digits(&mut self) -> Option<&str> {
        let end = self
            .0
            .bytes()
            .position(|byte| !byte.is_ascii_digit())
            .unwrap_or(self.0.len());
        let (digits, rest) = self.0.split_at_checked(end)?;
        self.0 = rest;
        (!digits.is_empty()).then_some(digits)
    }

    /// One or two digits up to `most`.
    fn pair(&mut self, least: i64, most: i64) -> Option<i64> {
        let digits = self.digits().filter(|digits| digits.len() <= 2)?;
        digits
            .parse()
            .ok()
            .filter(|number| (least..=most).contains(number))
    }

    /// The milliseconds of the digits after a point, cut to three.
    fn fraction(&mut self) -> Option<i64> {
        let digits = self.digits()?;
        format!("{:0<3}", digits.get(..3).unwrap_or(digits))
            .parse()
            .ok()
    }
}

/// The instant of a date text, or `None`.
pub(super) fn date(text: &str) -> Option<i64> {
    let text = text.trim_matches([' ', '\t', '\r', '\n']);
    let mut reader = Reader(text.strip_prefix('+').unwrap_or(text));
    let year = reader.digits()?.trim_start_matches('0');
    let year = match year.len() {
        0 => 0,
        1..=4 => year.parse().ok()?,
        _ => return None,
    };
    let (mut month, mut day, mut millis) = (1, 1, 0);
    if reader.take(&['-']).is_some() {
        month = reader.pair(1, 12)?;
        if reader.take(&['-']).is_some() {
            day = reader.pair(1, 31)?;
        }
    }
    if reader.take(&[' ', 'T']).is_some() {
        millis = time(&mut reader)?;
    }
    let mut offset = 0;
    if reader.take(&['z', 'Z']).is_none()
        && let Some(sign) = reader.take(&['+', '-'])
    {
        let hours = reader.pair(0, 23)?;
        reader.take(&[':'])?;
        let minutes = hours * 60 + reader.pair(0, 59)?;
        offset = if sign == '-' { -minutes } else { minutes } * 60_000;
    }
    let instant = Civil {
        year,
        month,
        day,
        millis,
    }
    .instant()
        - offset;
    (reader.0.is_empty() && (FIRST..=LAST).contains(&instant)).then_some(instant)
}

fn time(reader: &mut Reader<'_>) -> Option<i64> {
    let hour = reader.pair(0, 23)?;
    reader.take(&[':'])?;
    let mut millis = (hour * 60 + reader.pair(0, 59)?) * 60_000;
    if reader.take(&[':']).is_some() {
        millis += reader.pair(0, 59)? * 1_000;
        if reader.take(&['.']).is_some() {
            millis += reader.fraction()?;
        }
    }
    Some(millis)
}

/// A duration: months, and milliseconds for what has a fixed length.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Duration {
    pub(super) months: i64,
    pub(super) millis: i64,
}

/// The parts of a duration in their order and their lengths; the flag says that a part counts months.
const DATE_PARTS: [(char, i64, bool); 4] = [
    ('Y', 12, true),
    ('M', 1, true),
    ('W', 604_800_000, false),
    ('D', 86_400_000, false),
];
const TIME_PARTS: [(char, i64); 3] = [('H', 3_600_000), ('M', 60_000), ('S', 1_000)];

/// The duration of an ISO 8601 text, or `None`.
pub(super) fn duration(text: &str) -> Option<Duration> {
    let mut reader = Reader(text.strip_prefix('P').filter(|rest| !rest.is_empty())?);
    let (mut months, mut millis) = (0_i64, 0_i64);
    let mut parts = DATE_PARTS.iter();
    while !reader.0.is_empty() && !reader.0.starts_with('T') {
        let count: i64 = reader.digits()?.parse().ok()?;
        let name = reader.take(&['Y', 'M', 'W', 'D'])?;
        // Each part once and in order: the iterator has gone past what came before.
        let (_, length, is_months) = parts.find(|(part, _, _)| *part == name)?;
        let sum = if *is_months { &mut months } else { &mut millis };
        *sum = sum.checked_add(count.checked_mul(*length)?)?;
    }
    if reader.take(&['T']).is_some() {
        let mut parts = TIME_PARTS.iter();
        while !reader.0.is_empty() {
            let count: i64 = reader.digits()?.parse().ok()?;
            let fraction = match reader.take(&['.', ',']) {
                Some(_) => Some(reader.fraction()?),
                None => None,
            };
            let name = reader.take(&['H', 'M', 'S'])?;
            let (_, length) = parts.find(|(part, _)| *part == name)?;
            if fraction.is_some() && name != 'S' {
                return None;
            }
            millis = millis
                .checked_add(count.checked_mul(*length)?)?
                .checked_add(fraction.unwrap_or(0))?;
        }
    }
    reader.0.is_empty().then_some(Duration { months, millis })
}
