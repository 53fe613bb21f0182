//! A collection: its properties, its documents and its indexes, as one value whose clone is cheap.

use std::sync::Arc;

use super::clock::Clock;
use super::computed::ComputedValue;
use super::documents::Documents;
use super::index::IndexDefinition;
use super::keys::KeyOptions;
use super::ordered::{self, Index, Ordered};
use crate::error::{ArangoError, number};
use crate::schema::Schema;
use crate::value::{Object, Value};

/// What a collection holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollectionKind {
    /// Documents.
    Document,
    /// Edges: documents with `_from` and `_to`.
    Edge,
}

impl CollectionKind {
    /// 2 for documents, 3 for edges.
    pub fn number(self) -> i64 {
        match self {
            CollectionKind::Document => 2,
            CollectionKind::Edge => 3,
        }
    }
}

/// The properties of a collection.
#[derive(Clone, Debug)]
pub struct CollectionMeta {
    /// The id, also the part after the slash of the globally unique id.
    pub id: u64,
    /// The id of the data, shown in `properties`.
    pub object_id: u64,
    /// The name.
    pub name: Arc<str>,
    /// Documents or edges.
    pub kind: CollectionKind,
    /// Whether the name begins with an underscore and the server made it.
    pub is_system: bool,
    /// Whether a write answers 201 instead of 202.
    pub wait_for_sync: bool,
    /// Shown in `properties`; nothing is cached.
    pub cache_enabled: bool,
    /// How keys are made.
    pub keys: Arc<KeyOptions>,
    /// What documents are held to.
    pub schema: Option<Schema>,
    /// Attributes that the server computes on writes.
    pub computed: Arc<Vec<ComputedValue>>,
}

/// What a request may say about a new collection.
#[derive(Debug, Default)]
pub struct CollectionOptions {
    /// Documents unless told otherwise.
    pub kind: Option<CollectionKind>,
    /// See [`CollectionMeta::is_system`].
    pub is_system: bool,
    /// See [`CollectionMeta::wait_for_sync`].
    pub wait_for_sync: bool,
    /// See [`CollectionMeta::cache_enabled`].
    pub cache_enabled: bool,
    /// See [`CollectionMeta::keys`].
    pub keys: KeyOptions,
    /// See [`CollectionMeta::schema`].
    pub schema: Option<Schema>,
    /// See [`CollectionMeta::computed`].
    pub computed: Vec<ComputedValue>,
}

impl CollectionOptions {
    /// Options for a collection of a kind, everything else by default.
    pub fn of(kind: CollectionKind) -> Self {
        CollectionOptions {
            kind: Some(kind),
            ..CollectionOptions::default()
        }
    }
}

/// A collection of a snapshot. Cloning shares everything.
#[derive(Clone, Debug)]
pub struct Collection {
    pub(crate) meta: Arc<CollectionMeta>,
    /// Changes with every commit that wrote here.
    pub(crate) version: u64,
    /// The revision of the last write.
    pub(crate) revision: Arc<str>,
    pub(crate) documents: Documents,
    pub(crate) indexes: Vec<Index>,
}

impl Collection {
    pub(crate) fn new(name: &str, options: CollectionOptions, clock: &Clock) -> Self {
        let kind = options.kind.unwrap_or(CollectionKind::Document);
        let mut indexes = vec![Index {
            definition: Arc::new(IndexDefinition::primary()),
            content: None,
        }];
        if kind == CollectionKind::Edge {
            indexes.push(Index {
                definition: Arc::new(IndexDefinition::edge()),
                content: None,
            });
        }
        let meta = CollectionMeta {
            id: clock.next_id(),
            object_id: clock.next_id(),
            name: Arc::from(name),
            kind,
            is_system: options.is_system,
            wait_for_sync: options.wait_for_sync,
            cache_enabled: options.cache_enabled,
            keys: Arc::new(options.keys),
            schema: options.schema,
            computed: Arc::new(options.computed),
        };
        Collection {
            meta: Arc::new(meta),
            version: clock.next_id(),
            revision: Arc::from(clock.next_revision()),
            documents: Documents::default(),
            indexes,
        }
    }

    /// The properties.
    pub fn meta(&self) -> &CollectionMeta {
        &self.meta
    }

    /// The number of documents.
    pub fn count(&self) -> usize {
        self.documents.len()
    }

    /// The revision of the last write.
    pub fn revision(&self) -> &str {
        &self.revision
    }

    /// The document with a key.
    pub fn get(&self, key: &str) -> Option<Value> {
        self.documents.get(key).cloned()
    }

    /// All documents in the order of insertion.
    pub fn scan(&self) -> super::Scan {
        self.documents.scan()
    }

    /// The definitions of the indexes, the built-in ones first.
    pub fn indexes(&self) -> impl Iterator<Item = &Arc<IndexDefinition>> {
        self.indexes.iter().map(|index| &index.definition)
    }

    /// The description of an index as the HTTP API gives it.
    pub fn describe(&self, definition: &IndexDefinition) -> Object {
        definition.describe(&self.meta.name, self.selectivity(definition.id))
    }

