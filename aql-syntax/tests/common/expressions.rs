//! Expressions at random.

use aql_syntax::Version;
use aql_syntax::ast::*;

use super::{Maker, of_expr};

impl Maker<'_> {
    pub(super) fn fixed(&mut self) -> Expr {
        match self.flag() {
            true => of_expr(ExprKind::Parameter(self.parameter())),
            false => of_expr(ExprKind::Integer(self.below(9) as i64)),
        }
    }

    pub(super) fn options(&mut self) -> Option<Expr> {
        self.option(|m| {
            let items = m.many(3, |m| ObjectItem::Attribute(m.any_name(), m.fixed()));
            of_expr(ExprKind::Object(items))
        })
    }

    pub(super) fn object_item(&mut self, depth: usize) -> ObjectItem {
        match self.below(if self.version == Version::V4 { 5 } else { 4 }) {
            0 => ObjectItem::Attribute(self.any_name(), self.expr(depth)),
            1 => match self.variables.last().cloned() {
                Some(text) => {
                    let name = self.name(text);
                    ObjectItem::Attribute(name.clone(), of_expr(ExprKind::Variable(name)))
                }
                None => ObjectItem::Attribute(self.any_name(), self.expr(depth)),
            },
            2 => ObjectItem::Parameter(self.parameter(), self.expr(depth)),
            3 => ObjectItem::Computed(self.expr(depth), self.expr(depth)),
            _ => ObjectItem::Spread(self.expr(depth)),
        }
    }

    fn array_item(&mut self, depth: usize) -> ArrayItem {
        match self.version == Version::V4 && self.flag() {
            true => ArrayItem::Spread(self.expr(depth)),
            false => ArrayItem::Value(self.expr(depth)),
        }
    }

    fn leaf(&mut self) -> Expr {
        of_expr(match self.below(10) {
            0 => ExprKind::Null,
            1 => ExprKind::Bool(self.flag()),
            2 => ExprKind::Integer(self.below(100) as i64),
            3 => ExprKind::Integer(i64::MAX),
            4 => ExprKind::Double(
                [0.0, 0.5, 5.0, 1e300, 5e-324, 1e16, f64::MAX, 0.1][self.below(8)].into(),
            ),
            5 => {
                let text = [
                    "",
                    "a\"'\\",
                    "\n\r\t\u{8}\u{c}\u{1}\0",
                    "ö😀´`",
                    "//",
                    "/*",
                    "\\u0041",
                ][self.below(7)];
                ExprKind::String(text.into())
            }
            6 => ExprKind::Parameter(self.parameter()),
            7 => ExprKind::DataSource(self.data_source()),
            8 if self.current > 0 => ExprKind::Variable(self.name("CURRENT")),
            _ => match self.variables.len() {
                0 => ExprKind::Integer(1),
                n => {
                    let at = self.below(n);
                    let text = self.variables[at].clone();
                    ExprKind::Variable(self.name(text))
                }
            },
        })
    }

    fn boxed(&mut self, depth: usize) -> Box<Expr> {
        Box::new(self.expr(depth))
    }

    pub(super) fn expr(&mut self, depth: usize) -> Expr {
        if depth == 0 {
            return self.leaf();
        }
        let depth = depth - 1;
        of_expr(match self.below(18) {
            0 | 1 => return self.leaf(),
            2 => ExprKind::Array(self.many(4, |m| m.array_item(depth))),
            3 => ExprKind::Object(self.many(4, |m| m.object_item(depth))),
            4 => ExprKind::Attribute {
                base: self.boxed(depth),
                name: self.attribute_name(),
            },
            5 => ExprKind::Index {
                base: self.boxed(depth),
                index: self.boxed(depth),
            },
            6 | 7 => {
                let base = self.expr(depth);
                let levels = 1 + self.below(3) as u32;
                let mut expansion = self.expansion(base, levels, depth);
                expansion.tail = self.tail(depth);
                ExprKind::Expansion(Box::new(expansion))
            }
            8 => {
                let base = self.expr(depth);
                ExprKind::ArrayFilter(Box::new(self.array_filter(base, depth)))
            }
            9 => ExprKind::Call {
                name: self.function_name(),
                arguments: self.many(3, |m| m.expr(depth)),
            },
            10 => ExprKind::Unary {
                op: [UnaryOp::Plus, UnaryOp::Minus, UnaryOp::Not][self.below(3)],
                operand: self.boxed(depth),
            },
            11 | 12 => ExprKind::Binary {
                op: self.binary_op(),
                left: self.boxed(depth),
                right: self.boxed(depth),
            },
            13 => ExprKind::ArrayCompare {
                quantifier: self.quantifier(depth),
                op: self.comparison(),
                left: self.boxed(depth),
                right: self.boxed(depth),
            },
            14 | 15 => ExprKind::Ternary {
                condition: self.boxed(depth),
                then: self.option(|m| m.boxed(depth)),
                otherwise: self.boxed(depth),
            },
            16 => ExprKind::Range {
                from: self.boxed(depth),
                to: self.boxed(depth),
            },
            _ if self.allow_subquery => ExprKind::Subquery(Box::new(self.body(depth))),
            _ => return self.leaf(),
        })
    }

    fn attribute_name(&mut self) -> AttributeName {
        match self.flag() {
            true => AttributeName::Parameter(self.parameter()),
            false => AttributeName::Static(self.any_name()),
        }
    }

    fn function_name(&mut self) -> FunctionName {
        let parts: &[&str] = [
            &["LENGTH"][..],
            &["like"],
            &["any"],
            &["MY", "NS", "F"],
            &["a b"],
        ][self.below(5)];
        FunctionName {
            parts: parts.iter().map(|part| self.name(*part)).collect(),
        }
    }

    fn binary_op(&mut self) -> BinaryOp {
        use BinaryOp::*;
        [
            Or,
            And,
            Add,
            Subtract,
            Multiply,
            Divide,
            Modulo,
            Equal,
            NotEqual,
            Less,
            LessEqual,
            Greater,
            GreaterEqual,
            In,
            NotIn,
            Like,
            NotLike,
            Match,
            NotMatch,
        ][self.below(19)]
    }

    fn comparison(&mut self) -> BinaryOp {
        use BinaryOp::*;
        let most = if self.version == Version::V4 { 12 } else { 8 };
        [
            Equal,
            NotEqual,
            Less,
            LessEqual,
            Greater,
            GreaterEqual,
            In,
            NotIn,
            Like,
            NotLike,
            Match,
            NotMatch,
        ][self.below(most)]
    }

    fn quantifier(&mut self, depth: usize) -> Quantifier {
        match self.below(4) {
            0 => Quantifier::All,
            1 => Quantifier::Any,
            2 => Quantifier::None,
            _ => Quantifier::AtLeast(self.boxed(depth)),
        }
    }

    fn expansion(&mut self, base: Expr, levels: u32, depth: usize) -> Expansion {
        self.current += 1;
        let expansion = Expansion {
            base,
            levels,
            filter: self.option(|m| m.expr(depth)),
            limit: self.option(|m| (m.option(|m| m.expr(depth)), m.expr(depth))),
            projection: self.option(|m| m.expr(depth)),
            tail: None,
        };
        self.current -= 1;
        expansion
    }

    fn array_filter(&mut self, base: Expr, depth: usize) -> ArrayFilter {
        self.current += 1;
        let filter = self.option(|m| m.expr(depth));
        let quantifier = match filter {
            Some(_) => self.option(|m| match m.flag() {
                true => Quantifier::Exactly(m.boxed(depth)),
                false => m.quantifier(depth),
            }),
            None => None,
        };
        self.current -= 1;
        ArrayFilter {
            base,
            quantifier,
            filter,
        }
    }

    /// Accesses after an expansion: some, and perhaps another expansion with its own.
    fn tail(&mut self, depth: usize) -> Option<Expr> {
        let mut chain = of_expr(ExprKind::Element);
        let accesses = self.below(3);
        for _ in 0..accesses {
            let base = Box::new(chain);
            chain = of_expr(match self.below(3) {
                0 => ExprKind::Attribute {
                    base,
                    name: self.attribute_name(),
                },
                1 => ExprKind::Index {
                    base,
                    index: self.boxed(depth),
                },
                _ => ExprKind::ArrayFilter(Box::new(self.array_filter(*base, depth))),
            });
        }
        if depth > 0 && self.flag() {
            let mut expansion = self.expansion(chain, 1, depth);
            expansion.tail = self.tail(depth - 1);
            return Some(of_expr(ExprKind::Expansion(Box::new(expansion))));
        }
        (accesses > 0).then_some(chain)
    }
}
