//! When two values count as the same.
//!
//! | values | same where |
//! |---|---|
//! | null, booleans, texts | they are equal, byte for byte |
//! | whole numbers | they are equal |
//! | other numbers | they differ by less than a billionth, or one is the other rounded to two decimal places or more |
//! | lists | their items are the same: in any order, or in the same one where order counts |
//! | objects | their attributes have the same names and values; an attribute that is null counts as absent |

use serde_json::{Map, Number, Value};

/// What adding up in another order may change, as a share of the number.
const NOISE: f64 = 1e-9;

/// A number with fewer decimal places than this is not taken for a rounded one.
const LEAST_PLACES: i32 = 2;

/// More than any number shows.
const MOST_PLACES: i32 = 17;

/// Whether two values count as the same; the order of lists counts where `ordered`.
pub(super) fn same(one: &Value, other: &Value, ordered: bool) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => numbers(one, other),
        (Value::Array(one), Value::Array(other)) => lists(one, other, ordered),
        (Value::Object(one), Value::Object(other)) => objects(one, other, ordered),
        _ => one == other,
    }
}

fn lists(one: &[Value], other: &[Value], ordered: bool) -> bool {
    if one.len() != other.len() {
        return false;
    }
    if ordered {
        return one.iter().zip(other).all(|(a, b)| same(a, b, true));
    }
    let mut left: Vec<&Value> = other.iter().collect();
    one.iter().all(|item| {
        let found = left.iter().position(|other| same(item, other, false));
        found.map(|at| left.remove(at)).is_some()
    })
}

fn objects(one: &Map<String, Value>, other: &Map<String, Value>, ordered: bool) -> bool {
    let given = |map: &Map<String, Value>| map.values().filter(|value| !value.is_null()).count();
    given(one) == given(other)
        && one
            .iter()
            .filter(|(_, value)| !value.is_null())
            .all(|(name, value)| {
                other
                    .get(name)
                    .is_some_and(|other| same(value, other, ordered))
            })
}

fn numbers(one: &Number, other: &Number) -> bool {
    if let (Some(one), Some(other)) = (whole(one), whole(other)) {
        return one == other;
    }
    let (Some(a), Some(b)) = (one.as_f64(), other.as_f64()) else {
        return one == other;
    };
    let distance = (a - b).abs();
    if distance <= NOISE * a.abs().max(b.abs()) {
        return true;
    }
    let shown = places(a).min(places(b)).max(LEAST_PLACES);
    // A half of the last place, and the noise of writing it in binary.
    distance <= 0.5 * 10_f64.powi(-shown) * (1.0 + 1e-6)
}

fn whole(number: &Number) -> Option<i128> {
    number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from))
}

/// Decimal places of the shortest text of a number.
fn places(number: f64) -> i32 {
    let text = number.to_string();
    let after = text.split_once('.').map_or(0, |(_, after)| after.len());
    i32::try_from(after).unwrap_or(MOST_PLACES).min(MOST_PLACES)
}

/// More than two numbers that count as the same lie apart, but for the noise.
pub(super) const TOLERANCE: f64 = 0.006;

/// The numbers of a value, for a first look: values that are the same have about the same.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Weight {
    /// Their sum.
    pub(super) sum: f64,
    /// The sum of their magnitudes.
    pub(super) size: f64,
    /// How many there are.
    pub(super) numbers: f64,
}

/// Adds the numbers of a value.
pub(super) fn weigh(value: &Value, weight: &mut Weight) {
    match value {
        Value::Number(number) => {
            // Sums stay finite, so that none is without a place in the order.
            let number = number.as_f64().unwrap_or(0.0).clamp(-1e300, 1e300);
            weight.sum += number;
            weight.size += number.abs();
            weight.numbers += 1.0;
        }
        Value::Array(items) => items.iter().for_each(|item| weigh(item, weight)),
        Value::Object(map) => map.values().for_each(|item| weigh(item, weight)),
        _ => {}
    }
}

/// A text that is equal for values that may be the same: all of a value but its numbers and, where it does not count, its order.
pub(super) fn skeleton(value: &Value, ordered: bool) -> String {
    match value {
        Value::Number(_) => "#".to_owned(),
        Value::Array(items) => {
            let mut items: Vec<String> = items.iter().map(|item| skeleton(item, ordered)).collect();
            if !ordered {
                items.sort_unstable();
            }
            format!("[{}]", items.join(","))
        }
        Value::Object(map) => {
            let mut items: Vec<String> = map
                .iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(name, value)| format!("{name:?}:{}", skeleton(value, ordered)))
                .collect();
            items.sort_unstable();
            format!("{{{}}}", items.join(","))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_rounded_number_is_the_number_and_a_neighbour_is_not() {
        for (a, b) in [
            (json!(5), json!(5.0)),
            (json!(333.13), json!(333.13000000000005)),
            (json!(4.333333333), json!(4.33)),
            (json!(23.9), json!(23.90)),
            (json!(0.1 + 0.2), json!(0.3)),
            (json!(12.5), json!(12.504)),
        ] {
            assert!(same(&a, &b, false), "{a} {b}");
            assert!(same(&b, &a, false), "{b} {a}");
        }
        for (a, b) in [
            (json!(5), json!(6)),
            (
                json!(9_007_199_254_740_993_u64),
                json!(9_007_199_254_740_992_u64),
            ),
            (json!(4.33), json!(4.34)),
            (json!(333.13), json!(333.1)),
            (json!(0.001), json!(0.003)),
            (json!(1), json!("1")),
            (json!(0), json!(null)),
            (json!("a"), json!("A")),
        ] {
            assert!(!same(&a, &b, false), "{a} {b}");
        }
    }

    #[test]
    fn the_order_of_a_list_counts_where_order_counts() {
        let (a, b) = (json!(["x", [1, 2]]), json!([[2, 1], "x"]));
        assert!(same(&a, &b, false));
        assert!(!same(&a, &b, true));
        assert_eq!(skeleton(&a, false), skeleton(&b, false));
        assert!(!same(&json!([1, 1, 2]), &json!([1, 2, 2]), false));
    }

    #[test]
    fn an_attribute_that_is_null_is_one_that_is_absent() {
        assert!(same(&json!({"a": 1, "b": null}), &json!({"a": 1}), true));
        assert!(!same(&json!({"a": 1, "b": 0}), &json!({"a": 1}), true));
        assert!(!same(&json!({"a": 1}), &json!({"b": 1}), true));
    }
}
