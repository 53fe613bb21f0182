//! One database: its state, changes of its structure, and the commit of transactions.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use super::analyzer::Analyzer;
use super::clock::Clock;
use super::collection::{Collection, CollectionKind, CollectionMeta, CollectionOptions};
use super::computed::Compute;
use super::derived::Derived;
use super::index::{IndexDefinition, IndexKind, index_not_found};
use super::locks::LockTable;
use super::snapshot::Snapshot;
use super::txn::Change;
use super::view::{View, ViewKind};
use crate::error::{ArangoError, number};
use crate::value::Value;

/// Collections that every database has.
const SYSTEM_COLLECTIONS: [&str; 8] = [
    "_analyzers",
    "_appbundles",
    "_apps",
    "_aqlfunctions",
    "_frontend",
    "_graphs",
    "_jobs",
    "_queues",
];

/// The longest name of a collection or view, in bytes.
const MAX_NAME_BYTES: usize = 256;

/// A database. Changes of its structure are visible at once; documents change through [`Txn`](super::Txn).
#[derive(Debug)]
pub struct Database {
    id: u64,
    name: String,
    clock: Arc<Clock>,
    compute: Arc<OnceLock<Compute>>,
    state: RwLock<Snapshot>,
    locks: Arc<LockTable>,
    derived: Derived,
}

impl Database {
    pub(crate) fn new(
        id: u64,
        name: &str,
        clock: Arc<Clock>,
        compute: Arc<OnceLock<Compute>>,
    ) -> Self {
        let mut state = Snapshot::default();
        let users = (name == "_system").then_some("_users");
        for system in SYSTEM_COLLECTIONS.into_iter().chain(users) {
            let options = CollectionOptions {
                is_system: true,
                ..CollectionOptions::of(CollectionKind::Document)
            };
            let collection = Collection::new(system, options, &clock);
            state
                .collections
                .insert_mut(Arc::from(system), Arc::new(collection));
        }
        Database {
            id,
            name: name.to_owned(),
            clock,
            compute,
            state: RwLock::new(state),
            locks: Arc::default(),
            derived: Derived::default(),
        }
    }

    /// The id; 1 for `_system`.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The state as it is now.
    pub fn snapshot(&self) -> Snapshot {
        self.state
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.clock
    }

    pub(crate) fn locks(&self) -> &Arc<LockTable> {
        &self.locks
    }

    /// What was computed from collections and is kept.
    pub(crate) fn derived(&self) -> &Derived {
        &self.derived
    }

    pub(crate) fn compute(&self) -> Option<Compute> {
        self.compute.get().cloned()
    }

    /// Creates a collection.
    ///
    /// # Errors
    /// 400/1208 for an illegal name, 409/1207 for one that is taken.
    pub fn create_collection(
        &self,
        name: &str,
        options: CollectionOptions,
    ) -> Result<Arc<Collection>, ArangoError> {
        check_name(name, options.is_system)?;
        self.change(|state| {
            require_free(state, name)?;
            let collection = Arc::new(Collection::new(name, options, &self.clock));
            state
                .collections
                .insert_mut(Arc::clone(&collection.meta.name), Arc::clone(&collection));
            Ok(collection)
        })
    }

    /// Drops a collection with its indexes and links.
    ///
    /// # Errors
    /// 404/1203 for an unknown one, 403/11 for one of the server's own unless `system` is set.
    pub fn drop_collection(
        &self,
        name: &str,
        system: bool,
    ) -> Result<Arc<Collection>, ArangoError> {
        self.change(|state| {
            let collection = found(state, name)?;
            if collection.meta.is_system && !system
                || SYSTEM_COLLECTIONS.contains(&&*collection.meta.name)
            {
                return Err(ArangoError::forbidden());
            }
            state.collections.remove_mut(&collection.meta.name);
            let views: Vec<Arc<View>> = state.views.values().cloned().collect();
            let gone = Value::object(
                [(Arc::clone(&collection.meta.name), Value::Null)]
                    .into_iter()
                    .collect(),
            );
            let body = Value::object([("links", gone)].into_iter().collect());
            for view in views
                .iter()
                .filter(|view| view.kind == ViewKind::ArangoSearch)
            {
                let changed = view.changed(&body, false, state)?;
                state
                    .views
                    .insert_mut(Arc::clone(&view.name), Arc::new(changed));
            }
            Ok(collection)
        })
    }

