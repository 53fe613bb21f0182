//! Builds the plain plan: one pass over the statements, in their order, before any optimizer rule.
//!
//! Node ids and variable ids are given out in the order in which the real server gives them: variables of the text first,
//! then those that planning makes.

mod collect;
mod expression;
mod graph;
mod modify;
mod options;
mod source;
mod statement;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use aql_syntax::ast::{Body, Pattern, Query, StatementKind};

use super::expression::{Ex, VarId};
use super::fold::Folder;
use super::node::{Node, NodeKind};
use super::{Access, Plan, Variable, bind};
use crate::engine::Session;
use crate::engine::catalog::Catalog;
use crate::engine::request::{QueryOptions, Request};
use crate::error::ArangoError;
use crate::value::Object;

/// The real server's limit on variables of a query.
const MOST_VARIABLES: usize = 1000;

/// The real server's limit on nodes of a plan.
const MOST_NODES: usize = 4000;

/// Builds the plain plan of a query whose bind variables have been checked.
pub(super) fn build(
    catalog: &dyn Catalog,
    request: &Request,
    session: &Session,
    query: &Query,
) -> Result<Plan, ArangoError> {
    let mut builder = Builder {
        catalog,
        bind: &request.bind_vars,
        options: &request.options,
        fold: Folder::new(catalog, session, &request.options),
        nodes: Vec::new(),
        variables: Vec::new(),
        scopes: Vec::new(),
        starts: Vec::new(),
        collections: BTreeMap::new(),
        written: BTreeSet::new(),
        expansion_depth: Vec::new(),
        condition: None,
        next_id: 1,
    };
    for source in &query.with {
        let name = builder.source_name(source)?;
        builder.use_source(&name)?;
    }
    builder.body(&query.body, None)?;
    builder.finish(query.modifies())
}

/// The state of building.
pub(super) struct Builder<'a> {
    catalog: &'a dyn Catalog,
    bind: &'a Object,
    options: &'a QueryOptions,
    fold: Folder<'a>,
    nodes: Vec<Node>,
    variables: Vec<Variable>,
    /// The names in scope, one map for the query and each subquery around the place.
    scopes: Vec<HashMap<String, VarId>>,
    /// The first node of the query and of each subquery around the place.
    starts: Vec<usize>,
    collections: BTreeMap<String, Access>,
    /// Collections that a statement before has written.
    written: BTreeSet<String>,
    /// For each array expression around the place, how many subqueries were open there.
    expansion_depth: Vec<(VarId, usize)>,
    /// The variable that says whether the part being built is evaluated at all.
    condition: Option<VarId>,
    next_id: usize,
}

