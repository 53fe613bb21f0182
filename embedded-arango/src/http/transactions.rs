//! Stream transactions: who has them, what state they are in, and when they end by themselves.
//!
//! A transaction is lent to one request at a time. A request that finds it lent waits a while and then fails with error 28.
//! A cursor with batches left keeps what it was lent; aborting the transaction takes it back.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::error::{ArangoError, number};
use crate::storage::Txn;

/// How many ended transactions are remembered, so that their late users learn how they ended.
const REMEMBERED: usize = 1000;

/// How a transaction stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Running,
    Committed,
    Aborted,
    Expired,
}

impl Phase {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Phase::Running => "running",
            Phase::Committed => "committed",
            Phase::Aborted | Phase::Expired => "aborted",
        }
    }
}

#[derive(Debug)]
struct Entry {
    database: String,
    user: String,
    phase: Phase,
    /// Nothing while it is lent, and once it has ended.
    txn: Option<Box<Txn>>,
    /// Stops the query that runs in it.
    kill: Option<Arc<AtomicBool>>,
    used: Instant,
}

/// All stream transactions of a server.
#[derive(Debug)]
pub(crate) struct Transactions {
    entries: Mutex<BTreeMap<u64, Entry>>,
    returned: Condvar,
    idle: Duration,
    patience: Duration,
}

/// Who asks for a transaction; others' transactions do not exist for them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owner<'a> {
    pub(crate) database: &'a str,
    pub(crate) user: &'a str,
}

/// A transaction that is lent. Dropping the lease gives it back.
#[derive(Debug)]
pub(crate) struct Lease {
    id: u64,
    home: Arc<Transactions>,
    txn: Option<Box<Txn>>,
}

impl Lease {
    /// The id of the transaction.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// Names the flag that stops the running query, to be set where the transaction is aborted meanwhile.
    pub(crate) fn stops_with(&self, kill: Arc<AtomicBool>) {
        if let Some(entry) = self.home.entries().get_mut(&self.id) {
            if entry.phase != Phase::Running {
                kill.store(true, Ordering::Relaxed);
            }
            entry.kill = Some(kill);
        }
    }

    /// The transaction.
    pub(crate) fn txn(&mut self) -> Result<&mut Txn, ArangoError> {
        self.txn
            .as_deref_mut()
            .ok_or_else(|| ArangoError::internal("a lease without its transaction"))
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let mut entries = self.home.entries();
        if let Some(entry) = entries.get_mut(&self.id)
            && entry.phase == Phase::Running
        {
            entry.txn = self.txn.take();
            entry.kill = None;
            entry.used = Instant::now();
        }
        drop(entries);
        self.home.returned.notify_all();
    }
}

impl Transactions {
    /// `idle` is how long a transaction lives without being used, `patience` how long a request waits for one that is lent.
    pub(crate) fn new(idle: Duration, patience: Duration) -> Self {
        Transactions {
            entries: Mutex::default(),
            returned: Condvar::new(),
            idle,
            patience,
        }
    }

    /// Takes a new transaction in.
    pub(crate) fn add(&self, owner: Owner<'_>, txn: Txn) -> u64 {
        let id = txn.id();
        let entry = Entry {
            database: owner.database.to_owned(),
            user: owner.user.to_owned(),
            phase: Phase::Running,
            txn: Some(Box::new(txn)),
            kill: None,
            used: Instant::now(),
        };
        let mut entries = self.entries();
        entries.insert(id, entry);
        let ended: Vec<u64> = entries
            .iter()
            .filter(|(_, e)| e.phase != Phase::Running)
            .map(|(id, _)| *id)
            .collect();
        for old in ended.iter().take(ended.len().saturating_sub(REMEMBERED)) {
            entries.remove(old);
        }
        id
    }

    /// Lends a running transaction.
    ///
    /// # Errors
    /// 404/1655 for an unknown, foreign or expired one, 410/1654 after abort, 400/1653 after commit, 28 where it stays lent.
    pub(crate) fn lease(self: &Arc<Self>, id: u64, owner: Owner<'_>) -> Result<Lease, ArangoError> {
        let txn = self.take(id, owner)?;
        Ok(Lease {
            id,
            home: Arc::clone(self),
            txn: Some(txn),
        })
    }

    /// The state of a transaction.
    ///
    /// # Errors
    /// 404/1655 for an unknown, foreign or expired one.
    pub(crate) fn phase(&self, id: u64, owner: Owner<'_>) -> Result<Phase, ArangoError> {
        let mut entries = self.entries();
        self.expire(&mut entries);
        let entry = find(&mut entries, id, owner)?;
        Ok(entry.phase)
    }

