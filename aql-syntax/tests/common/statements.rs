//! Statements at random.

use aql_syntax::ast::*;

use super::{Maker, of_expr, of_statement};

impl Maker<'_> {
    pub(super) fn body(&mut self, depth: usize) -> Body {
        let (visible, outside) = (self.variables.len(), self.outside_loops.take());
        let mut statements = self.many(4, |m| m.statement(depth));
        let writes = matches!(
            statements.last(),
            Some(Statement {
                kind: StatementKind::Modify(_),
                ..
            })
        );
        if !writes || self.flag() {
            let distinct = self.outside_loops.is_some() && self.flag();
            let value = self.expr(depth);
            statements.push(of_statement(StatementKind::Return { distinct, value }));
        }
        self.variables.truncate(visible);
        self.outside_loops = outside;
        Body { statements }
    }

    fn start_loop(&mut self) {
        self.outside_loops.get_or_insert(self.variables.len());
    }

    fn statement(&mut self, depth: usize) -> Statement {
        of_statement(match self.below(12) {
            0 => StatementKind::Filter(self.expr(depth)),
            1 | 2 => self.plain_loop(depth),
            3 => self.traversal(depth),
            4 => self.shortest_path(depth),
            5 => self.paths(depth),
            6 => {
                let bindings = self.some(2, |m| m.binding(depth));
                StatementKind::Let(bindings)
            }
            7 => self.collect(depth),
            8 => StatementKind::Sort(self.some(3, |m| m.sort_key(depth))),
            9 => StatementKind::Limit {
                offset: self.option(|m| m.fixed()),
                count: self.fixed(),
            },
            10 => self.window(depth),
            _ => self.modification(depth),
        })
    }

    fn binding(&mut self, depth: usize) -> (Pattern, Expr) {
        let (pattern, value) = (self.pattern(2), self.expr(depth));
        self.declare_pattern(&pattern);
        (pattern, value)
    }

    fn sort_key(&mut self, depth: usize) -> SortKey {
        let order = match self.below(4) {
            0 => SortOrder::Ascending,
            1 => SortOrder::Descending,
            2 => SortOrder::Dynamic(of_expr(ExprKind::Parameter(self.parameter()))),
            _ => SortOrder::Dynamic(of_expr(ExprKind::String("desc".into()))),
        };
        SortKey {
            value: self.expr(depth),
            order,
        }
    }

    fn plain_loop(&mut self, depth: usize) -> StatementKind {
        let (target, source) = (self.pattern(2), self.expr(depth));
        self.start_loop();
        self.declare_pattern(&target);
        let is_source = matches!(source.kind, ExprKind::DataSource(_));
        let search = match is_source {
            true => self.option(|m| m.expr(depth)),
            false => None,
        };
        StatementKind::For(For {
            target,
            source,
            search,
            options: self.options(),
        })
    }

    fn direction(&mut self) -> Direction {
        [Direction::Outbound, Direction::Inbound, Direction::Any][self.below(3)]
    }

    fn graph(&mut self) -> GraphSubject {
        match self.below(4) {
            0 => GraphSubject::Named(self.any_name()),
            1 => GraphSubject::Parameter(self.parameter()),
            _ => GraphSubject::Edges(
                self.some(3, |m| (m.option(|m| m.direction()), m.data_source())),
            ),
        }
    }

    fn depth(&mut self) -> Option<Depth> {
        self.option(|m| Depth {
            min: of_expr(ExprKind::Integer(2)),
            max: m.option(|m| match m.flag() {
                true => of_expr(ExprKind::Integer(3)),
                false => of_expr(ExprKind::Parameter(m.parameter())),
            }),
        })
    }

    fn traversal(&mut self, depth: usize) -> StatementKind {
        let names = (self.fresh(), self.option(|m| m.fresh()));
        let path = match names.1 {
            Some(_) => self.option(|m| m.fresh()),
            None => None,
        };
        let (reach, direction, start, graph) = (
            self.depth(),
            self.direction(),
            self.expr(depth),
            self.graph(),
        );
        self.start_loop();
        for name in [Some(&names.0), names.1.as_ref(), path.as_ref()]
            .into_iter()
            .flatten()
        {
            self.declare(name);
        }
        let allow = std::mem::replace(&mut self.allow_subquery, false);
        let prune = self.option(|m| (m.option(|m| m.fresh()), m.expr(depth)));
        self.allow_subquery = allow;
        if let Some((Some(name), _)) = &prune {
            self.declare(name);
        }
        StatementKind::Traversal(Traversal {
            vertex: names.0,
            edge: names.1,
            path,
            depth: reach,
            direction,
            start,
            graph,
            prune,
            options: self.options(),
        })
    }

    fn shortest_path(&mut self, depth: usize) -> StatementKind {
        let (vertex, edge) = (self.fresh(), self.option(|m| m.fresh()));
        let statement = ShortestPath {
            direction: self.direction(),
            from: self.expr(depth),
            to: self.expr(depth),
            graph: self.graph(),
            options: self.options(),
            vertex,
            edge,
        };
        self.start_loop();
        self.declare(&statement.vertex);
        if let Some(edge) = &statement.edge {
            self.declare(edge);
        }
        StatementKind::ShortestPath(statement)
    }

    fn paths(&mut self, depth: usize) -> StatementKind {
        let kind = [PathKind::KShortest, PathKind::AllShortest, PathKind::K][self.below(3)];
        let statement = Paths {
            kind,
            path: self.fresh(),
            depth: match kind {
                PathKind::K => self.depth(),
                _ => None,
            },
            direction: self.direction(),
            from: self.expr(depth),
            to: self.expr(depth),
            graph: self.graph(),
            options: self.options(),
        };
        self.start_loop();
        self.declare(&statement.path);
        StatementKind::Paths(statement)
    }

    fn aggregate(&mut self, depth: usize) -> Aggregate {
        let (function, argument) = match self.below(3) {
            0 => ("LENGTH", None),
            1 => ("MAX", Some(self.expr(depth))),
            _ => ("COUNT_DISTINCT", Some(self.expr(depth))),
        };
        Aggregate {
            variable: self.fresh(),
            function: self.name(function),
            arguments: argument.into_iter().collect(),
        }
    }

    fn collect(&mut self, depth: usize) -> StatementKind {
        let mut collect = Collect {
            groups: self.many(3, |m| (m.pattern(1), m.expr(depth))),
            aggregates: Vec::new(),
            count_into: None,
            into: None,
            keep: None,
            options: None,
        };
        let kept: Vec<String> = self
            .variables
            .iter()
            .filter(|v| !matches!(v.as_str(), "OLD" | "NEW"))
            .cloned()
            .collect();
        match self.below(3) {
            0 => collect.aggregates = self.some(2, |m| m.aggregate(depth)),
            1 if !collect.groups.is_empty() => {
                collect.into = Some((self.fresh(), self.option(|m| m.expr(depth))));
                if !kept.is_empty() {
                    collect.keep = self.option(|m| {
                        let text = kept[m.below(kept.len())].clone();
                        vec![m.name(text)]
                    });
                }
            }
            _ => collect.count_into = Some(self.fresh()),
        }
        collect.options = self.options();
        if let Some(outside) = self.outside_loops {
            self.variables.truncate(outside);
        }
        for (pattern, _) in &collect.groups {
            self.declare_pattern(pattern);
        }
        for aggregate in &collect.aggregates {
            self.declare(&aggregate.variable);
        }
        for name in collect
            .into
            .iter()
            .map(|(name, _)| name)
            .chain(&collect.count_into)
        {
            self.declare(name);
        }
        StatementKind::Collect(collect)
    }

    fn window(&mut self, depth: usize) -> StatementKind {
        let preceding = (self.name("preceding"), of_expr(ExprKind::Integer(1)));
        let window = Window {
            range: self.option(|m| m.expr(depth)),
            bounds: of_expr(ExprKind::Object(vec![ObjectItem::Attribute(
                preceding.0,
                preceding.1,
            )])),
            aggregates: self.some(2, |m| m.aggregate(depth)),
        };
        for aggregate in &window.aggregates {
            self.declare(&aggregate.variable);
        }
        StatementKind::Window(window)
    }

    fn modification(&mut self, depth: usize) -> StatementKind {
        let mut made: &[&str] = &["OLD", "NEW"];
        let kind = match self.below(5) {
            0 => {
                made = &["NEW"];
                ModificationKind::Insert {
                    document: self.expr(depth),
                }
            }
            1 => {
                made = &["OLD"];
                ModificationKind::Remove {
                    key: self.expr(depth),
                }
            }
            2 => ModificationKind::Update {
                key: self.option(|m| m.expr(depth)),
                document: self.expr(depth),
            },
            3 => ModificationKind::Replace {
                key: self.option(|m| m.expr(depth)),
                document: self.expr(depth),
            },
            _ => {
                let search = match self.below(3) {
                    0 => UpsertSearch::Example(of_expr(ExprKind::Parameter(self.parameter()))),
                    1 => {
                        let items = self.many(3, |m| m.object_item(depth));
                        UpsertSearch::Example(of_expr(ExprKind::Object(items)))
                    }
                    _ => {
                        self.current += 1;
                        let condition = self.expr(depth);
                        self.current -= 1;
                        UpsertSearch::Filter(condition)
                    }
                };
                self.variables.push("OLD".into());
                made = &["NEW"];
                ModificationKind::Upsert {
                    search,
                    insert: self.expr(depth),
                    update: self.expr(depth),
                    replace: self.flag(),
                }
            }
        };
        let modification = Modification {
            kind,
            target: self.data_source(),
            options: self.options(),
        };
        self.variables
            .extend(made.iter().map(|name| String::from(*name)));
        StatementKind::Modify(modification)
    }
}
