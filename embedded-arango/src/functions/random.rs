//! Randomness: numbers, tokens, identifiers. Not for secrets: the generator is seeded once a thread.

use std::cell::Cell;
use std::hash::{BuildHasher as _, RandomState};

use super::arguments::arg;
use super::{Context, Function, volatile};
use crate::error::ArangoError;
use crate::value::Value;

type Outcome = Result<Value, ArangoError>;

pub(super) const TABLE: &[Function] = &[
    volatile("RAND", 0, 0, |_, _| Ok(Value::Double(unit()))),
    volatile("RANDOM", 0, 0, |_, _| Ok(Value::Double(unit()))),
    volatile("RANDOM_TOKEN", 1, 1, random_token),
    volatile("UUID", 0, 0, |_, _| Ok(Value::from(uuid()))),
];

thread_local! {
    static STATE: Cell<u64> = Cell::new(RandomState::new().hash_one(0_u8));
}

/// The next 64 bits (splitmix64).
fn next() -> u64 {
    let state = STATE.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
    STATE.set(state);
    let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// A number from 0 up to but not including 1.
fn unit() -> f64 {
    (next() >> 11) as f64 / (1_u64 << 53) as f64
}

const LETTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

fn random_token(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Some(length) = usize::try_from(arg(args, 0).to_i64())
        .ok()
        .filter(|length| *length <= 65_536)
    else {
        return ctx.invalid("RANDOM_TOKEN");
    };
    ctx.charge_text("RANDOM_TOKEN", length)?;
    let letter = |_| char::from(LETTERS.get((next() % 62) as usize).copied().unwrap_or(b'A'));
    Ok(Value::from((0..length).map(letter).collect::<String>()))
}

/// A random UUID, version 4.
fn uuid() -> String {
    let (high, low) = (next(), next());
    let third = (high & 0x0fff) | 0x4000;
    let fourth = (low >> 48) & 0x3fff | 0x8000;
    format!(
        "{:08x}-{:04x}-{third:04x}-{fourth:04x}-{:012x}",
        high >> 32,
        (high >> 16) & 0xffff,
        low & 0xffff_ffff_ffff
    )
}
