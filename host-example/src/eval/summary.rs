//! The figures of a run, and a page that shows them with everything that is not right.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::judge::Verdict;
use super::markdown::{block, line, percent};
use super::record::Record;
use crate::llm::money;

/// The figures of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// All questions.
    pub questions: usize,
    /// Right answers: the same rows, or a refusal where one was right.
    pub right: usize,
    /// Right answers with columns that were not needed.
    pub right_with_further_columns: usize,
    /// Answers that are not right.
    pub wrong: usize,
    /// Words, a question back or a refusal where rows were right.
    pub refused: usize,
    /// Questions for which no query ran.
    pub invalid: usize,
    /// Questions that were not judged: model, database or host failed.
    pub failed: usize,
    /// Questions that were not asked: the right query itself failed.
    pub gold_failed: usize,
    /// Questions that have a right query.
    pub wanting_rows: usize,
    /// Of those, the ones whose first query ran.
    pub valid_at_first: usize,
    /// Of those, the ones for which a later query ran.
    pub repaired: usize,
    /// Requests to the model.
    pub llm_calls: u64,
    /// Tokens of the prompts.
    pub input_tokens: u64,
    /// Tokens of the replies.
    pub output_tokens: u64,
    /// What the questions cost whose model has prices; none where no model has.
    pub cost: Option<f64>,
    /// The models that answered.
    pub models: BTreeSet<String>,
    /// How long the questions took, in milliseconds, from the shortest; those that were not asked left out.
    latencies: Vec<u64>,
}

impl Summary {
    /// Adds up records.
    #[must_use]
    pub fn of(records: &[Record]) -> Self {
        let count = |verdict| of(records, |record| record.verdict == verdict);
        let wanting = |record: &Record| record.aql.is_some();
        let mut latencies: Vec<u64> = records
            .iter()
            .filter(|record| record.verdict != Verdict::GoldFailed)
            .map(|record| record.elapsed_ms)
            .collect();
        latencies.sort_unstable();
        let costs: Vec<f64> = records.iter().filter_map(|record| record.cost).collect();
        Self {
            questions: records.len(),
            right: count(Verdict::Right),
            right_with_further_columns: of(records, |record| {
                record.verdict == Verdict::Right && record.further_columns > 0
            }),
            wrong: count(Verdict::Wrong),
            refused: count(Verdict::Refused),
            invalid: count(Verdict::Invalid),
            failed: count(Verdict::Failed),
            gold_failed: count(Verdict::GoldFailed),
            wanting_rows: of(records, wanting),
            valid_at_first: of(records, |record| {
                wanting(record) && record.is_valid_at_first()
            }),
            repaired: of(records, |record| wanting(record) && record.is_repaired()),
            llm_calls: sum(records, |record| record.llm_calls),
            input_tokens: sum(records, |record| record.input_tokens),
            output_tokens: sum(records, |record| record.output_tokens),
            cost: (!costs.is_empty()).then(|| costs.iter().sum()),
            models: records.iter().map(|record| record.model.clone()).collect(),
            latencies,
        }
    }

    /// Right answers as a share of all questions, those that failed among them; 0 without a question.
    #[must_use]
    pub fn accuracy(&self) -> f64 {
        if self.questions == 0 {
            return 0.0;
        }
        self.right as f64 / self.questions as f64
    }

    /// The time that this share of the questions, from 0 to 1, did not exceed, in milliseconds: by nearest rank.
    #[must_use]
    pub fn latency_ms(&self, share: f64) -> Option<u64> {
        let rank = (share.clamp(0.0, 1.0) * self.latencies.len() as f64).ceil() as usize;
        self.latencies.get(rank.saturating_sub(1)).copied()
    }

    /// The figures as a Markdown table, and each question that is not right, with what tells it apart. `records` are those
    /// that were added up.
    #[must_use]
    pub fn markdown(&self, records: &[Record]) -> String {
        let mut text = "# Evaluation\n\n| | |\n| --- | ---: |\n".to_owned();
        for (name, value) in self.figures() {
            let _ = writeln!(text, "| {name} | {value} |");
        }
        let rest: Vec<(usize, &Record)> = records
            .iter()
            .enumerate()
            .filter(|(_, record)| record.verdict != Verdict::Right)
            .collect();
        if !rest.is_empty() {
            text += "\n## Not right\n";
        }
        for (at, record) in rest {
            text += &details(at + 1, record);
        }
        text
    }

    /// The figures by name.
    pub(super) fn figures(&self) -> Vec<(&'static str, String)> {
        let share = |part, whole| format!("{part} of {whole} ({})", percent(part, whole));
        let models: Vec<String> = self.models.iter().map(|model| line(model)).collect();
        let mut figures = vec![
            ("model", models.join(", ")),
            ("execution accuracy", share(self.right, self.questions)),
            (
                "right, with columns that were not needed",
                self.right_with_further_columns.to_string(),
            ),
            ("wrong", self.wrong.to_string()),
            ("refused, though rows were right", self.refused.to_string()),
            ("no valid query", self.invalid.to_string()),
            ("failed, not judged", self.failed.to_string()),
            (
                "right query failed, not asked",
                self.gold_failed.to_string(),
            ),
            (
                "first query valid",
                share(self.valid_at_first, self.wanting_rows),
            ),
            ("valid after a repair", self.repaired.to_string()),
            ("model requests", self.llm_calls.to_string()),
            (
                "tokens, input and output",
                format!("{} + {}", self.input_tokens, self.output_tokens),
            ),
            (
                "cost",
                self.cost.map_or_else(|| "no prices".to_owned(), money),
            ),
        ];
        for (name, part) in [
            ("latency, median", 0.5),
            ("latency, 90 %", 0.9),
            ("latency, 99 %", 0.99),
            ("latency, longest", 1.0),
        ] {
            let ms = self.latency_ms(part);
            figures.push((
                name,
                ms.map_or_else(|| "–".to_owned(), |ms| format!("{ms} ms")),
            ));
        }
        figures
    }
}

