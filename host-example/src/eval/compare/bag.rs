//! Rows as a bag: which of them find a partner on the other side, each partner taken once.

use std::collections::HashMap;

use super::table::Row;
use super::value::{TOLERANCE, Weight, same, skeleton, weigh};

/// How the given rows must lie in the right ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// They are all of them.
    Whole,
    /// They are some of them; in order, the first.
    Part,
}

/// How many rows may go without a partner before the rest is not looked at.
const MOST_UNMATCHED: usize = 1_000;

/// Whether the given rows are the right ones, or a part of them.
pub(super) fn fits(
    right: &[Row<'_>],
    given: &[Row<'_>],
    ordered: bool,
    relation: Relation,
) -> bool {
    let counts = match relation {
        Relation::Whole => right.len() == given.len(),
        Relation::Part => given.len() <= right.len(),
    };
    if !counts {
        return false;
    }
    if ordered {
        return given.iter().zip(right).all(|(a, b)| rows(a, b, true));
    }
    unmatched(given, right, false, 0).is_empty()
}

/// The places of the rows that have no partner among the others. Stops early where there are more than `allowed` of them.
pub(super) fn unmatched(
    of: &[Row<'_>],
    among: &[Row<'_>],
    ordered: bool,
    allowed: usize,
) -> Vec<usize> {
    let mut buckets = buckets(among, ordered);
    let mut without = Vec::new();
    for (at, row) in of.iter().enumerate() {
        let bucket = buckets.get_mut(&key(row, ordered));
        if !bucket.is_some_and(|bucket| takes_partner(row, bucket, among, ordered)) {
            without.push(at);
            if without.len() > allowed.min(MOST_UNMATCHED) {
                break;
            }
        }
    }
    without
}

/// A row that is still without a partner.
struct Free {
    weight: f64,
    place: usize,
    taken: bool,
}

/// Rows by what of them must be equal, each bucket by its weight, so that a partner is found without a look at all of them.
fn buckets(rows: &[Row<'_>], ordered: bool) -> HashMap<String, Vec<Free>> {
    let mut buckets: HashMap<String, Vec<Free>> = HashMap::new();
    for (place, row) in rows.iter().enumerate() {
        let free = Free {
            weight: weight(row).sum,
            place,
            taken: false,
        };
        buckets.entry(key(row, ordered)).or_default().push(free);
    }
    for bucket in buckets.values_mut() {
        bucket.sort_by(|a, b| a.weight.total_cmp(&b.weight));
    }
    buckets
}

/// Takes the first free partner of about the same weight that says the same.
fn takes_partner(row: &Row<'_>, bucket: &mut [Free], among: &[Row<'_>], ordered: bool) -> bool {
    let Weight { sum, size, numbers } = weight(row);
    let reach = (numbers + 1.0) * TOLERANCE + size * TOLERANCE * 1e-6;
    let from = bucket.partition_point(|free| free.weight < sum - reach);
    let partner = bucket
        .iter_mut()
        .skip(from)
        .take_while(|free| free.weight <= sum + reach)
        .find(|free| {
            !free.taken
                && among
                    .get(free.place)
                    .is_some_and(|other| rows(row, other, ordered))
        });
    partner.map(|free| free.taken = true).is_some()
}

fn weight(row: &Row<'_>) -> Weight {
    let mut weight = Weight::default();
    for value in row {
        weigh(value, &mut weight);
    }
    weight
}

/// Whether two rows say the same, column by column.
pub(super) fn rows(one: &Row<'_>, other: &Row<'_>, ordered: bool) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| same(a, b, ordered))
}

fn key(row: &Row<'_>, ordered: bool) -> String {
    row.iter()
        .map(|value| skeleton(value, ordered))
        .collect::<Vec<_>>()
        .join("|")
}
