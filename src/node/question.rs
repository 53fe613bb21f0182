//! `ask` and `read`: a question of a person's, and a query of a program's. Both pass every gate and run in a read-only
//! transaction.

use crate::arango::{Client, Rows};
use crate::ask::{Answer, Attempt, Error, Notice, Outcome, QuestionRequest, Result};
use crate::gate::{self, Author, Passed};
use crate::outside::Outside;
use crate::translate::prose::{self, Excerpt};
use crate::translate::{Asked, Step, Translator};

use super::{Node, input, lanes};

/// The name of the detail that says how far a failed call came.
pub(super) const STAGE: &str = "stage";

/// The value of [`STAGE`] where a query passed every gate and then failed: a JSON text.
pub(super) const STAGE_RUN: &str = "\"run\"";

/// Translates a question, runs the query, and answers.
pub(super) fn ask(node: &Node, outside: &Outside<'_>, request: &QuestionRequest) -> Result<Answer> {
    let settings = node.settings();
    input::question(&request.text, settings)?;
    let options = input::options(&request.options)?;
    let limit = input::limit(request.limit, settings);
    let client = Client::new(outside, settings);
    let asked = Asked {
        question: &request.text,
        limit,
        history: &request.history,
        today: options.today,
        time_zone: options.time_zone,
    };
    let mut translator = Translator::new(outside, &client, node.rules(Author::Model), &asked);
    let mut failed = None;
    let mut excerpt = None;
    let mut answer = loop {
        let was_run = failed.is_some();
        let before = translator.attempts().len();
        let step = translator.next(failed.take()).map_err(|error| {
            // No further query was tried: it is the run that failed.
            if was_run && error.attempts.len() == before {
                at_run(error)
            } else {
                error
            }
        })?;
        match step {
            Step::Words(words) => break lanes::words(Outcome::Words, &words, request.outputs),
            Step::Clarify(words) => break lanes::words(Outcome::Clarify, &words, request.outputs),
            Step::Query(passed) => match client.read(&passed.query, limit) {
                Ok(Ok(rows)) => {
                    if request.outputs.prose {
                        excerpt = Some(Excerpt::of(&rows.rows, rows.more, settings));
                    }
                    break found(&passed, rows, request);
                }
                Ok(Err(error)) => failed = Some(error),
                Err(mut error) => {
                    error.attempts = translator.attempts().to_vec();
                    return Err(at_run(error));
                }
            },
        }
    };
    answer.attempts = translator.attempts().to_vec();
    if answer.outcome == Outcome::Rows {
        answer.assumptions = translator.assumptions().to_vec();
    }
    prepend(&mut answer.warnings, translator.warnings().to_vec());
    prepend(&mut answer.warnings, options.warnings);
    add_prose(outside, &asked, excerpt.as_ref(), &mut answer);
    Ok(answer)
}

/// Runs a caller's own query, if it only reads.
pub(super) fn read(
    node: &Node,
    outside: &Outside<'_>,
    request: &QuestionRequest,
) -> Result<Answer> {
    let settings = node.settings();
    input::query(&request.text, settings)?;
    let bind_vars = input::bind_vars(request.bind_vars.as_deref())?;
    let options = input::options(&request.options)?;
    let client = Client::new(outside, settings);
    let mut attempt = Attempt {
        query: request.text.clone(),
        refusal: None,
    };
    let tried = |mut error: Box<Error>, attempt: Attempt| {
        error.attempts = vec![attempt];
        error
    };
    let passed = match gate::read(
        &client,
        node.rules(Author::Caller),
        &request.text,
        &bind_vars,
    ) {
        Ok(Ok(passed)) => passed,
        Ok(Err(refusal)) => {
            attempt.refusal = Some(refusal.notice.clone());
            return Err(tried(refusal.to_error(), attempt));
        }
        Err(error) => return Err(tried(error, attempt)),
    };
    let rows = match client.read(&passed.query, input::limit(request.limit, settings)) {
        Ok(Ok(rows)) => rows,
        Ok(Err(error)) => {
            let refusal = gate::failed_run(node.rules(Author::Caller), error);
            attempt.refusal = Some(refusal.notice.clone());
            return Err(at_run(tried(refusal.to_error(), attempt)));
        }
        Err(error) => return Err(at_run(tried(error, attempt))),
    };
    let mut answer = found(&passed, rows, request);
    answer.attempts = vec![attempt];
    prepend(&mut answer.warnings, options.warnings);
    Ok(answer)
}

/// The answer to a query that passed and ran.
fn found(passed: &Passed, rows: Rows, request: &QuestionRequest) -> Answer {
    let reached = passed.limit_reached(rows.rows.len(), rows.more);
    let mut answer = lanes::rows(rows, request.outputs);
    answer.query = Some(passed.query.text().into());
    answer.bind_vars = Some(passed.query.bind_vars().into());
    prepend(&mut answer.warnings, passed.warnings.clone());
    answer.warnings.extend(reached);
    answer
        .details
        .push(("plan".into(), passed.summary.to_json()));
    answer
}

/// Puts what was noticed first in front. What the server warns of while planning it warns of again when it runs: once is
/// enough.
fn prepend(notices: &mut Vec<Notice>, mut first: Vec<Notice>) {
    notices.retain(|notice| !first.contains(notice));
    first.append(notices);
    *notices = first;
}

fn at_run(error: Box<Error>) -> Box<Error> {
    error.with_detail(STAGE, STAGE_RUN.into())
}

/// Asks for the answer in words, where one is wanted.
fn add_prose(
    outside: &Outside<'_>,
    asked: &Asked<'_>,
    excerpt: Option<&Excerpt>,
    answer: &mut Answer,
) {
    let Some(excerpt) = excerpt else { return };
    let query = answer.query.as_deref().unwrap_or_default();
    let prose = prose::write(outside, asked, query, excerpt);
    answer.prose = prose.words;
    answer.warnings.extend(prose.warning);
}
