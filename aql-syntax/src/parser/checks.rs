//! What the server checks of a statement beyond its grammar, while it parses.

use crate::ast::{Aggregate, Depth, Expr, ExprKind, ObjectItem, Pattern, UnaryOp};
use crate::token::Token;
use crate::visit::{Node, walk_expr};

use super::names::Names;
use super::{Parsed, Parser};

/// The functions that `AGGREGATE` takes.
const AGGREGATES: &[&str] = &[
    "AVERAGE",
    "AVG",
    "BIT_AND",
    "BIT_OR",
    "BIT_XOR",
    "COUNT",
    "COUNT_DISTINCT",
    "COUNT_UNIQUE",
    "LENGTH",
    "MAX",
    "MIN",
    "PUSH",
    "SORTED_UNIQUE",
    "STDDEV",
    "STDDEV_POPULATION",
    "STDDEV_SAMPLE",
    "SUM",
    "UNIQUE",
    "VARIANCE",
    "VARIANCE_POPULATION",
    "VARIANCE_SAMPLE",
];

impl Parser<'_> {
    /// Aggregates call known functions with the number of arguments that they take, and use none of their own variables.
    pub(super) fn check_aggregates(&self, aggregates: &[Aggregate], at: Token) -> Parsed<()> {
        let mut own = Names::default();
        for aggregate in aggregates {
            own.insert(&aggregate.variable.text);
            let function = aggregate.function.text.as_str();
            if !AGGREGATES.contains(&function) {
                return Err(self.error(1574, "unknown aggregate function used", at));
            }
            let counts = matches!(function, "LENGTH" | "COUNT");
            if aggregate.arguments.len() > 1 || (aggregate.arguments.is_empty() && !counts) {
                let minimum = if counts { "0" } else { "1" };
                let message = [
                    "invalid number of arguments for function '",
                    function,
                    "()', expected number of arguments: minimum: ",
                    minimum,
                    ", maximum: 1",
                ];
                return Err(self.plain(1541, message.concat(), at));
            }
            if let Some(name) = aggregate.arguments.iter().find_map(|a| own.find_in(a)) {
                let (before, after) = ("use of COLLECT variable '", "' inside same COLLECT");
                return Err(self.error_about(1512, before, name, after, at));
            }
        }
        Ok(())
    }

    /// The bounds of a `WINDOW` are `preceding` and `following`, each at most once.
    pub(super) fn check_window(&self, bounds: &Expr, at: Token) -> Parsed<()> {
        let items: &[ObjectItem] = match &bounds.kind {
            ExprKind::Object(items) => items,
            _ => &[],
        };
        if items.is_empty() {
            let message = "At least one WINDOW bound must be specified ('preceding'/'following')";
            return Err(self.error(1501, message, at));
        }
        let mut seen = Names::default();
        for item in items {
            let name = match item {
                ObjectItem::Attribute(name, _) => name.text.as_str(),
                _ => "",
            };
            if !matches!(name, "preceding" | "following") {
                let after = "'; only \"preceding\" and \"following\" are supported";
                return Err(self.error_about(1501, "Invalid WINDOW attribute '", name, after, at));
            }
            if seen.contains(name) {
                let after = "' is specified multiple times";
                return Err(self.error_about(1501, "WINDOW attribute '", name, after, at));
            }
            seen.insert(name);
        }
        Ok(())
    }

    /// `OPTIONS` are an object that is known before the query runs.
    pub(super) fn check_options(&self, options: &Expr, at: Token) -> Parsed<()> {
        if !is_object(options) {
            return Err(self.error(1501, "'OPTIONS' have to be an object", at));
        }
        if !is_fixed(options) {
            return Err(self.error(1575, "'OPTIONS' have to be known at query compile time", at));
        }
        Ok(())
    }

    /// Depths that are written out are whole and not negative, and the least is not above the greatest.
    pub(super) fn check_depth(&self, depth: &Depth) -> Parsed<()> {
        let min = bound(&depth.min);
        let max = depth.max.as_ref().map_or(min, bound);
        let is_valid = match (min, max) {
            (Bound::Invalid, _) | (_, Bound::Invalid) => false,
            (Bound::Number(min), Bound::Number(max)) => min <= max,
            _ => true,
        };
        match is_valid {
            true => Ok(()),
            false => Err(self.plain(1501, String::from("invalid traversal depth"), self.token)),
        }
    }
}

/// One end of a depth.
#[derive(Clone, Copy)]
enum Bound {
    Number(f64),
    /// Decided when the bind variables are known.
    Open,
    Invalid,
}

fn bound(expr: &Expr) -> Bound {
    match &expr.kind {
        ExprKind::Integer(n) if *n >= 0 => Bound::Number(*n as f64),
        ExprKind::Double(n) if n.approximate() == n.approximate().trunc() => {
            Bound::Number(n.approximate())
        }
        ExprKind::Unary {
            op: UnaryOp::Minus,
            operand,
        } => match bound(operand) {
            Bound::Number(0.0) => Bound::Number(0.0),
            Bound::Number(_) => Bound::Invalid,
            other => other,
        },
        ExprKind::Parameter(_)
        | ExprKind::Binary { .. }
        | ExprKind::Unary { .. }
        | ExprKind::Call { .. }
            if is_fixed(expr) =>
        {
            Bound::Open
        }
        _ => Bound::Invalid,
    }
}

pub(super) fn is_object(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Object(_))
}

/// Whether the value is settled before the query runs: it uses no variable, no data source and no subquery.
pub(super) fn is_fixed(expr: &Expr) -> bool {
    let mut fixed = true;
    walk_expr(expr, &mut |node| {
        if let Node::Expr(expr) = node {
            fixed &= !matches!(
                expr.kind,
                ExprKind::Variable(_) | ExprKind::DataSource(_) | ExprKind::Subquery(_)
            );
        }
    });
    fixed
}

impl Names {
    /// The first of these variables that an expression uses.
    pub(super) fn find_in<'e>(&self, expr: &'e Expr) -> Option<&'e str> {
        let mut found = None;
        walk_expr(expr, &mut |node| {
            if let Node::Expr(Expr {
                kind: ExprKind::Variable(name),
                ..
            }) = node
                && found.is_none()
                && self.contains(&name.text)
            {
                found = Some(name.text.as_str());
            }
        });
        found
    }
}

/// Adds what a pattern binds.
pub(super) fn pattern_names(pattern: &Pattern, names: &mut Names) {
    match pattern {
        Pattern::Variable(name) => names.insert(&name.text),
        Pattern::Array(parts, _) => parts.iter().flatten().for_each(|p| pattern_names(p, names)),
        Pattern::Object(parts, _) => parts.iter().for_each(|(_, p)| pattern_names(p, names)),
    }
}
