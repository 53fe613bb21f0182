//! Views: what they search, and with which analyzers.

use serde_json::Value;

use crate::arango::{Client, clean_to};
use crate::ask::Result;
use crate::order::sort_by;

use super::super::{Step, View, ViewField, ViewLink};
use super::{MOST_DETAILS, Warnings, text, texts};

/// How deep the attributes of a link are followed.
const MOST_DEPTH: usize = 16;

pub(super) fn views(client: &Client<'_>, warnings: &mut Warnings) -> Result<Vec<View>> {
    let listed = match client.views()? {
        Ok(listed) => listed,
        Err(error) => {
            warnings.degrade("views-unreadable", "the views", &error)?;
            return Ok(Vec::new());
        }
    };
    let mut views: Vec<View> = listed
        .iter()
        .filter_map(|item| {
            Some(View {
                name: text(item, "name")
                    .filter(|name| !name.starts_with('_'))?
                    .into(),
                kind: text(item, "type")?.into(),
                links: Vec::new(),
            })
        })
        .collect();
    sort_by(&mut views, |one, other| one.name.cmp(&other.name));
    if views.len() > MOST_DETAILS {
        warnings.add(
            "views-cut",
            format!(
                "the database has {} views; the first {MOST_DETAILS} by name are known",
                views.len()
            ),
        );
        views.truncate(MOST_DETAILS);
    }

    let mut readable = Vec::with_capacity(views.len());
    for mut view in views {
        match client.view(&view.name)? {
            Ok(properties) => {
                view.links = links(&properties);
                readable.push(view);
            }
            // What a view searches must be known, to be held against the policy.
            Err(error) => {
                let what = format!("the view `{}`", clean_to(&view.name, 80));
                warnings.degrade("view-unreadable", &what, &error)?;
            }
        }
    }
    Ok(readable)
}

fn links(properties: &Value) -> Vec<ViewLink> {
    if let Some(indexes) = properties.get("indexes").and_then(Value::as_array) {
        return indexes
            .iter()
            .filter_map(|item| {
                Some(ViewLink {
                    collection: text(item, "collection")?.into(),
                    index: text(item, "index").map(Box::from),
                    ..ViewLink::default()
                })
            })
            .collect();
    }
    let links = properties.get("links").and_then(Value::as_object);
    links
        .into_iter()
        .flatten()
        .map(|(collection, link)| {
            let mut found = Vec::new();
            fields(link, &mut Vec::new(), &mut found);
            ViewLink {
                collection: collection.as_str().into(),
                index: None,
                fields: found,
                analyzers: texts(link.get("analyzers")),
                all_fields: link.get("includeAllFields") == Some(&Value::Bool(true)),
            }
        })
        .collect()
}

/// The attributes of a link, each with its own analyzers or those it inherits.
fn fields(link: &Value, path: &mut Vec<Step>, found: &mut Vec<ViewField>) {
    let inner = link.get("fields").and_then(Value::as_object);
    for (name, field) in inner.into_iter().flatten() {
        if path.len() >= MOST_DEPTH {
            return;
        }
        path.push(Step::Name(name.as_str().into()));
        found.push(ViewField {
            path: path.as_slice().into(),
            analyzers: texts(field.get("analyzers")),
        });
        fields(field, path, found);
        path.pop();
    }
}
