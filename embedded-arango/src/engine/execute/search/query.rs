//! A search condition with its values: what a document must have in which field.
//!
//! It is made of the expression after `SEARCH` for one row before the view, and for one index, whose fields say which analyzer
//! counts. What reads no field of the document is decided at once; what an index cannot answer is left to a check of each
//! document that is still in question.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::engine::plan::expression::{Ex, Quantifier};
use crate::value::Value;

/// A condition.
#[derive(Clone, Debug)]
pub(super) enum Query {
    All,
    Nothing,
    And(Vec<Query>),
    Or(Vec<Query>),
    Not(Box<Query>),
    /// At least so many of them.
    AtLeast(usize, Vec<Query>),
    Leaf(Leaf),
    /// An expression that must be true of the document, with the analyzer that is in effect.
    Check(Box<Ex>, String),
}

/// A requirement of one field.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) field: String,
    pub(super) analyzer: String,
    /// How much a match counts in a score.
    pub(super) boost: f32,
    pub(super) what: What,
}

/// What a field must have.
#[derive(Clone, Debug)]
pub(super) enum What {
    /// One of these terms.
    Terms(Vec<Arc<str>>),
    /// A term between these.
    Texts(Span<Arc<str>>),
    /// A number between these.
    Numbers(Span<f64>),
    /// One of these truth values.
    Truths(RangeInclusive<u8>),
    /// `null`.
    Null,
    /// Any value of the kind.
    Present(Kind),
    /// At least so many of these beginnings.
    Prefixes(Vec<String>, usize),
    /// A pattern with `%` and `_`.
    Like(String),
    /// A text that is nearly this one.
    Fuzzy(Fuzzy),
    /// Terms in a row.
    Phrase(Vec<PhraseStep>),
    /// Pieces of a text, at least this share of them in their order.
    Pieces(Vec<Arc<str>>, f64),
    /// At least so many of these terms.
    Several(Vec<Arc<str>>, usize),
}

/// The kinds of values that `EXISTS()` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Any,
    Text,
    Analyzed,
    Number,
    Truth,
    Null,
}

/// Two ends, each with whether it belongs to what is between.
#[derive(Clone, Debug)]
pub(super) struct Span<T> {
    pub(super) low: Option<(T, bool)>,
    pub(super) high: Option<(T, bool)>,
}

impl<T: PartialOrd> Span<T> {
    pub(super) fn contains(&self, value: &T) -> bool {
        let above = match &self.low {
            Some((low, true)) => value >= low,
            Some((low, false)) => value > low,
            None => true,
        };
        let below = match &self.high {
            Some((high, true)) => value <= high,
            Some((high, false)) => value < high,
            None => true,
        };
        above && below
    }
}

/// A text and how far another may be from it.
#[derive(Clone, Debug)]
pub(super) struct Fuzzy {
    /// Must be there as it is, before the text.
    pub(super) prefix: String,
    pub(super) text: String,
    pub(super) distance: usize,
    pub(super) transpositions: bool,
    /// At most so many terms, the nearest first; 0 is no limit.
    pub(super) most: usize,
}

/// One place of a phrase.
#[derive(Clone, Debug)]
pub(super) struct PhraseStep {
    /// How many positions lie between this and the place before.
    pub(super) skip: usize,
    /// What the term there may be.
    pub(super) what: What,
}

/// The least and the most of so many that a quantifier asks for.
pub(super) fn wanted(quantifier: &Quantifier, count: usize, numbers: &[Value]) -> (usize, usize) {
    let number = |at: usize| {
        let number = numbers.get(at).map_or(0, Value::to_i64);
        usize::try_from(number).unwrap_or(0)
    };
    match quantifier {
        Quantifier::All => (count, count),
        Quantifier::Any => (1, usize::MAX),
        Quantifier::None => (0, 0),
        Quantifier::AtLeast(_) => (number(0), usize::MAX),
        Quantifier::Exactly(_) => (number(0), number(0)),
        Quantifier::Between(..) => (number(0), number(1)),
    }
}
