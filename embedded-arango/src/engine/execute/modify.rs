//! `INSERT`, `UPDATE`, `REPLACE`, `REMOVE` and `UPSERT`, row by row.
//!
//! With `ignoreErrors` a write that fails is counted and passed over; its row goes on only where nothing asks for `OLD`
//! or `NEW`, as on the server.

use super::stage::{Context, Operator, Stage};
use crate::engine::plan::node::{Modify as Plan, ModifyKind, Overwrite};
use crate::error::{ArangoError, number};
use crate::storage::{OverwriteMode, WriteOptions, Written};
use crate::value::Value;

/// Writes a document for each row.
pub(super) struct Modify {
    pub(super) input: Stage,
    pub(super) plan: Plan,
}

impl Modify {
    fn options(&self) -> WriteOptions {
        let options = &self.plan.options;
        WriteOptions {
            overwrite: match options.overwrite {
                Overwrite::Conflict => OverwriteMode::Conflict,
                Overwrite::Ignore => OverwriteMode::Ignore,
                Overwrite::Replace => OverwriteMode::Replace,
                Overwrite::Update => OverwriteMode::Update,
            },
            keep_null: options.keep_null,
            merge_objects: options.merge_objects,
            ignore_revs: options.ignore_revs,
        }
    }

    fn write(&self, context: &mut Context<'_, '_>) -> Result<Written, ArangoError> {
        let options = self.options();
        let collection = &self.plan.collection;
        match &self.plan.kind {
            ModifyKind::Insert { document } => {
                let document = object(context.slot(*document))?;
                context.run.txn()?.insert(collection, &document, &options)
            }
            ModifyKind::Update { key, document } | ModifyKind::Replace { key, document } => {
                let document = object(context.slot(*document))?;
                let source = match key {
                    Some(key) => context.slot(*key),
                    None => document.clone(),
                };
                let (key, revision) = key_and_revision(&source)?;
                let document = with_revision(document, revision);
                let txn = context.run.txn()?;
                match self.plan.kind {
                    ModifyKind::Update { .. } => txn.update(collection, &key, &document, &options),
                    _ => txn.replace(collection, &key, &document, &options),
                }
            }
            ModifyKind::Remove { key } => {
                let (key, revision) = key_and_revision(&context.slot(*key))?;
                let revision = revision.filter(|_| !options.ignore_revs);
                context
                    .run
                    .txn()?
                    .remove(collection, &key, revision.as_deref())
            }
            ModifyKind::Upsert {
                found,
                insert,
                update,
                replace,
            } => {
                let found = context.slot(*found);
                if found.as_object().is_none() {
                    let document = object(context.slot(*insert))?;
                    return context.run.txn()?.insert(collection, &document, &options);
                }
                let document = object(context.slot(*update))?;
                let (key, _) = key_and_revision(&found)?;
                let txn = context.run.txn()?;
                if *replace {
                    txn.replace(collection, &key, &document, &options)
                } else {
                    txn.update(collection, &key, &document, &options)
                }
            }
        }
    }
}

fn object(value: Value) -> Result<Value, ArangoError> {
    match value {
        Value::Object(_) => Ok(value),
        _ => Err(ArangoError::new(
            number::DOCUMENT_TYPE_INVALID,
            "invalid document type",
        )),
    }
}

/// The key, and the revision where a document brings one.
fn key_and_revision(value: &Value) -> Result<(String, Option<String>), ArangoError> {
    match value {
        Value::String(key) => Ok((key.to_string(), None)),
        Value::Object(document) => match document.get("_key") {
            Some(Value::String(key)) => {
                let revision = document.get("_rev").and_then(Value::as_str);
                Ok((key.to_string(), revision.map(str::to_owned)))
            }
            Some(_) => Err(ArangoError::new(
                number::DOCUMENT_KEY_BAD,
                "illegal document key",
            )),
            None => Err(ArangoError::new(1226, "missing document key")),
        },
        _ => Err(ArangoError::new(1226, "missing document key")),
    }
}

/// The document with the revision of the key's document, which is the one that is compared.
fn with_revision(document: Value, revision: Option<String>) -> Value {
    match (&document, revision) {
        (Value::Object(object), Some(revision)) if !object.contains("_rev") => {
            let mut object = (**object).clone();
            object.insert("_rev", Value::from(revision));
            Value::object(object)
        }
        _ => document,
    }
}

impl Operator for Modify {
    fn next(&mut self, context: &mut Context<'_, '_>) -> Result<bool, ArangoError> {
        while self.input.next(context)? {
            context.run.tick()?;
            let asked = self.plan.old.is_some() || self.plan.new.is_some();
            match self.write(context) {
                Ok(written) => {
                    let (old, new) = if written.ignored {
                        context.run.stats.writes_ignored += 1;
                        (None, None)
                    } else {
                        context.run.stats.writes_executed += 1;
                        (written.old, written.new)
                    };
                    if let Some(id) = self.plan.old {
                        context.set(id, old.unwrap_or_default());
                    }
                    if let Some(id) = self.plan.new {
                        context.set(id, new.unwrap_or_default());
                    }
                    return Ok(true);
                }
                Err(error) if self.plan.options.ignore_errors && is_about_the_document(&error) => {
                    context.run.stats.writes_ignored += 1;
                    if !asked {
                        return Ok(true);
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Ok(false)
    }

    fn reset(&mut self, context: &mut Context<'_, '_>) {
        self.input.reset(context);
    }

    fn inputs(&self) -> Vec<&Stage> {
        vec![&self.input]
    }
}

/// Whether the failure is about one document, and not about rights or the query.
fn is_about_the_document(error: &ArangoError) -> bool {
    matches!(error.number, 1200..=1233 | number::VALIDATION_FAILED)
        && error.number != number::DATA_SOURCE_NOT_FOUND
}
