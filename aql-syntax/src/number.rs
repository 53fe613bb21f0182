//! Numbers with a point, an exponent, or more digits than an integer holds: kept as they are written.
//!
//! The conversion to a double that is right to the last bit takes tables of some ten kilobytes. Whoever runs queries asks
//! for it with [`Double::value`]; whoever only judges them does without.

use core::fmt;

/// A number as the query writes it, within the range of a double.
#[derive(Clone)]
pub struct Double(Box<str>);

impl Double {
    /// The number of this text, which the lexer took for one. `None` beyond the range of a double.
    pub(crate) fn parse(text: &str) -> Option<Double> {
        is_in_range(text).then(|| Double(text.into()))
    }

    /// As it is written.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Its value, rounded as IEEE 754 wants it.
    pub fn value(&self) -> f64 {
        self.0.parse().unwrap_or(f64::NAN)
    }

    /// Its value to about fifteen digits: see [`approximate`].
    pub fn approximate(&self) -> f64 {
        approximate(&self.0).unwrap_or(f64::NAN)
    }
}

impl From<f64> for Double {
    /// The shortest text that reads back as this number. One that is not finite has none that a query could hold.
    fn from(value: f64) -> Double {
        Double(format!("{value:?}").into())
    }
}

impl PartialEq for Double {
    fn eq(&self, other: &Double) -> bool {
        self.value() == other.value()
    }
}

impl fmt::Debug for Double {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Powers of ten whose exponents are powers of two.
const POWERS: [f64; 9] = [1e1, 1e2, 1e4, 1e8, 1e16, 1e32, 1e64, 1e128, 1e256];

/// The number that a decimal text stands for, good to about fifteen digits, and exact where it has no more of them and its
/// exponent is within 22. `None` where the text is none: a sign, digits, a point and an exponent are taken.
///
/// ```
/// use aql_syntax::approximate;
///
/// assert_eq!(approximate("-12.5e1"), Some(-125.0));
/// assert_eq!(approximate("1e999"), Some(f64::INFINITY));
/// assert_eq!(approximate("12 "), None);
/// ```
pub fn approximate(text: &str) -> Option<f64> {
    let (digits, negative) = match text.as_bytes() {
        [b'-', rest @ ..] => (rest, true),
        [b'+', rest @ ..] => (rest, false),
        rest => (rest, false),
    };
    let parts = Parts::of(digits)?;
    let mut value = parts.leading as f64;
    // No number of more than 400 digits' exponent is within the range.
    let exponent = parts.exponent.clamp(-400, 400);
    let mut power = 1.0;
    for (bit, step) in POWERS.iter().enumerate() {
        if exponent.unsigned_abs() >> bit & 1 == 1 {
            power *= step;
        }
    }
    if parts.leading != 0 {
        value = if exponent < 0 {
            value / power
        } else {
            value * power
        };
    }
    Some(if negative { -value } else { value })
}

/// A number as a whole number of at most nineteen digits and a power of ten.
struct Parts {
    leading: u64,
    /// How many digits `leading` has.
    count: i32,
    exponent: i32,
}

impl Parts {
    fn of(text: &[u8]) -> Option<Parts> {
        let mut parts = Parts {
            leading: 0,
            count: 0,
            exponent: 0,
        };
        let mut any = false;
        let mut fraction = false;
        for (at, byte) in text.iter().enumerate() {
            match byte {
                b'0'..=b'9' => {
                    any = true;
                    parts.digit(u64::from(byte - b'0'), fraction);
                }
                b'.' if !fraction => fraction = true,
                b'e' | b'E' if any => {
                    let written = exponent(text.get(at + 1..)?)?;
                    parts.exponent = parts.exponent.saturating_add(written);
                    return Some(parts);
                }
                _ => return None,
            }
        }
        any.then_some(parts)
    }

    /// One more digit. Beyond the nineteenth only its place counts.
    fn digit(&mut self, digit: u64, fraction: bool) {
        let taken = self.count < 19;
        if taken {
            self.leading = self.leading * 10 + digit;
            self.count += i32::from(self.leading != 0);
        }
        match (taken, fraction) {
            (true, true) => self.exponent = self.exponent.saturating_sub(1),
            (false, false) => self.exponent = self.exponent.saturating_add(1),
            _ => {}
        }
    }
}

/// An exponent, its sign included; one of many digits stays at a million.
fn exponent(text: &[u8]) -> Option<i32> {
    let (digits, negative) = match text {
        [b'-', rest @ ..] => (rest, true),
        [b'+', rest @ ..] => (rest, false),
        rest => (rest, false),
    };
    let mut value = 0_i32;
    for byte in digits {
        if !byte.is_ascii_digit() {
            return None;
        }
        value = (value * 10 + i32::from(byte - b'0')).min(1_000_000);
    }
    (!digits.is_empty()).then_some(if negative { -value } else { value })
}

/// The first nineteen digits of the least number that rounds beyond the greatest double, some 1.8e308.
const FIRST_BEYOND: u64 = 1_797_693_134_862_315_807;

/// Whether a number rounds to a double. Of nearly 1.8e308 the first nineteen digits decide.
fn is_in_range(text: &str) -> bool {
    let Some(parts) = Parts::of(text.as_bytes()) else {
        return false;
    };
    // The place of the first digit: 0 for the units.
    let place = parts.exponent.saturating_add(parts.count - 1);
    if parts.leading == 0 || place < 308 {
        return true;
    }
    let mut leading = parts.leading;
    for _ in parts.count..19 {
        leading *= 10;
    }
    place == 308 && leading <= FIRST_BEYOND
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn daily_numbers_are_exact() {
        for text in [
            "0",
            "0.0",
            "1",
            "10",
            "1.5",
            "0.1",
            "1e3",
            "1E+3",
            "1.5e-3",
            ".5",
            "5.",
            "123456789.125",
            "1e22",
            "000.25",
            "999999999999999",
            "0e5",
        ] {
            assert_eq!(approximate(text), text.parse().ok(), "{text}");
        }
    }

    #[test]
    fn long_numbers_are_close() {
        for text in [
            "9223372036854775808",
            "123456789012345678901234567890",
            "0.000000000000000000000000000001234567890123456789",
            "3.141592653589793238462643383279",
            "1e300",
            "-1.7976931348623157e307",
        ] {
            let (found, exact) = (approximate(text).unwrap(), text.parse::<f64>().unwrap());
            assert!(
                (found - exact).abs() <= exact.abs() * 1e-14,
                "{text}: {found}"
            );
        }
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in [
            "", "-", ".", "e5", "1e", "1e+", "1.2.3", "1 ", "0x10", "inf", "NaN", "1e1.5",
        ] {
            assert_eq!(approximate(text), None, "{text}");
        }
    }

    #[test]
    fn the_range_is_that_of_a_double() {
        for text in [
            "1.7976931348623157e308",
            "17976931348623157e292",
            "1797693134862315700000e287",
            "0.00017976931348623157e312",
            "1e308",
            "1e-999",
            "0e999",
            "1.7976931348623158e308",
        ] {
            assert_eq!(
                is_in_range(text),
                text.parse::<f64>().unwrap().is_finite(),
                "{text}"
            );
        }
        for text in [
            "1.7976931348623159e308",
            "1.8e308",
            "1e309",
            "1e999999999999",
            "2e308",
        ] {
            assert!(!is_in_range(text), "{text}");
            assert!(text.parse::<f64>().unwrap().is_infinite(), "{text}");
        }
    }
}
