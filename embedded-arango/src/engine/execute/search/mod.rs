//! Searching a view: its indexes, the condition after `SEARCH`, scores, and where in the texts the matches lie.
//!
//! An index is made when a query first searches a collection through a view, and kept until the collection changes. A
//! transaction searches what was committed when it began, as on the real server.

mod find;
mod fuzzy;
mod index;
mod layout;
mod matches;
mod offsets;
mod phrase;
mod query;
mod score;
mod shapes;
mod translate;

use std::sync::Arc;

use self::find::Finder;
use self::index::{Doc, SearchIndex};
use self::layout::local;
use self::matches::Matches;
use self::query::Query;
use self::translate::{Around, Translator};
use super::stage::Context;
use crate::engine::plan::expression::{Ex, VarId};
use crate::engine::plan::node::ViewScan;
use crate::error::ArangoError;
use crate::functions;
use crate::storage::Collection;
use crate::value::Value;

pub(super) use self::score::Scorer;

/// A view that is searched.
#[derive(Default)]
pub(super) struct Searched {
    parts: Vec<Part>,
}

/// One collection of a view.
struct Part {
    collection: Collection,
    index: Arc<SearchIndex>,
    /// The condition for the row before the view.
    query: Query,
}

/// A document that was found.
#[derive(Clone, Debug)]
pub(super) struct Hit {
    part: usize,
    doc: Doc,
    /// As many as scorers.
    pub(super) scores: Vec<f32>,
}

impl Searched {
    /// Opens the indexes of a view.
    ///
    /// # Errors
    /// What keeps a collection from being read or an analyzer from being used, 32 and 1500.
    pub(super) fn open(
        view: &ViewScan,
        context: &mut Context<'_, '_>,
    ) -> Result<Self, ArangoError> {
        let only = view.options.get("collections");
        let wanted = |name: &str| {
            only.as_array()
                .is_none_or(|names| names.iter().any(|one| one.as_str() == Some(name)))
        };
        let mut parts = Vec::new();
        for name in view.collections.iter().filter(|name| wanted(name)) {
            for definition in context.run.links(&view.view, name) {
                let Some(collection) = context.run.committed(name)? else {
                    continue;
                };
                let index = index_of(&collection, &definition, context)?;
                parts.push(Part {
                    collection,
                    index,
                    query: Query::All,
                });
            }
        }
        Ok(Searched { parts })
    }

    /// The documents that satisfy a condition, or all, in the order of collections and of insertion.
    ///
    /// # Errors
    /// Those of the expressions in the condition, and 400/10 for arguments that a search function does not take.
    pub(super) fn search(
        &mut self,
        document: VarId,
        condition: Option<&Ex>,
        scorers: &[Scorer],
        context: &mut Context<'_, '_>,
    ) -> Result<Vec<Hit>, ArangoError> {
        let around = Around {
            analyzer: "identity",
            boost: 1.0,
        };
        for part in &mut self.parts {
            let translator = Translator {
                index: &part.index,
                document,
            };
            part.query = match condition {
                Some(condition) => translator.query(condition, around, context)?,
                None => Query::All,
            };
        }
        let all: Vec<Arc<SearchIndex>> = self
            .parts
            .iter()
            .map(|one| Arc::clone(&one.index))
            .collect();
        let mut hits = Vec::new();
        for (at, part) in self.parts.iter().enumerate() {
            let find = |scorer, context: &mut Context<'_, '_>| {
                let finder = Finder {
                    all: &all,
                    index: &part.index,
                    scorer,
                };
                let check = &mut |doc, query: &Query, context: &mut Context<'_, '_>| {
                    part.holds(doc, query, document, context)
                };
                finder.find(&part.query, check, context)
            };
            let first = find(scorers.first().copied(), context)?;
            let mut others: Vec<Matches> = Vec::new();
            for scorer in scorers.iter().skip(1) {
                others.push(find(Some(*scorer), context)?);
            }
            hits.extend(first.docs.iter().enumerate().map(|(place, doc)| {
                let own = first.scores.get(place);
                // Every scorer finds the same documents.
                let more = others.iter().filter_map(|one| one.scores.get(place));
                Hit {
                    part: at,
                    doc: *doc,
                    scores: own.into_iter().chain(more).copied().collect(),
                }
            }));
        }
        Ok(hits)
    }

    /// The document of a hit.
    pub(super) fn document(&self, hit: &Hit) -> Value {
        self.parts
            .get(hit.part)
            .and_then(|part| part.document(hit.doc))
            .unwrap_or_default()
    }

    /// Where in the document of a hit the matches lie, in the fields that the rules name: what `OFFSET_INFO()` gives.
    ///
    /// # Errors
    /// 32 and 1500.
    pub(super) fn offsets(
        &self,
        hit: &Hit,
        rules: &Value,
        context: &mut Context<'_, '_>,
    ) -> Result<Value, ArangoError> {
        match self.parts.get(hit.part) {
            Some(part) => offsets::offsets(&part.query, &self.document(hit), rules, context),
            None => Ok(Value::Null),
        }
    }
}

impl Part {
    fn document(&self, doc: Doc) -> Option<Value> {
        let id = self.index.ids.get(doc as usize)?;
        self.collection.documents.by_local_id(*id).cloned()
    }

    /// Whether an expression that no index answers holds of a document.
    fn holds(
        &self,
        doc: Doc,
        query: &Query,
        variable: VarId,
        context: &mut Context<'_, '_>,
    ) -> Result<bool, ArangoError> {
        let (Query::Check(ex, analyzer), Some(document)) = (query, self.document(doc)) else {
            return Ok(false);
        };
        context.run.tick()?;
        let document = shapes::read(document, ex, variable, analyzer, context)?;
        let before = context.slot(variable);
        context.set(variable, document);
        let held = context.eval(ex);
        context.set(variable, before);
        Ok(held?.is_true())
    }
}

/// The index of a collection for a definition: the one that is kept, where the collection has not changed since.
fn index_of(
    collection: &Collection,
    definition: &Value,
    context: &mut Context<'_, '_>,
) -> Result<Arc<SearchIndex>, ArangoError> {
    let txn = context.run.txn()?;
    let (database, snapshot) = (Arc::clone(txn.database()), txn.snapshot().clone());
    if let Some(kept) = database
        .derived()
        .get::<SearchIndex>(collection, definition)
    {
        return Ok(kept);
    }
    let features = |name: &str| {
        let analyzer = snapshot.analyzer(name);
        analyzer.map(|one| one.features.clone()).unwrap_or_default()
    };
    let mut ctx = functions::Context { host: context.run };
    let index = SearchIndex::build(&mut ctx, collection, definition, &features)?;
    let index = Arc::new(index);
    database
        .derived()
        .keep(collection, definition, Arc::clone(&index));
    Ok(index)
}
