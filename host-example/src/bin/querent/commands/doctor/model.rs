//! The model: whether it answers, and whether it can give JSON of a form that is asked for.

use std::time::Duration;

use host_example::llm::Model;
use host_example::types::llm::{Finish, Message, Request, Role};
use serde_json::Value;

use super::Report;
use crate::exit;
use crate::failure::Failure;

/// How long the model may take.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The form that is asked for.
const SCHEMA: &str = r#"{"type":"object","properties":{"ready":{"type":"boolean"}},"required":["ready"],"additionalProperties":false}"#;

/// Asks the model once. A model that is played by files is not asked: each reply is there for a question.
pub(super) async fn examine(model: &dyn Model, report: &mut Report) -> Result<(), Failure> {
    let name = model.name();
    if !name.contains(':') {
        return failed(
            report,
            &format!("no model is configured ({name})"),
            "set `name` in `[model]`, or QUERENT_MODEL; without one, `read`, `schema` and `doctor` still work",
        );
    }
    if name.starts_with("scripted:") || name.starts_with("exchange:") {
        report.pass(
            "model",
            &format!("{name} is played from files, and was not asked"),
        );
        return Ok(());
    }
    let request = Request {
        purpose: "doctor".to_owned(),
        messages: vec![Message {
            role: Role::User,
            content: "Answer with the JSON object {\"ready\": true} and nothing else.".to_owned(),
        }],
        json_schema: Some(SCHEMA.to_owned()),
        max_output_tokens: Some(1_024),
        timeout_ms: None,
        temperature: None,
        options: Vec::new(),
    };
    let completion = match model.complete(request, TIMEOUT).await {
        Ok(completion) => completion,
        Err(error) => {
            return failed(
                report,
                &error.message,
                "check `name`, `base_url` and the key (QUERENT_API_KEY or `api_key_file`) in `[model]`",
            );
        }
    };
    let is_json = serde_json::from_str::<Value>(completion.text.trim())
        .is_ok_and(|reply| reply["ready"] == true);
    let tokens = completion
        .usage
        .map_or("no token counts".to_owned(), |usage| {
            format!(
                "{} tokens in, {} out",
                usage.input_tokens, usage.output_tokens
            )
        });
    let found = format!("{name} answers as `{}`, {tokens}", completion.model);
    if is_json {
        report.pass("model", &format!("{found}, in the form asked for"));
    } else if completion.finish == Finish::Length {
        report.warn(
            "model",
            &format!("{found}, and broke off at its limit of tokens"),
            "a model that thinks at length needs more `limits.output_tokens`",
        );
    } else {
        report.warn(
            "model",
            &format!("{found}, but not with the JSON object that was asked for"),
            "replies are read tolerantly; a model with structured output needs fewer attempts",
        );
    }
    Ok(())
}

fn failed(report: &mut Report, found: &str, advice: &str) -> Result<(), Failure> {
    report.fail("model", found, advice);
    Err(Failure::Examined {
        code: exit::code(host_example::types::ErrorKind::Model),
        sentence: found.to_owned(),
    })
}