impl Builder<'_> {
    fn id(&mut self) -> usize {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    fn push(&mut self, kind: NodeKind) -> Result<(), ArangoError> {
        if self.nodes.len() >= MOST_NODES {
            return Err(ArangoError::new(
                32,
                format!("query has more than {MOST_NODES} execution nodes"),
            ));
        }
        let id = self.id();
        self.nodes.push(Node {
            id,
            kind,
            cost: 0.0,
            items: 0.0,
            prefetch: false,
        });
        Ok(())
    }

    fn variable(&mut self, name: Option<String>) -> Result<VarId, ArangoError> {
        if self.variables.len() >= MOST_VARIABLES {
            return Err(ArangoError::new(
                32,
                format!("query has more than {MOST_VARIABLES} variables"),
            ));
        }
        self.variables.push(Variable {
            name,
            full_document: false,
            subquery: false,
            constant: None,
            listed: true,
        });
        Ok(self.variables.len() - 1)
    }

    fn temporary(&mut self) -> Result<VarId, ArangoError> {
        self.variable(None)
    }

    /// Makes a variable of the text and brings its name into scope.
    fn define(&mut self, name: &str) -> Result<VarId, ArangoError> {
        let id = self.variable(Some(name.to_owned()))?;
        self.bring(name, id);
        Ok(id)
    }

    fn bring(&mut self, name: &str, id: VarId) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), id);
        }
    }

    fn lookup(&self, name: &str) -> Option<VarId> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.get(name).copied())
    }

    /// Adds a calculation and gives its variable.
    fn calculation(&mut self, expression: Ex, output: Option<VarId>) -> Result<VarId, ArangoError> {
        let output = match output {
            Some(output) => output,
            None => self.temporary()?,
        };
        if let Ex::Const(value) = &expression
            && let Some(variable) = self.variables.get_mut(output)
        {
            variable.constant = Some(value.clone());
        }
        self.push(NodeKind::Calculation { expression, output })?;
        Ok(output)
    }

    /// The variable that holds the expression's value: its own, or that of a new calculation.
    fn held(&mut self, expression: Ex) -> Result<VarId, ArangoError> {
        match expression {
            Ex::Var(id) => Ok(id),
            expression => self.calculation(expression, None),
        }
    }

    /// Takes a value apart into the variables of a pattern.
    fn destructure(&mut self, pattern: &Pattern, from: Ex) -> Result<(), ArangoError> {
        match pattern {
            Pattern::Variable(name) => {
                let id = self.variable(Some(name.text.clone()))?;
                self.calculation(from, Some(id))?;
                self.bring(&name.text, id);
            }
            Pattern::Array(parts, _) => {
                for (at, part) in parts.iter().enumerate() {
                    if let Some(part) = part {
                        let index = Ex::Const(crate::value::Value::Int(at as i64));
                        let element = Ex::Index(Box::new(from.clone()), Box::new(index));
                        self.destructure(part, element)?;
                    }
                }
            }
            Pattern::Object(parts, _) => {
                for (name, part) in parts {
                    let attribute =
                        Ex::Attribute(Box::new(from.clone()), name.text.as_str().into());
                    self.destructure(part, attribute)?;
                }
            }
        }
        Ok(())
    }

    /// Plans the statements of the query, or of the subquery that sets `output`.
    fn body(&mut self, body: &Body, output: Option<VarId>) -> Result<(), ArangoError> {
        self.scopes.push(HashMap::new());
        match output {
            Some(output) => self.push(NodeKind::SubqueryStart { output })?,
            None => self.push(NodeKind::Singleton)?,
        }
        self.starts.push(self.nodes.len());
        let condition = self.condition.take();
        if let (Some(input), Some(_)) = (condition, output) {
            self.push(NodeKind::Filter { input })?;
        }
        let mut result = None;
        for statement in &body.statements {
            match &statement.kind {
                StatementKind::Return { distinct, value } => {
                    result = Some(self.returned(*distinct, value)?);
                }
                other => self.statement(other)?,
            }
        }
        match (output, result) {
            (Some(output), input) => self.push(NodeKind::SubqueryEnd { input, output })?,
            (None, Some(input)) => self.push(NodeKind::Return { input })?,
            (None, None) => {}
        }
        self.condition = condition;
        self.starts.pop();
        self.scopes.pop();
        Ok(())
    }

    /// Numbers the variables as the real server does, and closes the plan.
    fn finish(mut self, is_modification: bool) -> Result<Plan, ArangoError> {
        self.mark_full_count();
        let named = self
            .variables
            .iter()
            .filter(|one| one.name.is_some())
            .count();
        let (mut next_named, mut next_made) = (0, named);
        let mut numbers = Vec::with_capacity(self.variables.len());
        for variable in &self.variables {
            let next = match variable.name {
                Some(_) => &mut next_named,
                None => &mut next_made,
            };
            numbers.push(*next);
            *next += 1;
        }
        let map = |id: VarId| numbers.get(id).copied().unwrap_or(id);
        for node in &mut self.nodes {
            node.kind.map(&map);
        }
        let mut ordered: Vec<(usize, Variable)> =
            numbers.iter().copied().zip(self.variables).collect();
        ordered.sort_by_key(|(number, _)| *number);
        let deterministic = self.nodes.iter().all(|node| match &node.kind {
            NodeKind::Calculation { expression, .. } => expression.is_deterministic(),
            _ => true,
        });
        let warnings = self.fold.into_warnings();
        Ok(Plan {
            cacheable: deterministic && !is_modification && warnings.is_empty(),
            nodes: self.nodes,
            variables: ordered.into_iter().map(|(_, variable)| variable).collect(),
            collections: self.collections,
            rules: Vec::new(),
            is_modification,
            warnings,
        })
    }

    /// `fullCount` is about the last `LIMIT` of the main query.
    fn mark_full_count(&mut self) {
        let mut depth = 0_usize;
        let mut last = None;
        for (at, node) in self.nodes.iter().enumerate() {
            match node.kind {
                NodeKind::SubqueryStart { .. } => depth += 1,
                NodeKind::SubqueryEnd { .. } => depth = depth.saturating_sub(1),
                NodeKind::Limit { .. } if depth == 0 => last = Some(at),
                _ => {}
            }
        }
        if let Some(node) = last.and_then(|at| self.nodes.get_mut(at))
            && let NodeKind::Limit { full_count, .. } = &mut node.kind
        {
            *full_count = self.options.full_count;
        }
    }
}

/// An error of the parsing phase.
fn refused(number: u16, message: impl std::fmt::Display) -> ArangoError {
    bind::parsing(number, message)
}
