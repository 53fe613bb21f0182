//! Filling a database with a data set.

use std::sync::Arc;

use super::DataSet;
use crate::error::ArangoError;
use crate::storage::{
    Access, CollectionOptions, Database, Store, Txn, User, ViewKind, WriteOptions,
};
use crate::value::Value;

/// The collection in which a database keeps its named graphs.
const GRAPHS: &str = "_graphs";

impl DataSet {
    /// A step that fills the database of a name, which is created where it is missing, for the server's builder.
    pub fn fill(
        self,
        database: &str,
    ) -> impl FnOnce(&Arc<Store>) -> Result<(), ArangoError> + Send + 'static {
        let name = database.to_owned();
        move |store| {
            let database = match store.database(&name) {
                Ok(database) => database,
                Err(_) => store.create_database(&name)?,
            };
            self.load(&database)
        }
    }

    /// Creates the collections, documents, indexes, graphs and views in a database.
    ///
    /// # Errors
    /// Whatever the database refuses: a name that is taken or illegal, a document that an index does not allow. The
    /// message says what was being loaded. What was created before stays.
    pub fn load(&self, database: &Arc<Database>) -> Result<(), ArangoError> {
        for collection in &self.collections {
            let step =
                |error: ArangoError| said(error, &format!("collection `{}`", collection.name));
            database
                .create_collection(&collection.name, CollectionOptions::of(collection.kind))
                .map_err(step)?;
        }
        let loader = Arc::new(User::superuser("loader", ""));
        let mut writes: Vec<String> = self
            .collections
            .iter()
            .map(|collection| collection.name.clone())
            .collect();
        writes.push(GRAPHS.to_owned());
        let mut txn = Txn::begin(
            database,
            Access::stream(Vec::new(), writes, Vec::new(), false),
            &loader,
        )?;
        for collection in &self.collections {
            for (at, document) in collection.documents.iter().enumerate() {
                txn.insert(&collection.name, document, &WriteOptions::default())
                    .map_err(|error| {
                        said(
                            error,
                            &format!("document {at} of collection `{}`", collection.name),
                        )
                    })?;
            }
        }
        for graph in &self.graphs {
            let document = graph_document(&graph.name, &graph.definition);
            txn.insert(GRAPHS, &document, &WriteOptions::default())
                .map_err(|error| said(error, &format!("graph `{}`", graph.name)))?;
        }
        txn.commit()?;
        for index in &self.indexes {
            database
                .ensure_index(&index.collection, &index.definition)
                .map_err(|error| {
                    said(
                        error,
                        &format!(
                            "index {} of collection `{}`",
                            index.definition, index.collection
                        ),
                    )
                })?;
        }
        for view in &self.views {
            let step = |error: ArangoError| said(error, &format!("view `{}`", view.name));
            let kind = ViewKind::parse(&view.kind).unwrap_or(ViewKind::ArangoSearch);
            let properties = if view.properties.is_null() {
                Value::object(Default::default())
            } else {
                view.properties.clone()
            };
            database
                .create_view(&view.name, kind, &properties)
                .map_err(step)?;
        }
        Ok(())
    }
}

/// The error with what was being loaded before its message.
fn said(error: ArangoError, what: &str) -> ArangoError {
    ArangoError {
        message: format!("{what}: {}", error.message),
        ..error
    }
}

/// The document that `_graphs` keeps of a graph, its names in order.
fn graph_document(name: &str, definition: &Value) -> Value {
    let names = |value: Value| {
        let mut names = value.as_array().unwrap_or_default().to_vec();
        names.sort();
        Value::array(names)
    };
    let edge = |edge: &Value| {
        let entries = [
            ("collection", edge.get("collection")),
            ("from", names(edge.get("from"))),
            ("to", names(edge.get("to"))),
        ];
        Value::object(entries.into_iter().collect())
    };
    let edges = definition
        .get("edgeDefinitions")
        .as_array()
        .unwrap_or_default()
        .iter()
        .map(edge)
        .collect();
    let entries = [
        ("_key", Value::from(name)),
        ("edgeDefinitions", Value::array(edges)),
        (
            "orphanCollections",
            names(definition.get("orphanCollections")),
        ),
    ];
    Value::object(entries.into_iter().collect())
}
