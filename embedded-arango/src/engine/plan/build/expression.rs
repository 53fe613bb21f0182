//! Expressions: names become variables, bind parameters become values, subqueries move out in front.
//!
//! A subquery in a part that may not be evaluated (the right side of `AND` and `OR`, the branches of a ternary) gets a
//! filter on what decides it, so that it runs only where the part counts, as from 3.12.1 on.

use aql_syntax::ast::{
    ArrayFilter as FilterSyntax, ArrayItem, AttributeName, BinaryOp, Body,
    Expansion as ExpansionSyntax, Expr, ExprKind, FunctionName, ObjectItem,
    Quantifier as QuantifierSyntax, UnaryOp,
};

use super::{Builder, bind, refused};
use crate::engine::catalog::SourceInfo;
use crate::engine::plan::expression::{ArrayFilter, Ex, Expansion, Item, Part, Quantifier, VarId};
use crate::engine::plan::walk;
use crate::error::ArangoError;
use crate::functions::{self, Function};
use crate::value::Value;

/// Functions whose first argument may be the bare name of a collection.
const TAKE_A_COLLECTION: [&str; 10] = [
    "COLLECTION_COUNT",
    "DOCUMENT",
    "FULLTEXT",
    "NEAR",
    "WITHIN",
    "WITHIN_RECTANGLE",
    "SCHEMA_GET",
    "SHARD_ID",
    "LENGTH",
    "COUNT",
];