/// One question that is not right.
fn details(number: usize, record: &Record) -> String {
    let mut text = format!("\n### {number}. {}\n\n", line(&record.question));
    let reason = record
        .difference
        .as_ref()
        .map_or("", |difference| difference.reason.as_str());
    let _ = writeln!(text, "{}: {}\n", record.verdict.name(), line(reason));
    if let Some(note) = &record.note {
        let _ = writeln!(text, "Note: {}\n", line(note));
    }
    // A model that repeats itself is shown once.
    for same in record.attempts.chunk_by(|one, next| one == next) {
        let times = match same.len() {
            1 => String::new(),
            times => format!(", {times} times"),
        };
        let Some((attempt, refusal)) = same
            .first()
            .and_then(|attempt| Some((attempt, attempt.refusal.as_ref()?)))
        else {
            continue;
        };
        let _ = writeln!(text, "Not used{times}: {}\n", line(refusal));
        text += &block("aql", &attempt.query);
        text.push('\n');
    }
    if let Some(query) = &record.query {
        text += &format!("Asked:\n\n{}\n", block("aql", query));
    }
    if let Some(aql) = &record.aql {
        text += &format!("Right:\n\n{}\n", block("aql", aql));
    }
    if let Some(difference) = &record.difference {
        let missing = difference.missing.iter().map(|row| format!("- {row}"));
        let unexpected = difference.unexpected.iter().map(|row| format!("+ {row}"));
        let rows: Vec<String> = missing.chain(unexpected).collect();
        if !rows.is_empty() {
            text += &format!(
                "Right rows that are missing (-), given rows that are not right (+):\n\n{}\n",
                block("diff", &rows.join("\n"))
            );
        }
    }
    text.trim_end().to_owned() + "\n"
}

fn of(records: &[Record], which: impl Fn(&Record) -> bool) -> usize {
    records.iter().filter(|record| which(record)).count()
}

fn sum(records: &[Record], of: impl Fn(&Record) -> u32) -> u64 {
    records.iter().map(|record| u64::from(of(record))).sum()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::compare::Difference;
    use super::super::record::tests::record;
    use super::*;

    #[test]
    fn figures_add_up_and_percentiles_are_by_nearest_rank() {
        let mut records: Vec<Record> = (1..=10)
            .map(|n| Record {
                elapsed_ms: n * 10,
                input_tokens: 100,
                output_tokens: 10,
                cost: Some(0.25),
                ..record(&format!("q{n}"), Verdict::Right)
            })
            .collect();
        records[0].verdict = Verdict::Wrong;
        records[1].attempts[0].refusal = Some("no".to_owned());
        records.push(Record {
            query: None,
            ..record("not asked", Verdict::GoldFailed)
        });
        let summary = Summary::of(&records);
        assert_eq!(
            (
                summary.questions,
                summary.right,
                summary.wrong,
                summary.gold_failed
            ),
            (11, 9, 1, 1)
        );
        assert_eq!((summary.valid_at_first, summary.repaired), (9, 1));
        assert_eq!((summary.input_tokens, summary.output_tokens), (1_000, 100));
        assert_eq!(summary.cost, Some(2.5));
        assert!((summary.accuracy() - 9.0 / 11.0).abs() < 1e-12);
        assert_eq!(
            [0.0, 0.5, 0.9, 0.99, 1.0].map(|share| summary.latency_ms(share)),
            [10, 50, 90, 100, 100].map(Some)
        );
        assert_eq!(Summary::of(&[]).latency_ms(0.5), None);
    }

    #[test]
    fn without_prices_there_is_no_cost() {
        assert_eq!(Summary::of(&[record("q", Verdict::Right)]).cost, None);
    }

    #[test]
    fn what_is_not_right_is_shown_with_queries_and_rows() {
        let wrong = Record {
            difference: Some(Difference {
                reason: "1 row given, 2 expected; those given are right".to_owned(),
                missing: vec![json!({"n": 2})],
                unexpected: Vec::new(),
            }),
            note: Some("mind | this".to_owned()),
            ..record("How\nmany?", Verdict::Wrong)
        };
        let records = [record("fine", Verdict::Right), wrong];
        let text = Summary::of(&records).markdown(&records);
        assert!(
            text.contains("| execution accuracy | 1 of 2 (50.0 %) |"),
            "{text}"
        );
        assert!(
            text.contains(
                "### 2. How many?\n\nwrong: 1 row given, 2 expected; those given are right\n"
            ),
            "{text}"
        );
        assert!(text.contains("Note: mind \\| this"), "{text}");
        assert!(text.contains("```diff\n- {\"n\":2}\n```"), "{text}");
        assert!(!text.contains("### 1."), "{text}");
    }
}
