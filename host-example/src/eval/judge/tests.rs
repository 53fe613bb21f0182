use serde_json::json;

use super::*;
use crate::types::{Error, Notice, Usage};

const USAGE: Usage = Usage {
    llm_calls: 1,
    input_tokens: 0,
    output_tokens: 0,
    http_calls: 0,
    rows_read: 0,
    bytes_read: 0,
    elapsed_ms: None,
};

fn question(aql: Option<&str>) -> Question {
    Question {
        question: "?".to_owned(),
        aql: aql.map(str::to_owned),
        ordered: false,
        note: None,
    }
}

fn answer(outcome: Outcome, rows: &Value) -> Answer {
    Answer {
        outcome,
        rows: rows.to_string(),
        row_count: rows
            .as_array()
            .map_or(0, |rows| u32::try_from(rows.len()).unwrap_or(u32::MAX)),
        truncated: false,
        affected_rows: None,
        table: String::new(),
        text: "words".to_owned(),
        answers: String::new(),
        prose: None,
        query: None,
        bind_vars: None,
        assumptions: Vec::new(),
        attempts: Vec::new(),
        warnings: Vec::new(),
        usage: USAGE,
        details: Vec::new(),
    }
}

fn error(kind: ErrorKind) -> CallError {
    CallError::from_component(Error {
        kind,
        code: "code".to_owned(),
        message: "message".to_owned(),
        attempts: Vec::new(),
        usage: USAGE,
        retryable: false,
        retry_after_ms: None,
        details: Vec::new(),
    })
}

fn verdict(right: Option<Value>, outcome: Result<Answer, CallError>) -> Verdict {
    let rows = right.map(|rows| rows.as_array().expect("rows").clone());
    let question = question(rows.as_ref().map(|_| "RETURN 1"));
    judge(&question, rows.as_deref(), &outcome, 250).verdict
}

#[test]
fn where_rows_are_right_only_the_same_rows_are() {
    let right = || Some(json!([1, 2]));
    let cases = [
        (Ok(answer(Outcome::Rows, &json!([2, 1]))), Verdict::Right),
        (Ok(answer(Outcome::Rows, &json!([2, 3]))), Verdict::Wrong),
        (Ok(answer(Outcome::Words, &json!([]))), Verdict::Refused),
        (Ok(answer(Outcome::Clarify, &json!([]))), Verdict::Refused),
        (Err(error(ErrorKind::QueryRefused)), Verdict::Refused),
        (Err(error(ErrorKind::QueryInvalid)), Verdict::Invalid),
        (Err(error(ErrorKind::DatabaseError)), Verdict::Invalid),
        (Err(error(ErrorKind::Model)), Verdict::Failed),
        (Err(error(ErrorKind::Timeout)), Verdict::Failed),
        (Err(error(ErrorKind::DatabaseUnreachable)), Verdict::Failed),
    ];
    for (outcome, expected) in cases {
        let shown = format!("{outcome:?}");
        assert_eq!(verdict(right(), outcome), expected, "{shown}");
    }
}

#[test]
fn where_a_refusal_is_right_rows_and_a_question_back_are_wrong() {
    let cases = [
        (Ok(answer(Outcome::Words, &json!([]))), Verdict::Right),
        (Err(error(ErrorKind::QueryRefused)), Verdict::Right),
        (Ok(answer(Outcome::Rows, &json!([]))), Verdict::Wrong),
        (Ok(answer(Outcome::Rows, &json!([1]))), Verdict::Wrong),
        (Ok(answer(Outcome::Clarify, &json!([]))), Verdict::Wrong),
        (Err(error(ErrorKind::QueryInvalid)), Verdict::Invalid),
        (Err(error(ErrorKind::Model)), Verdict::Failed),
    ];
    for (outcome, expected) in cases {
        let shown = format!("{outcome:?}");
        assert_eq!(verdict(None, outcome), expected, "{shown}");
    }
}

#[test]
fn an_answer_that_a_limit_cut_may_have_fewer_rows_and_one_that_the_model_cut_may_not() {
    let right = || Some(json!((0..300).collect::<Vec<u32>>()));
    let some = |count: u32| answer(Outcome::Rows, &json!((0..count).collect::<Vec<u32>>()));
    let warned = |mut answer: Answer| {
        answer.warnings.push(Notice {
            code: LIMIT_IN_QUERY.to_owned(),
            message: String::new(),
        });
        answer
    };
    let mut cut = some(250);
    cut.truncated = true;
    assert_eq!(verdict(right(), Ok(cut)), Verdict::Right);
    // The model wrote LIMIT 250, as it was told that 250 rows are wanted.
    assert_eq!(verdict(right(), Ok(warned(some(250)))), Verdict::Right);
    assert_eq!(verdict(right(), Ok(warned(some(10)))), Verdict::Wrong);
    assert_eq!(verdict(right(), Ok(some(250))), Verdict::Wrong);
}

#[test]
fn the_reason_says_what_was_answered_instead() {
    let judged = judge(
        &question(Some("RETURN 1")),
        Some(&[json!(1)]),
        &Ok(answer(Outcome::Words, &json!([]))),
        250,
    );
    assert_eq!(
        judged.difference.unwrap().reason,
        "answered in words: words"
    );
    let judged = judge(
        &question(None),
        None,
        &Ok(answer(Outcome::Rows, &json!([{"a": 1}]))),
        250,
    );
    assert_eq!(judged.difference.unwrap().unexpected, [json!({"a": 1})]);
}

#[test]
fn the_limit_is_the_settings_or_the_default() {
    assert_eq!(row_limit("{\"default_limit\": 20}"), 20);
    assert_eq!(row_limit("{}"), 250);
}
