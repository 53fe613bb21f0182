//! Text of people, models and databases in Markdown, so that it stays text.

use crate::error::printable;

/// A text on one line, as it stands in a heading or a cell.
pub(super) fn line(text: &str) -> String {
    let text = printable(text);
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace('|', "\\|")
}

/// A block of code, fenced by more backticks than it holds.
pub(super) fn block(language: &str, text: &str) -> String {
    let text = printable(text);
    let longest = text
        .split(|character| character != '`')
        .map(str::len)
        .max()
        .unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end())
}

/// A share in percent; of nothing, none.
pub(super) fn percent(part: usize, whole: usize) -> String {
    if whole == 0 {
        return "–".to_owned();
    }
    format!("{:.1} %", 100.0 * part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_what_it_holds_and_no_control_character_passes() {
        assert_eq!(
            block("aql", "RETURN \"```\"\n"),
            "````aql\nRETURN \"```\"\n````\n"
        );
        assert_eq!(block("", "a\u{1b}[2J"), "```\na\\u{1b}[2J\n```\n");
        assert_eq!(line("a\n| b\u{7}"), "a \\| b\\u{7}");
    }

    #[test]
    fn a_share_of_nothing_is_no_number() {
        assert_eq!(
            (percent(1, 3), percent(0, 0)),
            ("33.3 %".to_owned(), "–".to_owned())
        );
    }
}
