//! The order of strings: the collation of the server's default language (`en_US`, which sorts as the root locale).
//!
//! The server asks ICU for upper case first and identical strength, so that only the same text compares equal. Here a
//! last comparison of bytes separates what is canonically equivalent, because `==` on the server compares bytes and
//! an order must agree with its equality.

use std::cmp::Ordering;
use std::sync::OnceLock;

use icu_collator::options::{CollatorOptions, Strength};
use icu_collator::preferences::CollationCaseFirst;
use icu_collator::{CollatorBorrowed, CollatorPreferences};

/// Compares two strings as `SORT` and `<` do.
pub fn compare_strings(left: &str, right: &str) -> Ordering {
    if left == right {
        return Ordering::Equal;
    }
    // Digits sort before letters and letters of one case by the alphabet, as their bytes do: keys and lower-case words
    // need no table.
    if is_plain(left) && is_plain(right) {
        return left.cmp(right);
    }
    match collator() {
        Some(collator) => collator.compare(left, right).then_with(|| left.cmp(right)),
        None => left.cmp(right),
    }
}

fn is_plain(text: &str) -> bool {
    text.len() <= 64
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase())
}

/// The collator, or `None` if the compiled-in data were unusable, which no input can cause.
fn collator() -> Option<&'static CollatorBorrowed<'static>> {
    static COLLATOR: OnceLock<Option<CollatorBorrowed<'static>>> = OnceLock::new();
    COLLATOR
        .get_or_init(|| {
            let mut preferences = CollatorPreferences::default();
            preferences.case_first = Some(CollationCaseFirst::Upper);
            let mut options = CollatorOptions::default();
            options.strength = Some(Strength::Identical);
            CollatorBorrowed::try_new(preferences, options).ok()
        })
        .as_ref()
}
