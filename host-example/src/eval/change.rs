//! Two runs, question by question: what got better, what got worse, what it cost.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::judge::Verdict;
use super::markdown::line;
use super::record::Record;
use super::summary::Summary;

/// What changed from one run to another.
#[derive(Clone, Debug)]
pub struct Change<'a> {
    /// Right now, and not before: before and now.
    pub better: Vec<(&'a Record, &'a Record)>,
    /// Right before, and not now: before and now.
    pub worse: Vec<(&'a Record, &'a Record)>,
    /// Not right in either, with another verdict or another query: before and now.
    pub other: Vec<(&'a Record, &'a Record)>,
    /// As right, or as wrong, as before.
    pub same: usize,
    /// Only in the old run.
    pub gone: Vec<&'a Record>,
    /// Only in the new run.
    pub added: Vec<&'a Record>,
    /// The figures of the questions that both have: before and now.
    figures: (Summary, Summary),
}

impl<'a> Change<'a> {
    /// Compares two runs by the words of their questions.
    #[must_use]
    pub fn between(old: &'a [Record], new: &'a [Record]) -> Self {
        let before: HashMap<&str, &Record> = old
            .iter()
            .map(|record| (record.question.as_str(), record))
            .collect();
        let now: HashMap<&str, &Record> = new
            .iter()
            .map(|record| (record.question.as_str(), record))
            .collect();
        let (mut better, mut worse, mut other) = (Vec::new(), Vec::new(), Vec::new());
        let (mut same, mut added) = (0, Vec::new());
        let (mut both_old, mut both_new) = (Vec::new(), Vec::new());
        for record in new {
            let Some(earlier) = before.get(record.question.as_str()).copied() else {
                added.push(record);
                continue;
            };
            both_old.push(earlier.clone());
            both_new.push(record.clone());
            let pair = (earlier, record);
            match (
                earlier.verdict == Verdict::Right,
                record.verdict == Verdict::Right,
            ) {
                (false, true) => better.push(pair),
                (true, false) => worse.push(pair),
                (false, false)
                    if earlier.verdict != record.verdict || earlier.query != record.query =>
                {
                    other.push(pair);
                }
                _ => same += 1,
            }
        }
        Self {
            better,
            worse,
            other,
            same,
            gone: old
                .iter()
                .filter(|record| !now.contains_key(record.question.as_str()))
                .collect(),
            added,
            figures: (Summary::of(&both_old), Summary::of(&both_new)),
        }
    }

    /// The change as Markdown: the figures side by side, then each question that is not as before.
    #[must_use]
    pub fn markdown(&self) -> String {
        let (before, now) = &self.figures;
        let mut text = format!(
            "# Change\n\nOf {} questions in both runs {} got better, {} got worse, {} are wrong in another way, {} are as before.\n\n\
             | | before | now |\n| --- | ---: | ---: |\n",
            now.questions,
            self.better.len(),
            self.worse.len(),
            self.other.len(),
            self.same,
        );
        for ((name, old), (_, new)) in before.figures().iter().zip(now.figures()) {
            let _ = writeln!(text, "| {name} | {old} | {new} |");
        }
        for (title, pairs) in [
            ("Worse", &self.worse),
            ("Better", &self.better),
            ("Wrong in another way", &self.other),
        ] {
            if !pairs.is_empty() {
                let _ = write!(
                    text,
                    "\n## {title}\n\n| question | before | now |\n| --- | --- | --- |\n"
                );
            }
            for (old, new) in pairs {
                let question = line(&new.question);
                let _ = writeln!(text, "| {question} | {} | {} |", said(old), said(new));
            }
        }
        for (title, records) in [("Only before", &self.gone), ("Only now", &self.added)] {
            if !records.is_empty() {
                let _ = write!(text, "\n## {title}\n\n");
            }
            for record in records {
                let _ = writeln!(text, "- {}: {}", line(&record.question), said(record));
            }
        }
        text
    }
}

/// The verdict and its reason.
fn said(record: &Record) -> String {
    let name = record.verdict.name();
    match &record.difference {
        Some(difference) => format!("{name}: {}", line(&difference.reason)),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::record;
    use super::*;

    #[test]
    fn each_question_is_held_against_itself() {
        let old = [
            record("a", Verdict::Right),
            record("b", Verdict::Wrong),
            record("c", Verdict::Wrong),
            record("d", Verdict::Wrong),
            record("e", Verdict::Right),
            record("gone", Verdict::Right),
        ];
        let new = [
            record("e", Verdict::Right),
            record("d", Verdict::Invalid),
            record("c", Verdict::Wrong),
            record("b", Verdict::Right),
            record("a", Verdict::Refused),
            record("added", Verdict::Wrong),
        ];
        let change = Change::between(&old, &new);
        let words = |pairs: &[(&Record, &Record)]| -> Vec<String> {
            pairs.iter().map(|(_, new)| new.question.clone()).collect()
        };
        assert_eq!(words(&change.better), ["b"]);
        assert_eq!(words(&change.worse), ["a"]);
        assert_eq!(words(&change.other), ["d"]);
        assert_eq!(change.same, 2);
        let text = change.markdown();
        assert!(
            text.contains("Of 5 questions in both runs 1 got better, 1 got worse, 1 are wrong in another way, 2 are as before."),
            "{text}"
        );
        assert!(
            text.contains("| execution accuracy | 2 of 5 (40.0 %) | 2 of 5 (40.0 %) |"),
            "{text}"
        );
        assert!(text.contains("## Worse\n\n| question | before | now |\n| --- | --- | --- |\n| a | right | refused |"), "{text}");
        assert!(text.contains("## Only before\n\n- gone: right\n"), "{text}");
        assert!(text.contains("## Only now\n\n- added: wrong\n"), "{text}");
    }
}
