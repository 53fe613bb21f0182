//! Regular expressions that backtrack without end, as far as they are constants.
//!
//! The server's engine backtracks, polls no time limit while it matches, and matches constants while it plans. A repeated
//! group whose body can match the same text in more ways than one, `(a+)+`, then takes time that doubles with each
//! character. Refused is a group under `*`, `+` or `{n,}` of which an alternative consists of nothing but repeated and optional
//! parts. `(\d+\.)+` passes, because its point parts the repetitions. Overlapping alternatives, `(a|aa)+`, are not looked for.

use core::iter::Peekable;
use core::str::Chars;

use aql_syntax::ast::{BinaryOp, Expr};

use super::super::binds::Binds;
use super::super::refusal::{Refusal, RefusalKind};
use super::constants;
use crate::find::count_chars;

/// The pattern of `REGEX_TEST`, `REGEX_MATCHES`, `REGEX_REPLACE` or `REGEX_SPLIT`: the second argument.
pub(super) fn call(name: &str, arguments: &[Expr], binds: &Binds<'_>) -> Result<(), Box<Refusal>> {
    const REGEX: [&str; 4] = [
        "REGEX_TEST",
        "REGEX_MATCHES",
        "REGEX_REPLACE",
        "REGEX_SPLIT",
    ];
    let is_regex = REGEX.iter().any(|known| known.eq_ignore_ascii_case(name));
    match arguments.get(1) {
        Some(pattern) if is_regex => check(pattern, binds),
        _ => Ok(()),
    }
}

/// The right side of `=~` and `!~`.
pub(super) fn operator(op: BinaryOp, right: &Expr, binds: &Binds<'_>) -> Result<(), Box<Refusal>> {
    match op {
        BinaryOp::Match | BinaryOp::NotMatch => check(right, binds),
        _ => Ok(()),
    }
}

fn check(pattern: &Expr, binds: &Binds<'_>) -> Result<(), Box<Refusal>> {
    match constants::text(pattern, binds) {
        Some(pattern) if explodes(&pattern) => Err(Refusal::repairable(
            RefusalKind::Policy,
            "pattern-bound",
            "a regular expression repeats a group of repeated parts, such as `(a+)+`, and can take time without end; write it without the inner or the outer repetition".into(),
        )),
        _ => Ok(()),
    }
}

/// How often a part may come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Times {
    /// Exactly as written: it parts what stands around it.
    Fixed,
    /// Perhaps not at all, at most a bounded number of times.
    Optional,
    /// Without an upper bound, and the engine may give some back.
    Unbounded,
}

/// A group that is open.
#[derive(Clone, Copy, Default)]
struct Group {
    /// The current alternative has a part of fixed length.
    fixed: bool,
    /// The current alternative has a part without bound.
    unbounded: bool,
    /// An alternative before it was nothing but repeated and optional parts.
    loose: bool,
}

impl Group {
    fn add(&mut self, times: Times) {
        self.fixed |= times == Times::Fixed;
        self.unbounded |= times == Times::Unbounded;
    }

    fn end_alternative(&mut self) {
        self.loose |= self.unbounded && !self.fixed;
        self.fixed = false;
        self.unbounded = false;
    }
}

fn explodes(pattern: &str) -> bool {
    let mut open = vec![Group::default()];
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '(' => {
                skip_group_prefix(&mut chars);
                open.push(Group::default());
                continue;
            }
            ')' => {
                let Some(mut group) = open.pop().filter(|_| !open.is_empty()) else {
                    return false;
                };
                group.end_alternative();
                let times = times(&mut chars);
                if group.loose && times == Times::Unbounded {
                    return true;
                }
                // A group that can match in many lengths parts nothing, whatever stands behind it.
                let as_part = if group.loose && times == Times::Fixed {
                    Times::Unbounded
                } else {
                    times
                };
                if let Some(outer) = open.last_mut() {
                    outer.add(as_part);
                }
                continue;
            }
            '|' => {
                if let Some(group) = open.last_mut() {
                    group.end_alternative();
                }
                continue;
            }
            // Places and not parts.
            '^' | '$' => continue,
            '\\' => {
                chars.next();
            }
            '[' => skip_class(&mut chars),
            _ => {}
        }
        let times = times(&mut chars);
        if let Some(group) = open.last_mut() {
            group.add(times);
        }
    }
    false
}

