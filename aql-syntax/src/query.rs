//! What is asked of a query most: does it write, what does it read, what does it call.

use crate::ast::{DataSource, Expr, ExprKind, FunctionName, Query, StatementKind};
use crate::visit::{Node, walk_query};

/// A bind parameter as a query uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BindParameter<'a> {
    /// `@name`: a value, or the name of an attribute or a graph.
    Value(&'a str),
    /// `@@name`: a collection or view; its key in the bind variables is `@name`.
    DataSource(&'a str),
}

impl Query {
    /// Visits every node, each before what it holds, without recursion.
    ///
    /// ```
    /// use aql_syntax::visit::Node;
    ///
    /// let query = aql_syntax::parse("FOR d IN docs RETURN (FOR e IN others RETURN e)")?;
    /// let mut bodies = 0;
    /// query.walk(|node| bodies += usize::from(matches!(node, Node::Body(_))));
    /// assert_eq!(bodies, 2);
    /// # Ok::<(), aql_syntax::SyntaxError>(())
    /// ```
    pub fn walk<'a>(&'a self, mut visit: impl FnMut(Node<'a>)) {
        walk_query(self, &mut visit);
    }

    /// Whether a statement at any depth writes.
    pub fn modifies(&self) -> bool {
        let mut modifies = false;
        self.walk(|node| {
            if let Node::Statement(statement) = node {
                modifies |= matches!(statement.kind, StatementKind::Modify(_));
            }
        });
        modifies
    }

    /// The collections and views that the text names, each as often as it does.
    ///
    /// Those of a named graph are not among them, nor those that functions reach by a text.
    pub fn data_sources(&self) -> Vec<&DataSource> {
        let mut sources = Vec::new();
        self.walk(|node| {
            if let Node::DataSource(source) = node {
                sources.push(source);
            }
        });
        sources
    }

    /// The functions that the query calls with their arguments, aggregates apart.
    pub fn calls(&self) -> Vec<(&FunctionName, &[Expr])> {
        let mut calls = Vec::new();
        self.walk(|node| {
            if let Node::Expr(Expr {
                kind: ExprKind::Call { name, arguments },
                ..
            }) = node
            {
                calls.push((name, arguments.as_slice()));
            }
        });
        calls
    }

    /// The bind parameters, each once, values first.
    pub fn bind_parameters(&self) -> Vec<BindParameter<'_>> {
        let mut parameters = Vec::new();
        self.walk(|node| match node {
            Node::Parameter(name)
            | Node::Expr(Expr {
                kind: ExprKind::Parameter(name),
                ..
            }) => parameters.push(BindParameter::Value(&name.text)),
            Node::DataSource(DataSource::Parameter(name)) => {
                parameters.push(BindParameter::DataSource(&name.text))
            }
            _ => {}
        });
        parameters.sort_unstable();
        parameters.dedup();
        parameters
    }

    /// The offset and count of the last `LIMIT`, where it alone decides how many rows there are at most: no loop, `FILTER`,
    /// `COLLECT`, `DISTINCT` or modification comes after it.
    pub fn outermost_limit(&self) -> Option<(Option<&Expr>, &Expr)> {
        for statement in self.body.statements.iter().rev() {
            match &statement.kind {
                StatementKind::Limit { offset, count } => return Some((offset.as_ref(), count)),
                StatementKind::Let(_)
                | StatementKind::Sort(_)
                | StatementKind::Window(_)
                | StatementKind::Return {
                    distinct: false, ..
                } => {}
                _ => return None,
            }
        }
        None
    }
}