    /// The share of distinct entries of an index; 1 where the content is not kept.
    pub fn selectivity(&self, index: u64) -> Option<f64> {
        let index = self.indexes.iter().find(|i| i.definition.id == index)?;
        Some(index.content.as_ref().map_or(1.0, Ordered::selectivity))
    }

    /// `properties` of the HTTP API, in the order of the real server.
    pub fn properties(&self) -> Object {
        let meta = &self.meta;
        let mut out = Object::default();
        out.insert("writeConcern", Value::Int(1));
        out.insert("waitForSync", Value::Bool(meta.wait_for_sync));
        out.insert("usesRevisionsAsDocumentIds", Value::Bool(true));
        out.insert("syncByRevision", Value::Bool(true));
        out.insert("supportsRBAC", Value::Bool(true));
        out.insert("statusString", Value::string("loaded"));
        out.insert("id", Value::from(meta.id.to_string()));
        out.insert("isSmartChild", Value::Bool(false));
        let schema = meta.schema.as_ref().map(Schema::definition);
        out.insert("schema", schema.cloned().unwrap_or_default());
        out.insert("name", Value::String(Arc::clone(&meta.name)));
        out.insert("type", Value::Int(meta.kind.number()));
        out.insert("status", Value::Int(3));
        out.insert("cacheEnabled", Value::Bool(meta.cache_enabled));
        out.insert("isSystem", Value::Bool(meta.is_system));
        out.insert("internalValidatorType", Value::Int(0));
        out.insert("globallyUniqueId", self.globally_unique_id());
        out.insert("keyOptions", Value::object(meta.keys.to_object()));
        let computed: Vec<Value> = meta.computed.iter().map(ComputedValue::describe).collect();
        out.insert(
            "computedValues",
            if computed.is_empty() {
                Value::Null
            } else {
                Value::array(computed)
            },
        );
        out.insert("objectId", Value::from(meta.object_id.to_string()));
        out
    }

    /// The name for a system collection, the server's and the collection's id for another.
    pub fn globally_unique_id(&self) -> Value {
        if self.meta.is_system {
            Value::String(Arc::clone(&self.meta.name))
        } else {
            Value::from(format!("h0000000000001/{}", self.meta.id))
        }
    }

    /// Adds an index over the present documents. An equal index that exists is given back, with `false`.
    ///
    /// # Errors
    /// 1210 where the index is unique and the documents are not, 1207 where the name is taken.
    pub(crate) fn ensure_index(
        &mut self,
        wanted: IndexDefinition,
    ) -> Result<(Arc<IndexDefinition>, bool), ArangoError> {
        if let Some(existing) = self.indexes.iter().find(|i| i.definition.is_same(&wanted)) {
            return Ok((Arc::clone(&existing.definition), false));
        }
        if self
            .indexes
            .iter()
            .any(|i| i.definition.name == wanted.name)
        {
            return Err(ArangoError::new(
                number::DUPLICATE_NAME,
                format!("duplicate value in index name: `{}`", wanted.name),
            ));
        }
        let definition = Arc::new(wanted);
        let content = if definition.kind.is_ordered() {
            let mut content = Ordered::default();
            for (id, document) in self.documents.iter() {
                if let Some(other) = content.conflict(&definition, document, None) {
                    return Err(self.violation(&definition, other));
                }
                content.add(&definition, document, id);
            }
            Some(content)
        } else {
            None
        };
        self.indexes.push(Index {
            definition: Arc::clone(&definition),
            content,
        });
        Ok((definition, true))
    }

    /// Puts a version of a document into the collection and its indexes, in place of the version before.
    ///
    /// # Errors
    /// 1210 where a unique index has an equal entry; the collection is unchanged then.
    pub(crate) fn store(
        &mut self,
        key: &Arc<str>,
        id: u64,
        document: Value,
    ) -> Result<(), ArangoError> {
        let own = self.documents.local_id(key);
        for index in &self.indexes {
            let content = index.content.as_ref();
            if let Some(other) =
                content.and_then(|content| content.conflict(&index.definition, &document, own))
            {
                return Err(self.violation(&index.definition, other));
            }
        }
        self.discard(key);
        for index in &mut self.indexes {
            if let Some(content) = &mut index.content {
                content.add(&index.definition, &document, id);
            }
        }
        self.documents.put(self.meta.kind, key, id, document);
        Ok(())
    }

    fn violation(&self, definition: &IndexDefinition, other: u64) -> ArangoError {
        let conflicting = self.documents.by_local_id(other);
        let key = conflicting.map(|document| document.get("_key").to_text());
        ordered::violation(definition, &key.unwrap_or_default())
    }

    /// Takes a document out of the collection and its indexes.
    pub(crate) fn discard(&mut self, key: &str) -> Option<Value> {
        let (id, document) = self.documents.take(self.meta.kind, key)?;
        for index in &mut self.indexes {
            if let Some(content) = &mut index.content {
                content.remove(&index.definition, &document, id);
            }
        }
        Some(document)
    }

    /// Takes all documents out.
    pub(crate) fn clear(&mut self) {
        self.documents = Documents::default();
        for index in &mut self.indexes {
            if let Some(content) = &mut index.content {
                *content = Ordered::default();
            }
        }
    }
}
