//! Constants as far as the gate computes them: literals, bound values, and arithmetic on whole numbers.

use aql_syntax::approximate;
use aql_syntax::ast::{ArrayItem, BinaryOp, Expr, ExprKind, UnaryOp};

use super::super::binds::{self, Binds};
use crate::json;

/// How deep arithmetic is followed. Deeper is not a number that someone wrote down.
const MAX_DEPTH: u32 = 16;

/// The text that an expression is.
pub(super) fn text(expr: &Expr, binds: &Binds<'_>) -> Option<String> {
    match &expr.kind {
        ExprKind::String(text) => Some(text.clone()),
        ExprKind::Parameter(name) => binds::text(binds.value(&name.text)?).map(Into::into),
        _ => None,
    }
}

/// The text or texts that an expression is. Items that are no texts name nothing; what is not known yet is no constant.
pub(super) fn texts(expr: &Expr, binds: &Binds<'_>) -> Option<Vec<String>> {
    match &expr.kind {
        ExprKind::Array(items) => {
            let mut texts = Vec::new();
            for item in items {
                let ArrayItem::Value(value) = item else {
                    return None;
                };
                texts.push(text(value, binds)?);
            }
            Some(texts)
        }
        ExprKind::Parameter(name) => {
            let raw = binds.value(&name.text)?;
            let Some(items) = json::items(raw) else {
                return text(expr, binds).map(|text| vec![text]);
            };
            let mut texts = Vec::new();
            for raw in items {
                texts.push(binds::text(raw)?.into_owned());
            }
            Some(texts)
        }
        _ => text(expr, binds).map(|text| vec![text]),
    }
}

/// The number that an expression is.
pub(super) fn number(expr: &Expr, binds: &Binds<'_>) -> Option<f64> {
    number_within(expr, binds, MAX_DEPTH)
}

fn number_within(expr: &Expr, binds: &Binds<'_>, depth: u32) -> Option<f64> {
    let depth = depth.checked_sub(1)?;
    match &expr.kind {
        #[allow(clippy::cast_precision_loss, reason = "the bounds are far below 2^53")]
        ExprKind::Integer(number) => Some(*number as f64),
        ExprKind::Double(number) => Some(number.approximate()),
        ExprKind::Parameter(name) => approximate(binds.value(&name.text)?.trim()),
        ExprKind::String(text) => approximate(text.trim()),
        ExprKind::Unary {
            op: UnaryOp::Minus,
            operand,
        } => number_within(operand, binds, depth).map(|number| -number),
        ExprKind::Unary {
            op: UnaryOp::Plus,
            operand,
        } => number_within(operand, binds, depth),
        ExprKind::Binary { op, left, right } => {
            let left = number_within(left, binds, depth)?;
            let right = number_within(right, binds, depth)?;
            match op {
                BinaryOp::Add => Some(left + right),
                BinaryOp::Subtract => Some(left - right),
                BinaryOp::Multiply => Some(left * right),
                BinaryOp::Divide => Some(left / right),
                _ => None,
            }
        }
        _ => None,
    }
}
