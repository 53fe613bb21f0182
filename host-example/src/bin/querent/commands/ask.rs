//! `querent ask`, `read` and `execute`: one question or query, and its rows.

use host_example::types::{Outputs, QuestionKind, QuestionRequest};

use crate::cli::{Global, Limit, Output};
use crate::failure::Failure;
use crate::{output, session};

/// Asks, and prints the answer.
pub(crate) async fn run(
    global: &Global,
    kind: QuestionKind,
    text: String,
    bind_vars: Option<String>,
    output: Output,
    limit: Limit,
) -> Result<(), Failure> {
    let outputs = if output.csv || output.jsonl {
        Outputs::ROWS | Outputs::TEXT
    } else if output.json {
        Outputs::ROWS | Outputs::TABLE | Outputs::TEXT | Outputs::ANSWERS
    } else {
        Outputs::TABLE | Outputs::TEXT
    };
    let plugin = session::plugin(global).await?;
    let request = QuestionRequest {
        kind,
        text,
        bind_vars,
        limit: limit.limit,
        outputs,
        ..QuestionRequest::default()
    };
    match plugin.question(request).await {
        Ok(answer) => output::answer(&answer, output),
        Err(error) => {
            // A single attempt's refusal is the error itself.
            if !output.json && error.record().attempts.len() > 1 {
                output::attempts(&error.record().attempts);
            }
            Err(error.into())
        }
    }
}
