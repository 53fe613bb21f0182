//! Order, in few bytes: a sort, and a set of names.
//!
//! The standard library compiles its sorts and its trees anew for every type of element. In the component that was 57 KB of
//! sorts, each 3 to 5 KB, and 19 KB of trees (opt-level `z`, measured). Here the sort proper is compiled once, over
//! positions, and what is compiled for a type is the exchange of two elements.

use core::cmp::Ordering;

/// Sorts in place. Stable: what compares equal keeps its order. `n · log n` comparisons and at most `n` exchanges.
pub(crate) fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let swaps = swaps(
        items.len(),
        &|one, other| match (items.get(one), items.get(other)) {
            (Some(one), Some(other)) => compare(one, other),
            _ => Ordering::Equal,
        },
    );
    for (one, other) in swaps {
        items.swap(one, other);
    }
}

/// The exchanges that bring `length` elements into order.
fn swaps(length: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<(usize, usize)> {
    let order = merged(length, compare);
    // Which element stands at a place, and where an element stands, after the exchanges so far.
    let mut at: Vec<usize> = (0..length).collect();
    let mut place: Vec<usize> = (0..length).collect();
    let mut swaps = Vec::new();
    for (here, wanted) in order.into_iter().enumerate() {
        let from = place.get(wanted).copied().unwrap_or(here);
        if from == here {
            continue;
        }
        swaps.push((here, from));
        let moved = at.get(here).copied().unwrap_or(here);
        if let Some(slot) = at.get_mut(from) {
            *slot = moved;
        }
        if let Some(slot) = place.get_mut(moved) {
            *slot = from;
        }
    }
    swaps
}

/// The positions in order: a merge sort from runs of one upwards.
fn merged(length: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..length).collect();
    let mut run = 1_usize;
    while run < length {
        let mut next = Vec::with_capacity(length);
        for pair in order.chunks(run.saturating_mul(2)) {
            let (mut left, mut right) = pair.split_at(run.min(pair.len()));
            while let (Some((&one, rest)), Some((&other, others))) =
                (left.split_first(), right.split_first())
            {
                if compare(other, one) == Ordering::Less {
                    next.push(other);
                    right = others;
                } else {
                    next.push(one);
                    left = rest;
                }
            }
            next.extend_from_slice(left);
            next.extend_from_slice(right);
        }
        order = next;
        run = run.saturating_mul(2);
    }
    order
}

/// Names in order, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NameSet(Vec<String>);

impl NameSet {
    /// Adds a name, unless it is there.
    pub(crate) fn insert(&mut self, name: &str) {
        if let Err(at) = self.find(name) {
            self.0.insert(at, name.into());
        }
    }

    /// Whether it is there.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.find(name).is_ok()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The names, in order.
    pub(crate) fn iter(&self) -> core::slice::Iter<'_, String> {
        self.0.iter()
    }

    /// The names, in order.
    pub(crate) fn into_vec(self) -> Vec<String> {
        self.0
    }

    fn find(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|have| have.as_str().cmp(name))
    }
}

#[cfg(test)]
impl<const N: usize> From<[&str; N]> for NameSet {
    fn from(names: [&str; N]) -> NameSet {
        let mut set = NameSet::default();
        for name in names {
            set.insert(name);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_sorts_as_the_standard_library_does(
            mut items in proptest::collection::vec((0_u8..8, any::<u16>()), 0..200),
        ) {
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            sort_by(&mut items, |one, other| one.0.cmp(&other.0));
            prop_assert_eq!(items, expected);
        }

        #[test]
        fn a_set_holds_each_name_once_and_in_order(names in proptest::collection::vec("[a-c]{0,2}", 0..40)) {
            let mut set = NameSet::default();
            for name in &names {
                set.insert(name);
            }
            let expected: std::collections::BTreeSet<String> = names.iter().cloned().collect();
            prop_assert!(names.iter().all(|name| set.contains(name)) && !set.contains("d"));
            prop_assert_eq!(set.len(), expected.len());
            prop_assert_eq!(set.into_vec(), expected.into_iter().collect::<Vec<_>>());
        }
    }
}
