//! `querent ask`, `read` and `execute`: one question or query, and its rows.

use host_example::Spent;
use host_example::types::{Outputs, QuestionRequest};

use crate::cli::{Global, Output};
use crate::failure::Failure;
use crate::{output, session};

/// Asks, and prints the answer. The form of the output decides which outputs are made beside those that the request names.
pub(crate) async fn run(
    global: &Global,
    mut request: QuestionRequest,
    output: Output,
) -> Result<(), Failure> {
    request.outputs |= if output.csv || output.jsonl {
        Outputs::ROWS | Outputs::TEXT
    } else if output.json {
        Outputs::ROWS | Outputs::TABLE | Outputs::TEXT | Outputs::ANSWERS
    } else {
        Outputs::TABLE | Outputs::TEXT
    };
    let plugin = session::plugin(global).await?;
    match plugin.question(request).await {
        Ok(answer) => {
            output::answer(&answer, output)?;
            output::spent(&Spent::of(&answer.usage, plugin.prices()));
            Ok(())
        }
        Err(error) => {
            // A single attempt's refusal is the error itself.
            if !output.json && error.record().attempts.len() > 1 {
                output::attempts(&error.record().attempts);
            }
            output::spent(&Spent::of(&error.record().usage, plugin.prices()));
            Err(error.into())
        }
    }
}
