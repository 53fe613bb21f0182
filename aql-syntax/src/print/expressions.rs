//! How expressions are written, and where they need parentheses.
//!
//! An operand stays bare where the parser would group it the same way: left of an operator what holds at least as tight as
//! the operator takes, right of it what takes tighter than the operator holds. Two kinds take their left side looser or
//! tighter than they hold their right one, the quantified comparisons and `NOT LIKE`; as operands they count as the looser.

use std::borrow::Cow;

use crate::ast::*;
use crate::precedence::{AT_LEAST, IN, QUANTIFIER, RANGE, TERNARY, UNARY, level_of};

use super::{Piece, Pieces};

impl<'a> Pieces<'a> {
    pub(super) fn expression(&mut self, expr: &'a Expr) {
        match &expr.kind {
            ExprKind::Null => self.text("null"),
            ExprKind::Bool(true) => self.text("true"),
            ExprKind::Bool(false) => self.text("false"),
            ExprKind::Integer(n) => self.0.push(Piece::Text(Cow::Owned(n.to_string()))),
            ExprKind::Double(n) => self.0.push(Piece::Text(Cow::Owned(double(n.value())))),
            ExprKind::String(text) => self.0.push(Piece::Literal(text)),
            ExprKind::Array(items) => self.array(items),
            ExprKind::Object(items) => self.object(items),
            ExprKind::Variable(name) => self.name(name),
            ExprKind::DataSource(source) => self.data_source(source),
            ExprKind::Parameter(name) => self.parameter(name),
            // The root of a tail stands for what is written already.
            ExprKind::Element => {}
            ExprKind::Attribute { base, name } => {
                self.base(base);
                self.text(".");
                match name {
                    AttributeName::Static(name) => self.name(name),
                    AttributeName::Parameter(name) => self.parameter(name),
                }
            }
            ExprKind::Index { base, index } => {
                self.base(base);
                self.text("[");
                self.expr(index);
                self.text("]");
            }
            ExprKind::Expansion(expansion) => self.expansion(expansion),
            ExprKind::ArrayFilter(filter) => self.array_filter(filter),
            ExprKind::Call { name, arguments } => self.call(name, arguments),
            ExprKind::Subquery(body) => {
                self.text("(");
                self.0.push(Piece::Body(body));
                self.text(")");
            }
            _ => self.operation(&expr.kind),
        }
    }

    fn operation(&mut self, kind: &'a ExprKind) {
        match kind {
            ExprKind::Unary { op, operand } => {
                self.text(match op {
                    UnaryOp::Plus => "+",
                    UnaryOp::Minus => "-",
                    UnaryOp::Not => "NOT ",
                });
                self.operand(operand, level(operand) >= UNARY);
            }
            ExprKind::Binary { op, left, right } => {
                let takes = match op {
                    BinaryOp::NotLike => IN,
                    op => level_of(*op),
                };
                self.operand(left, level(left) >= takes);
                self.text(word(*op));
                self.operand(right, level(right) > level_of(*op));
            }
            ExprKind::ArrayCompare {
                quantifier,
                op,
                left,
                right,
            } => {
                let takes = match quantifier {
                    Quantifier::AtLeast(_) => AT_LEAST,
                    _ => QUANTIFIER,
                };
                self.operand(left, level(left) >= takes);
                self.text(" ");
                self.quantifier(quantifier);
                self.text(word(*op));
                self.operand(right, level(right) > level_of(*op));
            }
            ExprKind::Range { from, to } => self.range(from, to),
            ExprKind::Ternary {
                condition,
                then,
                otherwise,
            } => {
                self.operand(condition, level(condition) > TERNARY);
                match then {
                    Some(then) => {
                        self.clause(" ? ", Some(then));
                        self.text(" : ");
                    }
                    None => self.text(" ?: "),
                }
                self.expr(otherwise);
            }
            _ => {}
        }
    }

    pub(super) fn range(&mut self, from: &'a Expr, to: &'a Expr) {
        self.operand(from, level(from) >= RANGE);
        self.text("..");
        self.operand(to, level(to) > RANGE);
    }

    fn operand(&mut self, expr: &'a Expr, is_bare: bool) {
        if is_bare {
            self.expr(expr);
        } else {
            self.text("(");
            self.expr(expr);
            self.text(")");
        }
    }

    /// What an access follows. An expansion gets parentheses, else the access would belong to its tail.
    fn base(&mut self, base: &'a Expr) {
        self.operand(
            base,
            is_reference(base) && !matches!(base.kind, ExprKind::Expansion(_)),
        );
    }

    fn array(&mut self, items: &'a [ArrayItem]) {
        self.text("[");
        self.list(items, |out, item| match item {
            ArrayItem::Value(value) => out.expr(value),
            ArrayItem::Spread(value) => out.clause("...", Some(value)),
        });
        self.text("]");
    }

