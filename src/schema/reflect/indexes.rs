//! Indexes of every kind.
//!
//! The attributes of an inverted index are objects where those of other kinds are texts. A kind that is not known here is
//! kept by its name: the model may know more of it than we do.

use crate::arango::{Client, clean_to};
use crate::ask::Result;
use crate::json::Value;
use crate::order::sort_by;

use super::super::{Collection, Index, IndexField};
use super::{MOST_DETAILS, Warnings};

/// Attributes of an index that matter to a query, where they are set.
const OPTIONS: &[&str] = &[
    "analyzer",
    "expireAfter",
    "geoJson",
    "includeAllFields",
    "minLength",
    "prefixFields",
    "searchField",
    "storedValues",
    "trainingState",
];

/// The same within `params`, where a vector index has them.
const VECTOR_OPTIONS: &[&str] = &["dimension", "metric"];

pub(super) fn read(
    client: &Client<'_>,
    collections: &mut [Collection],
    warnings: &mut Warnings,
) -> Result<()> {
    let mut order: Vec<usize> = (0..collections.len()).collect();
    if order.len() > MOST_DETAILS {
        let count = |at: &usize| collections.get(*at).and_then(|collection| collection.count);
        // A stable sort: collections of equal size keep the order of their names.
        sort_by(&mut order, |one, other| count(other).cmp(&count(one)));
        order.truncate(MOST_DETAILS);
        warnings.add(
            "indexes-cut",
            format!(
                "the database has {} collections; indexes were read of the {MOST_DETAILS} with the most documents",
                collections.len()
            ),
        );
    }
    for at in order {
        let Some(collection) = collections.get_mut(at) else {
            continue;
        };
        let mut found = Vec::new();
        match client.indexes(&collection.name, &mut |item| found.extend(index(item)))? {
            Ok(()) => collection.indexes = Some(found),
            Err(error) => {
                let what = format!("the indexes of `{}`", clean_to(&collection.name, 80));
                warnings.degrade("indexes-unreadable", &what, &error)?;
            }
        }
    }
    Ok(())
}

/// The index, unless it is the primary one, which every collection has.
fn index(item: &Value<'_>) -> Option<Index> {
    let kind = item.text_of("type").filter(|kind| kind != "primary")?;
    let mut fields = Vec::new();
    for part in item.items_of("fields") {
        if let Some(field) = field(part) {
            fields.push(field);
        }
    }
    let mut options = Vec::new();
    let mut option = |from: &Value<'_>, name: &str| match from.get(name) {
        None | Some(Value::Null | Value::Bool(false)) => {}
        Some(Value::List(list)) if list.is_empty() => {}
        Some(value) => options.push((name.into(), value.to_json().into())),
    };
    for name in OPTIONS {
        option(item, name);
    }
    if let Some(params) = item.get("params") {
        for name in VECTOR_OPTIONS {
            option(params, name);
        }
    }
    Some(Index {
        name: item.text_of("name").unwrap_or_default().into(),
        kind: kind.into(),
        fields,
        unique: item.get("unique").is_some_and(Value::is_true),
        sparse: item.get("sparse").is_some_and(Value::is_true),
        options,
    })
}

fn field(item: &Value<'_>) -> Option<IndexField> {
    match item {
        Value::Text(path) => Some(IndexField {
            path: path.decode().into(),
            analyzer: None,
        }),
        _ => Some(IndexField {
            path: item.text_of("name")?.into(),
            analyzer: item.text_of("analyzer").map(Box::from),
        }),
    }
}
