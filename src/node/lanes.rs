//! An answer's outputs: what a pipeline's lanes carry.
//!
//! | outcome | `rows` | `table` | `text` | `answers` |
//! |---|---|---|---|---|
//! | rows | the rows | Markdown | the rows as plain text | Markdown |
//! | no rows | `[]` | empty | a sentence | the sentence |
//! | words, clarify | `[]` | empty | the words | the words |
//! | affected | the rows returned | Markdown where there are rows | Markdown, or how many documents were written | `{"rows":…,"affected_rows":…}` |
//! | dialect | `[]` | empty | empty | `{"dialect":"arango"}` |
//!
//! Only the outputs that were asked for are made; the others stay empty.

use crate::arango::{RawRows, Rows};
use crate::ask::{Answer, Outcome, Outputs, Usage};
use crate::render;

/// What a person reads where a query gave no row.
const NOTHING_FOUND: &str = "The query ran and found nothing.";

/// An answer with nothing in it yet.
pub(super) fn blank(outcome: Outcome) -> Answer {
    Answer {
        outcome,
        rows: "[]".into(),
        row_count: 0,
        truncated: false,
        affected_rows: None,
        table: String::new(),
        text: String::new(),
        answers: String::new(),
        prose: None,
        query: None,
        bind_vars: None,
        assumptions: Vec::new(),
        attempts: Vec::new(),
        warnings: Vec::new(),
        usage: Usage::default(),
        details: Vec::new(),
    }
}

/// The answer to a query that read.
pub(super) fn rows(found: Rows, outputs: Outputs) -> Answer {
    let mut answer = blank(Outcome::Rows);
    answer.row_count = count(&found.rows);
    answer.truncated = found.more;
    answer.warnings = found.warnings;
    if outputs.rows {
        answer.rows = found.rows.to_array();
    }
    if found.rows.is_empty() {
        if outputs.text {
            answer.text = NOTHING_FOUND.into();
        }
        if outputs.answers {
            answer.answers = NOTHING_FOUND.into();
        }
        return answer;
    }
    if outputs.text {
        answer.text = render::text(&found.rows);
    }
    if outputs.table || outputs.answers {
        let table = render::table(&found.rows);
        if outputs.answers {
            answer.answers.clone_from(&table);
        }
        if outputs.table {
            answer.table = table;
        }
    }
    answer
}

/// The answer in the model's own words.
pub(super) fn words(outcome: Outcome, words: &str, outputs: Outputs) -> Answer {
    let mut answer = blank(outcome);
    if outputs.text {
        answer.text = words.into();
    }
    if outputs.answers {
        answer.answers = words.into();
    }
    if outputs.prose {
        answer.prose = Some(words.into());
    }
    answer
}

/// The answer to a query that ran as it stood.
pub(super) fn affected(done: Rows, outputs: Outputs) -> Answer {
    let affected = u32::try_from(done.writes_executed).unwrap_or(u32::MAX);
    let mut answer = blank(Outcome::Affected);
    answer.row_count = count(&done.rows);
    answer.affected_rows = Some(affected);
    answer.warnings = done.warnings;
    let needs_table = outputs.table || outputs.text;
    let table = if needs_table && !done.rows.is_empty() {
        render::table(&done.rows)
    } else {
        String::new()
    };
    if outputs.text {
        answer.text = if done.rows.is_empty() {
            affected_sentence(affected)
        } else {
            table.clone()
        };
    }
    if outputs.table {
        answer.table = table;
    }
    if outputs.answers {
        answer.answers = format!(
            "{{\"rows\":{},\"affected_rows\":{affected}}}",
            done.rows.to_array()
        );
    }
    if outputs.rows {
        answer.rows = done.rows.to_array();
    }
    answer
}

/// The answer that names the query language.
pub(super) fn dialect(outputs: Outputs) -> Answer {
    let mut answer = blank(Outcome::Dialect);
    if outputs.answers {
        answer.answers = r#"{"dialect":"arango"}"#.into();
    }
    answer
}

fn affected_sentence(affected: u32) -> String {
    if affected == 1 {
        "1 row affected".into()
    } else {
        format!("{affected} rows affected")
    }
}

fn count(rows: &RawRows) -> u32 {
    u32::try_from(rows.len()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Outputs = Outputs {
        rows: true,
        table: true,
        text: true,
        answers: true,
        prose: false,
    };

    fn found(rows: &[&str]) -> Rows {
        Rows {
            rows: rows.iter().copied().collect(),
            ..Rows::default()
        }
    }

    #[test]
    fn rows_pass_as_the_server_wrote_them() {
        let answer = rows(found(&[r#"{"b":12345678901234567890,"a":1.50}"#, "7"]), ALL);
        assert_eq!(answer.rows, r#"[{"b":12345678901234567890,"a":1.50},7]"#);
        assert_eq!(answer.row_count, 2);
        assert_eq!(answer.answers, answer.table);
        assert!(answer.table.starts_with('|'));
    }

    #[test]
    fn an_output_that_was_not_asked_for_is_not_made() {
        let answer = rows(
            found(&["1"]),
            Outputs {
                text: true,
                ..Outputs::default()
            },
        );
        assert_eq!(
            (
                answer.rows.as_str(),
                answer.table.as_str(),
                answer.answers.as_str()
            ),
            ("[]", "", "")
        );
        assert_eq!(answer.row_count, 1);
        assert!(!answer.text.is_empty());
    }

    #[test]
    fn nothing_found_is_a_sentence_and_never_an_empty_list() {
        let answer = rows(found(&[]), ALL);
        assert_eq!(
            (answer.text.as_str(), answer.answers.as_str()),
            (NOTHING_FOUND, NOTHING_FOUND)
        );
        assert_eq!((answer.rows.as_str(), answer.table.as_str()), ("[]", ""));
    }

    #[test]
    fn a_write_without_rows_says_how_many_documents_it_wrote() {
        let answer = affected(
            Rows {
                writes_executed: 3,
                ..Rows::default()
            },
            ALL,
        );
        assert_eq!(answer.text, "3 rows affected");
        assert_eq!(answer.answers, r#"{"rows":[],"affected_rows":3}"#);
        assert_eq!(answer.affected_rows, Some(3));
        assert_eq!(answer.table, "");
    }

    #[test]
    fn a_write_with_rows_counts_from_the_statistics_and_not_from_the_rows() {
        let answer = affected(
            Rows {
                writes_executed: 3,
                ..found(&["{\"a\":1}"])
            },
            ALL,
        );
        assert_eq!(answer.answers, r#"{"rows":[{"a":1}],"affected_rows":3}"#);
        assert_eq!(answer.text, answer.table);
    }
}
