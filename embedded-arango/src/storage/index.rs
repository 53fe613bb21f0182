//! Index definitions: what a request may ask for, and the shape in which the server describes an index.
//!
//! Persistent indexes (with their old names hash and skiplist) and ttl indexes are kept ordered and enforce uniqueness.
//! The other kinds are definitions that the planner and reflection read; a query over them scans.

use std::sync::Arc;

use super::analyzer::Analyzer;
use crate::error::{ArangoError, number};
use crate::value::{Object, Value};

/// The kind of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(
    missing_docs,
    reason = "each variant is named after the type in the HTTP API"
)]
pub enum IndexKind {
    Primary,
    Edge,
    Persistent,
    Ttl,
    Geo,
    Fulltext,
    Mdi,
    MdiPrefixed,
    Inverted,
    Vector,
}

impl IndexKind {
    /// The `type` in the HTTP API.
    pub fn name(self) -> &'static str {
        match self {
            IndexKind::Primary => "primary",
            IndexKind::Edge => "edge",
            IndexKind::Persistent => "persistent",
            IndexKind::Ttl => "ttl",
            IndexKind::Geo => "geo",
            IndexKind::Fulltext => "fulltext",
            IndexKind::Mdi => "mdi",
            IndexKind::MdiPrefixed => "mdi-prefixed",
            IndexKind::Inverted => "inverted",
            IndexKind::Vector => "vector",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "persistent" | "hash" | "skiplist" => IndexKind::Persistent,
            "ttl" => IndexKind::Ttl,
            "geo" | "geo1" | "geo2" => IndexKind::Geo,
            "fulltext" => IndexKind::Fulltext,
            "mdi" | "zkd" => IndexKind::Mdi,
            "mdi-prefixed" => IndexKind::MdiPrefixed,
            "inverted" => IndexKind::Inverted,
            "vector" => IndexKind::Vector,
            _ => return None,
        })
    }

    /// Whether documents are kept in the order of the fields.
    pub(crate) fn is_ordered(self) -> bool {
        matches!(self, IndexKind::Persistent | IndexKind::Ttl)
    }
}

/// An index of a collection.
#[derive(Clone, Debug)]
pub struct IndexDefinition {
    /// The number after the slash of the index id; 0 is the primary index, 1 and 2 the edge index.
    pub id: u64,
    /// The name, unique in the collection.
    pub name: String,
    /// The kind.
    pub kind: IndexKind,
    /// Dotted attribute paths; `[*]` after one of them indexes the elements of an array.
    pub fields: Vec<String>,
    /// Whether two documents may not have equal entries.
    pub unique: bool,
    /// Whether documents that lack a field are left out.
    pub sparse: bool,
    /// What else a description of the index shows, by attribute.
    pub properties: Object,
}

impl IndexDefinition {
    /// The index on `_key` that every collection has.
    pub(crate) fn primary() -> Self {
        built_in(0, "primary", IndexKind::Primary, &["_key"], true)
    }

    /// The index on `_from` and `_to` that every edge collection has.
    pub(crate) fn edge() -> Self {
        built_in(1, "edge", IndexKind::Edge, &["_from", "_to"], false)
    }

    /// Reads the body of `POST /_api/index`; `analyzer` finds the analyzers that its fields name.
    ///
    /// # Errors
    /// 400/10 for an unknown type, or fields that the type does not take.
    pub(crate) fn parse(
        body: &Value,
        id: u64,
        analyzer: impl Fn(&str) -> Option<Arc<Analyzer>>,
    ) -> Result<Self, ArangoError> {
        let kind = body.get("type");
        let kind = kind
            .as_str()
            .and_then(IndexKind::parse)
            .ok_or_else(|| ArangoError::bad_parameter("invalid index type"))?;
        let raw_fields = body.get("fields");
        let raw_fields = raw_fields.as_array().unwrap_or_default();
        let fields = field_names(kind, raw_fields)?;
        check_count(kind, &fields, body)?;
        let name = match body.get("name") {
            Value::String(name) if !name.is_empty() => name.to_string(),
            _ => format!("idx_{id}"),
        };
        let flag = |name: &str, default: bool| body.get(name).as_bool().unwrap_or(default);
        let unique = matches!(
            kind,
            IndexKind::Persistent | IndexKind::Mdi | IndexKind::MdiPrefixed
        ) && flag("unique", false);
        let sparse = match kind {
            IndexKind::Ttl | IndexKind::Geo | IndexKind::Fulltext | IndexKind::Inverted => true,
            _ => flag("sparse", false),
        };
        let properties = properties(kind, body, raw_fields, &analyzer)?;
        Ok(IndexDefinition {
            id,
            name,
            kind,
            fields,
            unique,
            sparse,
            properties,
        })
    }

    /// Whether a request for `other` asks for this very index.
    pub(crate) fn is_same(&self, other: &IndexDefinition) -> bool {
        self.kind == other.kind
            && self.fields == other.fields
            && self.unique == other.unique
            && self.sparse == other.sparse
            && self.properties == other.properties
    }

