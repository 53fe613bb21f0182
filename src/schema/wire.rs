//! The kept form of collections, graphs and views: short names, because they repeat, and nothing that is empty.
//!
//! | of | names |
//! |---|---|
//! | collection | `n` name, `k` kind (`d`, `e`), `c` count, `f` attributes, `x` attributes were cut, `i` indexes |
//! | index | `n` name, `k` kind, `f` attributes, `u` unique, `s` sparse, `o` options |
//! | its attribute | `p` path, `a` analyzer |
//! | graph | `n` name, `e` edge definitions, `o` orphans |
//! | edge definition | `c` edge collection, `f` from, `t` to |
//! | view | `n` name, `k` kind, `l` links |
//! | link | `c` collection, `i` index, `f` attributes, `a` analyzers, `x` every attribute |
//! | its attribute | `p` path, `a` analyzers |
//!
//! A path is an array of its steps, a name as a text and "each element" as 0: `["items",0,"sku"]`. An attribute is a flat
//! array, because there are thousands of them: the number of its types before its path, `[16,"items",0,"sku"]`.
//!
//! What is missing or of another type makes the whole unreadable: `None`.

use crate::json::{Value, Writer};

use super::{
    Collection, CollectionKind, EdgeDefinition, Field, Graph, Index, IndexField, Step, Types, View,
    ViewField, ViewLink,
};

/// The most steps of a path: eight names with arrays between them, and room.
const MOST_STEPS: usize = 64;

type Texts = Vec<Box<str>>;

/// A part that may be absent, and then is the default; `None` where it is there and cannot be read.
fn or_default<T: Default>(
    value: &Value<'_>,
    name: &str,
    read: impl FnOnce(&Value<'_>) -> Option<T>,
) -> Option<T> {
    match value.get(name) {
        None => Some(T::default()),
        Some(part) => read(part),
    }
}

/// A list, each item read.
pub(crate) fn list<T>(value: &Value<'_>, read: impl Fn(&Value<'_>) -> Option<T>) -> Option<Vec<T>> {
    let items = value.list()?;
    let mut list = Vec::with_capacity(items.len());
    for item in items {
        list.push(read(item)?);
    }
    Some(list)
}

fn text(value: &Value<'_>) -> Option<Box<str>> {
    value.text().map(Box::from)
}

fn maybe_text(value: &Value<'_>) -> Option<Option<Box<str>>> {
    match value {
        Value::Null => Some(None),
        value => text(value).map(Some),
    }
}

fn texts(value: &Value<'_>) -> Option<Texts> {
    list(value, text)
}

fn flag(value: &Value<'_>) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        _ => None,
    }
}

