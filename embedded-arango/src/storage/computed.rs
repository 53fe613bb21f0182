//! Computed values: attributes that a collection derives from a document with an AQL expression when it is written.

use std::fmt;
use std::sync::Arc;

use crate::error::{ArangoError, number};
use crate::value::{Object, Value};

/// Runs the expression of a computed value: text of a query with the bind parameter `doc`, and the document.
#[derive(Clone)]
pub struct Compute(Arc<Function>);

type Function = dyn Fn(&str, &Value) -> Result<Value, ArangoError> + Send + Sync;

impl Compute {
    /// Wraps what evaluates an expression.
    pub fn new(
        run: impl Fn(&str, &Value) -> Result<Value, ArangoError> + Send + Sync + 'static,
    ) -> Self {
        Compute(Arc::new(run))
    }

    pub(crate) fn run(&self, expression: &str, document: &Value) -> Result<Value, ArangoError> {
        (self.0)(expression, document)
    }
}

impl fmt::Debug for Compute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Compute")
    }
}

/// One entry of `computedValues`.
#[derive(Clone, Debug)]
pub struct ComputedValue {
    /// The attribute to set.
    pub name: Arc<str>,
    /// A query with the bind parameter `doc` that returns one value.
    pub expression: String,
    /// Whether an attribute that the document brings is replaced.
    pub overwrite: bool,
    /// Whether a result of `null` is stored.
    pub keep_null: bool,
    /// Whether an error of the expression fails the write.
    pub fail_on_warning: bool,
    on: Vec<Event>,
}

/// What kind of write is happening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Insert,
    Update,
    Replace,
}

impl Event {
    fn name(self) -> &'static str {
        match self {
            Event::Insert => "insert",
            Event::Update => "update",
            Event::Replace => "replace",
        }
    }
}

impl ComputedValue {
    /// Reads `computedValues` of a request.
    ///
    /// # Errors
    /// 400/10 where an entry lacks its name or expression, or names a system attribute.
    pub fn parse_all(values: &Value) -> Result<Vec<Self>, ArangoError> {
        match values {
            Value::Null => Ok(Vec::new()),
            Value::Array(entries) => entries.iter().map(Self::parse).collect(),
            _ => Err(ArangoError::bad_parameter(
                "computed values must be an array",
            )),
        }
    }

    fn parse(entry: &Value) -> Result<Self, ArangoError> {
        let text = |name: &str| match entry.get(name) {
            Value::String(text) if !text.is_empty() => Ok(text),
            _ => Err(ArangoError::bad_parameter(format!(
                "invalid `{name}` in a computed value"
            ))),
        };
        let name = text("name")?;
        if name.starts_with('_') {
            return Err(ArangoError::bad_parameter(format!(
                "computed value cannot set the attribute `{name}`"
            )));
        }
        let on = match entry.get("computeOn") {
            Value::Array(events) => [Event::Insert, Event::Update, Event::Replace]
                .into_iter()
                .filter(|event| {
                    events
                        .iter()
                        .any(|given| given.as_str() == Some(event.name()))
                })
                .collect(),
            _ => vec![Event::Insert, Event::Update, Event::Replace],
        };
        Ok(ComputedValue {
            name,
            expression: text("expression")?.to_string(),
            overwrite: entry.get("overwrite").as_bool().unwrap_or(false),
            keep_null: entry.get("keepNull").as_bool().unwrap_or(true),
            fail_on_warning: entry.get("failOnWarning").as_bool().unwrap_or(false),
            on,
        })
    }

    pub(crate) fn describe(&self) -> Value {
        let on = self
            .on
            .iter()
            .map(|event| Value::string(event.name()))
            .collect();
        Value::object(Object::from_iter([
            ("name", Value::String(Arc::clone(&self.name))),
            ("expression", Value::string(&self.expression)),
            ("computeOn", Value::array(on)),
            ("overwrite", Value::Bool(self.overwrite)),
            ("failOnWarning", Value::Bool(self.fail_on_warning)),
            ("keepNull", Value::Bool(self.keep_null)),
        ]))
    }

    /// Sets the attribute of a document that is about to be written.
    pub(crate) fn apply(
        &self,
        compute: Option<&Compute>,
        event: Event,
        document: &mut Object,
    ) -> Result<(), ArangoError> {
        if !self.on.contains(&event) || (document.contains(&self.name) && !self.overwrite) {
            return Ok(());
        }
        let compute = compute.ok_or_else(|| {
            ArangoError::new(
                number::NOT_IMPLEMENTED,
                "computed values need the query engine, which this store was made without",
            )
        })?;
        let value = match compute.run(&self.expression, &Value::object(document.clone())) {
            Ok(value) => value,
            Err(error) if self.fail_on_warning => return Err(error),
            Err(_) => Value::Null,
        };
        if value.is_null() && !self.keep_null {
            document.remove(&self.name);
        } else {
            document.insert(Arc::clone(&self.name), value);
        }
        Ok(())
    }
}
