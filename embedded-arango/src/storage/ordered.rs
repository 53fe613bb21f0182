//! The content of a persistent index: documents ordered by the values of the indexed fields.

use std::ops::Bound as Edge;
use std::sync::Arc;

use rpds::RedBlackTreeMapSync;

use super::index::IndexDefinition;
use crate::error::{ArangoError, number};
use crate::value::Value;

/// One end of a range over the field that follows the equal ones.
#[derive(Clone, Debug, PartialEq)]
pub enum Bound {
    /// No limit.
    Open,
    /// The value itself belongs to the range.
    Inclusive(Value),
    /// The value itself does not belong to the range.
    Exclusive(Value),
}

/// What to look up in an index: values that the first fields equal, then a range of the next one.
#[derive(Clone, Debug)]
pub struct IndexRange {
    /// Values of the first fields, at most as many as the index has.
    pub equal: Vec<Value>,
    /// The lower end for the field after them.
    pub lower: Bound,
    /// The upper end for the field after them.
    pub upper: Bound,
    /// From the greatest to the smallest.
    pub descending: bool,
}

impl IndexRange {
    /// All documents whose first fields equal these values, ascending.
    pub fn equal(values: Vec<Value>) -> Self {
        IndexRange {
            equal: values,
            lower: Bound::Open,
            upper: Bound::Open,
            descending: false,
        }
    }
}

/// How many entries an estimate looks at: it is made for every plan.
const SAMPLE: usize = 4096;

/// The field values of one entry, then the local id of its document.
type Key = (Vec<Value>, u64);

/// The entries of an index.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ordered {
    entries: RedBlackTreeMapSync<Key, ()>,
}

impl Ordered {
    /// The local id of another document with an equal entry, where the index is unique; `own` is the version of the document
    /// that is about to go.
    pub(crate) fn conflict(
        &self,
        definition: &IndexDefinition,
        document: &Value,
        own: Option<u64>,
    ) -> Option<u64> {
        if !definition.unique {
            return None;
        }
        let equal = rows(definition, document);
        let equal = equal.iter().filter_map(|row| self.first_equal(row));
        equal.into_iter().find(|other| Some(*other) != own)
    }

    /// Adds a document, which must not be in [`Ordered::conflict`].
    pub(crate) fn add(&mut self, definition: &IndexDefinition, document: &Value, id: u64) {
        for row in rows(definition, document) {
            self.entries.insert_mut((row, id), ());
        }
    }

    /// Takes a document out.
    pub(crate) fn remove(&mut self, definition: &IndexDefinition, document: &Value, id: u64) {
        for row in rows(definition, document) {
            self.entries.remove_mut(&(row, id));
        }
    }

    /// An estimate of the share of distinct entries, from the first [`SAMPLE`] ones; 1 for an empty index.
    pub(crate) fn selectivity(&self) -> f64 {
        let (mut distinct, mut all, mut last) = (0u64, 0u64, None);
        for ((row, _), ()) in self.entries.iter().take(SAMPLE) {
            all += 1;
            if last != Some(row) {
                distinct += 1;
                last = Some(row);
            }
        }
        if all == 0 {
            1.0
        } else {
            distinct as f64 / all as f64
        }
    }

    /// Local ids in the order of the index. An array-expanding index may give an id more than once.
    pub(crate) fn find(&self, range: &IndexRange) -> Vec<u64> {
        let fields = range.equal.len();
        let start = match &range.lower {
            Bound::Open => range.equal.clone(),
            Bound::Inclusive(value) | Bound::Exclusive(value) => with(&range.equal, value),
        };
        let within = self
            .entries
            .range((Edge::Included((start, 0)), Edge::Unbounded))
            .map(|(key, ())| key)
            .take_while(|(row, _)| row.get(..fields) == Some(range.equal.as_slice()))
            .take_while(|(row, _)| match (&range.upper, row.get(fields)) {
                (Bound::Open, _) => true,
                (Bound::Inclusive(upper), Some(value)) => value <= upper,
                (Bound::Exclusive(upper), Some(value)) => value < upper,
                (_, None) => false,
            })
            .filter(|(row, _)| match (&range.lower, row.get(fields)) {
                (Bound::Exclusive(lower), Some(value)) => value > lower,
                _ => true,
            })
            .map(|(_, id)| *id);
        let mut ids: Vec<u64> = within.collect();
        if range.descending {
            ids.reverse();
        }
        ids
    }

    fn first_equal(&self, row: &[Value]) -> Option<u64> {
        let start = (row.to_vec(), 0);
        let ((found, id), ()) = self
            .entries
            .range((Edge::Included(start), Edge::Unbounded))
            .next()?;
        (found == row).then_some(*id)
    }
}

fn with(values: &[Value], last: &Value) -> Vec<Value> {
    values.iter().chain([last]).cloned().collect()
}

/// The error for a document that is in conflict with the one of the given key.
pub(crate) fn violation(definition: &IndexDefinition, conflicting: &str) -> ArangoError {
    ArangoError::new(
        number::UNIQUE_CONSTRAINT_VIOLATED,
        format!(
            "unique constraint violated - in index {} of type {} over '{}'; conflicting key: {conflicting}",
            definition.name,
            definition.kind.name(),
            definition.fields.join(", "),
        ),
    )
}

/// The entries of one document: one, or with `field[*]` one for each element, or none where the index is sparse.
fn rows(definition: &IndexDefinition, document: &Value) -> Vec<Vec<Value>> {
    let mut rows: Vec<Vec<Value>> = vec![Vec::with_capacity(definition.fields.len())];
    for field in &definition.fields {
        let values = match field.split_once("[*]") {
            None => vec![path(document, field)],
            Some((list, rest)) => match path(document, list) {
                Value::Array(items) => distinct(
                    items
                        .iter()
                        .map(|item| path(item, rest.trim_start_matches('.')))
                        .collect(),
                ),
                _ => Vec::new(),
            },
        };
        rows = rows
            .iter()
            .flat_map(|row| values.iter().map(|value| with(row, value)))
            .collect();
    }
    if definition.sparse {
        rows.retain(|row| row.iter().all(|value| !value.is_null()));
    }
    rows
}

fn distinct(mut values: Vec<Value>) -> Vec<Value> {
    values.sort();
    values.dedup();
    values
}

/// The value at a dotted path; the value itself at the empty path.
pub(crate) fn path(value: &Value, dotted: &str) -> Value {
    if dotted.is_empty() {
        return value.clone();
    }
    dotted
        .split('.')
        .fold(value.clone(), |inner, name| inner.get(name))
}

/// A shared index: its definition and what it holds.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    pub(crate) definition: Arc<IndexDefinition>,
    /// Kept for persistent and ttl indexes; the other kinds only have a definition.
    pub(crate) content: Option<Ordered>,
}
