//! Type checks and casts.

use super::arguments::arg;
use super::{Function, pure};
use crate::value::Value;

pub(super) const TABLE: &[Function] = &[
    pure("IS_ARRAY", 1, 1, |_, args| {
        Ok(is(args, |value| matches!(value, Value::Array(_))))
    }),
    pure("IS_BOOL", 1, 1, |_, args| {
        Ok(is(args, |value| matches!(value, Value::Bool(_))))
    }),
    pure("IS_DOCUMENT", 1, 1, |_, args| {
        Ok(is(args, |value| matches!(value, Value::Object(_))))
    }),
    pure("IS_LIST", 1, 1, |_, args| {
        Ok(is(args, |value| matches!(value, Value::Array(_))))
    }),
    pure("IS_NULL", 1, 1, |_, args| Ok(is(args, Value::is_null))),
    pure("IS_NUMBER", 1, 1, |_, args| Ok(is(args, Value::is_number))),
    pure("IS_OBJECT", 1, 1, |_, args| {
        Ok(is(args, |value| matches!(value, Value::Object(_))))
    }),
    pure("IS_STRING", 1, 1, |_, args| {
        Ok(is(args, |value| matches!(value, Value::String(_))))
    }),
    pure("TO_ARRAY", 1, 1, |_, args| Ok(arg(args, 0).to_array())),
    pure("TO_BOOL", 1, 1, |_, args| Ok(arg(args, 0).to_bool())),
    pure("TO_LIST", 1, 1, |_, args| Ok(arg(args, 0).to_array())),
    pure("TO_NUMBER", 1, 1, |_, args| Ok(arg(args, 0).to_number())),
    pure("TO_STRING", 1, 1, |_, args| {
        Ok(Value::from(arg(args, 0).to_text()))
    }),
    pure("TYPENAME", 1, 1, |_, args| {
        Ok(Value::from(arg(args, 0).type_name()))
    }),
];

fn is(args: &[Value], check: fn(&Value) -> bool) -> Value {
    Value::Bool(check(arg(args, 0)))
}
