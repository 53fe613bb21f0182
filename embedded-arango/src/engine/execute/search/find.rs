//! Finds the documents of an index that satisfy a condition, with their scores.

use std::collections::HashMap;
use std::ops::Bound;
use std::sync::Arc;

use super::index::{Doc, Field, Number, Postings, SearchIndex, Texts};
use super::matches::Matches;
use super::query::{Fuzzy, Kind, Leaf, PhraseStep, Query, Span, What};
use super::score::{Known, Scorer};
use crate::engine::execute::stage::Context;
use crate::error::ArangoError;
use crate::functions::{self, like};

/// A search in one of the indexes of a view.
pub(super) struct Finder<'f> {
    /// All indexes of the view: what is rare is rare in all of them.
    pub(super) all: &'f [Arc<SearchIndex>],
    pub(super) index: &'f SearchIndex,
    pub(super) scorer: Option<Scorer>,
}

/// Decides on a document by an expression.
pub(super) type Check<'c> =
    &'c mut dyn FnMut(Doc, &Query, &mut Context<'_, '_>) -> Result<bool, ArangoError>;

impl Finder<'_> {
    pub(super) fn find(
        &self,
        query: &Query,
        check: Check<'_>,
        context: &mut Context<'_, '_>,
    ) -> Result<Matches, ArangoError> {
        context.run.tick()?;
        let scored = self.scorer.is_some();
        let everything = || Matches::all(self.index.count(), scored);
        Ok(match query {
            Query::All => everything(),
            Query::Nothing => Matches::default(),
            Query::And(operands) => self.conjunction(operands, check, context)?,
            Query::Or(operands) => {
                let mut sets = Vec::with_capacity(operands.len());
                for operand in operands {
                    sets.push(self.find(operand, check, context)?);
                }
                Matches::any(sets)
            }
            Query::Not(operand) => everything().without(&self.find(operand, check, context)?),
            Query::AtLeast(least, operands) => {
                let mut sets = Vec::with_capacity(operands.len());
                for operand in operands {
                    sets.push(self.find(operand, check, context)?);
                }
                Matches::at_least(*least, sets)
            }
            Query::Leaf(leaf) => self.leaf(leaf, context)?,
            Query::Check(..) => everything().kept(|doc| check(doc, query, context))?,
        })
    }

    /// What the index answers comes first, then what excludes, then what must be checked document by document.
    fn conjunction(
        &self,
        operands: &[Query],
        check: Check<'_>,
        context: &mut Context<'_, '_>,
    ) -> Result<Matches, ArangoError> {
        let mut found: Option<Matches> = None;
        let (mut excluded, mut checked) = (Vec::new(), Vec::new());
        for operand in operands {
            match operand {
                Query::Not(inner) => excluded.push(inner),
                Query::Check(..) => checked.push(operand),
                Query::All => {}
                other => {
                    let set = self.find(other, check, context)?;
                    found = Some(match found {
                        Some(found) => found.both(set),
                        None => set,
                    });
                }
            }
            if found.as_ref().is_some_and(|found| found.docs.is_empty()) {
                return Ok(Matches::default());
            }
        }
        let mut found =
            found.unwrap_or_else(|| Matches::all(self.index.count(), self.scorer.is_some()));
        for inner in excluded {
            let set = self.find(inner, check, context)?;
            found = found.without(&set);
        }
        for one in checked {
            found = found.kept(|doc| check(doc, one, context))?;
        }
        Ok(found)
    }

    fn leaf(&self, leaf: &Leaf, context: &mut Context<'_, '_>) -> Result<Matches, ArangoError> {
        let Some(field) = self.index.field(&leaf.field) else {
            return match &leaf.what {
                What::Present(kind) => Ok(self.present(leaf, *kind)),
                What::Prefixes(_, 0) => Ok(Matches::all(self.index.count(), self.scorer.is_some())),
                _ => Ok(Matches::default()),
            };
        };
        let scored = self.scorer.is_some();
        let unscored = |lists: Vec<&Vec<Doc>>| {
            let mut docs: Vec<Doc> = lists.into_iter().flatten().copied().collect();
            docs.sort_unstable();
            docs.dedup();
            Matches::of(docs, scored)
        };
        match &leaf.what {
            What::Null => return Ok(unscored(vec![&field.nulls])),
            What::Truths(wanted) => {
                let lists = field.truths.iter().enumerate();
                let lists = lists.filter(|(at, _)| wanted.contains(&(*at as u8)));
                return Ok(unscored(lists.map(|(_, docs)| docs).collect()));
            }
            What::Numbers(span) => {
                let Some(range) = bounds(span, |number| Number(*number)) else {
                    return Ok(Matches::default());
                };
                let lists = field.numbers.range(range);
                return Ok(unscored(lists.map(|(_, docs)| docs).collect()));
            }
            What::Present(kind) => return Ok(self.present(leaf, *kind)),
            What::Prefixes(_, 0) => return Ok(Matches::all(self.index.count(), scored)),
            _ => {}
        }
        let Some(texts) = field.texts(&leaf.analyzer) else {
            return Ok(Matches::default());
        };
        match &leaf.what {
            What::Prefixes(prefixes, least) => {
                let mut sets = Vec::with_capacity(prefixes.len());
                for prefix in prefixes {
                    let one = What::Prefixes(vec![prefix.clone()], 1);
                    sets.push(self.terms(leaf, texts, &one, context)?);
                }
                Ok(Matches::at_least(*least, sets))
            }
            What::Several(terms, least) => {
                let mut sets = Vec::with_capacity(terms.len());
                for term in terms {
                    let one = What::Terms(vec![Arc::clone(term)]);
                    sets.push(self.terms(leaf, texts, &one, context)?);
                }
                Ok(Matches::at_least(*least, sets))
            }
            What::Phrase(steps) => self.phrase(leaf, texts, steps, context),
            What::Pieces(terms, threshold) => Ok(self.pieces(leaf, texts, terms, *threshold)),
            what => self.terms(leaf, texts, what, context),
        }
    }

    /// The documents that have any of the selected terms.
    fn terms(
        &self,
        leaf: &Leaf,
        texts: &Texts,
        what: &What,
        context: &mut Context<'_, '_>,
    ) -> Result<Matches, ArangoError> {
        let selected = select(texts, what, context)?;
        let sets = selected
            .into_iter()
            .map(|(term, postings, part)| {
                let mut scores = Vec::new();
                if let Some(scorer) = self.scorer {
                    let weight = scorer.weight(&[self.known(leaf, term)]);
                    let boost = leaf.boost * part;
                    scores = self.scores(
                        texts,
                        postings.docs.iter().zip(&postings.counts),
                        |count, length| weight.score(count, length, boost),
                    );
                }
                Matches {
                    docs: postings.docs.clone(),
                    scores,
                }
            })
            .collect();
        Ok(Matches::any(sets))
    }

    /// A score for each document with how often something is in it; zeros where the analyzer keeps no frequencies.
    fn scores<'d>(
        &self,
        texts: &Texts,
        counts: impl Iterator<Item = (&'d Doc, &'d u32)>,
        score: impl Fn(u32, u32) -> f32,
    ) -> Vec<f32> {
        let used = &texts.analyzer;
        counts
            .map(|(doc, count)| match (used.frequency, used.norm) {
                (false, _) => 0.0,
                (true, true) => score(*count, texts.length(*doc)),
                (true, false) => score(*count, 1),
            })
            .collect()
    }

    /// What all indexes of the view know of a term.
    fn known(&self, leaf: &Leaf, term: &str) -> Known {
        let mut known = Known::default();
        for index in self.all {
            let texts = index
                .field(&leaf.field)
                .and_then(|field| field.texts(&leaf.analyzer));
            if let Some(texts) = texts {
                known.docs_with_field += texts.lengths.len() as u64;
                known.tokens += texts.total;
                known.docs_with_term += texts
                    .terms
                    .get(term)
                    .map_or(0, |postings| postings.docs.len() as u64);
            }
        }
        known
    }

    fn phrase(
        &self,
        leaf: &Leaf,
        texts: &Texts,
        steps: &[PhraseStep],
        context: &mut Context<'_, '_>,
    ) -> Result<Matches, ArangoError> {
        if !texts.analyzer.position || !texts.analyzer.frequency {
            return Ok(Matches::default());
        }
        let mut known = Vec::new();
        // The places where a phrase may go on, by document: where it began and where it is.
        let mut open: Option<HashMap<Doc, Vec<(u32, u32)>>> = None;
        for step in steps {
            let selected = select(texts, &step.what, context)?;
            let mut places: HashMap<Doc, Vec<u32>> = HashMap::new();
            for (term, postings, _) in selected {
                if self.scorer.is_some() {
                    known.push(self.known(leaf, term));
                }
                for (doc, positions) in postings.places() {
                    let wanted = open.as_ref().is_none_or(|open| open.contains_key(&doc));
                    if wanted {
                        places.entry(doc).or_default().extend(positions);
                    }
                }
            }
            let skip = u32::try_from(step.skip).unwrap_or(u32::MAX);
            open = Some(match open {
                None => places
                    .into_iter()
                    .map(|(doc, places)| (doc, places.into_iter().map(|at| (at, at)).collect()))
                    .collect(),
                Some(open) => open
                    .into_iter()
                    .filter_map(|(doc, begun)| {
                        let places = places.get(&doc)?;
                        let mut on: Vec<(u32, u32)> = begun
                            .into_iter()
                            .filter_map(|(first, last)| {
                                let next = last.checked_add(skip)?.checked_add(1)?;
                                places.contains(&next).then_some((first, next))
                            })
                            .collect();
                        on.dedup();
                        (!on.is_empty()).then_some((doc, on))
                    })
                    .collect(),
            });
        }
        let mut counts: Vec<(Doc, u32)> = open
            .into_iter()
            .flatten()
            .map(|(doc, places)| (doc, u32::try_from(places.len()).unwrap_or(u32::MAX)))
            .collect();
        counts.sort_unstable();
        let mut scores = Vec::new();
        if let Some(scorer) = self.scorer {
            let weight = scorer.weight(&known);
            let pairs = counts.iter().map(|(doc, count)| (doc, count));
            scores = self.scores(texts, pairs, |count, length| {
                weight.score(count, length, leaf.boost)
            });
        }
        Ok(Matches {
            docs: counts.into_iter().map(|(doc, _)| doc).collect(),
            scores,
        })
    }

    /// The documents that have enough of the pieces in their order.
    fn pieces(&self, leaf: &Leaf, texts: &Texts, terms: &[Arc<str>], threshold: f64) -> Matches {
        if terms.is_empty() || !texts.analyzer.position || !texts.analyzer.frequency {
            return Matches::default();
        }
        let threshold = threshold.clamp(0.0, 1.0);
        let least = ((terms.len() as f64 * threshold).ceil() as usize).max(1);
        // The longest rising sequence so far that ends at a position, by document; piece after piece.
        let mut longest: HashMap<Doc, Vec<(u32, usize)>> = HashMap::new();
        let mut known = Vec::new();
        for term in terms {
            let Some(postings) = texts.terms.get(term) else {
                continue;
            };
            if self.scorer.is_some() {
                known.push(self.known(leaf, term));
            }
            for (doc, positions) in postings.places() {
                let chains = longest.entry(doc).or_default();
                let mut next: Vec<(u32, usize)> = Vec::with_capacity(positions.len());
                for at in positions {
                    let before = chains.iter().filter(|(last, _)| last < at);
                    let length = before.map(|(_, length)| *length).max().unwrap_or(0) + 1;
                    next.push((*at, length));
                }
                for (at, length) in next {
                    match chains.iter_mut().find(|(last, _)| *last == at) {
                        Some((_, known)) => *known = length.max(*known),
                        None => chains.push((at, length)),
                    }
                }
            }
        }
        let mut found: Vec<(Doc, usize)> = longest
            .into_iter()
            .filter_map(|(doc, chains)| {
                let length = chains.iter().map(|(_, length)| *length).max()?;
                (length >= least).then_some((doc, length))
            })
            .collect();
        found.sort_unstable();
        let scores = match self.scorer {
            Some(scorer) => {
                let weight = scorer.weight(&known);
                found
                    .iter()
                    .map(|(doc, length)| {
                        let share = *length as f32 / terms.len() as f32;
                        weight.score(1, texts.length(*doc), leaf.boost * share)
                    })
                    .collect()
            }
            None => Vec::new(),
        };
        Matches {
            docs: found.into_iter().map(|(doc, _)| doc).collect(),
            scores,
        }
    }

    /// The documents that have the field, or one below it.
    fn present(&self, leaf: &Leaf, kind: Kind) -> Matches {
        let below = format!("{}.", leaf.field);
        let mut docs: Vec<Doc> = Vec::new();
        for (name, field) in &self.index.fields {
            let is_inner =
                name.starts_with(&below) || name.starts_with(&format!("{}[", leaf.field));
            if *name == leaf.field || (is_inner && kind == Kind::Any) {
                let path: Vec<super::layout::Step<'_>> = name
                    .split('.')
                    .map(|step| super::layout::Step::Name(step.split('[').next().unwrap_or(step)))
                    .collect();
                let stored = self
                    .index
                    .layout
                    .at(&path)
                    .is_some_and(|field| field.stored);
                if stored {
                    docs.extend(of_kind(field, kind, &leaf.analyzer));
                }
            }
        }
        docs.sort_unstable();
        docs.dedup();
        Matches::of(docs, self.scorer.is_some())
    }
}

