//! `querent schema`: what the component knows of the database.

use serde_json::Value;

use crate::cli::Global;
use crate::failure::Failure;
use crate::{output, session};

/// Prints the schema.
pub(crate) async fn run(
    global: &Global,
    collection: Option<String>,
    json: bool,
) -> Result<(), Failure> {
    let plugin = session::plugin(global).await?;
    let schema = plugin.schema(collection.as_deref()).await?;
    print(&schema, json)
}

/// Prints a schema, on one line or indented.
pub(super) fn print(schema: &str, json: bool) -> Result<(), Failure> {
    if json {
        output::print(&output::with_line_end(schema))
    } else {
        output::print(&format!("{:#}\n", serde_json::from_str::<Value>(schema)?))
    }
}
