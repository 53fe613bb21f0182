//! What was found in a database: collections, attributes, indexes, graphs, views.
//!
//! The model is kept small, because an instance holds it for as long as it lives: names are boxed, types are a set of bits.
//! It holds only what the policy allows. It holds no value of any document's.

use crate::ask::Notice;
use crate::order::sort_by;

/// A database, as far as it may be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema {
    /// The database's name.
    pub database: String,
    /// The collections, sorted by name.
    pub collections: Vec<Collection>,
    /// The named graphs, sorted by name.
    pub graphs: Vec<Graph>,
    /// The views, sorted by name.
    pub views: Vec<View>,
    /// What could not be read or was cut, in words.
    pub warnings: Vec<Notice>,
}

/// What a collection holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CollectionKind {
    /// Documents.
    #[default]
    Document,
    /// Edges: documents with `_from` and `_to`.
    Edge,
}

/// A collection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collection {
    /// Its name, as the server spells it.
    pub name: Box<str>,
    /// What it holds.
    pub kind: CollectionKind,
    /// How many documents, where that could be read.
    pub count: Option<u64>,
    /// The attributes seen in a sample, sorted by path.
    pub fields: Vec<Field>,
    /// Whether attributes were left out, by [`max_fields_per_collection`](crate::settings::Limits).
    pub fields_cut: bool,
    /// The indexes, the primary one left out. Absent where they were not read.
    pub indexes: Option<Vec<Index>>,
}

/// An attribute seen in a sample, with every type seen there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The way to it.
    pub path: Box<[Step]>,
    /// The types of its values.
    pub types: Types,
}

/// One step on the way to an attribute.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Into each element of an array.
    Each,
    /// To the attribute of this name. The name may hold any character, dots and backticks too.
    Name(Box<str>),
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Type {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// A number without a fraction.
    Int,
    /// A number with a fraction.
    Double,
    /// A text.
    String,
    /// A list.
    Array,
    /// An object.
    Object,
}

impl Type {
    const ALL: [Type; 7] = [
        Type::Null,
        Type::Bool,
        Type::Int,
        Type::Double,
        Type::String,
        Type::Array,
        Type::Object,
    ];

    /// Its name: `null`, `bool`, `int`, `double`, `string`, `array` or `object`.
    pub fn name(self) -> &'static str {
        match self {
            Type::Null => "null",
            Type::Bool => "bool",
            Type::Int => "int",
            Type::Double => "double",
            Type::String => "string",
            Type::Array => "array",
            Type::Object => "object",
        }
    }

    /// The type of this name. AQL's own `number` counts as a double.
    pub fn from_name(name: &str) -> Option<Type> {
        if name == "number" {
            return Some(Type::Double);
        }
        Type::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A set of types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Types(u8);

impl Types {
    /// Adds a type.
    pub fn insert(&mut self, kind: Type) {
        self.0 |= 1 << kind as u8;
    }

    /// Adds the types of another set.
    pub fn join(&mut self, other: Types) {
        self.0 |= other.0;
    }

    /// Whether the type was seen.
    pub fn contains(self, kind: Type) -> bool {
        self.0 & (1 << kind as u8) != 0
    }

    /// The types, in the order of [`Type`].
    pub fn iter(self) -> impl Iterator<Item = Type> {
        Type::ALL
            .into_iter()
            .filter(move |kind| self.contains(*kind))
    }

    /// Whether no type was seen.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set as a number from 0 to 127, one bit a type in the order of [`Type`].
    pub fn bits(self) -> u8 {
        self.0
    }

    /// The set of this number; bits that stand for no type are dropped.
    pub fn from_bits(bits: u8) -> Types {
        Types(bits & 0x7f)
    }

    /// The names joined by `|`: `int|string`.
    pub fn joined(self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    /// Appends [`Types::joined`].
    pub(super) fn write(self, text: &mut String) {
        for (place, kind) in self.iter().enumerate() {
            if place > 0 {
                text.push('|');
            }
            text.push_str(kind.name());
        }
    }
}

impl FromIterator<Type> for Types {
    fn from_iter<I: IntoIterator<Item = Type>>(kinds: I) -> Types {
        let mut types = Types::default();
        for kind in kinds {
            types.insert(kind);
        }
        types
    }
}

/// An index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Index {
    /// Its name, for hints and search-alias views.
    pub name: Box<str>,
    /// Its kind, as the server names it: `persistent`, `inverted`, `geo`, `ttl`, `fulltext`, `mdi`, `mdi-prefixed`, `vector`,
    /// `edge`; a kind that is not known here keeps its name.
    pub kind: Box<str>,
    /// The attributes it covers.
    pub fields: Vec<IndexField>,
    /// Whether values are unique.
    pub unique: bool,
    /// Whether documents that lack the attribute are left out.
    pub sparse: bool,
    /// What else matters to a query, as names and JSON values: `analyzer`, `expireAfter`, `geoJson`, `includeAllFields`,
    /// `prefixFields`, `storedValues`; of a vector index `metric`, `dimension`, `trainingState`.
    pub options: Vec<(Box<str>, Box<str>)>,
}

/// An attribute of an index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexField {
    /// Its path in the server's own notation: `address.city`, `tags[*]`.
    pub path: Box<str>,
    /// The analyzer of this attribute, where an inverted index names one.
    pub analyzer: Option<Box<str>>,
}

