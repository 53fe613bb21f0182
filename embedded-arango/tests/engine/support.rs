//! A database for a test, and the few calls that tests make of it.

use std::sync::Arc;

use embedded_arango::engine::{self, Control, Outcome, QueryOptions, Request, Session};
use embedded_arango::storage::{
    Access, CollectionKind, CollectionOptions, Database, Store, Txn, User, ViewKind, WriteOptions,
};
use embedded_arango::value::{Object, Value};
use embedded_arango::{ArangoError, storage::Mode};
use serde_json::Value as Json;

/// Evaluation recurses as deep as a text nests.
const STACK: usize = 64 << 20;

/// Runs what may recurse deeply on a thread of its own.
pub(crate) fn with_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(run)
        .expect("a thread")
        .join()
        .expect("no panic")
}

/// A database and a user with all rights.
#[derive(Clone)]
pub(crate) struct Bench {
    pub(crate) database: Arc<Database>,
    pub(crate) user: Arc<User>,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let store = Store::new();
        let user = User::superuser("root", "");
        Bench {
            database: store.create_database("bench").expect("a database"),
            user: Arc::new(user),
        }
    }

    pub(crate) fn session(&self) -> Session {
        Session {
            user: Some("root".into()),
            database: "bench".into(),
            version: "3.12.10".into(),
            now_millis: 1_700_000_000_000,
        }
    }

    /// A collection with documents.
    pub(crate) fn collection(&self, name: &str, documents: Json) -> &Self {
        self.create(name, CollectionKind::Document, documents)
    }

    /// An edge collection with edges.
    pub(crate) fn edges(&self, name: &str, documents: Json) -> &Self {
        self.create(name, CollectionKind::Edge, documents)
    }

    fn create(&self, name: &str, kind: CollectionKind, documents: Json) -> &Self {
        self.database
            .create_collection(name, CollectionOptions::of(kind))
            .expect("a collection");
        self.insert(name, documents)
    }

    pub(crate) fn insert(&self, name: &str, documents: Json) -> &Self {
        let mut txn = self.transaction(true);
        txn.open(name, Mode::Write).expect("write access");
        for document in documents.as_array().into_iter().flatten() {
            txn.insert(
                name,
                &Value::from_json(document.clone()),
                &WriteOptions::default(),
            )
            .expect("a document");
        }
        txn.commit().expect("a commit");
        self
    }

    pub(crate) fn index(&self, collection: &str, body: Json) -> &Self {
        self.database
            .ensure_index(collection, &Value::from_json(body))
            .expect("an index");
        self
    }

    pub(crate) fn graph(&self, name: &str, definitions: Json, orphans: Json) -> &Self {
        let graph = serde_json::json!({
            "_key": name,
            "edgeDefinitions": definitions,
            "orphanCollections": orphans,
        });
        self.insert("_graphs", serde_json::json!([graph]))
    }

    pub(crate) fn view(&self, name: &str, kind: ViewKind, body: Json) -> &Self {
        self.database
            .create_view(name, kind, &Value::from_json(body))
            .expect("a view");
        self
    }

    pub(crate) fn transaction(&self, allow_implicit: bool) -> Txn {
        Txn::begin(&self.database, Access::query(allow_implicit), &self.user)
            .expect("a transaction")
    }

    /// Runs a query and commits it.
    pub(crate) fn run(
        &self,
        query: &str,
        bind: Json,
        options: QueryOptions,
    ) -> Result<Outcome, ArangoError> {
        let bench = self.clone();
        let request = request(query, bind, options);
        with_stack(move || {
            let mut txn = bench.transaction(true);
            let control = Control::new(&request.options);
            let outcome = engine::run(&mut txn, &request, &control, &bench.session())?;
            txn.commit()?;
            Ok(outcome)
        })
    }

    /// The rows of a query as JSON.
    pub(crate) fn rows(&self, query: &str) -> Json {
        match self.run(query, Json::Null, QueryOptions::default()) {
            Ok(outcome) => outcome.rows.iter().map(Value::to_json).collect(),
            Err(error) => panic!("{query}: {error}"),
        }
    }

    /// The error of a query: number and message.
    pub(crate) fn error(&self, query: &str) -> (u16, String) {
        match self.run(query, Json::Null, QueryOptions::default()) {
            Ok(outcome) => panic!("{query} gave {:?}", outcome.rows),
            Err(error) => (error.number, error.message),
        }
    }

    pub(crate) fn explain(&self, query: &str) -> Result<Json, ArangoError> {
        self.explain_with(query, Json::Null, Json::Null)
    }

    pub(crate) fn explain_with(
        &self,
        query: &str,
        bind: Json,
        options: Json,
    ) -> Result<Json, ArangoError> {
        let bench = self.clone();
        let request = request(query, bind, QueryOptions::from_json(&options));
        with_stack(move || engine::explain(&bench.database.snapshot(), &request, &bench.session()))
    }

    /// The types of the plan's nodes.
    pub(crate) fn nodes(&self, query: &str) -> Vec<String> {
        let body = self.explain(query).expect("a plan");
        body["plan"]["nodes"]
            .as_array()
            .expect("nodes")
            .iter()
            .map(|node| node["type"].as_str().expect("a type").to_owned())
            .collect()
    }
}

pub(crate) fn request(query: &str, bind: Json, options: QueryOptions) -> Request {
    let bind_vars = match Value::from_json(bind) {
        Value::Object(object) => (*object).clone(),
        _ => Object::new(),
    };
    Request {
        query: query.to_owned(),
        bind_vars,
        options,
    }
}