impl Builder<'_> {
    /// Plans an expression, constants folded.
    pub(super) fn expression(&mut self, expression: &Expr) -> Result<Ex, ArangoError> {
        let built = match &expression.kind {
            ExprKind::Null => Ex::Const(Value::Null),
            ExprKind::Bool(truth) => Ex::Const(Value::Bool(*truth)),
            ExprKind::Integer(number) => Ex::Const(Value::Int(*number)),
            ExprKind::Double(number) => Ex::Const(Value::from_f64(number.value())),
            ExprKind::String(text) => Ex::Const(Value::string(text)),
            ExprKind::Parameter(name) => Ex::Const(bind::value(self.bind, &name.text)?),
            ExprKind::Variable(name) => self.named(&name.text)?,
            ExprKind::Element => self.element()?,
            ExprKind::DataSource(source) => {
                let name = self.source_name(source)?;
                self.use_source(&name)?;
                return Err(refused(
                    1568,
                    format!("collection '{name}' used as expression operand"),
                ));
            }
            ExprKind::Array(items) => self.array(items)?,
            ExprKind::Object(items) => self.object(items)?,
            ExprKind::Attribute { base, name } => {
                let base = self.expression(base)?;
                self.attribute(base, name)?
            }
            ExprKind::Index { base, index } => {
                let base = self.expression(base)?;
                match self.expression(index)? {
                    // The server shows `d["name"]` as the attribute that it is.
                    Ex::Const(Value::String(name)) if name.parse::<i64>().is_err() => {
                        Ex::Attribute(Box::new(base), name)
                    }
                    index => Ex::Index(Box::new(base), Box::new(index)),
                }
            }
            ExprKind::Expansion(expansion) => return self.expansion(expansion),
            ExprKind::ArrayFilter(filter) => self.array_filter(filter)?,
            ExprKind::Call { name, arguments } => return self.call(name, arguments),
            ExprKind::Unary { op, operand } => Ex::Unary(*op, Box::new(self.expression(operand)?)),
            ExprKind::Binary { op, left, right } => return self.binary(*op, left, right),
            ExprKind::ArrayCompare {
                quantifier,
                op,
                left,
                right,
            } => {
                let left = Box::new(self.expression(left)?);
                let right = Box::new(self.expression(right)?);
                Ex::ArrayCompare(self.quantifier(quantifier)?, *op, left, right)
            }
            ExprKind::Ternary {
                condition,
                then,
                otherwise,
            } => self.ternary(condition, then.as_deref(), otherwise)?,
            ExprKind::Range { from, to } => Ex::Range(
                Box::new(self.expression(from)?),
                Box::new(self.expression(to)?),
            ),
            ExprKind::Subquery(body) => {
                let output = self.temporary()?;
                self.subquery(body, output)?;
                Ex::Var(output)
            }
        };
        self.fold.fold(built)
    }

    /// Plans a subquery that sets the variable.
    pub(super) fn subquery(&mut self, body: &Body, output: VarId) -> Result<(), ArangoError> {
        if let Some(variable) = self.variables.get_mut(output) {
            variable.subquery = true;
        }
        self.body(body, Some(output))
    }

    fn named(&self, name: &str) -> Result<Ex, ArangoError> {
        let id = self
            .lookup(name)
            .ok_or_else(|| ArangoError::data_source_not_found(name))?;
        self.check_element(id)?;
        Ok(Ex::Var(id))
    }

    fn element(&self) -> Result<Ex, ArangoError> {
        match self.expansion_depth.last() {
            Some((current, _)) => {
                self.check_element(*current)?;
                Ok(Ex::Var(*current))
            }
            None => Err(ArangoError::internal("an element outside an expansion")),
        }
    }

    /// A subquery is computed before the array expression around it, so it cannot see that expression's element.
    fn check_element(&self, id: VarId) -> Result<(), ArangoError> {
        let crossed = self
            .expansion_depth
            .iter()
            .any(|(current, depth)| *current == id && *depth < self.scopes.len());
        if crossed {
            return Err(ArangoError::not_implemented(
                "AQL: a subquery that reads the element of the array expression around it",
            ));
        }
        Ok(())
    }

    fn attribute(&mut self, base: Ex, name: &AttributeName) -> Result<Ex, ArangoError> {
        match name {
            AttributeName::Static(name) => {
                Ok(Ex::Attribute(Box::new(base), name.text.as_str().into()))
            }
            AttributeName::Parameter(name) => match bind::value(self.bind, &name.text)? {
                Value::String(name) => Ok(Ex::Attribute(Box::new(base), name)),
                Value::Array(path) if !path.is_empty() => {
                    let mut reached = base;
                    for step in path.iter() {
                        let Value::String(step) = step else {
                            return Err(bind::wrong_type(&name.text));
                        };
                        reached = Ex::Attribute(Box::new(reached), step.clone());
                    }
                    Ok(reached)
                }
                _ => Err(bind::wrong_type(&name.text)),
            },
        }
    }

    fn array(&mut self, items: &[ArrayItem]) -> Result<Ex, ArangoError> {
        let mut built = Vec::with_capacity(items.len());
        for item in items {
            built.push(match item {
                ArrayItem::Value(value) => Item::Value(self.expression(value)?),
                ArrayItem::Spread(value) => Item::Spread(self.expression(value)?),
            });
        }
        Ok(Ex::Array(built))
    }

    fn object(&mut self, items: &[ObjectItem]) -> Result<Ex, ArangoError> {
        let mut parts = Vec::with_capacity(items.len());
        for item in items {
            parts.push(match item {
                ObjectItem::Attribute(name, value) => {
                    Part::Named(name.text.as_str().into(), self.expression(value)?)
                }
                ObjectItem::Parameter(name, value) => match bind::value(self.bind, &name.text)? {
                    Value::String(attribute) => Part::Named(attribute, self.expression(value)?),
                    _ => return Err(bind::wrong_type(&name.text)),
                },
                ObjectItem::Computed(name, value) => {
                    let name = self.expression(name)?;
                    let value = self.expression(value)?;
                    match name.constant() {
                        Some(name) => Part::Named(name.to_text().into(), value),
                        None => Part::Computed(name, value),
                    }
                }
                ObjectItem::Spread(value) => Part::Spread(self.expression(value)?),
            });
        }
        Ok(Ex::Object(parts))
    }

    fn call(&mut self, name: &FunctionName, arguments: &[Expr]) -> Result<Ex, ArangoError> {
        if let [_, _, ..] = name.parts.as_slice() {
            let full: Vec<&str> = name.parts.iter().map(|part| part.text.as_str()).collect();
            let mut built = Vec::with_capacity(arguments.len());
            for argument in arguments {
                built.push(self.expression(argument)?);
            }
            return Ok(Ex::UserCall(full.join("::").to_uppercase(), built));
        }
        let written = name.parts.first().map_or("", |part| part.text.as_str());
        let mut function = function(written, arguments.len())?;
        let mut built = Vec::with_capacity(arguments.len());
        for (at, argument) in arguments.iter().enumerate() {
            if let ExprKind::DataSource(source) = &argument.kind {
                let name = self.source_name(source)?;
                if at > 0 || !TAKE_A_COLLECTION.contains(&function.name) {
                    return self.expression(argument);
                }
                if let SourceInfo::Collection(_) = self.use_source(&name)?
                    && matches!(function.name, "LENGTH" | "COUNT")
                {
                    function = self::function("COLLECTION_COUNT", 1)?;
                }
                built.push(Ex::Const(Value::from(name)));
            } else {
                built.push(self.expression(argument)?);
            }
        }
        if matches!(function.name, "DOCUMENT" | "COLLECTION_COUNT") {
            self.refuse_after_write(&format!("function {}()", function.name))?;
        }
        self.fold.fold(Ex::Call(function, built))
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Result<Ex, ArangoError> {
        let first = self.expression(left)?;
        let short = matches!(op, BinaryOp::And | BinaryOp::Or);
        if short && first.constant().is_none() && walk::has_subquery(right) {
            let decided = self.decide(first)?;
            let second = self.under(decided, op == BinaryOp::Or, |builder| {
                builder.expression(right)
            })?;
            return Ok(Ex::Binary(op, Box::new(Ex::Var(decided)), Box::new(second)));
        }
        let second = self.expression(right)?;
        let text = match op {
            BinaryOp::Like => Some(("LIKE", false)),
            BinaryOp::NotLike => Some(("LIKE", true)),
            BinaryOp::Match => Some(("REGEX_TEST", false)),
            BinaryOp::NotMatch => Some(("REGEX_TEST", true)),
            _ => None,
        };
        let Some((name, negated)) = text else {
            return self
                .fold
                .fold(Ex::Binary(op, Box::new(first), Box::new(second)));
        };
        let call = Ex::Call(function(name, 2)?, vec![first, second]);
        let call = self.fold.fold(call)?;
        if negated {
            self.fold.fold(Ex::Unary(UnaryOp::Not, Box::new(call)))
        } else {
            Ok(call)
        }
    }

    fn ternary(
        &mut self,
        condition: &Expr,
        then: Option<&Expr>,
        otherwise: &Expr,
    ) -> Result<Ex, ArangoError> {
        let first = self.expression(condition)?;
        let lifts = then.is_some_and(walk::has_subquery) || walk::has_subquery(otherwise);
        if !lifts || first.constant().is_some() {
            let then = match then {
                Some(then) => Some(Box::new(self.expression(then)?)),
                None => None,
            };
            let otherwise = Box::new(self.expression(otherwise)?);
            return Ok(Ex::Ternary(Box::new(first), then, otherwise));
        }
        let decided = self.decide(first)?;
        let then = match then {
            Some(then) => Some(Box::new(
                self.under(decided, false, |builder| builder.expression(then))?,
            )),
            None => None,
        };
        let otherwise = self.under(decided, true, |builder| builder.expression(otherwise))?;
        Ok(Ex::Ternary(
            Box::new(Ex::Var(decided)),
            then,
            Box::new(otherwise),
        ))
    }

    /// A variable with the value that decides whether a further part is evaluated; `null` where nothing asks for it.
    fn decide(&mut self, value: Ex) -> Result<VarId, ArangoError> {
        match self.condition {
            None => self.held(value),
            Some(condition) => self.calculation(
                Ex::Ternary(
                    Box::new(Ex::Var(condition)),
                    Some(Box::new(value)),
                    Box::new(Ex::Const(Value::Null)),
                ),
                None,
            ),
        }
    }

    /// Builds a part that is evaluated only where the variable is true, or false where `negated`.
    fn under<T>(
        &mut self,
        decided: VarId,
        negated: bool,
        build: impl FnOnce(&mut Self) -> Result<T, ArangoError>,
    ) -> Result<T, ArangoError> {
        let outer = self.condition;
        let inner = match (negated, outer) {
            (false, _) => decided,
            (true, None) => {
                self.calculation(Ex::Unary(UnaryOp::Not, Box::new(Ex::Var(decided))), None)?
            }
            (true, Some(outer)) => self.calculation(
                Ex::Binary(
                    BinaryOp::And,
                    Box::new(Ex::Var(outer)),
                    Box::new(Ex::Unary(UnaryOp::Not, Box::new(Ex::Var(decided)))),
                ),
                None,
            )?,
        };
        self.condition = Some(inner);
        let built = build(self);
        self.condition = outer;
        built
    }

    fn quantifier(&mut self, quantifier: &QuantifierSyntax) -> Result<Quantifier, ArangoError> {
        Ok(match quantifier {
            QuantifierSyntax::All => Quantifier::All,
            QuantifierSyntax::Any => Quantifier::Any,
            QuantifierSyntax::None => Quantifier::None,
            QuantifierSyntax::AtLeast(count) => {
                Quantifier::AtLeast(Box::new(self.expression(count)?))
            }
            QuantifierSyntax::Exactly(count) => match self.expression(count)? {
                Ex::Range(low, high) => Quantifier::Between(low, high),
                count => Quantifier::Exactly(Box::new(count)),
            },
        })
    }

    fn array_filter(&mut self, syntax: &FilterSyntax) -> Result<Ex, ArangoError> {
        let base = self.expression(&syntax.base)?;
        let quantifier = match &syntax.quantifier {
            Some(quantifier) => self.quantifier(quantifier)?,
            None => Quantifier::Any,
        };
        self.within_element(|builder, current| {
            let filter = match &syntax.filter {
                Some(filter) => Some(builder.expression(filter)?),
                None => None,
            };
            Ok(Ex::ArrayFilter(Box::new(ArrayFilter {
                base,
                current,
                quantifier,
                filter,
            })))
        })
    }

    fn expansion(&mut self, syntax: &ExpansionSyntax) -> Result<Ex, ArangoError> {
        let base = self.expression(&syntax.base)?;
        self.expand(base, syntax)
    }

    /// `base[*]…`. A further `[**]` in the chain flattens what the chain before it gives, not each element.
    fn expand(&mut self, base: Ex, syntax: &ExpansionSyntax) -> Result<Ex, ArangoError> {
        let Some(flattened) = syntax.tail.as_ref().and_then(flattening) else {
            return self.expand_part(base, syntax, syntax.tail.as_ref());
        };
        let before = until(syntax.tail.as_ref(), flattened);
        let base = self.expand_part(base, syntax, before.as_ref())?;
        self.expand(base, flattened)
    }

    fn expand_part(
        &mut self,
        base: Ex,
        syntax: &ExpansionSyntax,
        tail: Option<&Expr>,
    ) -> Result<Ex, ArangoError> {
        let limit = match &syntax.limit {
            None => None,
            Some((offset, count)) => {
                let offset = match offset {
                    Some(offset) => self.expression(offset)?,
                    None => Ex::Const(Value::Int(0)),
                };
                Some((offset, self.expression(count)?))
            }
        };
        self.within_element(|builder, current| {
            let filter = match &syntax.filter {
                Some(filter) => Some(builder.expression(filter)?),
                None => None,
            };
            let projection = match syntax.projection.as_ref().or(tail) {
                Some(projection) => Some(builder.expression(projection)?),
                None => None,
            };
            Ok(Ex::Expansion(Box::new(Expansion {
                base,
                levels: syntax.levels,
                current,
                filter,
                limit,
                projection,
            })))
        })
    }

    /// Builds what sees an array's element as `CURRENT`.
    fn within_element(
        &mut self,
        build: impl FnOnce(&mut Self, VarId) -> Result<Ex, ArangoError>,
    ) -> Result<Ex, ArangoError> {
        let current = self.temporary()?;
        if let Some(variable) = self.variables.get_mut(current) {
            variable.listed = false;
        }
        let before = self.lookup("CURRENT");
        self.bring("CURRENT", current);
        self.expansion_depth.push((current, self.scopes.len()));
        let built = build(self, current);
        self.expansion_depth.pop();
        match before {
            Some(before) => self.bring("CURRENT", before),
            None => {
                if let Some(scope) = self.scopes.last_mut() {
                    scope.remove("CURRENT");
                }
            }
        }
        built
    }
}