    /// The running transactions of a database; those of one user, or of everybody.
    pub(crate) fn running(&self, database: &str, user: Option<&str>) -> Vec<u64> {
        let mut entries = self.entries();
        self.expire(&mut entries);
        let own = entries.iter().filter(|(_, entry)| {
            entry.phase == Phase::Running
                && entry.database == database
                && user.is_none_or(|user| entry.user == user)
        });
        own.map(|(id, _)| *id).collect()
    }

    /// How many transactions are running.
    pub(crate) fn count(&self) -> usize {
        let mut entries = self.entries();
        self.expire(&mut entries);
        entries
            .values()
            .filter(|entry| entry.phase == Phase::Running)
            .count()
    }

    /// Commits. Committing again is fine.
    ///
    /// # Errors
    /// As [`Transactions::lease`], and those of [`Txn::commit`], after which the transaction is aborted.
    pub(crate) fn commit(&self, id: u64, owner: Owner<'_>) -> Result<(), ArangoError> {
        if self.phase(id, owner)? == Phase::Committed {
            return Ok(());
        }
        let txn = self.take(id, owner)?;
        let result = txn.commit();
        let phase = if result.is_ok() {
            Phase::Committed
        } else {
            Phase::Aborted
        };
        self.end(id, phase);
        result
    }

    /// Aborts: stops the query that runs in it, and takes it back from whoever has it. Aborting again is fine.
    ///
    /// # Errors
    /// 404/1655 for an unknown, foreign or expired one, 400/1653 after commit.
    pub(crate) fn abort(&self, id: u64, owner: Owner<'_>) -> Result<(), ArangoError> {
        let mut entries = self.entries();
        self.expire(&mut entries);
        let entry = find(&mut entries, id, owner)?;
        if entry.phase == Phase::Committed {
            return Err(already(id, Phase::Committed));
        }
        if let Some(kill) = entry.kill.take() {
            kill.store(true, Ordering::Relaxed);
        }
        let txn = entry.txn.take();
        if entry.phase == Phase::Running {
            entry.phase = Phase::Aborted;
        }
        drop(entries);
        // The transaction gives its locks back outside of the table's own lock.
        drop(txn);
        self.returned.notify_all();
        Ok(())
    }

    fn take(&self, id: u64, owner: Owner<'_>) -> Result<Box<Txn>, ArangoError> {
        let deadline = Instant::now().checked_add(self.patience);
        let mut entries = self.entries();
        loop {
            self.expire(&mut entries);
            let entry = find(&mut entries, id, owner)?;
            if entry.phase != Phase::Running {
                return Err(already(id, entry.phase));
            }
            if let Some(txn) = entry.txn.take() {
                return Ok(txn);
            }
            let left = deadline.map_or(self.patience, |deadline| {
                deadline.saturating_duration_since(Instant::now())
            });
            if left.is_zero() {
                return Err(ArangoError::new(
                    number::LOCKED,
                    format!("transaction '{id}' is already in use"),
                ));
            }
            entries = self
                .returned
                .wait_timeout(entries, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    fn end(&self, id: u64, phase: Phase) {
        if let Some(entry) = self.entries().get_mut(&id) {
            entry.phase = phase;
            entry.txn = None;
        }
        self.returned.notify_all();
    }

    fn expire(&self, entries: &mut BTreeMap<u64, Entry>) {
        let now = Instant::now();
        for entry in entries.values_mut() {
            // One that is lent is in use, however long.
            if entry.phase == Phase::Running
                && entry.txn.is_some()
                && now.duration_since(entry.used) >= self.idle
            {
                entry.phase = Phase::Expired;
                entry.txn = None;
            }
        }
    }

    fn entries(&self) -> MutexGuard<'_, BTreeMap<u64, Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn find<'a>(
    entries: &'a mut BTreeMap<u64, Entry>,
    id: u64,
    owner: Owner<'_>,
) -> Result<&'a mut Entry, ArangoError> {
    let entry = entries
        .get_mut(&id)
        .filter(|entry| entry.database == owner.database && entry.user == owner.user);
    match entry {
        Some(entry) if entry.phase == Phase::Expired => Err(ArangoError::new(
            number::TRANSACTION_NOT_FOUND,
            format!("transaction '{id}' has already expired"),
        )),
        Some(entry) => Ok(entry),
        None => Err(ArangoError::new(
            number::TRANSACTION_NOT_FOUND,
            format!("transaction '{id}' not found"),
        )),
    }
}

fn already(id: u64, phase: Phase) -> ArangoError {
    match phase {
        Phase::Committed => ArangoError::new(
            number::TRANSACTION_DISALLOWED_OPERATION,
            format!("transaction '{id}' has already been committed"),
        ),
        _ => ArangoError::new(
            number::TRANSACTION_ABORTED,
            format!("transaction '{id}' has already been aborted"),
        ),
    }
}
