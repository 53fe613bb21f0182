//! The body of `POST /_api/query`: what the parser made of a text. Nothing is planned, and bind parameters need no value.

use std::collections::BTreeSet;

use aql_syntax::ast::{
    ArrayItem, AttributeName, Body, DataSource, Direction, Expr, ExprKind, GraphSubject,
    ModificationKind, ObjectItem, Pattern, Quantifier, SortOrder, StatementKind, UpsertSearch,
};
use serde_json::{Value as Json, json};

use super::expression::{array_compare, binary, unary};
use crate::engine::plan::{bind, parse};
use crate::error::ArangoError;

/// Parses a text and shows its tree, collections and bind parameters.
pub(in crate::engine) fn parse_only(text: &str) -> Result<Json, ArangoError> {
    let query = parse(text)?;
    let collections: BTreeSet<&str> = query
        .data_sources()
        .into_iter()
        .filter_map(|source| match source {
            DataSource::Named(name) => Some(name.text.as_str()),
            DataSource::Parameter(_) => None,
        })
        .collect();
    let mut printer = Printer::default();
    let root = json!({ "type": "root", "subNodes": printer.body(&query.body) });
    Ok(json!({
        "error": false,
        "code": 200,
        "parsed": true,
        "collections": collections,
        "bindVars": bind::declared(&query),
        "ast": [root],
        "warnings": [],
    }))
}

/// Shows the tree; numbers the variables in the order of their coming.
#[derive(Default)]
struct Printer {
    variables: Vec<(String, usize)>,
    next: usize,
}

fn shown(kind: &str, operands: Vec<Json>) -> Json {
    if operands.is_empty() {
        json!({ "type": kind })
    } else {
        json!({ "type": kind, "subNodes": operands })
    }
}

fn nothing() -> Json {
    json!({ "type": "no-op" })
}

fn value(value: impl Into<Json>) -> Json {
    json!({ "type": "value", "value": value.into() })
}

impl Printer {
    fn define(&mut self, name: &str) -> Json {
        let id = self.next;
        self.next += 1;
        self.variables.push((name.to_owned(), id));
        json!({ "type": "variable", "name": name, "id": id })
    }

    fn pattern(&mut self, pattern: &Pattern) -> Json {
        match pattern {
            Pattern::Variable(name) => self.define(&name.text),
            Pattern::Array(parts, _) => {
                let parts = parts
                    .iter()
                    .flatten()
                    .map(|part| self.pattern(part))
                    .collect();
                shown("destructuring", parts)
            }
            Pattern::Object(parts, _) => {
                let parts = parts.iter().map(|(_, part)| self.pattern(part)).collect();
                shown("destructuring", parts)
            }
        }
    }

    fn reference(&self, name: &str) -> Json {
        let id = self
            .variables
            .iter()
            .rev()
            .find(|(known, _)| known == name)
            .map_or(0, |(_, id)| *id);
        json!({ "type": "reference", "name": name, "id": id, "subqueryReference": false })
    }

    fn body(&mut self, body: &Body) -> Vec<Json> {
        let scope = self.variables.len();
        let mut statements = Vec::new();
        for statement in &body.statements {
            self.statement(&statement.kind, &mut statements);
        }
        self.variables.truncate(scope);
        statements
    }

    fn option(&mut self, expr: Option<&Expr>) -> Json {
        match expr {
            Some(expr) => self.expr(expr),
            None => nothing(),
        }
    }

