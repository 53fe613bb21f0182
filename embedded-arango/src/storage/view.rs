//! Views: names under which collections are searched.

use std::sync::Arc;

use super::snapshot::Snapshot;
use crate::error::ArangoError;
use crate::value::{Object, Value};

/// The kind of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewKind {
    /// Links to collections that say what is indexed.
    ArangoSearch,
    /// A list of inverted indexes.
    SearchAlias,
}

impl ViewKind {
    /// The `type` in the HTTP API.
    pub fn name(self) -> &'static str {
        match self {
            ViewKind::ArangoSearch => "arangosearch",
            ViewKind::SearchAlias => "search-alias",
        }
    }

    /// Reads the `type` of a request.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "arangosearch" => Some(ViewKind::ArangoSearch),
            "search-alias" => Some(ViewKind::SearchAlias),
            _ => None,
        }
    }
}

/// A view.
#[derive(Clone, Debug)]
pub struct View {
    /// The id.
    pub id: u64,
    /// The name.
    pub name: Arc<str>,
    /// The kind.
    pub kind: ViewKind,
    /// What a description shows beyond id, name and type.
    settings: Object,
}

/// A collection that a view searches.
#[derive(Clone, Debug)]
pub struct ViewLink {
    /// The collection.
    pub collection: Arc<str>,
    /// What is indexed: the link of an arangosearch view, or the description of the inverted index.
    pub definition: Value,
}

