//! Whether two bodies have the same shape: the same attributes, the same types, and the same values where a value does not
//! depend on the run.

use serde_json::Value as Json;

/// Attributes whose values are the same in every run.
const FIXED: [&str; 22] = [
    "code",
    "error",
    "errorNum",
    "errorMessage",
    "hasMore",
    "nextBatchId",
    "count",
    "cached",
    "status",
    "type",
    "isSystem",
    "state",
    "removed",
    "created",
    "errors",
    "updated",
    "ignored",
    "empty",
    "isNewlyCreated",
    "unique",
    "sparse",
    "isModificationQuery",
];

/// Describes the first difference.
pub(crate) fn compare(wanted: &Json, got: &Json, at: &str) -> Result<(), String> {
    match (wanted, got) {
        // Keyed by ids, which are this server's own.
        (Json::Object(wanted), Json::Object(got)) if at.ends_with(".identifiers") => {
            if wanted.len() == got.len() {
                return Ok(());
            }
            Err(format!(
                "{at}: wanted {} entries, got {}",
                wanted.len(),
                got.len()
            ))
        }
        (Json::Object(wanted), Json::Object(got)) => {
            let missing: Vec<_> = wanted
                .keys()
                .filter(|name| !got.contains_key(*name))
                .collect();
            let extra: Vec<_> = got
                .keys()
                .filter(|name| !wanted.contains_key(*name))
                .collect();
            if !missing.is_empty() || !extra.is_empty() {
                return Err(format!("{at}: missing {missing:?}, extra {extra:?}"));
            }
            for (name, wanted) in wanted {
                let got = &got[name];
                if FIXED.contains(&name.as_str())
                    && !wanted.is_object()
                    && !wanted.is_array()
                    && wanted != got
                {
                    return Err(format!("{at}.{name}: wanted {wanted}, got {got}"));
                }
                compare(wanted, got, &format!("{at}.{name}"))?;
            }
            Ok(())
        }
        (Json::Array(wanted), Json::Array(got)) => {
            if wanted.len() != got.len() {
                return Err(format!(
                    "{at}: wanted {} elements, got {}",
                    wanted.len(),
                    got.len()
                ));
            }
            let (wanted, got) = (in_order(wanted), in_order(got));
            for (position, (wanted, got)) in wanted.into_iter().zip(got).enumerate() {
                compare(wanted, got, &format!("{at}[{position}]"))?;
            }
            Ok(())
        }
        _ if std::mem::discriminant(wanted) == std::mem::discriminant(got) => Ok(()),
        _ => Err(format!("{at}: wanted {wanted}, got {got}")),
    }
}

/// Things with names come in the order of a hash table; by name they can be compared.
fn in_order(items: &[Json]) -> Vec<&Json> {
    let mut items: Vec<&Json> = items.iter().collect();
    if items
        .iter()
        .all(|item| item["name"].is_string() && item.get("id").is_none())
    {
        items.sort_by_key(|item| item["name"].as_str());
    }
    items
}