    fn statement(&mut self, kind: &StatementKind, out: &mut Vec<Json>) {
        let one = match kind {
            StatementKind::For(each) => {
                let source = self.expr(&each.source);
                let options = self.option(each.options.as_ref());
                let target = self.pattern(&each.target);
                match &each.search {
                    Some(search) => {
                        let search = self.expr(search);
                        shown("view enumeration", vec![target, source, search, options])
                    }
                    None => shown("for", vec![target, source, options]),
                }
            }
            StatementKind::Traversal(walk) => {
                let start = self.expr(&walk.start);
                let graph = self.graph(&walk.graph);
                let options = self.option(walk.options.as_ref());
                let mut operands = vec![direction(walk.direction), start, graph];
                operands.push(self.define(&walk.vertex.text));
                for name in walk.edge.iter().chain(&walk.path) {
                    operands.push(self.define(&name.text));
                }
                if let Some((name, condition)) = &walk.prune {
                    operands.push(self.expr(condition));
                    operands.extend(name.as_ref().map(|name| self.define(&name.text)));
                }
                operands.push(options);
                shown("traversal", operands)
            }
            StatementKind::ShortestPath(path) => {
                let mut operands = vec![
                    direction(path.direction),
                    self.expr(&path.from),
                    self.expr(&path.to),
                    self.graph(&path.graph),
                    self.option(path.options.as_ref()),
                ];
                operands.push(self.define(&path.vertex.text));
                operands.extend(path.edge.as_ref().map(|name| self.define(&name.text)));
                shown("shortest path", operands)
            }
            StatementKind::Paths(paths) => {
                let mut operands = vec![
                    direction(paths.direction),
                    self.expr(&paths.from),
                    self.expr(&paths.to),
                    self.graph(&paths.graph),
                    self.option(paths.options.as_ref()),
                ];
                operands.push(self.define(&paths.path.text));
                shown("enumerate paths", operands)
            }
            StatementKind::Let(assignments) => {
                for (pattern, expr) in assignments {
                    let expr = self.expr(expr);
                    let target = self.pattern(pattern);
                    out.push(shown("let", vec![target, expr]));
                }
                return;
            }
            StatementKind::Filter(condition) => shown("filter", vec![self.expr(condition)]),
            StatementKind::Sort(keys) => {
                let keys = keys
                    .iter()
                    .map(|key| {
                        let order = match &key.order {
                            SortOrder::Ascending => value(true),
                            SortOrder::Descending => value(false),
                            SortOrder::Dynamic(order) => self.expr(order),
                        };
                        shown("sort element", vec![self.expr(&key.value), order])
                    })
                    .collect();
                shown("sort", vec![shown("array", keys)])
            }
            StatementKind::Limit { offset, count } => {
                let offset = match offset {
                    Some(offset) => self.expr(offset),
                    None => value(0),
                };
                shown("limit", vec![offset, self.expr(count)])
            }
            StatementKind::Return { distinct, value } => {
                let value = self.expr(value);
                let value = if *distinct {
                    shown("distinct", vec![value])
                } else {
                    value
                };
                shown("return", vec![value])
            }
            StatementKind::Collect(_) | StatementKind::Window(_) => self.grouping(kind),
            StatementKind::Modify(modification) => self.modification(modification),
        };
        out.push(one);
    }

    fn grouping(&mut self, kind: &StatementKind) -> Json {
        match kind {
            StatementKind::Collect(collect) => {
                let mut assigned = Vec::new();
                for (pattern, expr) in &collect.groups {
                    let expr = self.expr(expr);
                    let target = self.pattern(pattern);
                    assigned.push(shown("assign", vec![target, expr]));
                }
                let mut operands = vec![shown("array", assigned)];
                operands.push(self.aggregates(&collect.aggregates));
                if let Some((name, projection)) = &collect.into {
                    let projection = projection.as_ref().map(|expr| self.expr(expr));
                    operands.push(self.define(&name.text));
                    operands.extend(projection);
                }
                operands.extend(
                    collect
                        .count_into
                        .as_ref()
                        .map(|name| self.define(&name.text)),
                );
                operands.push(self.option(collect.options.as_ref()));
                shown("collect", operands)
            }
            StatementKind::Window(window) => {
                let mut operands = vec![self.expr(&window.bounds)];
                operands.extend(window.range.as_ref().map(|range| self.expr(range)));
                operands.push(self.aggregates(&window.aggregates));
                shown("window", operands)
            }
            _ => nothing(),
        }
    }

