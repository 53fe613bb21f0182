//! Records of the contract as JSON: every field, under the contract's name in snake case, with rows and other JSON as they stand.

use std::collections::BTreeMap;

use host_example::CallError;
use host_example::types::{
    Answer, AqlAnswer, AqlReply, Attempt, ErrorKind, Notice, Outcome, Usage,
};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::session::kind_name;

#[derive(Serialize)]
struct AnswerRecord<'a> {
    outcome: &'static str,
    rows: &'a RawValue,
    row_count: u32,
    truncated: bool,
    affected_rows: Option<u32>,
    table: &'a str,
    text: &'a str,
    answers: &'a str,
    prose: Option<&'a str>,
    query: Option<&'a str>,
    bind_vars: Option<&'a RawValue>,
    assumptions: &'a [String],
    attempts: Vec<AttemptRecord<'a>>,
    warnings: Vec<NoticeRecord<'a>>,
    usage: UsageRecord,
    details: BTreeMap<&'a str, &'a RawValue>,
}

#[derive(Serialize)]
struct AqlRecord<'a> {
    valid: bool,
    query: Option<&'a str>,
    words: Option<&'a str>,
    clarify: Option<&'a str>,
    plan: Option<&'a RawValue>,
    assumptions: &'a [String],
    attempts: Vec<AttemptRecord<'a>>,
    warnings: Vec<NoticeRecord<'a>>,
    usage: UsageRecord,
    details: BTreeMap<&'a str, &'a RawValue>,
}

#[derive(Serialize)]
struct ErrorRecord<'a> {
    kind: &'static str,
    code: &'a str,
    message: &'a str,
    attempts: Vec<AttemptRecord<'a>>,
    usage: UsageRecord,
    retryable: bool,
    retry_after_ms: Option<u32>,
    details: BTreeMap<&'a str, &'a RawValue>,
}

#[derive(Serialize)]
struct NoticeRecord<'a> {
    code: &'a str,
    message: &'a str,
}

#[derive(Serialize)]
struct AttemptRecord<'a> {
    query: &'a str,
    refusal: Option<NoticeRecord<'a>>,
}

#[derive(Serialize, Default)]
struct UsageRecord {
    llm_calls: u32,
    input_tokens: u32,
    output_tokens: u32,
    http_calls: u32,
    rows_read: u32,
    bytes_read: u32,
    elapsed_ms: Option<u32>,
}

/// An answer on one line.
pub(crate) fn answer(answer: &Answer) -> serde_json::Result<String> {
    serde_json::to_string(&AnswerRecord {
        outcome: outcome(answer.outcome),
        rows: raw(&answer.rows)?,
        row_count: answer.row_count,
        truncated: answer.truncated,
        affected_rows: answer.affected_rows,
        table: &answer.table,
        text: &answer.text,
        answers: &answer.answers,
        prose: answer.prose.as_deref(),
        query: answer.query.as_deref(),
        bind_vars: answer.bind_vars.as_deref().map(raw).transpose()?,
        assumptions: &answer.assumptions,
        attempts: attempts(&answer.attempts),
        warnings: notices(&answer.warnings),
        usage: usage(&answer.usage),
        details: details(&answer.details)?,
    })
}

/// A translation on one line.
pub(crate) fn aql(answer: &AqlAnswer) -> serde_json::Result<String> {
    let (mut query, mut words, mut clarify) = (None, None, None);
    match &answer.reply {
        AqlReply::Query(text) => query = Some(text.as_str()),
        AqlReply::Words(text) => words = Some(text.as_str()),
        AqlReply::Clarify(text) => clarify = Some(text.as_str()),
    }
    serde_json::to_string(&AqlRecord {
        valid: query.is_some(),
        query,
        words,
        clarify,
        plan: answer.plan.as_deref().map(raw).transpose()?,
        assumptions: &answer.assumptions,
        attempts: attempts(&answer.attempts),
        warnings: notices(&answer.warnings),
        usage: usage(&answer.usage),
        details: details(&answer.details)?,
    })
}

/// An error on one line, as `{"error": …}`.
pub(crate) fn error(error: &CallError) -> String {
    let record = error.record();
    let known = ErrorRecord {
        kind: kind_name(record.kind),
        code: &record.code,
        message: &record.message,
        attempts: attempts(&record.attempts),
        usage: usage(&record.usage),
        retryable: record.retryable,
        retry_after_ms: record.retry_after_ms,
        // What a component calls JSON and is none is left out, so that the error itself is seen.
        details: details(&record.details).unwrap_or_default(),
    };
    serde_json::to_string(&BTreeMap::from([("error", known)])).unwrap_or_default()
}

/// A failure from before any call, in the form of a call's error.
pub(crate) fn failure(kind: ErrorKind, code: &str, message: &str) -> String {
    let known = ErrorRecord {
        kind: kind_name(kind),
        code,
        message,
        attempts: Vec::new(),
        usage: UsageRecord::default(),
        retryable: false,
        retry_after_ms: None,
        details: BTreeMap::new(),
    };
    serde_json::to_string(&BTreeMap::from([("error", known)])).unwrap_or_default()
}

fn raw(text: &str) -> serde_json::Result<&RawValue> {
    serde_json::from_str(text)
}

fn details(details: &[(String, String)]) -> serde_json::Result<BTreeMap<&str, &RawValue>> {
    details
        .iter()
        .map(|(name, json)| Ok((name.as_str(), raw(json)?)))
        .collect()
}

fn notices(notices: &[Notice]) -> Vec<NoticeRecord<'_>> {
    notices.iter().map(notice).collect()
}

fn notice(notice: &Notice) -> NoticeRecord<'_> {
    NoticeRecord {
        code: &notice.code,
        message: &notice.message,
    }
}

fn attempts(attempts: &[Attempt]) -> Vec<AttemptRecord<'_>> {
    attempts
        .iter()
        .map(|attempt| AttemptRecord {
            query: &attempt.query,
            refusal: attempt.refusal.as_ref().map(notice),
        })
        .collect()
}

fn usage(usage: &Usage) -> UsageRecord {
    UsageRecord {
        llm_calls: usage.llm_calls,
        input_tokens: usage.input_tokens,
        output_tokens: usage.output_tokens,
        http_calls: usage.http_calls,
        rows_read: usage.rows_read,
        bytes_read: usage.bytes_read,
        elapsed_ms: usage.elapsed_ms,
    }
}

fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Rows => "rows",
        Outcome::Words => "words",
        Outcome::Clarify => "clarify",
        Outcome::Affected => "affected",
        Outcome::Dialect => "dialect",
        Outcome::Other => "other",
    }
}
