//! A transaction: one query, or one stream transaction of several.
//!
//! It reads the snapshot of its beginning with its own writes over it. What it may touch is fixed for a stream transaction
//! when it begins, and declared by a query before it runs; anything else is refused with 1652.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::collection::Collection;
use super::database::Database;
use super::documents::{Direction, Scan};
use super::index::IndexDefinition;
use super::locks::{Lock, Mode};
use super::ordered::IndexRange;
use super::snapshot::Snapshot;
use super::user::User;
use crate::engine::catalog::{Catalog, GraphInfo, SourceInfo};
use crate::error::ArangoError;
use crate::value::Value;

/// How long a transaction waits for a lock unless told otherwise.
const LOCK_TIMEOUT: Duration = Duration::from_secs(900);

/// What a transaction may touch.
#[derive(Clone, Debug)]
pub struct Access {
    /// Collections that are read.
    pub read: Vec<String>,
    /// Collections that are written, beside other writers.
    pub write: Vec<String>,
    /// Collections that are written while nobody else writes.
    pub exclusive: Vec<String>,
    /// Whether other collections may be read.
    pub allow_implicit: bool,
    /// How long to wait for a lock.
    pub lock_timeout: Duration,
    /// Whether the lists are final, as for a stream transaction; a query declares with [`Txn::open`].
    pub is_final: bool,
}

impl Access {
    /// For a query of its own, which declares what it touches.
    pub fn query(allow_implicit: bool) -> Self {
        Access {
            read: vec![],
            write: vec![],
            exclusive: vec![],
            allow_implicit,
            lock_timeout: LOCK_TIMEOUT,
            is_final: false,
        }
    }

    /// For a stream transaction with its declared collections.
    pub fn stream(
        read: Vec<String>,
        write: Vec<String>,
        exclusive: Vec<String>,
        allow_implicit: bool,
    ) -> Self {
        Access {
            read,
            write,
            exclusive,
            allow_implicit,
            lock_timeout: LOCK_TIMEOUT,
            is_final: true,
        }
    }
}

/// One change, as the commit needs it where others have committed meanwhile.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// A document came, changed or went. `base` is its revision at the beginning, if it existed then.
    Document {
        collection: Arc<str>,
        key: Arc<str>,
        base: Option<Value>,
    },
    /// All documents went.
    Truncate { collection: Arc<str> },
}

/// A point within a transaction to go back to.
#[derive(Debug)]
pub struct Savepoint {
    working: BTreeMap<Arc<str>, Collection>,
    changes: usize,
}

/// A running transaction. Dropping it without [`Txn::commit`] undoes it.
#[derive(Debug)]
pub struct Txn {
    pub(super) id: u64,
    pub(super) database: Arc<Database>,
    pub(super) user: Arc<User>,
    pub(super) access: Access,
    pub(super) declared: BTreeMap<Arc<str>, Mode>,
    pub(super) snapshot: Snapshot,
    pub(super) working: BTreeMap<Arc<str>, Collection>,
    pub(super) changes: Vec<Change>,
    pub(super) locks: Vec<Lock>,
}

impl Txn {
    /// Begins a transaction: checks the collections and the user's rights, takes locks, then the snapshot.
    ///
    /// # Errors
    /// 1203 for an unknown collection, 11 or 1004 for missing rights, 18 where a lock could not be had in time.
    pub fn begin(
        database: &Arc<Database>,
        access: Access,
        user: &Arc<User>,
    ) -> Result<Txn, ArangoError> {
        let mut txn = Txn {
            id: database.clock().next_id(),
            database: Arc::clone(database),
            user: Arc::clone(user),
            declared: BTreeMap::new(),
            snapshot: database.snapshot(),
            working: BTreeMap::new(),
            changes: Vec::new(),
            locks: Vec::new(),
            access,
        };
        let Access {
            read,
            write,
            exclusive,
            ..
        } = txn.access.clone();
        for (names, mode) in [
            (exclusive, Mode::Exclusive),
            (write, Mode::Write),
            (read, Mode::Read),
        ] {
            for name in names {
                txn.declare(&name, mode)?;
            }
        }
        txn.snapshot = database.snapshot();
        Ok(txn)
    }

    /// The id, unique in the server.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The database.
    pub fn database(&self) -> &Arc<Database> {
        &self.database
    }

    /// The user on whose behalf it runs.
    pub fn user(&self) -> &Arc<User> {
        &self.user
    }

    /// The state that is read, without this transaction's own writes.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Declares a collection that a query names, before it runs.
    ///
    /// # Errors
    /// 1203 for an unknown one, 11 or 1004 for missing rights, 18 for a lock; 1652 in a stream transaction that did not
    /// declare it, or declared it for less.
    pub fn open(&mut self, name: &str, mode: Mode) -> Result<(), ArangoError> {
        if !self.access.is_final {
            self.declare(name, mode)?;
            if self.changes.is_empty() {
                self.working.clear();
                self.snapshot = self.database.snapshot();
            }
            return Ok(());
        }
        let collection = self.known(name)?;
        self.user
            .check_collection(self.database.name(), &collection, mode > Mode::Read)?;
        match self.declared.get(&collection) {
            Some(held)
                if mode == Mode::Read
                    || *held >= mode
                    || (*held == Mode::Write && mode == Mode::Exclusive) =>
            {
                Ok(())
            }
            Some(_) => Err(ArangoError::unregistered_collection(
                &collection,
                mode.name(),
            )),
            None if mode == Mode::Read && self.access.allow_implicit => {
                self.declared.insert(collection, Mode::Read);
                Ok(())
            }
            None => Err(ArangoError::unregistered_collection(
                &collection,
                mode.name(),
            )),
        }
    }

