//! `FOR` over a view: the documents of the linked collections, those that satisfy the `SEARCH` condition.

use super::search::{Hit, Scorer, Searched};
use super::stage::{Context, Operator, Stage};
use crate::engine::plan::expression::Ex;
use crate::engine::plan::node::ViewScan;
use crate::error::ArangoError;
use crate::value::Value;

/// Searches anew for each row before it.
pub(super) struct EnumerateView {
    input: Stage,
    view: ViewScan,
    searched: Option<Searched>,
    hits: std::vec::IntoIter<Hit>,
}

impl EnumerateView {
    pub(super) fn new(input: Stage, view: ViewScan) -> Self {
        EnumerateView {
            input,
            view,
            searched: None,
            hits: Vec::new().into_iter(),
        }
    }

    fn search(&mut self, context: &mut Context<'_, '_>) -> Result<(), ArangoError> {
        let searched = match &mut self.searched {
            Some(searched) => searched,
            none => none.insert(Searched::open(&self.view, context)?),
        };
        let mut scorers = Vec::with_capacity(self.view.scorers.len());
        for scorer in &self.view.scorers {
            scorers.push(scorer_of(scorer.function, &scorer.arguments, context)?);
        }
        let condition = self.view.condition.as_ref();
        let hits = searched.search(self.view.output, condition, &scorers, context)?;
        self.hits = hits.into_iter();
        Ok(())
    }

    fn set(&self, hit: &Hit, context: &mut Context<'_, '_>) -> Result<(), ArangoError> {
        let Some(searched) = &self.searched else {
            return Ok(());
        };
        context.set(self.view.output, searched.document(hit));
        for (scorer, score) in self.view.scorers.iter().zip(&hit.scores) {
            context.set(scorer.output, Value::from_f64(f64::from(*score)));
        }
        for offsets in &self.view.offsets {
            let rules = context.eval(&offsets.rules)?;
            let found = searched.offsets(hit, &rules, context)?;
            context.set(offsets.output, found);
        }
        Ok(())
    }
}

/// A scorer with its constants.
fn scorer_of(
    function: &str,
    arguments: &[Ex],
    context: &mut Context<'_, '_>,
) -> Result<Scorer, ArangoError> {
    let mut values = Vec::with_capacity(arguments.len());
    for argument in arguments {
        values.push(context.eval(argument)?);
    }
    let number = |at: usize, default: f32| match values.get(at) {
        None => Ok(default),
        Some(value) => value.as_f64().map(|number| number as f32).ok_or_else(|| {
            ArangoError::bad_parameter(format!(
                "failed to create scorer '{function}': its constants must be numbers"
            ))
        }),
    };
    Ok(match function {
        "TFIDF" => Scorer::Tfidf(values.first().is_some_and(Value::is_true)),
        _ => Scorer::Bm25(number(0, 1.2)?, number(1, 0.75)?),
    })
}

impl Operator for EnumerateView {
    fn next(&mut self, context: &mut Context<'_, '_>) -> Result<bool, ArangoError> {
        loop {
            if let Some(hit) = self.hits.next() {
                context.run.tick()?;
                context.run.stats.scanned_index += 1;
                self.set(&hit, context)?;
                return Ok(true);
            }
            if !self.input.next(context)? {
                return Ok(false);
            }
            self.search(context)?;
        }
    }

    fn reset(&mut self, context: &mut Context<'_, '_>) {
        self.hits = Vec::new().into_iter();
        self.input.reset(context);
    }

    fn inputs(&self) -> Vec<&Stage> {
        vec![&self.input]
    }
}
