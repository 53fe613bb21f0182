//! Search functions outside `SEARCH`. Those that have an exact meaning on a value are ordinary conditions there; the others
//! refuse, in the server's words: what they ask for is known to a view alone.
//!
//! `ANALYZER()` and `BOOST()` give their condition back, as the server does.

use super::arguments::{arg, text};
use super::similarity::{common_ngrams, damerau, levenshtein};
use super::{Context, Function, named_analyzer, pure};
use crate::error::{ArangoError, number};
use crate::value::Value;

type Outcome = Result<Value, ArangoError>;

pub(super) const TABLE: &[Function] = &[
    pure("ANALYZER", 2, 2, |_, args| Ok(arg(args, 0).clone())),
    pure("BM25", 1, 3, |_, _| Err(only_of_a_view("BM25"))),
    pure("BOOST", 2, 2, |_, args| Ok(arg(args, 0).clone())),
    pure("EXISTS", 1, 3, |_, _| Err(only_in_search("EXISTS"))),
    pure("IN_RANGE", 5, 5, in_range),
    pure("LEVENSHTEIN_MATCH", 3, 6, levenshtein_match),
    pure("MIN_MATCH", 2, usize::MAX, min_match),
    pure("NGRAM_MATCH", 2, 4, ngram_match),
    pure("OFFSET_INFO", 2, 3, |_, _| {
        Err(only_in_search("OFFSET_INFO"))
    }),
    pure("PHRASE", 2, usize::MAX, |_, _| {
        Err(only_in_search("PHRASE"))
    }),
    pure("TFIDF", 1, 2, |_, _| Err(only_of_a_view("TFIDF"))),
    pure("TOKENS", 1, 2, super::analyzer::tokens),
];

fn only_in_search(name: &str) -> ArangoError {
    ArangoError::new(
        number::NOT_IMPLEMENTED,
        format!(
            "ArangoSearch function '{name}' is designed to be used only within a corresponding SEARCH statement of ArangoSearch \
             view. Please ensure function signature is correct."
        ),
    )
}

fn only_of_a_view(name: &str) -> ArangoError {
    ArangoError::new(
        number::NOT_IMPLEMENTED,
        format!(
            "ArangoSearch scorer function '{name}' are designed to be used only outside SEARCH statement within a context of \
             ArangoSearch view. Please ensure function signature is correct."
        ),
    )
}

fn in_range(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let [value, low, high, include_low, include_high] = args else {
        return ctx.invalid("IN_RANGE");
    };
    let above = if include_low.is_true() {
        value >= low
    } else {
        value > low
    };
    let below = if include_high.is_true() {
        value <= high
    } else {
        value < high
    };
    Ok(Value::Bool(above && below))
}

/// Whether at least so many of the conditions hold; the last argument is the number.
fn min_match(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Some((least, conditions)) = args.split_last() else {
        return ctx.invalid("MIN_MATCH");
    };
    let Some(least) = least.as_i64() else {
        return ctx.invalid("MIN_MATCH");
    };
    Ok(Value::Bool(
        conditions
            .iter()
            .filter(|condition| condition.is_true())
            .count() as i64
            >= least,
    ))
}

/// Whether a text is at most so many edits away, after an optional prefix that must be there as it is.
fn levenshtein_match(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    const NAME: &str = "LEVENSHTEIN_MATCH";
    let (Value::String(value), Value::String(target)) = (arg(args, 0), arg(args, 1)) else {
        return ctx.invalid(NAME);
    };
    let Some(most) = arg(args, 2).as_i64().filter(|most| (0..=4).contains(most)) else {
        return ctx.invalid(NAME);
    };
    let transpositions = args.get(3).is_none_or(Value::is_true);
    if transpositions && most > 3 {
        return ctx.invalid(NAME);
    }
    let Some(rest) = value.strip_prefix(text(args, 5).as_str()) else {
        return Ok(Value::Bool(false));
    };
    let distance = if transpositions {
        damerau(ctx, NAME, rest, target)?
    } else {
        levenshtein(ctx, NAME, rest, target)?
    };
    Ok(Value::Bool(distance as i64 <= most))
}

/// Whether enough of the tokens of a text come in another in their order.
fn ngram_match(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    const NAME: &str = "NGRAM_MATCH";
    let (Value::String(value), Value::String(target)) = (arg(args, 0), arg(args, 1)) else {
        return ctx.invalid(NAME);
    };
    let (threshold, analyzer) = match (args.get(2), args.get(3)) {
        (Some(Value::String(name)), None) => (0.7, name.to_string()),
        (Some(threshold), name) if threshold.is_number() => (
            threshold.to_f64(),
            name.map_or_else(|| "identity".to_owned(), Value::to_text),
        ),
        (None, _) => (0.7, "identity".to_owned()),
        _ => return ctx.invalid(NAME),
    };
    if !(0.0..=1.0).contains(&threshold) {
        return ctx.invalid(NAME);
    }
    let analyzer = named_analyzer(ctx, NAME, &analyzer)?;
    let (value, target) = (analyzer.tokens(ctx, value)?, analyzer.tokens(ctx, target)?);
    let terms = |tokens: Vec<super::Token>| tokens.into_iter().map(|token| token.term).collect();
    let (value, target): (Vec<Value>, Vec<Value>) = (terms(value), terms(target));
    if target.is_empty() {
        return Ok(Value::Bool(value.is_empty()));
    }
    let common = common_ngrams(ctx, NAME, &value, &target)?;
    Ok(Value::Bool(
        common as f64 / target.len() as f64 >= threshold,
    ))
}
