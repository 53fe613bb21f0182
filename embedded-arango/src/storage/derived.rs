//! What is computed from the state of a collection, and kept until that state changes.
//!
//! Search and vector indexes are made when a query first needs them. What was made of an older state stays with the queries that
//! hold it, and goes when another of the same collection and definition comes.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use super::collection::Collection;
use crate::value::Value;

/// How many are kept; the one that was used longest ago goes first.
const KEPT: usize = 32;

type Anything = Arc<dyn Any + Send + Sync>;

struct Entry {
    collection: u64,
    version: u64,
    definition: Value,
    content: Anything,
}

/// What is kept in a database; the newest last.
#[derive(Default)]
pub(crate) struct Derived(Mutex<Vec<Entry>>);

impl std::fmt::Debug for Derived {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Derived")
    }
}

impl Derived {
    /// What was made of this state of a collection by a definition.
    pub(crate) fn get<T: Any + Send + Sync>(
        &self,
        collection: &Collection,
        definition: &Value,
    ) -> Option<Arc<T>> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = entries.iter().position(|entry| {
            entry.collection == collection.meta.id
                && entry.version == collection.version
                && entry.definition == *definition
                && entry.content.is::<T>()
        })?;
        let entry = entries.remove(at);
        let content = Arc::clone(&entry.content);
        entries.push(entry);
        content.downcast().ok()
    }

    /// Keeps it in the place of what was made of another state.
    pub(crate) fn keep<T: Any + Send + Sync>(
        &self,
        collection: &Collection,
        definition: &Value,
        content: Arc<T>,
    ) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|entry| {
            entry.collection != collection.meta.id
                || entry.definition != *definition
                || !entry.content.is::<T>()
        });
        if entries.len() >= KEPT {
            entries.remove(0);
        }
        entries.push(Entry {
            collection: collection.meta.id,
            version: collection.version,
            definition: definition.clone(),
            content,
        });
    }

    /// Forgets everything: what else it was made of has changed.
    pub(crate) fn clear(&self) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.clear();
    }
}
