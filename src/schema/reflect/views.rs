//! Views: what they search, and with which analyzers.

use crate::arango::{Client, clean_to};
use crate::ask::Result;
use crate::json::Value;
use crate::order::sort_by;

use super::super::{Step, View, ViewField, ViewLink};
use super::{MOST_DETAILS, Warnings, texts};

/// How deep the attributes of a link are followed.
const MOST_DEPTH: usize = 16;

pub(super) fn views(client: &Client<'_>, warnings: &mut Warnings) -> Result<Vec<View>> {
    let mut views: Vec<View> = Vec::new();
    let mut take = |item: &Value<'_>| {
        if let (Some(name), Some(kind)) = (item.text_of("name"), item.text_of("type"))
            && !name.starts_with('_')
        {
            views.push(View {
                name: name.into(),
                kind: kind.into(),
                links: Vec::new(),
            });
        }
    };
    if let Err(error) = client.views(&mut take)? {
        warnings.degrade("views-unreadable", "the views", &error)?;
        return Ok(Vec::new());
    }
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
        match client.view(&view.name, links)? {
            Ok(links) => {
                view.links = links;
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

fn links(properties: &Value<'_>) -> Vec<ViewLink> {
    let mut links = Vec::new();
    if let Some(indexes) = properties.get("indexes").and_then(Value::list) {
        for item in indexes {
            if let Some(collection) = item.text_of("collection") {
                links.push(ViewLink {
                    collection: collection.into(),
                    index: item.text_of("index").map(Box::from),
                    ..ViewLink::default()
                });
            }
        }
        return links;
    }
    let listed = properties.get("links").map(Value::members);
    for (collection, link) in listed.unwrap_or_default() {
        let mut found = Vec::new();
        fields(link, &mut Vec::new(), &mut found);
        links.push(ViewLink {
            collection: collection.decode().into(),
            index: None,
            fields: found,
            analyzers: texts(link.items_of("analyzers")),
            all_fields: link.get("includeAllFields").is_some_and(Value::is_true),
        });
    }
    // The order of the names: the server's own differs from one answer to the next.
    sort_by(&mut links, |one, other| {
        one.collection.cmp(&other.collection)
    });
    links
}

/// The attributes of a link, each with its own analyzers or those it inherits.
fn fields(link: &Value<'_>, path: &mut Vec<Step>, found: &mut Vec<ViewField>) {
    let inner = link.get("fields").map(Value::members).unwrap_or_default();
    let mut inner: Vec<_> = inner
        .iter()
        .map(|(name, field)| (name.decode(), field))
        .collect();
    sort_by(&mut inner, |one, other| one.0.cmp(&other.0));
    for (name, field) in inner {
        if path.len() >= MOST_DEPTH {
            return;
        }
        path.push(Step::Name(name.into()));
        found.push(ViewField {
            path: path.as_slice().into(),
            analyzers: texts(field.items_of("analyzers")),
        });
        fields(field, path, found);
        path.pop();
    }
}
