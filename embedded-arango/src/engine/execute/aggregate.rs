//! Aggregate functions, fed one value at a time.
//!
//! Numbers only are summed and averaged; what is no number turns the result into `null`, as on the server, and `null` is
//! passed over.

use std::collections::{BTreeSet, HashSet};

use crate::engine::plan::node::AggregateFunction;
use crate::value::Value;

/// An aggregate while it is computed.
#[derive(Clone, Debug)]
pub(super) enum State {
    Length(i64),
    Least(Option<Value>),
    Greatest(Option<Value>),
    Sum(Sum),
    Average(Sum),
    Spread(Spread, AggregateFunction),
    /// The values in the order of their coming, each once.
    Unique(HashSet<Value>, Vec<Value>),
    Sorted(BTreeSet<Value>),
    Count(HashSet<Value>),
    Bits(AggregateFunction, Bits),
    Push(Vec<Value>),
}

/// A sum that stays whole as long as it can.
#[derive(Clone, Debug)]
pub(super) struct Sum {
    whole: Option<i64>,
    double: f64,
    count: u64,
    valid: bool,
}

/// Count, mean and sum of squared differences, by Welford's method.
#[derive(Clone, Debug)]
pub(super) struct Spread {
    count: f64,
    mean: f64,
    squares: f64,
    valid: bool,
}

/// Bits of unsigned 32-bit numbers.
#[derive(Clone, Debug)]
pub(super) struct Bits {
    value: Option<u64>,
    valid: bool,
}

impl State {
    pub(super) fn new(function: AggregateFunction) -> Self {
        use AggregateFunction as F;
        let sum = Sum {
            whole: Some(0),
            double: 0.0,
            count: 0,
            valid: true,
        };
        match function {
            F::Length => State::Length(0),
            F::Min => State::Least(None),
            F::Max => State::Greatest(None),
            F::Sum => State::Sum(sum),
            F::Average => State::Average(sum),
            F::StddevPopulation | F::StddevSample | F::VariancePopulation | F::VarianceSample => {
                let spread = Spread {
                    count: 0.0,
                    mean: 0.0,
                    squares: 0.0,
                    valid: true,
                };
                State::Spread(spread, function)
            }
            F::Unique => State::Unique(HashSet::new(), Vec::new()),
            F::SortedUnique => State::Sorted(BTreeSet::new()),
            F::CountDistinct => State::Count(HashSet::new()),
            F::BitAnd | F::BitOr | F::BitXor => {
                let bits = Bits {
                    value: None,
                    valid: true,
                };
                State::Bits(function, bits)
            }
            F::Push => State::Push(Vec::new()),
        }
    }

    /// Takes a value in.
    pub(super) fn add(&mut self, value: Value) {
        match self {
            State::Length(count) => *count += 1,
            State::Least(least) => {
                let lower = least
                    .as_ref()
                    .is_none_or(|least| value.compare(least).is_lt());
                if lower && !value.is_null() {
                    *least = Some(value);
                }
            }
            State::Greatest(greatest) => {
                let higher = greatest
                    .as_ref()
                    .is_none_or(|greatest| value.compare(greatest).is_gt());
                if higher {
                    *greatest = Some(value);
                }
            }
            State::Sum(sum) | State::Average(sum) => sum.add(&value),
            State::Spread(spread, _) => spread.add(&value),
            State::Unique(seen, order) => {
                if seen.insert(value.clone()) {
                    order.push(value);
                }
            }
            State::Sorted(seen) => {
                seen.insert(value);
            }
            State::Count(seen) => {
                seen.insert(value);
            }
            State::Bits(function, bits) => bits.add(*function, &value),
            State::Push(values) => values.push(value),
        }
    }

    /// The result.
    pub(super) fn result(&self) -> Value {
        match self {
            State::Length(count) => Value::Int(*count),
            State::Least(value) | State::Greatest(value) => value.clone().unwrap_or_default(),
            State::Sum(sum) => sum.total(),
            State::Average(sum) => sum.average(),
            State::Spread(spread, function) => spread.result(*function),
            State::Unique(_, order) => Value::array(order.clone()),
            State::Sorted(seen) => Value::array(seen.iter().cloned().collect()),
            State::Count(seen) => Value::Int(seen.len() as i64),
            State::Bits(_, bits) => match bits.value {
                Some(value) if bits.valid => Value::Int(value as i64),
                _ => Value::Null,
            },
            State::Push(values) => Value::array(values.clone()),
        }
    }
}

impl Sum {
    fn add(&mut self, value: &Value) {
        match value {
            Value::Null => {}
            Value::Int(number) => {
                self.whole = self.whole.and_then(|whole| whole.checked_add(*number));
                self.double += *number as f64;
                self.count += 1;
            }
            Value::Double(number) => {
                self.whole = None;
                self.double += number;
                self.count += 1;
            }
            _ => self.valid = false,
        }
    }

    fn total(&self) -> Value {
        match (self.valid, self.whole) {
            (false, _) => Value::Null,
            (true, Some(whole)) => Value::Int(whole),
            (true, None) => Value::from_f64(self.double),
        }
    }

    fn average(&self) -> Value {
        if !self.valid || self.count == 0 {
            return Value::Null;
        }
        Value::from_f64(self.double / self.count as f64)
    }
}

impl Spread {
    fn add(&mut self, value: &Value) {
        match value {
            Value::Null => {}
            Value::Int(_) | Value::Double(_) => {
                let number = value.to_f64();
                self.count += 1.0;
                let delta = number - self.mean;
                self.mean += delta / self.count;
                self.squares += delta * (number - self.mean);
            }
            _ => self.valid = false,
        }
    }

    fn result(&self, function: AggregateFunction) -> Value {
        use AggregateFunction as F;
        let sample = matches!(function, F::VarianceSample | F::StddevSample);
        let divisor = if sample { self.count - 1.0 } else { self.count };
        if !self.valid || divisor <= 0.0 {
            return Value::Null;
        }
        let variance = self.squares / divisor;
        match function {
            F::StddevPopulation | F::StddevSample => Value::from_f64(variance.sqrt()),
            _ => Value::from_f64(variance),
        }
    }
}

impl Bits {
    fn add(&mut self, function: AggregateFunction, value: &Value) {
        if value.is_null() {
            return;
        }
        let number = value
            .is_number()
            .then(|| value.to_f64())
            .filter(|number| (0.0..=f64::from(u32::MAX)).contains(number));
        let Some(number) = number else {
            self.valid = false;
            return;
        };
        let number = number as u64;
        self.value = Some(match (self.value, function) {
            (None, _) => number,
            (Some(value), AggregateFunction::BitAnd) => value & number,
            (Some(value), AggregateFunction::BitOr) => value | number,
            (Some(value), _) => value ^ number,
        });
    }
}