fn path(steps: &[Value<'_>]) -> Option<Box<[Step]>> {
    if steps.is_empty() || steps.len() > MOST_STEPS {
        return None;
    }
    let mut path = Vec::with_capacity(steps.len());
    for step in steps {
        path.push(match step {
            Value::Text(name) => Step::Name(name.decode().into()),
            Value::Number("0") => Step::Each,
            _ => return None,
        });
    }
    Some(path.into())
}

fn write_path(path: &[Step], writer: &mut Writer) {
    for step in path {
        match step {
            Step::Each => writer.raw("0"),
            Step::Name(name) => writer.text(name),
        }
    }
}

fn write_texts(name: &str, texts: &Texts, writer: &mut Writer) {
    if !texts.is_empty() {
        writer.key(name).texts(texts);
    }
}

fn write_maybe(name: &str, text: Option<&str>, writer: &mut Writer) {
    if let Some(text) = text {
        writer.key(name).text(text);
    }
}

fn write_flag(name: &str, flag: bool, writer: &mut Writer) {
    if flag {
        writer.key(name).bool(true);
    }
}

/// A list under a name, unless it is empty.
fn write_list<T>(name: &str, items: &[T], write: fn(&T, &mut Writer), writer: &mut Writer) {
    if !items.is_empty() {
        writer.key(name);
        write_all(items, write, writer);
    }
}

/// A list.
pub(crate) fn write_all<T>(items: &[T], write: fn(&T, &mut Writer), writer: &mut Writer) {
    writer.begin('[');
    for item in items {
        write(item, writer);
    }
    writer.end(']');
}

impl Field {
    pub(super) fn read(value: &Value<'_>) -> Option<Field> {
        let (types, steps) = value.list()?.split_first()?;
        let bits = u8::try_from(types.whole()?).ok()?;
        Some(Field {
            path: path(steps)?,
            types: Types::from_bits(bits),
        })
    }

    pub(super) fn write(&self, writer: &mut Writer) {
        writer.begin('[');
        writer.whole(self.types.bits().into());
        write_path(&self.path, writer);
        writer.end(']');
    }
}

impl Collection {
    pub(crate) fn read(value: &Value<'_>) -> Option<Collection> {
        Some(Collection {
            name: text(value.get("n")?)?,
            kind: match value.text_of("k")?.as_ref() {
                "d" => CollectionKind::Document,
                "e" => CollectionKind::Edge,
                _ => return None,
            },
            count: or_default(value, "c", |count| Some(Some(count.whole()?)))?,
            fields: or_default(value, "f", |fields| list(fields, Field::read))?,
            fields_cut: or_default(value, "x", flag)?,
            indexes: or_default(value, "i", |indexes| {
                Some(Some(list(indexes, Index::read)?))
            })?,
        })
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        writer.begin('{');
        writer.key("n").text(&self.name);
        writer.key("k").text(match self.kind {
            CollectionKind::Document => "d",
            CollectionKind::Edge => "e",
        });
        if let Some(count) = self.count {
            writer.key("c").whole(count);
        }
        write_list("f", &self.fields, Field::write, writer);
        write_flag("x", self.fields_cut, writer);
        if let Some(indexes) = &self.indexes {
            writer.key("i");
            write_all(indexes, Index::write, writer);
        }
        writer.end('}');
    }
}

impl Index {
    fn read(value: &Value<'_>) -> Option<Index> {
        Some(Index {
            name: text(value.get("n")?)?,
            kind: text(value.get("k")?)?,
            fields: or_default(value, "f", |fields| list(fields, IndexField::read))?,
            unique: or_default(value, "u", flag)?,
            sparse: or_default(value, "s", flag)?,
            options: or_default(value, "o", |options| {
                list(options, |option| match option.list()? {
                    [name, json] => Some((text(name)?, text(json)?)),
                    _ => None,
                })
            })?,
        })
    }

    fn write(&self, writer: &mut Writer) {
        writer.begin('{');
        writer.key("n").text(&self.name);
        writer.key("k").text(&self.kind);
        write_list("f", &self.fields, IndexField::write, writer);
        write_flag("u", self.unique, writer);
        write_flag("s", self.sparse, writer);
        let option = |(name, json): &(Box<str>, Box<str>), writer: &mut Writer| {
            writer.texts(&[name, json]);
        };
        write_list("o", &self.options, option, writer);
        writer.end('}');
    }
}

impl IndexField {
    fn read(value: &Value<'_>) -> Option<IndexField> {
        Some(IndexField {
            path: text(value.get("p")?)?,
            analyzer: or_default(value, "a", maybe_text)?,
        })
    }

    fn write(&self, writer: &mut Writer) {
        writer.begin('{');
        writer.key("p").text(&self.path);
        write_maybe("a", self.analyzer.as_deref(), writer);
        writer.end('}');
    }
}

impl Graph {
    pub(crate) fn read(value: &Value<'_>) -> Option<Graph> {
        Some(Graph {
            name: text(value.get("n")?)?,
            edges: or_default(value, "e", |edges| list(edges, EdgeDefinition::read))?,
            orphans: or_default(value, "o", texts)?,
        })
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        writer.begin('{');
        writer.key("n").text(&self.name);
        write_list("e", &self.edges, EdgeDefinition::write, writer);
        write_texts("o", &self.orphans, writer);
        writer.end('}');
    }
}

impl EdgeDefinition {
    fn read(value: &Value<'_>) -> Option<EdgeDefinition> {
        Some(EdgeDefinition {
            collection: text(value.get("c")?)?,
            from: or_default(value, "f", texts)?,
            to: or_default(value, "t", texts)?,
        })
    }

    fn write(&self, writer: &mut Writer) {
        writer.begin('{');
        writer.key("c").text(&self.collection);
        write_texts("f", &self.from, writer);
        write_texts("t", &self.to, writer);
        writer.end('}');
    }
}

impl View {
    pub(crate) fn read(value: &Value<'_>) -> Option<View> {
        Some(View {
            name: text(value.get("n")?)?,
            kind: text(value.get("k")?)?,
            links: or_default(value, "l", |links| list(links, ViewLink::read))?,
        })
    }

    pub(crate) fn write(&self, writer: &mut Writer) {
        writer.begin('{');
        writer.key("n").text(&self.name);
        writer.key("k").text(&self.kind);
        write_list("l", &self.links, ViewLink::write, writer);
        writer.end('}');
    }
}

impl ViewLink {
    fn read(value: &Value<'_>) -> Option<ViewLink> {
        Some(ViewLink {
            collection: text(value.get("c")?)?,
            index: or_default(value, "i", maybe_text)?,
            fields: or_default(value, "f", |fields| list(fields, ViewField::read))?,
            analyzers: or_default(value, "a", texts)?,
            all_fields: or_default(value, "x", flag)?,
        })
    }

    fn write(&self, writer: &mut Writer) {
        writer.begin('{');
        writer.key("c").text(&self.collection);
        write_maybe("i", self.index.as_deref(), writer);
        write_list("f", &self.fields, ViewField::write, writer);
        write_texts("a", &self.analyzers, writer);
        write_flag("x", self.all_fields, writer);
        writer.end('}');
    }
}

impl ViewField {
    fn read(value: &Value<'_>) -> Option<ViewField> {
        Some(ViewField {
            path: path(value.get("p")?.list()?)?,
            analyzers: or_default(value, "a", texts)?,
        })
    }

    fn write(&self, writer: &mut Writer) {
        writer.begin('{');
        writer.key("p").begin('[');
        write_path(&self.path, writer);
        writer.end(']');
        write_texts("a", &self.analyzers, writer);
        writer.end('}');
    }
}
