//! The known names that a misspelt one may have meant.

use crate::fold::fold_case;
use crate::order::sort_by;

/// The known names nearest to `name`, nearest first, at most `most` of them.
///
/// Near means: equal but for case, `-` and `_`; or within one edit in three characters (insertion, deletion, replacement,
/// exchange of neighbours); or the one name holds the other, four characters or longer. Names of equal distance keep the
/// order in which they were given.
///
/// ```
/// use querent::settings::nearest;
///
/// assert_eq!(nearest("custmers", ["orders", "customers"], 3), ["customers"]);
/// assert!(nearest("weather", ["orders", "customers"], 3).is_empty());
/// ```
pub fn nearest<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
    most: usize,
) -> Vec<&'a str> {
    let wanted = fold(name);
    let mut found: Vec<(usize, &str)> = Vec::new();
    for candidate in known {
        if let Some(distance) = distance(&wanted, &fold(candidate)) {
            found.push((distance, candidate));
        }
    }
    sort_by(&mut found, |one, other| one.0.cmp(&other.0));
    found.truncate(most);
    found.into_iter().map(|(_, candidate)| candidate).collect()
}

/// Longer names are not compared: the table of distances grows with the square.
const LONGEST: usize = 128;

fn fold(name: &str) -> Vec<char> {
    name.chars()
        .take(LONGEST)
        .filter(|character| !matches!(character, '-' | '_' | ' '))
        .map(fold_case)
        .collect()
}

/// How far apart two folded names are, where they are near at all.
fn distance(wanted: &[char], candidate: &[char]) -> Option<usize> {
    if wanted.is_empty() || candidate.is_empty() {
        return None;
    }
    let allowed = (wanted.len().max(candidate.len()) / 3).max(1);
    if wanted.len().abs_diff(candidate.len()) <= allowed {
        let edits = edits(wanted, candidate);
        if edits <= allowed && edits < wanted.len() {
            return Some(edits);
        }
    }
    let (short, long) = if wanted.len() < candidate.len() {
        (wanted, candidate)
    } else {
        (candidate, wanted)
    };
    let holds = short.len() >= 4 && long.windows(short.len()).any(|window| window == short);
    // Farther than any misspelling, nearer the less is missing.
    holds.then(|| LONGEST.saturating_add(long.len().saturating_sub(short.len())))
}

/// The optimal string alignment distance: Levenshtein's, with an exchange of neighbours as one edit.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut previous_a = None;
    for (row, &ca) in a.iter().enumerate() {
        let mut current = Vec::with_capacity(last.len());
        current.push(row.saturating_add(1));
        let mut previous_b = None;
        for (column, &cb) in b.iter().enumerate() {
            let at = |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX);
            let replace = at(&last, column).saturating_add(usize::from(ca != cb));
            let delete = at(&last, column.saturating_add(1)).saturating_add(1);
            let insert = at(&current, column).saturating_add(1);
            let mut best = replace.min(delete).min(insert);
            if previous_a == Some(cb) && previous_b == Some(ca) {
                let exchange = at(&before, column.wrapping_sub(1)).saturating_add(1);
                best = best.min(exchange);
            }
            current.push(best);
            previous_b = Some(cb);
        }
        before = last;
        last = current;
        previous_a = Some(ca);
    }
    last.last().copied().unwrap_or(usize::MAX)
}
