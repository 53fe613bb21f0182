//! The known name that someone probably meant.

/// The nearest of the names, where one is near enough to be worth saying: at most a third of its letters differ.
pub(crate) fn nearest<'a>(
    given: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let given = given.to_lowercase();
    known
        .into_iter()
        .map(|name| (distance(&given, &name.to_lowercase()), name))
        .filter(|(distance, name)| *distance <= (name.chars().count() / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Letters to insert, remove or exchange (Levenshtein).
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (at, from) in left.chars().enumerate() {
        let mut diagonal = at;
        let mut before = at + 1;
        for (to, cell) in right.iter().zip(row.iter_mut().skip(1)) {
            let here = (diagonal + usize::from(from != *to))
                .min(before + 1)
                .min(*cell + 1);
            diagonal = *cell;
            *cell = here;
            before = here;
        }
        if let Some(first) = row.first_mut() {
            *first = at + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typing_error_finds_its_name_and_another_word_does_not() {
        let known = ["password", "password_file", "user", "endpoint"];
        assert_eq!(nearest("passwrod", known), Some("password"));
        assert_eq!(nearest("Endpont", known), Some("endpoint"));
        assert_eq!(nearest("colour", known), None);
    }

    #[test]
    fn distances_are_counted_in_letters() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("größe", "grösse"), 2);
    }
}
