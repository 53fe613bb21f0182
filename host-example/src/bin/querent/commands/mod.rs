//! One file a command.

mod aql;
mod ask;
mod audit;
mod demo;
mod embedded;
mod schema;
mod tool;

use host_example::types::QuestionKind;

use crate::cli::{Cli, Command};
use crate::failure::Failure;

/// Does what was typed.
pub(crate) async fn run(cli: Cli) -> Result<(), Failure> {
    let global = &cli.global;
    match cli.command {
        Command::Demo { question, json } => demo::run(global, question, json).await,
        Command::Ask {
            question,
            output,
            limit,
        } => ask::run(global, QuestionKind::Ask, question, None, output, limit).await,
        Command::Read {
            query,
            output,
            limit,
        } => {
            ask::run(
                global,
                QuestionKind::Read,
                query.aql,
                query.bind,
                output,
                limit,
            )
            .await
        }
        Command::Execute {
            query,
            output,
            limit,
        } => {
            ask::run(
                global,
                QuestionKind::Execute,
                query.aql,
                query.bind,
                output,
                limit,
            )
            .await
        }
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
        Command::Audit { file, json } => audit::run(&file, json),
    }
}
