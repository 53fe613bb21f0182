//! Documents on their way into a collection: keys, system attributes, merging, revisions.

use std::sync::Arc;

use super::clock::Clock;
use super::collection::{Collection, CollectionKind};
use super::computed::{Compute, Event};
use super::keys::{illegal_key, is_legal_key, split_id};
use crate::error::{ArangoError, number};
use crate::value::{Object, SYSTEM_ATTRIBUTES, Value};

/// What an insert does where the key exists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OverwriteMode {
    /// Fail with 1210.
    #[default]
    Conflict,
    /// Keep the document that is there.
    Ignore,
    /// Put the new document in its place.
    Replace,
    /// Merge the new document into it.
    Update,
}

impl OverwriteMode {
    /// Reads `conflict`, `ignore`, `replace` or `update`.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "conflict" => Some(OverwriteMode::Conflict),
            "ignore" => Some(OverwriteMode::Ignore),
            "replace" => Some(OverwriteMode::Replace),
            "update" => Some(OverwriteMode::Update),
            _ => None,
        }
    }
}

/// How a write behaves.
#[derive(Clone, Copy, Debug)]
pub struct WriteOptions {
    /// For inserts.
    pub overwrite: OverwriteMode,
    /// Whether an update stores `null` attributes or removes them.
    pub keep_null: bool,
    /// Whether an update merges objects or replaces them.
    pub merge_objects: bool,
    /// Whether a `_rev` in the document is ignored instead of compared.
    pub ignore_revs: bool,
}

impl Default for WriteOptions {
    fn default() -> Self {
        WriteOptions {
            overwrite: OverwriteMode::Conflict,
            keep_null: true,
            merge_objects: true,
            ignore_revs: true,
        }
    }
}

/// What a write did.
#[derive(Clone, Debug)]
pub struct Written {
    /// The key.
    pub key: Arc<str>,
    /// The document before, where there was one.
    pub old: Option<Value>,
    /// The document after, but for a removal. With [`OverwriteMode::Ignore`] the document that stayed.
    pub new: Option<Value>,
    /// Whether nothing was written, because of [`OverwriteMode::Ignore`].
    pub ignored: bool,
}

/// A document that passed the checks, with its key.
pub(crate) struct Prepared {
    pub(crate) key: Arc<str>,
    pub(crate) document: Value,
}

/// The document that an insert stores.
pub(crate) fn prepare_insert(
    collection: &Collection,
    document: &Value,
    clock: &Clock,
    compute: Option<&Compute>,
) -> Result<Prepared, ArangoError> {
    let given = as_document(document)?;
    let keys = &collection.meta.keys;
    let key: Arc<str> = match given.get("_key") {
        None => Arc::from(keys.generate(clock)?),
        Some(Value::String(key)) if is_legal_key(key) => {
            if !keys.allow_user_keys {
                return Err(ArangoError::new(
                    number::DOCUMENT_KEY_UNEXPECTED,
                    "collection does not allow using user-defined keys",
                ));
            }
            keys.track(key);
            Arc::clone(key)
        }
        Some(_) => return Err(illegal_key()),
    };
    let mut out = system_attributes(collection, &key, edge_ends(collection, given, None)?, clock);
    copy_attributes(given, &mut out);
    compute_values(collection, compute, Event::Insert, &mut out)?;
    let document = checked(collection, None, out)?;
    Ok(Prepared { key, document })
}

/// The document that a replacement stores.
pub(crate) fn prepare_replace(
    collection: &Collection,
    old: &Value,
    document: &Value,
    clock: &Clock,
    compute: Option<&Compute>,
) -> Result<Value, ArangoError> {
    let given = as_document(document)?;
    let key = key_of(old)?;
    let mut out = system_attributes(collection, &key, edge_ends(collection, given, None)?, clock);
    copy_attributes(given, &mut out);
    compute_values(collection, compute, Event::Replace, &mut out)?;
    checked(collection, Some(old), out)
}

/// The document that an update stores.
pub(crate) fn prepare_update(
    collection: &Collection,
    old: &Value,
    patch: &Value,
    options: &WriteOptions,
    clock: &Clock,
    compute: Option<&Compute>,
) -> Result<Value, ArangoError> {
    let given = as_document(patch)?;
    let before = as_document(old)?;
    let key = key_of(old)?;
    let mut out = system_attributes(
        collection,
        &key,
        edge_ends(collection, given, Some(before))?,
        clock,
    );
    copy_attributes(before, &mut out);
    for (name, value) in given
        .iter()
        .filter(|(name, _)| !SYSTEM_ATTRIBUTES.contains(&&***name))
    {
        merge_attribute(&mut out, name, value, options);
    }
    compute_values(collection, compute, Event::Update, &mut out)?;
    checked(collection, Some(old), out)
}

