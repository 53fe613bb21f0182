//! The content of a search index over one collection: for each field its terms, and for each term the documents.
//!
//! It is made in one pass over the documents of a snapshot and does not change; documents are numbered in the order of
//! insertion.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::layout::{Features, Layout, Use};
use crate::error::ArangoError;
use crate::functions::{self, Analyzer, Context};
use crate::storage::Collection;
use crate::value::Value;

/// A document's number in an index.
pub(super) type Doc = u32;

/// The documents of one term.
#[derive(Debug, Default)]
pub(super) struct Postings {
    pub(super) docs: Vec<Doc>,
    /// How often the term is in each document.
    pub(super) counts: Vec<u32>,
    /// Its positions in each document, one document after the other.
    pub(super) positions: Vec<u32>,
}

impl Postings {
    fn add(&mut self, doc: Doc, position: u32) {
        match (self.docs.last(), self.counts.last_mut()) {
            (Some(last), Some(count)) if *last == doc => *count += 1,
            _ => {
                self.docs.push(doc);
                self.counts.push(1);
            }
        }
        self.positions.push(position);
    }

    /// Each document with the positions in it.
    pub(super) fn places(&self) -> impl Iterator<Item = (Doc, &[u32])> {
        let mut begin = 0;
        self.docs.iter().zip(&self.counts).map(move |(doc, count)| {
            let end = begin + *count as usize;
            let places = self.positions.get(begin..end).unwrap_or_default();
            begin = end;
            (*doc, places)
        })
    }
}

/// The texts of a field under one analyzer.
#[derive(Debug)]
pub(super) struct Texts {
    pub(super) analyzer: Use,
    /// By the bytes of the term.
    pub(super) terms: BTreeMap<Arc<str>, Postings>,
    /// The documents that have such texts, and how many tokens each.
    pub(super) lengths: Vec<(Doc, u32)>,
    /// All tokens.
    pub(super) total: u64,
}

impl Texts {
    /// How many tokens the field has in a document.
    pub(super) fn length(&self, doc: Doc) -> u32 {
        match self.lengths.binary_search_by_key(&doc, |(doc, _)| *doc) {
            Ok(at) => self.lengths.get(at).map_or(1, |(_, length)| *length),
            Err(_) => 1,
        }
    }
}

/// The order of doubles, which terms of numbers are kept in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number(pub(super) f64);

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        // Zeros of either sign are one number.
        (self.0 + 0.0).total_cmp(&(other.0 + 0.0))
    }
}

/// What an index knows of one field.
#[derive(Debug, Default)]
pub(super) struct Field {
    pub(super) texts: Vec<Texts>,
    pub(super) numbers: BTreeMap<Number, Vec<Doc>>,
    /// `false`, then `true`.
    pub(super) truths: [Vec<Doc>; 2],
    pub(super) nulls: Vec<Doc>,
    /// The documents that have the attribute, whatever its value.
    pub(super) present: Vec<Doc>,
}

impl Field {
    /// The texts under an analyzer.
    pub(super) fn texts(&self, analyzer: &str) -> Option<&Texts> {
        self.texts
            .iter()
            .find(|one| &*one.analyzer.name == analyzer)
    }
}

/// The index of one collection for one view.
#[derive(Debug)]
pub(crate) struct SearchIndex {
    /// What is indexed.
    pub(super) layout: Layout,
    /// Whether the definition is an inverted index, where each field has one analyzer that conditions need not name.
    pub(super) is_inverted: bool,
    /// The local ids of the documents, by number.
    pub(super) ids: Vec<u64>,
    pub(super) fields: HashMap<String, Field>,
}

impl SearchIndex {
    /// Indexes the documents of a collection.
    ///
    /// # Errors
    /// What keeps an analyzer from being used, 32 and 1500.
    pub(super) fn build(
        ctx: &mut Context<'_>,
        collection: &Collection,
        definition: &Value,
        features: Features<'_>,
    ) -> Result<Self, ArangoError> {
        let index = SearchIndex {
            layout: Layout::read(definition, features),
            is_inverted: definition.get("fields").as_array().is_some(),
            ids: Vec::with_capacity(collection.count()),
            fields: HashMap::new(),
        };
        let layout = index.layout.clone();
        let mut filler = Filler {
            index,
            analyzers: HashMap::new(),
            doc: 0,
            name: String::new(),
            positions: HashMap::new(),
        };
        for (id, document) in collection.documents.iter() {
            if id % 1024 == 0 {
                ctx.host.check_killed()?;
            }
            let Ok(doc) = Doc::try_from(filler.index.ids.len()) else {
                break;
            };
            filler.doc = doc;
            filler.positions.clear();
            filler.index.ids.push(id);
            filler.attributes(ctx, document, &layout)?;
        }
        Ok(filler.index)
    }

    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.get(name)
    }

    /// How many documents there are.
    pub(super) fn count(&self) -> usize {
        self.ids.len()
    }
}

/// Fills an index, document by document.
struct Filler {
    index: SearchIndex,
    /// Those that were used, by name; absent where they index shapes.
    analyzers: HashMap<Arc<str>, Option<Arc<Analyzer>>>,
    doc: Doc,
    /// The name of the field that is being read.
    name: String,
    /// The next position of each field and analyzer in the document.
    positions: HashMap<(String, Arc<str>), u32>,
}