    /// Gives a collection another name. Ids of its documents change with it.
    ///
    /// # Errors
    /// 1203, 1207 and 1208 as for creating; 403/11 for one of the server's own.
    pub fn rename_collection(
        &self,
        name: &str,
        new_name: &str,
    ) -> Result<Arc<Collection>, ArangoError> {
        check_name(new_name, false)?;
        self.change(|state| {
            let collection = found(state, name)?;
            if collection.meta.is_system {
                return Err(ArangoError::forbidden());
            }
            require_free(state, new_name)?;
            let mut renamed = (*collection).clone();
            renamed.meta = Arc::new(CollectionMeta {
                name: Arc::from(new_name),
                ..(*collection.meta).clone()
            });
            for document in collection.scan() {
                if let (Value::Object(object), Value::String(key)) =
                    (&document, document.get("_key"))
                {
                    let mut object = (**object).clone();
                    object.insert("_id", Value::from(format!("{new_name}/{key}")));
                    renamed.store(&key, self.clock.next_id(), Value::object(object))?;
                }
            }
            let renamed = Arc::new(renamed);
            state.collections.remove_mut(&collection.meta.name);
            state
                .collections
                .insert_mut(Arc::from(new_name), Arc::clone(&renamed));
            Ok(renamed)
        })
    }

    /// Changes properties of a collection.
    ///
    /// # Errors
    /// 404/1203 for an unknown one.
    pub fn alter_collection(
        &self,
        name: &str,
        alter: impl FnOnce(&mut CollectionMeta),
    ) -> Result<Arc<Collection>, ArangoError> {
        self.change_collection(name, |collection| {
            let mut meta = (*collection.meta).clone();
            alter(&mut meta);
            collection.meta = Arc::new(meta);
            Ok(())
        })
        .map(|(collection, ())| collection)
    }

    /// Creates an index from the body of a request, or finds an equal one; whether it is new is the second part.
    ///
    /// # Errors
    /// 1203 for an unknown collection, 10 for a bad definition, 1207 for a name that is taken, 1210 where documents violate it.
    pub fn ensure_index(
        &self,
        collection: &str,
        body: &Value,
    ) -> Result<(Arc<Collection>, Arc<IndexDefinition>, bool), ArangoError> {
        let snapshot = self.snapshot();
        let definition =
            IndexDefinition::parse(body, self.clock.next_id(), |name| snapshot.analyzer(name))?;
        let (collection, (definition, is_new)) =
            self.change_collection(collection, |c| c.ensure_index(definition))?;
        Ok((collection, definition, is_new))
    }

    /// Drops an index, given by number or name.
    ///
    /// # Errors
    /// 1203 for an unknown collection, 1212 for an unknown index, 403/11 for a built-in one.
    pub fn drop_index(
        &self,
        collection: &str,
        index: &str,
    ) -> Result<Arc<IndexDefinition>, ArangoError> {
        self.change_collection(collection, |collection| {
            let same = |i: &IndexDefinition| i.name == index || i.id.to_string() == index;
            let at = collection
                .indexes
                .iter()
                .position(|i| same(&i.definition))
                .ok_or_else(index_not_found)?;
            let definition = collection
                .indexes
                .get(at)
                .map(|i| Arc::clone(&i.definition))
                .ok_or_else(index_not_found)?;
            if matches!(definition.kind, IndexKind::Primary | IndexKind::Edge) {
                return Err(ArangoError::forbidden());
            }
            collection.indexes.remove(at);
            Ok(definition)
        })
        .map(|(_, definition)| definition)
    }

    /// Creates a view from the body of a request.
    ///
    /// # Errors
    /// 1207 and 1208 as for collections, 10 and 1203 for its links.
    pub fn create_view(
        &self,
        name: &str,
        kind: ViewKind,
        body: &Value,
    ) -> Result<Arc<View>, ArangoError> {
        check_name(name, false)?;
        self.change(|state| {
            require_free(state, name)?;
            let view = Arc::new(View::new(self.clock.next_id(), name, kind, body, state)?);
            state
                .views
                .insert_mut(Arc::clone(&view.name), Arc::clone(&view));
            Ok(view)
        })
    }