/// The document, if the collection's schema lets it in.
fn checked(
    collection: &Collection,
    old: Option<&Value>,
    new: Object,
) -> Result<Value, ArangoError> {
    let new = Value::object(new);
    if let Some(schema) = &collection.meta.schema {
        schema.check(old, &new)?;
    }
    Ok(new)
}

/// Refuses a write whose expected revision is not the document's.
pub(crate) fn check_revision(old: &Value, expected: Option<&str>) -> Result<(), ArangoError> {
    match expected {
        Some(expected) if old.get("_rev").as_str() != Some(expected) => Err(ArangoError::new(
            number::CONFLICT,
            "conflict, _rev values do not match",
        )),
        _ => Ok(()),
    }
}

/// The error for a document that somebody else has changed.
pub(crate) fn write_conflict(key: &str) -> ArangoError {
    ArangoError::new(
        number::CONFLICT,
        format!("write-write conflict; key: {key}"),
    )
}

/// The error for a key that exists.
pub(crate) fn key_exists(key: &str) -> ArangoError {
    ArangoError::new(
        number::UNIQUE_CONSTRAINT_VIOLATED,
        format!(
            "unique constraint violated - in index primary of type primary over '_key'; conflicting key: {key}"
        ),
    )
}

fn as_document(value: &Value) -> Result<&Object, ArangoError> {
    value
        .as_object()
        .ok_or_else(|| ArangoError::new(number::DOCUMENT_TYPE_INVALID, "invalid document type"))
}

fn key_of(document: &Value) -> Result<Arc<str>, ArangoError> {
    match document.get("_key") {
        Value::String(key) => Ok(key),
        _ => Err(illegal_key()),
    }
}

/// `_key`, `_id`, `_from` and `_to` of an edge, `_rev`: in the order in which the real server keeps them.
fn system_attributes(
    collection: &Collection,
    key: &Arc<str>,
    ends: Option<(Value, Value)>,
    clock: &Clock,
) -> Object {
    let mut out = Object::default();
    out.insert("_key", Value::String(Arc::clone(key)));
    out.insert(
        "_id",
        Value::from(format!("{}/{key}", collection.meta.name)),
    );
    if let Some((from, to)) = ends {
        out.insert("_from", from);
        out.insert("_to", to);
    }
    out.insert("_rev", Value::from(clock.next_revision()));
    out
}

/// `_from` and `_to` for an edge collection, from the given attributes or else from the edge before.
fn edge_ends(
    collection: &Collection,
    given: &Object,
    before: Option<&Object>,
) -> Result<Option<(Value, Value)>, ArangoError> {
    if collection.meta.kind != CollectionKind::Edge {
        return Ok(None);
    }
    let end = |name: &str| {
        let value = given
            .get(name)
            .or_else(|| before.and_then(|edge| edge.get(name)));
        match value {
            Some(Value::String(id)) if split_id(id).is_some() => Ok(Value::String(Arc::clone(id))),
            _ => Err(ArangoError::new(
                number::INVALID_EDGE_ATTRIBUTE,
                "edge attribute missing or invalid",
            )),
        }
    };
    Ok(Some((end("_from")?, end("_to")?)))
}

fn copy_attributes(from: &Object, to: &mut Object) {
    for (name, value) in from.iter() {
        let is_set = SYSTEM_ATTRIBUTES.contains(&&**name)
            && (to.contains(name) || matches!(&**name, "_key" | "_id" | "_rev"));
        if !is_set && !name.is_empty() {
            to.insert(Arc::clone(name), value.clone());
        }
    }
}

fn merge_attribute(out: &mut Object, name: &Arc<str>, value: &Value, options: &WriteOptions) {
    if value.is_null() && !options.keep_null {
        out.remove(name);
        return;
    }
    let merged = match (out.get(name), value) {
        (Some(Value::Object(old)), Value::Object(new)) if options.merge_objects => {
            let mut merged = (**old).clone();
            for (name, value) in new.iter() {
                merge_attribute(&mut merged, name, value, options);
            }
            Value::object(merged)
        }
        (_, Value::Object(new)) if !options.keep_null => {
            let mut cleaned = Object::default();
            for (name, value) in new.iter() {
                merge_attribute(&mut cleaned, name, value, options);
            }
            Value::object(cleaned)
        }
        _ => value.clone(),
    };
    out.insert(Arc::clone(name), merged);
}

fn compute_values(
    collection: &Collection,
    compute: Option<&Compute>,
    event: Event,
    document: &mut Object,
) -> Result<(), ArangoError> {
    for value in collection.meta.computed.iter() {
        value.apply(compute, event, document)?;
    }
    Ok(())
}
