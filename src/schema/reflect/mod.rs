//! Reflection: asks the database what it holds.
//!
//! | what | requests |
//! |---|---|
//! | collections, views, graphs | one each |
//! | a view's links | one a view, up to 200 views |
//! | attributes, types and counts | one for 50 collections |
//! | indexes | one a collection: all of them up to 200 collections, beyond that the 200 with the most documents |
//!
//! Only what the policy allows is asked about. What the database user may not read is left out with a warning; a server
//! that breaks off, refuses the credentials or answers with something else is an error: a schema with holes that nobody
//! sees would be kept and used.

mod fields;
mod indexes;
mod views;

use crate::arango::{Client, DatabaseError, clean_to};
use crate::ask::{Notice, Result};
use crate::json::Value;
use crate::order::sort_by;

use super::{Collection, CollectionKind, EdgeDefinition, Graph, Schema};

/// The most requests for a kind of detail that takes one a piece.
const MOST_DETAILS: usize = 200;

/// The most warnings of one kind. Beyond it they are counted.
const MOST_WARNINGS: usize = 20;

/// Reads the schema of the configured database.
///
/// # Errors
///
/// The exchange broke, an answer is not ArangoDB's, the credentials are refused, or the list of collections may not be read.
pub fn reflect(client: &Client<'_>) -> Result<Schema> {
    let settings = client.settings();
    let mut schema = Schema {
        database: settings.database.clone(),
        ..Schema::default()
    };
    let mut warnings = Warnings::default();
    schema.collections = collections(client, &mut warnings)?;
    let mut views = views::views(client, &mut warnings)?;
    let mut graphs = graphs(client, &mut warnings)?;
    fields::read(client, &mut schema.collections, &mut warnings)?;
    indexes::read(client, &mut schema.collections, &mut warnings)?;

    // A view or graph shows when all that it is made of does.
    let all_known = |names: Vec<&str>| names.iter().all(|name| schema.collection(name).is_some());
    views.retain(|view| all_known(view.collections()));
    graphs.retain(|graph| all_known(graph.collections()));
    schema.views = views;
    schema.graphs = graphs;
    schema.warnings = warnings.finish();
    Ok(schema)
}

fn collections(client: &Client<'_>, warnings: &mut Warnings) -> Result<Vec<Collection>> {
    let settings = client.settings();
    let mut collections: Vec<Collection> = Vec::new();
    let mut take = |item: &Value<'_>| {
        let Some(name) = item.text_of("name") else {
            return;
        };
        if item.get("isSystem").is_some_and(Value::is_true) || !settings.policy.allows(&name) {
            return;
        }
        collections.push(Collection {
            name: name.into(),
            kind: match item.get("type").and_then(Value::whole) {
                Some(3) => CollectionKind::Edge,
                _ => CollectionKind::Document,
            },
            ..Collection::default()
        });
    };
    client
        .collections(&mut take)?
        .map_err(|error| error.to_error())?;
    sort_by(&mut collections, |one, other| one.name.cmp(&other.name));
    collections.dedup_by(|one, other| one.name == other.name);
    let most = usize::try_from(settings.limits.max_collections).unwrap_or(usize::MAX);
    if collections.len() > most {
        warnings.add(
            "collections-cut",
            format!(
                "the database has {} collections, and `limits.max_collections` allows {most}; those after `{}` are left out; name the ones that matter in `policy.collections.allow`",
                collections.len(),
                collections
                    .get(most.saturating_sub(1))
                    .map(|last| clean_to(&last.name, 80))
                    .unwrap_or_default()
            ),
        );
        collections.truncate(most);
    }
    Ok(collections)
}

fn graphs(client: &Client<'_>, warnings: &mut Warnings) -> Result<Vec<Graph>> {
    let mut graphs: Vec<Graph> = Vec::new();
    if let Err(error) = client.graphs(&mut |item| graphs.extend(graph(item)))? {
        warnings.degrade("graphs-unreadable", "the named graphs", &error)?;
        return Ok(Vec::new());
    }
    sort_by(&mut graphs, |one, other| one.name.cmp(&other.name));
    Ok(graphs)
}

fn graph(item: &Value<'_>) -> Option<Graph> {
    let mut edges = Vec::new();
    for edge in item.get("edgeDefinitions")?.list()? {
        if let Some(collection) = edge.text_of("collection") {
            edges.push(EdgeDefinition {
                collection: collection.into(),
                from: texts(edge.items_of("from")),
                to: texts(edge.items_of("to")),
            });
        }
    }
    Some(Graph {
        name: item
            .text_of("name")
            .or_else(|| item.text_of("_key"))?
            .into(),
        edges,
        orphans: texts(item.items_of("orphanCollections")),
    })
}

/// The texts of a list.
fn texts(list: &[Value<'_>]) -> Vec<Box<str>> {
    let mut texts = Vec::new();
    for item in list {
        if let Some(text) = item.text() {
            texts.push(text.into());
        }
    }
    texts
}

/// What could not be read, a bounded number of each kind.
#[derive(Default)]
struct Warnings {
    notices: Vec<Notice>,
    /// How many of each code there were beyond the bound.
    beyond: Vec<(&'static str, usize)>,
}

impl Warnings {
    fn add(&mut self, code: &'static str, message: String) {
        let same = self.notices.iter().filter(|notice| notice.code == code);
        if same.count() < MOST_WARNINGS {
            self.notices.push(Notice::new(code, message));
            return;
        }
        match self.beyond.iter_mut().find(|(known, _)| *known == code) {
            Some((_, count)) => *count = count.saturating_add(1),
            None => self.beyond.push((code, 1)),
        }
    }

    /// A part that this user or this server has not got is a warning. Any other failure is an error.
    fn degrade(&mut self, code: &'static str, what: &str, error: &DatabaseError) -> Result<()> {
        let absent = matches!(error.status, 404 | 501) && error.number != Some(1228);
        if !(absent && error.number.is_some()) && (error.status == 401 || !error.is_forbidden()) {
            return Err(error.to_error());
        }
        self.add(
            code,
            format!("{what} could not be read: {}", error.to_error().message),
        );
        Ok(())
    }

    fn finish(mut self) -> Vec<Notice> {
        for (code, count) in self.beyond {
            self.notices
                .push(Notice::new(code, format!("and {count} more of the same")));
        }
        self.notices
    }
}
