//! Ids and revisions: numbers that only grow.
//!
//! A revision is a hybrid logical clock written in the real server's alphabet, which sorts as text in the order of time.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The alphabet of revisions, in ascending order of digit.
const ALPHABET: &[u8; 64] = b"-_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// Ids below this belong to what every database begins with.
const FIRST_ID: u64 = 100;

/// The source of ids and revisions of one server.
#[derive(Debug)]
pub struct Clock {
    last_id: AtomicU64,
    last_revision: AtomicU64,
}

impl Default for Clock {
    fn default() -> Self {
        Clock {
            last_id: AtomicU64::new(FIRST_ID),
            last_revision: AtomicU64::new(0),
        }
    }
}

impl Clock {
    /// A number greater than every one returned before.
    pub fn next_id(&self) -> u64 {
        self.last_id.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// A revision such as `_l6zhVHK---`, greater than every one returned before.
    pub fn next_revision(&self) -> String {
        let now = millis().saturating_mul(1 << 20);
        let mut last = self.last_revision.load(Ordering::Relaxed);
        loop {
            let next = now.max(last.saturating_add(1));
            match self.last_revision.compare_exchange_weak(
                last,
                next,
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => return encode(next),
                Err(current) => last = current,
            }
        }
    }
}

/// Milliseconds since 1970; 0 where the machine's clock stands before that.
fn millis() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| u64::try_from(d.as_millis()).unwrap_or(u64::MAX))
}

/// Six bits a character, most significant first, without leading zeros.
fn encode(mut number: u64) -> String {
    let mut text = Vec::with_capacity(11);
    while number > 0 {
        let digit = usize::try_from(number & 63).unwrap_or(0);
        text.push(char::from(ALPHABET.get(digit).copied().unwrap_or(b'-')));
        number >>= 6;
    }
    text.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::{Clock, encode};

    #[test]
    fn a_revision_has_eleven_characters_and_sorts_by_time() {
        let clock = Clock::default();
        let (first, second) = (clock.next_revision(), clock.next_revision());
        assert_eq!(first.len(), 11, "{first}");
        assert!(first != second);
    }

    #[test]
    fn digits_follow_the_alphabet() {
        assert_eq!(encode(1), "_");
        assert_eq!(encode(64), "_-");
        assert_eq!(encode(63), "9");
    }
}
