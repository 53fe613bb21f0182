//! `SORT`: stable, by AQL's total order.

use std::cmp::Ordering;

use super::stage::{Context, Operator, Stage};
use crate::engine::plan::expression::VarId;
use crate::engine::plan::node::SortElement;
use crate::error::ArangoError;
use crate::value::Value;

/// Reads all rows, keeps the variables that are read later, and gives the rows in order.
///
/// With a limit right after it, only the first rows are kept: memory then does not grow with the input.
pub(super) struct Sort {
    label: String,
    input: Stage,
    elements: Vec<SortElement>,
    kept: Vec<VarId>,
    /// The most rows that anyone reads.
    most: Option<usize>,
    rows: Option<std::vec::IntoIter<(Vec<Value>, Vec<Value>)>>,
    held: usize,
}

impl Sort {
    pub(super) fn new(
        id: usize,
        input: Stage,
        elements: Vec<SortElement>,
        kept: Vec<VarId>,
        most: Option<usize>,
    ) -> Self {
        Sort {
            label: Stage::name(id, "SortNode"),
            input,
            elements,
            kept,
            most,
            rows: None,
            held: 0,
        }
    }

    fn fill(&mut self, context: &mut Context<'_, '_>) -> Result<(), ArangoError> {
        let mut rows: Vec<(Vec<Value>, Vec<Value>)> = Vec::new();
        // Twice the number, so that the selection costs a constant amount for each row.
        let room = self.most.map(|most| most.saturating_mul(2).max(1024));
        while self.input.next(context)? {
            let keys: Vec<Value> = self
                .elements
                .iter()
                .map(|element| context.slot(element.input))
                .collect();
            let kept: Vec<Value> = self.kept.iter().map(|id| context.slot(*id)).collect();
            for value in keys.iter().chain(&kept) {
                match context.run.charge_value(value) {
                    Ok(bytes) => self.held += bytes,
                    Err(error) => {
                        // The server names the node that filled the block, then the one that holds it.
                        context.trace.push(self.input.label().to_owned());
                        return Err(error);
                    }
                }
            }
            rows.push((keys, kept));
            if let (Some(room), Some(most)) = (room, self.most)
                && rows.len() >= room
            {
                self.order(&mut rows);
                rows.truncate(most);
                context.run.release(std::mem::take(&mut self.held));
            }
        }
        self.order(&mut rows);
        self.rows = Some(rows.into_iter());
        Ok(())
    }

    fn order(&self, rows: &mut [(Vec<Value>, Vec<Value>)]) {
        rows.sort_by(|(left, _), (right, _)| compare(&self.elements, left, right));
    }
}

fn compare(elements: &[SortElement], left: &[Value], right: &[Value]) -> Ordering {
    for ((element, left), right) in elements.iter().zip(left).zip(right) {
        let order = left.compare(right);
        if order != Ordering::Equal {
            return if element.ascending {
                order
            } else {
                order.reverse()
            };
        }
    }
    Ordering::Equal
}

impl Operator for Sort {
    fn next(&mut self, context: &mut Context<'_, '_>) -> Result<bool, ArangoError> {
        if self.rows.is_none()
            && let Err(error) = self.fill(context)
        {
            // The server passes this node twice: once reading, once giving.
            context.trace.push(self.label.clone());
            return Err(error);
        }
        match self.rows.as_mut().and_then(Iterator::next) {
            Some((_, kept)) => {
                for (id, value) in self.kept.iter().zip(kept) {
                    context.set(*id, value);
                }
                Ok(true)
            }
            None => {
                context.run.release(std::mem::take(&mut self.held));
                Ok(false)
            }
        }
    }

    fn reset(&mut self, context: &mut Context<'_, '_>) {
        context.run.release(std::mem::take(&mut self.held));
        self.rows = None;
        self.input.reset(context);
    }

    fn inputs(&self) -> Vec<&Stage> {
        vec![&self.input]
    }
}
