//! The loop: ask, read, judge, and ask again with the reason.

use super::prompt::{self, Asked, message};
use super::reply::{self, Reply};
use crate::arango::{Client, DatabaseError};
use crate::ask::{Attempt, Error, ErrorKind, Notice, Result};
use crate::gate::{self, Passed, Refusal, RefusalKind, Rules};
use crate::outside::Outside;
use crate::ports::{Finish, LlmRequest, Message, Role};

/// The most bytes of earlier queries and reasons that a repair prompt tells, the latest first.
const MAX_REPAIR_BYTES: usize = 32 * 1024;

/// The most tokens wished for in a reply: room for thoughts and a long query.
const MAX_OUTPUT_TOKENS: u32 = 8_192;

/// What a question became.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A query that passed the gate.
    Query(Box<Passed>),
    /// The model's words: the question is not about the database.
    Words(String),
    /// The model asks back.
    Clarify(String),
}

/// The translation of one question.
pub struct Translator<'a> {
    outside: &'a Outside<'a>,
    client: &'a Client<'a>,
    rules: Rules<'a>,
    /// Rules, schema and question: in front of every request.
    first: Vec<Message>,
    attempts: Vec<Attempt>,
    assumptions: Vec<String>,
    warnings: Vec<Notice>,
    /// Why the last attempt was not used, as the error that follows where no other one does.
    last: Option<Box<Error>>,
    /// Refusals that are worth one repair only and have had it.
    told_once: Vec<&'static str>,
}