    /// Changes settings of a view: all of them, or those that the body names.
    ///
    /// # Errors
    /// 1203 for an unknown view, and those of creating.
    pub fn alter_view(
        &self,
        name: &str,
        body: &Value,
        replace: bool,
    ) -> Result<Arc<View>, ArangoError> {
        self.change(|state| {
            let view = state
                .view(name)
                .cloned()
                .ok_or_else(|| ArangoError::data_source_not_found(name))?;
            let changed = Arc::new(view.changed(body, replace, state)?);
            state
                .views
                .insert_mut(Arc::clone(&view.name), Arc::clone(&changed));
            Ok(changed)
        })
    }

    /// Gives a view another name.
    ///
    /// # Errors
    /// 1203, 1207 and 1208.
    pub fn rename_view(&self, name: &str, new_name: &str) -> Result<Arc<View>, ArangoError> {
        check_name(new_name, false)?;
        self.change(|state| {
            let view = state
                .view(name)
                .cloned()
                .ok_or_else(|| ArangoError::data_source_not_found(name))?;
            require_free(state, new_name)?;
            let renamed = Arc::new(view.renamed(new_name));
            state.views.remove_mut(&view.name);
            state
                .views
                .insert_mut(Arc::from(new_name), Arc::clone(&renamed));
            Ok(renamed)
        })
    }

    /// Drops a view.
    ///
    /// # Errors
    /// 404/1203 for an unknown one.
    pub fn drop_view(&self, name: &str) -> Result<(), ArangoError> {
        self.change(|state| {
            let view = state
                .view(name)
                .cloned()
                .ok_or_else(|| ArangoError::data_source_not_found(name))?;
            state.views.remove_mut(&view.name);
            Ok(())
        })
    }

    /// Creates an analyzer, or finds an equal one; whether it is new is the second part.
    ///
    /// # Errors
    /// 400/10 for a bad definition, or another definition under that name.
    pub fn create_analyzer(&self, body: &Value) -> Result<(Arc<Analyzer>, bool), ArangoError> {
        let analyzer = Analyzer::parse(body)?;
        self.change(|state| match state.analyzer(&analyzer.name) {
            Some(existing) if *existing == analyzer => Ok((existing, false)),
            Some(_) => Err(ArangoError::bad_parameter(format!(
                "name collision detected while registering analyzer `{}` with other properties",
                analyzer.name
            ))),
            None => {
                let analyzer = Arc::new(analyzer);
                state
                    .analyzers
                    .insert_mut(Arc::clone(&analyzer.name), Arc::clone(&analyzer));
                Ok((analyzer, true))
            }
        })
    }

    /// Drops an analyzer; with `force` also one that a view or an index names.
    ///
    /// # Errors
    /// 404/1202 for an unknown one, 403/11 for a built-in one, 409/1200 for one in use.
    pub fn drop_analyzer(&self, name: &str, force: bool) -> Result<Arc<Analyzer>, ArangoError> {
        self.change(|state| {
            let analyzer = state
                .analyzer(name)
                .ok_or_else(ArangoError::document_not_found)?;
            if analyzer.built_in {
                return Err(ArangoError::forbidden());
            }
            if !force && is_in_use(state, &analyzer.full_name(&self.name), &analyzer.name) {
                let message = format!(
                    "analyzer in-use while removing arangosearch analyzer '{}'",
                    analyzer.full_name(&self.name)
                );
                return Err(ArangoError::new(number::CONFLICT, message));
            }
            state.analyzers.remove_mut(&analyzer.name);
            // Another analyzer may come under the name.
            self.derived.clear();
            Ok(analyzer)
        })
    }

    /// Makes a transaction's writes part of the state, or none of them.
    pub(crate) fn commit(
        &self,
        base: &Snapshot,
        working: &BTreeMap<Arc<str>, Collection>,
        changes: &[Change],
    ) -> Result<(), ArangoError> {
        self.change(|state| {
            let is_changed = |name: &str| {
                changes.iter().any(|change| {
                    let (Change::Document { collection, .. } | Change::Truncate { collection }) =
                        change;
                    &**collection == name
                })
            };
            for (name, collection) in working.iter().filter(|(name, _)| is_changed(name)) {
                let current = state
                    .collections
                    .get(name)
                    .cloned()
                    .ok_or_else(|| ArangoError::data_source_not_found(name))?;
                let unchanged = base
                    .collections
                    .get(name)
                    .is_some_and(|b| b.version == current.version);
                let mut next = if unchanged {
                    collection.clone()
                } else {
                    merge(&current, collection, name, changes, &self.clock)?
                };
                next.version = self.clock.next_id();
                next.revision = Arc::from(self.clock.next_revision());
                state
                    .collections
                    .insert_mut(Arc::clone(name), Arc::new(next));
            }
            Ok(())
        })
    }

