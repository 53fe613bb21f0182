//! Hashes, encodings and character codes.

use std::fmt::Write as _;

use base64::Engine as _;
use sha2::Digest as _;

use super::arguments::{arg, text};
use super::hashes::value_hash;
use super::{Context, Function, pure};
use crate::error::ArangoError;
use crate::value::Value;

type Outcome = Result<Value, ArangoError>;

pub(super) const TABLE: &[Function] = &[
    pure("CRC32", 1, 1, |_, args| {
        Ok(Value::from(format!(
            "{:X}",
            crc32c(text(args, 0).as_bytes())
        )))
    }),
    pure("ENCODE_URI_COMPONENT", 1, 1, encode_uri_component),
    pure("FNV64", 1, 1, |_, args| {
        Ok(Value::from(format!(
            "{:X}",
            fnv1a(text(args, 0).as_bytes())
        )))
    }),
    pure("HASH", 1, 1, hash),
    pure("MD5", 1, 1, |_, args| hex(&md5::Md5::digest(text(args, 0)))),
    pure("SHA1", 1, 1, |_, args| {
        hex(&sha1::Sha1::digest(text(args, 0)))
    }),
    pure("SHA256", 1, 1, |_, args| {
        hex(&sha2::Sha256::digest(text(args, 0)))
    }),
    pure("SHA512", 1, 1, |_, args| {
        hex(&sha2::Sha512::digest(text(args, 0)))
    }),
    pure("SOUNDEX", 1, 1, |_, args| {
        Ok(Value::from(soundex(&text(args, 0))))
    }),
    pure("TO_BASE64", 1, 1, to_base64),
    pure("TO_CHAR", 1, 1, to_char),
    pure("TO_HEX", 1, 1, to_hex),
];

fn hex(bytes: &[u8]) -> Outcome {
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing into a string cannot fail.
        let _ = write!(out, "{byte:02x}");
    }
    Ok(Value::from(out))
}

fn to_hex(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let text = text(args, 0);
    ctx.charge_text("TO_HEX", text.len().saturating_mul(2))?;
    hex(text.as_bytes())
}

fn to_base64(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let text = text(args, 0);
    ctx.charge_text("TO_BASE64", text.len().saturating_mul(2))?;
    Ok(Value::from(
        base64::engine::general_purpose::STANDARD.encode(text),
    ))
}

/// The server keeps 51 bits, which JavaScript's numbers hold exactly.
const HASH_BITS: u64 = 0x0007_ffff_ffff_ffff;

fn hash(_: &mut Context<'_>, args: &[Value]) -> Outcome {
    Ok(Value::Int((value_hash(arg(args, 0)) & HASH_BITS) as i64))
}

/// CRC-32C (Castagnoli), bit by bit reversed.
fn crc32c(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |mut crc, byte| {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0x82f6_3b78 & (crc & 1).wrapping_neg());
        }
        crc
    })
}

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn encode_uri_component(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let text = text(args, 0);
    ctx.charge_text("ENCODE_URI_COMPONENT", text.len().saturating_mul(3))?;
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    Ok(Value::from(out))
}

fn to_char(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let code = arg(args, 0).to_number();
    match code
        .as_i64()
        .and_then(|code| u32::try_from(code).ok())
        .and_then(char::from_u32)
    {
        Some(character) => Ok(Value::from(character.to_string())),
        None => ctx.invalid("TO_CHAR"),
    }
}

/// The American Soundex code: a letter and three digits; empty without a letter.
fn soundex(text: &str) -> String {
    let code = |letter: char| match letter {
        'B' | 'F' | 'P' | 'V' => Some('1'),
        'C' | 'G' | 'J' | 'K' | 'Q' | 'S' | 'X' | 'Z' => Some('2'),
        'D' | 'T' => Some('3'),
        'L' => Some('4'),
        'M' | 'N' => Some('5'),
        'R' => Some('6'),
        _ => None,
    };
    let mut letters = text
        .chars()
        .filter(char::is_ascii_alphabetic)
        .map(|letter| letter.to_ascii_uppercase());
    let Some(first) = letters.next() else {
        return String::new();
    };
    let mut out = String::from(first);
    let mut last = code(first);
    for letter in letters {
        if out.len() == 4 {
            break;
        }
        let digit = code(letter);
        if let Some(digit) = digit.filter(|_| digit != last) {
            out.push(digit);
        }
        // H and W between two letters of one code do not separate them; vowels do.
        if !matches!(letter, 'H' | 'W') {
            last = digit;
        }
    }
    while out.len() < 4 {
        out.push('0');
    }
    out
}
