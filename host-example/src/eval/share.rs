//! A share that is asked for: at least so many of the answers.

use std::str::FromStr;

/// A part of a whole, written as a share (`0.9`) or in percent (`90`). `1` is the whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share(f64);

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number: f64 = text
            .trim()
            .trim_end_matches('%')
            .trim_end()
            .parse()
            .map_err(|_| "write a share, as 0.9, or percent, as 90".to_owned())?;
        match number {
            _ if !(0.0..=100.0).contains(&number) => {
                Err("a share lies between 0 and 1, a percentage between 0 and 100".to_owned())
            }
            _ if text.contains('%') || number > 1.0 => Ok(Self(number / 100.0)),
            share => Ok(Self(share)),
        }
    }
}

impl Share {
    /// Whether so many of so many are at least this share.
    #[must_use]
    pub fn is_reached(self, part: usize, whole: usize) -> bool {
        // What percent and division leave in the last digits is no answer less.
        part as f64 + 1e-9 >= self.0 * whole as f64
    }

    /// In percent.
    #[must_use]
    pub fn percent(self) -> f64 {
        (self.0 * 1e8).round() / 1e6
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(text: &str) -> Share {
        text.parse().unwrap()
    }

    #[test]
    fn a_share_and_its_percentage_are_the_same() {
        assert_eq!(share("0.9"), share("90"));
        assert_eq!(share("1"), share("100"));
        assert_eq!(share("0.5%"), share("0.005"));
        assert_eq!(share("58.5").percent(), 58.5);
        for text in ["-1", "101", "NaN", "most"] {
            assert!(text.parse::<Share>().is_err(), "{text}");
        }
    }

    #[test]
    fn as_many_as_asked_for_is_enough_and_one_less_is_not() {
        assert!(share("90").is_reached(54, 60));
        assert!(!share("90").is_reached(53, 60));
        assert!(share("58.3333333333").is_reached(35, 60));
        assert!(share("0").is_reached(0, 60));
    }
}
