//! Expressions as the server's AST: `type`, `typeID`, and what each type carries.

use aql_syntax::ast::{BinaryOp, UnaryOp};
use serde_json::{Value as Json, json};

use crate::engine::plan::Plan;
use crate::engine::plan::expression::{Ex, Item, Part, Quantifier, VarId};
use crate::value::Value;

/// The name and number of a binary operator.
pub(super) fn binary(op: BinaryOp) -> (&'static str, u8) {
    match op {
        BinaryOp::And => ("logical and", 18),
        BinaryOp::Or => ("logical or", 19),
        BinaryOp::Add => ("plus", 20),
        BinaryOp::Subtract => ("minus", 21),
        BinaryOp::Multiply => ("times", 22),
        BinaryOp::Divide => ("division", 23),
        BinaryOp::Modulo => ("modulus", 24),
        BinaryOp::Equal => ("compare ==", 25),
        BinaryOp::NotEqual => ("compare !=", 26),
        BinaryOp::Less => ("compare <", 27),
        BinaryOp::LessEqual => ("compare <=", 28),
        BinaryOp::Greater => ("compare >", 29),
        BinaryOp::GreaterEqual => ("compare >=", 30),
        BinaryOp::In => ("compare in", 31),
        BinaryOp::NotIn => ("compare not in", 32),
        // The text operators are shown as the calls that they are short for.
        BinaryOp::Like | BinaryOp::NotLike | BinaryOp::Match | BinaryOp::NotMatch => {
            ("function call", 47)
        }
    }
}

/// The name and number of a comparison with a quantifier.
pub(super) fn array_compare(op: BinaryOp) -> (&'static str, u8) {
    match op {
        BinaryOp::NotEqual => ("array compare !=", 66),
        BinaryOp::Less => ("array compare <", 67),
        BinaryOp::LessEqual => ("array compare <=", 68),
        BinaryOp::Greater => ("array compare >", 69),
        BinaryOp::GreaterEqual => ("array compare >=", 70),
        BinaryOp::In => ("array compare in", 71),
        BinaryOp::NotIn => ("array compare not in", 72),
        _ => ("array compare ==", 65),
    }
}

/// The name and number of a unary operator.
pub(super) fn unary(op: UnaryOp) -> (&'static str, u8) {
    match op {
        UnaryOp::Plus => ("unary plus", 15),
        UnaryOp::Minus => ("unary minus", 16),
        UnaryOp::Not => ("unary not", 17),
    }
}

/// An expression of a plan.
pub(super) fn expression(plan: &Plan, ex: &Ex) -> Json {
    match ex {
        Ex::Const(value) => constant(value),
        Ex::Var(id) => reference(plan, *id),
        Ex::Attribute(base, name) => json!({
            "type": "attribute access",
            "typeID": 35,
            "name": &**name,
            "subNodes": [expression(plan, base)],
        }),
        Ex::Index(base, index) => node(
            "indexed access",
            37,
            vec![expression(plan, base), expression(plan, index)],
        ),
        Ex::Array(items) => node(
            "array",
            41,
            items
                .iter()
                .map(|(Item::Value(item) | Item::Spread(item))| expression(plan, item))
                .collect(),
        ),
        Ex::Object(parts) => node(
            "object",
            42,
            parts.iter().map(|one| part(plan, one)).collect(),
        ),
        Ex::Call(function, arguments) => call(plan, "function call", 47, function.name, arguments),
        Ex::UserCall(name, arguments) => call(plan, "user function call", 48, name, arguments),
        Ex::Unary(op, operand) => {
            let (name, id) = unary(*op);
            node(name, id, vec![expression(plan, operand)])
        }
        Ex::Binary(op, left, right) => {
            let (name, id) = binary(*op);
            comparison(
                name,
                id,
                *op,
                vec![expression(plan, left), expression(plan, right)],
            )
        }
        Ex::Among {
            negated,
            value,
            list,
        } => {
            let (name, id) = binary(if *negated {
                BinaryOp::NotIn
            } else {
                BinaryOp::In
            });
            let operands = vec![expression(plan, value), expression(plan, list)];
            json!({ "type": name, "typeID": id, "sorted": true, "subNodes": operands })
        }
        Ex::ArrayCompare(quantifier, op, left, right) => {
            let (name, id) = array_compare(*op);
            let operands = vec![
                expression(plan, left),
                expression(plan, right),
                self::quantifier(plan, quantifier),
            ];
            let mut shown = node(name, id, operands);
            if let (71 | 72, Json::Object(shown)) = (id, &mut shown) {
                shown.insert("sorted".into(), false.into());
            }
            shown
        }
        Ex::Ternary(condition, then, otherwise) => {
            let mut operands = vec![expression(plan, condition)];
            operands.extend(then.iter().map(|then| expression(plan, then)));
            operands.push(expression(plan, otherwise));
            node("ternary", 33, operands)
        }
        Ex::Range(from, to) => node(
            "range",
            49,
            vec![expression(plan, from), expression(plan, to)],
        ),
        Ex::Expansion(expansion) => {
            let projection = expansion.projection.as_ref();
            let limit = match &expansion.limit {
                Some((offset, count)) => node(
                    "array limit",
                    57,
                    vec![expression(plan, offset), expression(plan, count)],
                ),
                None => nothing(),
            };
            json!({
                "type": "expansion",
                "typeID": 38,
                "levels": expansion.levels,
                "booleanize": false,
                "subNodes": [
                    iterator(plan, expansion.current, &expansion.base),
                    projection.map_or_else(
                        || reference(plan, expansion.current),
                        |projection| expression(plan, projection),
                    ),
                    expansion.filter.as_ref().map_or_else(nothing, |filter| expression(plan, filter)),
                    limit,
                    nothing(),
                ],
            })
        }
        Ex::ArrayFilter(filter) => {
            let condition = filter
                .filter
                .as_ref()
                .map_or_else(nothing, |filter| expression(plan, filter));
            let filtered = node(
                "array filter",
                81,
                vec![self::quantifier(plan, &filter.quantifier), condition],
            );
            json!({
                "type": "expansion",
                "typeID": 38,
                "levels": 1,
                "booleanize": true,
                "subNodes": [
                    iterator(plan, filter.current, &filter.base),
                    reference(plan, filter.current),
                    filtered,
                    nothing(),
                    nothing(),
                ],
            })
        }
    }
}

