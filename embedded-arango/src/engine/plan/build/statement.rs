//! The statements that read: `FOR`, `LET`, `FILTER`, `SORT`, `LIMIT`, `WINDOW`, `RETURN`.

use aql_syntax::ast::{
    Expr, ExprKind, For, Pattern, SortKey, SortOrder, StatementKind, Window as Syntax,
};

use super::{Builder, refused};
use crate::engine::catalog::SourceInfo;
use crate::engine::plan::expression::{Ex, VarId};
use crate::engine::plan::node::{
    Bound, Collect, CollectMethod, NodeKind, Scan, SortElement, ViewScan, Window,
};
use crate::error::ArangoError;
use crate::value::Value;

impl Builder<'_> {
    pub(super) fn statement(&mut self, kind: &StatementKind) -> Result<(), ArangoError> {
        match kind {
            StatementKind::For(each) => self.each(each),
            StatementKind::Traversal(walk) => self.traversal(walk),
            StatementKind::ShortestPath(path) => self.shortest_path(path),
            StatementKind::Paths(paths) => self.paths(paths),
            StatementKind::Let(assignments) => {
                for (pattern, value) in assignments {
                    self.assign(pattern, value)?;
                }
                Ok(())
            }
            StatementKind::Filter(condition) => {
                let condition = self.expression(condition)?;
                self.filter(condition)
            }
            StatementKind::Collect(collect) => self.collect(collect),
            StatementKind::Sort(keys) => self.sort(keys),
            StatementKind::Limit { offset, count } => self.limit(offset.as_ref(), count),
            StatementKind::Window(window) => self.window(window),
            StatementKind::Modify(modification) => self.modification(modification),
            StatementKind::Return { .. } => Err(ArangoError::internal(
                "a return that does not end its query",
            )),
        }
    }

    fn assign(&mut self, pattern: &Pattern, value: &Expr) -> Result<(), ArangoError> {
        if let (Pattern::Variable(name), ExprKind::Subquery(body)) = (pattern, &value.kind) {
            let id = self.variable(Some(name.text.clone()))?;
            self.subquery(body, id)?;
            self.bring(&name.text, id);
            return Ok(());
        }
        let value = self.expression(value)?;
        match pattern {
            Pattern::Variable(_) => self.destructure(pattern, value),
            _ => {
                let whole = self.held(value)?;
                self.destructure(pattern, Ex::Var(whole))
            }
        }
    }

    /// Brings the loop's variable into scope, or the parts that its pattern takes apart.
    fn target(&mut self, pattern: &Pattern) -> Result<VarId, ArangoError> {
        match pattern {
            Pattern::Variable(name) => self.define(&name.text),
            _ => self.temporary(),
        }
    }

    fn each(&mut self, each: &For) -> Result<(), ArangoError> {
        if let ExprKind::DataSource(source) = &each.source.kind {
            let name = self.source_name(source)?;
            let source = self.use_source(&name)?;
            let options = self.options(each.options.as_ref())?;
            let output = self.target(&each.target)?;
            let kind = match source {
                SourceInfo::Collection(_) if each.search.is_some() => {
                    return Err(refused(
                        1501,
                        format!("SEARCH condition used on non-view '{name}'"),
                    ));
                }
                SourceInfo::Collection(collection) => {
                    self.mark_document(output);
                    NodeKind::EnumerateCollection(Scan {
                        collection: collection.name,
                        output,
                        filter: None,
                        own_writes: false,
                        produces: true,
                        projections: Vec::new(),
                    })
                }
                SourceInfo::View(view) => {
                    self.mark_document(output);
                    let condition = match &each.search {
                        Some(condition) => Some(self.expression(condition)?),
                        None => None,
                    };
                    NodeKind::EnumerateView(Box::new(ViewScan {
                        view: view.name,
                        id: view.id,
                        collections: view.collections,
                        output,
                        condition,
                        options,
                        scorers: Vec::new(),
                        offsets: Vec::new(),
                    }))
                }
            };
            self.push(kind)?;
            return self.take_apart(&each.target, output);
        }
        if each.search.is_some() {
            return Err(refused(1501, "SEARCH condition used on non-view"));
        }
        let list = self.expression(&each.source)?;
        self.options(each.options.as_ref())?;
        let output = self.target(&each.target)?;
        let input = self.held(list)?;
        self.push(NodeKind::EnumerateList { input, output })?;
        self.take_apart(&each.target, output)
    }

    fn take_apart(&mut self, pattern: &Pattern, from: VarId) -> Result<(), ArangoError> {
        match pattern {
            Pattern::Variable(_) => Ok(()),
            _ => self.destructure(pattern, Ex::Var(from)),
        }
    }

    pub(super) fn mark_document(&mut self, id: VarId) {
        if let Some(variable) = self.variables.get_mut(id) {
            variable.full_document = true;
        }
    }

    /// A condition that is always true leaves no node, one that is never true lets no row pass.
    pub(super) fn filter(&mut self, condition: Ex) -> Result<(), ArangoError> {
        match condition.constant() {
            Some(value) if value.is_true() => Ok(()),
            Some(_) => self.push(NodeKind::NoResults),
            None => {
                let input = self.held(condition)?;
                self.push(NodeKind::Filter { input })
            }
        }
    }

    fn sort(&mut self, keys: &[SortKey]) -> Result<(), ArangoError> {
        let mut elements: Vec<SortElement> = Vec::with_capacity(keys.len());
        for key in keys {
            let value = self.expression(&key.value)?;
            let ascending = self.ascending(&key.order)?;
            // A constant orders nothing: `SORT null` is the known way to say so.
            if value.constant().is_some() {
                continue;
            }
            let input = self.held(value)?;
            if elements.iter().all(|one| one.input != input) {
                elements.push(SortElement { input, ascending });
            }
        }
        if elements.is_empty() {
            return Ok(());
        }
        self.push(NodeKind::Sort { elements })
    }

    fn ascending(&mut self, order: &SortOrder) -> Result<bool, ArangoError> {
        match order {
            SortOrder::Ascending => Ok(true),
            SortOrder::Descending => Ok(false),
            SortOrder::Dynamic(order) => match self.expression(order)?.constant() {
                Some(Value::String(word)) if word.eq_ignore_ascii_case("asc") => Ok(true),
                Some(Value::String(word)) if word.eq_ignore_ascii_case("desc") => Ok(false),
                Some(Value::Bool(ascending)) => Ok(*ascending),
                _ => Err(refused(
                    1501,
                    "the order of a SORT must be `ASC` or `DESC`, or a bind parameter with one of them",
                )),
            },
        }
    }

    fn limit(&mut self, offset: Option<&Expr>, count: &Expr) -> Result<(), ArangoError> {
        let offset = match offset {
            Some(offset) => self.limit_number(offset, 0)?,
            None => 0,
        };
        let count = self.limit_number(count, i64::MAX.unsigned_abs())?;
        self.push(NodeKind::Limit {
            offset,
            count,
            full_count: false,
        })
    }

    /// A number of a `LIMIT`; `null`, which drivers write for "no limit", is the default.
    fn limit_number(&mut self, expression: &Expr, default: u64) -> Result<u64, ArangoError> {
        let value = self.constant(expression, "LIMIT value")?;
        if value.is_null() {
            return Ok(default);
        }
        value
            .is_number()
            .then(|| u64::try_from(value.to_i64()).ok())
            .flatten()
            .ok_or_else(|| refused(1504, "number out of range: LIMIT takes numbers from 0"))
    }

    /// The variable of the row that the query or subquery gives.
    pub(super) fn returned(&mut self, distinct: bool, value: &Expr) -> Result<VarId, ArangoError> {
        let input = match &value.kind {
            ExprKind::Subquery(body) => {
                let id = self.temporary()?;
                self.subquery(body, id)?;
                id
            }
            _ => {
                let value = self.expression(value)?;
                self.held(value)?
            }
        };
        if !distinct {
            return Ok(input);
        }
        let output = self.temporary()?;
        self.push(NodeKind::Collect(Box::new(Collect {
            method: CollectMethod::Distinct,
            groups: vec![(output, input)],
            aggregates: Vec::new(),
            into: None,
            projection: None,
            keep: Vec::new(),
            distinct: true,
        })))?;
        Ok(output)
    }

    fn window(&mut self, window: &Syntax) -> Result<(), ArangoError> {
        let range = match &window.range {
            Some(value) => {
                let value = self.expression(value)?;
                Some(self.held(value)?)
            }
            None => None,
        };
        let bounds = self.constant(&window.bounds, "the bounds of WINDOW")?;
        if bounds.as_object().is_none() {
            return Err(refused(1501, "the bounds of WINDOW must be an object"));
        }
        let preceding = bound(&bounds.get("preceding"), range.is_some())?;
        let following = bound(&bounds.get("following"), range.is_some())?;
        if let Some(input) = range {
            // A range window looks at neighbours by value, so its input must be in the order of the value.
            self.push(NodeKind::Sort {
                elements: vec![SortElement {
                    input,
                    ascending: true,
                }],
            })?;
        }
        let aggregates = self.aggregates(&window.aggregates)?;
        for (syntax, aggregate) in window.aggregates.iter().zip(&aggregates) {
            self.bring(&syntax.variable.text, aggregate.output);
        }
        self.push(NodeKind::Window(Box::new(Window {
            range,
            preceding,
            following,
            aggregates,
        })))
    }
}

fn bound(value: &Value, ranged: bool) -> Result<Bound, ArangoError> {
    let wrong = || {
        refused(
            10,
            "WINDOW bounds are invalid; a row bound is a whole number from 0 or \"unbounded\", a range bound a number \
             from 0 or a duration",
        )
    };
    match value {
        Value::Null if ranged => Ok(Bound::Number(0.0)),
        Value::Null => Ok(Bound::Rows(0)),
        Value::String(word) if &**word == "unbounded" => Ok(Bound::Unbounded),
        Value::String(duration) if ranged => Ok(Bound::Duration(duration.to_string())),
        Value::Int(_) | Value::Double(_) if ranged && value.to_f64() >= 0.0 => {
            Ok(Bound::Number(value.to_f64()))
        }
        Value::Int(rows) if !ranged => u64::try_from(*rows).map(Bound::Rows).map_err(|_| wrong()),
        _ => Err(wrong()),
    }
}
