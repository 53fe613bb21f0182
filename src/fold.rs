//! Lower case, where it only helps to find what was meant: hints for misspelt names, words that a question and a schema share.
//!
//! The letters of the Latin, Greek, Cyrillic and Armenian alphabets in everyday use. The standard library's own tables know
//! every letter of every script, and take 13 KB of the component (measured).

/// The text in lower case, as far as [`fold_case`] knows its letters.
pub(crate) fn fold(text: &str) -> String {
    text.chars().map(fold_case).collect()
}

/// The letter in lower case; any other character as it is.
pub(crate) fn fold_case(letter: char) -> char {
    let code = u32::from(letter);
    let lower = match code {
        0x41..=0x5a | 0xc0..=0xd6 | 0xd8..=0xde | 0x391..=0x3a1 | 0x3a3..=0x3ab | 0x410..=0x42f => {
            code.saturating_add(0x20)
        }
        // Pairs, the capital on an even place.
        0x100..=0x12f
        | 0x132..=0x137
        | 0x14a..=0x177
        | 0x218..=0x21b
        | 0x460..=0x481
        | 0x48a..=0x4bf
        | 0x4d0..=0x52f
        | 0x1e00..=0x1e95
        | 0x1ea0..=0x1eff => code | 1,
        // And on an odd one.
        0x139..=0x148 | 0x179..=0x17e | 0x4c1..=0x4ce => code.saturating_add(code & 1),
        0x178 => 0xff,
        0x386 => 0x3ac,
        0x388..=0x38a => code.saturating_add(0x25),
        0x38c => 0x3cc,
        0x38e | 0x38f => code.saturating_add(0x3f),
        0x400..=0x40f => code.saturating_add(0x50),
        0x531..=0x556 => code.saturating_add(0x30),
        _ => code,
    };
    char::from_u32(lower).unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_that_is_folded_is_folded_as_the_standard_library_does_it() {
        let mut folded = 0;
        for letter in (0..0x2000).filter_map(char::from_u32) {
            let found = fold_case(letter);
            if found != letter {
                folded += 1;
                assert_eq!(
                    letter.to_lowercase().collect::<Vec<_>>(),
                    [found],
                    "{letter} {:x}",
                    u32::from(letter)
                );
            }
        }
        assert!(folded > 400, "{folded}");
    }

    #[test]
    fn no_everyday_letter_is_missed() {
        let every = ('A'..='Z')
            .chain('À'..='Ö')
            .chain('Ø'..='Þ')
            .chain(('Ā'..='ž').filter(|letter| *letter != 'İ'))
            .chain('Α'..='Ρ')
            .chain('Σ'..='Ϋ')
            .chain('Ѐ'..='Я')
            .chain("ΆΈΉΊΌΎΏȘȚҐҒҚӘӨҰҺ".chars());
        for letter in every {
            let lower: String = letter.to_lowercase().collect();
            assert_eq!(fold(&letter.to_string()), lower);
        }
        assert_eq!(fold("Ołówek-7 ŻÓŁĆ"), "ołówek-7 żółć");
    }
}
