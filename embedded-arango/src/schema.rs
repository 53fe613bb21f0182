//! Schemas of collections: a JSON Schema (draft 4, as the real server reads it) that documents are held to when they are written.

use std::fmt;
use std::sync::Arc;

use jsonschema::{Draft, Validator};
use serde_json::Value as Json;

use crate::error::{ArangoError, number};
use crate::value::{Object, SYSTEM_ATTRIBUTES, Value};

/// Which writes a schema is checked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    /// None.
    None,
    /// Inserts.
    New,
    /// Inserts, and changes of documents that were valid before.
    Moderate,
    /// All.
    Strict,
}

/// A schema that has been read.
#[derive(Clone)]
pub struct Schema {
    definition: Value,
    level: Level,
    message: Arc<str>,
    validator: Arc<Validator>,
}

impl fmt::Debug for Schema {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Schema").field(&self.definition).finish()
    }
}

impl Schema {
    /// Reads `{rule, level, message, type}`; `null` and an empty object are no schema.
    ///
    /// # Errors
    /// 400/1621 where it is no object, lacks its rule, has another level than `none`, `new`, `moderate` and `strict`, another type
    /// than `json`, or where the rule is no JSON Schema.
    pub fn parse(schema: &Value) -> Result<Option<Self>, ArangoError> {
        let given = match schema {
            Value::Null => return Ok(None),
            Value::Object(object) if object.is_empty() => return Ok(None),
            Value::Object(object) => object,
            _ => return Err(bad("schema must be an object")),
        };
        let level = match given.get("level") {
            None => Level::Strict,
            Some(level) => match level.as_str() {
                Some("none") => Level::None,
                Some("new") => Level::New,
                Some("moderate") => Level::Moderate,
                Some("strict") => Level::Strict,
                _ => {
                    return Err(bad(
                        "Valid validation levels are: none, new, moderate, strict",
                    ));
                }
            },
        };
        let message = match given.get("message") {
            None => Arc::from(""),
            Some(Value::String(text)) => Arc::clone(text),
            Some(_) => return Err(bad("The message of a schema must be a string")),
        };
        match given.get("type") {
            None => {}
            Some(kind) if kind.as_str() == Some("json") => {}
            Some(_) => return Err(bad("The type of a schema must be \"json\"")),
        }
        let Some(rule @ Value::Object(_)) = given.get("rule") else {
            return Err(bad("The rule of a schema must be an object"));
        };
        let validator = jsonschema::options()
            .with_draft(Draft::Draft4)
            .build(&rule.to_json())
            .map_err(|error| bad(format!("The rule is no JSON Schema: {error}")))?;
        let mut definition = Object::new();
        definition.insert("rule", rule.clone());
        definition.insert("level", Value::string(level.name()));
        definition.insert("message", Value::String(Arc::clone(&message)));
        definition.insert("type", Value::string("json"));
        Ok(Some(Schema {
            definition: Value::object(definition),
            level,
            message,
            validator: Arc::new(validator),
        }))
    }

    /// The schema as `properties` and `SCHEMA_GET()` show it.
    pub fn definition(&self) -> &Value {
        &self.definition
    }

    /// What is wrong with a document, or `None`. The attributes that the server sets are not part of what is checked.
    pub fn complaint(&self, document: &Value) -> Option<String> {
        let mut document = document.to_json();
        if let Json::Object(object) = &mut document {
            object.retain(|name, _| !SYSTEM_ATTRIBUTES.contains(&name.as_str()));
        }
        let error = self.validator.validate(&document).err()?;
        Some(if self.message.is_empty() {
            format!("Schema validation failed: {error}")
        } else {
            self.message.to_string()
        })
    }

    /// Refuses a write, by 1620, that the level wants checked and that leaves an invalid document. Without an old document it is an
    /// insert.
    pub(crate) fn check(&self, old: Option<&Value>, new: &Value) -> Result<(), ArangoError> {
        let wanted = match self.level {
            Level::None => false,
            Level::New => old.is_none(),
            Level::Moderate => old.is_none_or(|old| self.complaint(old).is_none()),
            Level::Strict => true,
        };
        match wanted.then(|| self.complaint(new)).flatten() {
            Some(complaint) => Err(ArangoError::new(number::VALIDATION_FAILED, complaint)),
            None => Ok(()),
        }
    }
}

impl Level {
    fn name(self) -> &'static str {
        match self {
            Level::None => "none",
            Level::New => "new",
            Level::Moderate => "moderate",
            Level::Strict => "strict",
        }
    }
}

fn bad(message: impl Into<String>) -> ArangoError {
    ArangoError::new(number::VALIDATION_BAD_PARAMETER, message.into())
}