fn of_kind<'f>(field: &'f Field, kind: Kind, analyzer: &str) -> Vec<Doc> {
    let of_texts = |texts: &'f Texts| texts.lengths.iter().map(|(doc, _)| *doc);
    match kind {
        Kind::Any => field.present.clone(),
        Kind::Text => field.texts.iter().flat_map(of_texts).collect(),
        Kind::Analyzed => field
            .texts(analyzer)
            .into_iter()
            .flat_map(of_texts)
            .collect(),
        Kind::Number => field.numbers.values().flatten().copied().collect(),
        Kind::Truth => field.truths.iter().flatten().copied().collect(),
        Kind::Null => field.nulls.clone(),
    }
}

/// The terms of a field that fit, each with its documents and how much it counts.
pub(super) fn select<'t>(
    texts: &'t Texts,
    what: &What,
    context: &mut Context<'_, '_>,
) -> Result<Vec<(&'t str, &'t Postings, f32)>, ArangoError> {
    let whole = |(term, postings): (&'t Arc<str>, &'t Postings)| (&**term, postings, 1.0);
    Ok(match what {
        What::Terms(terms) => terms
            .iter()
            .filter_map(|term| texts.terms.get_key_value(term))
            .map(whole)
            .collect(),
        What::Texts(span) => match bounds(span, Arc::clone) {
            Some(range) => texts.terms.range(range).map(whole).collect(),
            None => Vec::new(),
        },
        What::Prefixes(prefixes, _) => prefixes
            .iter()
            .flat_map(|prefix| {
                texts
                    .terms
                    .range::<str, _>((Bound::Included(prefix.as_str()), Bound::Unbounded))
                    .take_while(move |(term, _)| term.starts_with(prefix.as_str()))
            })
            .map(whole)
            .collect(),
        What::Like(pattern) => {
            // Only terms with the pattern's fixed beginning come into question.
            let fixed: String = pattern
                .chars()
                .take_while(|one| !matches!(one, '%' | '_' | '\\'))
                .collect();
            texts
                .terms
                .range::<str, _>((Bound::Included(fixed.as_str()), Bound::Unbounded))
                .take_while(|(term, _)| term.starts_with(&fixed))
                .filter(|(term, _)| like(term, pattern, false))
                .map(whole)
                .collect()
        }
        What::Fuzzy(fuzzy) => near(texts, fuzzy, context)?,
        _ => Vec::new(),
    })
}

