//! Evaluates expressions on a row.
//!
//! Evaluation never fails because of a value's type: as the server does it, a value is cast, or the result is `null` or
//! `false`, with a warning where the server gives one. It fails where a function fails, where a limit is reached, and
//! where the query was killed.

mod array;
mod operator;

pub(crate) use operator::compare;

use crate::engine::plan::expression::{Ex, Item, Part};
use crate::error::{ArangoError, number};
use crate::functions::{Context, Host};
use crate::value::{Object, Value};

/// The most elements that a range may have where its array is needed; the real server's limit.
const RANGE_LIMIT: u64 = 10_000_000;

/// Evaluates on one row, with a host for warnings, limits and what functions need of the outside.
pub(crate) struct Evaluator<'a> {
    pub(crate) row: &'a mut [Value],
    pub(crate) host: &'a mut dyn Host,
}

impl Evaluator<'_> {
    /// The value of the expression.
    pub(crate) fn eval(&mut self, expression: &Ex) -> Result<Value, ArangoError> {
        match expression {
            Ex::Const(value) => Ok(value.clone()),
            Ex::Var(id) => Ok(self.row.get(*id).cloned().unwrap_or_default()),
            Ex::Attribute(base, name) => match &**base {
                // The usual case, without a clone of the whole document.
                Ex::Var(id) => Ok(self
                    .row
                    .get(*id)
                    .map(|base| base.get(name))
                    .unwrap_or_default()),
                base => Ok(self.eval(base)?.get(name)),
            },
            Ex::Index(base, index) => {
                let base = self.eval(base)?;
                let index = self.eval(index)?;
                Ok(element(&base, &index))
            }
            Ex::Array(items) => self.array(items),
            Ex::Object(parts) => self.object(parts),
            Ex::Call(function, arguments) => {
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    values.push(self.eval(argument)?);
                }
                (function.eval)(&mut Context { host: self.host }, &values)
            }
            Ex::UserCall(name, _) => Err(ArangoError::new(
                number::QUERY_FUNCTION_NOT_FOUND,
                format!("user function '{name}()' not found"),
            )),
            Ex::Unary(op, operand) => {
                let operand = self.eval(operand)?;
                Ok(operator::unary(*op, &operand))
            }
            Ex::Binary(op, left, right) => self.binary(*op, left, right),
            Ex::Among {
                negated,
                value,
                list,
            } => {
                let value = self.eval(value)?;
                // As for `IN` itself: what is no array holds nothing, and `NOT IN` does not hold of it either.
                let found = self
                    .eval(list)?
                    .as_array()
                    .map(|items| items.binary_search_by(|item| item.compare(&value)).is_ok());
                Ok(Value::Bool(found.is_some_and(|found| found != *negated)))
            }
            Ex::ArrayCompare(quantifier, op, left, right) => {
                self.array_compare(quantifier, *op, left, right)
            }
            Ex::Ternary(condition, then, otherwise) => {
                let condition = self.eval(condition)?;
                match (condition.is_true(), then) {
                    (true, Some(then)) => self.eval(then),
                    (true, None) => Ok(condition),
                    (false, _) => self.eval(otherwise),
                }
            }
            Ex::Range(from, to) => {
                let (from, to) = self.range(from, to)?;
                self.materialize(from, to)
            }
            Ex::Expansion(expansion) => self.expansion(expansion),
            Ex::ArrayFilter(filter) => self.array_filter(filter),
        }
    }

    /// The bounds of a range.
    pub(crate) fn range(&mut self, from: &Ex, to: &Ex) -> Result<(i64, i64), ArangoError> {
        Ok((self.eval(from)?.to_i64(), self.eval(to)?.to_i64()))
    }

    fn materialize(&mut self, from: i64, to: i64) -> Result<Value, ArangoError> {
        let count = from.abs_diff(to).saturating_add(1);
        if count > RANGE_LIMIT {
            return Err(ArangoError::new(
                number::RESOURCE_LIMIT,
                format!("range of {count} values exceeds the limit of {RANGE_LIMIT} values"),
            ));
        }
        self.host.charge(count as usize * size_of::<Value>())?;
        let items = if from <= to {
            (from..=to).map(Value::Int).collect()
        } else {
            (to..=from).rev().map(Value::Int).collect()
        };
        Ok(Value::array(items))
    }

    fn array(&mut self, items: &[Item]) -> Result<Value, ArangoError> {
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            match item {
                Item::Value(value) => values.push(self.eval(value)?),
                Item::Spread(array) => {
                    if let Value::Array(inner) = self.eval(array)? {
                        values.extend(inner.iter().cloned());
                    }
                }
            }
        }
        Ok(Value::array(values))
    }

    /// Of two attributes of one name the first stays, as up to 3.12.
    fn object(&mut self, parts: &[Part]) -> Result<Value, ArangoError> {
        let mut object = Object::with_capacity(parts.len());
        for part in parts {
            match part {
                Part::Named(name, value) => {
                    let value = self.eval(value)?;
                    if !object.contains(name) {
                        object.insert(name.clone(), value);
                    }
                }
                Part::Computed(name, value) => {
                    let name = self.eval(name)?.to_text();
                    let value = self.eval(value)?;
                    if !object.contains(&name) {
                        object.insert(name, value);
                    }
                }
                Part::Spread(inner) => {
                    if let Value::Object(inner) = self.eval(inner)? {
                        for (name, value) in inner.iter() {
                            object.insert(name.clone(), value.clone());
                        }
                    }
                }
            }
        }
        Ok(Value::object(object))
    }
}

/// `base[index]`: a position of an array, counted from the end where negative, or an attribute of an object.
fn element(base: &Value, index: &Value) -> Value {
    match (base, index) {
        (Value::Array(_), Value::String(text)) => match text.parse::<i64>() {
            Ok(position) => base.at(position),
            Err(_) => Value::Null,
        },
        (Value::Array(_), _) => match index.as_i64() {
            Some(position) => base.at(position),
            None => Value::Null,
        },
        (Value::Object(_), Value::String(name)) => base.get(name),
        (Value::Object(_), Value::Int(_) | Value::Double(_)) => base.get(&index.to_text()),
        _ => Value::Null,
    }
}
