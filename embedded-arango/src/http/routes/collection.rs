//! `/_api/collection`: create, list, describe, change, drop.

use std::sync::Arc;

use axum::http::{Method, header};
use sha2::{Digest, Sha256};

use crate::error::{ArangoError, number};
use crate::http::reply::{Reply, fields};
use crate::http::request::Call;
use crate::schema::Schema;
use crate::storage::{
    Collection, CollectionKind, CollectionOptions, ComputedValue, KeyOptions, Level, Mode,
};
use crate::value::{Object, Value};

pub(super) fn answer(call: &Call, path: &[&str]) -> Result<Reply, ArangoError> {
    match (&call.method, path) {
        (&Method::GET, []) => Ok(list(call)),
        (&Method::POST, []) => create(call),
        (&Method::GET, [name]) => {
            let collection = find(call, name, false)?;
            Ok(Reply::first(200, summary(&collection)))
        }
        (&Method::DELETE, [name]) => {
            call.require_database(Level::ReadWrite)?;
            let collection = find(call, name, true)?;
            let system = call.flag("isSystem") == Some(true);
            call.database
                .drop_collection(&collection.meta().name, system)?;
            Ok(Reply::first(200, fields([("id", id(&collection))])))
        }
        (&Method::GET, [name, detail]) => {
            let collection = find(call, name, false)?;
            Ok(located(call, describe(call, &collection, detail)?))
        }
        (&Method::PUT, [name, action]) => Ok(located(call, act(call, name, action)?)),
        (_, [] | [_] | [_, _]) => Err(call.wrong_method()),
        _ => Err(call.unknown_path()),
    }
}

/// The collection with a name or id that the user may read, or write.
pub(super) fn find(call: &Call, name: &str, write: bool) -> Result<Arc<Collection>, ArangoError> {
    let snapshot = call.database.snapshot();
    let collection = snapshot
        .collection(name)
        .ok_or_else(|| ArangoError::data_source_not_found(name))?;
    call.require_collection(&collection.meta().name, write)?;
    Ok(Arc::clone(collection))
}

fn located(call: &Call, reply: Reply) -> Reply {
    reply.with(header::LOCATION, call.location(&call.target.path))
}

fn id(collection: &Collection) -> Value {
    Value::from(collection.meta().id.to_string())
}

/// The short description, in the order of `GET /_api/collection/<name>`.
fn summary(collection: &Collection) -> Object {
    let meta = collection.meta();
    fields([
        ("globallyUniqueId", collection.globally_unique_id()),
        ("isSystem", Value::Bool(meta.is_system)),
        ("status", Value::Int(3)),
        ("type", Value::Int(meta.kind.number())),
        ("name", Value::string(&meta.name)),
        ("id", id(collection)),
    ])
}

fn list(call: &Call) -> Reply {
    let without_system = call.flag("excludeSystem") == Some(true);
    let snapshot = call.database.snapshot();
    let shown = snapshot.collections().filter(|collection| {
        let meta = collection.meta();
        !(without_system && meta.is_system)
            && (call.user.collection_level(call.database.name(), &meta.name) > Level::None
                || meta.is_system)
    });
    let rows = shown.map(|collection| {
        let meta = collection.meta();
        Value::object(fields([
            ("id", id(collection)),
            ("name", Value::string(&meta.name)),
            ("status", Value::Int(3)),
            ("type", Value::Int(meta.kind.number())),
            ("isSystem", Value::Bool(meta.is_system)),
            ("globallyUniqueId", collection.globally_unique_id()),
        ]))
    });
    Reply::result(200, Value::array(rows.collect()))
}

fn create(call: &Call) -> Result<Reply, ArangoError> {
    call.require_database(Level::ReadWrite)?;
    let body = call.json_object()?;
    let name = body.get("name");
    let name = name.as_str().ok_or_else(|| {
        ArangoError::new(
            number::ILLEGAL_NAME,
            "illegal name: collection name missing",
        )
    })?;
    let kind = match body.get("type") {
        Value::Null | Value::Int(2) => CollectionKind::Document,
        Value::Int(3) => CollectionKind::Edge,
        Value::String(text) if &*text == "edge" => CollectionKind::Edge,
        Value::String(text) if &*text == "document" => CollectionKind::Document,
        _ => {
            return Err(ArangoError::new(
                number::COLLECTION_TYPE_INVALID,
                "invalid collection type, expecting 2 or 3",
            ));
        }
    };
    let schema = Schema::parse(&body.get("schema"))?;
    let options = CollectionOptions {
        kind: Some(kind),
        is_system: body.get("isSystem").is_true() && name.starts_with('_'),
        wait_for_sync: body.get("waitForSync").is_true(),
        cache_enabled: body.get("cacheEnabled").is_true(),
        keys: KeyOptions::parse(&body.get("keyOptions"))?,
        schema,
        computed: ComputedValue::parse_all(&body.get("computedValues"))?,
    };
    let collection = call.database.create_collection(name, options)?;
    Ok(Reply::first(200, collection.properties()))
}

