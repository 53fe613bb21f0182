//! `execute`: a caller's query, run as it stands, where the settings allow it.

use crate::arango::Client;
use crate::ask::{Answer, QuestionRequest, Result};
use crate::outside::Outside;

use super::{Node, RawQuery, input, lanes};

/// Runs the text without a model and without the gate.
pub(super) fn execute(
    node: &Node,
    outside: &Outside<'_>,
    request: &QuestionRequest,
) -> Result<Answer> {
    let settings = node.settings();
    input::query(&request.text, settings)?;
    let bind_vars = input::bind_vars(request.bind_vars.as_deref())?;
    let query = RawQuery::allowed(settings, &request.text, bind_vars)?;
    let done = Client::new(outside, settings)
        .raw(&query)?
        .map_err(|error| error.to_error())?;
    let mut answer = lanes::affected(done, request.outputs);
    answer.query = Some(query.text().into());
    answer.bind_vars = Some(query.bind_vars().into());
    Ok(answer)
}
