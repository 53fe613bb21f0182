//! Expressions after planning: names are variables with slots, bind parameters are values, constants are folded.
//!
//! A subquery never stands inside an expression: planning lifts it out in front, between a `SubqueryStartNode` and a
//! `SubqueryEndNode`, and leaves a variable behind, as the real server does.

use std::sync::Arc;

use aql_syntax::ast::{BinaryOp, UnaryOp};

use crate::functions::Function;
use crate::value::Value;

/// The number of a variable, and its slot in the row while the query runs.
pub(crate) type VarId = usize;

/// An expression.
#[derive(Clone, Debug)]
pub(crate) enum Ex {
    /// A constant.
    Const(Value),
    /// A variable.
    Var(VarId),
    /// `base.name`.
    Attribute(Box<Ex>, Arc<str>),
    /// `base[index]`.
    Index(Box<Ex>, Box<Ex>),
    /// `[a, ...b]`.
    Array(Vec<Item>),
    /// `{a: 1, [b]: 2, ...c}`.
    Object(Vec<Part>),
    /// A built-in function.
    Call(&'static Function, Vec<Ex>),
    /// A user-defined function: explain shows it, running it fails.
    UserCall(String, Vec<Ex>),
    /// `-a`, `+a`, `NOT a`.
    Unary(UnaryOp, Box<Ex>),
    /// `a op b`.
    Binary(BinaryOp, Box<Ex>, Box<Ex>),
    /// `value IN list`, where the list is sorted and holds each value once.
    Among {
        negated: bool,
        value: Box<Ex>,
        list: Box<Ex>,
    },
    /// `a ANY == b`.
    ArrayCompare(Quantifier, BinaryOp, Box<Ex>, Box<Ex>),
    /// `a ? b : c`; without `b`, `a` itself where it is true.
    Ternary(Box<Ex>, Option<Box<Ex>>, Box<Ex>),
    /// `a..b`.
    Range(Box<Ex>, Box<Ex>),
    /// `base[* …]`.
    Expansion(Box<Expansion>),
    /// `base[? …]`.
    ArrayFilter(Box<ArrayFilter>),
}

/// An item of an array literal.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Value(Ex),
    Spread(Ex),
}

/// A part of an object literal.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Named(Arc<str>, Ex),
    Computed(Ex, Ex),
    Spread(Ex),
}

/// How many elements must satisfy a condition.
#[derive(Clone, Debug)]
pub(crate) enum Quantifier {
    All,
    Any,
    None,
    AtLeast(Box<Ex>),
    Exactly(Box<Ex>),
    Between(Box<Ex>, Box<Ex>),
}

/// `base[* FILTER … LIMIT … RETURN …]tail`.
#[derive(Clone, Debug)]
pub(crate) struct Expansion {
    pub(crate) base: Ex,
    /// 1 keeps the array's shape, each further one flattens a level.
    pub(crate) levels: u32,
    /// The variable that stands for the element.
    pub(crate) current: VarId,
    pub(crate) filter: Option<Ex>,
    pub(crate) limit: Option<(Ex, Ex)>,
    /// What each element becomes: the `RETURN` where one is written, else what follows the brackets.
    pub(crate) projection: Option<Ex>,
}

/// `base[? quantifier FILTER …]`.
#[derive(Clone, Debug)]
pub(crate) struct ArrayFilter {
    pub(crate) base: Ex,
    pub(crate) current: VarId,
    pub(crate) quantifier: Quantifier,
    pub(crate) filter: Option<Ex>,
}

impl Ex {
    /// The value, where the expression is a constant.
    pub(crate) fn constant(&self) -> Option<&Value> {
        match self {
            Ex::Const(value) => Some(value),
            _ => None,
        }
    }

    /// Calls `visit` on each direct operand.
    pub(crate) fn children<'a>(&'a self, visit: &mut dyn FnMut(&'a Ex)) {
        match self {
            Ex::Const(_) | Ex::Var(_) => {}
            Ex::Attribute(base, _) | Ex::Unary(_, base) => visit(base),
            Ex::Index(a, b) | Ex::Binary(_, a, b) | Ex::Range(a, b) => {
                visit(a);
                visit(b);
            }
            Ex::Among { value, list, .. } => {
                visit(value);
                visit(list);
            }
            Ex::Array(items) => {
                for item in items {
                    match item {
                        Item::Value(ex) | Item::Spread(ex) => visit(ex),
                    }
                }
            }
            Ex::Object(parts) => {
                for part in parts {
                    match part {
                        Part::Named(_, ex) | Part::Spread(ex) => visit(ex),
                        Part::Computed(name, ex) => {
                            visit(name);
                            visit(ex);
                        }
                    }
                }
            }
            Ex::Call(_, arguments) | Ex::UserCall(_, arguments) => {
                arguments.iter().for_each(visit);
            }
            Ex::ArrayCompare(quantifier, _, a, b) => {
                quantifier.children(visit);
                visit(a);
                visit(b);
            }
            Ex::Ternary(condition, then, otherwise) => {
                visit(condition);
                if let Some(then) = then {
                    visit(then);
                }
                visit(otherwise);
            }
            Ex::Expansion(expansion) => {
                visit(&expansion.base);
                if let Some(filter) = &expansion.filter {
                    visit(filter);
                }
                if let Some((offset, count)) = &expansion.limit {
                    visit(offset);
                    visit(count);
                }
                if let Some(projection) = &expansion.projection {
                    visit(projection);
                }
            }
            Ex::ArrayFilter(filter) => {
                visit(&filter.base);
                filter.quantifier.children(visit);
                if let Some(filter) = &filter.filter {
                    visit(filter);
                }
            }
        }
    }

    /// Calls `visit` on this expression and on everything inside it.
    pub(crate) fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Ex)) {
        visit(self);
        self.children(&mut |child| child.walk(visit));
    }

    /// Adds the variables that the expression reads; the elements of its own array expressions are not among them.
    pub(crate) fn variables(&self, found: &mut Vec<VarId>) {
        let mut bound = Vec::new();
        self.walk(&mut |ex| match ex {
            Ex::Var(id) => found.push(*id),
            Ex::Expansion(expansion) => bound.push(expansion.current),
            Ex::ArrayFilter(filter) => bound.push(filter.current),
            _ => {}
        });
        if !bound.is_empty() {
            found.retain(|id| !bound.contains(id));
        }
    }

    /// Whether two evaluations on the same row give the same value, and evaluation has no effect.
    pub(crate) fn is_deterministic(&self) -> bool {
        let mut deterministic = true;
        self.walk(&mut |ex| match ex {
            Ex::Call(function, _) => deterministic &= function.deterministic,
            Ex::UserCall(..) => deterministic = false,
            _ => {}
        });
        deterministic
    }

    /// The variable and the path of `variable.a.b`.
    pub(crate) fn attribute_path(&self) -> Option<(VarId, Vec<&str>)> {
        let mut path = Vec::new();
        let mut ex = self;
        loop {
            match ex {
                Ex::Attribute(base, name) => {
                    path.push(&**name);
                    ex = base;
                }
                Ex::Var(id) => {
                    path.reverse();
                    return Some((*id, path));
                }
                _ => return None,
            }
        }
    }
}

impl Quantifier {
    fn children<'a>(&'a self, visit: &mut dyn FnMut(&'a Ex)) {
        match self {
            Quantifier::All | Quantifier::Any | Quantifier::None => {}
            Quantifier::AtLeast(n) | Quantifier::Exactly(n) => visit(n),
            Quantifier::Between(low, high) => {
                visit(low);
                visit(high);
            }
        }
    }
}
