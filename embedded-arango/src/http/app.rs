//! What the requests of one server share.

use std::sync::Arc;
use std::time::Duration;

use super::auth::Tokens;
use super::cursors::Cursors;
use super::faults::Faults;
use super::jobs::Jobs;
use super::log::RequestLog;
use super::queries::Queries;
use super::transactions::Transactions;
use tokio::sync::Semaphore;

use crate::storage::{Store, User};

/// How a server behaves; each has the real server's default.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// The largest body of a request.
    pub(crate) max_body_bytes: usize,
    /// How long a cursor lives without being asked, unless the request says.
    pub(crate) cursor_ttl: Duration,
    /// How long a stream transaction lives without being used.
    pub(crate) transaction_idle: Duration,
    /// How long a request waits for a stream transaction that another one uses.
    pub(crate) transaction_patience: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            // The real server takes 512 MiB; a test server that is sent more than this is being misused.
            max_body_bytes: 256 << 20,
            cursor_ttl: Duration::from_secs(30),
            transaction_idle: Duration::from_secs(60),
            transaction_patience: Duration::from_secs(8),
        }
    }
}

/// The state of a server.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) store: Arc<Store>,
    pub(crate) settings: Settings,
    pub(crate) tokens: Tokens,
    /// The user of requests where authentication is switched off.
    pub(crate) anyone: Option<Arc<User>>,
    pub(crate) cursors: Cursors,
    pub(crate) transactions: Arc<Transactions>,
    pub(crate) queries: Queries,
    pub(crate) jobs: Jobs,
    pub(crate) faults: Faults,
    /// As many requests are worked off at once as there are permits; the others wait.
    pub(crate) permits: Semaphore,
    pub(crate) log: RequestLog,
}
