//! Numbers that look arbitrary and never change, and the calendar that they fill.

use crate::functions::iso_text;

/// A linear congruential generator; its upper bits are the numbers.
pub(super) struct Sequence(u64);

impl Sequence {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number from 0 up to but not including `limit`, which must not be 0.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % limit.max(1) as u64) as usize
    }

    /// A number from `least` to `most`.
    pub(super) fn between(&mut self, least: i64, most: i64) -> i64 {
        least + self.below(usize::try_from(most - least + 1).unwrap_or(1)) as i64
    }

    /// Whether something that happens in so many of a hundred cases happens.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the items; the tables are never empty.
    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        let at = self.below(items.len());
        &items[at]
    }

    /// A position where early ones come more often than late ones.
    pub(super) fn early(&mut self, count: usize) -> usize {
        self.below(count).min(self.below(count))
    }
}

/// Milliseconds of a day.
pub(super) const DAY: i64 = 86_400_000;

/// The timestamp of an instant in milliseconds.
pub(super) fn timestamp(millis: i64) -> String {
    iso_text(millis).unwrap_or_default()
}

/// The date of an instant in milliseconds.
pub(super) fn date(millis: i64) -> String {
    timestamp(millis).chars().take(10).collect()
}