/// The first `[**]` in the chain that a tail is.
fn flattening(tail: &Expr) -> Option<&ExpansionSyntax> {
    match &tail.kind {
        ExprKind::Expansion(inner) if inner.levels > 1 => Some(inner),
        ExprKind::Expansion(inner) => inner.tail.as_ref().and_then(flattening),
        _ => None,
    }
}

/// The tail up to a `[**]` in it.
fn until(tail: Option<&Expr>, end: &ExpansionSyntax) -> Option<Expr> {
    let tail = tail?;
    match &tail.kind {
        ExprKind::Expansion(inner) if std::ptr::eq(&**inner, end) => match inner.base.kind {
            ExprKind::Element => None,
            _ => Some(inner.base.clone()),
        },
        ExprKind::Expansion(inner) => {
            let mut shorter = inner.clone();
            shorter.tail = until(inner.tail.as_ref(), end);
            Some(Expr {
                kind: ExprKind::Expansion(shorter),
                span: tail.span,
            })
        }
        _ => Some(tail.clone()),
    }
}

/// The function of this name; 1540 and 1541 in the parsing phase's wording.
fn function(name: &str, arguments: usize) -> Result<&'static Function, ArangoError> {
    functions::resolve(name, arguments).map_err(|error| refused(error.number, error.message))
}
