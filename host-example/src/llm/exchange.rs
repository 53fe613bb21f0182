//! Prompts and replies as files: for tests, for a person who plays the model, for offline evaluation.
//!
//! Each prompt becomes `NNNN.request.json` in the folder, and the reply is read from `NNNN.reply.json` beside it, within the
//! request's time. Files appear whole: they are written under another name and then given theirs. Write replies in the same way,
//! or in one go; a reply that is not JSON yet is read again.
//!
//! ```json
//! {"purpose": "write-query", "messages": [{"role": "user", "content": "…"}], "schema": {}, "max_output_tokens": 1024}
//! {"text": "…", "usage": {"input_tokens": 812, "output_tokens": 40}}
//! ```

use std::io::ErrorKind as IoKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::fs;

use super::{Model, ModelSetupError, error};
use crate::BoxFuture;
use crate::types::llm::{Completion, Error, ErrorKind, Finish, Request, Role, Usage};

/// How often the folder is looked into. A file is found a few milliseconds after it appears, and looking costs microseconds.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The largest reply that is read.
const REPLY_BYTES: u64 = 16 << 20;

/// A model that is someone else with access to a folder.
#[derive(Debug)]
pub struct Exchange {
    folder: PathBuf,
    next: AtomicU32,
}

/// The text of a reply may be anything; an object stands for its JSON text. Usage that cannot be read counts as none given.
#[derive(Deserialize)]
struct Reply {
    text: Value,
    usage: Option<Value>,
}

/// What stands in a reply's place.
enum Found {
    /// Nothing, or what may be a file that is still being written, with the reason why it cannot be read.
    NotYet(Option<String>),
    /// Whole JSON that is no reply, with the reason: it will not become one.
    Unusable(String),
    /// A reply.
    Reply(Reply),
}

#[derive(Deserialize)]
struct ReplyUsage {
    input_tokens: u32,
    output_tokens: u32,
}

impl Exchange {
    /// Uses a folder, and makes it where it is not there.
    ///
    /// # Errors
    ///
    /// Where it cannot be made or read.
    pub fn new(folder: &Path) -> Result<Self, ModelSetupError> {
        let refused = |error: std::io::Error| ModelSetupError::File {
            path: folder.to_owned(),
            reason: error.to_string(),
        };
        std::fs::create_dir_all(folder).map_err(refused)?;
        let mut last = 0;
        for entry in std::fs::read_dir(folder).map_err(refused)? {
            let name = entry.map_err(refused)?.file_name();
            // Replies may lie ready before their prompts are written: the prompts alone count.
            let number = name
                .to_str()
                .and_then(|name| name.strip_suffix(".request.json"))
                .and_then(|number| number.parse().ok());
            last = last.max(number.unwrap_or(0));
        }
        Ok(Self {
            folder: folder.to_owned(),
            next: AtomicU32::new(last + 1),
        })
    }

    async fn exchange(&self, request: &Request, timeout: Duration) -> Result<Completion, Error> {
        let started = Instant::now();
        let number = self.write(request).await.map_err(|reason| {
            let message = format!(
                "the prompt cannot be written to `{}`: {reason}",
                self.folder.display()
            );
            error(ErrorKind::Unavailable, "exchange-write", message)
        })?;
        let path = self.folder.join(format!("{number:04}.reply.json"));
        let mut unread = String::new();
        while started.elapsed() < timeout {
            match read(&path).await {
                Found::Reply(reply) => return Ok(self.completion(reply)),
                Found::NotYet(None) => {}
                Found::NotYet(Some(reason)) => unread = format!(": {reason}"),
                Found::Unusable(reason) => {
                    let message =
                        format!("the reply in `{}` cannot be used: {reason}", path.display());
                    return Err(error(ErrorKind::Other, "exchange-reply", message));
                }
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
        let message = format!(
            "no reply in `{}` within {} ms{unread}",
            path.display(),
            timeout.as_millis()
        );
        Err(error(ErrorKind::Timeout, "exchange-timeout", message))
    }

    /// Writes the prompt under the next free number, which another process may have taken meanwhile.
    async fn write(&self, request: &Request) -> std::io::Result<u32> {
        let text = format!("{:#}\n", request_json(request));
        let draft = self.folder.join(format!(
            ".draft-{}-{}",
            std::process::id(),
            self.next.load(Ordering::Relaxed)
        ));
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let draft = draft.with_extension(number.to_string());
            fs::write(&draft, &text).await?;
            // A link fails where the name is taken, a rename would replace what is there.
            let linked = fs::hard_link(
                &draft,
                self.folder.join(format!("{number:04}.request.json")),
            )
            .await;
            fs::remove_file(&draft).await?;
            match linked {
                Ok(()) => return Ok(number),
                Err(error) if error.kind() == IoKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn completion(&self, reply: Reply) -> Completion {
        let text = match reply.text {
            Value::String(text) => text,
            other => other.to_string(),
        };
        let usage = reply
            .usage
            .and_then(|usage| ReplyUsage::deserialize(usage).ok());
        let usage = usage.map(|usage| Usage {
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            cached_input_tokens: None,
        });
        Completion {
            text,
            finish: Finish::Stop,
            model: self.name(),
            usage,
            elapsed_ms: None,
            details: Vec::new(),
        }
    }
}

fn request_json(request: &Request) -> Value {
    let messages: Vec<Value> = request
        .messages
        .iter()
        .map(|message| json!({"role": role(message.role), "content": message.content}))
        .collect();
    let schema = request
        .json_schema
        .as_deref()
        .map(|text| serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned())));
    json!({
        "purpose": request.purpose,
        "messages": messages,
        "schema": schema,
        "max_output_tokens": request.max_output_tokens,
        "temperature": request.temperature,
    })
}

fn role(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}

/// What stands in a reply's place by now.
async fn read(path: &Path) -> Found {
    match fs::metadata(path).await {
        Ok(metadata) if metadata.len() > REPLY_BYTES => {
            return Found::Unusable(format!("it has more than {REPLY_BYTES} bytes"));
        }
        Ok(_) => {}
        Err(error) if error.kind() == IoKind::NotFound => return Found::NotYet(None),
        Err(error) => return Found::NotYet(Some(error.to_string())),
    }
    let bytes = match fs::read(path).await {
        Ok(bytes) => bytes,
        Err(error) => return Found::NotYet(Some(error.to_string())),
    };
    // Some editors put a mark in front.
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    let value: Value = match serde_json::from_slice(text) {
        Ok(value) => value,
        Err(error) => return Found::NotYet(Some(format!("it is not JSON: {error}"))),
    };
    match Reply::deserialize(value) {
        Ok(reply) => Found::Reply(reply),
        Err(error) => Found::Unusable(format!("{error}; write {{\"text\": \"…\"}}")),
    }
}

impl Model for Exchange {
    fn name(&self) -> String {
        format!("exchange:{}", self.folder.display())
    }

    fn complete(
        &self,
        request: Request,
        timeout: Duration,
    ) -> BoxFuture<'_, Result<Completion, Error>> {
        Box::pin(async move { self.exchange(&request, timeout).await })
    }
}
