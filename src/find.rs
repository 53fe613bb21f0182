//! Searching, joining and counting texts.
//!
//! The standard library's search is linear whatever is looked for, and takes 9 KB of the component with the messages of its
//! checks and the tables behind them (measured). The marks that are looked for here are a few bytes long.

/// Where a mark first stands, in bytes.
pub(crate) fn find(text: &str, mark: &str) -> Option<usize> {
    let mut at = text.as_bytes().windows(mark.len().max(1));
    at.position(|window| window == mark.as_bytes())
}

/// Where it last stands.
pub(crate) fn find_last(text: &str, mark: &str) -> Option<usize> {
    let mut at = text.as_bytes().windows(mark.len().max(1));
    at.rposition(|window| window == mark.as_bytes())
}

/// Whether it stands anywhere; an empty one does.
pub(crate) fn holds(text: &str, mark: &str) -> bool {
    mark.is_empty() || find(text, mark).is_some()
}

/// What stands before the first mark, and behind it.
pub(crate) fn split_once<'t>(text: &'t str, mark: &str) -> Option<(&'t str, &'t str)> {
    let at = find(text, mark)?;
    Some((text.get(..at)?, text.get(at.saturating_add(mark.len())..)?))
}

/// The texts with a mark between two of them.
pub(crate) fn joined<T: AsRef<str>>(texts: &[T], mark: &str) -> String {
    let mut joined = String::new();
    for (at, text) in texts.iter().enumerate() {
        if at > 0 {
            joined.push_str(mark);
        }
        joined.push_str(text.as_ref());
    }
    joined
}

/// The names in backticks, a comma between two.
pub(crate) fn listed<T: AsRef<str>>(names: &[T]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let mut listed = joined(names, "`, `");
    listed.insert(0, '`');
    listed.push('`');
    listed
}

/// How many characters a text has.
pub(crate) fn count_chars(text: &str) -> usize {
    // Every byte but those that continue a character.
    text.bytes().filter(|byte| byte & 0xc0 != 0x80).count()
}

/// Whether a character belongs to a word: a letter or digit of any script. Beyond ASCII, everything counts but the blocks of
/// punctuation, symbols and pictures.
pub(crate) fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || (c >= '\u{aa}'
            && !matches!(
                c,
                '\u{ab}'..='\u{b1}'
                    | '\u{b4}'
                    | '\u{b6}'..='\u{b8}'
                    | '\u{bb}'
                    | '\u{bf}'
                    | '×'
                    | '÷'
                    | '\u{2000}'..='\u{206f}'
                    | '\u{20a0}'..='\u{20cf}'
                    | '\u{2190}'..='\u{245f}'
                    | '\u{2500}'..='\u{2775}'
                    | '\u{2794}'..='\u{2bff}'
                    | '\u{3000}'..='\u{3004}'
                    | '\u{3008}'..='\u{3020}'
                    | '\u{fe30}'..='\u{fe6f}'
                    | '\u{ff00}'..='\u{ff0f}'
                    | '\u{ff1a}'..='\u{ff20}'
                    | '\u{ff3b}'..='\u{ff40}'
                    | '\u{ff5b}'..='\u{ff65}'
                    | '\u{fff0}'..='\u{ffff}'
                    | '\u{1f000}'..='\u{1faff}'
            ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_finds_what_the_standard_library_finds(text in "[ab<ż]{0,12}", mark in "[ab<ż]{1,3}") {
            prop_assert_eq!(find(&text, &mark), text.find(&mark));
            prop_assert_eq!(find_last(&text, &mark), text.rfind(&mark));
            prop_assert_eq!(holds(&text, &mark), text.contains(&mark));
            prop_assert_eq!(split_once(&text, &mark), text.split_once(&mark));
        }
    }

    #[test]
    fn texts_are_joined_and_counted() {
        assert_eq!(joined(&["a", "", "b"], ", "), "a, , b");
        assert_eq!(joined::<&str>(&[], ", "), "");
        assert_eq!(listed(&["a", "b"]), "`a`, `b`");
        assert_eq!(listed::<&str>(&[]), "");
        assert_eq!(count_chars("żółw 🙂"), "żółw 🙂".chars().count());
    }

    #[test]
    fn an_empty_mark_is_everywhere() {
        assert!(holds("", "") && holds("a", ""));
    }

    #[test]
    fn letters_of_any_script_belong_to_words_and_marks_between_them_do_not() {
        for c in "azAZ09ßżŁΩжÇ中あ한עاहก½²".chars() {
            assert!(is_of_word(c) && c.is_alphanumeric(), "{c}");
        }
        for c in " _-.,'\"`#\u{a0}«»’“”–—…€→•■☃、。「」！？🙂".chars()
        {
            assert!(!is_of_word(c) && !c.is_alphanumeric(), "{c}");
        }
    }
}
