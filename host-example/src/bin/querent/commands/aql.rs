//! `querent aql`: a question as a query that passed every gate, not run.

use host_example::Spent;
use host_example::types::{AqlAnswer, AqlReply, AqlRequest};

use crate::cli::{Global, Limit};
use crate::failure::Failure;
use crate::{output, session};

/// Translates, and prints the query, or the model's words.
pub(crate) async fn run(
    global: &Global,
    question: String,
    json: bool,
    limit: Limit,
) -> Result<(), Failure> {
    let plugin = session::plugin(global).await?;
    let request = AqlRequest {
        question,
        limit: limit.limit,
        plan: json,
        ..AqlRequest::default()
    };
    let answer = match plugin.aql(request).await {
        Ok(answer) => answer,
        Err(error) => {
            if !json {
                output::attempts(&error.record().attempts);
            }
            output::spent(&Spent::of(&error.record().usage, plugin.prices()));
            return Err(error.into());
        }
    };
    output::spent(&Spent::of(&answer.usage, plugin.prices()));
    if json {
        return output::print(&(output::record::aql(&answer)? + "\n"));
    }
    print(&answer)
}

/// Prints the query or the words, and what a person wants to know beside it.
pub(super) fn print(answer: &AqlAnswer) -> Result<(), Failure> {
    output::attempts(&answer.attempts);
    for assumption in &answer.assumptions {
        eprintln!("assumed: {assumption}");
    }
    output::notices(&answer.warnings);
    match &answer.reply {
        AqlReply::Query(text) | AqlReply::Words(text) | AqlReply::Clarify(text) => {
            output::print(&output::with_line_end(text))
        }
    }
}