/// Settings of an arangosearch view that a request may give, with their defaults.
fn defaults() -> [(&'static str, Value); 12] {
    [
        ("cleanupIntervalStep", Value::Int(2)),
        ("commitIntervalMsec", Value::Int(1000)),
        ("consolidationIntervalMsec", Value::Int(5000)),
        ("consolidationPolicy", consolidation_policy()),
        ("optimizeTopK", Value::array(Vec::new())),
        ("primarySort", Value::array(Vec::new())),
        ("primarySortCompression", Value::string("lz4")),
        ("storedValues", Value::array(Vec::new())),
        ("writebufferActive", Value::Int(0)),
        ("writebufferIdle", Value::Int(64)),
        ("writebufferSizeMax", Value::Int(33_554_432)),
        ("links", Value::object(Object::default())),
    ]
}

/// The default policy by which a search index merges its segments.
pub(crate) fn consolidation_policy() -> Value {
    Value::object(Object::from_iter([
        ("type", Value::string("tier")),
        ("segmentsBytesMax", Value::Int(8_589_934_592)),
        ("maxSkewThreshold", Value::Double(0.4)),
        ("minDeletionRatio", Value::Double(0.5)),
    ]))
}

impl View {
    /// A view with the settings of a request, defaults elsewhere.
    ///
    /// # Errors
    /// 400/10 for links or indexes of the wrong shape, 404/1203 for a collection that does not exist.
    pub(crate) fn new(
        id: u64,
        name: &str,
        kind: ViewKind,
        body: &Value,
        snapshot: &Snapshot,
    ) -> Result<Self, ArangoError> {
        let mut settings = Object::default();
        match kind {
            ViewKind::ArangoSearch => {
                for (name, default) in defaults() {
                    let given = body.get(name);
                    let value = if given.is_null() { default } else { given };
                    settings.insert(name, value);
                }
            }
            ViewKind::SearchAlias => {
                settings.insert("indexes", Value::array(Vec::new()));
            }
        }
        let mut view = View {
            id,
            name: Arc::from(name),
            kind,
            settings,
        };
        match kind {
            ViewKind::ArangoSearch => {
                view.settings
                    .insert("links", Value::object(Object::default()));
                view.set_links(&body.get("links"), snapshot)?;
            }
            ViewKind::SearchAlias => view.set_indexes(&body.get("indexes"), snapshot)?,
        }
        Ok(view)
    }

    /// The view with other settings: all of them (`replace`), or those that the body names.
    pub(crate) fn changed(
        &self,
        body: &Value,
        replace: bool,
        snapshot: &Snapshot,
    ) -> Result<Self, ArangoError> {
        if replace {
            return View::new(self.id, &self.name, self.kind, body, snapshot);
        }
        let mut view = self.clone();
        match self.kind {
            ViewKind::ArangoSearch => {
                for (name, _) in defaults() {
                    let given = body.get(name);
                    if name != "links" && !given.is_null() {
                        view.settings.insert(name, given);
                    }
                }
                view.set_links(&body.get("links"), snapshot)?;
            }
            ViewKind::SearchAlias => view.set_indexes(&body.get("indexes"), snapshot)?,
        }
        Ok(view)
    }

    pub(crate) fn renamed(&self, name: &str) -> Self {
        View {
            name: Arc::from(name),
            ..self.clone()
        }
    }

    /// Id, name and type: what a list of views shows.
    pub fn summary(&self) -> Object {
        Object::from_iter([
            (
                "globallyUniqueId",
                Value::from(format!("h0000000000001/{}", self.id)),
            ),
            ("id", Value::from(self.id.to_string())),
            ("name", Value::String(Arc::clone(&self.name))),
            ("type", Value::string(self.kind.name())),
        ])
    }

    /// All that the HTTP API shows of the view.
    pub fn properties(&self) -> Object {
        let mut out = self.summary();
        out.extend(
            self.settings
                .iter()
                .map(|(name, value)| (Arc::clone(name), value.clone())),
        );
        out
    }

    /// The collections behind the view that exist in a snapshot.
    pub(crate) fn links(&self, snapshot: &Snapshot) -> Vec<ViewLink> {
        let mut links = Vec::new();
        match self.kind {
            ViewKind::ArangoSearch => {
                let all = self.settings.get("links").and_then(Value::as_object);
                for (name, definition) in all.into_iter().flat_map(Object::iter) {
                    if let Some(collection) = snapshot.collection(name) {
                        links.push(ViewLink {
                            collection: Arc::clone(&collection.meta.name),
                            definition: definition.clone(),
                        });
                    }
                }
            }
            ViewKind::SearchAlias => {
                let all = self
                    .settings
                    .get("indexes")
                    .and_then(Value::as_array)
                    .unwrap_or_default();
                for entry in all {
                    let (collection, index) = (
                        entry.get("collection").to_text(),
                        entry.get("index").to_text(),
                    );
                    let Some(collection) = snapshot.collection(&collection) else {
                        continue;
                    };
                    if let Some(index) = collection
                        .indexes()
                        .find(|i| i.name == index || i.id.to_string() == index)
                    {
                        let definition = Value::object(collection.describe(index));
                        links.push(ViewLink {
                            collection: Arc::clone(&collection.meta.name),
                            definition,
                        });
                    }
                }
            }
        }
        links.sort_by(|a, b| a.collection.cmp(&b.collection));
        links
    }

    /// Adds links, replaces them, and removes those that are `null`.
    fn set_links(&mut self, links: &Value, snapshot: &Snapshot) -> Result<(), ArangoError> {
        if links.is_null() {
            return Ok(());
        }
        let given = links
            .as_object()
            .ok_or_else(|| ArangoError::bad_parameter("`links` of a view must be an object"))?;
        let mut all = self
            .settings
            .get("links")
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default();
        for (name, link) in given.iter() {
            match link {
                Value::Null => {
                    all.remove(name);
                }
                Value::Object(_) => {
                    if snapshot.collection(name).is_none() {
                        return Err(ArangoError::data_source_not_found(name));
                    }
                    all.insert(Arc::clone(name), complete_link(link));
                }
                _ => {
                    return Err(ArangoError::bad_parameter(format!(
                        "link `{name}` of a view must be an object"
                    )));
                }
            }
        }
        self.settings.insert("links", Value::object(all));
        Ok(())
    }

    /// Sets the list of inverted indexes; an entry with `operation: "del"` removes.
    fn set_indexes(&mut self, indexes: &Value, snapshot: &Snapshot) -> Result<(), ArangoError> {
        if indexes.is_null() {
            return Ok(());
        }
        let given = indexes
            .as_array()
            .ok_or_else(|| ArangoError::bad_parameter("`indexes` of a view must be an array"))?;
        let mut all: Vec<Value> = self
            .settings
            .get("indexes")
            .and_then(Value::as_array)
            .unwrap_or_default()
            .to_vec();
        for entry in given {
            let (collection, index) = (entry.get("collection"), entry.get("index"));
            let (Some(collection), Some(index)) = (collection.as_str(), index.as_str()) else {
                return Err(ArangoError::bad_parameter(
                    "an entry of `indexes` needs `collection` and `index`",
                ));
            };
            let same = |other: &Value| {
                other.get("collection").as_str() == Some(collection)
                    && other.get("index").as_str() == Some(index)
            };
            all.retain(|other| !same(other));
            if entry.get("operation").as_str() == Some("del") {
                continue;
            }
            let known = snapshot
                .collection(collection)
                .ok_or_else(|| ArangoError::data_source_not_found(collection))?;
            if !known
                .indexes()
                .any(|i| i.name == index || i.id.to_string() == index)
            {
                return Err(super::index::index_not_found());
            }
            all.push(Value::object(Object::from_iter([
                ("collection", Value::string(collection)),
                ("index", Value::string(index)),
            ])));
        }
        self.settings.insert("indexes", Value::array(all));
        Ok(())
    }
}

/// A link with the server's defaults for what it does not say.
fn complete_link(link: &Value) -> Value {
    let or = |name: &str, default: Value| match link.get(name) {
        Value::Null => default,
        given => given,
    };
    let mut out = Object::from_iter([
        (
            "analyzers",
            or("analyzers", Value::array(vec![Value::string("identity")])),
        ),
        ("fields", or("fields", Value::object(Object::default()))),
        (
            "includeAllFields",
            or("includeAllFields", Value::Bool(false)),
        ),
        ("storeValues", or("storeValues", Value::string("none"))),
        (
            "trackListPositions",
            or("trackListPositions", Value::Bool(false)),
        ),
    ]);
    for name in ["nested", "cache"] {
        let given = link.get(name);
        if !given.is_null() {
            out.insert(name, given);
        }
    }
    Value::object(out)
}