    /// The description of the index as the HTTP API gives it; `selectivity` where it is known.
    pub fn describe(&self, collection: &str, selectivity: Option<f64>) -> Object {
        let mut attributes: Vec<(String, Value)> = self
            .properties
            .iter()
            .map(|(name, value)| (name.to_string(), value.clone()))
            .collect();
        let has_own_fields = self.properties.contains("fields");
        if !has_own_fields {
            let fields = self.fields.iter().map(Value::string).collect();
            attributes.push(("fields".to_owned(), Value::array(fields)));
        }
        attributes.push((
            "id".to_owned(),
            Value::from(format!("{collection}/{}", self.id)),
        ));
        attributes.push(("name".to_owned(), Value::string(&self.name)));
        attributes.push(("sparse".to_owned(), Value::Bool(self.sparse)));
        attributes.push(("type".to_owned(), Value::string(self.kind.name())));
        attributes.push(("unique".to_owned(), Value::Bool(self.unique)));
        let estimates = self.properties.get("estimates").and_then(Value::as_bool);
        let shows_selectivity = match self.kind {
            IndexKind::Primary | IndexKind::Edge => true,
            IndexKind::Persistent | IndexKind::MdiPrefixed => estimates == Some(true),
            _ => false,
        };
        if let (true, Some(estimate)) = (shows_selectivity, selectivity) {
            attributes.push((
                "selectivityEstimate".to_owned(),
                Value::from_f64_narrow(estimate),
            ));
        }
        attributes.sort_by(|a, b| a.0.cmp(&b.0));
        attributes.into_iter().collect()
    }
}

fn built_in(
    id: u64,
    name: &str,
    kind: IndexKind,
    fields: &[&str],
    unique: bool,
) -> IndexDefinition {
    IndexDefinition {
        id,
        name: name.to_owned(),
        kind,
        fields: fields.iter().map(|field| (*field).to_owned()).collect(),
        unique,
        sparse: false,
        properties: Object::default(),
    }
}

/// Field paths as text; an inverted index may give objects with `name`.
fn field_names(kind: IndexKind, fields: &[Value]) -> Result<Vec<String>, ArangoError> {
    fields
        .iter()
        .map(|field| match field {
            Value::String(name) if !name.is_empty() => Ok(name.to_string()),
            Value::Object(field) if kind == IndexKind::Inverted => match field.get("name") {
                Some(Value::String(name)) if !name.is_empty() => Ok(name.to_string()),
                _ => Err(ArangoError::bad_parameter(
                    "invalid field in index: `name` is missing",
                )),
            },
            _ => Err(ArangoError::bad_parameter(
                "expecting non-empty field names in index",
            )),
        })
        .collect()
}

fn check_count(kind: IndexKind, fields: &[String], body: &Value) -> Result<(), ArangoError> {
    let fine = match kind {
        IndexKind::Geo => matches!(fields.len(), 1 | 2),
        IndexKind::Ttl | IndexKind::Fulltext | IndexKind::Vector => fields.len() == 1,
        IndexKind::Inverted => !fields.is_empty() || body.get("includeAllFields").is_true(),
        _ => !fields.is_empty(),
    };
    if !fine {
        return Err(ArangoError::bad_parameter(format!(
            "wrong number of fields for an index of type `{}`: {}",
            kind.name(),
            fields.len()
        )));
    }
    let mut sorted: Vec<&String> = fields.iter().collect();
    sorted.sort();
    if sorted.windows(2).any(|pair| pair.first() == pair.last()) {
        return Err(ArangoError::bad_parameter(
            "duplicate attribute name in index fields list",
        ));
    }
    Ok(())
}