    /// Declares a collection that turns out to be read only while the query runs.
    ///
    /// # Errors
    /// As [`Txn::open`], and 1652 where implicit reads are not allowed.
    pub fn open_at_runtime(&mut self, name: &str) -> Result<(), ArangoError> {
        let collection = self.known(name)?;
        if self.declared.contains_key(&collection) {
            return Ok(());
        }
        self.user
            .check_collection(self.database.name(), &collection, false)?;
        if !self.access.allow_implicit {
            return Err(ArangoError::unregistered_collection(
                &collection,
                Mode::Read.name(),
            ));
        }
        self.declared.insert(collection, Mode::Read);
        Ok(())
    }

    /// The document with a key; nothing where the collection is unknown, too.
    pub fn get(&self, collection: &str, key: &str) -> Option<Value> {
        self.collection(collection)?.get(key)
    }

    /// All documents of a collection in the order of insertion, as they are now.
    pub fn scan(&self, collection: &str) -> Scan {
        self.collection(collection)
            .map(Collection::scan)
            .unwrap_or_default()
    }

    /// The number of documents of a collection.
    pub fn count(&self, collection: &str) -> usize {
        self.collection(collection).map_or(0, Collection::count)
    }

    /// The edges at a vertex, given by its id.
    pub fn edges_of(&self, collection: &str, vertex: &str, direction: Direction) -> Vec<Value> {
        self.collection(collection)
            .map(|edges| edges.documents.edges_of(vertex, direction))
            .unwrap_or_default()
    }

    /// The documents in a range of a persistent or ttl index, in its order; nothing for an index of another kind.
    pub fn lookup(&self, collection: &str, index: u64, range: &IndexRange) -> Option<Vec<Value>> {
        let collection = self.collection(collection)?;
        let index = collection
            .indexes
            .iter()
            .find(|i| i.definition.id == index)?;
        let mut ids = index.content.as_ref()?.find(range);
        let mut seen = std::collections::BTreeSet::new();
        ids.retain(|id| seen.insert(*id));
        Some(
            ids.into_iter()
                .filter_map(|id| collection.documents.by_local_id(id).cloned())
                .collect(),
        )
    }

    /// The definitions of a collection's indexes.
    pub fn indexes(&self, collection: &str) -> Vec<Arc<IndexDefinition>> {
        self.collection(collection)
            .map(|c| c.indexes().cloned().collect())
            .unwrap_or_default()
    }

    /// Whether anything was written.
    pub fn has_changes(&self) -> bool {
        !self.changes.is_empty()
    }

    /// Notes where the transaction stands.
    pub fn savepoint(&self) -> Savepoint {
        Savepoint {
            working: self.working.clone(),
            changes: self.changes.len(),
        }
    }

    /// Undoes what was written since the savepoint.
    pub fn roll_back_to(&mut self, savepoint: Savepoint) {
        self.working = savepoint.working;
        self.changes.truncate(savepoint.changes);
    }

    /// Makes the writes visible to others, all at once.
    ///
    /// # Errors
    /// 1200 where somebody else changed one of the documents since the beginning, 1210 where others' inserts violate a unique
    /// index together with these; nothing was written then.
    pub fn commit(self) -> Result<(), ArangoError> {
        if self.changes.is_empty() {
            return Ok(());
        }
        self.database
            .commit(&self.snapshot, &self.working, &self.changes)
    }

    /// Undoes everything. The same as dropping the transaction, said aloud.
    pub fn abort(self) {}

    /// The collection as this transaction sees it, its own writes included.
    pub(crate) fn collection(&self, name: &str) -> Option<&Collection> {
        self.working.get(name).or_else(|| {
            let found = self.snapshot.collection(name)?;
            Some(self.working.get(&found.meta.name).unwrap_or(found))
        })
    }

    fn declare(&mut self, name: &str, mode: Mode) -> Result<(), ArangoError> {
        let collection = self.known(name)?;
        self.user
            .check_collection(self.database.name(), &collection, mode > Mode::Read)?;
        let held = self.declared.get(&collection).copied();
        if held.is_none_or(|held| held < mode) {
            let id = self.snapshot.collection(&collection).map(|c| c.meta.id);
            if let (Some(id), false) = (id, held == Some(Mode::Write)) {
                self.locks.extend(self.database.locks().acquire(
                    id,
                    mode,
                    self.access.lock_timeout,
                )?);
            }
            self.declared.insert(collection, mode);
        }
        Ok(())
    }

    /// The name of a collection that exists; one that was created after the beginning is taken in.
    fn known(&mut self, name: &str) -> Result<Arc<str>, ArangoError> {
        if let Some(collection) = self.snapshot.collection(name) {
            return Ok(Arc::clone(&collection.meta.name));
        }
        let now = self.database.snapshot();
        let collection = now
            .collection(name)
            .ok_or_else(|| ArangoError::data_source_not_found(name))?;
        let name = Arc::clone(&collection.meta.name);
        self.snapshot
            .collections
            .insert_mut(Arc::clone(&name), Arc::clone(collection));
        Ok(name)
    }
}

impl Catalog for Txn {
    fn source(&self, name: &str) -> Option<SourceInfo> {
        self.snapshot.source(name)
    }

    fn graph(&self, name: &str) -> Option<GraphInfo> {
        self.snapshot.graph(name)
    }

    fn graphs(&self) -> Vec<GraphInfo> {
        self.snapshot.graphs()
    }

    fn analyzer(&self, name: &str) -> Option<Value> {
        Catalog::analyzer(&self.snapshot, name)
    }
}
