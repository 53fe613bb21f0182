//! Trees at random, each one that a text can have: names are declared before they are used, and once.

use aql_syntax::Version;
use aql_syntax::ast::*;
use aql_syntax::span::Span;

/// Makes trees from a list of choices. Where the choices run out, the simplest is taken, so that each tree ends.
pub(crate) struct Maker<'a> {
    choices: std::slice::Iter<'a, u8>,
    version: Version,
    /// What is visible; and how much of it is so outside the loops of the innermost body, where there are any.
    variables: Vec<String>,
    outside_loops: Option<usize>,
    declared: usize,
    current: usize,
    allow_subquery: bool,
}

const SPAN: Span = Span { start: 0, end: 0 };

/// Names of each kind that needs care.
const NAMES: &[&str] = &[
    "a", "filter", "a b", "ö´", "x`\\y", "$v", "AT", "match", "Keep", "count\n", "x.y", "NULL",
    "1x",
];

impl<'a> Maker<'a> {
    pub(crate) fn new(choices: &'a [u8], version: Version) -> Maker<'a> {
        Maker {
            choices: choices.iter(),
            version,
            variables: Vec::new(),
            outside_loops: None,
            declared: 0,
            current: 0,
            allow_subquery: true,
        }
    }

    pub(crate) fn query(&mut self) -> Query {
        let with = self.many(3, |m| m.data_source());
        Query {
            with,
            body: self.body(4),
        }
    }

    /// A number below `bound`; 0 once the choices have run out.
    fn below(&mut self, bound: usize) -> usize {
        usize::from(self.choices.next().copied().unwrap_or(0)) % bound
    }

    fn flag(&mut self) -> bool {
        self.below(2) == 1
    }

    fn option<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.flag().then(|| make(self))
    }

