//! How statements are written.

use crate::ast::*;

use super::{Piece, Pieces};

impl<'a> Pieces<'a> {
    pub(super) fn body(&mut self, body: &'a Body, between: &'static str) {
        for (i, statement) in body.statements.iter().enumerate() {
            if i > 0 {
                self.text(between);
            }
            self.0.push(Piece::Statement(statement));
        }
    }

    pub(super) fn statement(&mut self, kind: &'a StatementKind) {
        match kind {
            StatementKind::For(s) => {
                self.text("FOR ");
                self.0.push(Piece::Pattern(&s.target));
                self.clause(" IN ", Some(&s.source));
                self.clause(" SEARCH ", s.search.as_ref());
                self.options(&s.options);
            }
            StatementKind::Traversal(s) => self.traversal(s),
            StatementKind::ShortestPath(s) => {
                self.graph_variables(&s.vertex, [&s.edge, &None]);
                self.direction(s.direction);
                self.ends("SHORTEST_PATH ", &s.from, &s.to, &s.graph);
                self.options(&s.options);
            }
            StatementKind::Paths(s) => {
                self.graph_variables(&s.path, [&None, &None]);
                self.depth(&s.depth);
                self.direction(s.direction);
                let word = match s.kind {
                    PathKind::KShortest => "K_SHORTEST_PATHS ",
                    PathKind::AllShortest => "ALL_SHORTEST_PATHS ",
                    PathKind::K => "K_PATHS ",
                };
                self.ends(word, &s.from, &s.to, &s.graph);
                self.options(&s.options);
            }
            StatementKind::Let(bindings) => {
                self.text("LET ");
                self.bindings(bindings);
            }
            StatementKind::Filter(condition) => self.clause("FILTER ", Some(condition)),
            StatementKind::Collect(s) => self.collect(s),
            StatementKind::Sort(keys) => {
                self.text("SORT ");
                self.list(keys, |out, key| {
                    out.expr(&key.value);
                    match &key.order {
                        SortOrder::Ascending => {}
                        SortOrder::Descending => out.text(" DESC"),
                        SortOrder::Dynamic(order) => out.clause(" ", Some(order)),
                    }
                });
            }
            StatementKind::Limit { offset, count } => {
                self.text("LIMIT ");
                self.list(offset.iter().chain([count]), |out, operand| {
                    out.expr(operand)
                });
            }
            StatementKind::Window(s) => {
                self.text("WINDOW ");
                if let Some(range) = &s.range {
                    self.expr(range);
                    self.text(" WITH ");
                }
                self.expr(&s.bounds);
                self.aggregates(&s.aggregates);
            }
            StatementKind::Return { distinct, value } => {
                self.text(if *distinct {
                    "RETURN DISTINCT "
                } else {
                    "RETURN "
                });
                self.expr(value);
            }
            StatementKind::Modify(s) => self.modification(s),
        }
    }

    fn options(&mut self, options: &'a Option<Expr>) {
        self.clause(" OPTIONS ", options.as_ref());
    }

    fn bindings(&mut self, bindings: &'a [(Pattern, Expr)]) {
        self.list(bindings, |out, (pattern, value)| {
            out.0.push(Piece::Pattern(pattern));
            out.clause(" = ", Some(value));
        });
    }

    pub(super) fn pattern(&mut self, pattern: &'a Pattern) {
        match pattern {
            Pattern::Variable(name) => self.name(name),
            Pattern::Array(parts, _) => {
                self.text("[");
                self.list(parts, |out, part| {
                    out.0.extend(part.as_ref().map(Piece::Pattern));
                });
                // A comma before the bracket is none between two parts.
                self.text(if let Some(None) = parts.last() {
                    ",]"
                } else {
                    "]"
                });
            }
            Pattern::Object(parts, _) => {
                self.text("{");
                self.list(parts, |out, (name, part)| {
                    out.name(name);
                    if !matches!(part, Pattern::Variable(variable) if variable == name) {
                        out.text(": ");
                        out.0.push(Piece::Pattern(part));
                    }
                });
                self.text("}");
            }
        }
    }