/// The quantifier that follows, if one does.
fn times(chars: &mut Peekable<Chars<'_>>) -> Times {
    let times = match chars.peek() {
        Some('*' | '+') => Times::Unbounded,
        Some('?') => Times::Optional,
        Some('{') => {
            let counts: String = chars
                .clone()
                .skip(1)
                .take_while(|c| *c != '}')
                .take(24)
                .collect();
            for _ in 0..count_chars(&counts).saturating_add(1) {
                chars.next();
            }
            match counts.split_once(',') {
                Some((_, most)) if most.trim().is_empty() => Times::Unbounded,
                Some((least, _)) if least.trim() == "0" => Times::Optional,
                _ => Times::Fixed,
            }
        }
        _ => return Times::Fixed,
    };
    chars.next();
    // A possessive part gives nothing back.
    if chars.next_if_eq(&'+').is_some() {
        return Times::Fixed;
    }
    chars.next_if_eq(&'?');
    times
}

/// `?:`, `?=`, `?<=`, `?<name>`, `?i:` and the like after an opening parenthesis.
fn skip_group_prefix(chars: &mut Peekable<Chars<'_>>) {
    if chars.next_if_eq(&'?').is_none() {
        return;
    }
    if chars.next_if_eq(&'<').is_some() {
        if chars.next_if(|c| matches!(c, '=' | '!')).is_none() {
            chars.by_ref().find(|c| *c == '>');
        }
        return;
    }
    while chars
        .next_if(|c| c.is_ascii_alphabetic() || *c == '-')
        .is_some()
    {}
    chars.next_if(|c| matches!(c, ':' | '=' | '!' | '>'));
}

/// The rest of a class, up to its closing bracket.
fn skip_class(chars: &mut Peekable<Chars<'_>>) {
    chars.next_if_eq(&'^');
    chars.next_if_eq(&']');
    let mut depth = 0_u32;
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            '[' => depth = depth.saturating_add(1),
            ']' if depth == 0 => return,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::explodes;
    use proptest::prelude::*;

    #[test]
    fn a_repeated_group_of_repeated_parts_explodes() {
        for pattern in [
            "(a+)+",
            "(a*)*$",
            "^(\\w+\\s*)+$",
            "([a-z]+)*",
            "(.*)*x",
            "((ab)+)+",
            "(?:a+)+",
            "(a+b?)*",
            "(x|a+)+",
            "(a+){2,}",
            "(a+?)+?",
            "((a+))+",
            "([\\]a]+)+",
            "(?<n>a+)+",
        ] {
            assert!(explodes(pattern), "{pattern}");
        }
    }

    #[test]
    fn daily_patterns_pass() {
        for pattern in [
            "",
            "^a+$",
            "(\\d+\\.)+",
            "(foo|bar)*",
            "^[a-z]+@[a-z]+\\.[a-z]{2,}$",
            "(a+)",
            "(a+)?",
            "(a+){2}",
            "(a++)+",
            "\\(a+\\)+",
            "[(a+)]+",
            "(\\w+\\s)+",
            ")+",
            "(",
            "a{",
            "^(?:[0-9]{1,3}\\.){3}[0-9]{1,3}$",
            "(,\\s*\\w+)*",
        ] {
            assert!(!explodes(pattern), "{pattern}");
        }
    }

    proptest! {
        #[test]
        fn any_pattern_ends_in_a_verdict(pattern in "(\\PC|[()\\[\\]{}|*+?\\\\,0-9^$]){0,40}") {
            let _ = explodes(&pattern);
        }
    }
}
