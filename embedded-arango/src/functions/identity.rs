//! Identifiers, keys, addresses and revisions.

use super::arguments::arg;
use super::{Context, Function, pure};
use crate::error::ArangoError;
use crate::value::{Object, Value};

type Outcome = Result<Value, ArangoError>;

pub(super) const TABLE: &[Function] = &[
    pure("DECODE_REV", 1, 1, decode_rev),
    pure("IPV4_FROM_NUMBER", 1, 1, ipv4_from_number),
    pure("IPV4_TO_NUMBER", 1, 1, ipv4_to_number),
    pure("IS_IPV4", 1, 1, |_, args| {
        Ok(Value::Bool(arg(args, 0).as_str().and_then(ipv4).is_some()))
    }),
    pure("IS_KEY", 1, 1, |_, args| {
        Ok(Value::Bool(arg(args, 0).as_str().is_some_and(is_key)))
    }),
    pure("IS_SAME_COLLECTION", 2, 2, is_same_collection),
    pure("PARSE_COLLECTION", 1, 1, |ctx, args| {
        parse(ctx, args, "PARSE_COLLECTION", |collection, _| {
            Value::from(collection)
        })
    }),
    pure("PARSE_IDENTIFIER", 1, 1, |ctx, args| {
        parse(ctx, args, "PARSE_IDENTIFIER", identifier)
    }),
    pure("PARSE_KEY", 1, 1, |ctx, args| {
        parse(ctx, args, "PARSE_KEY", |_, key| Value::from(key))
    }),
    pure("TO_DOCUMENT_ID", 1, 1, to_document_id),
];

/// Whether a text may be a document's `_key`: 1 to 254 bytes of the characters that keys allow.
fn is_key(text: &str) -> bool {
    (1..=254).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-:.@()+,=;$!*'%".contains(&byte))
}

/// The parts of `collection/key`.
fn split_id(id: &str) -> Option<(&str, &str)> {
    id.split_once('/')
        .filter(|(collection, key)| !collection.is_empty() && !key.is_empty() && !key.contains('/'))
}

/// The `_id` that a string is or an object has.
fn id_of(value: &Value) -> Option<String> {
    match value {
        Value::String(id) => Some(id.to_string()),
        Value::Object(object) => object.get("_id").and_then(Value::as_str).map(str::to_owned),
        _ => None,
    }
}

fn identifier(collection: &str, key: &str) -> Value {
    let pairs = [
        ("collection", Value::from(collection)),
        ("key", Value::from(key)),
    ];
    Value::object(pairs.into_iter().collect::<Object>())
}

fn parse(
    ctx: &mut Context<'_>,
    args: &[Value],
    name: &str,
    make: fn(&str, &str) -> Value,
) -> Outcome {
    let id = id_of(arg(args, 0));
    match id.as_deref().and_then(split_id) {
        Some((collection, key)) => Ok(make(collection, key)),
        None => ctx.invalid(name),
    }
}

fn to_document_id(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    match id_of(arg(args, 0)).filter(|id| split_id(id).is_some()) {
        Some(id) => Ok(Value::from(id)),
        None => ctx.invalid("TO_DOCUMENT_ID"),
    }
}

fn is_same_collection(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    // A collection is its name; a document is in the collection of its identifier.
    let collection = |value: &Value| {
        id_of(value).map(|id| split_id(&id).map_or(id.clone(), |(name, _)| name.to_owned()))
    };
    match (collection(arg(args, 0)), collection(arg(args, 1))) {
        (Some(left), Some(right)) => Ok(Value::Bool(left == right)),
        _ => ctx.invalid("IS_SAME_COLLECTION"),
    }
}

/// Four decimal numbers up to 255 without leading zeros.
fn ipv4(text: &str) -> Option<u32> {
    text.parse::<std::net::Ipv4Addr>().ok().map(u32::from)
}

fn ipv4_to_number(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    match arg(args, 0).as_str().and_then(ipv4) {
        Some(number) => Ok(Value::Int(i64::from(number))),
        None => ctx.invalid("IPV4_TO_NUMBER"),
    }
}

fn ipv4_from_number(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let number = arg(args, 0).is_number().then(|| arg(args, 0).to_i64());
    match number.and_then(|number| u32::try_from(number).ok()) {
        Some(number) => Ok(Value::from(std::net::Ipv4Addr::from(number).to_string())),
        None => ctx.invalid("IPV4_FROM_NUMBER"),
    }
}

/// The letters of a revision, each standing for six bits.
const REVISION: &[u8; 64] = b"-_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// A revision is a clock: milliseconds since 1970 above 20 bits of a counter.
fn decode_rev(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let decoded = arg(args, 0)
        .as_str()
        .filter(|text| (1..=11).contains(&text.len()))
        .and_then(|text| {
            text.bytes().try_fold(0_u64, |all, byte| {
                let digit = REVISION.iter().position(|letter| *letter == byte)?;
                all.checked_mul(64)?.checked_add(digit as u64)
            })
        });
    let Some((millis, count)) = decoded.map(|bits| ((bits >> 20) as i64, (bits & 0xf_ffff) as i64))
    else {
        return ctx.invalid("DECODE_REV");
    };
    let date = super::date::iso_text(millis).map_or(Value::Null, Value::from);
    Ok(Value::object(
        [("date", date), ("count", Value::Int(count))]
            .into_iter()
            .collect(),
    ))
}