    fn traversal(&mut self, s: &'a Traversal) {
        self.graph_variables(&s.vertex, [&s.edge, &s.path]);
        self.depth(&s.depth);
        self.direction(s.direction);
        self.expr(&s.start);
        self.graph(&s.graph);
        if let Some((variable, condition)) = &s.prune {
            self.text(" PRUNE ");
            if let Some(variable) = variable {
                self.name(variable);
                self.text(" = ");
            }
            self.expr(condition);
        }
        self.options(&s.options);
    }

    fn graph_variables(&mut self, first: &'a Name, others: [&'a Option<Name>; 2]) {
        self.text("FOR ");
        let others = others.into_iter().flatten();
        self.list([first].into_iter().chain(others), |out, name| {
            out.name(name)
        });
        self.text(" IN ");
    }

    fn depth(&mut self, depth: &'a Option<Depth>) {
        match depth {
            Some(Depth {
                min,
                max: Some(max),
            }) => {
                self.range(min, max);
                self.text(" ");
            }
            Some(Depth { min, max: None }) => {
                self.expr(min);
                self.text(" ");
            }
            None => {}
        }
    }

    fn direction(&mut self, direction: Direction) {
        self.text(match direction {
            Direction::Outbound => "OUTBOUND ",
            Direction::Inbound => "INBOUND ",
            Direction::Any => "ANY ",
        });
    }

    fn ends(&mut self, word: &'static str, from: &'a Expr, to: &'a Expr, graph: &'a GraphSubject) {
        self.clause(word, Some(from));
        self.clause(" TO ", Some(to));
        self.graph(graph);
    }

    fn graph(&mut self, graph: &'a GraphSubject) {
        self.text(" ");
        match graph {
            GraphSubject::Named(name) => {
                self.text("GRAPH ");
                self.0.push(Piece::Literal(&name.text));
            }
            GraphSubject::Parameter(name) => {
                self.text("GRAPH ");
                self.parameter(name);
            }
            GraphSubject::Edges(edges) => self.list(edges, |out, (direction, source)| {
                if let Some(direction) = direction {
                    out.direction(*direction);
                }
                out.data_source(source);
            }),
        }
    }

    fn collect(&mut self, s: &'a Collect) {
        self.text("COLLECT");
        if !s.groups.is_empty() {
            self.text(" ");
            self.bindings(&s.groups);
        }
        if !s.aggregates.is_empty() {
            self.aggregates(&s.aggregates);
        }
        if let Some(name) = &s.count_into {
            self.text(" WITH COUNT INTO ");
            self.name(name);
        }
        if let Some((name, projection)) = &s.into {
            self.text(" INTO ");
            self.name(name);
            self.clause(" = ", projection.as_ref());
        }
        if let Some(names) = &s.keep {
            self.text(" KEEP ");
            self.list(names, |out, name| out.name(name));
        }
        self.options(&s.options);
    }

    fn aggregates(&mut self, aggregates: &'a [Aggregate]) {
        self.text(" AGGREGATE ");
        self.list(aggregates, |out, aggregate| {
            out.name(&aggregate.variable);
            out.text(" = ");
            out.name(&aggregate.function);
            out.arguments(&aggregate.arguments);
        });
    }

    fn modification(&mut self, s: &'a Modification) {
        match &s.kind {
            ModificationKind::Insert { document } => self.clause("INSERT ", Some(document)),
            ModificationKind::Remove { key } => self.clause("REMOVE ", Some(key)),
            ModificationKind::Update { key, document } => self.keyed("UPDATE ", key, document),
            ModificationKind::Replace { key, document } => self.keyed("REPLACE ", key, document),
            ModificationKind::Upsert {
                search,
                insert,
                update,
                replace,
            } => {
                match search {
                    UpsertSearch::Example(example) => self.clause("UPSERT ", Some(example)),
                    UpsertSearch::Filter(condition) => {
                        self.clause("UPSERT FILTER ", Some(condition))
                    }
                }
                self.clause(" INSERT ", Some(insert));
                self.clause(
                    if *replace { " REPLACE " } else { " UPDATE " },
                    Some(update),
                );
            }
        }
        self.text(" INTO ");
        self.data_source(&s.target);
        self.options(&s.options);
    }

    fn keyed(&mut self, word: &'static str, key: &'a Option<Expr>, document: &'a Expr) {
        self.text(word);
        if let Some(key) = key {
            self.expr(key);
            self.text(" WITH ");
        }
        self.expr(document);
    }
}