impl<'a> Translator<'a> {
    /// A translation that has not asked anything yet.
    pub fn new(
        outside: &'a Outside<'a>,
        client: &'a Client<'a>,
        rules: Rules<'a>,
        asked: &Asked<'_>,
    ) -> Translator<'a> {
        let (first, warnings) = prompt::messages(rules, asked);
        Translator {
            outside,
            client,
            rules,
            first,
            attempts: Vec::new(),
            assumptions: Vec::new(),
            warnings,
            last: None,
            told_once: Vec::new(),
        }
    }

    /// Asks until a query passes the gate or the model answers in words. `failed` is what the server said when the query of
    /// the last step ran: it counts as that attempt's refusal, and goes back to the model where a better query mends it.
    ///
    /// # Errors
    ///
    /// | kind | when |
    /// |---|---|
    /// | `query-refused` | the last attempt wrote, or broke the policy |
    /// | `query-invalid` | the last attempt was no valid query |
    /// | `model` | the last reply could not be used, code `llm-reply-…`; or the model was not reached |
    /// | `database-error` | the last query passed, and the server failed it while it ran |
    /// | `limit-exceeded`, `timeout`, `database-…` | as the server or the host answered, where no query mends it |
    ///
    /// Each carries the attempts, the last one last.
    pub fn next(&mut self, failed: Option<DatabaseError>) -> Result<Step> {
        self.step(failed).map_err(|mut error| {
            error.attempts = self.attempts.clone();
            error
        })
    }

    /// The queries tried so far, the last one last.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// What the model took for granted in the last query.
    pub fn assumptions(&self) -> &[String] {
        &self.assumptions
    }

    /// What was left out of the prompt.
    pub fn warnings(&self) -> &[Notice] {
        &self.warnings
    }

    fn step(&mut self, failed: Option<DatabaseError>) -> Result<Step> {
        if let Some(error) = failed {
            let refusal = gate::failed_run(self.rules, error);
            if let Some(attempt) = self.attempts.last_mut() {
                attempt.refusal = Some(refusal.notice.clone());
            }
            self.repairable(&refusal)?;
        }
        loop {
            let most = usize::try_from(self.rules.settings.max_attempts).unwrap_or(usize::MAX);
            if self.attempts.len() >= most {
                return Err(self.exhausted());
            }
            let completion = self.outside.complete(&self.request())?;
            if completion.finish == Finish::ContentFilter {
                return Err(Error::new(
                    ErrorKind::Model,
                    "llm-content-filter",
                    "the model's provider stopped the reply by its content filter; ask in other words",
                ));
            }
            match reply::read(&completion.text, completion.finish == Finish::Length) {
                Ok(Reply::Words(words)) => return Ok(Step::Words(words)),
                Ok(Reply::Clarify(question)) => return Ok(Step::Clarify(question)),
                Ok(Reply::Query { query, assumptions }) => {
                    if let Some(passed) = self.judge(query, assumptions)? {
                        return Ok(Step::Query(passed));
                    }
                }
                Err(unusable) => self.unusable(&unusable)?,
            }
        }
    }

    /// Judges a query; `None` where it goes back to the model.
    fn judge(&mut self, query: String, assumptions: Vec<String>) -> Result<Option<Box<Passed>>> {
        let judged = gate::read(self.client, self.rules, &query, "{}");
        let mut attempt = Attempt {
            query,
            refusal: None,
        };
        let judged = match judged {
            Ok(judged) => judged,
            Err(error) => {
                attempt.refusal = Some(Notice::new(error.code.clone(), error.message.clone()));
                self.attempts.push(attempt);
                return Err(error);
            }
        };
        match judged {
            Ok(passed) => {
                self.attempts.push(attempt);
                self.assumptions = assumptions;
                Ok(Some(Box::new(passed)))
            }
            Err(refusal) => {
                attempt.refusal = Some(refusal.notice.clone());
                self.attempts.push(attempt);
                self.repairable(&refusal)?;
                Ok(None)
            }
        }
    }

    /// Goes on where another query may do better, and else ends with the refusal as an error.
    fn repairable(&mut self, refusal: &Refusal) -> Result<()> {
        let error = refusal.to_error();
        if !refusal.repairable {
            return Err(error);
        }
        if refusal.kind == RefusalKind::Writes {
            self.once("writes", &error)?;
        }
        if refusal.once {
            self.once("limits", &error)?;
        }
        self.last = Some(error);
        Ok(())
    }

    fn unusable(&mut self, unusable: &reply::Unusable) -> Result<()> {
        let error = Error::new(
            ErrorKind::Model,
            unusable.code,
            format!("the model's reply cannot be used: {}", unusable.message),
        );
        self.attempts.push(Attempt {
            query: String::new(),
            refusal: Some(Notice::new(unusable.code, error.message.clone())),
        });
        if unusable.code == "llm-reply-truncated" {
            self.once(unusable.code, &error)?;
        }
        self.last = Some(error);
        Ok(())
    }

    /// Ends where this was told before.
    fn once(&mut self, what: &'static str, error: &Error) -> Result<()> {
        if self.told_once.contains(&what) {
            return Err(Box::new(error.clone()));
        }
        self.told_once.push(what);
        Ok(())
    }

    fn exhausted(&mut self) -> Box<Error> {
        let count = self.attempts.len();
        match self.last.take() {
            Some(mut error) => {
                error.message = format!(
                    "none of {count} attempts gave a query to run; of the last: {}",
                    error.message
                );
                error
            }
            None => Error::new(ErrorKind::Internal, "no-attempt", "no query was asked for"),
        }
    }

    fn request(&self) -> LlmRequest {
        let mut messages = self.first.clone();
        messages.extend(self.repairs());
        LlmRequest {
            purpose: if self.attempts.is_empty() {
                "write-query"
            } else {
                "repair-query"
            },
            messages,
            json_schema: Some(prompt::REPLY_SCHEMA.into()),
            max_output_tokens: Some(MAX_OUTPUT_TOKENS),
            timeout_ms: None,
            temperature: None,
        }
    }

    /// The attempts as a conversation: each query as the reply it was, and why it was not used. The latest are kept.
    fn repairs(&self) -> Vec<Message> {
        let mut room = MAX_REPAIR_BYTES;
        let mut latest_first = Vec::new();
        for (at, attempt) in self.attempts.iter().enumerate().rev() {
            let Some(notice) = &attempt.refusal else {
                continue;
            };
            let earlier = self
                .attempts
                .iter()
                .take(at)
                .any(|earlier| earlier.query == attempt.query);
            let reason = reason(&attempt.query, notice, earlier);
            let reply = prompt::as_reply(&attempt.query);
            let size = reason.len().saturating_add(reply.len());
            if size > room && !latest_first.is_empty() {
                break;
            }
            room = room.saturating_sub(size);
            latest_first.push(message(Role::User, reason));
            if !attempt.query.is_empty() && size <= MAX_REPAIR_BYTES {
                latest_first.push(message(Role::Assistant, reply));
            }
        }
        latest_first.reverse();
        latest_first
    }
}

/// Why a reply was not used, for the model. The reason may quote names and the query, so it stands as a JSON string.
fn reason(query: &str, notice: &Notice, repeated: bool) -> String {
    let why = crate::json::quote(&notice.message);
    if query.is_empty() {
        return format!(
            "That reply was not used. The reason, as a JSON string: {why}\nAnswer the same question again, with exactly one JSON object of the form asked for and nothing else."
        );
    }
    let again = if repeated {
        " It is the same query as before; write another one."
    } else {
        ""
    };
    format!(
        "That query was not used.{again} The reason, as a JSON string: {why}\nWrite a query for the same question that mends this. Answer with exactly one JSON object of the form asked for and nothing else."
    )
}
