//! Operators: arithmetic that casts its operands, comparison by AQL's total order, logic that gives an operand back.

use std::cmp::Ordering;

use aql_syntax::ast::{BinaryOp, UnaryOp};

use super::Evaluator;
use crate::engine::plan::expression::Ex;
use crate::error::ArangoError;
use crate::value::Value;

/// `-a`, `+a`, `NOT a`.
pub(super) fn unary(op: UnaryOp, operand: &Value) -> Value {
    match (op, operand.to_number()) {
        (UnaryOp::Not, _) => Value::Bool(!operand.is_true()),
        (UnaryOp::Plus, number) => number,
        (UnaryOp::Minus, Value::Int(number)) => match number.checked_neg() {
            Some(negated) => Value::Int(negated),
            None => Value::from_f64(-(number as f64)),
        },
        (UnaryOp::Minus, number) => Value::from_f64(-number.to_f64()),
    }
}

/// Whether `left op right` holds. An operator that compares nothing holds for no operands.
pub(crate) fn compare(op: BinaryOp, left: &Value, right: &Value) -> bool {
    match op {
        BinaryOp::Equal => left.compare(right) == Ordering::Equal,
        BinaryOp::NotEqual => left.compare(right) != Ordering::Equal,
        BinaryOp::Less => left.compare(right) == Ordering::Less,
        BinaryOp::LessEqual => left.compare(right) != Ordering::Greater,
        BinaryOp::Greater => left.compare(right) == Ordering::Greater,
        BinaryOp::GreaterEqual => left.compare(right) != Ordering::Less,
        BinaryOp::In => contains(right, left),
        // What is no array contains nothing, and yet `NOT IN` does not hold either.
        BinaryOp::NotIn => right.as_array().is_some() && !contains(right, left),
        _ => false,
    }
}

/// Whether the array holds the value; what is no array holds nothing.
fn contains(array: &Value, value: &Value) -> bool {
    array
        .as_array()
        .is_some_and(|items| items.iter().any(|item| item.compare(value).is_eq()))
}

impl Evaluator<'_> {
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: &Ex,
        right: &Ex,
    ) -> Result<Value, ArangoError> {
        let first = self.eval(left)?;
        match op {
            BinaryOp::And if !first.is_true() => return Ok(first),
            BinaryOp::Or if first.is_true() => return Ok(first),
            BinaryOp::And | BinaryOp::Or => return self.eval(right),
            BinaryOp::In | BinaryOp::NotIn => {
                if let Ex::Range(from, to) = right {
                    let found = self.in_range(&first, from, to)?;
                    return Ok(Value::Bool(found == (op == BinaryOp::In)));
                }
            }
            _ => {}
        }
        let second = self.eval(right)?;
        Ok(match op {
            BinaryOp::Add => add(&first, &second),
            BinaryOp::Subtract => subtract(&first, &second),
            BinaryOp::Multiply => multiply(&first, &second),
            BinaryOp::Divide | BinaryOp::Modulo => return self.divide(op, &first, &second),
            _ => Value::Bool(compare(op, &first, &second)),
        })
    }

    /// `value IN from..to`, without the array.
    fn in_range(&mut self, value: &Value, from: &Ex, to: &Ex) -> Result<bool, ArangoError> {
        let (from, to) = self.range(from, to)?;
        let (low, high) = (from.min(to), from.max(to));
        Ok(match value {
            Value::Int(number) => (low..=high).contains(number),
            Value::Double(number) => {
                number.fract() == 0.0 && *number >= low as f64 && *number <= high as f64
            }
            _ => false,
        })
    }

    fn divide(&mut self, op: BinaryOp, left: &Value, right: &Value) -> Result<Value, ArangoError> {
        let (left, right) = (left.to_number(), right.to_number());
        let divisor = right.to_f64();
        if divisor == 0.0 {
            self.host.warn(1562, "division by zero".into())?;
            return Ok(Value::Null);
        }
        if let (Value::Int(left), Value::Int(right)) = (&left, &right) {
            // The one overflow is i64::MIN by -1: `checked_` gives none there, and doubles take over.
            let whole = match op {
                BinaryOp::Modulo => left.checked_rem(*right),
                _ if left.checked_rem(*right) == Some(0) => left.checked_div(*right),
                _ => None,
            };
            if let Some(whole) = whole {
                return Ok(Value::Int(whole));
            }
        }
        Ok(match op {
            BinaryOp::Modulo => finite(self, left.to_f64() % divisor)?,
            _ => finite(self, left.to_f64() / divisor)?,
        })
    }
}

fn finite(evaluator: &mut Evaluator<'_>, number: f64) -> Result<Value, ArangoError> {
    if !number.is_finite() {
        evaluator.host.warn(1504, "number out of range".into())?;
    }
    Ok(Value::from_f64(number))
}

fn add(left: &Value, right: &Value) -> Value {
    arithmetic(left, right, i64::checked_add, |a, b| a + b)
}

fn subtract(left: &Value, right: &Value) -> Value {
    arithmetic(left, right, i64::checked_sub, |a, b| a - b)
}

fn multiply(left: &Value, right: &Value) -> Value {
    arithmetic(left, right, i64::checked_mul, |a, b| a * b)
}

/// Integers as long as the result fits, else doubles.
fn arithmetic(
    left: &Value,
    right: &Value,
    whole: fn(i64, i64) -> Option<i64>,
    double: fn(f64, f64) -> f64,
) -> Value {
    let (left, right) = (left.to_number(), right.to_number());
    if let (Value::Int(left), Value::Int(right)) = (&left, &right)
        && let Some(result) = whole(*left, *right)
    {
        return Value::Int(result);
    }
    Value::from_f64(double(left.to_f64(), right.to_f64()))
}
