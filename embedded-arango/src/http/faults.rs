//! Faults on demand: what a network and a loaded server do to a client, for tests of that client.
//!
//! A rule applies to requests whose path, without `/_db/<name>`, begins with the given text, until [`Faults::clear`].
//! Where several match, the one that was set first applies.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

use super::reply::Reply;
use crate::value::Value;

/// What happens to a request.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// It waits until the rules are cleared, and is then worked off.
    Stall,
    /// It waits, and is then worked off.
    Delay(Duration),
    /// The connection ends without an answer; nothing is worked off.
    Kill,
    /// It is worked off, and the connection ends without the answer.
    LoseReply,
    /// It gets this answer; nothing is worked off.
    Answer(Reply),
}

/// The faults of one server.
#[derive(Debug, Default)]
pub struct Faults {
    rules: Mutex<Vec<(String, Fault)>>,
    changed: Notify,
}

impl Faults {
    /// Makes requests wait until [`Faults::clear`].
    pub fn stall(&self, path: &str) {
        self.add(path, Fault::Stall);
    }

    /// Makes requests wait for a time.
    pub fn delay(&self, path: &str, time: Duration) {
        self.add(path, Fault::Delay(time));
    }

    /// Ends the connection of requests without working them off.
    pub fn kill(&self, path: &str) {
        self.add(path, Fault::Kill);
    }

    /// Works requests off and ends the connection instead of answering.
    pub fn lose_reply(&self, path: &str) {
        self.add(path, Fault::LoseReply);
    }

    /// Answers requests with a status and a body in place of working them off.
    pub fn answer(&self, path: &str, status: u16, body: &str) {
        let reply = Reply {
            body: Some(body.to_owned()),
            ..Reply::bare(status, &Value::Null)
        };
        self.add(path, Fault::Answer(reply));
    }

    /// Takes all rules away and lets stalled requests go on.
    pub fn clear(&self) {
        self.rules
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
        self.changed.notify_waiters();
    }

    fn add(&self, path: &str, fault: Fault) {
        self.rules
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push((path.to_owned(), fault));
    }

    /// The fault for a path.
    pub(crate) fn of(&self, path: &str) -> Option<Fault> {
        let rules = self.rules.lock().unwrap_or_else(PoisonError::into_inner);
        rules
            .iter()
            .find(|(prefix, _)| path.starts_with(prefix.as_str()))
            .map(|(_, fault)| fault.clone())
    }

    /// Waits until no rule stalls the path.
    pub(crate) async fn until_released(&self, path: &str) {
        loop {
            let changed = self.changed.notified();
            if !matches!(self.of(path), Some(Fault::Stall)) {
                return;
            }
            changed.await;
        }
    }
}
