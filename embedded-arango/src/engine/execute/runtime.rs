//! The outside of a running query: data, limits, counters and warnings.
//!
//! A query reads its collections as they were when it began. Its own writes show only where the plan asks for them: in
//! the lookup of an `UPSERT`, and in `DOCUMENT()`.

use std::collections::HashMap;
use std::time::Duration;

use crate::engine::catalog::Catalog;
use crate::engine::host::{Session, out_of_memory};
use crate::engine::plan::Plan;
use crate::engine::request::{Control, QueryOptions, Stats, Warning};
use crate::error::{ArangoError, number};
use crate::functions::Host;
use crate::schema::Schema;
use crate::storage::{Collection, Txn};
use crate::value::Value;

/// The real server accounts for memory in blocks of this size.
const BLOCK: usize = 32 * 1024;

/// How many rows pass between two looks at the kill flag and the clock.
const CHECK_EVERY: u32 = 64;

/// How long a sleeping query waits before it looks whether it was killed.
const NAP: Duration = Duration::from_millis(5);

/// What a running query can reach.
pub(super) struct Runtime<'a> {
    pub(super) txn: Option<&'a mut Txn>,
    control: Control,
    session: &'a Session,
    frozen: HashMap<String, Collection>,
    pub(super) stats: Stats,
    pub(super) warnings: Vec<Warning>,
    most_warnings: usize,
    fail_on_warning: bool,
    held: usize,
    most_held: usize,
    ticks: u32,
}

impl<'a> Runtime<'a> {
    pub(super) fn new(
        txn: Option<&'a mut Txn>,
        control: Control,
        session: &'a Session,
        options: &QueryOptions,
    ) -> Self {
        Runtime {
            txn,
            control,
            session,
            frozen: HashMap::new(),
            stats: Stats::default(),
            warnings: Vec::new(),
            most_warnings: options.max_warning_count,
            fail_on_warning: options.fail_on_warning,
            held: 0,
            most_held: 0,
            ticks: 0,
        }
    }

    /// Keeps the collections that the plan names as they are now.
    pub(super) fn freeze(&mut self, plan: &Plan) {
        if let Some(txn) = &self.txn {
            for name in plan.collections.keys() {
                if let Some(collection) = txn.collection(name) {
                    self.frozen.insert(name.clone(), collection.clone());
                }
            }
        }
    }

    /// A collection as it was when the query began; nothing where there is none.
    ///
    /// # Errors
    /// 1652 for one that the plan does not name, where such reads are not allowed.
    pub(super) fn collection(&mut self, name: &str) -> Result<Option<Collection>, ArangoError> {
        if let Some(collection) = self.frozen.get(name) {
            return Ok(Some(collection.clone()));
        }
        let Some(txn) = &mut self.txn else {
            return Ok(None);
        };
        match txn.open_at_runtime(name) {
            Ok(()) => {}
            Err(error) if error.number == number::DATA_SOURCE_NOT_FOUND => return Ok(None),
            Err(error) => return Err(error),
        }
        let found = txn.collection(name).cloned();
        if let Some(collection) = &found {
            self.frozen.insert(name.to_owned(), collection.clone());
        }
        Ok(found)
    }

    /// How a view indexes a collection: its link, or each of its inverted indexes.
    pub(super) fn links(&self, view: &str, collection: &str) -> Vec<Value> {
        let Some(txn) = &self.txn else {
            return Vec::new();
        };
        let snapshot = txn.snapshot();
        let links = snapshot.view(view).map(|view| view.links(snapshot));
        links
            .into_iter()
            .flatten()
            .filter(|link| &*link.collection == collection)
            .map(|link| link.definition)
            .collect()
    }

    /// A collection without the writes of its transaction: what its search indexes know.
    ///
    /// # Errors
    /// As [`Runtime::collection`].
    pub(super) fn committed(&mut self, name: &str) -> Result<Option<Collection>, ArangoError> {
        if self.collection(name)?.is_none() {
            return Ok(None);
        }
        let snapshot = self.txn.as_ref().map(|txn| txn.snapshot());
        Ok(snapshot
            .and_then(|snapshot| snapshot.collection(name))
            .map(|collection| (**collection).clone()))
    }

    /// A collection with the writes of this query.
    pub(super) fn current(&mut self, name: &str) -> Option<Collection> {
        self.txn.as_ref()?.collection(name).cloned()
    }

    /// The transaction, to write with.
    pub(super) fn txn(&mut self) -> Result<&mut Txn, ArangoError> {
        self.txn
            .as_deref_mut()
            .ok_or_else(|| ArangoError::internal("a query without data writes"))
    }

    /// The vertex of this id; `null` and a warning where there is none.
    ///
    /// # Errors
    /// 1521 where its collection was not declared and such reads are not allowed.
    pub(super) fn vertex(&mut self, id: &str) -> Result<Value, ArangoError> {
        let Some((collection, key)) = id.split_once('/') else {
            return Ok(Value::Null);
        };
        let found = self.collection(collection).map_err(|error| {
            if error.number != number::TRANSACTION_UNREGISTERED_COLLECTION {
                return error;
            }
            ArangoError::new(
                number::QUERY_COLLECTION_LOCK_FAILED,
                format!(
                    "collection not known to traversal: '{collection}'. please add 'WITH {collection}' as the first line \
                     in your AQL"
                ),
            )
        })?;
        let document = found.and_then(|collection| collection.get(key));
        self.stats.scanned_index += 1;
        match document {
            Some(document) => Ok(document),
            None => {
                self.note(number::DOCUMENT_NOT_FOUND, "document not found".into())?;
                Ok(Value::Null)
            }
        }
    }

