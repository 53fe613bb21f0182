//! What asks the query, the database or the server: documents, counts, users, waiting, failing, warning.

use std::time::Duration;

use super::arguments::{arg, text};
use super::{Context, Function, pure, volatile};
use crate::error::ArangoError;
use crate::schema::Schema;
use crate::value::{Object, Value};

type Outcome = Result<Value, ArangoError>;

const FAIL_CALLED: u16 = 1569;
const ASSERTION: u16 = 1593;
const WARNING: u16 = 1594;

pub(super) const TABLE: &[Function] = &[
    volatile("ASSERT", 2, 2, assert),
    volatile("CHECK_DOCUMENT", 1, 1, |_, args| {
        Ok(Value::Bool(arg(args, 0).as_object().is_some()))
    }),
    volatile("COLLECTIONS", 0, 0, collections),
    volatile("COLLECTION_COUNT", 1, 1, collection_count),
    pure("CURRENT_DATABASE", 0, 0, |ctx, _| {
        Ok(Value::from(ctx.host.database()))
    }),
    pure("CURRENT_USER", 0, 0, |ctx, _| {
        Ok(ctx.host.user().map_or(Value::Null, Value::from))
    }),
    volatile("DOCUMENT", 1, 2, document),
    volatile("FAIL", 0, 1, fail),
    pure("FIRST_DOCUMENT", 1, usize::MAX, |_, args| {
        Ok(first(args, |value| value.as_object().is_some()))
    }),
    pure("FIRST_LIST", 1, usize::MAX, |_, args| {
        Ok(first(args, |value| value.as_array().is_some()))
    }),
    pure("NOEVAL", 1, 1, |_, args| Ok(arg(args, 0).clone())),
    volatile("NOOPT", 1, 1, |_, args| Ok(arg(args, 0).clone())),
    pure("NOT_NULL", 1, usize::MAX, |_, args| {
        Ok(first(args, |value| !value.is_null()))
    }),
    pure("PASSTHRU", 1, 1, |_, args| Ok(arg(args, 0).clone())),
    volatile("SCHEMA_GET", 1, 1, schema_get),
    volatile("SCHEMA_VALIDATE", 2, 2, schema_validate),
    volatile("SLEEP", 1, 1, sleep),
    pure("VERSION", 0, 0, |ctx, _| {
        Ok(Value::from(ctx.host.version()))
    }),
    volatile("WARN", 2, 2, warn),
];

fn first(args: &[Value], fits: fn(&Value) -> bool) -> Value {
    args.iter()
        .find(|value| fits(value))
        .cloned()
        .unwrap_or_default()
}

/// `DOCUMENT(id)`, `DOCUMENT([id, …])`, and either with a collection's name before, which then also takes keys. An
/// array leaves out what is not there.
fn document(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let (collection, ids) = match args {
        [collection, ids] => match collection {
            Value::String(name) => (Some(&**name), ids),
            _ => return ctx.invalid("DOCUMENT"),
        },
        _ => (None, arg(args, 0)),
    };
    match ids {
        Value::String(id) => Ok(read(ctx, collection, id)?.unwrap_or_default()),
        Value::Array(items) => {
            let mut out = Vec::new();
            for (step, id) in items.iter().filter_map(Value::as_str).enumerate() {
                ctx.tick(step)?;
                out.extend(read(ctx, collection, id)?);
            }
            Ok(Value::array(out))
        }
        _ => Ok(Value::Null),
    }
}

fn read(
    ctx: &mut Context<'_>,
    collection: Option<&str>,
    id: &str,
) -> Result<Option<Value>, ArangoError> {
    match (collection, id.split_once('/')) {
        (None, None) => Ok(None),
        (None, Some(_)) => ctx.host.document(id),
        (Some(collection), None) => ctx.host.document(&format!("{collection}/{id}")),
        // An identifier of another collection is in this one not there.
        (Some(collection), Some((other, _))) if collection != other => Ok(None),
        (Some(_), Some(_)) => ctx.host.document(id),
    }
}

fn collection_count(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    match arg(args, 0) {
        Value::String(name) => ctx.host.collection_count(name).map(Value::Int),
        _ => ctx.invalid("COLLECTION_COUNT"),
    }
}

fn collections(ctx: &mut Context<'_>, _: &[Value]) -> Outcome {
    let entry = |(id, name)| {
        Value::object(
            [("_id", Value::from(id)), ("name", Value::from(name))]
                .into_iter()
                .collect::<Object>(),
        )
    };
    let _: fn((String, String)) -> Value = entry;
    Ok(Value::array(
        ctx.host.collections()?.into_iter().map(entry).collect(),
    ))
}

fn schema_get(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    match arg(args, 0) {
        Value::String(name) => ctx.host.schema(name),
        _ => ctx.invalid("SCHEMA_GET"),
    }
}

fn schema_validate(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let document = arg(args, 0);
    if document.as_object().is_none() {
        return ctx.invalid("SCHEMA_VALIDATE");
    }
    let complaint = match Schema::parse(arg(args, 1)) {
        Ok(schema) => schema.and_then(|schema| schema.complaint(document)),
        Err(error) => {
            ctx.host.warn(error.number, error.message)?;
            return Ok(Value::Null);
        }
    };
    let mut verdict = Object::new();
    verdict.insert("valid", Value::Bool(complaint.is_none()));
    if let Some(complaint) = complaint {
        verdict.insert("errorMessage", Value::from(complaint));
    }
    Ok(Value::object(verdict))
}

fn sleep(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    match arg(args, 0).as_f64().map(Duration::try_from_secs_f64) {
        Some(Ok(time)) => ctx.host.sleep(time).map(|()| Value::Null),
        _ => ctx.invalid("SLEEP"),
    }
}

fn fail(_: &mut Context<'_>, args: &[Value]) -> Outcome {
    let reason = arg(args, 0).as_str().unwrap_or_default();
    Err(ArangoError::new(
        FAIL_CALLED,
        format!("FAIL({reason}) called"),
    ))
}

fn assert(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    if arg(args, 1).as_str().is_none() {
        return ctx.invalid("ASSERT");
    }
    if arg(args, 0).is_true() {
        Ok(Value::Bool(true))
    } else {
        Err(ArangoError::new(ASSERTION, text(args, 1)))
    }
}

fn warn(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    if arg(args, 1).as_str().is_none() {
        return ctx.invalid("WARN");
    }
    if arg(args, 0).is_true() {
        return Ok(Value::Bool(true));
    }
    ctx.host.warn(WARNING, text(args, 1))?;
    Ok(Value::Bool(false))
}
