//! The time of one call: a soft end, after which capabilities answer `timeout`, and a hard one, at which the instance is dropped.
//!
//! Between the two a component can put back what it holds (cursors, transactions): a few `DELETE` requests pass, nothing else.

use std::time::{Duration, Instant};

/// What is kept back for release.
const RESERVE: Duration = Duration::from_secs(2);

/// How many requests may be made for release after the soft end.
const RELEASE_CALLS: u32 = 4;

/// When one call ends.
#[derive(Debug)]
pub(crate) struct Deadline {
    soft: Instant,
    hard: Instant,
    release_calls: u32,
}

impl Deadline {
    /// A call that starts at `now` and takes `total` at most.
    pub(crate) fn starting(now: Instant, total: Duration) -> Self {
        let reserve = RESERVE.min(total / 4);
        Self {
            soft: now + total.saturating_sub(reserve),
            hard: now + total,
            release_calls: RELEASE_CALLS,
        }
    }

    /// When the instance is dropped.
    pub(crate) fn hard(&self) -> Instant {
        self.hard
    }

    /// How long a capability may take that is used at `now`; `None` where it may not be used any more. A use `for_release` may
    /// take what is left of the reserve.
    pub(crate) fn admit(&mut self, now: Instant, for_release: bool) -> Option<Duration> {
        if now < self.soft {
            let end = if for_release { self.hard } else { self.soft };
            return Some(end.saturating_duration_since(now));
        }
        if !for_release || now >= self.hard || self.release_calls == 0 {
            return None;
        }
        self.release_calls -= 1;
        Some(self.hard.saturating_duration_since(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn before_the_soft_end_a_use_gets_what_is_left_until_then() {
        let start = Instant::now();
        let mut deadline = Deadline::starting(start, 10 * SECOND);
        assert_eq!(deadline.admit(start, false), Some(8 * SECOND));
        assert_eq!(deadline.admit(start + 5 * SECOND, false), Some(3 * SECOND));
        assert_eq!(deadline.hard(), start + 10 * SECOND);
    }

    #[test]
    fn after_the_soft_end_four_releases_pass_and_nothing_else() {
        let start = Instant::now();
        let mut deadline = Deadline::starting(start, 10 * SECOND);
        let late = start + 9 * SECOND;
        assert_eq!(deadline.admit(late, false), None);
        for _ in 0..4 {
            assert_eq!(deadline.admit(late, true), Some(SECOND));
        }
        assert_eq!(deadline.admit(late, true), None);
    }

    #[test]
    fn nothing_passes_after_the_hard_end() {
        let start = Instant::now();
        let mut deadline = Deadline::starting(start, 10 * SECOND);
        assert_eq!(deadline.admit(start + 10 * SECOND, true), None);
    }

    #[test]
    fn a_short_call_keeps_a_quarter_back() {
        let start = Instant::now();
        let mut deadline = Deadline::starting(start, SECOND);
        assert_eq!(
            deadline.admit(start, false),
            Some(Duration::from_millis(750))
        );
    }
}