    fn aggregates(&mut self, aggregates: &[aql_syntax::ast::Aggregate]) -> Json {
        let mut assigned = Vec::new();
        for one in aggregates {
            let arguments = one
                .arguments
                .iter()
                .map(|argument| self.expr(argument))
                .collect();
            let call = json!({
                "type": "function call",
                "name": one.function.text,
                "subNodes": [shown("array", arguments)],
            });
            let target = self.define(&one.variable.text);
            assigned.push(shown("assign", vec![target, call]));
        }
        shown("aggregations array", assigned)
    }

    fn modification(&mut self, modification: &aql_syntax::ast::Modification) -> Json {
        let target = self.source(&modification.target);
        let (kind, operands) = match &modification.kind {
            ModificationKind::Insert { document } => ("insert", vec![self.expr(document)]),
            ModificationKind::Remove { key } => ("remove", vec![self.expr(key)]),
            ModificationKind::Update { key, document } => (
                "update",
                vec![self.expr(document), self.option(key.as_ref())],
            ),
            ModificationKind::Replace { key, document } => (
                "replace",
                vec![self.expr(document), self.option(key.as_ref())],
            ),
            ModificationKind::Upsert {
                search,
                insert,
                update,
                ..
            } => {
                let (UpsertSearch::Example(search) | UpsertSearch::Filter(search)) = search;
                let mut operands = vec![self.expr(search), self.expr(insert)];
                self.define("OLD");
                operands.push(self.expr(update));
                ("upsert", operands)
            }
        };
        let mut all = vec![self.option(modification.options.as_ref()), target];
        all.extend(operands);
        self.define("OLD");
        self.define("NEW");
        shown(kind, all)
    }

    fn source(&self, source: &DataSource) -> Json {
        match source {
            DataSource::Named(name) => json!({ "type": "collection", "name": name.text }),
            DataSource::Parameter(name) => {
                json!({ "type": "datasource parameter", "name": format!("@{}", name.text) })
            }
        }
    }

    fn graph(&self, graph: &GraphSubject) -> Json {
        match graph {
            GraphSubject::Named(name) => value(name.text.as_str()),
            GraphSubject::Parameter(name) => json!({ "type": "parameter", "name": name.text }),
            GraphSubject::Edges(edges) => shown(
                "collection list",
                edges
                    .iter()
                    .map(|(_, source)| self.source(source))
                    .collect(),
            ),
        }
    }

    fn quantifier(&mut self, quantifier: &Quantifier) -> Json {
        match quantifier {
            Quantifier::All => json!({ "type": "quantifier", "quantifier": "all" }),
            Quantifier::Any => json!({ "type": "quantifier", "quantifier": "any" }),
            Quantifier::None => json!({ "type": "quantifier", "quantifier": "none" }),
            Quantifier::AtLeast(count) => json!({
                "type": "quantifier",
                "quantifier": "at least",
                "subNodes": [self.expr(count)],
            }),
            Quantifier::Exactly(count) => self.expr(count),
        }
    }