    fn many<T>(&mut self, bound: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.below(bound)).map(|_| make(self)).collect()
    }

    fn some<T>(&mut self, bound: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..=self.below(bound)).map(|_| make(self)).collect()
    }

    fn name(&mut self, text: impl Into<String>) -> Name {
        Name {
            text: text.into(),
            span: SPAN,
        }
    }

    fn any_name(&mut self) -> Name {
        let text = NAMES[self.below(NAMES.len())];
        self.name(text)
    }

    fn parameter(&mut self) -> Name {
        let text = ["p", "_1", "1", "key"][self.below(4)];
        self.name(text)
    }

    /// A name that is nowhere declared yet.
    fn fresh(&mut self) -> Name {
        self.declared += 1;
        let text = format!("{}{}", NAMES[self.below(NAMES.len())], self.declared);
        self.name(text)
    }

    fn declare(&mut self, name: &Name) {
        self.variables.push(name.text.clone());
    }

    fn data_source(&mut self) -> DataSource {
        match self.flag() {
            true => DataSource::Parameter(self.parameter()),
            false => {
                let text = ["docs", "my-docs", "for", "`", "OUTBOUND"][self.below(5)];
                DataSource::Named(self.name(text))
            }
        }
    }

    fn pattern(&mut self, depth: usize) -> Pattern {
        match self.below(if depth == 0 { 1 } else { 5 }) {
            3 => Pattern::Array(self.many(4, |m| m.option(|m| m.pattern(depth - 1))), SPAN),
            4 => Pattern::Object(self.many(4, |m| m.pattern_part(depth - 1)), SPAN),
            _ => Pattern::Variable(self.fresh()),
        }
    }

    fn pattern_part(&mut self, depth: usize) -> (Name, Pattern) {
        if self.flag() {
            let name = self.fresh();
            return (name.clone(), Pattern::Variable(name));
        }
        (self.any_name(), self.pattern(depth))
    }

    fn declare_pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Variable(name) => self.declare(name),
            Pattern::Array(parts, _) => {
                parts.iter().flatten().for_each(|p| self.declare_pattern(p))
            }
            Pattern::Object(parts, _) => parts.iter().for_each(|(_, p)| self.declare_pattern(p)),
        }
    }

    fn body(&mut self, depth: usize) -> Body {
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

    fn fixed(&mut self) -> Expr {
        match self.flag() {
            true => of_expr(ExprKind::Parameter(self.parameter())),
            false => of_expr(ExprKind::Integer(self.below(9) as i64)),
        }
    }

    fn options(&mut self) -> Option<Expr> {
        self.option(|m| {
            let items = m.many(3, |m| ObjectItem::Attribute(m.any_name(), m.fixed()));
            of_expr(ExprKind::Object(items))
        })
    }

    fn object_item(&mut self, depth: usize) -> ObjectItem {
        match self.below(if self.version == Version::V4 { 5 } else { 4 }) {
            0 => ObjectItem::Attribute(self.any_name(), self.expr(depth)),
            1 => match self.variables.last().cloned() {
                Some(text) => {
                    let name = self.name(text);
                    ObjectItem::Attribute(name.clone(), of_expr(ExprKind::Variable(name)))
                }
                None => ObjectItem::Attribute(self.any_name(), self.expr(depth)),
            },
            2 => ObjectItem::Parameter(self.parameter(), self.expr(depth)),
            3 => ObjectItem::Computed(self.expr(depth), self.expr(depth)),
            _ => ObjectItem::Spread(self.expr(depth)),
        }
    }

    fn array_item(&mut self, depth: usize) -> ArrayItem {
        match self.version == Version::V4 && self.flag() {
            true => ArrayItem::Spread(self.expr(depth)),
            false => ArrayItem::Value(self.expr(depth)),
        }
    }

    fn leaf(&mut self) -> Expr {
        of_expr(match self.below(10) {
            0 => ExprKind::Null,
            1 => ExprKind::Bool(self.flag()),
            2 => ExprKind::Integer(self.below(100) as i64),
            3 => ExprKind::Integer(i64::MAX),
            4 => {
                ExprKind::Double([0.0, 0.5, 5.0, 1e300, 5e-324, 1e16, f64::MAX, 0.1][self.below(8)])
            }
            5 => {
                let text = [
                    "",
                    "a\"'\\",
                    "\n\r\t\u{8}\u{c}\u{1}\0",
                    "ö😀´`",
                    "//",
                    "/*",
                    "\\u0041",
                ][self.below(7)];
                ExprKind::String(text.into())
            }
            6 => ExprKind::Parameter(self.parameter()),
            7 => ExprKind::DataSource(self.data_source()),
            8 if self.current > 0 => ExprKind::Variable(self.name("CURRENT")),
            _ => match self.variables.len() {
                0 => ExprKind::Integer(1),
                n => {
                    let at = self.below(n);
                    let text = self.variables[at].clone();
                    ExprKind::Variable(self.name(text))
                }
            },
        })
    }

    fn boxed(&mut self, depth: usize) -> Box<Expr> {
        Box::new(self.expr(depth))
    }

    pub(crate) fn expr(&mut self, depth: usize) -> Expr {
        if depth == 0 {
            return self.leaf();
        }
        let depth = depth - 1;
        of_expr(match self.below(18) {
            0 | 1 => return self.leaf(),
            2 => ExprKind::Array(self.many(4, |m| m.array_item(depth))),
            3 => ExprKind::Object(self.many(4, |m| m.object_item(depth))),
            4 => ExprKind::Attribute {
                base: self.boxed(depth),
                name: self.attribute_name(),
            },
            5 => ExprKind::Index {
                base: self.boxed(depth),
                index: self.boxed(depth),
            },
            6 | 7 => {
                let base = self.expr(depth);
                let levels = 1 + self.below(3) as u32;
                let mut expansion = self.expansion(base, levels, depth);
                expansion.tail = self.tail(depth);
                ExprKind::Expansion(Box::new(expansion))
            }
            8 => {
                let base = self.expr(depth);
                ExprKind::ArrayFilter(Box::new(self.array_filter(base, depth)))
            }
            9 => ExprKind::Call {
                name: self.function_name(),
                arguments: self.many(3, |m| m.expr(depth)),
            },
            10 => ExprKind::Unary {
                op: [UnaryOp::Plus, UnaryOp::Minus, UnaryOp::Not][self.below(3)],
                operand: self.boxed(depth),
            },
            11 | 12 => ExprKind::Binary {
                op: self.binary_op(),
                left: self.boxed(depth),
                right: self.boxed(depth),
            },
            13 => ExprKind::ArrayCompare {
                quantifier: self.quantifier(depth),
                op: self.comparison(),
                left: self.boxed(depth),
                right: self.boxed(depth),
            },
            14 | 15 => ExprKind::Ternary {
                condition: self.boxed(depth),
                then: self.option(|m| m.boxed(depth)),
                otherwise: self.boxed(depth),
            },
            16 => ExprKind::Range {
                from: self.boxed(depth),
                to: self.boxed(depth),
            },
            _ if self.allow_subquery => ExprKind::Subquery(Box::new(self.body(depth))),
            _ => return self.leaf(),
        })
    }

    fn attribute_name(&mut self) -> AttributeName {
        match self.flag() {
            true => AttributeName::Parameter(self.parameter()),
            false => AttributeName::Static(self.any_name()),
        }
    }

    fn function_name(&mut self) -> FunctionName {
        let parts: &[&str] = [
            &["LENGTH"][..],
            &["like"],
            &["any"],
            &["MY", "NS", "F"],
            &["a b"],
        ][self.below(5)];
        FunctionName {
            parts: parts.iter().map(|part| self.name(*part)).collect(),
        }
    }

    fn binary_op(&mut self) -> BinaryOp {
        use BinaryOp::*;
        [
            Or,
            And,
            Add,
            Subtract,
            Multiply,
            Divide,
            Modulo,
            Equal,
            NotEqual,
            Less,
            LessEqual,
            Greater,
            GreaterEqual,
            In,
            NotIn,
            Like,
            NotLike,
            Match,
            NotMatch,
        ][self.below(19)]
    }

    fn comparison(&mut self) -> BinaryOp {
        use BinaryOp::*;
        let most = if self.version == Version::V4 { 12 } else { 8 };
        [
            Equal,
            NotEqual,
            Less,
            LessEqual,
            Greater,
            GreaterEqual,
            In,
            NotIn,
            Like,
            NotLike,
            Match,
            NotMatch,
        ][self.below(most)]
    }

    fn quantifier(&mut self, depth: usize) -> Quantifier {
        match self.below(4) {
            0 => Quantifier::All,
            1 => Quantifier::Any,
            2 => Quantifier::None,
            _ => Quantifier::AtLeast(self.boxed(depth)),
        }
    }

    fn expansion(&mut self, base: Expr, levels: u32, depth: usize) -> Expansion {
        self.current += 1;
        let expansion = Expansion {
            base,
            levels,
            filter: self.option(|m| m.expr(depth)),
            limit: self.option(|m| (m.option(|m| m.expr(depth)), m.expr(depth))),
            projection: self.option(|m| m.expr(depth)),
            tail: None,
        };
        self.current -= 1;
        expansion
    }

    fn array_filter(&mut self, base: Expr, depth: usize) -> ArrayFilter {
        self.current += 1;
        let filter = self.option(|m| m.expr(depth));
        let quantifier = match filter {
            Some(_) => self.option(|m| match m.flag() {
                true => Quantifier::Exactly(m.boxed(depth)),
                false => m.quantifier(depth),
            }),
            None => None,
        };
        self.current -= 1;
        ArrayFilter {
            base,
            quantifier,
            filter,
        }
    }

    /// Accesses after an expansion: some, and perhaps another expansion with its own.
    fn tail(&mut self, depth: usize) -> Option<Expr> {
        let mut chain = of_expr(ExprKind::Element);
        let accesses = self.below(3);
        for _ in 0..accesses {
            let base = Box::new(chain);
            chain = of_expr(match self.below(3) {
                0 => ExprKind::Attribute {
                    base,
                    name: self.attribute_name(),
                },
                1 => ExprKind::Index {
                    base,
                    index: self.boxed(depth),
                },
                _ => ExprKind::ArrayFilter(Box::new(self.array_filter(*base, depth))),
            });
        }
        if depth > 0 && self.flag() {
            let mut expansion = self.expansion(chain, 1, depth);
            expansion.tail = self.tail(depth - 1);
            return Some(of_expr(ExprKind::Expansion(Box::new(expansion))));
        }
        (accesses > 0).then_some(chain)
    }
}

fn of_expr(kind: ExprKind) -> Expr {
    Expr { kind, span: SPAN }
}

fn of_statement(kind: StatementKind) -> Statement {
    Statement { kind, span: SPAN }
}