    /// Counts a row, and now and then looks whether the query may go on.
    pub(super) fn tick(&mut self) -> Result<(), ArangoError> {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks.is_multiple_of(CHECK_EVERY) {
            self.control.check()?;
        }
        Ok(())
    }

    /// Notes a warning.
    pub(super) fn note(&mut self, number: u16, message: String) -> Result<(), ArangoError> {
        if self.fail_on_warning {
            return Err(ArangoError::new(number, message));
        }
        if self.warnings.len() < self.most_warnings {
            self.warnings.push(Warning {
                code: number,
                message,
            });
        }
        Ok(())
    }

    /// Charges a value that is kept, and says how much that was.
    pub(super) fn charge_value(&mut self, value: &Value) -> Result<usize, ArangoError> {
        // Walking each value costs time, so that without a limit only the slot counts.
        let bytes = if self.control.memory_limit() > 0 {
            value.memory()
        } else {
            size_of::<Value>()
        };
        self.charge_bytes(bytes)?;
        Ok(bytes)
    }

    /// Charges bytes.
    pub(super) fn charge_bytes(&mut self, bytes: usize) -> Result<(), ArangoError> {
        self.held = self.held.saturating_add(bytes);
        self.most_held = self.most_held.max(self.held);
        let limit = self.control.memory_limit();
        if limit > 0 && self.held > limit {
            return Err(out_of_memory());
        }
        Ok(())
    }

    /// Gives bytes back.
    pub(super) fn release(&mut self, bytes: usize) {
        self.held = self.held.saturating_sub(bytes);
    }

    /// The most bytes that were held at once, in whole blocks; what fits half a block is not counted.
    pub(super) fn peak(&self) -> usize {
        if self.most_held < BLOCK / 2 {
            return 0;
        }
        self.most_held.div_ceil(BLOCK) * BLOCK
    }
}

impl Host for Runtime<'_> {
    fn warn(&mut self, number: u16, message: String) -> Result<(), ArangoError> {
        self.note(number, message)
    }

    fn document(&mut self, id: &str) -> Result<Option<Value>, ArangoError> {
        let Some((collection, key)) = id.split_once('/') else {
            return Ok(None);
        };
        let Some(txn) = &mut self.txn else {
            return Ok(None);
        };
        match txn.open_at_runtime(collection) {
            Ok(()) => Ok(txn.get(collection, key)),
            Err(error) if error.number == number::DATA_SOURCE_NOT_FOUND => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn collection_count(&mut self, name: &str) -> Result<i64, ArangoError> {
        let txn = self.txn()?;
        txn.open_at_runtime(name)?;
        Ok(i64::try_from(txn.count(name)).unwrap_or(i64::MAX))
    }

    fn collections(&mut self) -> Result<Vec<(String, String)>, ArangoError> {
        let txn = self.txn()?;
        let database = txn.database().name().to_owned();
        let user = std::sync::Arc::clone(txn.user());
        Ok(txn
            .snapshot()
            .collections()
            .map(|collection| collection.meta())
            .filter(|meta| user.check_collection(&database, &meta.name, false).is_ok())
            .map(|meta| (meta.id.to_string(), meta.name.to_string()))
            .collect())
    }

    fn schema(&mut self, name: &str) -> Result<Value, ArangoError> {
        let txn = self.txn()?;
        txn.snapshot()
            .collection(name)
            .map(|collection| {
                let schema = collection.meta().schema.as_ref();
                schema.map(Schema::definition).cloned().unwrap_or_default()
            })
            .ok_or_else(|| ArangoError::data_source_not_found(name))
    }

    fn analyzer(&mut self, name: &str) -> Result<Option<Value>, ArangoError> {
        let Some(txn) = &self.txn else {
            return Ok(None);
        };
        Ok(Catalog::analyzer(txn.snapshot(), name))
    }

    fn evaluate(&mut self, query: &str, parameter: &Value) -> Result<Vec<Value>, ArangoError> {
        crate::engine::rows_of(query, "param", parameter)
    }

    fn now_millis(&self) -> i64 {
        self.session.now_millis
    }

    fn user(&self) -> Option<String> {
        self.session.user.clone()
    }

    fn database(&self) -> String {
        self.session.database.clone()
    }

    fn version(&self) -> String {
        self.session.version.clone()
    }

    fn sleep(&mut self, time: Duration) -> Result<(), ArangoError> {
        let end = std::time::Instant::now().checked_add(time);
        loop {
            self.control.check()?;
            let now = std::time::Instant::now();
            let left = match end {
                Some(end) if end > now => end - now,
                Some(_) => return Ok(()),
                None => NAP,
            };
            std::thread::sleep(left.min(NAP));
        }
    }

    fn check_killed(&self) -> Result<(), ArangoError> {
        self.control.check()
    }

    fn charge(&mut self, bytes: usize) -> Result<(), ArangoError> {
        // A function's result is mostly handed on and dropped: it counts against the limit, and is given back at once.
        self.charge_bytes(bytes)?;
        self.release(bytes);
        Ok(())
    }
}
