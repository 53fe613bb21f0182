//! The Gregorian calendar, also before its invention, without time zones.

/// A day of the calendar and the milliseconds into it. Years may be beyond what is a date, so that sums need no checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Civil {
    pub(super) year: i64,
    /// 1 to 12.
    pub(super) month: i64,
    /// 1 to 31.
    pub(super) day: i64,
    /// 0 to 86,399,999.
    pub(super) millis: i64,
}

const DAY: i64 = 86_400_000;

/// Days from 1970-01-01 to a day; the month must be 1 to 12, the day may be any.
pub(super) fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years that begin in March end with the leap day, which then needs no case of its own.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

impl Civil {
    /// The day and time of an instant.
    pub(super) fn at(instant: i64) -> Self {
        let day = instant.div_euclid(DAY) + 719_468;
        let era = day.div_euclid(146_097);
        let of_era = day.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * of_year + 2) / 153;
        let month = if shifted < 10 {
            shifted + 3
        } else {
            shifted - 9
        };
        let year = era * 400 + year_of_era + i64::from(month <= 2);
        Self {
            year,
            month,
            day: of_year - (153 * shifted + 2) / 5 + 1,
            millis: instant.rem_euclid(DAY),
        }
    }

    /// The instant of this day and time; a day beyond its month counts on into the next.
    pub(super) fn instant(self) -> i64 {
        days(self.year, self.month, self.day) * DAY + self.millis
    }

    pub(super) fn hour(self) -> i64 {
        self.millis / 3_600_000
    }

    pub(super) fn minute(self) -> i64 {
        self.millis / 60_000 % 60
    }

    pub(super) fn second(self) -> i64 {
        self.millis / 1_000 % 60
    }

    pub(super) fn millisecond(self) -> i64 {
        self.millis % 1_000
    }

    /// 0 for Sunday to 6 for Saturday.
    pub(super) fn weekday(self) -> i64 {
        (days(self.year, self.month, self.day) + 4).rem_euclid(7)
    }

    pub(super) fn day_of_year(self) -> i64 {
        days(self.year, self.month, self.day) - days(self.year, 1, 1) + 1
    }

    pub(super) fn quarter(self) -> i64 {
        (self.month + 2) / 3
    }

    pub(super) fn is_leap(self) -> bool {
        self.year % 4 == 0 && (self.year % 100 != 0 || self.year % 400 == 0)
    }

    pub(super) fn days_in_month(self) -> i64 {
        match self.month {
            2 if self.is_leap() => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        }
    }

    /// The ISO year and week: weeks begin on Monday and belong to the year of their Thursday.
    pub(super) fn iso_week(self) -> (i64, i64) {
        let day = days(self.year, self.month, self.day);
        let thursday = day - (self.weekday() + 6) % 7 + 3;
        let year = Self::at(thursday * DAY).year;
        (year, (thursday - days(year, 1, 1)) / 7 + 1)
    }

    /// So many months later (or earlier); the day stays, also where the month is shorter.
    pub(super) fn plus_months(self, months: i64) -> Self {
        let all = (self.year * 12 + self.month - 1).saturating_add(months);
        Self {
            year: all.div_euclid(12),
            month: all.rem_euclid(12) + 1,
            ..self
        }
    }

    /// `YYYY-MM-DDTHH:MM:SS.mmm`, with a `Z` for UTC.
    pub(super) fn iso_text(self, utc: bool) -> String {
        let Self {
            year, month, day, ..
        } = self;
        let (hour, minute, second, millisecond) = (
            self.hour(),
            self.minute(),
            self.second(),
            self.millisecond(),
        );
        let suffix = if utc { "Z" } else { "" };
        format!(
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millisecond:03}{suffix}"
        )
    }
}