impl Filler {
    fn attributes(
        &mut self,
        ctx: &mut Context<'_>,
        value: &Value,
        layout: &Layout,
    ) -> Result<(), ArangoError> {
        let Some(object) = value.as_object() else {
            return Ok(());
        };
        for (name, value) in object.iter() {
            let Some(inner) = layout.attribute(name) else {
                continue;
            };
            let length = self.name.len();
            if length > 0 {
                self.name.push('.');
            }
            self.name.push_str(name);
            self.value(ctx, value, inner)?;
            self.name.truncate(length);
        }
        Ok(())
    }

    fn value(
        &mut self,
        ctx: &mut Context<'_>,
        value: &Value,
        layout: &Layout,
    ) -> Result<(), ArangoError> {
        if layout.is_field {
            self.note_present();
            let mut shapes = false;
            for one in layout.analyzers.iter() {
                shapes |= self.analyzer(ctx, &one.name)?.is_none();
            }
            // A shape is one value, whatever is in it.
            if shapes && matches!(value, Value::Array(_) | Value::Object(_)) {
                return Ok(());
            }
        }
        match value {
            Value::Object(_) => self.attributes(ctx, value, layout),
            Value::Array(items) if layout.elements => {
                for (at, item) in items.iter().enumerate() {
                    let length = self.name.len();
                    if layout.positions {
                        self.name.push_str(&format!("[{at}]"));
                    }
                    self.value(ctx, item, layout)?;
                    self.name.truncate(length);
                }
                Ok(())
            }
            Value::Array(_) => Ok(()),
            _ if !layout.is_field => Ok(()),
            Value::String(text) => {
                for one in layout.analyzers.iter() {
                    if let Some(analyzer) = self.analyzer(ctx, &one.name)? {
                        self.text(ctx, text, one, &analyzer)?;
                    }
                }
                Ok(())
            }
            plain => {
                self.plain(plain);
                Ok(())
            }
        }
    }

    fn analyzer(
        &mut self,
        ctx: &mut Context<'_>,
        name: &Arc<str>,
    ) -> Result<Option<Arc<Analyzer>>, ArangoError> {
        if let Some(known) = self.analyzers.get(name) {
            return Ok(known.clone());
        }
        let definition = ctx.host.analyzer(name)?;
        let kind = definition.map(|one| one.get("type").to_text());
        let analyzer = if kind.as_deref().is_some_and(functions::needs_shapes) {
            None
        } else {
            let read = functions::named_analyzer(ctx, "SEARCH", name)?;
            Some(Arc::new(read))
        };
        self.analyzers.insert(Arc::clone(name), analyzer.clone());
        Ok(analyzer)
    }

    fn field(&mut self) -> &mut Field {
        if !self.index.fields.contains_key(&self.name) {
            self.index
                .fields
                .insert(self.name.clone(), Field::default());
        }
        self.index.fields.entry(self.name.clone()).or_default()
    }

    fn note_present(&mut self) {
        let doc = self.doc;
        push_once(&mut self.field().present, doc);
    }

    fn plain(&mut self, value: &Value) {
        let doc = self.doc;
        let field = self.field();
        match value {
            Value::Null => push_once(&mut field.nulls, doc),
            Value::Bool(truth) => {
                let [no, yes] = &mut field.truths;
                push_once(if *truth { yes } else { no }, doc);
            }
            Value::Int(_) | Value::Double(_) => {
                let number = Number(value.to_f64());
                push_once(field.numbers.entry(number).or_default(), doc);
            }
            _ => {}
        }
    }

    fn text(
        &mut self,
        ctx: &mut Context<'_>,
        text: &str,
        used: &Use,
        analyzer: &Analyzer,
    ) -> Result<(), ArangoError> {
        let tokens = analyzer.tokens(ctx, text)?;
        let doc = self.doc;
        let key = (self.name.clone(), Arc::clone(&used.name));
        let mut next = self.positions.get(&key).copied().unwrap_or(0);
        let field = self.field();
        let at = field
            .texts
            .iter()
            .position(|one| one.analyzer.name == used.name)
            .unwrap_or_else(|| {
                field.texts.push(Texts {
                    analyzer: used.clone(),
                    terms: BTreeMap::new(),
                    lengths: Vec::new(),
                    total: 0,
                });
                field.texts.len() - 1
            });
        let mut others = Vec::new();
        if let Some(texts) = field.texts.get_mut(at) {
            let mut count = 0;
            for token in tokens {
                let Value::String(term) = token.term else {
                    others.push(token.term);
                    continue;
                };
                next = next.saturating_add(u32::try_from(token.step).unwrap_or(1));
                count += 1;
                texts.terms.entry(term).or_default().add(doc, next);
            }
            texts.total += u64::from(count);
            match texts.lengths.last_mut() {
                Some((last, length)) if *last == doc => *length += count,
                _ => texts.lengths.push((doc, count)),
            }
        }
        self.positions.insert(key, next);
        for other in others {
            self.plain(&other);
        }
        Ok(())
    }
}

/// Adds a document to a list in order, unless it was the last.
fn push_once(docs: &mut Vec<Doc>, doc: Doc) {
    if docs.last() != Some(&doc) {
        docs.push(doc);
    }
}
