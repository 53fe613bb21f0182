//! What planning asks of a syntax tree beyond the questions that the tree answers itself.

use aql_syntax::ast::{Expr, ExprKind};
use aql_syntax::visit::{Node, walk_expr};

/// Whether a subquery stands in the expression.
pub(crate) fn has_subquery(expression: &Expr) -> bool {
    let mut found = false;
    walk_expr(expression, &mut |node| {
        if let Node::Expr(expr) = node {
            found |= matches!(expr.kind, ExprKind::Subquery(_));
        }
    });
    found
}
