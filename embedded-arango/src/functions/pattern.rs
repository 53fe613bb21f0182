//! `LIKE` and regular expressions.
//!
//! The server uses ICU's regular expressions. Here `fancy-regex` reads them: the common syntax is the same (classes,
//! groups, look-around, back references, lazy and possessive repetition). What differs: `\x{…}` and `\uXXXX` work in
//! both, but ICU's `\X`, `\R` inside classes and named characters (`\N{…}`) are refused as invalid. Patterns without
//! look-around and back references run in linear time; the others stop after a number of steps and count as no match.

use std::cell::RefCell;
use std::rc::Rc;

use fancy_regex::{Regex, RegexBuilder};

use super::arguments::{arg, flag, text};
use super::{Context, Function, pure};
use crate::error::ArangoError;
use crate::value::Value;

type Outcome = Result<Value, ArangoError>;

pub(super) const TABLE: &[Function] = &[
    pure("LIKE", 2, 3, |_, args| {
        Ok(Value::Bool(like(
            &text(args, 0),
            &text(args, 1),
            flag(args, 2),
        )))
    }),
    pure("REGEX_MATCHES", 2, 3, regex_matches),
    pure("REGEX_REPLACE", 3, 4, regex_replace),
    pure("REGEX_SPLIT", 2, 4, regex_split),
    pure("REGEX_TEST", 2, 3, regex_test_function),
];

/// Whether `text` as a whole matches a pattern in which `_` is one character, `%` any number, and `\` makes the next
/// character plain. The operator `LIKE` and the function are this.
///
/// Takes time linear in the text for each part between two `%`; a part with a `_` may take text times part.
pub fn like(text: &str, pattern: &str, ignore_case: bool) -> bool {
    if ignore_case {
        return like(&text.to_lowercase(), &pattern.to_lowercase(), false);
    }
    let parts = parts(pattern);
    let Some((first, others)) = parts.split_first() else {
        return text.is_empty();
    };
    let Some(mut rest) = after_start(text, first) else {
        return false;
    };
    let Some((last, middle)) = others.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        // The leftmost place leaves the most for what follows, so that no other need be tried.
        match after_first(rest, part) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    let end = match last.len() {
        0 => Some(""),
        count => rest
            .char_indices()
            .rev()
            .nth(count - 1)
            .and_then(|(at, _)| rest.get(at..)),
    };
    end.is_some_and(|end| after_start(end, last).is_some())
}

/// The parts of a pattern around each `%`: characters, and `None` for `_`.
fn parts(pattern: &str) -> Vec<Vec<Option<char>>> {
    let mut parts = Vec::new();
    let mut part = Vec::new();
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '%' => parts.push(std::mem::take(&mut part)),
            '_' => part.push(None),
            '\\' => part.push(Some(characters.next().unwrap_or('\\'))),
            other => part.push(Some(other)),
        }
    }
    parts.push(part);
    parts
}

/// What follows a part at the start of a text.
fn after_start<'a>(text: &'a str, part: &[Option<char>]) -> Option<&'a str> {
    let mut characters = text.chars();
    for expected in part {
        let character = characters.next()?;
        if expected.is_some_and(|expected| expected != character) {
            return None;
        }
    }
    Some(characters.as_str())
}

/// What follows a part at its first place in a text.
fn after_first<'a>(text: &'a str, part: &[Option<char>]) -> Option<&'a str> {
    if let Some(plain) = part.iter().copied().collect::<Option<String>>() {
        return text
            .find(&plain)
            .and_then(|at| text.get(at + plain.len()..));
    }
    text.char_indices()
        .filter_map(|(at, _)| text.get(at..))
        .find_map(|rest| after_start(rest, part))
}

/// Whether the pattern is found anywhere in `text`, or `None` where it is no regular expression. The operators `=~` and
/// `!~` and `REGEX_TEST()` are this.
pub fn regex_test(text: &str, pattern: &str, ignore_case: bool) -> Option<bool> {
    Some(
        compiled(pattern, ignore_case)?
            .is_match(text)
            .unwrap_or(false),
    )
}

/// Compiled patterns of this thread, newest last: a query's pattern is the same for every row.
const KEPT: usize = 32;

struct Kept {
    pattern: String,
    ignore_case: bool,
    regex: Option<Rc<Regex>>,
}

thread_local! {
    static CACHE: RefCell<Vec<Kept>> = const { RefCell::new(Vec::new()) };
}

fn compiled(pattern: &str, ignore_case: bool) -> Option<Rc<Regex>> {
    CACHE.with_borrow_mut(|cache| {
        if let Some(kept) = cache
            .iter()
            .rev()
            .find(|kept| kept.ignore_case == ignore_case && kept.pattern == pattern)
        {
            return kept.regex.clone();
        }
        let regex = RegexBuilder::new(pattern)
            .case_insensitive(ignore_case)
            .backtrack_limit(1_000_000)
            .delegate_size_limit(4 << 20)
            .delegate_dfa_size_limit(4 << 20)
            .build()
            .ok()
            .map(Rc::new);
        if cache.len() == KEPT {
            cache.remove(0);
        }
        cache.push(Kept {
            pattern: pattern.to_owned(),
            ignore_case,
            regex: regex.clone(),
        });
        regex
    })
}

