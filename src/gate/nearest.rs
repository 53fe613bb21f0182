//! Names near to one that is unknown, for hints.

/// At most this many names are suggested.
const MAX_SUGGESTIONS: usize = 3;

/// Names longer than this are not compared: the work grows with the product of both lengths.
const MAX_LENGTH: usize = 64;

/// The candidates within a third of the name's length in edits, nearest first. Case does not count: `Users` is near `users`.
pub(crate) fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Vec<String> {
    let length = name.chars().count();
    if length > MAX_LENGTH {
        return Vec::new();
    }
    let bound = length.div_ceil(3).max(1);
    let folded = name.to_lowercase();
    let mut found: Vec<(usize, &str)> = candidates
        .filter(|candidate| candidate.chars().count() <= MAX_LENGTH)
        .map(|candidate| (distance(&folded, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= bound)
        .collect();
    found.sort_unstable();
    found.truncate(MAX_SUGGESTIONS);
    found
        .into_iter()
        .map(|(_, candidate)| candidate.to_owned())
        .collect()
}

/// How many insertions, deletions, replacements and swaps of neighbours turn one text into the other.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    let mut last = None;
    for (at, from_char) in from.chars().enumerate() {
        let mut next = vec![at.saturating_add(1)];
        let mut last_to = None;
        for (to_at, to_char) in to.iter().enumerate() {
            let cost = usize::from(from_char != *to_char);
            let here = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX);
            let mut best = here(&row, to_at)
                .saturating_add(cost)
                .min(here(&row, to_at.saturating_add(1)).saturating_add(1))
                .min(here(&next, to_at).saturating_add(1));
            if last == Some(*to_char) && last_to == Some(from_char) {
                best = best.min(here(&before, to_at.saturating_sub(1)).saturating_add(1));
            }
            next.push(best);
            last_to = Some(*to_char);
        }
        last = Some(from_char);
        before = core::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted_swaps_as_one() {
        for (from, to, edits) in [
            ("", "abc", 3),
            ("users", "users", 0),
            ("lenght", "length", 1),
            ("order", "orders", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(from, to), edits, "{from} {to}");
        }
    }

    #[test]
    fn far_names_are_not_suggested() {
        let names = ["users", "orders", "order_lines"];
        assert_eq!(nearest("Order", names.into_iter()), ["orders"]);
        assert_eq!(nearest("zebra", names.into_iter()), Vec::<String>::new());
        assert_eq!(
            nearest(&"x".repeat(70), names.into_iter()),
            Vec::<String>::new()
        );
    }
}
