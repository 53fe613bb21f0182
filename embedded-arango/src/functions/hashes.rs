//! The hash functions whose numbers users see: of values in the server's binary form, and of texts in MinHash signatures.

use crate::value::Value;

/// What the server begins its hashes with.
const SEED: u64 = 0xdead_beef;

/// The hash of a value by which the server tells equal values: integers count as the doubles that they equal.
pub(super) fn value_hash(value: &Value) -> u64 {
    hash(value, SEED)
}

fn hash(value: &Value, seed: u64) -> u64 {
    match value {
        Value::Null => xx_hash(&[0x18], seed),
        Value::Bool(truth) => xx_hash(&[if *truth { 0x1a } else { 0x19 }], seed),
        Value::Int(_) | Value::Double(_) => xx_hash(&value.to_f64().to_le_bytes(), seed),
        Value::String(text) => hash_text(text, seed),
        Value::Array(items) => {
            let count = items.len() as u64 ^ 0xba_5bed_f00d;
            let mut all = xx_hash(&count.to_le_bytes(), seed);
            for item in items.iter() {
                all ^= hash(item, all);
            }
            all
        }
        Value::Object(object) => {
            let count = object.len() as u64 ^ 0xf0_0ba4_4ba5;
            let seed = xx_hash(&count.to_le_bytes(), seed);
            let mut all = seed;
            for (name, value) in object.iter() {
                let name = hash_text(name, seed);
                all ^= name;
                all ^= hash(value, name);
            }
            all
        }
    }
}

/// The hash of a text with its head: the length in one byte, or a byte and the length in eight.
fn hash_text(text: &str, seed: u64) -> u64 {
    let mut bytes = Vec::with_capacity(text.len() + 9);
    match u8::try_from(text.len()) {
        Ok(short @ 0..=126) => bytes.push(0x40 + short),
        _ => {
            bytes.push(0xbf);
            bytes.extend((text.len() as u64).to_le_bytes());
        }
    }
    bytes.extend(text.as_bytes());
    xx_hash(&bytes, seed)
}

fn word(bytes: &[u8], at: usize) -> u64 {
    let mut eight = [0; 8];
    for (to, from) in eight.iter_mut().zip(bytes.iter().skip(at)) {
        *to = *from;
    }
    u64::from_le_bytes(eight)
}

fn half_word(bytes: &[u8], at: usize) -> u64 {
    word(bytes, at) & 0xffff_ffff
}

const PRIMES: [u64; 5] = [
    0x9e37_79b1_85eb_ca87,
    0xc2b2_ae3d_27d4_eb4f,
    0x1656_67b1_9e37_79f9,
    0x85eb_ca77_c2b2_ae63,
    0x27d4_eb2f_1656_67c5,
];

/// XXH64.
fn xx_hash(bytes: &[u8], seed: u64) -> u64 {
    let [p1, p2, p3, p4, p5] = PRIMES;
    let round = |lane: u64, input: u64| {
        lane.wrapping_add(input.wrapping_mul(p2))
            .rotate_left(31)
            .wrapping_mul(p1)
    };
    let stripes = bytes.chunks_exact(32);
    let rest = stripes.remainder();
    let mut all = if bytes.len() < 32 {
        seed.wrapping_add(p5)
    } else {
        let mut lanes = [
            seed.wrapping_add(p1).wrapping_add(p2),
            seed.wrapping_add(p2),
            seed,
            seed.wrapping_sub(p1),
        ];
        for stripe in stripes {
            for (at, lane) in lanes.iter_mut().enumerate() {
                *lane = round(*lane, word(stripe, at * 8));
            }
        }
        let turned = lanes.iter().zip([1, 7, 12, 18]);
        let mixed = turned.fold(0_u64, |all, (lane, by)| {
            all.wrapping_add(lane.rotate_left(by))
        });
        lanes.iter().fold(mixed, |all, lane| {
            (all ^ round(0, *lane)).wrapping_mul(p1).wrapping_add(p4)
        })
    };
    all = all.wrapping_add(bytes.len() as u64);
    let eights = rest.chunks_exact(8);
    let mut last = eights.remainder();
    for eight in eights {
        all = (all ^ round(0, word(eight, 0)))
            .rotate_left(27)
            .wrapping_mul(p1)
            .wrapping_add(p4);
    }
    if let Some((four, after)) = last.split_at_checked(4) {
        all = (all ^ half_word(four, 0).wrapping_mul(p1))
            .rotate_left(23)
            .wrapping_mul(p2)
            .wrapping_add(p3);
        last = after;
    }
    for byte in last {
        all = (all ^ u64::from(*byte).wrapping_mul(p5))
            .rotate_left(11)
            .wrapping_mul(p1);
    }
    all = (all ^ (all >> 33)).wrapping_mul(p2);
    all = (all ^ (all >> 29)).wrapping_mul(p3);
    all ^ (all >> 32)
}