fn regex_test_function(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    match regex_test(&text(args, 0), &text(args, 1), flag(args, 2)) {
        Some(found) => Ok(Value::Bool(found)),
        None => ctx.invalid_regex("REGEX_TEST"),
    }
}

/// The match and its groups, or `null` where nothing matches. A group that took no part is empty.
fn regex_matches(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Some(regex) = compiled(&text(args, 1), flag(args, 2)) else {
        return ctx.invalid_regex("REGEX_MATCHES");
    };
    let text = text(args, 0);
    Ok(match regex.captures(&text) {
        Ok(Some(captures)) => {
            let group =
                |at: usize| Value::from(captures.get(at).map_or("", |found| found.as_str()));
            Value::array((0..captures.len()).map(group).collect())
        }
        _ => Value::Null,
    })
}

fn regex_replace(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Some(regex) = compiled(&text(args, 1), flag(args, 3)) else {
        return ctx.invalid_regex("REGEX_REPLACE");
    };
    let (text, with) = (text(args, 0), text(args, 2));
    let mut out = String::new();
    let mut done = 0;
    for (step, captures) in regex.captures_iter(text.as_str()).enumerate() {
        ctx.tick(step)?;
        let Ok(captures) = captures else { break };
        let Some(whole) = captures.get(0) else { break };
        out.push_str(text.get(done..whole.start()).unwrap_or_default());
        expand(&with, &captures, &mut out);
        done = whole.end();
        if out.len() > super::arguments::MOST_BYTES {
            ctx.charge_text("REGEX_REPLACE", out.len())?;
        }
    }
    out.push_str(text.get(done..).unwrap_or_default());
    ctx.charge_text("REGEX_REPLACE", out.len())?;
    Ok(Value::from(out))
}

/// ICU's replacement text: `$1` and `${name}` are groups, `\` makes the next character plain.
fn expand(with: &str, captures: &fancy_regex::Captures<'_, str>, out: &mut String) {
    let mut characters = with.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek().copied()) {
            ('\\', Some(plain)) => {
                characters.next();
                out.push(plain);
            }
            ('$', Some('{')) => {
                characters.next();
                let name: String = characters.by_ref().take_while(|c| *c != '}').collect();
                out.push_str(captures.name(&name).map_or("", |group| group.as_str()));
            }
            ('$', Some(digit)) if digit.is_ascii_digit() => {
                let mut group = 0_usize;
                while let Some(digit) = characters.peek().and_then(|c| c.to_digit(10)) {
                    // Further digits belong to the number as long as there is such a group.
                    let longer = group.saturating_mul(10).saturating_add(digit as usize);
                    if group > 0 && longer >= captures.len() {
                        break;
                    }
                    group = longer;
                    characters.next();
                }
                out.push_str(captures.get(group).map_or("", |found| found.as_str()));
            }
            (other, _) => out.push(other),
        }
    }
}

/// Splits at matches; groups of the pattern are kept as parts. At most `limit` parts, the rest left out.
fn regex_split(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let limit = match args.get(3) {
        None | Some(Value::Null) => usize::MAX,
        Some(limit) => match usize::try_from(limit.to_i64()) {
            Ok(limit) => limit,
            Err(_) => return ctx.invalid("REGEX_SPLIT"),
        },
    };
    if limit == 0 {
        return Ok(Value::array(Vec::new()));
    }
    if arg(args, 1).is_null() {
        return Ok(Value::array(vec![Value::from(text(args, 0))]));
    }
    let Some(regex) = compiled(&text(args, 1), flag(args, 2)) else {
        return ctx.invalid_regex("REGEX_SPLIT");
    };
    let text = text(args, 0);
    let mut parts = Vec::new();
    let mut done = 0;
    for (step, captures) in regex.captures_iter(text.as_str()).enumerate() {
        ctx.tick(step)?;
        let Ok(captures) = captures else { break };
        let Some(whole) = captures.get(0) else { break };
        // A match of nothing at the very start splits nothing off.
        if whole.end() == 0 {
            continue;
        }
        parts.push(Value::from(
            text.get(done..whole.start()).unwrap_or_default(),
        ));
        let groups = (1..captures.len())
            .map(|at| Value::from(captures.get(at).map_or("", |group| group.as_str())));
        parts.extend(groups);
        done = whole.end();
        if parts.len() >= limit {
            break;
        }
    }
    if parts.len() < limit {
        parts.push(Value::from(text.get(done..).unwrap_or_default()));
    }
    parts.truncate(limit);
    ctx.charge_elements("REGEX_SPLIT", parts.len())?;
    Ok(Value::array(parts))
}
