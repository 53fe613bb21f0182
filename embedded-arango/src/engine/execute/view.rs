//! `FOR` over a view: the documents of the linked collections, those that satisfy the `SEARCH` condition.
//!
//! Conditions are comparisons and functions that need no analyzer. An attribute that holds an array satisfies a comparison
//! where one of its elements does, as each is indexed by itself. An analyzer other than `identity`, and scoring, are refused.

use aql_syntax::ast::{BinaryOp, UnaryOp};

use super::stage::{Context, Operator, Stage};
use crate::engine::evaluate::compare;
use crate::engine::plan::expression::{Ex, VarId};
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
}

impl EnumerateView {
    pub(super) fn new(input: Stage, view: ViewScan) -> Self {
        EnumerateView {
            input,
            view,
            names: Vec::new().into_iter(),
            documents: None,
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
            self.documents = context
                .run
                .collection(&name)?
                .map(|collection| collection.scan());
        }
    }
}

/// Whether the current document satisfies the condition.
fn holds(
    condition: &Ex,
    document: VarId,
    context: &mut Context<'_, '_>,
) -> Result<bool, ArangoError> {
    match condition {
        Ex::Binary(BinaryOp::And, left, right) => {
            Ok(holds(left, document, context)? && holds(right, document, context)?)
        }
        Ex::Binary(BinaryOp::Or, left, right) => {
            Ok(holds(left, document, context)? || holds(right, document, context)?)
        }
        Ex::Unary(UnaryOp::Not, operand) => Ok(!holds(operand, document, context)?),
        Ex::Call(function, arguments) if function.name == "BOOST" => match arguments.first() {
            Some(inner) => holds(inner, document, context),
            None => Ok(false),
        },
        Ex::Call(function, arguments) if function.name == "ANALYZER" => {
            let identity = arguments
                .get(1)
                .and_then(Ex::constant)
                .and_then(Value::as_str)
                == Some("identity");
            match arguments.first() {
                Some(inner) if identity => holds(inner, document, context),
                _ => Err(ArangoError::not_implemented(
                    "searching with an analyzer other than `identity`",
                )),
            }
        }
        Ex::Binary(op, left, right) => {
            let (from, to) = (context.eval(left)?, context.eval(right)?);
            let spread = |side: &Ex, value: &Value| match (side.attribute_path(), value) {
                (Some((id, _)), Value::Array(items)) if id == document => items.to_vec(),
                _ => vec![value.clone()],
            };
            // `x IN doc.list` already looks at each element.
            let rights = match op {
                BinaryOp::In | BinaryOp::NotIn => vec![to],
                _ => spread(right, &to),
            };
            Ok(spread(left, &from)
                .iter()
                .any(|from| rights.iter().any(|to| compare(*op, from, to))))
        }
        other => Ok(context.eval(other)?.is_true()),
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
                    Some(condition) => holds(condition, self.view.output, context)?,
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