const CITY: [u64; 3] = [
    0xc3a5_c85c_97cb_3127,
    0xb492_b66f_be98_f273,
    0x9ae1_6a3b_2f90_404f,
];

fn mix(u: u64, v: u64, by: u64) -> u64 {
    let mut a = (u ^ v).wrapping_mul(by);
    a ^= a >> 47;
    let mut b = (v ^ a).wrapping_mul(by);
    b ^= b >> 47;
    b.wrapping_mul(by)
}

fn mix_plain(u: u64, v: u64) -> u64 {
    mix(u, v, 0x9ddf_ea08_eb38_2d69)
}

fn shift_mix(value: u64) -> u64 {
    value ^ (value >> 47)
}

/// CityHash64.
pub(super) fn city_hash(bytes: &[u8]) -> u64 {
    match bytes.len() {
        0..=16 => city_short(bytes),
        17..=32 => city_middle(bytes),
        33..=64 => city_longer(bytes),
        _ => city_long(bytes),
    }
}

fn city_short(bytes: &[u8]) -> u64 {
    let [k0, _, k2] = CITY;
    let length = bytes.len();
    let by = k2.wrapping_add(length as u64 * 2);
    match (bytes.first(), bytes.last()) {
        (Some(_), Some(_)) if length >= 8 => {
            let a = word(bytes, 0).wrapping_add(k2);
            let b = word(bytes, length - 8);
            let c = b.rotate_right(37).wrapping_mul(by).wrapping_add(a);
            let d = a.rotate_right(25).wrapping_add(b).wrapping_mul(by);
            mix(c, d, by)
        }
        (Some(_), Some(_)) if length >= 4 => mix(
            (length as u64).wrapping_add(half_word(bytes, 0) << 3),
            half_word(bytes, length - 4),
            by,
        ),
        (Some(first), Some(last)) => {
            let middle = bytes.get(length / 2).copied().unwrap_or_default();
            let y = u64::from(*first) + (u64::from(middle) << 8);
            let z = length as u64 + (u64::from(*last) << 2);
            shift_mix(y.wrapping_mul(k2) ^ z.wrapping_mul(k0)).wrapping_mul(k2)
        }
        _ => k2,
    }
}

fn city_middle(bytes: &[u8]) -> u64 {
    let [_, k1, k2] = CITY;
    let length = bytes.len();
    let by = k2.wrapping_add(length as u64 * 2);
    let a = word(bytes, 0).wrapping_mul(k1);
    let b = word(bytes, 8);
    let c = word(bytes, length - 8).wrapping_mul(by);
    let d = word(bytes, length - 16).wrapping_mul(k2);
    let left = a.wrapping_add(b).rotate_right(43);
    let right = b.wrapping_add(k2).rotate_right(18);
    mix(
        left.wrapping_add(c.rotate_right(30)).wrapping_add(d),
        a.wrapping_add(right).wrapping_add(c),
        by,
    )
}

fn city_longer(bytes: &[u8]) -> u64 {
    let [_, _, k2] = CITY;
    let length = bytes.len();
    let by = k2.wrapping_add(length as u64 * 2);
    let a = word(bytes, 0).wrapping_mul(k2);
    let b = word(bytes, 8);
    let c = word(bytes, length - 24);
    let d = word(bytes, length - 32);
    let e = word(bytes, 16).wrapping_mul(k2);
    let f = word(bytes, 24).wrapping_mul(9);
    let g = word(bytes, length - 8);
    let h = word(bytes, length - 16).wrapping_mul(by);
    let ag = a.wrapping_add(g);
    let u = ag
        .rotate_right(43)
        .wrapping_add(b.rotate_right(30).wrapping_add(c).wrapping_mul(9));
    let v = (ag ^ d).wrapping_add(f).wrapping_add(1);
    let swapped = |number: u64| number.wrapping_mul(by).swap_bytes();
    let w = swapped(u.wrapping_add(v)).wrapping_add(h);
    let x = e.wrapping_add(f).rotate_right(42).wrapping_add(c);
    let y = swapped(v.wrapping_add(w)).wrapping_add(g).wrapping_mul(by);
    let z = e.wrapping_add(f).wrapping_add(c);
    let a = x
        .wrapping_add(z)
        .wrapping_mul(by)
        .wrapping_add(y)
        .swap_bytes()
        .wrapping_add(b);
    let inner = z.wrapping_add(a).wrapping_mul(by).wrapping_add(d);
    shift_mix(inner.wrapping_add(h))
        .wrapping_mul(by)
        .wrapping_add(x)
}

