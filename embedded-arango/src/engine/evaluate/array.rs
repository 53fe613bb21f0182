//! Operators on the elements of an array: expansion, `[? …]`, and comparison with a quantifier.

use aql_syntax::ast::BinaryOp;

use super::{Evaluator, compare};
use crate::engine::plan::expression::{ArrayFilter, Ex, Expansion, Quantifier};
use crate::error::ArangoError;
use crate::value::Value;

/// How many elements pass before the query is asked again whether it was killed.
const CHECK_EVERY: usize = 1024;

/// A quantifier with its numbers.
enum Count {
    All,
    Any,
    None,
    AtLeast(i64),
    Between(i64, i64),
}

impl Count {
    /// Whether so many of all elements satisfy it.
    fn holds(&self, matching: i64, all: i64) -> bool {
        match self {
            Count::All => matching == all,
            Count::Any => matching > 0,
            Count::None => matching == 0,
            Count::AtLeast(least) => matching >= *least,
            Count::Between(low, high) => matching >= *low && matching <= *high,
        }
    }
}

impl Evaluator<'_> {
    pub(super) fn expansion(&mut self, expansion: &Expansion) -> Result<Value, ArangoError> {
        let base = self.eval(&expansion.base)?;
        let Value::Array(items) = &base else {
            return Ok(Value::array(Vec::new()));
        };
        let (skip, take) = match &expansion.limit {
            None => (0, usize::MAX),
            Some((offset, count)) => (
                usize::try_from(self.eval(offset)?.to_i64()).unwrap_or(0),
                usize::try_from(self.eval(count)?.to_i64()).unwrap_or(0),
            ),
        };
        let mut flat = Vec::new();
        let items: &[Value] = if expansion.levels > 1 {
            flatten(items, expansion.levels - 1, &mut flat);
            &flat
        } else {
            items
        };
        let before = self.row.get(expansion.current).cloned();
        let mut kept = Vec::new();
        let mut passed = 0_usize;
        for (at, item) in items.iter().enumerate() {
            if kept.len() >= take {
                break;
            }
            self.enter(expansion.current, item, at)?;
            if let Some(filter) = &expansion.filter
                && !self.eval(filter)?.is_true()
            {
                continue;
            }
            passed += 1;
            if passed <= skip {
                continue;
            }
            kept.push(match &expansion.projection {
                Some(projection) => self.eval(projection)?,
                None => item.clone(),
            });
        }
        self.leave(expansion.current, before);
        Ok(Value::array(kept))
    }

    pub(super) fn array_filter(&mut self, filter: &ArrayFilter) -> Result<Value, ArangoError> {
        let base = self.eval(&filter.base)?;
        let Some(items) = base.as_array() else {
            return Ok(Value::Bool(false));
        };
        let count = self.count(&filter.quantifier)?;
        let before = self.row.get(filter.current).cloned();
        let mut matching = 0;
        for (at, item) in items.iter().enumerate() {
            self.enter(filter.current, item, at)?;
            let holds = match &filter.filter {
                Some(condition) => self.eval(condition)?.is_true(),
                None => true,
            };
            matching += i64::from(holds);
        }
        self.leave(filter.current, before);
        Ok(Value::Bool(count.holds(matching, items.len() as i64)))
    }

    pub(super) fn array_compare(
        &mut self,
        quantifier: &Quantifier,
        op: BinaryOp,
        left: &Ex,
        right: &Ex,
    ) -> Result<Value, ArangoError> {
        let left = self.eval(left)?;
        let right = self.eval(right)?;
        let count = self.count(quantifier)?;
        let Some(items) = left.as_array() else {
            return Ok(Value::Bool(false));
        };
        if matches!(op, BinaryOp::In | BinaryOp::NotIn) && right.as_array().is_none() {
            return Ok(Value::Bool(false));
        }
        let mut matching = 0;
        for (at, item) in items.iter().enumerate() {
            if at % CHECK_EVERY == CHECK_EVERY - 1 {
                self.host.check_killed()?;
            }
            matching += i64::from(self.element_compare(op, item, &right)?);
        }
        Ok(Value::Bool(count.holds(matching, items.len() as i64)))
    }

    /// The text operators of 4.x go through the functions that they are short for.
    fn element_compare(
        &mut self,
        op: BinaryOp,
        item: &Value,
        right: &Value,
    ) -> Result<bool, ArangoError> {
        let (name, expected) = match op {
            BinaryOp::Like => ("LIKE", true),
            BinaryOp::NotLike => ("LIKE", false),
            BinaryOp::Match => ("REGEX_TEST", true),
            BinaryOp::NotMatch => ("REGEX_TEST", false),
            _ => return Ok(compare(op, item, right)),
        };
        let Some(function) = crate::functions::lookup(name) else {
            return Ok(false);
        };
        let arguments = [item.clone(), right.clone()];
        let mut context = crate::functions::Context { host: self.host };
        let found = (function.eval)(&mut context, &arguments)?;
        Ok(found.is_true() == expected)
    }

    fn count(&mut self, quantifier: &Quantifier) -> Result<Count, ArangoError> {
        Ok(match quantifier {
            Quantifier::All => Count::All,
            Quantifier::Any => Count::Any,
            Quantifier::None => Count::None,
            Quantifier::AtLeast(least) => Count::AtLeast(self.eval(least)?.to_i64()),
            Quantifier::Exactly(exactly) => {
                let exactly = self.eval(exactly)?.to_i64();
                Count::Between(exactly, exactly)
            }
            Quantifier::Between(low, high) => {
                let low = self.eval(low)?.to_i64();
                Count::Between(low, self.eval(high)?.to_i64())
            }
        })
    }

    fn enter(&mut self, current: usize, item: &Value, at: usize) -> Result<(), ArangoError> {
        if at % CHECK_EVERY == CHECK_EVERY - 1 {
            self.host.check_killed()?;
        }
        if let Some(slot) = self.row.get_mut(current) {
            *slot = item.clone();
        }
        Ok(())
    }

    fn leave(&mut self, current: usize, before: Option<Value>) {
        if let (Some(slot), Some(before)) = (self.row.get_mut(current), before) {
            *slot = before;
        }
    }
}

/// Dissolves arrays inside the array, so many levels deep.
fn flatten(items: &[Value], levels: u32, flat: &mut Vec<Value>) {
    for item in items {
        match item.as_array() {
            Some(inner) if levels > 0 => flatten(inner, levels - 1, flat),
            _ => flat.push(item.clone()),
        }
    }
}
