//! As much of AQL as the recordings of functions need: `LET`s with literals and calls, and one `RETURN`.

use std::collections::BTreeMap;

use aql_syntax::ast::{
    ArrayItem, AttributeName, BinaryOp, Expr, ExprKind, ObjectItem, Pattern, StatementKind, UnaryOp,
};
use embedded_arango::value::{Object, Value};

use super::Query;

/// Why a query has no result here.
#[derive(Debug)]
pub(crate) enum Stop {
    /// It needs more than this evaluator has.
    Beyond,
    /// It fails with the number.
    Failed(u16),
}

/// The row that a query returns.
pub(crate) fn row(query: &mut Query, text: &str) -> Result<Value, Stop> {
    let parsed = aql_syntax::parse(text).map_err(|_| Stop::Beyond)?;
    let mut variables = BTreeMap::new();
    for statement in &parsed.body.statements {
        match &statement.kind {
            StatementKind::Let(pairs) => {
                for (pattern, value) in pairs {
                    let Pattern::Variable(name) = pattern else {
                        return Err(Stop::Beyond);
                    };
                    let value = expression(query, &variables, value)?;
                    variables.insert(name.text.clone(), value);
                }
            }
            StatementKind::Return {
                value,
                distinct: false,
            } => return expression(query, &variables, value),
            _ => return Err(Stop::Beyond),
        }
    }
    Err(Stop::Beyond)
}

fn expression(
    query: &mut Query,
    variables: &BTreeMap<String, Value>,
    expr: &Expr,
) -> Result<Value, Stop> {
    let mut eval = |expr: &Expr| expression(query, variables, expr);
    Ok(match &expr.kind {
        ExprKind::Null => Value::Null,
        ExprKind::Bool(truth) => Value::Bool(*truth),
        ExprKind::Integer(number) => Value::Int(*number),
        ExprKind::Double(number) => Value::Double(number.value()),
        ExprKind::String(text) => Value::from(text.as_str()),
        ExprKind::Variable(name) => variables.get(&name.text).cloned().ok_or(Stop::Beyond)?,
        ExprKind::Array(items) => {
            let mut out = Vec::new();
            for item in items {
                let ArrayItem::Value(item) = item else {
                    return Err(Stop::Beyond);
                };
                out.push(eval(item)?);
            }
            Value::array(out)
        }
        ExprKind::Object(items) => {
            let mut out = Object::new();
            for item in items {
                let ObjectItem::Attribute(name, value) = item else {
                    return Err(Stop::Beyond);
                };
                out.insert(name.text.as_str(), eval(value)?);
            }
            Value::object(out)
        }
        ExprKind::Attribute {
            base,
            name: AttributeName::Static(name),
        } => eval(base)?.get(&name.text),
        ExprKind::Index { base, index } => {
            let (base, index) = (eval(base)?, eval(index)?);
            index
                .as_str()
                .map_or_else(|| base.at(index.to_i64()), |name| base.get(name))
        }
        ExprKind::Unary { op, operand } => match (op, eval(operand)?) {
            (UnaryOp::Not, operand) => Value::Bool(!operand.is_true()),
            (UnaryOp::Plus, operand) => operand.to_number(),
            (UnaryOp::Minus, Value::Int(number)) => Value::Int(-number),
            (UnaryOp::Minus, operand) => Value::from_f64_narrow(-operand.to_f64()),
        },
        ExprKind::Binary { op, left, right } => binary(*op, &eval(left)?, &eval(right)?)?,
        ExprKind::Range { from, to } => Value::array(
            (eval(from)?.to_i64()..=eval(to)?.to_i64())
                .map(Value::Int)
                .collect(),
        ),
        ExprKind::Call { name, arguments } => {
            let args: Vec<Value> = arguments.iter().map(eval).collect::<Result<_, _>>()?;
            let [name] = name.parts.as_slice() else {
                return Err(Stop::Beyond);
            };
            query
                .call(&name.text, &args)
                .map_err(|error| Stop::Failed(error.number))?
        }
        _ => return Err(Stop::Beyond),
    })
}

fn binary(op: BinaryOp, left: &Value, right: &Value) -> Result<Value, Stop> {
    let numbers =
        |apply: fn(f64, f64) -> f64| Value::from_f64_narrow(apply(left.to_f64(), right.to_f64()));
    Ok(match op {
        BinaryOp::Add => numbers(|a, b| a + b),
        BinaryOp::Subtract => numbers(|a, b| a - b),
        BinaryOp::Multiply => numbers(|a, b| a * b),
        BinaryOp::Divide => numbers(|a, b| a / b),
        BinaryOp::Equal => Value::Bool(left == right),
        BinaryOp::NotEqual => Value::Bool(left != right),
        BinaryOp::Less => Value::Bool(left < right),
        BinaryOp::Greater => Value::Bool(left > right),
        _ => return Err(Stop::Beyond),
    })
}