/// The nearest terms.
fn near<'t>(
    texts: &'t Texts,
    fuzzy: &Fuzzy,
    context: &mut Context<'_, '_>,
) -> Result<Vec<(&'t str, &'t Postings, f32)>, ArangoError> {
    let mut ctx = functions::Context { host: context.run };
    let mut found = Vec::new();
    let from = (Bound::Included(fuzzy.prefix.as_str()), Bound::Unbounded);
    let terms = texts.terms.range::<str, _>(from);
    for (term, postings) in terms.take_while(|(term, _)| term.starts_with(&fuzzy.prefix)) {
        if let Some(distance) = fuzzy.distance(&mut ctx, term)? {
            found.push((&**term, postings, fuzzy.likeness(term, distance)));
        }
    }
    if fuzzy.most > 0 && found.len() > fuzzy.most {
        found.sort_by(|(_, _, left), (_, _, right)| right.total_cmp(left));
        found.truncate(fuzzy.most);
    }
    Ok(found)
}

/// The ends of a range of a map; nothing where they exclude each other, for which a map would panic.
fn bounds<T, K: Ord>(span: &Span<T>, key: impl Fn(&T) -> K) -> Option<(Bound<K>, Bound<K>)> {
    let end = |end: &Option<(T, bool)>| match end {
        None => Bound::Unbounded,
        Some((value, true)) => Bound::Included(key(value)),
        Some((value, false)) => Bound::Excluded(key(value)),
    };
    let (low, high) = (end(&span.low), end(&span.high));
    let fits = match (&low, &high) {
        (Bound::Included(low), Bound::Included(high)) => low <= high,
        (
            Bound::Included(low) | Bound::Excluded(low),
            Bound::Included(high) | Bound::Excluded(high),
        ) => low < high,
        _ => true,
    };
    fits.then_some((low, high))
}