    fn object(&mut self, items: &'a [ObjectItem]) {
        self.text("{");
        self.list(items, |out, item| match item {
            ObjectItem::Attribute(name, value) => {
                out.name(name);
                out.clause(": ", Some(value));
            }
            ObjectItem::Parameter(name, value) => {
                out.parameter(name);
                out.clause(": ", Some(value));
            }
            ObjectItem::Computed(key, value) => {
                out.clause("[", Some(key));
                out.clause("]: ", Some(value));
            }
            ObjectItem::Spread(value) => out.clause("...", Some(value)),
        });
        self.text("}");
    }

    fn expansion(&mut self, e: &'a Expansion) {
        match e.levels {
            0 | 1 => self.base(&e.base),
            // Several levels flatten all that precedes them, so that an expansion may stand bare.
            _ => self.operand(&e.base, is_reference(&e.base)),
        }
        self.text("[");
        for _ in 0..e.levels.max(1) {
            self.text("*");
        }
        self.clause(" FILTER ", e.filter.as_ref());
        if let Some((offset, count)) = &e.limit {
            self.text(" LIMIT ");
            self.list(offset.iter().chain([count]), |out, operand| {
                out.expr(operand)
            });
        }
        self.clause(" RETURN ", e.projection.as_ref());
        self.text("]");
        if let Some(tail) = &e.tail {
            self.expr(tail);
        }
    }

    fn array_filter(&mut self, f: &'a ArrayFilter) {
        self.base(&f.base);
        self.text("[?");
        if let Some(quantifier) = &f.quantifier {
            self.text(" ");
            self.quantifier(quantifier);
        }
        self.clause(" FILTER ", f.filter.as_ref());
        self.text("]");
    }

    fn quantifier(&mut self, quantifier: &'a Quantifier) {
        match quantifier {
            Quantifier::All => self.text("ALL"),
            Quantifier::Any => self.text("ANY"),
            Quantifier::None => self.text("NONE"),
            Quantifier::AtLeast(count) => {
                self.clause("AT LEAST (", Some(count));
                self.text(")");
            }
            Quantifier::Exactly(count) => self.expr(count),
        }
    }

    fn call(&mut self, name: &'a FunctionName, arguments: &'a [Expr]) {
        for (i, part) in name.parts.iter().enumerate() {
            if i > 0 {
                self.text("::");
            }
            // `LIKE` is quoted too: bare, it would join a direction before it, as in `1..2 ANY LIKE(…)`.
            self.name(part);
        }
        self.arguments(arguments);
    }

    /// Arguments in parentheses; a subquery needs none of its own among them.
    pub(super) fn arguments(&mut self, arguments: &'a [Expr]) {
        self.text("(");
        self.list(arguments, |out, argument| match &argument.kind {
            ExprKind::Subquery(body) => out.0.push(Piece::Body(body)),
            _ => out.expr(argument),
        });
        self.text(")");
    }
}

/// How tight an expression holds together, seen from either side.
fn level(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Unary { .. } => UNARY,
        ExprKind::Integer(n) if *n < 0 => UNARY,
        ExprKind::Double(n) if n.value().is_sign_negative() => UNARY,
        ExprKind::Binary { op, .. } => level_of(*op),
        ExprKind::ArrayCompare { .. } => QUANTIFIER,
        ExprKind::Range { .. } => RANGE,
        ExprKind::Ternary { .. } => TERNARY,
        _ => UNARY + 1,
    }
}

/// Whether accesses may follow the expression bare: whether it is what the grammar calls a reference.
fn is_reference(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Null
        | ExprKind::Bool(_)
        | ExprKind::Integer(_)
        | ExprKind::Double(_)
        | ExprKind::String(_) => false,
        _ => level(expr) > UNARY,
    }
}

/// A double so that it reads back as one: with a point or an exponent.
fn double(n: f64) -> String {
    format!("{n:?}")
}

fn word(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Or => " OR ",
        BinaryOp::And => " AND ",
        BinaryOp::Add => " + ",
        BinaryOp::Subtract => " - ",
        BinaryOp::Multiply => " * ",
        BinaryOp::Divide => " / ",
        BinaryOp::Modulo => " % ",
        BinaryOp::Equal => " == ",
        BinaryOp::NotEqual => " != ",
        BinaryOp::Less => " < ",
        BinaryOp::LessEqual => " <= ",
        BinaryOp::Greater => " > ",
        BinaryOp::GreaterEqual => " >= ",
        BinaryOp::In => " IN ",
        BinaryOp::NotIn => " NOT IN ",
        BinaryOp::Like => " LIKE ",
        BinaryOp::NotLike => " NOT LIKE ",
        BinaryOp::Match => " =~ ",
        BinaryOp::NotMatch => " !~ ",
    }
}
