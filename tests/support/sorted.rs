//! JSON with its keys in order, for comparing texts: shared by unit tests and by the runner of the cases.

use std::collections::BTreeMap;

use serde_json::Value;

/// The same value with the keys of every object in order: another crate of the build may make serde_json keep them as written.
pub(crate) fn sorted(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(sorted).collect(),
        Value::Object(members) => {
            let members: BTreeMap<String, Value> = members
                .into_iter()
                .map(|(key, value)| (key, sorted(value)))
                .collect();
            Value::Object(members.into_iter().collect())
        }
        other => other,
    }
}
