//! Answers in words: a second call to the model, over the rows.

use end_to_end::{Replies, Stage, StageOptions, read, reply};
use host_example::Limits;
use host_example::types::{Outcome, Outputs, QuestionRequest};
use serde_json::json;

const QUERY: &str = "FOR b IN books FILTER b.genre == 'poetry' SORT b._key LIMIT 12 RETURN b.title";

/// A question that wants the rows and an answer in words.
fn in_words(question: &str) -> QuestionRequest {
    QuestionRequest {
        outputs: Outputs::ROWS | Outputs::PROSE,
        ..QuestionRequest::from(question)
    }
}

#[tokio::test]
async fn the_rows_are_told_in_words_by_a_second_call_and_stand_exact_beside_them() {
    let stage = Stage::with_settings(
        json!({"prose": {"top_k": 2}}),
        [reply(QUERY), "Es sind vor allem zwei.".to_owned()],
    )
    .await;
    let answer = stage
        .plugin
        .question(in_words("Welche Gedichte gibt es?"))
        .await
        .unwrap();
    assert_eq!(answer.prose.as_deref(), Some("Es sind vor allem zwei."));
    assert_eq!((answer.outcome, answer.usage.llm_calls), (Outcome::Rows, 2));
    let rows: Vec<String> = serde_json::from_str(&answer.rows).unwrap();
    assert!(rows.len() > 2, "{rows:?}");
    let requests = stage.model.requests();
    assert_eq!(requests[1].purpose, "write-answer");
    let prompt = &requests[1].messages.last().unwrap().content;
    assert!(
        prompt.contains(&rows[0]) && prompt.contains(&rows[1]),
        "{prompt}"
    );
    assert!(!prompt.contains(&rows[2]), "{prompt}");
    assert!(prompt.contains("Only the first 2 are shown"), "{prompt}");
    stage.finish().await;
}

#[tokio::test]
async fn no_rows_are_told_as_no_rows() {
    let query = "FOR b IN books FILTER b.genre == 'none such' RETURN b.title";
    let stage = Stage::with_replies([reply(query), "Nothing was found.".to_owned()]).await;
    let answer = stage.plugin.question(in_words("any?")).await.unwrap();
    assert_eq!(answer.prose.as_deref(), Some("Nothing was found."));
    assert!(stage.model.prompts().contains("The query gave no row."));
    stage.finish().await;
}

#[tokio::test]
async fn words_of_the_first_call_are_the_answer_in_words() {
    let words = json!({"isValid": false, "query": "I know about books only."}).to_string();
    let stage = Stage::with_replies([words]).await;
    let answer = stage
        .plugin
        .question(in_words("the weather?"))
        .await
        .unwrap();
    assert_eq!(answer.prose.as_deref(), Some("I know about books only."));
    assert_eq!(answer.usage.llm_calls, 1);
    stage.finish().await;
}

#[tokio::test]
async fn a_model_that_fails_the_second_time_costs_the_words_alone() {
    let stage = Stage::with_replies([reply(QUERY)]).await;
    let answer = stage.plugin.question(in_words("poetry?")).await.unwrap();
    assert_eq!(answer.prose, None);
    assert!(answer.row_count > 2);
    assert_eq!(answer.warnings.last().unwrap().code, "prose-not-made");
    stage.finish().await;
}

#[tokio::test]
async fn a_host_that_refuses_the_purpose_keeps_rows_from_every_model() {
    let options = StageOptions {
        limits: Limits {
            refused_purposes: vec!["write-answer".into()],
            ..Limits::default()
        },
        ..StageOptions::default()
    };
    let stage = Stage::set(options, Replies::new([reply(QUERY), "words".to_owned()])).await;
    let answer = stage.plugin.question(in_words("poetry?")).await.unwrap();
    assert_eq!(
        (answer.prose.as_deref(), stage.model.requests().len()),
        (None, 1)
    );
    let warning = answer.warnings.last().unwrap();
    assert_eq!(warning.code, "prose-not-made");
    assert!(
        warning.message.contains("refused_purposes"),
        "{}",
        warning.message
    );
    stage.finish().await;
}

#[tokio::test]
async fn a_query_of_the_callers_asks_no_model_and_says_so() {
    let stage = Stage::with_replies(["words"]).await;
    let answer = stage
        .plugin
        .question(QuestionRequest {
            outputs: Outputs::PROSE,
            ..read("RETURN 1")
        })
        .await
        .unwrap();
    assert_eq!((answer.prose.as_deref(), answer.usage.llm_calls), (None, 0));
    assert_eq!(answer.warnings.last().unwrap().code, "prose-not-made");
    stage.finish().await;
}
