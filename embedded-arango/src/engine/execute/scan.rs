//! `FOR` over a collection: in full, or through an index.

use crate::engine::catalog::IndexKind;
use crate::engine::plan::expression::Ex;
use crate::engine::plan::node::{IndexScan, Scan};
use crate::error::ArangoError;
use crate::storage::{Bound, Collection, Direction, IndexRange, Scan as Documents};
use crate::value::Value;

use super::stage::{Context, Operator, Stage};

/// The collection that a scan reads: as it was when the query began, or with the query's own writes.
fn source(scan: &Scan, context: &mut Context<'_, '_>) -> Result<Option<Collection>, ArangoError> {
    if scan.own_writes {
        Ok(context.run.current(&scan.collection))
    } else {
        context.run.collection(&scan.collection)
    }
}

/// Sets the document and checks the scan's own filter.
fn passes(
    scan: &Scan,
    document: Value,
    context: &mut Context<'_, '_>,
) -> Result<bool, ArangoError> {
    context.run.tick()?;
    context.set(scan.output, document);
    if let Some(filter) = &scan.filter
        && !context.eval(filter)?.is_true()
    {
        context.run.stats.filtered += 1;
        return Ok(false);
    }
    for one in &scan.projections {
        let mut value = context.row.get(scan.output).cloned().unwrap_or_default();
        for step in &one.path {
            value = value.get(step);
        }
        context.set(one.variable, value);
    }
    Ok(true)
}

/// A full scan, in the order of insertion.
pub(super) struct EnumerateCollection {
    pub(super) input: Stage,
    pub(super) scan: Scan,
    pub(super) documents: Option<Documents>,
}

impl Operator for EnumerateCollection {
    fn next(&mut self, context: &mut Context<'_, '_>) -> Result<bool, ArangoError> {
        loop {
            while let Some(document) = self.documents.as_mut().and_then(Iterator::next) {
                context.run.stats.scanned_full += 1;
                if passes(&self.scan, document, context)? {
                    return Ok(true);
                }
            }
            self.documents = None;
            if !self.input.next(context)? {
                return Ok(false);
            }
            self.documents = source(&self.scan, context)?.map(|collection| collection.scan());
        }
    }

    fn reset(&mut self, context: &mut Context<'_, '_>) {
        self.documents = None;
        self.input.reset(context);
    }

    fn inputs(&self) -> Vec<&Stage> {
        vec![&self.input]
    }
}

/// A lookup in an index, in its order.
pub(super) struct Index {
    pub(super) input: Stage,
    pub(super) index: IndexScan,
    pub(super) documents: std::vec::IntoIter<Value>,
}

impl Index {
    fn find(&self, context: &mut Context<'_, '_>) -> Result<Vec<Value>, ArangoError> {
        context.run.stats.cursors_created += 1;
        let mut equal = Vec::with_capacity(self.index.equal.len());
        for value in &self.index.equal {
            equal.push(context.eval(value)?);
        }
        let choices = match &self.index.any_of {
            None => None,
            Some(list) => {
                // Looked up in order and each once, as the index itself would give them.
                let mut choices = match context.eval(list)? {
                    Value::Array(items) => items.to_vec(),
                    _ => Vec::new(),
                };
                choices.sort();
                choices.dedup();
                if !self.index.ascending {
                    choices.reverse();
                }
                Some(choices)
            }
        };
        let lower = bound(&self.index.lower, context)?;
        let upper = bound(&self.index.upper, context)?;
        let Some(collection) = source(&self.index.scan, context)? else {
            return Ok(Vec::new());
        };
        if matches!(self.index.index.kind, IndexKind::Primary | IndexKind::Edge) {
            let field = self.index.index.fields.first().map_or("", String::as_str);
            let values = choices.unwrap_or(equal);
            return Ok(values
                .iter()
                .filter_map(Value::as_str)
                .flat_map(|value| by_name(&collection, field, value))
                .collect());
        }
        let id = self.index.index.id.parse().unwrap_or(u64::MAX);
        let descending = !self.index.ascending;
        let range = |equal: Vec<Value>| IndexRange {
            equal,
            lower: lower.clone(),
            upper: upper.clone(),
            descending,
        };
        match choices {
            None => Ok(find(&collection, id, &range(equal))),
            Some(choices) => {
                let mut found = Vec::new();
                for choice in choices {
                    let mut values = equal.clone();
                    values.push(choice);
                    let range = IndexRange {
                        lower: Bound::Open,
                        upper: Bound::Open,
                        ..range(values)
                    };
                    found.extend(find(&collection, id, &range));
                }
                Ok(found)
            }
        }
    }
}

/// The documents in a range of a persistent index, in its order, each once.
fn find(collection: &Collection, id: u64, range: &IndexRange) -> Vec<Value> {
    let content = collection
        .indexes
        .iter()
        .find(|index| index.definition.id == id)
        .and_then(|index| index.content.as_ref());
    let mut ids = content
        .map(|content| content.find(range))
        .unwrap_or_default();
    let mut seen = std::collections::HashSet::new();
    ids.retain(|id| seen.insert(*id));
    ids.into_iter()
        .filter_map(|id| collection.documents.by_local_id(id).cloned())
        .collect()
}

fn bound(bound: &Option<(Ex, bool)>, context: &mut Context<'_, '_>) -> Result<Bound, ArangoError> {
    Ok(match bound {
        None => Bound::Open,
        Some((value, true)) => Bound::Inclusive(context.eval(value)?),
        Some((value, false)) => Bound::Exclusive(context.eval(value)?),
    })
}

/// The documents whose `_key`, `_id`, `_from` or `_to` is the text.
fn by_name(collection: &Collection, field: &str, value: &str) -> Vec<Value> {
    match field {
        "_key" => collection.get(value).into_iter().collect(),
        "_id" => match value.split_once('/') {
            Some((name, key)) if name == &*collection.meta().name => {
                collection.get(key).into_iter().collect()
            }
            _ => Vec::new(),
        },
        "_from" => collection.documents.edges_of(value, Direction::Outbound),
        _ => collection.documents.edges_of(value, Direction::Inbound),
    }
}

impl Operator for Index {
    fn next(&mut self, context: &mut Context<'_, '_>) -> Result<bool, ArangoError> {
        loop {
            for document in self.documents.by_ref() {
                context.run.stats.scanned_index += 1;
                if passes(&self.index.scan, document, context)? {
                    return Ok(true);
                }
            }
            if !self.input.next(context)? {
                return Ok(false);
            }
            self.documents = self.find(context)?.into_iter();
        }
    }

    fn reset(&mut self, context: &mut Context<'_, '_>) {
        self.documents = Vec::new().into_iter();
        self.input.reset(context);
    }

    fn inputs(&self) -> Vec<&Stage> {
        vec![&self.input]
    }
}
