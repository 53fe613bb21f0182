//! `WINDOW`: aggregates over the rows around each row, by position or by value.

use super::aggregate::State;
use super::stage::{Context, Operator, Stage};
use crate::engine::plan::expression::VarId;
use crate::engine::plan::node::{Bound, Window as Plan};
use crate::error::ArangoError;
use crate::functions;
use crate::value::Value;

/// A row that the window holds.
struct Row {
    /// The variables that are read later.
    kept: Vec<Value>,
    /// The arguments of the aggregates.
    arguments: Vec<Value>,
    /// Least value, own value and greatest value of a range window; absent where the row's value is no number or date.
    range: Option<(f64, f64, f64)>,
}

/// Reads all rows, then gives each with its aggregates.
pub(super) struct Window {
    input: Stage,
    plan: Plan,
    kept: Vec<VarId>,
    rows: Option<Vec<Row>>,
    at: usize,
    /// The rows that the running aggregates hold, where the window only grows.
    growing: Vec<State>,
    grown: usize,
    /// The first and the next row of the window before, for ranges.
    low: usize,
    high: usize,
    held: usize,
}

impl Window {
    pub(super) fn new(input: Stage, plan: Plan, kept: Vec<VarId>) -> Self {
        Window {
            input,
            plan,
            kept,
            rows: None,
            at: 0,
            growing: Vec::new(),
            grown: 0,
            low: 0,
            high: 0,
            held: 0,
        }
    }

    fn states(&self) -> Vec<State> {
        self.plan
            .aggregates
            .iter()
            .map(|one| State::new(one.function))
            .collect()
    }

    fn fill(&mut self, context: &mut Context<'_, '_>) -> Result<Vec<Row>, ArangoError> {
        let mut rows = Vec::new();
        while self.input.next(context)? {
            let kept: Vec<Value> = self.kept.iter().map(|id| context.slot(*id)).collect();
            for value in &kept {
                self.held += context.run.charge_value(value)?;
            }
            let arguments = self
                .plan
                .aggregates
                .iter()
                .map(|one| one.input.map(|id| context.slot(id)).unwrap_or_default())
                .collect();
            let range = match self.plan.range {
                Some(id) => {
                    let value = context.slot(id);
                    self.bounds(&value, context)?
                }
                None => None,
            };
            rows.push(Row {
                kept,
                arguments,
                range,
            });
        }
        Ok(rows)
    }

    fn bounds(
        &self,
        value: &Value,
        context: &mut Context<'_, '_>,
    ) -> Result<Option<(f64, f64, f64)>, ArangoError> {
        let dated = matches!(self.plan.preceding, Bound::Duration(_))
            || matches!(self.plan.following, Bound::Duration(_));
        let own = if dated {
            date(value, None, context)?
        } else {
            value.is_number().then(|| value.to_f64())
        };
        let Some(own) = own else {
            if !dated {
                context.run.note(1561, "invalid arithmetic value".into())?;
            }
            return Ok(None);
        };
        let low = match &self.plan.preceding {
            Bound::Unbounded => Some(f64::NEG_INFINITY),
            Bound::Rows(_) => Some(own),
            Bound::Number(number) => Some(own - number),
            Bound::Duration(duration) => date(value, Some(("DATE_SUBTRACT", duration)), context)?,
        };
        let high = match &self.plan.following {
            Bound::Unbounded => Some(f64::INFINITY),
            Bound::Rows(_) => Some(own),
            Bound::Number(number) => Some(own + number),
            Bound::Duration(duration) => date(value, Some(("DATE_ADD", duration)), context)?,
        };
        Ok(low.zip(high).map(|(low, high)| (low, own, high)))
    }

    /// The window of the current row, as first row and the one after the last.
    fn span(&mut self, rows: &[Row]) -> Option<(usize, usize)> {
        if self.plan.range.is_none() {
            let low = match self.plan.preceding {
                Bound::Rows(count) => self.at.saturating_sub(count as usize),
                _ => 0,
            };
            let high = match self.plan.following {
                Bound::Rows(count) => (self.at + 1).saturating_add(count as usize),
                _ => rows.len(),
            };
            return Some((low, high.min(rows.len())));
        }
        // Rows come in the order of their values, so both ends only move on.
        let (least, _, greatest) = rows.get(self.at)?.range?;
        let value = |at: usize| {
            rows.get(at)
                .and_then(|row| row.range)
                .map(|(_, own, _)| own)
        };
        while self.low < rows.len() && value(self.low).is_none_or(|own| own < least) {
            self.low += 1;
        }
        while self.high < rows.len() && value(self.high).is_none_or(|own| own <= greatest) {
            self.high += 1;
        }
        Some((self.low, self.high))
    }
}

/// A date in milliseconds, moved by a duration where one is given.
fn date(
    value: &Value,
    moved: Option<(&str, &str)>,
    context: &mut Context<'_, '_>,
) -> Result<Option<f64>, ArangoError> {
    let mut call = |name: &str, arguments: &[Value]| match functions::lookup(name) {
        Some(function) => {
            let mut host = functions::Context { host: context.run };
            (function.eval)(&mut host, arguments)
        }
        None => Err(ArangoError::not_implemented(format!("`{name}`"))),
    };
    let value = match moved {
        Some((name, duration)) => call(name, &[value.clone(), Value::string(duration)])?,
        None => value.clone(),
    };
    Ok(call("DATE_TIMESTAMP", &[value])?.as_f64())
}

impl Operator for Window {
    fn next(&mut self, context: &mut Context<'_, '_>) -> Result<bool, ArangoError> {
        let rows = match self.rows.take() {
            Some(rows) => rows,
            None => {
                self.growing = self.states();
                self.fill(context)?
            }
        };
        if self.at >= rows.len() {
            self.rows = Some(rows);
            return Ok(false);
        }
        let results: Vec<Value> = match self.span(&rows) {
            // A window without a beginning only grows, so that each row is added once.
            Some((0, high)) if self.plan.preceding == Bound::Unbounded => {
                for row in rows.get(self.grown..high).unwrap_or_default() {
                    add(&mut self.growing, row);
                }
                self.grown = self.grown.max(high);
                self.growing.iter().map(State::result).collect()
            }
            Some((low, high)) => {
                let mut states = self.states();
                for row in rows.get(low..high).unwrap_or_default() {
                    if self.plan.range.is_none() || row.range.is_some() {
                        add(&mut states, row);
                    }
                    context.run.tick()?;
                }
                states.iter().map(State::result).collect()
            }
            None => vec![Value::Null; self.plan.aggregates.len()],
        };
        if let Some(row) = rows.get(self.at) {
            for (id, value) in self.kept.iter().zip(&row.kept) {
                context.set(*id, value.clone());
            }
        }
        for (one, value) in self.plan.aggregates.iter().zip(results) {
            context.set(one.output, value);
        }
        self.at += 1;
        self.rows = Some(rows);
        Ok(true)
    }

    fn reset(&mut self, context: &mut Context<'_, '_>) {
        context.run.release(std::mem::take(&mut self.held));
        self.rows = None;
        self.at = 0;
        self.grown = 0;
        self.low = 0;
        self.high = 0;
        self.input.reset(context);
    }

    fn inputs(&self) -> Vec<&Stage> {
        vec![&self.input]
    }
}

fn add(states: &mut [State], row: &Row) {
    for (state, value) in states.iter_mut().zip(&row.arguments) {
        state.add(value.clone());
    }
}
