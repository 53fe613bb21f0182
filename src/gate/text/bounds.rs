//! Bounds on what literals alone make: the server computes constants while it plans, where no time limit holds.

use aql_syntax::ast::{Expr, ExprKind};

use super::super::binds::Binds;
use super::super::refusal::{Refusal, RefusalKind};
use super::constants;

/// The most numbers that a range of literals may span.
const MAX_RANGE: f64 = 1_000_000.0;

/// The most characters that REPEAT may make of literals.
const MAX_REPEAT: f64 = 1_000_000.0;

/// `from..to`.
pub(super) fn range(from: &Expr, to: &Expr, binds: &Binds<'_>) -> Result<(), Box<Refusal>> {
    match (constants::number(from, binds), constants::number(to, binds)) {
        (Some(from), Some(to)) => span((to - from).abs()),
        _ => Ok(()),
    }
}

/// `RANGE(from, to[, step])`, `REPEAT(text, times[, separator])`.
pub(super) fn call(name: &str, arguments: &[Expr], binds: &Binds<'_>) -> Result<(), Box<Refusal>> {
    let number = |at: usize| {
        arguments
            .get(at)
            .and_then(|argument| constants::number(argument, binds))
    };
    if name.eq_ignore_ascii_case("RANGE") {
        let step = number(2)
            .map(f64::abs)
            .filter(|step| *step > 0.0)
            .unwrap_or(1.0);
        if let (Some(from), Some(to)) = (number(0), number(1)) {
            return span((to - from).abs() / step);
        }
    }
    if name.eq_ignore_ascii_case("REPEAT") {
        let length = |at: usize| match arguments.get(at).map(|argument| &argument.kind) {
            Some(ExprKind::String(text)) => text.len(),
            _ => 0,
        };
        // A text that is not known yet counts as one character.
        let once = u32::try_from(length(0).saturating_add(length(2)).max(1)).unwrap_or(u32::MAX);
        if let Some(times) = number(1) {
            return within(
                f64::from(once) * times,
                MAX_REPEAT,
                "REPEAT makes a text of",
            );
        }
    }
    Ok(())
}

fn span(count: f64) -> Result<(), Box<Refusal>> {
    within(count, MAX_RANGE, "a range spans")
}

fn within(count: f64, most: f64, what: &str) -> Result<(), Box<Refusal>> {
    if count <= most {
        return Ok(());
    }
    Err(Refusal::repairable(
        RefusalKind::Policy,
        "literal-bound",
        format!(
            "{what} {}, and {} is the most; write a smaller one",
            super::super::whole(count),
            super::super::whole(most)
        ),
    ))
}
