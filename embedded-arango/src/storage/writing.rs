//! The writes of a transaction, into its own copy of a collection.

use std::sync::Arc;

use super::collection::Collection;
use super::locks::Mode;
use super::txn::{Change, Txn};
use super::write::{self, OverwriteMode, WriteOptions, Written};
use crate::error::ArangoError;
use crate::value::Value;

impl Txn {
    /// Inserts a document.
    ///
    /// # Errors
    /// 1210 for a key or unique value that exists, 1221 for an illegal key, 1227 for what is no object, 1233 for an edge
    /// without ends.
    pub fn insert(
        &mut self,
        collection: &str,
        document: &Value,
        options: &WriteOptions,
    ) -> Result<Written, ArangoError> {
        let database = Arc::clone(&self.database);
        let target = self.target(collection)?;
        if options.overwrite != OverwriteMode::Conflict
            && let Value::String(key) = document.get("_key")
            && target.documents.local_id(&key).is_some()
        {
            return self.overwrite(collection, &key, document, options);
        }
        let compute = database.compute();
        let prepared = write::prepare_insert(target, document, database.clock(), compute.as_ref())?;
        if target.documents.local_id(&prepared.key).is_some() {
            return Err(write::key_exists(&prepared.key));
        }
        self.put(collection, &prepared.key, None, prepared.document)
    }

    /// Merges attributes into a document.
    ///
    /// # Errors
    /// 1202 for an unknown key, 1200 for another revision where revisions count, and those of [`Txn::insert`].
    pub fn update(
        &mut self,
        collection: &str,
        key: &str,
        patch: &Value,
        options: &WriteOptions,
    ) -> Result<Written, ArangoError> {
        let database = Arc::clone(&self.database);
        let target = self.target(collection)?;
        let old = existing(target, key, patch, options)?;
        let (clock, compute) = (database.clock(), database.compute());
        let new = write::prepare_update(target, &old, patch, options, clock, compute.as_ref())?;
        self.put(collection, &Arc::from(key), Some(old), new)
    }

    /// Puts a document in the place of another.
    ///
    /// # Errors
    /// As [`Txn::update`].
    pub fn replace(
        &mut self,
        collection: &str,
        key: &str,
        document: &Value,
        options: &WriteOptions,
    ) -> Result<Written, ArangoError> {
        let database = Arc::clone(&self.database);
        let target = self.target(collection)?;
        let old = existing(target, key, document, options)?;
        let (clock, compute) = (database.clock(), database.compute());
        let new = write::prepare_replace(target, &old, document, clock, compute.as_ref())?;
        self.put(collection, &Arc::from(key), Some(old), new)
    }

    /// Removes a document; with `revision` only that version of it.
    ///
    /// # Errors
    /// 1202 for an unknown key, 1200 for another revision.
    pub fn remove(
        &mut self,
        collection: &str,
        key: &str,
        revision: Option<&str>,
    ) -> Result<Written, ArangoError> {
        let target = self.target(collection)?;
        let old = target
            .get(key)
            .ok_or_else(ArangoError::document_not_found)?;
        write::check_revision(&old, revision)?;
        self.check_others(collection, key)?;
        let target = self.target(collection)?;
        target.discard(key);
        let name = Arc::clone(&target.meta.name);
        let key: Arc<str> = Arc::from(key);
        self.note(name, &key);
        Ok(Written {
            key,
            old: Some(old),
            new: None,
            ignored: false,
        })
    }

    /// Removes all documents of a collection.
    ///
    /// # Errors
    /// 1203 for an unknown collection, 1652 for one that is not open for writing.
    pub fn truncate(&mut self, collection: &str) -> Result<(), ArangoError> {
        let target = self.target(collection)?;
        target.clear();
        let collection = Arc::clone(&target.meta.name);
        self.changes.push(Change::Truncate { collection });
        Ok(())
    }

    /// The transaction's own copy of a collection that is open for writing.
    fn target(&mut self, name: &str) -> Result<&mut Collection, ArangoError> {
        let collection = self
            .collection(name)
            .ok_or_else(|| ArangoError::data_source_not_found(name))?;
        let name = Arc::clone(&collection.meta.name);
        match self.declared.get(&name) {
            Some(Mode::Write | Mode::Exclusive) => {}
            _ => {
                return Err(ArangoError::unregistered_collection(
                    &name,
                    Mode::Write.name(),
                ));
            }
        }
        let first = self.snapshot.collections.get(&name);
        let first = first.ok_or_else(|| ArangoError::data_source_not_found(&name))?;
        Ok(self
            .working
            .entry(name)
            .or_insert_with(|| (**first).clone()))
    }

    /// Refuses to write a document that somebody else has changed since the beginning; the commit would refuse it anyway.
    fn check_others(&self, collection: &str, key: &str) -> Result<(), ArangoError> {
        let now = self.database.snapshot();
        let first = self.snapshot.collection(collection);
        let (Some(first), Some(now)) = (first, now.collection(collection)) else {
            return Ok(());
        };
        let revision = |collection: &Collection| {
            let document = collection.documents.get(key);
            document.map(|document| document.get("_rev"))
        };
        if Arc::ptr_eq(first, now) || revision(first) == revision(now) {
            return Ok(());
        }
        Err(write::write_conflict(key))
    }

    fn overwrite(
        &mut self,
        collection: &str,
        key: &str,
        document: &Value,
        options: &WriteOptions,
    ) -> Result<Written, ArangoError> {
        match options.overwrite {
            OverwriteMode::Update => self.update(collection, key, document, options),
            OverwriteMode::Replace => self.replace(collection, key, document, options),
            OverwriteMode::Ignore | OverwriteMode::Conflict => {
                let kept = self.get(collection, key);
                Ok(Written {
                    key: Arc::from(key),
                    old: kept.clone(),
                    new: kept,
                    ignored: true,
                })
            }
        }
    }

    fn put(
        &mut self,
        collection: &str,
        key: &Arc<str>,
        old: Option<Value>,
        new: Value,
    ) -> Result<Written, ArangoError> {
        let id = self.database.clock().next_id();
        self.check_others(collection, key)?;
        let target = self.target(collection)?;
        target.store(key, id, new.clone())?;
        let name = Arc::clone(&target.meta.name);
        self.note(name, key);
        Ok(Written {
            key: Arc::clone(key),
            old,
            new: Some(new),
            ignored: false,
        })
    }

    /// Remembers which document changed, and which version of it the transaction began with.
    fn note(&mut self, collection: Arc<str>, key: &Arc<str>) {
        let first = self.snapshot.collections.get(&collection);
        let base = first
            .and_then(|first| first.documents.get(key))
            .map(|document| document.get("_rev"));
        self.changes.push(Change::Document {
            collection,
            key: Arc::clone(key),
            base,
        });
    }
}

/// The document that a write changes, with the revision check that the options ask for.
fn existing(
    target: &Collection,
    key: &str,
    document: &Value,
    options: &WriteOptions,
) -> Result<Value, ArangoError> {
    let old = target
        .get(key)
        .ok_or_else(ArangoError::document_not_found)?;
    let expected = document.get("_rev");
    let expected = if options.ignore_revs {
        None
    } else {
        expected.as_str()
    };
    write::check_revision(&old, expected)?;
    Ok(old)
}
