//! One file a command.

mod aql;
mod ask;
mod audit;
mod chat;
mod demo;
mod doctor;
mod embedded;
mod eval;
mod init;
mod schema;
mod tool;

use host_example::types::{Outputs, QuestionKind, QuestionRequest};

use crate::cli::{Cli, Command, Limit, Query};
use crate::failure::Failure;

/// Does what was typed.
pub(crate) async fn run(cli: Cli) -> Result<(), Failure> {
    let global = &cli.global;
    match cli.command {
        Command::Demo { question, json } => demo::run(global, question, json).await,
        Command::Ask {
            question,
            prose,
            output,
            limit,
        } => {
            let request = QuestionRequest {
                text: question,
                outputs: if prose {
                    Outputs::PROSE
                } else {
                    Outputs::empty()
                },
                limit: limit.limit,
                ..QuestionRequest::default()
            };
            ask::run(global, request, output).await
        }
        Command::Read {
            query,
            output,
            limit,
        } => ask::run(global, request(QuestionKind::Read, query, limit), output).await,
        Command::Execute {
            query,
            output,
            limit,
        } => ask::run(global, request(QuestionKind::Execute, query, limit), output).await,
        Command::Aql {
            question,
            json,
            limit,
        } => aql::run(global, question, json, limit).await,
        Command::Schema { collection, json } => schema::run(global, collection, json).await,
        Command::Tool {
            name,
            arguments,
            json: _,
        } => tool::run(global, &name, arguments).await,
        Command::Embedded {
            listen,
            data,
            password_file,
        } => embedded::run(listen, &data, password_file).await,
        Command::Doctor { json } => doctor::run(global, json).await,
        Command::Chat { limit, prose } => chat::run(global, limit, prose).await,
        Command::Eval(arguments) => eval::run(global, arguments).await,
        Command::Init => init::run(global),
        Command::Audit { file, json } => audit::run(&file, json),
    }
}

/// A query that no model writes.
fn request(kind: QuestionKind, query: Query, limit: Limit) -> QuestionRequest {
    QuestionRequest {
        kind,
        text: query.aql,
        bind_vars: query.bind,
        limit: limit.limit,
        outputs: Outputs::empty(),
        ..QuestionRequest::default()
    }
}
