//! Constants are computed while planning, as the real server does it.
//!
//! Only what is deterministic is computed: a function that reads data, the clock of the query or chance stays in the plan.
//! Memory that folding takes is charged against the query's limit, so that explaining `REPEAT("x", 1e9)` fails early.

use super::expression::{Ex, Item, Part};
use crate::engine::Session;
use crate::engine::catalog::Catalog;
use crate::engine::evaluate::Evaluator;
use crate::engine::host::PlanningHost;
use crate::engine::request::{QueryOptions, Warning};
use crate::error::ArangoError;

/// Folds constants and keeps the warnings that arise.
pub(crate) struct Folder<'a> {
    host: PlanningHost<'a>,
}

impl<'a> Folder<'a> {
    /// A folder for one query.
    pub(crate) fn new(
        catalog: &'a dyn Catalog,
        session: &'a Session,
        options: &QueryOptions,
    ) -> Self {
        Folder {
            host: PlanningHost::new(catalog, session, options.memory_limit),
        }
    }

    /// The warnings so far.
    pub(crate) fn into_warnings(self) -> Vec<Warning> {
        self.host.warnings
    }

    /// The constant, where all operands are constants and the operation may be folded; else the expression itself.
    pub(crate) fn fold(&mut self, expression: Ex) -> Result<Ex, ArangoError> {
        let foldable = match &expression {
            Ex::Const(_) | Ex::Var(_) | Ex::Range(..) | Ex::Expansion(_) | Ex::UserCall(..) => {
                false
            }
            Ex::ArrayFilter(_) | Ex::ArrayCompare(..) => operands_are_constant(&expression),
            Ex::Call(function, _) => function.deterministic && operands_are_constant(&expression),
            Ex::Array(items) => items
                .iter()
                .all(|(Item::Value(ex) | Item::Spread(ex))| ex.constant().is_some()),
            Ex::Object(parts) => parts.iter().all(|part| match part {
                Part::Named(_, ex) | Part::Spread(ex) => ex.constant().is_some(),
                Part::Computed(name, ex) => name.constant().is_some() && ex.constant().is_some(),
            }),
            _ => operands_are_constant(&expression),
        };
        if !foldable {
            return Ok(shortcut(expression));
        }
        let mut evaluator = Evaluator {
            row: &mut [],
            host: &mut self.host,
        };
        evaluator
            .eval(&expression)
            .map(Ex::Const)
            .map_err(|error| ArangoError {
                message: format!("AQL: {} (while optimizing ast)", error.message),
                ..error
            })
    }
}

fn operands_are_constant(expression: &Ex) -> bool {
    let mut constant = true;
    expression.children(&mut |child| constant &= child.constant().is_some());
    constant
}

/// Decides logic and ternaries whose first operand is constant.
fn shortcut(expression: Ex) -> Ex {
    use aql_syntax::ast::BinaryOp::{And, Or};
    match expression {
        Ex::Binary(op @ (And | Or), left, right) => match left.constant() {
            Some(value) if value.is_true() == (op == And) => *right,
            Some(_) => *left,
            None => Ex::Binary(op, left, right),
        },
        Ex::Ternary(condition, then, otherwise) => match condition.constant() {
            Some(value) if value.is_true() => match then {
                Some(then) => *then,
                None => *condition,
            },
            Some(_) => *otherwise,
            None => Ex::Ternary(condition, then, otherwise),
        },
        other => other,
    }
}
