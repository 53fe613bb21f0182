//! How tight operators bind, for the parser and the printer alike.
//!
//! From loosest to tightest, as in the server's grammar:
//!
//! | level | operators | grouping |
//! |---|---|---|
//! | 3 | `? :`, `?:` | right |
//! | 7 | `OR` | left |
//! | 8 | `AND` | left |
//! | 9, 10 | `ANY`, `ALL`, `NONE`; `AT LEAST (n)`: before a comparison, which has its own level to the right | left |
//! | 11 | `==`, `!=`, `LIKE`, `=~`, `!~` | left |
//! | 12 | `IN`, `NOT IN` | left |
//! | 13 | `<`, `<=`, `>`, `>=` | left |
//! | 14 | `..` | left |
//! | 15 | `+`, `-` | left |
//! | 16 | `*`, `/`, `%` | left |
//! | 17 | unary `+`, `-`, `NOT` | |
//!
//! `NOT LIKE` and `NOT =~` take their left side like `IN` and hold their right side like `LIKE`. As the table says,
//! `NOT x LIKE y` is `(NOT x) LIKE y`, and `a == b < c` is `a == (b < c)`.

use crate::ast::BinaryOp;

pub(crate) const TERNARY: u8 = 3;
pub(crate) const QUANTIFIER: u8 = 9;
pub(crate) const AT_LEAST: u8 = 10;
pub(crate) const IN: u8 = 12;
pub(crate) const RANGE: u8 = 14;
pub(crate) const UNARY: u8 = 17;

/// The level at which an operator holds its right operand.
pub(crate) fn level_of(op: BinaryOp) -> u8 {
    use BinaryOp::*;
    match op {
        Or => 7,
        And => 8,
        Equal | NotEqual | Like | NotLike | Match | NotMatch => 11,
        In | NotIn => IN,
        Less | LessEqual | Greater | GreaterEqual => 13,
        Add | Subtract => 15,
        Multiply | Divide | Modulo => 16,
    }
}