fn describe(call: &Call, collection: &Collection, detail: &str) -> Result<Reply, ArangoError> {
    let count = call.work(&collection.meta().name, Mode::Read, |txn| {
        Ok(txn.count(&collection.meta().name))
    });
    let mut body = collection.properties();
    match detail {
        "properties" => {}
        "count" => insert_before(&mut body, "cacheEnabled", "count", integer(count?)),
        "figures" => {
            let size = collection
                .scan()
                .map(|document| document.to_json_text().len())
                .sum::<usize>();
            insert_before(&mut body, "cacheEnabled", "count", integer(count?));
            let indexes = fields([
                ("count", integer(collection.indexes().count())),
                ("size", integer(0)),
            ]);
            let figures = fields([
                ("indexes", Value::object(indexes)),
                ("documentsSize", integer(size)),
                ("cacheInUse", Value::Bool(false)),
                ("cacheSize", Value::Int(0)),
                ("cacheUsage", Value::Int(0)),
            ]);
            let mut all = fields([("figures", Value::object(figures))]);
            all.extend(body);
            body = all;
        }
        "revision" => {
            body.insert("revision", Value::string(collection.revision()));
        }
        "checksum" => {
            body = fields([
                ("revision", Value::string(collection.revision())),
                ("checksum", Value::from(checksum(call, collection))),
            ]);
            body.extend(summary(collection));
        }
        "shards" | "responsibleShard" => {
            return Err(ArangoError::new(
                number::NOT_IMPLEMENTED,
                "shards API is only available in a cluster",
            ));
        }
        _ => return Err(call.unknown_path()),
    }
    Ok(Reply::first(200, body))
}

/// Independent of the order of the documents, as in the real server: a sum over them. `withRevisions` and `withData` say
/// what of a document counts beside its key.
fn checksum(call: &Call, collection: &Collection) -> String {
    let with_revisions = call.flag("withRevisions") == Some(true);
    let with_data = call.flag("withData") == Some(true);
    let sum = collection.scan().fold(0u64, |sum, document| {
        let mut hasher = Sha256::new();
        hasher.update(document.get("_key").to_text());
        if with_revisions {
            hasher.update(document.get("_rev").to_text());
        }
        if with_data {
            let mut data = document.as_object().cloned().unwrap_or_default();
            data.remove("_rev");
            hasher.update(Value::object(data).to_json_text());
        }
        let digest: [u8; 32] = hasher.finalize().into();
        let [a, b, c, d, e, f, g, h, ..] = digest;
        sum.wrapping_add(u64::from_le_bytes([a, b, c, d, e, f, g, h]))
    });
    sum.to_string()
}

fn act(call: &Call, name: &str, action: &str) -> Result<Reply, ArangoError> {
    let collection = find(
        call,
        name,
        !matches!(action, "load" | "unload" | "loadIndexesIntoMemory"),
    )?;
    let name = &collection.meta().name;
    match action {
        "truncate" => {
            call.work(name, Mode::Exclusive, |txn| txn.truncate(name))?;
            Ok(Reply::first(200, summary(&collection)))
        }
        "compact" | "recalculateCount" | "load" | "unload" => {
            let mut body = summary(&collection);
            if action == "load" {
                body.insert("count", integer(collection.count()));
            }
            if action == "recalculateCount" {
                body = fields([
                    ("result", Value::Bool(true)),
                    ("count", integer(collection.count())),
                ]);
            }
            Ok(Reply::first(200, body))
        }
        "loadIndexesIntoMemory" => Ok(Reply::result(200, Value::Bool(true))),
        "properties" => {
            let body = call.json_object()?;
            let schema = Schema::parse(&body.get("schema"))?;
            let computed = ComputedValue::parse_all(&body.get("computedValues"))?;
            let changed = call.database.alter_collection(name, |meta| {
                meta.wait_for_sync = body
                    .get("waitForSync")
                    .as_bool()
                    .unwrap_or(meta.wait_for_sync);
                meta.cache_enabled = body
                    .get("cacheEnabled")
                    .as_bool()
                    .unwrap_or(meta.cache_enabled);
                if !matches!(body.get("schema"), Value::Null) {
                    meta.schema = schema;
                }
                if !body.get("computedValues").is_null() {
                    meta.computed = Arc::new(computed);
                }
            })?;
            Ok(Reply::first(200, changed.properties()))
        }
        "rename" => {
            call.require_database(Level::ReadWrite)?;
            let body = call.json_object()?;
            let new_name = body.get("name");
            let new_name = new_name.as_str().ok_or_else(|| {
                ArangoError::new(number::ILLEGAL_NAME, "illegal name: name is missing")
            })?;
            let renamed = call.database.rename_collection(name, new_name)?;
            Ok(Reply::first(200, summary(&renamed)))
        }
        _ => Err(call.unknown_path()),
    }
}

fn integer(n: usize) -> Value {
    Value::Int(i64::try_from(n).unwrap_or(i64::MAX))
}

/// Inserts an attribute in front of another, where the real server has it.
fn insert_before(object: &mut Object, before: &str, name: &str, value: Value) {
    let mut out = Object::default();
    for (old, old_value) in object.iter() {
        if &**old == before {
            out.insert(name, value.clone());
        }
        out.insert(Arc::clone(old), old_value.clone());
    }
    out.insert(name, value);
    *object = out;
}
