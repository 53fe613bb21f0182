//! Cursors: the rows of a query that did not fit into its first answer.
//!
//! All rows exist when the cursor is made. Each batch prolongs the cursor's life by its time to live. With `allowRetry` the
//! last batch can be had again, and the cursor stays after its end until it is deleted or dies.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::reply::Reply;
use super::transactions::{Lease, Owner};
use crate::error::{ArangoError, number};
use crate::value::{Object, Value};

/// The result of a query, to be given out in batches.
#[derive(Debug)]
pub(crate) struct Cursor {
    pub(crate) database: String,
    pub(crate) user: String,
    pub(crate) rows: Vec<Value>,
    pub(crate) batch_size: usize,
    pub(crate) show_count: bool,
    pub(crate) extra: Value,
    pub(crate) ttl: Duration,
    pub(crate) allow_retry: bool,
    /// Kept until the cursor ends.
    pub(crate) lease: Option<Lease>,
    position: usize,
    /// The number of the batch that comes next; the first is 1.
    next_batch: u64,
    last: Option<(u64, Reply)>,
    expires: Option<Instant>,
}

impl Cursor {
    /// A cursor before its first batch.
    pub(crate) fn new(owner: Owner<'_>, rows: Vec<Value>, extra: Value) -> Self {
        Cursor {
            database: owner.database.to_owned(),
            user: owner.user.to_owned(),
            rows,
            batch_size: 1000,
            show_count: false,
            extra,
            ttl: Duration::from_secs(30),
            allow_retry: false,
            lease: None,
            position: 0,
            next_batch: 1,
            last: None,
            expires: None,
        }
    }

    fn has_more(&self) -> bool {
        self.position < self.rows.len()
    }

    /// The next batch as an answer. The order of the attributes differs with and without more to come, as in the real server.
    fn advance(&mut self, id: u64, status: u16) -> Reply {
        let end = self
            .position
            .saturating_add(self.batch_size)
            .min(self.rows.len());
        let rows = self
            .rows
            .get(self.position..end)
            .unwrap_or_default()
            .to_vec();
        self.position = end;
        let batch = self.next_batch;
        self.next_batch += 1;
        let more = self.has_more();
        let mut body = Object::default();
        body.insert("result", Value::array(rows));
        body.insert("hasMore", Value::Bool(more));
        let is_stored = more || batch > 1;
        if is_stored {
            body.insert("id", Value::from(id.to_string()));
        }
        if self.show_count {
            body.insert(
                "count",
                Value::Int(i64::try_from(self.rows.len()).unwrap_or(i64::MAX)),
            );
        }
        if is_stored {
            body.insert("extra", self.extra.clone());
            body.insert("cached", Value::Bool(false));
        } else {
            body.insert("cached", Value::Bool(false));
            body.insert("extra", self.extra.clone());
        }
        if more {
            body.insert("nextBatchId", Value::from(self.next_batch.to_string()));
        }
        let reply = Reply::last(status, body);
        if self.allow_retry {
            self.last = Some((
                batch,
                Reply {
                    status: 200,
                    ..reply.clone()
                },
            ));
        }
        reply
    }
}

#[derive(Debug)]
enum Slot {
    Idle(Box<Cursor>),
    Busy,
}

/// All cursors of a server.
#[derive(Debug, Default)]
pub(crate) struct Cursors {
    slots: Mutex<BTreeMap<u64, Slot>>,
}

/// A cursor that is taken out to be used.
#[derive(Debug)]
struct Taken<'a> {
    home: &'a Cursors,
    id: u64,
    cursor: Option<Box<Cursor>>,
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        let mut slots = self.home.slots();
        match self.cursor.take() {
            Some(cursor) => slots.insert(self.id, Slot::Idle(cursor)),
            None => slots.remove(&self.id),
        };
    }
}

impl Cursors {
    /// Answers a query with its first batch; what is left stays under the id.
    pub(crate) fn first(&self, id: u64, mut cursor: Cursor) -> Reply {
        let reply = cursor.advance(id, 201);
        if cursor.has_more() {
            self.keep(id, Box::new(cursor));
        }
        reply
    }

    /// The next batch, or a numbered one: the next, or with `allowRetry` the last again.
    ///
    /// # Errors
    /// 404/1600 for an unknown or foreign cursor or batch, 409/1601 while another request uses it.
    pub(crate) fn next(
        &self,
        id: u64,
        batch: Option<u64>,
        owner: Owner<'_>,
    ) -> Result<Reply, ArangoError> {
        let mut taken = self.take(id, owner)?;
        let Some(cursor) = taken.cursor.as_deref_mut() else {
            return Err(not_found());
        };
        if let Some(wanted) = batch {
            if let Some((number, reply)) = &cursor.last
                && *number == wanted
            {
                return Ok(reply.clone());
            }
            if wanted != cursor.next_batch || !cursor.has_more() {
                return Err(not_found());
            }
        } else if !cursor.has_more() {
            return Err(not_found());
        }
        let reply = cursor.advance(id, 200);
        cursor.expires = Instant::now().checked_add(cursor.ttl);
        if !cursor.has_more() {
            cursor.lease = None;
            if !cursor.allow_retry {
                taken.cursor = None;
            }
        }
        Ok(reply)
    }

