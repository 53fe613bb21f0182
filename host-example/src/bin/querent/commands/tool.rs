//! `querent tool`: one of the agent's tools, with JSON in and out.

use crate::cli::Global;
use crate::failure::Failure;
use crate::{output, session};

/// Calls the tool, and prints what it returns.
pub(crate) async fn run(global: &Global, name: &str, arguments: String) -> Result<(), Failure> {
    let plugin = session::plugin(global).await?;
    output::print(&output::with_line_end(
        &plugin.invoke(name, arguments).await?,
    ))
}