/// The attributes of a description beyond the common ones, with the server's defaults.
fn properties(
    kind: IndexKind,
    body: &Value,
    fields: &[Value],
    analyzer: &dyn Fn(&str) -> Option<Arc<Analyzer>>,
) -> Result<Object, ArangoError> {
    let or = |name: &str, default: Value| match body.get(name) {
        Value::Null => default,
        given => given,
    };
    let mut out = Object::default();
    let mut set = |name: &str, value: Value| {
        out.insert(name, value);
    };
    match kind {
        IndexKind::Primary | IndexKind::Edge => {}
        IndexKind::Persistent => {
            set("cacheEnabled", or("cacheEnabled", Value::Bool(false)));
            set("deduplicate", or("deduplicate", Value::Bool(true)));
            set("estimates", or("estimates", Value::Bool(true)));
            if let stored @ Value::Array(_) = body.get("storedValues") {
                set("storedValues", stored);
            }
        }
        IndexKind::Ttl => {
            let seconds = body.get("expireAfter");
            if !seconds.is_number() || seconds.to_f64() < 0.0 {
                return Err(ArangoError::bad_parameter(
                    "expireAfter attribute must be a number",
                ));
            }
            set("estimates", Value::Bool(false));
            set("expireAfter", seconds);
        }
        IndexKind::Geo => {
            set("bestIndexedLevel", Value::Int(17));
            set("geoJson", or("geoJson", Value::Bool(false)));
            set("legacyPolygons", or("legacyPolygons", Value::Bool(false)));
            set("maxNumCoverCells", Value::Int(8));
            set("worstIndexedLevel", Value::Int(4));
        }
        IndexKind::Fulltext => set("minLength", or("minLength", Value::Int(2))),
        IndexKind::Mdi | IndexKind::MdiPrefixed => {
            if body.get("fieldValueTypes").as_str() != Some("double") {
                return Err(ArangoError::bad_parameter(
                    "`fieldValueTypes` must be \"double\"",
                ));
            }
            let prefixed = kind == IndexKind::MdiPrefixed;
            set("estimates", Value::Bool(prefixed));
            set("fieldValueTypes", Value::string("double"));
            if prefixed {
                let prefix = body.get("prefixFields");
                if prefix.as_array().is_none_or(<[Value]>::is_empty) {
                    return Err(ArangoError::bad_parameter(
                        "`prefixFields` must be a non-empty array",
                    ));
                }
                set("prefixFields", prefix);
            }
        }
        IndexKind::Inverted => inverted(body, fields, analyzer, &mut set)?,
        IndexKind::Vector => {
            let params = body.get("params");
            let metric = params.get("metric");
            let known = matches!(metric.as_str(), Some("cosine" | "l2" | "innerProduct"));
            if !known || params.get("dimension").as_i64().is_none_or(|n| n <= 0) {
                return Err(ArangoError::bad_parameter(
                    "a vector index needs `params` with `metric` (cosine, l2 or innerProduct) and a positive `dimension`",
                ));
            }
            set("params", params);
            set("trainingState", Value::string("ready"));
            if let stored @ Value::Array(_) = body.get("storedValues") {
                set("storedValues", stored);
            }
        }
    }
    Ok(out)
}

fn inverted(
    body: &Value,
    fields: &[Value],
    analyzer: &dyn Fn(&str) -> Option<Arc<Analyzer>>,
    set: &mut impl FnMut(&str, Value),
) -> Result<(), ArangoError> {
    let or = |name: &str, default: Value| match body.get(name) {
        Value::Null => default,
        given => given,
    };
    let strings = |items: &[&str]| Value::array(items.iter().map(Value::string).collect());
    let described: Result<Vec<Value>, ArangoError> = fields
        .iter()
        .map(|field| describe_field(field, analyzer))
        .collect();
    set("analyzer", or("analyzer", Value::string("identity")));
    set(
        "cleanupIntervalStep",
        or("cleanupIntervalStep", Value::Int(2)),
    );
    set(
        "commitIntervalMsec",
        or("commitIntervalMsec", Value::Int(1000)),
    );
    set(
        "consolidationIntervalMsec",
        or("consolidationIntervalMsec", Value::Int(5000)),
    );
    set(
        "consolidationPolicy",
        or("consolidationPolicy", super::view::consolidation_policy()),
    );
    set("features", or("features", strings(&["frequency", "norm"])));
    set("fields", Value::array(described?));
    set(
        "includeAllFields",
        or("includeAllFields", Value::Bool(false)),
    );
    set("optimizeTopK", or("optimizeTopK", Value::array(Vec::new())));
    let sort = Object::from_iter([
        ("fields", Value::array(Vec::new())),
        ("compression", Value::string("lz4")),
    ]);
    set("primarySort", or("primarySort", Value::object(sort)));
    set("searchField", or("searchField", Value::Bool(false)));
    set("storedValues", or("storedValues", Value::array(Vec::new())));
    set(
        "trackListPositions",
        or("trackListPositions", Value::Bool(false)),
    );
    set("version", Value::Int(1));
    set("writebufferActive", or("writebufferActive", Value::Int(0)));
    set("writebufferIdle", or("writebufferIdle", Value::Int(64)));
    set(
        "writebufferSizeMax",
        or("writebufferSizeMax", Value::Int(33_554_432)),
    );
    Ok(())
}

/// A field of an inverted index as an object; one that names an analyzer shows that analyzer's features.
fn describe_field(
    field: &Value,
    analyzer: &dyn Fn(&str) -> Option<Arc<Analyzer>>,
) -> Result<Value, ArangoError> {
    let Value::Object(given) = field else {
        return Ok(Value::object(Object::from_iter([("name", field.clone())])));
    };
    let mut out = Object::default();
    if let Some(Value::String(name)) = given.get("analyzer") {
        let known = analyzer(name).ok_or_else(|| {
            ArangoError::bad_parameter(format!("failed to find analyzer '{name}'"))
        })?;
        if !given.contains("features") {
            out.insert("features", Value::array(known.features.clone()));
        }
    }
    out.extend(
        given
            .iter()
            .map(|(name, value)| (Arc::clone(name), value.clone())),
    );
    Ok(Value::object(out))
}

/// The error for an index that a collection does not have.
pub(crate) fn index_not_found() -> ArangoError {
    ArangoError::new(number::INDEX_NOT_FOUND, "index not found")
}
