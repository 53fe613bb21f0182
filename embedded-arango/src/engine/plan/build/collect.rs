//! `COLLECT`, and the aggregates that it shares with `WINDOW`.
//!
//! | form | method | order of the rows |
//! |---|---|---|
//! | groups without `INTO` | hash | a sort by the groups follows |
//! | groups with `INTO`, or `OPTIONS {method: "sorted"}` | sorted | a sort by the groups goes before |
//! | no groups | count, or sorted over one group | a single row |

use std::collections::HashMap;
use std::sync::Arc;

use aql_syntax::ast::{Aggregate as AggregateSyntax, Collect as Syntax, Pattern};

use super::{Builder, options, refused};
use crate::engine::plan::expression::VarId;
use crate::engine::plan::node::{
    Aggregate, AggregateFunction, Collect, CollectMethod, NodeKind, SortElement,
};
use crate::error::ArangoError;

impl Builder<'_> {
    pub(super) fn collect(&mut self, syntax: &Syntax) -> Result<(), ArangoError> {
        let options = self.options(syntax.options.as_ref())?;
        let mut groups = Vec::with_capacity(syntax.groups.len());
        for (pattern, value) in &syntax.groups {
            let value = self.expression(value)?;
            let input = self.held(value)?;
            let output = match pattern {
                Pattern::Variable(name) => self.variable(Some(name.text.clone()))?,
                _ => self.temporary()?,
            };
            groups.push((output, input));
        }
        let mut aggregates = self.aggregates(&syntax.aggregates)?;
        if let Some(name) = &syntax.count_into {
            aggregates.push(Aggregate {
                output: self.variable(Some(name.text.clone()))?,
                input: None,
                function: AggregateFunction::Length,
                name: "LENGTH".into(),
            });
        }
        let mut keep = Vec::new();
        let (mut into, mut projection) = (None, None);
        if let Some((name, value)) = &syntax.into {
            match value {
                Some(value) => {
                    let value = self.expression(value)?;
                    projection = Some(self.held(value)?);
                }
                None => keep = self.kept(syntax)?,
            }
            into = Some(self.variable(Some(name.text.clone()))?);
        }
        let method = self.method(syntax, &options, &groups);
        let sort = |variables: Vec<VarId>| NodeKind::Sort {
            elements: variables
                .into_iter()
                .map(|input| SortElement {
                    input,
                    ascending: true,
                })
                .collect(),
        };
        if method == CollectMethod::Sorted && !groups.is_empty() {
            self.push(sort(groups.iter().map(|(_, input)| *input).collect()))?;
        }
        let outputs: Vec<VarId> = groups.iter().map(|(output, _)| *output).collect();
        let aggregated: Vec<VarId> = aggregates.iter().map(|one| one.output).collect();
        self.push(NodeKind::Collect(Box::new(Collect {
            method,
            groups,
            aggregates,
            into,
            projection,
            keep,
            distinct: false,
        })))?;
        if method == CollectMethod::Hash {
            self.push(sort(outputs.clone()))?;
        }
        self.rescope(syntax, &outputs, &aggregated, into)
    }

    fn method(
        &self,
        syntax: &Syntax,
        options: &crate::value::Value,
        groups: &[(VarId, VarId)],
    ) -> CollectMethod {
        if groups.is_empty() {
            if syntax.count_into.is_some() && syntax.into.is_none() {
                return CollectMethod::Count;
            }
            return CollectMethod::Sorted;
        }
        let sorted = options::word(options, "method").as_deref() == Some("sorted");
        if syntax.into.is_some() || sorted {
            CollectMethod::Sorted
        } else {
            CollectMethod::Hash
        }
    }

    /// After a `COLLECT` only what it sets is in scope.
    fn rescope(
        &mut self,
        syntax: &Syntax,
        outputs: &[VarId],
        aggregated: &[VarId],
        into: Option<VarId>,
    ) -> Result<(), ArangoError> {
        if let Some(scope) = self.scopes.last_mut() {
            *scope = HashMap::new();
        }
        let names = syntax.aggregates.iter().map(|one| &one.variable);
        for (name, id) in names.chain(&syntax.count_into).zip(aggregated) {
            self.bring(&name.text, *id);
        }
        if let (Some((name, _)), Some(id)) = (&syntax.into, into) {
            self.bring(&name.text, id);
        }
        for ((pattern, _), id) in syntax.groups.iter().zip(outputs) {
            match pattern {
                Pattern::Variable(name) => self.bring(&name.text, *id),
                _ => self.destructure(pattern, crate::engine::plan::expression::Ex::Var(*id))?,
            }
        }
        Ok(())
    }

    /// The aggregates, their arguments held by variables. Their own variables are not in scope yet.
    pub(super) fn aggregates(
        &mut self,
        syntax: &[AggregateSyntax],
    ) -> Result<Vec<Aggregate>, ArangoError> {
        let mut aggregates = Vec::with_capacity(syntax.len());
        for one in syntax {
            let name = one.function.text.to_uppercase();
            let function = AggregateFunction::from_name(&name)
                .ok_or_else(|| refused(1574, "invalid aggregate expression"))?;
            let input = match one.arguments.as_slice() {
                [] if function == AggregateFunction::Length => None,
                [argument] => {
                    let value = self.expression(argument)?;
                    Some(self.held(value)?)
                }
                _ => return Err(refused(1574, "invalid aggregate expression")),
            };
            aggregates.push(Aggregate {
                output: self.variable(Some(one.variable.text.clone()))?,
                input,
                function,
                name,
            });
        }
        Ok(aggregates)
    }

    /// What a member of a group holds: the variables after `KEEP`, else those of the loops since the last `COLLECT`.
    fn kept(&self, syntax: &Syntax) -> Result<Vec<(Arc<str>, VarId)>, ArangoError> {
        if let Some(keep) = &syntax.keep {
            return keep
                .iter()
                .map(|name| {
                    let id = self.lookup(&name.text).ok_or_else(|| {
                        refused(
                            1512,
                            format!("use of unknown variable '{}' for KEEP", name.text),
                        )
                    })?;
                    Ok((name.text.as_str().into(), id))
                })
                .collect();
        }
        let start = self.starts.last().copied().unwrap_or(0);
        let (mut loops, mut depth) = (0_usize, 0_usize);
        let mut found: Vec<(usize, VarId)> = Vec::new();
        for node in self.nodes.iter().skip(start) {
            match &node.kind {
                NodeKind::SubqueryStart { .. } => depth += 1,
                NodeKind::SubqueryEnd { .. } => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > 0 {
                continue;
            }
            loops += usize::from(node.kind.is_loop());
            if let NodeKind::Collect(_) = node.kind {
                found.clear();
                loops = loops.max(1);
            }
            found.extend(node.kind.sets().into_iter().map(|id| (loops, id)));
        }
        // Below two nested loops, what stands before the first of them is left out; the server does so.
        let least = usize::from(loops > 1);
        let scope = self.scopes.last();
        let mut kept: Vec<(Arc<str>, VarId)> = Vec::new();
        for (at, id) in found {
            let Some(name) = self.variables.get(id).and_then(|one| one.name.as_deref()) else {
                continue;
            };
            let visible = scope.is_some_and(|scope| scope.get(name) == Some(&id));
            if at >= least && visible {
                kept.push((name.into(), id));
            }
        }
        Ok(kept)
    }
}
