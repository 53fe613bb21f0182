//! `aql`: a question translated, its query shown to read, and not run.

use crate::arango::Client;
use crate::ask::{AqlAnswer, AqlReply, AqlRequest, Result, Usage};
use crate::gate::Author;
use crate::outside::Outside;
use crate::translate::{Asked, Step, Translator};

use super::{Node, input};

/// Translates a question.
pub(super) fn aql(node: &Node, outside: &Outside<'_>, request: &AqlRequest) -> Result<AqlAnswer> {
    let settings = node.settings();
    input::question(&request.question, settings)?;
    let options = input::options(&request.options)?;
    let client = Client::new(outside, settings);
    let asked = Asked {
        question: &request.question,
        limit: input::limit(request.limit, settings),
        history: &request.history,
        today: options.today,
        time_zone: options.time_zone,
    };
    let mut translator = Translator::new(outside, &client, node.rules(Author::Model), &asked);
    let step = translator.next(None)?;
    let mut warnings = options.warnings;
    warnings.extend(translator.warnings().iter().cloned());
    let mut plan = None;
    let mut assumptions = Vec::new();
    let reply = match step {
        Step::Query(passed) => {
            warnings.extend(passed.warnings.iter().cloned());
            plan = request.plan.then(|| passed.summary.to_json());
            assumptions = translator.assumptions().to_vec();
            AqlReply::Query(passed.query.text().into())
        }
        Step::Words(words) => AqlReply::Words(words),
        Step::Clarify(words) => AqlReply::Clarify(words),
    };
    Ok(AqlAnswer {
        reply,
        plan,
        assumptions,
        attempts: translator.attempts().to_vec(),
        warnings,
        usage: Usage::default(),
        details: Vec::new(),
    })
}
