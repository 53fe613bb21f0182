//! The total order of values: `null` < bool < number < string < array < object.
//!
//! Arrays compare element by element and objects attribute by attribute in the order of the names; what one side lacks
//! counts as `null`, so `{}` equals `{a: null}` and `[]` equals `[null]`. Integers and doubles compare by their exact
//! value. `Hash` agrees with `Eq`, so values can be keys of hash tables.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::{Object, Value, compare_strings};

impl Value {
    /// The place of the type in the total order: 0 for `null` to 5 for an object.
    pub fn type_rank(&self) -> u8 {
        match self {
            Self::Null => 0,
            Self::Bool(_) => 1,
            Self::Int(_) | Self::Double(_) => 2,
            Self::String(_) => 3,
            Self::Array(_) => 4,
            Self::Object(_) => 5,
        }
    }

    /// Compares two values by the total order.
    pub fn compare(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Self::Null, Self::Null) => Ordering::Equal,
            (Self::Bool(left), Self::Bool(right)) => left.cmp(right),
            (Self::Int(left), Self::Int(right)) => left.cmp(right),
            (Self::Double(left), Self::Double(right)) => {
                left.partial_cmp(right).unwrap_or(Ordering::Equal)
            }
            (Self::Int(left), Self::Double(right)) => compare_mixed(*left, *right),
            (Self::Double(left), Self::Int(right)) => compare_mixed(*right, *left).reverse(),
            (Self::String(left), Self::String(right)) => compare_strings(left, right),
            (Self::Array(left), Self::Array(right)) => {
                if Arc::ptr_eq(left, right) {
                    Ordering::Equal
                } else {
                    compare_arrays(left, right)
                }
            }
            (Self::Object(left), Self::Object(right)) => {
                if Arc::ptr_eq(left, right) {
                    Ordering::Equal
                } else {
                    compare_objects(left, right)
                }
            }
            _ => self.type_rank().cmp(&other.type_rank()),
        }
    }
}

/// 2^63 as a double: the first whole number above every `i64`.
const ABOVE_INT: f64 = 9_223_372_036_854_775_808.0;

fn compare_mixed(int: i64, double: f64) -> Ordering {
    if double >= ABOVE_INT {
        return Ordering::Less;
    }
    if double < -ABOVE_INT {
        return Ordering::Greater;
    }
    let whole = double.trunc();
    int.cmp(&(whole as i64)).then_with(|| {
        0.0.partial_cmp(&(double - whole))
            .unwrap_or(Ordering::Equal)
    })
}

fn compare_arrays(left: &[Value], right: &[Value]) -> Ordering {
    for at in 0..left.len().max(right.len()) {
        let order = left
            .get(at)
            .unwrap_or(&Value::Null)
            .compare(right.get(at).unwrap_or(&Value::Null));
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}

pub(super) fn compare_objects(left: &Object, right: &Object) -> Ordering {
    let mut names: Vec<&str> = left
        .keys()
        .chain(right.keys())
        .map(|name| &**name)
        .collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let order = left
            .get(name)
            .unwrap_or(&Value::Null)
            .compare(right.get(name).unwrap_or(&Value::Null));
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            // Spares collation where only equality is asked.
            (Self::String(left), Self::String(right)) => left == right,
            _ => self.compare(other).is_eq(),
        }
    }
}

impl Eq for Value {}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        self.compare(other)
    }
}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.type_rank().hash(state);
        match self {
            Self::Null => {}
            Self::Bool(truth) => truth.hash(state),
            Self::Int(number) => number.hash(state),
            // A double that equals an integer must hash like it; -0.0 becomes 0 on the way.
            Self::Double(number)
                if number.fract() == 0.0 && (-ABOVE_INT..ABOVE_INT).contains(number) =>
            {
                (*number as i64).hash(state);
            }
            Self::Double(number) => number.to_bits().hash(state),
            Self::String(text) => text.hash(state),
            Self::Array(items) => {
                // Missing elements equal `null`: leave trailing ones out.
                let end = items
                    .iter()
                    .rposition(|item| *item != Value::Null)
                    .map_or(0, |at| at + 1);
                items.iter().take(end).for_each(|item| item.hash(state));
            }
            Self::Object(object) => {
                let mut entries: Vec<_> = object
                    .iter()
                    .filter(|(_, value)| **value != Value::Null)
                    .collect();
                entries.sort_unstable_by(|left, right| left.0.cmp(right.0));
                entries.into_iter().for_each(|(name, value)| {
                    name.hash(state);
                    value.hash(state);
                });
            }
        }
    }
}
