//! A walk over all that a query holds.
//!
//! The walk keeps its own stack, so that a high tree costs no recursion. It reaches everything: statements in order, and in
//! each its expressions, data sources, subqueries, options and patterns. Nodes come before what they hold, in the order of
//! the text but for where a statement names its parts otherwise.

use crate::ast::*;

/// What a walk meets.
#[derive(Clone, Copy, Debug)]
pub enum Node<'a> {
    /// The statements of the query or of a subquery.
    Body(&'a Body),
    /// A statement.
    Statement(&'a Statement),
    /// An expression. One that is a data source comes again as [`Node::DataSource`].
    Expr(&'a Expr),
    /// A collection or view, wherever one is named: in `WITH`, in expressions, among edges, or written to.
    DataSource(&'a DataSource),
    /// The graph of a traversal or path search. Its edge collections follow as [`Node::DataSource`].
    Graph(&'a GraphSubject),
    /// A value bind parameter outside of expressions: the name of an attribute, of an object's key or of a graph.
    Parameter(&'a Name),
    /// What an assignment or a loop binds. Patterns within follow.
    Pattern(&'a Pattern),
    /// One aggregate of `COLLECT` or `WINDOW`.
    Aggregate(&'a Aggregate),
}

/// Walks a query from its first node on.
pub(crate) fn walk_query<'a>(query: &'a Query, visit: &mut dyn FnMut(Node<'a>)) {
    for source in &query.with {
        visit(Node::DataSource(source));
    }
    walk(Node::Body(&query.body), visit);
}

/// Walks an expression and all within it.
pub fn walk_expr<'a>(expr: &'a Expr, visit: &mut dyn FnMut(Node<'a>)) {
    walk(Node::Expr(expr), visit);
}

fn walk<'a>(first: Node<'a>, visit: &mut dyn FnMut(Node<'a>)) {
    let mut stack = vec![first];
    let mut within = Vec::new();
    while let Some(node) = stack.pop() {
        visit(node);
        children(node, &mut within);
        stack.extend(within.drain(..).rev());
    }
}

/// Adds what a node holds directly.
fn children<'a>(node: Node<'a>, out: &mut Vec<Node<'a>>) {
    match node {
        Node::Body(body) => out.extend(body.statements.iter().map(Node::Statement)),
        Node::Statement(statement) => statement_children(&statement.kind, out),
        Node::Expr(expr) => expr_children(&expr.kind, out),
        Node::Graph(GraphSubject::Edges(edges)) => {
            out.extend(edges.iter().map(|(_, source)| Node::DataSource(source)));
        }
        Node::Graph(GraphSubject::Parameter(name)) => out.push(Node::Parameter(name)),
        Node::Graph(GraphSubject::Named(_)) | Node::DataSource(_) | Node::Parameter(_) => {}
        Node::Pattern(Pattern::Variable(_)) => {}
        Node::Pattern(Pattern::Array(parts, _)) => {
            out.extend(parts.iter().flatten().map(Node::Pattern))
        }
        Node::Pattern(Pattern::Object(parts, _)) => {
            out.extend(parts.iter().map(|(_, p)| Node::Pattern(p)))
        }
        Node::Aggregate(aggregate) => out.extend(aggregate.arguments.iter().map(Node::Expr)),
    }
}

fn statement_children<'a>(kind: &'a StatementKind, out: &mut Vec<Node<'a>>) {
    match kind {
        StatementKind::For(s) => {
            out.push(Node::Pattern(&s.target));
            out.push(Node::Expr(&s.source));
            out.extend(s.search.iter().map(Node::Expr));
            out.extend(s.options.iter().map(Node::Expr));
        }
        StatementKind::Traversal(s) => {
            depth_children(&s.depth, out);
            out.push(Node::Expr(&s.start));
            out.push(Node::Graph(&s.graph));
            out.extend(s.prune.iter().map(|(_, condition)| Node::Expr(condition)));
            out.extend(s.options.iter().map(Node::Expr));
        }
        StatementKind::ShortestPath(s) => {
            out.extend([
                Node::Expr(&s.from),
                Node::Expr(&s.to),
                Node::Graph(&s.graph),
            ]);
            out.extend(s.options.iter().map(Node::Expr));
        }
        StatementKind::Paths(s) => {
            depth_children(&s.depth, out);
            out.extend([
                Node::Expr(&s.from),
                Node::Expr(&s.to),
                Node::Graph(&s.graph),
            ]);
            out.extend(s.options.iter().map(Node::Expr));
        }
        StatementKind::Let(bindings) => binding_children(bindings, out),
        StatementKind::Filter(condition) => out.push(Node::Expr(condition)),
        StatementKind::Collect(s) => {
            binding_children(&s.groups, out);
            out.extend(s.aggregates.iter().map(Node::Aggregate));
            out.extend(
                s.into
                    .iter()
                    .flat_map(|(_, projection)| projection)
                    .map(Node::Expr),
            );
            out.extend(s.options.iter().map(Node::Expr));
        }
        StatementKind::Sort(keys) => {
            for key in keys {
                out.push(Node::Expr(&key.value));
                if let SortOrder::Dynamic(order) = &key.order {
                    out.push(Node::Expr(order));
                }
            }
        }
        StatementKind::Limit { offset, count } => {
            out.extend(offset.iter().map(Node::Expr));
            out.push(Node::Expr(count));
        }
        StatementKind::Window(s) => {
            out.extend(s.range.iter().map(Node::Expr));
            out.push(Node::Expr(&s.bounds));
            out.extend(s.aggregates.iter().map(Node::Aggregate));
        }
        StatementKind::Return { value, .. } => out.push(Node::Expr(value)),
        StatementKind::Modify(s) => modification_children(s, out),
    }
}

fn depth_children<'a>(depth: &'a Option<Depth>, out: &mut Vec<Node<'a>>) {
    if let Some(depth) = depth {
        out.push(Node::Expr(&depth.min));
        out.extend(depth.max.iter().map(Node::Expr));
    }
}

fn binding_children<'a>(bindings: &'a [(Pattern, Expr)], out: &mut Vec<Node<'a>>) {
    for (pattern, value) in bindings {
        out.extend([Node::Pattern(pattern), Node::Expr(value)]);
    }
}

fn modification_children<'a>(modification: &'a Modification, out: &mut Vec<Node<'a>>) {
    match &modification.kind {
        ModificationKind::Insert { document } => out.push(Node::Expr(document)),
        ModificationKind::Remove { key } => out.push(Node::Expr(key)),
        ModificationKind::Update { key, document }
        | ModificationKind::Replace { key, document } => {
            out.extend(key.iter().map(Node::Expr));
            out.push(Node::Expr(document));
        }
        ModificationKind::Upsert {
            search: UpsertSearch::Example(search) | UpsertSearch::Filter(search),
            insert,
            update,
            ..
        } => out.extend([search, insert, update].map(Node::Expr)),
    }
    out.push(Node::DataSource(&modification.target));
    out.extend(modification.options.iter().map(Node::Expr));
}

fn expr_children<'a>(kind: &'a ExprKind, out: &mut Vec<Node<'a>>) {
    match kind {
        ExprKind::Null
        | ExprKind::Bool(_)
        | ExprKind::Integer(_)
        | ExprKind::Double(_)
        | ExprKind::String(_)
        | ExprKind::Variable(_)
        | ExprKind::Parameter(_)
        | ExprKind::Element => {}
        ExprKind::DataSource(source) => out.push(Node::DataSource(source)),
        ExprKind::Array(items) => out.extend(items.iter().map(|item| match item {
            ArrayItem::Value(value) | ArrayItem::Spread(value) => Node::Expr(value),
        })),
        ExprKind::Object(items) => items
            .iter()
            .for_each(|item| object_item_children(item, out)),
        ExprKind::Attribute { base, name } => {
            out.push(Node::Expr(base));
            if let AttributeName::Parameter(name) = name {
                out.push(Node::Parameter(name));
            }
        }
        ExprKind::Index { base, index } => out.extend([Node::Expr(base), Node::Expr(index)]),
        ExprKind::Expansion(e) => {
            out.push(Node::Expr(&e.base));
            out.extend(e.filter.iter().map(Node::Expr));
            if let Some((offset, count)) = &e.limit {
                out.extend(offset.iter().map(Node::Expr));
                out.push(Node::Expr(count));
            }
            out.extend(e.projection.iter().map(Node::Expr));
            out.extend(e.tail.iter().map(Node::Expr));
        }
        ExprKind::ArrayFilter(f) => {
            out.push(Node::Expr(&f.base));
            out.extend(f.quantifier.iter().filter_map(quantifier_child));
            out.extend(f.filter.iter().map(Node::Expr));
        }
        ExprKind::Call { arguments, .. } => out.extend(arguments.iter().map(Node::Expr)),
        ExprKind::Unary { operand, .. } => out.push(Node::Expr(operand)),
        ExprKind::Binary { left, right, .. } => out.extend([Node::Expr(left), Node::Expr(right)]),
        ExprKind::ArrayCompare {
            quantifier,
            left,
            right,
            ..
        } => {
            out.push(Node::Expr(left));
            out.extend(quantifier_child(quantifier));
            out.push(Node::Expr(right));
        }
        ExprKind::Ternary {
            condition,
            then,
            otherwise,
        } => {
            out.push(Node::Expr(condition));
            out.extend(then.iter().map(|then| Node::Expr(then)));
            out.push(Node::Expr(otherwise));
        }
        ExprKind::Range { from, to } => out.extend([Node::Expr(from), Node::Expr(to)]),
        ExprKind::Subquery(body) => out.push(Node::Body(body)),
    }
}

fn quantifier_child(quantifier: &Quantifier) -> Option<Node<'_>> {
    match quantifier {
        Quantifier::All | Quantifier::Any | Quantifier::None => None,
        Quantifier::AtLeast(count) | Quantifier::Exactly(count) => Some(Node::Expr(count)),
    }
}

fn object_item_children<'a>(item: &'a ObjectItem, out: &mut Vec<Node<'a>>) {
    match item {
        ObjectItem::Attribute(_, value) | ObjectItem::Spread(value) => out.push(Node::Expr(value)),
        ObjectItem::Parameter(name, value) => {
            out.extend([Node::Parameter(name), Node::Expr(value)])
        }
        ObjectItem::Computed(key, value) => out.extend([Node::Expr(key), Node::Expr(value)]),
    }
}