    /// Ends a cursor.
    ///
    /// # Errors
    /// As [`Cursors::next`].
    pub(crate) fn delete(&self, id: u64, owner: Owner<'_>) -> Result<(), ArangoError> {
        let mut taken = self.take(id, owner)?;
        taken.cursor = None;
        Ok(())
    }

    /// Ends the cursors that keep a transaction.
    pub(crate) fn delete_of_transaction(&self, transaction: u64) {
        let mut gone = Vec::new();
        let mut slots = self.slots();
        let ids: Vec<u64> = slots
            .iter()
            .filter(|(_, slot)| matches!(slot, Slot::Idle(c) if c.lease.as_ref().is_some_and(|l| l.id() == transaction)))
            .map(|(id, _)| *id)
            .collect();
        for id in ids {
            gone.extend(slots.remove(&id));
        }
        drop(slots);
        // Giving the leases back takes the lock of the transactions; ours must not be held meanwhile.
        drop(gone);
    }

    /// How many cursors there are.
    pub(crate) fn count(&self) -> usize {
        self.expire();
        self.slots().len()
    }

    fn keep(&self, id: u64, mut cursor: Box<Cursor>) {
        cursor.expires = Instant::now().checked_add(cursor.ttl);
        self.slots().insert(id, Slot::Idle(cursor));
    }

    fn take(&self, id: u64, owner: Owner<'_>) -> Result<Taken<'_>, ArangoError> {
        self.expire();
        let mut slots = self.slots();
        let slot = slots.get_mut(&id).ok_or_else(not_found)?;
        match std::mem::replace(slot, Slot::Busy) {
            Slot::Busy => Err(ArangoError::new(number::CURSOR_BUSY, "cursor is busy")),
            Slot::Idle(cursor)
                if cursor.database == owner.database && cursor.user == owner.user =>
            {
                Ok(Taken {
                    home: self,
                    id,
                    cursor: Some(cursor),
                })
            }
            foreign @ Slot::Idle(_) => {
                *slot = foreign;
                Err(not_found())
            }
        }
    }

    fn expire(&self) {
        let now = Instant::now();
        let mut gone = Vec::new();
        let mut slots = self.slots();
        let is_over = |slot: &Slot| matches!(slot, Slot::Idle(cursor) if cursor.expires.is_some_and(|end| end <= now));
        let ids: Vec<u64> = slots
            .iter()
            .filter(|(_, slot)| is_over(slot))
            .map(|(id, _)| *id)
            .collect();
        for id in ids {
            gone.extend(slots.remove(&id));
        }
        drop(slots);
        drop(gone);
    }

    fn slots(&self) -> MutexGuard<'_, BTreeMap<u64, Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn not_found() -> ArangoError {
    ArangoError::new(number::CURSOR_NOT_FOUND, "cursor not found")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Cursor, Cursors};
    use crate::http::transactions::Owner;
    use crate::value::Value;

    const ME: Owner<'_> = Owner {
        database: "d",
        user: "me",
    };

    fn cursor(rows: i64) -> Cursor {
        let mut cursor = Cursor::new(ME, (0..rows).map(Value::Int).collect(), Value::Null);
        cursor.batch_size = 2;
        cursor
    }

    #[test]
    fn a_cursor_in_use_is_busy_and_free_again_afterwards() {
        let cursors = Cursors::default();
        cursors.first(7, cursor(5));
        let taken = cursors.take(7, ME).expect("there");
        assert_eq!(cursors.next(7, None, ME).unwrap_err().number, 1601);
        drop(taken);
        assert!(cursors.next(7, None, ME).is_ok());
    }

    #[test]
    fn others_do_not_see_a_cursor() {
        let cursors = Cursors::default();
        cursors.first(7, cursor(5));
        let other = Owner {
            database: "d",
            user: "you",
        };
        assert_eq!(cursors.next(7, None, other).unwrap_err().number, 1600);
        assert!(cursors.next(7, None, ME).is_ok());
    }

    #[test]
    fn a_cursor_dies_when_its_time_is_over() {
        let cursors = Cursors::default();
        cursors.first(
            7,
            Cursor {
                ttl: Duration::ZERO,
                ..cursor(5)
            },
        );
        assert_eq!(cursors.count(), 0);
        assert_eq!(cursors.next(7, None, ME).unwrap_err().number, 1600);
    }

    #[test]
    fn only_a_cursor_that_allows_it_gives_a_batch_twice() {
        let cursors = Cursors::default();
        cursors.first(7, cursor(5));
        assert!(cursors.next(7, Some(2), ME).is_ok());
        assert_eq!(cursors.next(7, Some(2), ME).unwrap_err().number, 1600);
        cursors.first(
            8,
            Cursor {
                allow_retry: true,
                ..cursor(5)
            },
        );
        let batch = cursors.next(8, Some(2), ME).expect("next");
        assert_eq!(
            cursors.next(8, Some(2), ME).expect("again").body,
            batch.body
        );
        let end = cursors.next(8, Some(3), ME).expect("the end");
        assert_eq!(
            cursors.next(8, Some(3), ME).expect("the end again").body,
            end.body
        );
        assert_eq!(cursors.next(8, Some(5), ME).unwrap_err().number, 1600);
    }
}