/// A named graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Its name.
    pub name: Box<str>,
    /// Its edge definitions.
    pub edges: Vec<EdgeDefinition>,
    /// Vertex collections without edges.
    pub orphans: Vec<Box<str>>,
}

/// Which vertex collections an edge collection joins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EdgeDefinition {
    /// The edge collection.
    pub collection: Box<str>,
    /// Where edges begin.
    pub from: Vec<Box<str>>,
    /// Where edges end.
    pub to: Vec<Box<str>>,
}

/// A view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Its name.
    pub name: Box<str>,
    /// `arangosearch` or `search-alias`.
    pub kind: Box<str>,
    /// The collections it searches. Empty where its properties were not read.
    pub links: Vec<ViewLink>,
}

/// A collection that a view searches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ViewLink {
    /// The collection.
    pub collection: Box<str>,
    /// Of a search-alias view: the inverted index.
    pub index: Option<Box<str>>,
    /// The attributes that are indexed by name, with their analyzers.
    pub fields: Vec<ViewField>,
    /// The analyzers of the link itself: of all attributes where `all_fields` is set.
    pub analyzers: Vec<Box<str>>,
    /// Whether every attribute is indexed.
    pub all_fields: bool,
}

/// An attribute of a view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ViewField {
    /// The way to it.
    pub path: Box<[Step]>,
    /// Its analyzers.
    pub analyzers: Vec<Box<str>>,
}

impl Schema {
    /// The collection of exactly this name.
    pub fn collection(&self, name: &str) -> Option<&Collection> {
        let at = self
            .collections
            .binary_search_by(|collection| collection.name.as_ref().cmp(name))
            .ok()?;
        self.collections.get(at)
    }

    /// The view of exactly this name.
    pub fn view(&self, name: &str) -> Option<&View> {
        self.views.iter().find(|view| view.name.as_ref() == name)
    }

    /// The graph of exactly this name.
    pub fn graph(&self, name: &str) -> Option<&Graph> {
        self.graphs.iter().find(|graph| graph.name.as_ref() == name)
    }

    /// The collections, views and graphs whose names are nearest to this one, nearest first, at most three.
    pub fn nearest(&self, name: &str) -> Vec<String> {
        let known = self
            .collections
            .iter()
            .map(|collection| collection.name.as_ref())
            .chain(self.views.iter().map(|view| view.name.as_ref()))
            .chain(self.graphs.iter().map(|graph| graph.name.as_ref()));
        let found = crate::settings::nearest(name, known, 3);
        found.into_iter().map(String::from).collect()
    }
}

impl View {
    /// The collections it searches, sorted, each once.
    pub fn collections(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self
            .links
            .iter()
            .map(|link| link.collection.as_ref())
            .collect();
        sort_by(&mut names, |one, other| one.cmp(other));
        names.dedup();
        names
    }
}

impl Graph {
    /// The collections it is made of, sorted, each once.
    pub fn collections(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.orphans.iter().map(AsRef::as_ref).collect();
        for edge in &self.edges {
            names.push(&edge.collection);
            names.extend(edge.from.iter().chain(&edge.to).map(AsRef::as_ref));
        }
        sort_by(&mut names, |one, other| one.cmp(other));
        names.dedup();
        names
    }
}
