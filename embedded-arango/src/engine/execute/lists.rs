//! `FOR` over an array or a range; a range gives its numbers one by one and is never an array.

use std::sync::Arc;

use super::stage::{Context, Operator, Stage};
use crate::engine::evaluate::Evaluator;
use crate::engine::plan::expression::{Ex, VarId};
use crate::error::ArangoError;
use crate::value::Value;

/// The elements that are still to come.
enum Elements {
    None,
    Array(Arc<Vec<Value>>, usize),
    /// The next number, the last, and whether they rise.
    Range(i64, i64, bool),
}

/// Gives a row for each element.
pub(super) struct EnumerateList {
    input: Stage,
    list: VarId,
    /// The range that the list is, where planning knows.
    range: Option<(Ex, Ex)>,
    output: VarId,
    elements: Elements,
}

impl EnumerateList {
    pub(super) fn new(input: Stage, list: VarId, range: Option<(Ex, Ex)>, output: VarId) -> Self {
        EnumerateList {
            input,
            list,
            range,
            output,
            elements: Elements::None,
        }
    }

    fn element(&mut self) -> Option<Value> {
        match &mut self.elements {
            Elements::None => None,
            Elements::Array(items, at) => {
                let item = items.get(*at).cloned();
                *at += 1;
                item
            }
            Elements::Range(next, last, rising) => {
                let value = *next;
                let over = if *rising {
                    value > *last
                } else {
                    value < *last
                };
                if over {
                    return None;
                }
                match value.checked_add(if *rising { 1 } else { -1 }) {
                    Some(following) => *next = following,
                    None => self.elements = Elements::None,
                }
                Some(Value::Int(value))
            }
        }
    }

    fn open(&mut self, context: &mut Context<'_, '_>) -> Result<(), ArangoError> {
        if let Some((from, to)) = &self.range {
            let (from, to) = Evaluator {
                row: &mut context.row,
                host: context.run,
            }
            .range(from, to)?;
            self.elements = Elements::Range(from, to, from <= to);
            return Ok(());
        }
        match context.slot(self.list) {
            Value::Array(items) => self.elements = Elements::Array(items, 0),
            other => {
                return Err(ArangoError::new(
                    1563,
                    format!(
                        "collection or array expected as operand to FOR loop; you provided a value of type '{}'",
                        other.type_name()
                    ),
                ));
            }
        }
        Ok(())
    }
}

impl Operator for EnumerateList {
    fn next(&mut self, context: &mut Context<'_, '_>) -> Result<bool, ArangoError> {
        loop {
            if let Some(element) = self.element() {
                context.run.tick()?;
                context.set(self.output, element);
                return Ok(true);
            }
            if !self.input.next(context)? {
                self.elements = Elements::None;
                return Ok(false);
            }
            self.open(context)?;
        }
    }

    fn reset(&mut self, context: &mut Context<'_, '_>) {
        self.elements = Elements::None;
        self.input.reset(context);
    }

    fn inputs(&self) -> Vec<&Stage> {
        vec![&self.input]
    }
}