    fn many(&mut self, exprs: &[Expr]) -> Vec<Json> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn expr(&mut self, expr: &Expr) -> Json {
        match &expr.kind {
            ExprKind::Null => value(Json::Null),
            ExprKind::Bool(truth) => value(*truth),
            ExprKind::Integer(number) => value(*number),
            ExprKind::Double(number) => value(number.value()),
            ExprKind::String(text) => value(text.as_str()),
            ExprKind::Variable(name) => self.reference(&name.text),
            ExprKind::DataSource(source) => self.source(source),
            ExprKind::Parameter(name) => json!({ "type": "parameter", "name": name.text }),
            ExprKind::Element => self.reference("CURRENT"),
            ExprKind::Array(items) => {
                let items = items
                    .iter()
                    .map(|(ArrayItem::Value(item) | ArrayItem::Spread(item))| self.expr(item))
                    .collect();
                shown("array", items)
            }
            ExprKind::Object(items) => {
                let items = items.iter().map(|item| self.item(item)).collect();
                shown("object", items)
            }
            ExprKind::Attribute { base, name } => {
                let base = self.expr(base);
                match name {
                    AttributeName::Static(name) => {
                        json!({ "type": "attribute access", "name": name.text, "subNodes": [base] })
                    }
                    AttributeName::Parameter(name) => shown(
                        "bound attribute access",
                        vec![base, json!({ "type": "parameter", "name": name.text })],
                    ),
                }
            }
            ExprKind::Index { base, index } => {
                shown("indexed access", vec![self.expr(base), self.expr(index)])
            }
            ExprKind::Expansion(expansion) => self.expansion(expansion),
            ExprKind::ArrayFilter(filter) => {
                let base = self.expr(&filter.base);
                let iterator = shown("iterator", vec![self.define("CURRENT"), base]);
                let quantifier = match &filter.quantifier {
                    Some(quantifier) => self.quantifier(quantifier),
                    None => nothing(),
                };
                let condition = self.option(filter.filter.as_ref());
                let filtered = shown("array filter", vec![quantifier, condition]);
                shown(
                    "expansion",
                    vec![iterator, self.reference("CURRENT"), filtered],
                )
            }
            ExprKind::Call { name, arguments } => {
                let parts: Vec<&str> = name.parts.iter().map(|part| part.text.as_str()).collect();
                let kind = if parts.len() > 1 {
                    "user function call"
                } else {
                    "function call"
                };
                let arguments = shown("array", self.many(arguments));
                json!({
                    "type": kind,
                    "name": parts.join("::").to_uppercase(),
                    "subNodes": [arguments],
                })
            }
            ExprKind::Unary { op, operand } => shown(unary(*op).0, vec![self.expr(operand)]),
            ExprKind::Binary { op, left, right } => {
                shown(binary(*op).0, vec![self.expr(left), self.expr(right)])
            }
            ExprKind::ArrayCompare {
                quantifier,
                op,
                left,
                right,
            } => {
                let operands = vec![
                    self.expr(left),
                    self.expr(right),
                    self.quantifier(quantifier),
                ];
                shown(array_compare(*op).0, operands)
            }
            ExprKind::Ternary {
                condition,
                then,
                otherwise,
            } => {
                let mut operands = vec![self.expr(condition)];
                operands.extend(then.as_ref().map(|then| self.expr(then)));
                operands.push(self.expr(otherwise));
                shown("ternary", operands)
            }
            ExprKind::Range { from, to } => shown("range", vec![self.expr(from), self.expr(to)]),
            ExprKind::Subquery(body) => shown("subquery", self.body(body)),
        }
    }

    fn item(&mut self, item: &ObjectItem) -> Json {
        match item {
            ObjectItem::Attribute(name, value) => json!({
                "type": "object element",
                "name": name.text,
                "subNodes": [self.expr(value)],
            }),
            ObjectItem::Parameter(name, value) => shown(
                "calculated object element",
                vec![
                    json!({ "type": "parameter", "name": name.text }),
                    self.expr(value),
                ],
            ),
            ObjectItem::Computed(name, value) => shown(
                "calculated object element",
                vec![self.expr(name), self.expr(value)],
            ),
            ObjectItem::Spread(value) => self.expr(value),
        }
    }

    fn expansion(&mut self, expansion: &aql_syntax::ast::Expansion) -> Json {
        let base = self.expr(&expansion.base);
        let scope = self.variables.len();
        let iterator = shown("iterator", vec![self.define("CURRENT"), base]);
        let tail = match &expansion.tail {
            Some(tail) => self.expr(tail),
            None => self.reference("CURRENT"),
        };
        let filter = self.option(expansion.filter.as_ref());
        let limit = match &expansion.limit {
            Some((offset, count)) => {
                let offset = match offset {
                    Some(offset) => self.expr(offset),
                    None => value(0),
                };
                shown("array limit", vec![offset, self.expr(count)])
            }
            None => nothing(),
        };
        let projection = self.option(expansion.projection.as_ref());
        self.variables.truncate(scope);
        json!({
            "type": "expansion",
            "levels": expansion.levels,
            "subNodes": [iterator, tail, filter, limit, projection],
        })
    }
}

fn direction(direction: Direction) -> Json {
    let number = match direction {
        Direction::Any => 0,
        Direction::Inbound => 1,
        Direction::Outbound => 2,
    };
    shown("direction", vec![value(number), value(1)])
}
