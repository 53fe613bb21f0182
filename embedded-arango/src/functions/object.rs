//! Objects: their attributes, merging, keeping, zipping, and JSON text.
//!
//! Where the server walks an object by its sorted names (`KEEP`, `UNSET`, `MERGE`, `ATTRIBUTES`), so do these.

use std::collections::HashSet;
use std::sync::Arc;

use super::arguments::{arg, flag, text};
use super::{Context, Function, pure};
use crate::error::ArangoError;
use crate::value::{Object, Value, compare_strings};

type Outcome = Result<Value, ArangoError>;

pub(super) const TABLE: &[Function] = &[
    pure("ATTRIBUTES", 1, 3, |ctx, args| {
        attributes(ctx, args, "ATTRIBUTES")
    }),
    pure("ENTRIES", 1, 1, entries),
    pure("HAS", 2, 2, has),
    pure("JSON_PARSE", 1, 1, json_parse),
    pure("JSON_STRINGIFY", 1, 1, |_, args| {
        Ok(Value::from(arg(args, 0).to_json_text()))
    }),
    pure("KEEP", 2, usize::MAX, |ctx, args| {
        select(ctx, args, "KEEP", true, false)
    }),
    pure("KEEP_RECURSIVE", 2, usize::MAX, |ctx, args| {
        select(ctx, args, "KEEP_RECURSIVE", true, true)
    }),
    pure("KEYS", 1, 3, |ctx, args| attributes(ctx, args, "KEYS")),
    pure("MATCHES", 2, 3, matches),
    pure("MERGE", 1, usize::MAX, |ctx, args| {
        merge(ctx, args, "MERGE", false)
    }),
    pure("MERGE_RECURSIVE", 1, usize::MAX, |ctx, args| {
        merge(ctx, args, "MERGE_RECURSIVE", true)
    }),
    pure("TRANSLATE", 2, 3, translate),
    pure("UNSET", 2, usize::MAX, |ctx, args| {
        select(ctx, args, "UNSET", false, false)
    }),
    pure("UNSET_RECURSIVE", 2, usize::MAX, |ctx, args| {
        select(ctx, args, "UNSET_RECURSIVE", false, true)
    }),
    pure("VALUE", 2, 2, value),
    pure("VALUES", 1, 2, values),
    pure("ZIP", 2, 2, zip),
];

/// The attributes by the bytes of their names, as the server stores them.
fn sorted(object: &Object) -> Vec<(&Arc<str>, &Value)> {
    let mut entries: Vec<_> = object.iter().collect();
    entries.sort_unstable_by(|left, right| left.0.cmp(right.0));
    entries
}

fn attributes(ctx: &mut Context<'_>, args: &[Value], name: &str) -> Outcome {
    let Some(object) = arg(args, 0).as_object() else {
        return ctx.invalid(name);
    };
    let mut names: Vec<&Arc<str>> = sorted(object).into_iter().map(|(name, _)| name).collect();
    if flag(args, 1) {
        names.retain(|name| !name.starts_with('_'));
    }
    if flag(args, 2) {
        names.sort_by(|left, right| compare_strings(left, right));
    }
    Ok(Value::array(
        names
            .into_iter()
            .map(|name| Value::String(name.clone()))
            .collect(),
    ))
}

fn values(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Some(object) = arg(args, 0).as_object() else {
        return ctx.invalid("VALUES");
    };
    let inner = flag(args, 1);
    let kept = object
        .iter()
        .filter(|(name, _)| !(inner && name.starts_with('_')));
    Ok(Value::array(kept.map(|(_, value)| value.clone()).collect()))
}

fn entries(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Some(object) = arg(args, 0).as_object() else {
        return ctx.invalid("ENTRIES");
    };
    let pair = |(name, value): (&Arc<str>, &Value)| {
        Value::array(vec![Value::String(name.clone()), value.clone()])
    };
    Ok(Value::array(object.iter().map(pair).collect()))
}

fn has(_: &mut Context<'_>, args: &[Value]) -> Outcome {
    Ok(Value::Bool(
        arg(args, 0)
            .as_object()
            .is_some_and(|object| object.contains(&text(args, 1))),
    ))
}

fn json_parse(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    match arg(args, 0) {
        Value::String(text) => match Value::from_json_text(text) {
            Ok(value) => Ok(value),
            Err(_) => ctx.invalid("JSON_PARSE"),
        },
        _ => ctx.invalid("JSON_PARSE"),
    }
}

