//! The small operators: one row in, at most one row out, and subqueries.

use super::stage::{Context, Operator, Stage};
use crate::engine::plan::expression::{Ex, VarId};
use crate::error::ArangoError;
use crate::value::Value;

/// Gives one row.
#[derive(Default)]
pub(super) struct Singleton {
    given: bool,
}

impl Operator for Singleton {
    fn next(&mut self, _: &mut Context<'_, '_>) -> Result<bool, ArangoError> {
        Ok(!std::mem::replace(&mut self.given, true))
    }

    fn reset(&mut self, _: &mut Context<'_, '_>) {
        self.given = false;
    }

    fn inputs(&self) -> Vec<&Stage> {
        Vec::new()
    }
}

/// Gives no row, and asks for none unless a node before it writes.
pub(super) struct NoResults {
    pub(super) input: Stage,
    pub(super) drain: bool,
}

impl Operator for NoResults {
    fn next(&mut self, context: &mut Context<'_, '_>) -> Result<bool, ArangoError> {
        while self.drain && self.input.next(context)? {}
        Ok(false)
    }

    fn reset(&mut self, context: &mut Context<'_, '_>) {
        self.input.reset(context);
    }

    fn inputs(&self) -> Vec<&Stage> {
        vec![&self.input]
    }
}

/// Hands rows on: the last node of a query.
pub(super) struct Return {
    pub(super) input: Stage,
}

impl Operator for Return {
    fn next(&mut self, context: &mut Context<'_, '_>) -> Result<bool, ArangoError> {
        self.input.next(context)
    }

    fn reset(&mut self, context: &mut Context<'_, '_>) {
        self.input.reset(context);
    }

    fn inputs(&self) -> Vec<&Stage> {
        vec![&self.input]
    }
}

/// Computes a variable.
pub(super) struct Calculation {
    pub(super) input: Stage,
    pub(super) expression: Ex,
    pub(super) output: VarId,
}

impl Operator for Calculation {
    fn next(&mut self, context: &mut Context<'_, '_>) -> Result<bool, ArangoError> {
        if !self.input.next(context)? {
            return Ok(false);
        }
        let value = context.eval(&self.expression)?;
        context.set(self.output, value);
        Ok(true)
    }

    fn reset(&mut self, context: &mut Context<'_, '_>) {
        self.input.reset(context);
    }

    fn inputs(&self) -> Vec<&Stage> {
        vec![&self.input]
    }
}

/// Lets rows pass whose variable is true.
pub(super) struct Filter {
    pub(super) input: Stage,
    pub(super) condition: VarId,
}

impl Operator for Filter {
    fn next(&mut self, context: &mut Context<'_, '_>) -> Result<bool, ArangoError> {
        while self.input.next(context)? {
            if context.row.get(self.condition).is_some_and(Value::is_true) {
                return Ok(true);
            }
            context.run.stats.filtered += 1;
            context.run.tick()?;
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

/// Skips rows, then lets so many pass.
pub(super) struct Limit {
    pub(super) input: Stage,
    pub(super) offset: u64,
    pub(super) count: u64,
    /// Whether the rows after the last are counted.
    pub(super) full_count: bool,
    /// Whether the rows after the last are asked for, because a node before this one writes.
    pub(super) drain: bool,
    pub(super) seen: u64,
    pub(super) done: bool,
}

impl Limit {
    fn finish(&mut self, context: &mut Context<'_, '_>) -> Result<(), ArangoError> {
        self.done = true;
        if self.full_count || self.drain {
            while self.input.next(context)? {
                self.seen += 1;
            }
        }
        if self.full_count {
            context.run.stats.full_count = Some(self.seen);
        }
        Ok(())
    }
}

impl Operator for Limit {
    fn next(&mut self, context: &mut Context<'_, '_>) -> Result<bool, ArangoError> {
        if self.done {
            return Ok(false);
        }
        while self.seen < self.offset.saturating_add(self.count) && self.input.next(context)? {
            self.seen += 1;
            if self.seen > self.offset {
                return Ok(true);
            }
        }
        self.finish(context)?;
        Ok(false)
    }

    fn reset(&mut self, context: &mut Context<'_, '_>) {
        self.seen = 0;
        self.done = false;
        self.input.reset(context);
    }

    fn inputs(&self) -> Vec<&Stage> {
        vec![&self.input]
    }
}

/// Runs its body for each row, and sets a variable to the array of the body's rows.
pub(super) struct Subquery {
    pub(super) input: Stage,
    pub(super) body: Stage,
    /// The body's result; absent where it only writes.
    pub(super) result: Option<VarId>,
    pub(super) output: VarId,
    /// The memory of the array before.
    pub(super) held: usize,
}

impl Operator for Subquery {
    fn next(&mut self, context: &mut Context<'_, '_>) -> Result<bool, ArangoError> {
        if !self.input.next(context)? {
            return Ok(false);
        }
        context.run.release(std::mem::take(&mut self.held));
        self.body.reset(context);
        let mut rows = Vec::new();
        while self.body.next(context)? {
            if let Some(result) = self.result {
                let value = context.slot(result);
                self.held += context.run.charge_value(&value)?;
                rows.push(value);
            }
            context.run.tick()?;
        }
        context.set(self.output, Value::array(rows));
        Ok(true)
    }

    fn reset(&mut self, context: &mut Context<'_, '_>) {
        context.run.release(std::mem::take(&mut self.held));
        self.input.reset(context);
    }

    fn inputs(&self) -> Vec<&Stage> {
        vec![&self.input, &self.body]
    }
}
