//! `FOR` over a view: the documents of the linked collections, those that satisfy the `SEARCH` condition.

use super::search::Search;
use super::stage::{Context, Operator, Stage};
use crate::engine::plan::node::ViewScan;
use crate::error::ArangoError;
use crate::storage::Scan;
use crate::value::Value;

/// Scans the linked collections one after the other.
pub(super) struct EnumerateView {
    input: Stage,
    view: ViewScan,
    names: std::vec::IntoIter<String>,
    documents: Option<Scan>,
    /// The link of the collection whose documents are coming.
    link: Value,
}

impl EnumerateView {
    pub(super) fn new(input: Stage, view: ViewScan) -> Self {
        EnumerateView {
            input,
            view,
            names: Vec::new().into_iter(),
            documents: None,
            link: Value::Null,
        }
    }

    /// The next document of any linked collection.
    fn document(&mut self, context: &mut Context<'_, '_>) -> Result<Option<Value>, ArangoError> {
        loop {
            if let Some(document) = self.documents.as_mut().and_then(Iterator::next) {
                return Ok(Some(document));
            }
            let Some(name) = self.names.next() else {
                self.documents = None;
                return Ok(None);
            };
            self.link = context.run.link(&self.view.view, &name);
            self.documents = context
                .run
                .collection(&name)?
                .map(|collection| collection.scan());
        }
    }
}

impl Operator for EnumerateView {
    fn next(&mut self, context: &mut Context<'_, '_>) -> Result<bool, ArangoError> {
        loop {
            while let Some(document) = self.document(context)? {
                context.run.tick()?;
                context.run.stats.scanned_index += 1;
                context.set(self.view.output, document);
                let fits = match &self.view.condition {
                    Some(condition) => {
                        let search = Search {
                            document: self.view.output,
                            link: &self.link,
                        };
                        search.holds(condition, "identity", context)?
                    }
                    None => true,
                };
                if fits {
                    return Ok(true);
                }
            }
            if !self.input.next(context)? {
                return Ok(false);
            }
            self.names = self.view.collections.clone().into_iter();
        }
    }

    fn reset(&mut self, context: &mut Context<'_, '_>) {
        self.names = Vec::new().into_iter();
        self.documents = None;
        self.input.reset(context);
    }

    fn inputs(&self) -> Vec<&Stage> {
        vec![&self.input]
    }
}
