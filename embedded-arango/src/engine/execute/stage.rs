//! A stage is a node while it runs; the context is what all stages share.

use std::time::Instant;

use serde_json::{Value as Json, json};

use super::runtime::Runtime;
use crate::engine::evaluate::Evaluator;
use crate::engine::plan::expression::{Ex, VarId};
use crate::error::ArangoError;
use crate::value::Value;

/// What all stages share: the row and the outside.
pub(super) struct Context<'c, 'r> {
    pub(super) row: Vec<Value>,
    pub(super) run: &'c mut Runtime<'r>,
    /// The nodes that an error has passed, innermost first.
    pub(super) trace: Vec<String>,
    /// Whether stages keep time.
    pub(super) timed: bool,
}

impl Context<'_, '_> {
    /// The value of a variable in the current row.
    pub(super) fn slot(&self, id: VarId) -> Value {
        self.row.get(id).cloned().unwrap_or_default()
    }

    /// Sets a variable of the current row.
    pub(super) fn set(&mut self, id: VarId, value: Value) {
        if let Some(slot) = self.row.get_mut(id) {
            *slot = value;
        }
    }

    /// Evaluates an expression on the current row.
    pub(super) fn eval(&mut self, expression: &Ex) -> Result<Value, ArangoError> {
        Evaluator {
            row: &mut self.row,
            host: self.run,
        }
        .eval(expression)
    }
}

/// What a node does with the rows before it.
pub(super) trait Operator {
    /// Brings the next row into the context; false where there is none left.
    fn next(&mut self, context: &mut Context<'_, '_>) -> Result<bool, ArangoError>;

    /// Starts over, for the next run of a subquery.
    fn reset(&mut self, context: &mut Context<'_, '_>);

    /// The stages that it reads from, and those within it.
    fn inputs(&self) -> Vec<&Stage>;
}

/// A node with its operator and counters.
pub(super) struct Stage {
    id: usize,
    label: String,
    operator: Box<dyn Operator>,
    calls: u64,
    items: u64,
    seconds: f64,
}

impl Stage {
    pub(super) fn new(id: usize, type_name: &str, operator: impl Operator + 'static) -> Self {
        Stage {
            id,
            label: Stage::name(id, type_name),
            operator: Box::new(operator),
            calls: 0,
            items: 0,
            seconds: 0.0,
        }
    }

    /// How errors name a node.
    pub(super) fn name(id: usize, type_name: &str) -> String {
        format!("[node #{id}: {type_name}]")
    }

    /// Brings the next row; an error takes the node's name with it.
    pub(super) fn next(&mut self, context: &mut Context<'_, '_>) -> Result<bool, ArangoError> {
        let start = context.timed.then(Instant::now);
        let result = self.operator.next(context);
        if let Some(start) = start {
            self.seconds += start.elapsed().as_secs_f64();
        }
        self.calls += 1;
        match result {
            Ok(found) => {
                self.items += u64::from(found);
                Ok(found)
            }
            Err(error) => {
                context.trace.push(self.label.clone());
                Err(error)
            }
        }
    }

    pub(super) fn reset(&mut self, context: &mut Context<'_, '_>) {
        self.operator.reset(context);
    }

    /// How errors name the node.
    pub(super) fn label(&self) -> &str {
        &self.label
    }

    /// Adds the counters of this stage and of those before it, in the order of the plan.
    pub(super) fn counters(&self, counters: &mut Vec<Json>) {
        for input in self.operator.inputs() {
            input.counters(counters);
        }
        counters.push(json!({
            "id": self.id,
            "calls": self.calls,
            "parallel": 0,
            "items": self.items,
            "filtered": 0,
            "runtime": self.seconds,
            "fetching": 0.0,
        }));
    }
}
