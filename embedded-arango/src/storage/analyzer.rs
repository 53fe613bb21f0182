//! Analyzers: named ways to turn text into terms. This module keeps definitions; it does not tokenize.

use std::sync::Arc;

use crate::error::ArangoError;
use crate::value::{Object, Value};

/// The locales of the built-in `text_*` analyzers.
const LOCALES: [&str; 12] = [
    "de", "en", "es", "fi", "fr", "it", "nl", "no", "pt", "ru", "sv", "zh",
];

/// The types that a request may name.
const TYPES: [&str; 23] = [
    "aql",
    "classification",
    "collation",
    "delimiter",
    "geo_s2",
    "geojson",
    "geopoint",
    "identity",
    "minhash",
    "multi_delimiter",
    "nearest_neighbors",
    "ngram",
    "norm",
    "pipeline",
    "segmentation",
    "stem",
    "stopwords",
    "text",
    "union",
    "wildcard",
    "word",
    "edge_ngram",
    "synonyms",
];

/// The definition of an analyzer.
#[derive(Clone, Debug, PartialEq)]
pub struct Analyzer {
    /// The name without `database::`.
    pub name: Arc<str>,
    /// The type, such as `text`.
    pub kind: Arc<str>,
    /// The properties, as the type understands them.
    pub properties: Value,
    /// `frequency`, `norm`, `position`, `offset`.
    pub features: Vec<Value>,
    /// Whether every database has it.
    pub built_in: bool,
}

impl Analyzer {
    /// Reads the body of `POST /_api/analyzer`.
    ///
    /// # Errors
    /// 400/10 for a missing name, an unknown type or features of the wrong type.
    pub(crate) fn parse(body: &Value) -> Result<Self, ArangoError> {
        let bad = |what: &str| ArangoError::bad_parameter(what);
        let name = body.get("name");
        let name = name
            .as_str()
            .filter(|name| !name.is_empty())
            .ok_or_else(|| bad("invalid analyzer name"))?;
        let name = name.rsplit("::").next().unwrap_or(name);
        let legal = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
        if !legal {
            return Err(bad(&format!(
                "invalid characters in analyzer name `{name}`"
            )));
        }
        let kind = body.get("type");
        let kind = kind
            .as_str()
            .filter(|kind| TYPES.contains(kind))
            .ok_or_else(|| bad("invalid analyzer type"))?;
        let features = match body.get("features") {
            Value::Null => Vec::new(),
            Value::Array(features) if features.iter().all(is_feature) => features.to_vec(),
            _ => {
                return Err(bad(
                    "invalid analyzer features: expecting an array of \"frequency\", \"norm\", \"position\", \"offset\"",
                ));
            }
        };
        let properties = match body.get("properties") {
            Value::Null => Value::object(Object::default()),
            given @ Value::Object(_) => given,
            _ => return Err(bad("invalid analyzer properties: expecting an object")),
        };
        Ok(Analyzer {
            name: Arc::from(name),
            kind: Arc::from(kind),
            properties,
            features,
            built_in: false,
        })
    }

    /// An analyzer that every database has.
    pub fn built_in(name: &str) -> Option<Arc<Analyzer>> {
        if name == "identity" {
            return Some(Arc::new(Analyzer {
                name: Arc::from(name),
                kind: Arc::from("identity"),
                properties: Value::object(Object::default()),
                features: ["frequency", "norm"].map(Value::from).to_vec(),
                built_in: true,
            }));
        }
        let locale = name
            .strip_prefix("text_")
            .filter(|locale| LOCALES.contains(locale))?;
        let properties = Object::from_iter([
            ("locale", Value::string(locale)),
            ("case", Value::string("lower")),
            ("stopwords", Value::array(Vec::new())),
            ("accent", Value::Bool(false)),
            ("stemming", Value::Bool(locale != "zh")),
        ]);
        Some(Arc::new(Analyzer {
            name: Arc::from(name),
            kind: Arc::from("text"),
            properties: Value::object(properties),
            features: ["frequency", "position", "norm"].map(Value::from).to_vec(),
            built_in: true,
        }))
    }

    /// All analyzers that every database has.
    pub fn all_built_in() -> Vec<Arc<Analyzer>> {
        let texts = LOCALES.iter().map(|locale| format!("text_{locale}"));
        std::iter::once("identity".to_owned())
            .chain(texts)
            .filter_map(|name| Analyzer::built_in(&name))
            .collect()
    }

    /// The name with its database where it is not built in.
    pub fn full_name(&self, database: &str) -> String {
        if self.built_in {
            self.name.to_string()
        } else {
            format!("{database}::{}", self.name)
        }
    }

    /// As the HTTP API gives it.
    pub fn describe(&self, database: &str) -> Object {
        Object::from_iter([
            ("name", Value::from(self.full_name(database))),
            ("type", Value::String(Arc::clone(&self.kind))),
            ("properties", self.properties.clone()),
            ("features", Value::array(self.features.clone())),
        ])
    }
}

fn is_feature(value: &Value) -> bool {
    matches!(
        value.as_str(),
        Some("frequency" | "norm" | "position" | "offset")
    )
}
