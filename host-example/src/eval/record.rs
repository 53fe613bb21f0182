//! One question's result as a JSON line, and files of them: written as the evaluation goes, read to resume it or to compare.

use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::compare::Difference;
use super::judge::Verdict;
use super::question::Question;

/// What became of one question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// What was asked.
    pub question: String,
    /// The query whose rows are right; none where the question had to be refused.
    pub aql: Option<String>,
    /// Whether the order of rows counted.
    #[serde(default)]
    pub ordered: bool,
    /// For people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What the answer is worth.
    pub verdict: Verdict,
    /// Why it is not right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// Columns that a right answer has beside those that are needed.
    #[serde(default)]
    pub further_columns: usize,
    /// The query that was run.
    pub query: Option<String>,
    /// The error's code, where the question ended in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The queries that the model wrote, the last one last.
    #[serde(default)]
    pub attempts: Vec<AttemptRecord>,
    /// Codes of the answer's warnings.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// How many rows are right; absent where none are wanted.
    #[serde(default)]
    pub right_rows: Option<usize>,
    /// How many rows were given.
    #[serde(default)]
    pub rows: u32,
    /// Whether they were cut at a limit.
    #[serde(default)]
    pub truncated: bool,
    /// The model that answered.
    pub model: String,
    /// Requests to the model.
    #[serde(default)]
    pub llm_calls: u32,
    /// Tokens of the prompts.
    #[serde(default)]
    pub input_tokens: u32,
    /// Tokens of the replies.
    #[serde(default)]
    pub output_tokens: u32,
    /// What they cost, where the model has prices.
    #[serde(default)]
    pub cost: Option<f64>,
    /// How long the question took, in milliseconds.
    #[serde(default)]
    pub elapsed_ms: u64,
}

/// One query that the model wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptRecord {
    /// The query; empty where the reply held none.
    pub query: String,
    /// Why it was not used: code and sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
}

impl Record {
    /// Whether the first query that the model wrote was run.
    #[must_use]
    pub fn is_valid_at_first(&self) -> bool {
        self.query.is_some()
            && self
                .attempts
                .iter()
                .all(|attempt| attempt.refusal.is_none())
    }

    /// Whether a query was run after another one had been refused.
    #[must_use]
    pub fn is_repaired(&self) -> bool {
        self.query.is_some() && !self.is_valid_at_first()
    }

    /// Whether this record still tells about the question: it is the same, and was judged.
    #[must_use]
    pub fn settles(&self, question: &Question) -> bool {
        let judged = !matches!(self.verdict, Verdict::Failed | Verdict::GoldFailed);
        judged
            && (&self.question, &self.aql, self.ordered)
                == (&question.question, &question.aql, question.ordered)
    }
}

/// Why a file of records cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordsError {
    /// The file cannot be read or written.
    #[error("`{path}` cannot be used: {reason}")]
    File {
        /// The file.
        path: PathBuf,
        /// The system's words.
        reason: std::io::Error,
    },
    /// A line is no record.
    #[error("line {line} of `{path}` is no result of an evaluation: {reason}")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: usize,
        /// What is wrong.
        reason: serde_json::Error,
    },
}

/// The records of a file, the last one of each question, in the order of the lines.
///
/// A last line without its end is one that was being written when the evaluation was stopped, and is passed over.
///
/// # Errors
///
/// Where the file cannot be read, or holds something else ([`RecordsError`]).
pub fn read(path: &Path) -> Result<Vec<Record>, RecordsError> {
    let text = std::fs::read_to_string(path).map_err(|reason| file(path, reason))?;
    records(path, whole_lines(&text))
}

fn records(path: &Path, text: &str) -> Result<Vec<Record>, RecordsError> {
    let mut found: Vec<Record> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let record: Record = serde_json::from_str(line).map_err(|reason| RecordsError::Line {
            path: path.to_owned(),
            line: at + 1,
            reason,
        })?;
        found.retain(|earlier| earlier.question != record.question);
        found.push(record);
    }
    Ok(found)
}

fn whole_lines(text: &str) -> &str {
    text.rfind('\n')
        .and_then(|end| text.get(..=end))
        .unwrap_or_default()
}

fn file(path: &Path, reason: std::io::Error) -> RecordsError {
    RecordsError::File {
        path: path.to_owned(),
        reason,
    }
}

/// A file that records are added to, each whole on its line as soon as it is there.
#[derive(Debug)]
pub struct RecordFile {
    path: PathBuf,
    file: std::fs::File,
}

impl RecordFile {
    /// Opens a file and reads what it holds; one that is not there is made. A line that was not written to its end is cut off.
    ///
    /// # Errors
    ///
    /// Where it cannot be read or written, or holds something else ([`RecordsError`]).
    pub fn open(path: &Path) -> Result<(Self, Vec<Record>), RecordsError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(reason) => return Err(file(path, reason)),
        };
        let whole = whole_lines(&text);
        let known = records(path, whole)?;
        let opened = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .and_then(|opened| {
                if whole.len() < text.len() {
                    opened.set_len(whole.len() as u64)?;
                }
                Ok(opened)
            })
            .map_err(|reason| file(path, reason))?;
        let opened = Self {
            path: path.to_owned(),
            file: opened,
        };
        Ok((opened, known))
    }

    /// Adds a record.
    ///
    /// # Errors
    ///
    /// Where the file cannot be written.
    pub fn add(&mut self, record: &Record) -> Result<(), RecordsError> {
        let written = serde_json::to_string(record)
            .map_err(std::io::Error::from)
            .and_then(|line| self.file.write_all((line + "\n").as_bytes()))
            .and_then(|()| self.file.flush());
        written.map_err(|reason| file(&self.path, reason))
    }
}

#[cfg(test)]
pub(super) mod tests;
