use std::path::PathBuf;

use super::*;

/// A record of a question with this verdict, whose first query ran.
pub(in crate::eval) fn record(question: &str, verdict: Verdict) -> Record {
    Record {
        question: question.to_owned(),
        aql: Some("RETURN 1".to_owned()),
        ordered: false,
        note: None,
        verdict,
        difference: None,
        further_columns: 0,
        query: Some("RETURN 1".to_owned()),
        error: None,
        attempts: vec![AttemptRecord {
            query: "RETURN 1".to_owned(),
            refusal: None,
        }],
        warnings: Vec::new(),
        right_rows: Some(1),
        rows: 1,
        truncated: false,
        model: "stub".to_owned(),
        llm_calls: 1,
        input_tokens: 0,
        output_tokens: 0,
        cost: None,
        elapsed_ms: 1,
    }
}

/// A file of this test's own, not there yet.
fn path(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("querent-{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

#[test]
fn what_is_written_is_read_again_and_the_last_record_of_a_question_counts() {
    let path = path("records");
    let (mut file, known) = RecordFile::open(&path).unwrap();
    assert!(known.is_empty());
    for (question, verdict) in [
        ("a", Verdict::Failed),
        ("b", Verdict::Wrong),
        ("a", Verdict::Right),
    ] {
        file.add(&record(question, verdict)).unwrap();
    }
    let expected = [record("b", Verdict::Wrong), record("a", Verdict::Right)];
    assert_eq!(read(&path).unwrap(), expected);
    assert_eq!(RecordFile::open(&path).unwrap().1, expected);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_line_that_was_not_written_to_its_end_is_cut_off_before_more_is_added() {
    let path = path("torn");
    let (mut file, _) = RecordFile::open(&path).unwrap();
    file.add(&record("a", Verdict::Right)).unwrap();
    let whole = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{whole}{{\"question\": \"b\", \"ve")).unwrap();
    assert_eq!(read(&path).unwrap().len(), 1);
    let (mut file, known) = RecordFile::open(&path).unwrap();
    assert_eq!(known.len(), 1);
    file.add(&record("c", Verdict::Right)).unwrap();
    assert_eq!(read(&path).unwrap().len(), 2);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_line_of_something_else_is_named_by_its_number_and_the_file_stays_as_it_is() {
    let path = path("foreign");
    std::fs::write(&path, "{\"question\": \"a\", \"aql\": null}\n").unwrap();
    let error = RecordFile::open(&path).unwrap_err().to_string();
    assert!(
        error.starts_with("line 1 of `") && error.contains("missing field `verdict`"),
        "{error}"
    );
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        "{\"question\": \"a\", \"aql\": null}\n"
    );
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_record_settles_its_own_question_unless_that_changed_or_was_not_judged() {
    let question = Question {
        question: "a".to_owned(),
        aql: Some("RETURN 1".to_owned()),
        ordered: false,
        note: Some("a note does not matter".to_owned()),
    };
    for (verdict, settles) in [
        (Verdict::Right, true),
        (Verdict::Wrong, true),
        (Verdict::Refused, true),
        (Verdict::Invalid, true),
        (Verdict::Failed, false),
        (Verdict::GoldFailed, false),
    ] {
        assert_eq!(
            record("a", verdict).settles(&question),
            settles,
            "{verdict:?}"
        );
    }
    let right = record("a", Verdict::Right);
    for changed in [
        Question {
            aql: None,
            ..question.clone()
        },
        Question {
            ordered: true,
            ..question.clone()
        },
        Question {
            question: "b".to_owned(),
            ..question
        },
    ] {
        assert!(!right.settles(&changed), "{changed:?}");
    }
}
