//! A model that replies what a test says, in order.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use host_example::BoxFuture;
use host_example::llm::Model;
use host_example::types::llm::{Completion, Error, ErrorKind, Finish, Request, Usage};

/// Replies in order, and the requests that they answered.
#[derive(Clone, Default)]
pub struct Replies {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    replies: VecDeque<String>,
    requests: Vec<Request>,
}

impl Replies {
    /// These replies, the first one first.
    pub fn new<S: Into<String>>(replies: impl IntoIterator<Item = S>) -> Replies {
        let model = Replies::default();
        model.then(replies);
        model
    }

    /// Adds replies after those that are left.
    pub fn then<S: Into<String>>(&self, replies: impl IntoIterator<Item = S>) {
        self.inner
            .lock()
            .unwrap()
            .replies
            .extend(replies.into_iter().map(Into::into));
    }

    /// Forgets the replies that are left.
    pub fn drop_rest(&self) {
        self.inner.lock().unwrap().replies.clear();
    }

    /// Every request so far.
    pub fn requests(&self) -> Vec<Request> {
        self.inner.lock().unwrap().requests.clone()
    }

    /// All messages of all requests, as one text.
    pub fn prompts(&self) -> String {
        let requests = self.requests();
        let messages = requests.iter().flat_map(|request| &request.messages);
        messages
            .map(|message| message.content.as_str())
            .collect::<Vec<_>>()
            .join("\n")
    }
}

impl Model for Replies {
    fn name(&self) -> String {
        "replies of the test".into()
    }

    fn complete(&self, request: Request, _: Duration) -> BoxFuture<'_, Result<Completion, Error>> {
        let mut inner = self.inner.lock().unwrap();
        inner.requests.push(request);
        let reply = inner.replies.pop_front();
        Box::pin(async move {
            match reply {
                Some(text) => Ok(Completion {
                    text,
                    finish: Finish::Stop,
                    model: "test".into(),
                    usage: Some(Usage {
                        input_tokens: 10,
                        output_tokens: 5,
                        cached_input_tokens: None,
                    }),
                    elapsed_ms: Some(1),
                    details: Vec::new(),
                }),
                None => Err(Error {
                    kind: ErrorKind::Unavailable,
                    code: None,
                    message: "the test has no further reply".into(),
                    retry_after_ms: None,
                }),
            }
        })
    }
}
