//! Results on standard output, in the form that was asked for; what a person wants to know beside them on standard error.

pub(crate) mod record;
pub(crate) mod rows;

use std::io::Write as _;

use host_example::Spent;
use host_example::types::{Answer, Attempt, Notice};

use crate::cli::Output;
use crate::failure::Failure;

/// Prints an answer.
pub(crate) fn answer(answer: &Answer, output: Output) -> Result<(), Failure> {
    let text = if output.json {
        record::answer(answer)? + "\n"
    } else if output.csv {
        rows::csv(&answer.rows)?
    } else if output.jsonl {
        rows::jsonl(&answer.rows)?
    } else {
        with_line_end(if answer.table.is_empty() {
            &answer.text
        } else {
            &answer.table
        })
    };
    if !output.json {
        beside(answer);
    }
    if let Some(prose) = answer.prose.as_ref().filter(|_| !output.json) {
        if output.csv || output.jsonl || answer.table.is_empty() {
            eprintln!("{prose}");
        } else {
            print(&format!("{}\n", with_line_end(prose)))?;
        }
    }
    // Words are no rows: they stand beside the empty output, so that nobody takes silence for an answer.
    if (output.csv || output.jsonl) && answer.row_count == 0 && !answer.text.is_empty() {
        eprintln!("{}", answer.text);
    }
    print(&text)
}

/// Writes to standard output. A reader who has seen enough, `head` for one, is no failure.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Attempts, the query, warnings and cuts, for the person at the terminal.
fn beside(answer: &Answer) {
    attempts(&answer.attempts);
    if let Some(query) = &answer.query {
        eprintln!("AQL: {query}");
    }
    for assumption in &answer.assumptions {
        eprintln!("assumed: {assumption}");
    }
    notices(&answer.warnings);
    if answer.truncated {
        eprintln!(
            "cut: the first {} rows are shown, and there are more",
            answer.row_count
        );
    }
    if let Some(affected) = answer.affected_rows {
        eprintln!("affected rows: {affected}");
    }
}

/// What was spent on the model, where its provider counts tokens.
pub(crate) fn spent(spent: &Spent) {
    if spent.has_tokens() {
        eprintln!("{spent}");
    }
}

/// The attempts that were refused.
pub(crate) fn attempts(attempts: &[Attempt]) {
    for attempt in attempts {
        if let Some(refusal) = &attempt.refusal {
            eprintln!(
                "refused: {}\n  because: {} (`{}`)",
                attempt.query, refusal.message, refusal.code
            );
        }
    }
}

/// Warnings.
pub(crate) fn notices(notices: &[Notice]) {
    for notice in notices {
        eprintln!("warning: {} (`{}`)", notice.message, notice.code);
    }
}

/// Text with exactly the line end that a terminal needs.
pub(crate) fn with_line_end(text: &str) -> String {
    if text.ends_with('\n') {
        text.to_owned()
    } else {
        format!("{text}\n")
    }
}
