//! The node as an agent's tools: `get_data`, `get_schema`, `get_aql`, with JSON in and out.
//!
//! What goes wrong with a question comes back as the tool's own result with an `error`, so that an agent reads it and goes
//! on. A call of the wrong form, an unknown tool and a missing `configure` are errors of the call.

mod arguments;
mod definitions;

use crate::arango::clean_to;
use crate::ask::{
    AqlReply, AqlRequest, Attempt, Error, ErrorKind, Notice, Outcome, Outputs, QuestionKind,
    QuestionRequest, Result,
};
use crate::json::{Value, Writer};
use crate::ports::{Http, Llm};

use super::question::{STAGE, STAGE_RUN};
use super::{Node, aql, configured, question};

pub use definitions::DEFINITIONS;

/// What a host that namespaces its tools puts before their names.
pub const PREFIX: &str = "arango.";

/// The most rows that a tool returns.
const MAX_ROWS: u32 = 25_000;

/// Calls a tool by its name, with or without [`PREFIX`]. The arguments and the result are JSON objects.
///
/// # Errors
///
/// `invalid-input` for an unknown tool or arguments of the wrong form, `configuration` before `configure`. Everything else
/// is a result with an `error`.
pub fn invoke(
    node: Option<&Node>,
    llm: &dyn Llm,
    http: &dyn Http,
    name: &str,
    arguments: &str,
) -> Result<String> {
    let tool = name.strip_prefix(PREFIX).unwrap_or(name);
    match tool {
        "get_data" => get_data(configured(node)?, llm, http, arguments),
        "get_schema" => get_schema(configured(node)?, arguments),
        "get_aql" => get_aql(configured(node)?, llm, http, arguments),
        _ => Err(unknown(name)),
    }
}

fn unknown(name: &str) -> Box<Error> {
    let shown = clean_to(name, 60);
    Error::new(
        ErrorKind::InvalidInput,
        "unknown-tool",
        format!("there is no tool `{shown}`; the tools are `get_data`, `get_schema` and `get_aql`"),
    )
}

fn get_data(node: &Node, llm: &dyn Llm, http: &dyn Http, arguments: &str) -> Result<String> {
    let arguments = arguments::object(arguments, false)?;
    let question_text = arguments::question(&arguments)?;
    let limit = tool_limit(node, &arguments)?;
    let request = QuestionRequest {
        kind: QuestionKind::Ask,
        text: question_text.into_owned(),
        bind_vars: None,
        limit: Some(limit),
        history: Vec::new(),
        outputs: Outputs {
            rows: true,
            text: true,
            ..Outputs::default()
        },
        options: Vec::new(),
    };
    let answer = match question(Some(node), llm, http, &request) {
        Ok(answer) => answer,
        // A query that passed every gate and failed when it ran: the shape of a run, with no rows.
        Err(error) if ran(&error) => {
            return Ok(failed(&error, "rows", "[]"));
        }
        Err(error) => return refused(error),
    };
    if matches!(answer.outcome, Outcome::Words | Outcome::Clarify) {
        return Ok(words(&answer.text));
    }
    // The rows are spliced in as the database wrote them: a detour over parsed values would lose digits and order.
    let mut result = Writer::default();
    result.begin('{');
    result.key("rows").raw(&answer.rows);
    result
        .key("aql")
        .text(answer.query.as_deref().unwrap_or_default());
    result.key("row_limit").whole(limit.into());
    result.key("truncated").bool(answer.truncated);
    sentences(&answer.warnings, &mut result);
    result.end('}');
    Ok(result.finish())
}

fn get_aql(node: &Node, llm: &dyn Llm, http: &dyn Http, arguments: &str) -> Result<String> {
    let arguments = arguments::object(arguments, false)?;
    let request = AqlRequest {
        question: arguments::question(&arguments)?.into_owned(),
        limit: Some(tool_limit(node, &arguments)?),
        history: Vec::new(),
        plan: false,
        options: Vec::new(),
    };
    let answer = match aql(Some(node), llm, http, &request) {
        Ok(answer) => answer,
        Err(error) => return refused(error),
    };
    Ok(match answer.reply {
        AqlReply::Query(query) => {
            let mut result = Writer::default();
            result.begin('{');
            result.key("aql").text(&query);
            result.key("valid").bool(true);
            sentences(&answer.warnings, &mut result);
            result.end('}');
            result.finish()
        }
        AqlReply::Words(text) | AqlReply::Clarify(text) => words(&text),
    })
}

fn get_schema(node: &Node, arguments: &str) -> Result<String> {
    let arguments = arguments::object(arguments, true)?;
    Ok(node
        .prepared
        .schema
        .tool_json(arguments::collection(&arguments)?.as_deref()))
}

/// The limit of a tool call: the tool's own maximum, and never beyond that of the settings.
fn tool_limit(node: &Node, arguments: &Value<'_>) -> Result<u32> {
    let settings = node.settings();
    arguments::limit(
        arguments,
        settings.default_limit,
        settings.max_execute_rows.min(MAX_ROWS),
    )
}

/// Whether a query passed every gate, was run, and failed then.
fn ran(error: &Error) -> bool {
    error
        .details
        .iter()
        .any(|(name, json)| name == STAGE && json == STAGE_RUN)
}

/// A failure as the tool's own result; a fault of the component's stays an error of the call.
fn refused(error: Box<Error>) -> Result<String> {
    if matches!(error.kind, ErrorKind::Internal | ErrorKind::InvalidInput) {
        return Err(error);
    }
    Ok(failed(&error, "valid", "false"))
}

/// What went wrong, with one more member, its value in JSON.
fn failed(error: &Error, name: &str, json: &str) -> String {
    let mut result = Writer::default();
    result.begin('{');
    if let Some(query) = last_query(&error.attempts) {
        result.key("aql").text(query);
    }
    result.key("code").text(&error.code);
    result.key("error").text(&error.message);
    result.key(name).raw(json);
    result.end('}');
    result.finish()
}

fn last_query(attempts: &[Attempt]) -> Option<&str> {
    attempts
        .iter()
        .rev()
        .map(|attempt| attempt.query.as_str())
        .find(|query| !query.is_empty())
}

fn words(text: &str) -> String {
    let mut result = Writer::default();
    result.begin('{');
    result.key("answer").text(text);
    result.key("valid").bool(false);
    result.end('}');
    result.finish()
}

/// The warnings as sentences, where there are any.
fn sentences(notices: &[Notice], result: &mut Writer) {
    if notices.is_empty() {
        return;
    }
    result.key("warnings").begin('[');
    for notice in notices {
        result.text(&notice.message);
    }
    result.end(']');
}
