//! A server that is running: what a test sees of it, and stopping it.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::app::App;
use super::faults::Faults;
use super::log::Logged;
use crate::error::ArangoError;
use crate::storage::Store;

/// What is open on a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stats {
    /// Cursors that have batches left, or may give their last one again.
    pub open_cursors: usize,
    /// Stream transactions that are running.
    pub open_transactions: usize,
}

/// A server that is running. Dropping it stops it without waiting.
#[derive(Debug)]
pub struct Running {
    pub(super) app: Arc<App>,
    pub(super) address: SocketAddr,
    pub(super) stop: Option<oneshot::Sender<()>>,
    pub(super) task: Option<JoinHandle<io::Result<()>>>,
}

impl Running {
    /// The address that the server listens on.
    pub fn addr(&self) -> SocketAddr {
        self.address
    }

    /// `http://host:port`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The data, to fill or to look at directly.
    pub fn store(&self) -> &Arc<Store> {
        &self.app.store
    }

    /// The faults that requests meet.
    pub fn faults(&self) -> &Faults {
        &self.app.faults
    }

    /// What is open at the moment.
    pub fn stats(&self) -> Stats {
        Stats {
            open_cursors: self.app.cursors.count(),
            open_transactions: self.app.transactions.count(),
        }
    }

    /// The requests so far, the oldest first; at most the last 10,000.
    pub fn requests(&self) -> Vec<Logged> {
        self.app.log.all()
    }

    /// Forgets the requests so far.
    pub fn clear_requests(&self) {
        self.app.log.clear();
    }

    /// A digest of all that a database holds; it stays the same as long as nothing is written.
    ///
    /// # Errors
    /// 1228 for an unknown database.
    pub fn digest(&self, database: &str) -> Result<String, ArangoError> {
        Ok(self.app.store.database(database)?.digest())
    }

    /// Takes no more requests, lets those that are running end, and returns. Running queries are stopped, faults are cleared.
    ///
    /// # Errors
    /// Where serving had failed.
    pub async fn shutdown(mut self) -> io::Result<()> {
        self.stop_now();
        match self.task.take() {
            Some(task) => task.await.map_err(io::Error::other)?,
            None => Ok(()),
        }
    }

    /// Waits until the server ends, which it does only where serving fails.
    ///
    /// # Errors
    /// The reason of the failure.
    pub async fn wait(mut self) -> io::Result<()> {
        match self.task.take() {
            Some(task) => task.await.map_err(io::Error::other)?,
            None => Ok(()),
        }
    }

    fn stop_now(&mut self) {
        self.app.faults.clear();
        self.app.queries.kill_all();
        self.stop.take();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop_now();
    }
}