/// `KEEP` and `UNSET`: names as strings, numbers or arrays of strings.
fn select(
    ctx: &mut Context<'_>,
    args: &[Value],
    name: &str,
    keep: bool,
    recursive: bool,
) -> Outcome {
    let Some(object) = arg(args, 0).as_object() else {
        return ctx.invalid(name);
    };
    let mut names = HashSet::new();
    for given in args.iter().skip(1) {
        match given {
            Value::String(_) | Value::Int(_) | Value::Double(_) => {
                names.insert(given.to_text());
            }
            Value::Array(items) => {
                for item in items.iter() {
                    match item {
                        Value::String(text) => {
                            names.insert(text.to_string());
                        }
                        _ => {
                            ctx.invalid(name)?;
                        }
                    }
                }
            }
            _ => {}
        }
    }
    Ok(Value::object(selected(object, &names, keep, recursive)))
}

fn selected(object: &Object, names: &HashSet<String>, keep: bool, recursive: bool) -> Object {
    let kept = sorted(object)
        .into_iter()
        .filter(|(name, _)| names.contains(&***name) == keep);
    kept.map(|(name, value)| match value {
        Value::Object(inner) if recursive => (
            name.clone(),
            Value::object(selected(inner, names, keep, recursive)),
        ),
        other => (name.clone(), other.clone()),
    })
    .collect()
}

/// Later attributes win. A single array stands for its elements.
fn merge(ctx: &mut Context<'_>, args: &[Value], name: &str, recursive: bool) -> Outcome {
    let parts = match args {
        [Value::Array(items)] => items.as_slice(),
        other => other,
    };
    if let [only @ Value::Object(_)] = args {
        return Ok(only.clone());
    }
    let mut out = Object::new();
    for (step, part) in parts.iter().enumerate() {
        ctx.tick(step)?;
        let Some(part) = part.as_object() else {
            return ctx.invalid(name);
        };
        merge_into(&mut out, part, recursive);
    }
    Ok(Value::object(out))
}

fn merge_into(out: &mut Object, part: &Object, recursive: bool) {
    for (name, value) in sorted(part) {
        match (out.get_mut(name), value) {
            (Some(Value::Object(before)), Value::Object(after)) if recursive => {
                merge_into(Arc::make_mut(before), after, recursive);
            }
            (Some(before), _) => *before = value.clone(),
            (None, _) => {
                out.insert(name.clone(), value.clone());
            }
        }
    }
}

/// Whether a document has all attributes of an example, or of one of several; with the flag the example's place.
fn matches(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Some(document) = arg(args, 0).as_object() else {
        return Ok(Value::Bool(false));
    };
    let examples = match arg(args, 1) {
        Value::Array(items) => items.as_slice(),
        single => std::slice::from_ref(single),
    };
    let by_index = flag(args, 2);
    for (at, example) in examples.iter().enumerate() {
        ctx.tick(at)?;
        let Some(example) = example.as_object() else {
            ctx.invalid("MATCHES")?;
            continue;
        };
        let fits = |(name, wanted): (&Arc<str>, &Value)| {
            document.get(name).unwrap_or(&Value::Null) == wanted
        };
        if example.iter().all(fits) {
            return Ok(if by_index {
                Value::Int(at as i64)
            } else {
                Value::Bool(true)
            });
        }
    }
    Ok(if by_index {
        Value::Int(-1)
    } else {
        Value::Bool(false)
    })
}

fn translate(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Some(lookup) = arg(args, 1).as_object() else {
        return ctx.invalid("TRANSLATE");
    };
    let found = lookup.get(&text(args, 0)).or(args.get(2));
    Ok(found.unwrap_or(arg(args, 0)).clone())
}

/// The value at the end of a path of attribute names and array positions.
fn value(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let (Value::Object(_), Some(path)) = (arg(args, 0), arg(args, 1).as_array()) else {
        return ctx.invalid("VALUE");
    };
    let mut at = arg(args, 0).clone();
    for step in path {
        at = match (step, &at) {
            (Value::String(name), Value::Object(_)) => at.get(name),
            (Value::Int(_) | Value::Double(_), Value::Array(_)) => at.at(step.to_i64()),
            (Value::Int(_) | Value::Double(_), Value::Object(_)) => at.get(&step.to_text()),
            (Value::String(_) | Value::Int(_) | Value::Double(_), _) => Value::Null,
            _ => return ctx.invalid("VALUE"),
        };
    }
    Ok(at)
}

/// An object from names and values; of a name given twice the first value stands.
fn zip(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let (Some(names), Some(values)) = (arg(args, 0).as_array(), arg(args, 1).as_array()) else {
        return ctx.invalid("ZIP");
    };
    if names.len() != values.len() {
        return ctx.invalid("ZIP");
    }
    ctx.charge_elements("ZIP", names.len())?;
    let mut out = Object::new();
    for (name, value) in names.iter().zip(values) {
        let name = name.to_text();
        if !out.contains(&name) {
            out.insert(name, value.clone());
        }
    }
    Ok(Value::object(out))
}