/// A constant: arrays and objects as `raw`, all else as `value` with the number of its type.
pub(super) fn constant(value: &Value) -> Json {
    let (name, id, kind) = match value {
        Value::Array(_) => return json!({ "type": "array", "typeID": 41, "raw": value.to_json() }),
        Value::Object(_) => {
            return json!({ "type": "object", "typeID": 42, "raw": value.to_json() });
        }
        Value::Null => ("value", 40, 0),
        Value::Bool(_) => ("value", 40, 1),
        Value::Int(_) => ("value", 40, 2),
        Value::Double(_) => ("value", 40, 3),
        Value::String(_) => ("value", 40, 4),
    };
    json!({ "type": name, "typeID": id, "value": value.to_json(), "vTypeID": kind })
}

fn node(name: &str, id: u8, operands: Vec<Json>) -> Json {
    json!({ "type": name, "typeID": id, "subNodes": operands })
}

fn nothing() -> Json {
    json!({ "type": "no-op", "typeID": 50 })
}

fn comparison(name: &str, id: u8, op: BinaryOp, operands: Vec<Json>) -> Json {
    let mut shown = node(name, id, operands);
    if let Json::Object(shown) = &mut shown {
        match op {
            BinaryOp::Equal | BinaryOp::Less | BinaryOp::LessEqual => {
                shown.insert("excludesNull".into(), false.into());
            }
            BinaryOp::In | BinaryOp::NotIn => {
                shown.insert("sorted".into(), false.into());
            }
            _ => {}
        }
    }
    shown
}

fn reference(plan: &Plan, id: VarId) -> Json {
    let (label, subquery) = match plan.variables.get(id) {
        Some(variable) => (variable.label(id), variable.subquery),
        None => (id.to_string(), false),
    };
    json!({
        "type": "reference",
        "typeID": 45,
        "name": label,
        "id": id,
        "subqueryReference": subquery,
    })
}

fn iterator(plan: &Plan, current: VarId, base: &Ex) -> Json {
    let label = plan
        .variables
        .get(current)
        .map_or_else(|| current.to_string(), |one| one.label(current));
    let variable = json!({ "type": "variable", "typeID": 13, "name": label, "id": current });
    node("iterator", 39, vec![variable, expression(plan, base)])
}

fn quantifier(plan: &Plan, quantifier: &Quantifier) -> Json {
    let (name, operands) = match quantifier {
        Quantifier::All => ("all", Vec::new()),
        Quantifier::Any => ("any", Vec::new()),
        Quantifier::None => ("none", Vec::new()),
        Quantifier::AtLeast(least) => ("at least", vec![expression(plan, least)]),
        Quantifier::Exactly(exactly) => return expression(plan, exactly),
        Quantifier::Between(low, high) => {
            return node(
                "range",
                49,
                vec![expression(plan, low), expression(plan, high)],
            );
        }
    };
    let mut shown = json!({ "type": "quantifier", "typeID": 73, "quantifier": name });
    if let (false, Json::Object(shown)) = (operands.is_empty(), &mut shown) {
        shown.insert("subNodes".into(), Json::Array(operands));
    }
    shown
}

fn part(plan: &Plan, part: &Part) -> Json {
    match part {
        Part::Named(name, value) => json!({
            "type": "object element",
            "typeID": 43,
            "name": &**name,
            "subNodes": [expression(plan, value)],
        }),
        Part::Computed(name, value) => node(
            "calculated object element",
            53,
            vec![expression(plan, name), expression(plan, value)],
        ),
        Part::Spread(value) => expression(plan, value),
    }
}

/// A call: arguments that are all constant are one raw array.
fn call(plan: &Plan, kind: &str, id: u8, name: &str, arguments: &[Ex]) -> Json {
    let constants: Option<Vec<Value>> = arguments
        .iter()
        .map(|argument| argument.constant().cloned())
        .collect();
    let arguments = match constants {
        Some(constants) => constant(&Value::array(constants)),
        None => node(
            "array",
            41,
            arguments
                .iter()
                .map(|argument| expression(plan, argument))
                .collect(),
        ),
    };
    json!({ "type": kind, "typeID": id, "name": name, "subNodes": [arguments] })
}
