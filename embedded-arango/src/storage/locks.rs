//! Locks on collections, which only exclusive access needs: ordinary writers run side by side and meet at commit.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::error::{ArangoError, number};

/// What a query or a transaction does with a collection; each mode includes the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// Documents are read.
    Read,
    /// Documents are written, beside other writers.
    Write,
    /// Documents are written, and nobody else writes meanwhile.
    Exclusive,
}

impl Mode {
    /// `read`, `write` or `exclusive`.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Read => "read",
            Mode::Write => "write",
            Mode::Exclusive => "exclusive",
        }
    }
}

#[derive(Debug, Default)]
struct Holders {
    writers: usize,
    exclusive: bool,
}

/// The locks of one database, by collection id.
#[derive(Debug, Default)]
pub(crate) struct LockTable {
    held: Mutex<BTreeMap<u64, Holders>>,
    released: Condvar,
}

/// A lock that ends when it is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    table: Arc<LockTable>,
    collection: u64,
    exclusive: bool,
}

impl LockTable {
    /// Waits until nobody is in the way, at most `patience`.
    ///
    /// # Errors
    /// 18 when the time is over.
    pub(crate) fn acquire(
        self: &Arc<Self>,
        collection: u64,
        mode: Mode,
        patience: Duration,
    ) -> Result<Option<Lock>, ArangoError> {
        let exclusive = match mode {
            Mode::Read => return Ok(None),
            Mode::Write => false,
            Mode::Exclusive => true,
        };
        let deadline = Instant::now().checked_add(patience);
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let holders = held.entry(collection).or_default();
            if !(holders.exclusive || exclusive && holders.writers > 0) {
                if exclusive {
                    holders.exclusive = true;
                } else {
                    holders.writers += 1;
                }
                return Ok(Some(Lock {
                    table: Arc::clone(self),
                    collection,
                    exclusive,
                }));
            }
            let left = match deadline {
                Some(deadline) => deadline.saturating_duration_since(Instant::now()),
                None => patience,
            };
            if left.is_zero() {
                return Err(ArangoError::new(
                    number::LOCK_TIMEOUT,
                    "timeout waiting to lock key",
                ));
            }
            held = self
                .released
                .wait_timeout(held, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let mut held = self
            .table
            .held
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(holders) = held.get_mut(&self.collection) {
            if self.exclusive {
                holders.exclusive = false;
            } else {
                holders.writers = holders.writers.saturating_sub(1);
            }
            if !holders.exclusive && holders.writers == 0 {
                held.remove(&self.collection);
            }
        }
        drop(held);
        self.table.released.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::{LockTable, Mode};

    #[test]
    fn an_exclusive_lock_keeps_writers_out_until_it_is_dropped() {
        let table = Arc::new(LockTable::default());
        let lock = table
            .acquire(1, Mode::Exclusive, Duration::ZERO)
            .expect("free");
        assert_eq!(
            table
                .acquire(1, Mode::Write, Duration::ZERO)
                .map(|_| ())
                .unwrap_err()
                .number,
            18
        );
        assert!(table.acquire(2, Mode::Write, Duration::ZERO).is_ok());
        drop(lock);
        assert!(table.acquire(1, Mode::Write, Duration::ZERO).is_ok());
    }

    #[test]
    fn writers_share_and_keep_an_exclusive_one_out() {
        let table = Arc::new(LockTable::default());
        let first = table.acquire(1, Mode::Write, Duration::ZERO).expect("free");
        let second = table
            .acquire(1, Mode::Write, Duration::ZERO)
            .expect("shared");
        assert!(table.acquire(1, Mode::Exclusive, Duration::ZERO).is_err());
        drop((first, second));
        assert!(table.acquire(1, Mode::Exclusive, Duration::ZERO).is_ok());
    }
}
