//! What an answer is worth, held against the rows of the query that is right.
//!
//! | verdict | rows were right | a refusal was right (`aql` is `null`) |
//! |---|---|---|
//! | `right` | the same rows | refused by a gate, or answered in words |
//! | `wrong` | other rows | rows, or a question back |
//! | `refused` | words, a question back, or refused by a gate | |
//! | `invalid` | no query that runs | no query that runs |
//! | `failed` | the model, the database or the host failed: nothing was judged | the same |
//! | `gold-failed` | the query that should be right failed: the question was not asked | |

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::compare::{Comparison, Difference};
use super::question::Question;
use crate::CallError;
use crate::types::{Answer, ErrorKind, Outcome};

/// Rows that are returned where neither the caller nor the settings say how many.
const DEFAULT_LIMIT: u64 = 250;

/// The warning that says that the model's own LIMIT was reached.
const LIMIT_IN_QUERY: &str = "limit-in-query";

/// What became of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The answer is right.
    Right,
    /// There is an answer, and it is not right.
    Wrong,
    /// Rows were wanted, and there are words, a question back or a refusal.
    Refused,
    /// The model wrote no query that runs.
    Invalid,
    /// Model, database or host failed.
    Failed,
    /// The right query itself failed.
    GoldFailed,
}

impl Verdict {
    /// The word for it, as records have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong => "wrong",
            Self::Refused => "refused",
            Self::Invalid => "invalid",
            Self::Failed => "failed",
            Self::GoldFailed => "gold-failed",
        }
    }
}

/// A verdict with its reasons.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// What became of the question.
    pub verdict: Verdict,
    /// Why it is not right.
    pub difference: Option<Difference>,
    /// How many columns a right answer has beside those that are needed.
    pub further_columns: usize,
}

impl Judgement {
    fn right(further_columns: usize) -> Self {
        Self {
            verdict: Verdict::Right,
            difference: None,
            further_columns,
        }
    }

    /// A verdict that a sentence explains.
    #[must_use]
    pub fn because(verdict: Verdict, reason: impl Into<String>) -> Self {
        Self::with(
            verdict,
            Difference {
                reason: reason.into(),
                ..Difference::default()
            },
        )
    }

    fn with(verdict: Verdict, difference: Difference) -> Self {
        Self {
            verdict,
            difference: Some(difference),
            further_columns: 0,
        }
    }
}

/// Judges an answer. `right` are the rows of the question's query, where it has one; `limit` is how many rows an answer may have.
#[must_use]
pub fn judge(
    question: &Question,
    right: Option<&[Value]>,
    outcome: &Result<Answer, CallError>,
    limit: u64,
) -> Judgement {
    match outcome {
        Ok(answer) => judge_answer(question, right, answer, limit),
        Err(error) => judge_error(right.is_some(), error),
    }
}

fn judge_answer(
    question: &Question,
    right: Option<&[Value]>,
    answer: &Answer,
    limit: u64,
) -> Judgement {
    let wanted = right.is_some();
    match answer.outcome {
        Outcome::Words if wanted => Judgement::because(
            Verdict::Refused,
            format!("answered in words: {}", answer.text),
        ),
        Outcome::Words => Judgement::right(0),
        Outcome::Clarify => Judgement::because(
            if wanted {
                Verdict::Refused
            } else {
                Verdict::Wrong
            },
            format!("asked back: {}", answer.text),
        ),
        _ => {
            let given: Vec<Value> = match serde_json::from_str(&answer.rows) {
                Ok(rows) => rows,
                Err(error) => {
                    let reason = format!("the rows are no JSON array: {error}");
                    return Judgement::because(Verdict::Failed, reason);
                }
            };
            let Some(right) = right else {
                let reason = "rows, where the question had to be refused or declared unrelated";
                return Judgement::with(Verdict::Wrong, Difference::unwanted(reason, &given));
            };
            let comparison = Comparison {
                ordered: question.ordered,
                cut: is_cut(answer, limit),
            };
            match comparison.compare(right, &given) {
                Ok(found) => Judgement::right(found.further_columns),
                Err(difference) => Judgement::with(Verdict::Wrong, difference),
            }
        }
    }
}

/// Whether the answer has fewer rows than its query would give: it says so, or the model kept to the limit that it was told.
fn is_cut(answer: &Answer, limit: u64) -> bool {
    let kept_to_it = || {
        u64::from(answer.row_count) >= limit
            && answer
                .warnings
                .iter()
                .any(|warning| warning.code == LIMIT_IN_QUERY)
    };
    answer.truncated || kept_to_it()
}

fn judge_error(wanted: bool, error: &CallError) -> Judgement {
    let verdict = match error.kind() {
        ErrorKind::QueryRefused if wanted => Verdict::Refused,
        ErrorKind::QueryRefused => return Judgement::right(0),
        ErrorKind::QueryInvalid | ErrorKind::DatabaseError => Verdict::Invalid,
        _ => Verdict::Failed,
    };
    Judgement::because(verdict, error.to_string())
}

/// How many rows an answer has at most: the settings' `default_limit`, or 250.
#[must_use]
pub fn row_limit(settings: &str) -> u64 {
    serde_json::from_str::<Value>(settings)
        .ok()
        .and_then(|settings| settings.get("default_limit").and_then(Value::as_u64))
        .unwrap_or(DEFAULT_LIMIT)
}

#[cfg(test)]
mod tests;
