//! Text of the database's and of callers', made fit to stand in a message.
//!
//! A message is shown in logs and terminals. A name in it may hold control characters or marks that turn the reading
//! direction, and then the line would read as something that nobody wrote.

/// The longest text of another's in a message, in characters.
const LONGEST: usize = 600;

/// The text on one line, without control and direction characters, cut at 600 characters with a mark.
pub(crate) fn clean(text: &str) -> String {
    clean_to(text, LONGEST)
}

/// The same, cut at `longest` characters.
pub(crate) fn clean_to(text: &str, longest: usize) -> String {
    let mut cleaned = String::with_capacity(text.len().min(longest));
    for (count, character) in text.chars().enumerate() {
        if count >= longest {
            cleaned.push('…');
            break;
        }
        if is_plain(character) {
            cleaned.push(character);
        } else if !turns_direction(character) {
            cleaned.push(' ');
        }
    }
    cleaned
}

/// Whether a character neither ends a line nor changes how its neighbours are shown.
pub(crate) fn is_plain(character: char) -> bool {
    !character.is_control()
        && !matches!(character, '\u{2028}' | '\u{2029}')
        && !turns_direction(character)
}

/// Marks without a shape of their own that change how their neighbours are shown.
fn turns_direction(character: char) -> bool {
    matches!(
        character,
        '\u{061c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
    )
}

#[cfg(test)]
mod tests {
    use super::{clean, clean_to};

    #[test]
    fn a_message_stays_on_its_line_and_reads_in_one_direction() {
        assert_eq!(
            clean("drop\u{202e}\r\n\ttable \u{2066}x\u{1b}[31m\u{2028}y"),
            "drop   table x [31m y"
        );
    }

    #[test]
    fn a_long_message_is_cut_with_a_mark() {
        assert_eq!(clean_to("żółw", 3), "żół…");
        assert_eq!(clean_to("żółw", 4), "żółw");
        assert_eq!(clean(&"x".repeat(2_000)).chars().count(), 601);
    }
}
