//! What `TOKENS()` gives for a value that is no text: the terms under which the server's index would find it, in base64.
//!
//! `null` is the empty term, `false` the byte 0 and `true` the byte 255. A number is found at four precisions: each term is a
//! byte that says how many low bits were cut off, then the rest of the double in the order of its value.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::value::Value;

/// Marks the terms of doubles.
const DOUBLE: u8 = 0xa0;

/// How many bits each term has less than the one before it.
const LESS: usize = 16;

/// The terms of `null`, a truth value or a number; none for other values.
pub(super) fn of(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => vec![Value::from("")],
        Value::Bool(truth) => vec![encoded(&[if *truth { 0xff } else { 0 }])],
        Value::Int(_) | Value::Double(_) => {
            let ordered = in_order(value.to_f64()).to_be_bytes();
            (0..64)
                .step_by(LESS)
                .map(|cut| {
                    let kept = ordered.len() - cut / 8;
                    let mut term = vec![DOUBLE + cut as u8];
                    term.extend(ordered.iter().take(kept));
                    encoded(&term)
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

fn encoded(bytes: &[u8]) -> Value {
    Value::from(STANDARD.encode(bytes))
}

/// A number whose unsigned order is that of the doubles.
fn in_order(number: f64) -> u64 {
    let bits = number.to_bits();
    if bits >> 63 == 1 {
        !bits
    } else {
        bits | 1 << 63
    }
}

#[cfg(test)]
mod tests {
    use super::of;
    use crate::value::Value;

    #[test]
    fn a_number_has_four_terms_of_falling_precision() {
        let terms: Vec<String> = of(&Value::Int(1)).iter().map(Value::to_text).collect();
        assert_eq!(terms, ["oL/wAAAAAAAA", "sL/wAAAAAA==", "wL/wAAA=", "0L/w"]);
        assert_eq!(of(&Value::Bool(true)), [Value::from("/w==")]);
        assert_eq!(of(&Value::Null), [Value::from("")]);
    }

    #[test]
    fn terms_are_in_the_order_of_numbers() {
        let numbers = [-1e300, -2.5, -0.5, 0.0, 0.25, 7.0, 1e20];
        let ordered: Vec<u64> = numbers.iter().map(|one| super::in_order(*one)).collect();
        assert!(ordered.is_sorted());
    }
}
