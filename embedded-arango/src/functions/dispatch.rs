//! `CALL` and `APPLY`: a built-in function by a name that the query computes.

use super::arguments::arg;
use super::{Context, Function, resolve, volatile};
use crate::error::ArangoError;
use crate::value::Value;

const DISALLOWED: u16 = 1578;

pub(super) const TABLE: &[Function] = &[
    volatile("APPLY", 1, 2, apply),
    volatile("CALL", 1, usize::MAX, call_by_name),
];

fn call_by_name(ctx: &mut Context<'_>, args: &[Value]) -> Result<Value, ArangoError> {
    dispatch(ctx, "CALL", arg(args, 0), args.get(1..).unwrap_or_default())
}

fn apply(ctx: &mut Context<'_>, args: &[Value]) -> Result<Value, ArangoError> {
    match args.get(1) {
        None => dispatch(ctx, "APPLY", arg(args, 0), &[]),
        Some(Value::Array(items)) => dispatch(ctx, "APPLY", arg(args, 0), items),
        Some(_) => ctx.invalid("APPLY"),
    }
}

fn dispatch(
    ctx: &mut Context<'_>,
    caller: &str,
    name: &Value,
    args: &[Value],
) -> Result<Value, ArangoError> {
    let Some(name) = name.as_str() else {
        return ctx.invalid(caller);
    };
    if name.contains("::") {
        return Err(ArangoError::not_implemented(format_args!(
            "user-defined function `{name}`"
        )));
    }
    // A call of a call would nest without a limit that the query's text shows.
    if name.eq_ignore_ascii_case("CALL") || name.eq_ignore_ascii_case("APPLY") {
        return Err(ArangoError::new(
            DISALLOWED,
            format!("disallowed dynamic call to '{name}'"),
        ));
    }
    let function = resolve(name, args.len())?;
    (function.eval)(ctx, args)
}
