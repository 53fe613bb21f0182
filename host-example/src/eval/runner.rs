//! Asks the questions, some at a time, and judges each answer as it comes.

use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;
use tokio::task::JoinSet;

use super::judge::{Judgement, Verdict, judge, row_limit};
use super::question::Question;
use super::record::{AttemptRecord, Record};
use crate::types::{Answer, Attempt, Outputs, QuestionKind, QuestionRequest, Usage};
use crate::{CallError, Plugin};

/// An evaluation of one tenant's database and model.
#[derive(Clone, Debug)]
pub struct Evaluation {
    plugin: Plugin,
    concurrency: usize,
}

impl Evaluation {
    /// Prepares an evaluation that asks one question at a time.
    #[must_use]
    pub fn new(plugin: Plugin) -> Self {
        Self {
            plugin,
            concurrency: 1,
        }
    }

    /// Asks so many questions at a time. More than the tenant's calls at a time would wait for each other, and count the wait.
    #[must_use]
    pub fn concurrency(mut self, questions: usize) -> Self {
        self.concurrency = questions.max(1);
        self
    }

    /// Asks the questions, and hands over each record as soon as it is there: in the order of the questions where one is asked
    /// at a time.
    ///
    /// # Errors
    ///
    /// Where `done` fails; questions that are under way are given up.
    pub async fn run<E>(
        &self,
        questions: impl IntoIterator<Item = Question>,
        mut done: impl FnMut(Record) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut questions = questions.into_iter();
        let mut running = JoinSet::new();
        loop {
            while running.len() < self.concurrency {
                let Some(question) = questions.next() else {
                    break;
                };
                let plugin = self.plugin.clone();
                running.spawn(async move { ask(&plugin, &question).await });
            }
            match running.join_next().await {
                None => return Ok(()),
                Some(Ok(record)) => done(record)?,
                // Nothing cancels a question, so that it can only have panicked.
                Some(Err(error)) => {
                    if let Ok(panic) = error.try_into_panic() {
                        std::panic::resume_unwind(panic);
                    }
                }
            }
        }
    }
}

/// Runs the right query, asks the question, and judges the answer.
async fn ask(plugin: &Plugin, question: &Question) -> Record {
    let right = match &question.aql {
        None => None,
        Some(aql) => match right_rows(plugin, aql).await {
            Ok(rows) => Some(rows),
            Err(reason) => {
                let judgement = Judgement::because(Verdict::GoldFailed, reason);
                return blank(plugin, question, judgement);
            }
        },
    };
    let request = QuestionRequest {
        text: question.question.clone(),
        outputs: Outputs::ROWS,
        ..QuestionRequest::default()
    };
    let started = Instant::now();
    let outcome = plugin.question(request).await;
    let elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let limit = row_limit(plugin.settings());
    let judgement = judge(question, right.as_deref(), &outcome, limit);
    let record = Record {
        right_rows: right.map(|rows| rows.len()),
        elapsed_ms,
        ..blank(plugin, question, judgement)
    };
    match &outcome {
        Ok(answer) => answered(plugin, record, answer),
        Err(error) => failed(plugin, record, error),
    }
}

/// The rows of the query that is right: all of them, since an answer that was cut is held against the whole.
async fn right_rows(plugin: &Plugin, aql: &str) -> Result<Arc<[Value]>, String> {
    let request = QuestionRequest {
        kind: QuestionKind::Read,
        text: aql.to_owned(),
        limit: Some(u32::MAX),
        outputs: Outputs::ROWS,
        ..QuestionRequest::default()
    };
    let answer = plugin
        .question(request)
        .await
        .map_err(|error| format!("the right query failed: {error}"))?;
    if answer.truncated {
        return Err(format!(
            "the right query gives more than {} rows, which is the most that the settings allow (`max_execute_rows`); \
             let it give fewer",
            answer.row_count
        ));
    }
    serde_json::from_str(&answer.rows)
        .map_err(|error| format!("the rows of the right query are no JSON array: {error}"))
}

/// The record of a question that was not asked.
fn blank(plugin: &Plugin, question: &Question, judgement: Judgement) -> Record {
    Record {
        question: question.question.clone(),
        aql: question.aql.clone(),
        ordered: question.ordered,
        note: question.note.clone(),
        verdict: judgement.verdict,
        difference: judgement.difference,
        further_columns: judgement.further_columns,
        query: None,
        error: None,
        attempts: Vec::new(),
        warnings: Vec::new(),
        right_rows: None,
        rows: 0,
        truncated: false,
        model: plugin.model(),
        llm_calls: 0,
        input_tokens: 0,
        output_tokens: 0,
        cost: None,
        elapsed_ms: 0,
    }
}

fn answered(plugin: &Plugin, record: Record, answer: &Answer) -> Record {
    let record = Record {
        query: answer.query.clone(),
        attempts: attempts(&answer.attempts),
        warnings: answer
            .warnings
            .iter()
            .map(|warning| warning.code.clone())
            .collect(),
        rows: answer.row_count,
        truncated: answer.truncated,
        ..record
    };
    spent(plugin, record, &answer.usage)
}

fn failed(plugin: &Plugin, record: Record, error: &CallError) -> Record {
    let record = Record {
        error: Some(error.code().to_owned()),
        attempts: attempts(&error.record().attempts),
        ..record
    };
    spent(plugin, record, &error.record().usage)
}

fn attempts(attempts: &[Attempt]) -> Vec<AttemptRecord> {
    attempts
        .iter()
        .map(|attempt| AttemptRecord {
            query: attempt.query.clone(),
            refusal: attempt
                .refusal
                .as_ref()
                .map(|refusal| format!("{} (`{}`)", refusal.message, refusal.code)),
        })
        .collect()
}

fn spent(plugin: &Plugin, record: Record, usage: &Usage) -> Record {
    let (input, output) = (usage.input_tokens, usage.output_tokens);
    Record {
        llm_calls: usage.llm_calls,
        input_tokens: input,
        output_tokens: output,
        cost: plugin
            .prices()
            .map(|prices| prices.cost(input.into(), output.into())),
        ..record
    }
}
