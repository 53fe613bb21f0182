//! Replies from a file: for demonstrations and tests, without a network.
//!
//! The file is a JSON array of rules. The first whose texts all stand in the user's messages, in any case of letters, and
//! whose purpose, where it has one, is the request's, gives the reply. `replies` are given in turn, the last one from then
//! on, so that one can play a wrong query and then a mended one. `usage` is what each of them is said to cost.
//!
//! ```json
//! [
//!   {"when": {"contains": ["how many", "orders"]}, "reply": {"isValid": true, "query": "RETURN LENGTH(orders)"}},
//!   {"when": {"contains": ["cheapest"], "purpose": "write-query"}, "replies": ["RETURN 1 +", "RETURN 1"]}
//! ]
//! ```

use std::path::Path;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use super::{Model, ModelSetupError, error};
use crate::BoxFuture;
use crate::types::llm::{Completion, Error, ErrorKind, Finish, Request, Role, Usage};

/// How many characters of a prompt an error shows.
const SHOWN: usize = 200;

/// A model that says what its script says.
#[derive(Debug)]
pub struct Scripted {
    name: String,
    rules: Vec<Rule>,
    /// How often each rule was used.
    used: Mutex<Vec<usize>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    when: When,
    reply: Option<Value>,
    #[serde(default)]
    replies: Vec<Value>,
    usage: Option<RuleUsage>,
}

/// What each reply of a rule is said to cost.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleUsage {
    input_tokens: u32,
    output_tokens: u32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct When {
    contains: Vec<String>,
    purpose: Option<String>,
}

impl Scripted {
    /// Reads a script.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read, is not such an array, or has a rule without a reply.
    pub fn from_file(path: &Path) -> Result<Self, ModelSetupError> {
        let text = std::fs::read_to_string(path).map_err(|error| ModelSetupError::File {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
        Self::from_json(&format!("scripted:{}", path.display()), &text).map_err(|reason| {
            ModelSetupError::Script {
                path: path.to_owned(),
                reason,
            }
        })
    }

    /// Takes a script as text, under a name for people.
    ///
    /// # Errors
    ///
    /// What is wrong with it, in words.
    pub fn from_json(name: &str, text: &str) -> Result<Self, String> {
        let rules: Vec<Rule> = serde_json::from_str(text).map_err(|error| error.to_string())?;
        for (at, rule) in rules.iter().enumerate() {
            if rule.reply.is_some() != rule.replies.is_empty() {
                return Err(format!(
                    "rule {at} needs `reply` or `replies`, and not both"
                ));
            }
        }
        let used = Mutex::new(vec![0; rules.len()]);
        Ok(Self {
            name: name.to_owned(),
            rules,
            used,
        })
    }

    fn reply(&self, request: &Request) -> Result<Completion, Error> {
        // A repair's last message tells the reason alone; the question stands in an earlier one.
        let said: Vec<&str> = request
            .messages
            .iter()
            .filter(|message| message.role == Role::User)
            .map(|message| message.content.as_str())
            .collect();
        let lower = said.join("\n").to_lowercase();
        let found = self.rules.iter().position(|rule| {
            rule.when
                .purpose
                .as_ref()
                .is_none_or(|purpose| *purpose == request.purpose)
                && rule
                    .when
                    .contains
                    .iter()
                    .all(|text| lower.contains(&text.to_lowercase()))
        });
        let rule = found.and_then(|at| Some((at, self.rules.get(at)?)));
        let Some((at, rule)) = rule else {
            let shown = end_of(said.last().copied().unwrap_or_default());
            let message = format!(
                "the script `{}` has no reply for `{}` to: {shown}",
                self.name, request.purpose
            );
            return Err(error(ErrorKind::Unavailable, "no-script", message));
        };
        let turn = {
            let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
            let turn = used.get(at).copied().unwrap_or(0);
            if let Some(count) = used.get_mut(at) {
                *count += 1;
            }
            turn
        };
        let reply = rule
            .reply
            .as_ref()
            .or_else(|| rule.replies.get(turn))
            .or_else(|| rule.replies.last());
        let text = match reply {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => String::new(),
        };
        Ok(Completion {
            text,
            finish: Finish::Stop,
            model: self.name.clone(),
            usage: rule.usage.map(|usage| Usage {
                input_tokens: usage.input_tokens,
                output_tokens: usage.output_tokens,
                cached_input_tokens: None,
            }),
            elapsed_ms: None,
            details: Vec::new(),
        })
    }
}

/// The last line of a prompt, which is where the question is, or its end where the line is long.
fn end_of(text: &str) -> String {
    let line = text.lines().next_back().unwrap_or_default();
    let skipped = line.chars().count().saturating_sub(SHOWN);
    let end: String = line.chars().skip(skipped).collect();
    if skipped > 0 {
        format!("…{end}")
    } else {
        end
    }
}

impl Model for Scripted {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn complete(
        &self,
        request: Request,
        _timeout: Duration,
    ) -> BoxFuture<'_, Result<Completion, Error>> {
        Box::pin(std::future::ready(self.reply(&request)))
    }
}