/// Thirty-two bytes from a place, with two seeds.
fn city_weak(bytes: &[u8], at: usize, a: u64, b: u64) -> (u64, u64) {
    let [w, x, y, z] = [0, 8, 16, 24].map(|more| word(bytes, at + more));
    let a = a.wrapping_add(w);
    let b = b.wrapping_add(a).wrapping_add(z).rotate_right(21);
    let c = a;
    let a = a.wrapping_add(x).wrapping_add(y);
    let b = b.wrapping_add(a.rotate_right(44));
    (a.wrapping_add(z), b.wrapping_add(c))
}

fn city_long(bytes: &[u8]) -> u64 {
    let [_, k1, _] = CITY;
    let length = bytes.len();
    let end = |before: usize| word(bytes, length - before);
    let mut x = end(40);
    let mut y = end(16).wrapping_add(end(56));
    let mut z = mix_plain(end(48).wrapping_add(length as u64), end(24));
    let mut v = city_weak(bytes, length - 64, length as u64, z);
    let mut w = city_weak(bytes, length - 32, y.wrapping_add(k1), x);
    x = x.wrapping_mul(k1).wrapping_add(word(bytes, 0));
    for at in (0..(length - 1) & !63).step_by(64) {
        x = x
            .wrapping_add(y)
            .wrapping_add(v.0)
            .wrapping_add(word(bytes, at + 8))
            .rotate_right(37)
            .wrapping_mul(k1);
        y = y
            .wrapping_add(v.1)
            .wrapping_add(word(bytes, at + 48))
            .rotate_right(42)
            .wrapping_mul(k1);
        x ^= w.1;
        y = y.wrapping_add(v.0).wrapping_add(word(bytes, at + 40));
        z = z.wrapping_add(w.0).rotate_right(33).wrapping_mul(k1);
        v = city_weak(bytes, at, v.1.wrapping_mul(k1), x.wrapping_add(w.0));
        let seed = y.wrapping_add(word(bytes, at + 16));
        w = city_weak(bytes, at + 32, z.wrapping_add(w.1), seed);
        std::mem::swap(&mut z, &mut x);
    }
    let left = mix_plain(v.0, w.0)
        .wrapping_add(shift_mix(y).wrapping_mul(k1))
        .wrapping_add(z);
    mix_plain(left, mix_plain(v.1, w.1).wrapping_add(x))
}

#[cfg(test)]
mod tests {
    use super::{city_hash, value_hash, xx_hash};
    use crate::value::Value;

    #[test]
    fn xx_hash_gives_its_published_numbers() {
        assert_eq!(xx_hash(b"", 0), 0xef46_db37_51d8_e999);
        assert_eq!(xx_hash(b"a", 0), 0xd24e_c4f1_a98c_6e5b);
        assert_eq!(xx_hash(b"abc", 0), 0x44bc_2cf5_ad77_0999);
        let long = b"Nobody inspects the spammish repetition";
        assert_eq!(xx_hash(long, 0), 0xfbce_a83c_8a37_8bf1);
    }

    #[test]
    fn city_hash_takes_texts_of_every_length_apart_from_each_other() {
        let text: Vec<u8> = (0..200_u8).collect();
        let mut all: Vec<u64> = (0..=text.len())
            .filter_map(|length| text.get(..length))
            .map(city_hash)
            .collect();
        for (length, hash) in [
            (0, 0x9ae1_6a3b_2f90_404f),
            (3, 0x94a1_3d22_e9eb_a49a),
            (5, 0xb4bf_a9e8_7732_c149),
            (9, 0x8137_1e15_0e4a_d84f),
            (20, 0x8dd7_e7f1_bf16_a0e9),
            (40, 0x36f7_dd7a_65e9_3d1c),
            (64, 0xe99a_b80f_5ec7_dca5),
            (65, 0xac58_9c99_0483_dd2e),
            (129, 0x46be_8f23_6f91_8770),
            (200, 0xf4d2_4e8c_7493_c3d8),
        ] {
            assert_eq!(all[length], hash, "{length} bytes");
        }
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 201);
    }

    #[test]
    fn equal_numbers_hash_alike_and_long_texts_are_hashed_whole() {
        assert_eq!(value_hash(&Value::Int(3)), value_hash(&Value::Double(3.0)));
        let long = "x".repeat(300);
        assert_ne!(
            value_hash(&Value::string(&long)),
            value_hash(&Value::string(format!("{long}y")))
        );
    }
}
