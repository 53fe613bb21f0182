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

/// Money in the currency of the prices: two places, or as many as the first two digits of less need.
pub(super) fn money(amount: f64) -> String {
    if amount == 0.0 || amount >= 0.1 {
        return format!("{amount:.2}");
    }
    let places = (-amount.abs().log10()).ceil().clamp(1.0, 10.0) as usize + 1;
    format!("{amount:.places$}")
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
    fn small_amounts_keep_two_digits() {
        assert_eq!(
            [0.0, 12.3456, 0.1, 0.0123, 0.000_388_8].map(money),
            ["0.00", "12.35", "0.10", "0.012", "0.00039"]
        );
    }

    #[test]
    fn a_share_of_nothing_is_no_number() {
        assert_eq!(
            (percent(1, 3), percent(0, 0)),
            ("33.3 %".to_owned(), "–".to_owned())
        );
    }
}
