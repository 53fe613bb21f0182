//! What a view indexes of a document: which attributes, and by which analyzers.
//!
//! | definition | an attribute is indexed where |
//! |---|---|
//! | link of an arangosearch view | it is under `fields`, or `includeAllFields` holds at its level |
//! | inverted index | a field names its path, or `includeAllFields` holds there |
//!
//! Elements of an array are values of the attribute, in an inverted index where the field says `[*]` or `searchField` holds. With
//! `trackListPositions` each has its position in its name.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::value::Value;

/// An analyzer as a field uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Use {
    /// The name without a database.
    pub(super) name: Arc<str>,
    /// Whether how often a term comes is kept: scores need it.
    pub(super) frequency: bool,
    /// Whether the length of a field is kept: scores take it into account.
    pub(super) norm: bool,
    /// Whether positions are kept: phrases need them.
    pub(super) position: bool,
}

/// One level of a definition.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub(super) analyzers: Arc<Vec<Use>>,
    /// Whether attributes that are not named are indexed like this one.
    pub(super) all: bool,
    pub(super) fields: BTreeMap<String, Layout>,
    /// Whether the elements of an array are indexed.
    pub(super) elements: bool,
    /// Whether the position of an element is part of its name.
    pub(super) positions: bool,
    /// Whether `EXISTS()` finds the attribute.
    pub(super) stored: bool,
    /// Whether the attribute itself is indexed, and not only what is below it.
    pub(super) is_field: bool,
}

/// The features of an analyzer, by its name.
pub(super) type Features<'a> = &'a dyn Fn(&str) -> Vec<Value>;

impl Layout {
    /// Reads the definition of a link or of an inverted index.
    pub(super) fn read(definition: &Value, features: Features<'_>) -> Self {
        if definition.get("fields").as_array().is_some() {
            Layout::of_index(definition, features)
        } else {
            let root = Layout {
                analyzers: Arc::new(vec![used("identity", &features("identity"))]),
                elements: true,
                ..Layout::default()
            };
            root.inner(definition, features)
        }
    }

    /// A level of a link under this one: what it does not say is as here.
    fn inner(&self, link: &Value, features: Features<'_>) -> Layout {
        let flag = |name: &str, default: bool| link.get(name).as_bool().unwrap_or(default);
        let names = link.get("analyzers");
        let mut layout = Layout {
            analyzers: match names.as_array() {
                Some(names) if !names.is_empty() => Arc::new(
                    names
                        .iter()
                        .map(|name| name.to_text())
                        .map(|name| used(&name, &features(local(&name))))
                        .collect(),
                ),
                _ => Arc::clone(&self.analyzers),
            },
            all: flag("includeAllFields", self.all),
            fields: BTreeMap::new(),
            elements: true,
            positions: flag("trackListPositions", self.positions),
            stored: match link.get("storeValues").as_str() {
                Some(kind) => kind == "id",
                None => self.stored,
            },
            is_field: true,
        };
        let fields = link.get("fields");
        for (name, field) in fields.as_object().into_iter().flat_map(|all| all.iter()) {
            let field = layout.inner(field, features);
            layout.fields.insert(name.to_string(), field);
        }
        layout
    }

    fn of_index(definition: &Value, features: Features<'_>) -> Layout {
        let flag =
            |from: &Value, name: &str, default: bool| from.get(name).as_bool().unwrap_or(default);
        let analyzer = |from: &Value, default: &Value| {
            let (name, own) = (from.get("analyzer"), from.get("features"));
            let name = if name.is_null() {
                default.clone()
            } else {
                name
            };
            let name = name.as_str().unwrap_or("identity").to_owned();
            let kept = match own.as_array() {
                Some(own) => own.to_vec(),
                None => features(local(&name)),
            };
            Arc::new(vec![used(&name, &kept)])
        };
        let mut root = Layout {
            analyzers: analyzer(definition, &Value::Null),
            all: flag(definition, "includeAllFields", false),
            elements: flag(definition, "searchField", false),
            positions: flag(definition, "trackListPositions", false),
            stored: true,
            is_field: false,
            fields: BTreeMap::new(),
        };
        let fields = definition.get("fields");
        for field in fields.as_array().unwrap_or_default() {
            let name = match field {
                Value::String(name) => name.to_string(),
                field => field.get("name").to_text(),
            };
            let own = Layout {
                analyzers: analyzer(field, &definition.get("analyzer")),
                all: flag(field, "includeAllFields", false),
                elements: flag(field, "searchField", root.elements),
                positions: flag(field, "trackListPositions", root.positions),
                is_field: true,
                ..root.clone()
            };
            root.add(&name, &own);
        }
        root
    }

    /// Adds a field of an inverted index under its dotted path.
    fn add(&mut self, path: &str, field: &Layout) {
        let (first, rest) = path.split_once('.').unwrap_or((path, ""));
        let name = first.trim_end_matches("[*]");
        let elements = name.len() < first.len();
        let mut level = self.fields.remove(name).unwrap_or_else(|| Layout {
            analyzers: Arc::clone(&self.analyzers),
            ..Layout::default()
        });
        level.elements |= elements || field.elements;
        if rest.is_empty() {
            let (fields, elements) = (std::mem::take(&mut level.fields), level.elements);
            level = Layout {
                fields,
                elements,
                ..field.clone()
            };
        } else {
            level.add(rest, field);
        }
        self.fields.insert(name.to_owned(), level);
    }

    /// How an attribute at this level is indexed, if it is.
    pub(super) fn attribute(&self, name: &str) -> Option<&Layout> {
        match self.fields.get(name) {
            Some(field) => Some(field),
            None => self.all.then_some(self),
        }
    }

    /// How the attribute at a path is indexed, if it is; positions within brackets do not count.
    pub(super) fn at(&self, path: &[Step<'_>]) -> Option<&Layout> {
        path.iter().try_fold(self, |level, step| match step {
            Step::Name(name) => level.attribute(name),
            Step::Position(_) => Some(level),
        })
    }
}

/// A step of a path in a condition: `.name` or `[position]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step<'a> {
    Name(&'a str),
    Position(usize),
}

/// The name of a field, as its values are kept under it.
pub(super) fn field_name(path: &[Step<'_>]) -> String {
    let mut name = String::new();
    for step in path {
        match step {
            Step::Name(one) => {
                if !name.is_empty() {
                    name.push('.');
                }
                name.push_str(one);
            }
            Step::Position(at) => name.push_str(&format!("[{at}]")),
        }
    }
    name
}

/// The name without the database before it.
pub(super) fn local(analyzer: &str) -> &str {
    analyzer.rsplit("::").next().unwrap_or(analyzer)
}

fn used(name: &str, features: &[Value]) -> Use {
    let has = |feature: &str| features.iter().any(|one| one.as_str() == Some(feature));
    Use {
        name: Arc::from(local(name)),
        frequency: has("frequency"),
        norm: has("norm"),
        position: has("position"),
    }
}
