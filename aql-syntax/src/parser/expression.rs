//! Operators: an operator-precedence parser on explicit stacks, so that a chain of operators costs no recursion.
//!
//! From loosest to tightest, as in the server's grammar:
//!
//! | level | operators | grouping |
//! |---|---|---|
//! | 3 | `? :`, `?:` | right |
//! | 7 | `OR` | left |
//! | 8 | `AND` | left |
//! | 9, 10 | `ANY`, `ALL`, `NONE`, `AT LEAST (n)` before a comparison | the comparison's |
//! | 11 | `==`, `!=`, `LIKE`, `=~`, `!~` | left |
//! | 12 | `IN`, `NOT IN` | left |
//! | 13 | `<`, `<=`, `>`, `>=` | left |
//! | 14 | `..` | left |
//! | 15 | `+`, `-` | left |
//! | 16 | `*`, `/`, `%` | left |
//! | 17 | unary `+`, `-`, `NOT` | |
//!
//! `NOT LIKE` and `NOT =~` take their left side like `IN` and their right side like `LIKE`.

use crate::MAX_DEPTH;
use crate::ast::{BinaryOp, Expr, ExprKind, Quantifier, UnaryOp};
use crate::token::TokenKind;

use super::{Parsed, Parser, Tree};

const TERNARY: u8 = 3;
const AND: u8 = 8;
const QUANTIFIER: u8 = 9;
const AT_LEAST: u8 = 10;
const EQUALITY: u8 = 11;
const IN: u8 = 12;
const RANGE: u8 = 14;
const UNARY: u8 = 17;

/// Where an expression stands, as far as that changes how it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Anywhere.
    Plain,
    /// Before `IN collection` of a modification: that `IN` ends the expression.
    BeforeTarget,
}

/// An operator that waits for its last operand.
#[derive(Debug)]
pub(super) struct Pending {
    operator: Operator,
    /// How tightly it holds what it has.
    level: u8,
}

#[derive(Debug)]
enum Operator {
    /// With the place of its sign.
    Unary(UnaryOp, u32),
    Binary(BinaryOp),
    /// With the height of the quantifier's own expression.
    Compare(Quantifier, BinaryOp, u32),
    Range,
    Ternary,
    Otherwise,
}

/// An operator as it is met: how tightly it takes what stands before it, and what waits then.
struct Infix {
    incoming: u8,
    pending: Pending,
    /// The middle part of a ternary.
    middle: Option<Tree>,
}

impl Infix {
    fn binary(op: BinaryOp) -> Infix {
        let level = level_of(op);
        Infix::new(level, Operator::Binary(op), level)
    }

    fn new(incoming: u8, operator: Operator, level: u8) -> Infix {
        Infix {
            incoming,
            pending: Pending { operator, level },
            middle: None,
        }
    }
}

/// The level at which an operator holds its right operand.
pub(crate) fn level_of(op: BinaryOp) -> u8 {
    use BinaryOp::*;
    match op {
        Or => 7,
        And => AND,
        Equal | NotEqual | Like | NotLike | Match | NotMatch => EQUALITY,
        In | NotIn => IN,
        Less | LessEqual | Greater | GreaterEqual => 13,
        Add | Subtract => 15,
        Multiply | Divide | Modulo => 16,
    }
}

