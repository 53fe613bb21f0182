//! The questions of an evaluation, from JSON lines.
//!
//! ```json
//! {"question": "How many books are there?", "aql": "RETURN LENGTH(books)"}
//! {"question": "The dearest three, dearest first?", "aql": "FOR b IN books SORT b.price DESC LIMIT 3 RETURN b.title", "ordered": true}
//! {"question": "Delete all books.", "aql": null, "note": "must be refused"}
//! ```
//!
//! | key | meaning | default |
//! |---|---|---|
//! | `question` | what is asked; each text once | |
//! | `aql` | the query whose rows are the right answer; `null`: there is none, and the question must be refused or declared unrelated | |
//! | `ordered` | whether the order of the rows counts | `false` |
//! | `note` | a word for whoever reads the report | none |
//!
//! `aql` must be there, so that a misspelt key is no question that wants a refusal. Blank lines are passed over.

use std::collections::HashMap;

use serde::{Deserialize, Deserializer};

/// One question, with what is right.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// What is asked.
    pub question: String,
    /// The query whose rows are right; none where the question must be refused.
    #[serde(deserialize_with = "there")]
    pub aql: Option<String>,
    /// Whether the order of the rows counts.
    #[serde(default)]
    pub ordered: bool,
    /// For people.
    #[serde(default)]
    pub note: Option<String>,
}

/// Without this, an absent `aql` would count as `null`.
fn there<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Option::deserialize(deserializer)
}

/// Why a text holds no questions.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QuestionsError {
    /// A line that is no question.
    #[error(
        "line {line} is no question: {reason}; write {{\"question\": \"…\", \"aql\": \"…\"}}, with `null` where no query is right"
    )]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// A question without words, or a query without any.
    #[error("line {line} has a blank `{key}`")]
    Blank {
        /// Its number, from 1.
        line: usize,
        /// The key.
        key: &'static str,
    },
    /// A question that was asked before.
    #[error(
        "line {line} repeats the question of line {first}: a question is known by its words, so each may stand once"
    )]
    Twice {
        /// Its number, from 1.
        line: usize,
        /// The number of the first.
        first: usize,
    },
    /// No line at all.
    #[error("there is no question")]
    None,
}

/// Reads questions, one a line.
///
/// # Errors
///
/// The first line that is no question, or a question that comes twice ([`QuestionsError`]).
pub fn questions(text: &str) -> Result<Vec<Question>, QuestionsError> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut found = Vec::new();
    for (at, text) in text.lines().enumerate() {
        let line = at + 1;
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() {
            continue;
        }
        let question: Question =
            serde_json::from_str(text).map_err(|error| QuestionsError::Line {
                line,
                reason: error.to_string(),
            })?;
        if question.question.trim().is_empty() {
            return Err(QuestionsError::Blank {
                line,
                key: "question",
            });
        }
        if question
            .aql
            .as_ref()
            .is_some_and(|aql| aql.trim().is_empty())
        {
            return Err(QuestionsError::Blank { line, key: "aql" });
        }
        if let Some(first) = seen.insert(question.question.clone(), line) {
            return Err(QuestionsError::Twice { line, first });
        }
        found.push(question);
    }
    if found.is_empty() {
        return Err(QuestionsError::None);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        questions(text).unwrap_err().to_string()
    }

    #[test]
    fn a_question_needs_its_query_or_an_explicit_null() {
        let read = questions(
            "\u{feff}{\"question\": \"a\", \"aql\": null}\n\n{\"question\": \"b\", \"aql\": \"RETURN 1\", \"ordered\": true}\n",
        )
        .unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!((&read[0].aql, read[0].ordered), (&None, false));
        assert!(read[1].ordered);
        assert!(
            refused("{\"question\": \"a\"}")
                .starts_with("line 1 is no question: missing field `aql`")
        );
        assert!(
            refused("{\"question\": \"a\", \"aqll\": \"RETURN 1\"}")
                .contains("unknown field `aqll`")
        );
    }

    #[test]
    fn a_question_that_comes_twice_is_named_with_both_lines() {
        let line = "{\"question\": \"a\", \"aql\": null}\n";
        assert!(
            refused(&format!("{line}\n{line}"))
                .starts_with("line 3 repeats the question of line 1")
        );
    }

    #[test]
    fn nothing_and_blank_words_are_refused() {
        assert_eq!(refused(" \n"), "there is no question");
        assert_eq!(
            refused("{\"question\": \" \", \"aql\": null}"),
            "line 1 has a blank `question`"
        );
        assert_eq!(
            refused("{\"question\": \"a\", \"aql\": \"\"}"),
            "line 1 has a blank `aql`"
        );
    }
}
