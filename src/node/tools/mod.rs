//! The node as an agent's tools: `get_data`, `get_schema`, `get_aql`, with JSON in and out.
//!
//! What goes wrong with a question comes back as the tool's own result with an `error`, so that an agent reads it and goes
//! on. A call of the wrong form, an unknown tool and a missing `configure` are errors of the call.

mod arguments;
mod definitions;

use serde_json::{Map, Value};

use crate::ask::{
    AqlReply, AqlRequest, Attempt, Error, ErrorKind, Notice, Outcome, Outputs, QuestionKind,
    QuestionRequest, Result,
};
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
    let shown: String = name.chars().filter(|c| !c.is_control()).take(60).collect();
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
        text: question_text.into(),
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
            return Ok(failed(&error, &[("rows", Value::Array(Vec::new()))]));
        }
        Err(error) => return refused(error),
    };
    if matches!(answer.outcome, Outcome::Words | Outcome::Clarify) {
        return Ok(words(&answer.text));
    }
    // The rows are spliced in as the database wrote them: a detour over parsed values would lose digits and order.
    let mut rest = Map::new();
    rest.insert("aql".into(), answer.query.unwrap_or_default().into());
    rest.insert("row_limit".into(), limit.into());
    rest.insert("truncated".into(), answer.truncated.into());
    if !answer.warnings.is_empty() {
        rest.insert("warnings".into(), sentences(&answer.warnings));
    }
    let rest = Value::Object(rest).to_string();
    Ok(format!(
        "{{\"rows\":{},{}",
        answer.rows,
        rest.strip_prefix('{').unwrap_or_default()
    ))
}

fn get_aql(node: &Node, llm: &dyn Llm, http: &dyn Http, arguments: &str) -> Result<String> {
    let arguments = arguments::object(arguments, false)?;
    let request = AqlRequest {
        question: arguments::question(&arguments)?.into(),
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
            let mut result = Map::new();
            result.insert("aql".into(), query.into());
            result.insert("valid".into(), true.into());
            if !answer.warnings.is_empty() {
                result.insert("warnings".into(), sentences(&answer.warnings));
            }
            Value::Object(result).to_string()
        }
        AqlReply::Words(text) | AqlReply::Clarify(text) => words(&text),
    })
}

fn get_schema(node: &Node, arguments: &str) -> Result<String> {
    let arguments = arguments::object(arguments, true)?;
    Ok(node
        .prepared
        .schema
        .tool_json(arguments::collection(&arguments)?))
}

/// The limit of a tool call: the tool's own maximum, and never beyond that of the settings.
fn tool_limit(node: &Node, arguments: &Map<String, Value>) -> Result<u32> {
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
    Ok(failed(&error, &[("valid", false.into())]))
}

fn failed(error: &Error, more: &[(&str, Value)]) -> String {
    let mut result = Map::new();
    result.insert("error".into(), error.message.clone().into());
    result.insert("code".into(), error.code.clone().into());
    if let Some(query) = last_query(&error.attempts) {
        result.insert("aql".into(), query.into());
    }
    for (name, value) in more {
        result.insert((*name).into(), value.clone());
    }
    Value::Object(result).to_string()
}

fn last_query(attempts: &[Attempt]) -> Option<&str> {
    attempts
        .iter()
        .rev()
        .map(|attempt| attempt.query.as_str())
        .find(|query| !query.is_empty())
}

fn words(text: &str) -> String {
    let mut result = Map::new();
    result.insert("answer".into(), text.into());
    result.insert("valid".into(), false.into());
    Value::Object(result).to_string()
}

fn sentences(notices: &[Notice]) -> Value {
    notices
        .iter()
        .map(|notice| Value::from(notice.message.clone()))
        .collect()
}
