//! Operators: an operator-precedence parser on explicit stacks, so that a chain of operators costs no recursion.
//!
//! How tight each binds is said in [`crate::precedence`].

use crate::ast::{BinaryOp, Expr, ExprKind, Quantifier, UnaryOp};
use crate::precedence::{AT_LEAST, IN, QUANTIFIER, RANGE, TERNARY, UNARY, level_of};
use crate::token::TokenKind;
use crate::{MAX_DEPTH, Version};

use super::{Parsed, Parser, Tree};

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
        }
    }
}

impl Parser<'_> {
    /// An expression of a statement.
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.expression_in(Mode::Plain)
    }

    /// An expression of a statement, in that mode.
    pub(super) fn expression_in(&mut self, mode: Mode) -> Parsed<Expr> {
        self.nested(mode)?;
        self.settle()
    }

    /// Takes the value read last as an expression of the statement.
    #[inline(never)]
    pub(super) fn settle(&mut self) -> Parsed<Expr> {
        let tree = self.pop()?;
        self.deepest = self.deepest.max(tree.height);
        Ok(tree.expr)
    }

    /// An expression within another. Its value is on top of the stack then.
    pub(super) fn nested(&mut self, mode: Mode) -> Parsed<()> {
        self.enter(1)?;
        let base = self.pending.len();
        loop {
            self.prefixes(base)?;
            self.operand()?;
            if !self.operator(mode, base)? {
                break;
            }
        }
        self.leave(1);
        Ok(())
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
        if self.token.kind == TokenKind::Question {
            self.ternary(base)?;
            return Ok(true);
        }
        if self.is_quantifier()? {
            self.quantified(base)?;
            return Ok(true);
        }
        let Some(infix) = self.infix(mode)? else {
            self.apply_tighter(0, base)?;
            return Ok(false);
        };
        self.apply_tighter(infix.incoming, base)?;
        self.wait(infix.pending, base)?;
        Ok(true)
    }

    /// Applies the operators that hold their operand tighter than an operator of level `incoming` would take it.
    fn apply_tighter(&mut self, incoming: u8, base: usize) -> Parsed<()> {
        while self.pending.len() > base
            && let Some(top) = self.pending.last()
            && (top.level > incoming || (top.level == incoming && incoming != TERNARY))
        {
            self.apply()?;
        }
        Ok(())
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

    /// `? then :`, or `?:`.
    fn ternary(&mut self, base: usize) -> Parsed<()> {
        self.apply_tighter(TERNARY, base)?;
        self.advance()?;
        let mut operator = Operator::Otherwise;
        if self.token.kind != TokenKind::Colon {
            self.nested(Mode::Plain)?;
            operator = Operator::Ternary;
        }
        self.expect(TokenKind::Colon, &[])?;
        self.wait(
            Pending {
                operator,
                level: TERNARY,
            },
            base,
        )
    }

    /// Whether the token is a quantifier. `ANY` is a direction where no comparison follows.
    #[inline(never)]
    fn is_quantifier(&mut self) -> Parsed<bool> {
        match self.token.kind {
            TokenKind::All | TokenKind::None | TokenKind::AtLeast => Ok(true),
            TokenKind::Any => {
                let next = self.peek()?;
                Ok(match next {
                    TokenKind::Not | TokenKind::Bang => self.is_negatable(1)?,
                    next => self.array_comparison(next).is_some(),
                })
            }
            _ => Ok(false),
        }
    }

    /// Whether a `NOT` that is so many tokens ahead belongs to the comparison of a quantifier (4.x).
    fn is_negatable(&mut self, ahead: usize) -> Parsed<bool> {
        let operator = match ahead {
            0 => self.peek()?,
            _ => self.peek_second()?,
        };
        let is_match = matches!(operator, TokenKind::Like | TokenKind::RegexMatch);
        Ok(is_match && self.version == Version::V4)
    }

    /// A quantifier and the comparison after it.
    fn quantified(&mut self, base: usize) -> Parsed<()> {
        let incoming = match self.token.kind {
            TokenKind::AtLeast => AT_LEAST,
            _ => QUANTIFIER,
        };
        let (quantifier, height) = self.quantifier()?;
        self.apply_tighter(incoming, base)?;
        self.compare(quantifier, height, base)
    }

    #[inline(never)]
    fn compare(&mut self, quantifier: Quantifier, height: u32, base: usize) -> Parsed<()> {
        let is_negated =
            matches!(self.token.kind, TokenKind::Not | TokenKind::Bang) && self.is_negatable(0)?;
        if is_negated {
            self.advance()?;
        }
        let op = match self.array_comparison(self.token.kind) {
            Some(BinaryOp::Like) if is_negated => BinaryOp::NotLike,
            Some(BinaryOp::Match) if is_negated => BinaryOp::NotMatch,
            Some(op) => op,
            None => return Err(self.unexpected(&[])),
        };
        self.advance()?;
        let level = level_of(op);
        let operator = Operator::Compare(quantifier, op, height);
        self.wait(Pending { operator, level }, base)
    }

    /// The comparison that a quantifier may precede; 4.x takes further ones.
    fn array_comparison(&self, kind: TokenKind) -> Option<BinaryOp> {
        match kind {
            TokenKind::Like if self.version == Version::V4 => Some(BinaryOp::Like),
            TokenKind::RegexMatch if self.version == Version::V4 => Some(BinaryOp::Match),
            TokenKind::RegexNonMatch if self.version == Version::V4 => Some(BinaryOp::NotMatch),
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
                self.nested(Mode::Plain)?;
                self.expect(TokenKind::Close, &[])?;
                return self.count(Quantifier::AtLeast);
            }
            _ => return Err(self.unexpected(&[])),
        };
        self.advance()?;
        Ok((quantifier, 0))
    }

    /// The quantifier whose number is on top of the stack.
    #[inline(never)]
    pub(super) fn count(
        &mut self,
        quantifier: fn(Box<Expr>) -> Quantifier,
    ) -> Parsed<(Quantifier, u32)> {
        let count = self.pop()?;
        Ok((quantifier(Box::new(count.expr)), count.height))
    }

    /// Builds the tree of the operator that waits last.
    #[inline(never)]
    fn apply(&mut self) -> Parsed<()> {
        let Some(Pending { operator, .. }) = self.pending.pop() else {
            return Ok(());
        };
        let last = self.pop()?;
        match operator {
            Operator::Unary(op, start) => {
                let operand = Box::new(last.expr);
                self.build(ExprKind::Unary { op, operand }, start, last.height)
            }
            operator => self.join(operator, last),
        }
    }

    /// Builds the tree of an operator with two operands or more.
    fn join(&mut self, operator: Operator, last: Tree) -> Parsed<()> {
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
        self.build(kind, start, height)
    }

    /// The value on top of the stack.
    #[inline(never)]
    pub(super) fn pop(&mut self) -> Parsed<Tree> {
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