impl Parser<'_> {
    /// An expression of a statement.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.expression_in(Mode::Plain)
    }

    /// An expression of a statement, in that mode.
    pub(super) fn expression_in(&mut self, mode: Mode) -> Parsed<Expr> {
        let tree = self.nested(mode)?;
        self.deepest = self.deepest.max(tree.height);
        Ok(tree.expr)
    }

    /// An expression within another.
    pub(super) fn nested(&mut self, mode: Mode) -> Parsed<Tree> {
        self.enter(1)?;
        let base = self.pending.len();
        loop {
            self.prefixes(base)?;
            let operand = self.operand()?;
            self.values.push(operand);
            if !self.operator(mode, base)? {
                break;
            }
        }
        self.leave(1);
        self.pop()
    }

    /// Signs and negations.
    fn prefixes(&mut self, base: usize) -> Parsed<()> {
        loop {
            let op = match self.token.kind {
                TokenKind::Not | TokenKind::Bang => UnaryOp::Not,
                TokenKind::Minus => UnaryOp::Minus,
                TokenKind::Plus => UnaryOp::Plus,
                _ => return Ok(()),
            };
            let operator = Operator::Unary(op, self.token.start);
            self.wait(
                Pending {
                    operator,
                    level: UNARY,
                },
                base,
            )?;
            self.advance()?;
        }
    }

    fn wait(&mut self, pending: Pending, base: usize) -> Parsed<()> {
        if self.pending.len() - base > MAX_DEPTH as usize {
            return Err(self.too_deep());
        }
        self.pending.push(pending);
        Ok(())
    }

    /// Takes the operator after an operand. Where there is none, applies all that wait and says so with `false`.
    fn operator(&mut self, mode: Mode, base: usize) -> Parsed<bool> {
        let Some(infix) = self.infix(mode)? else {
            while self.pending.len() > base {
                self.apply()?;
            }
            return Ok(false);
        };
        while self.pending.len() > base
            && self.pending.last().is_some_and(|top| {
                top.level > infix.incoming || (top.level == infix.incoming && top.level != TERNARY)
            })
        {
            self.apply()?;
        }
        self.values.extend(infix.middle);
        self.wait(infix.pending, base)?;
        Ok(true)
    }

    fn infix(&mut self, mode: Mode) -> Parsed<Option<Infix>> {
        if let Some(op) = comparison(self.token.kind) {
            if op == BinaryOp::In && mode == Mode::BeforeTarget && self.is_before_target()? {
                return Ok(None);
            }
            self.advance()?;
            return Ok(Some(Infix::binary(op)));
        }
        let op = match self.token.kind {
            TokenKind::Or => BinaryOp::Or,
            TokenKind::And => BinaryOp::And,
            TokenKind::Plus => BinaryOp::Add,
            TokenKind::Minus => BinaryOp::Subtract,
            TokenKind::Times => BinaryOp::Multiply,
            TokenKind::Divide => BinaryOp::Divide,
            TokenKind::Modulo => BinaryOp::Modulo,
            TokenKind::Like => BinaryOp::Like,
            TokenKind::RegexMatch => BinaryOp::Match,
            TokenKind::RegexNonMatch => BinaryOp::NotMatch,
            TokenKind::Range => {
                self.advance()?;
                return Ok(Some(Infix::new(RANGE, Operator::Range, RANGE)));
            }
            TokenKind::Not | TokenKind::Bang => return self.negated().map(Some),
            TokenKind::Question => return self.ternary().map(Some),
            TokenKind::Any | TokenKind::All | TokenKind::None | TokenKind::AtLeast => {
                return self.quantified();
            }
            _ => return Ok(None),
        };
        self.advance()?;
        Ok(Some(Infix::binary(op)))
    }

    /// `NOT LIKE`, `NOT =~`, `NOT !~`, and `NOT /* … */ IN`.
    fn negated(&mut self) -> Parsed<Infix> {
        self.advance()?;
        let op = match self.token.kind {
            TokenKind::In => BinaryOp::NotIn,
            TokenKind::Like => BinaryOp::NotLike,
            TokenKind::RegexMatch => BinaryOp::NotMatch,
            TokenKind::RegexNonMatch => BinaryOp::Match,
            _ => {
                return Err(self.unexpected(&[
                    TokenKind::RegexMatch,
                    TokenKind::RegexNonMatch,
                    TokenKind::Like,
                ]));
            }
        };
        self.advance()?;
        Ok(Infix::new(IN, Operator::Binary(op), level_of(op)))
    }

    fn ternary(&mut self) -> Parsed<Infix> {
        self.advance()?;
        if self.take(TokenKind::Colon)? {
            return Ok(Infix::new(TERNARY, Operator::Otherwise, TERNARY));
        }
        let middle = self.nested(Mode::Plain)?;
        self.expect(TokenKind::Colon, &[])?;
        let mut infix = Infix::new(TERNARY, Operator::Ternary, TERNARY);
        infix.middle = Some(middle);
        Ok(infix)
    }

    /// A quantifier and the comparison after it; `None` where `ANY` is a direction instead.
    fn quantified(&mut self) -> Parsed<Option<Infix>> {
        let incoming = match self.token.kind {
            TokenKind::AtLeast => AT_LEAST,
            TokenKind::Any => {
                let next = self.peek()?;
                match self.array_comparison(next) {
                    Some(_) => QUANTIFIER,
                    None => return Ok(None),
                }
            }
            _ => QUANTIFIER,
        };
        let (quantifier, height) = self.quantifier()?;
        let negated = self.version == crate::Version::V4
            && matches!(self.token.kind, TokenKind::Not | TokenKind::Bang)
            && matches!(self.peek()?, TokenKind::Like | TokenKind::RegexMatch);
        if negated {
            self.advance()?;
        }
        let op = match self.array_comparison(self.token.kind) {
            Some(BinaryOp::Like) if negated => BinaryOp::NotLike,
            Some(BinaryOp::Match) if negated => BinaryOp::NotMatch,
            Some(op) => op,
            None => return Err(self.unexpected(&[])),
        };
        self.advance()?;
        let operator = Operator::Compare(quantifier, op, height);
        Ok(Some(Infix::new(incoming, operator, level_of(op))))
    }

    /// The comparison that a quantifier may precede.
    fn array_comparison(&self, kind: TokenKind) -> Option<BinaryOp> {
        match kind {
            TokenKind::Like | TokenKind::RegexMatch | TokenKind::RegexNonMatch | TokenKind::Not
                if self.version != crate::Version::V4 =>
            {
                None
            }
            TokenKind::Like => Some(BinaryOp::Like),
            TokenKind::RegexMatch => Some(BinaryOp::Match),
            TokenKind::RegexNonMatch => Some(BinaryOp::NotMatch),
            kind => comparison(kind),
        }
    }

    /// `ALL`, `ANY`, `NONE` or `AT LEAST (n)`, and the height of `n`.
    pub(super) fn quantifier(&mut self) -> Parsed<(Quantifier, u32)> {
        let quantifier = match self.token.kind {
            TokenKind::All => Quantifier::All,
            TokenKind::Any => Quantifier::Any,
            TokenKind::None => Quantifier::None,
            TokenKind::AtLeast => {
                self.advance()?;
                self.expect(TokenKind::Open, &[TokenKind::Open])?;
                let count = self.nested(Mode::Plain)?;
                self.expect(TokenKind::Close, &[])?;
                return Ok((Quantifier::AtLeast(Box::new(count.expr)), count.height));
            }
            _ => return Err(self.unexpected(&[])),
        };
        self.advance()?;
        Ok((quantifier, 0))
    }

    /// Builds the tree of the operator that waits last.
    fn apply(&mut self) -> Parsed<()> {
        let Some(Pending { operator, .. }) = self.pending.pop() else {
            return Ok(());
        };
        let last = self.pop()?;
        let tree = match operator {
            Operator::Unary(op, start) => {
                let operand = Box::new(last.expr);
                self.tree(ExprKind::Unary { op, operand }, start, last.height)?
            }
            operator => self.join(operator, last)?,
        };
        self.values.push(tree);
        Ok(())
    }

    /// Builds the tree of an operator with two operands or more.
    fn join(&mut self, operator: Operator, last: Tree) -> Parsed<Tree> {
        let first = self.pop()?;
        let mut height = first.height.max(last.height);
        let mut start = first.expr.span.start;
        let (left, right) = (Box::new(first.expr), Box::new(last.expr));
        let kind = match operator {
            Operator::Binary(op) => ExprKind::Binary { op, left, right },
            Operator::Compare(quantifier, op, count) => {
                height = height.max(count);
                ExprKind::ArrayCompare {
                    quantifier,
                    op,
                    left,
                    right,
                }
            }
            Operator::Range => ExprKind::Range {
                from: left,
                to: right,
            },
            Operator::Otherwise => ExprKind::Ternary {
                condition: left,
                then: None,
                otherwise: right,
            },
            Operator::Ternary | Operator::Unary(..) => {
                let condition = self.pop()?;
                height = height.max(condition.height);
                start = condition.expr.span.start;
                ExprKind::Ternary {
                    condition: Box::new(condition.expr),
                    then: Some(left),
                    otherwise: right,
                }
            }
        };
        self.tree(kind, start, height)
    }

    fn pop(&mut self) -> Parsed<Tree> {
        match self.values.pop() {
            Some(tree) => Ok(tree),
            None => Err(self.unexpected(&[])),
        }
    }
}

/// The comparisons that are one token and may follow a quantifier.
fn comparison(kind: TokenKind) -> Option<BinaryOp> {
    Some(match kind {
        TokenKind::Equal => BinaryOp::Equal,
        TokenKind::NotEqual => BinaryOp::NotEqual,
        TokenKind::Less => BinaryOp::Less,
        TokenKind::LessEqual => BinaryOp::LessEqual,
        TokenKind::Greater => BinaryOp::Greater,
        TokenKind::GreaterEqual => BinaryOp::GreaterEqual,
        TokenKind::In => BinaryOp::In,
        TokenKind::NotIn => BinaryOp::NotIn,
        _ => return None,
    })
}