    /// Applies a change to a copy of the state, which becomes the state where the change succeeds.
    fn change<T>(
        &self,
        change: impl FnOnce(&mut Snapshot) -> Result<T, ArangoError>,
    ) -> Result<T, ArangoError> {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        let mut next = state.clone();
        let result = change(&mut next)?;
        *state = next;
        Ok(result)
    }

    fn change_collection<T>(
        &self,
        name: &str,
        change: impl FnOnce(&mut Collection) -> Result<T, ArangoError>,
    ) -> Result<(Arc<Collection>, T), ArangoError> {
        self.change(|state| {
            let mut collection = (*found(state, name)?).clone();
            let result = change(&mut collection)?;
            collection.version = self.clock.next_id();
            let collection = Arc::new(collection);
            state
                .collections
                .insert_mut(Arc::clone(&collection.meta.name), Arc::clone(&collection));
            Ok((collection, result))
        })
    }
}

/// The changes of a transaction over a collection that others have changed since it began.
fn merge(
    current: &Collection,
    mine: &Collection,
    name: &str,
    changes: &[Change],
    clock: &Clock,
) -> Result<Collection, ArangoError> {
    let mut next = current.clone();
    for change in changes {
        match change {
            Change::Truncate { collection } if &**collection == name => next.clear(),
            Change::Document {
                collection,
                key,
                base,
            } if &**collection == name => {
                let others = current.get(key).map(|document| document.get("_rev"));
                if others != *base {
                    return Err(super::write::write_conflict(key));
                }
                match mine.get(key) {
                    Some(document) => next.store(key, clock.next_id(), document)?,
                    None => {
                        next.discard(key);
                    }
                }
            }
            _ => {}
        }
    }
    Ok(next)
}

/// Whether a link of a view or an inverted index names an analyzer.
fn is_in_use(state: &Snapshot, full_name: &str, name: &str) -> bool {
    let views = state.views().map(|view| Value::object(view.properties()));
    let indexes = state.collections().flat_map(|collection| {
        let inverted = collection
            .indexes()
            .filter(|index| index.kind == IndexKind::Inverted);
        inverted.map(|index| Value::object(index.properties.clone()))
    });
    views
        .chain(indexes)
        .any(|definition| mentions(&definition, full_name, name))
}

/// Whether `analyzer` or `analyzers` somewhere within is, or holds, one of two names.
fn mentions(definition: &Value, full_name: &str, name: &str) -> bool {
    let is_name =
        |value: &Value| matches!(value.as_str(), Some(text) if text == full_name || text == name);
    match definition {
        Value::Array(items) => items.iter().any(|item| mentions(item, full_name, name)),
        Value::Object(object) => object.iter().any(|(attribute, value)| match &**attribute {
            "analyzer" => is_name(value),
            "analyzers" => value.as_array().unwrap_or_default().iter().any(is_name),
            _ => mentions(value, full_name, name),
        }),
        _ => false,
    }
}

fn found(state: &Snapshot, name: &str) -> Result<Arc<Collection>, ArangoError> {
    state
        .collection(name)
        .cloned()
        .ok_or_else(|| ArangoError::data_source_not_found(name))
}

fn require_free(state: &Snapshot, name: &str) -> Result<(), ArangoError> {
    if state.collections.contains_key(name) || state.views.contains_key(name) {
        return Err(ArangoError::new(number::DUPLICATE_NAME, "duplicate name"));
    }
    Ok(())
}

/// A legal name of a collection or view in the extended naming: no slash, no control characters, no blank at either end, no
/// digit first, an underscore first only for the server's own.
fn check_name(name: &str, is_system: bool) -> Result<(), ArangoError> {
    let first = name.chars().next();
    let legal = !name.is_empty()
        && name.len() <= MAX_NAME_BYTES
        && !name.contains('/')
        && !name.chars().any(char::is_control)
        && name.trim() == name
        && !first.is_some_and(|c| c.is_ascii_digit() || c == '.')
        && (first != Some('_') || is_system);
    if legal {
        Ok(())
    } else {
        Err(ArangoError::new(
            number::ILLEGAL_NAME,
            format!("illegal name: collection name invalid: `{name}`"),
        ))
    }
}
