//! Which operator binds how tight, shown by the parentheses that say the same.

use aql_syntax::{Version, parse, parse_with};

/// Checks that each expression reads as its form with parentheses, and not as the same with others.
#[track_caller]
fn check(version: Version, cases: &[(&str, &str)]) {
    for (bare, grouped) in cases {
        let read = |text: &str| {
            parse_with(&format!("RETURN {text}"), version)
                .unwrap_or_else(|error| panic!("{text}: {error}"))
        };
        assert_eq!(read(bare), read(grouped), "{bare}");
    }
}

#[test]
fn operators_group_as_in_the_server() {
    check(
        Version::V3_12,
        &[
            ("a OR b AND c", "a OR (b AND c)"),
            ("a AND b OR c", "(a AND b) OR c"),
            ("a || b && c", "a OR (b AND c)"),
            ("a OR b OR c", "(a OR b) OR c"),
            ("a == b AND c == d", "(a == b) AND (c == d)"),
            ("a == b == c", "(a == b) == c"),
            ("a == b < c", "a == (b < c)"),
            ("a < b == c", "(a < b) == c"),
            ("a IN b == c", "(a IN b) == c"),
            ("a == b IN c", "a == (b IN c)"),
            ("a < b IN c", "(a < b) IN c"),
            ("a IN b < c", "a IN (b < c)"),
            ("a IN b..c", "a IN (b..c)"),
            ("a NOT IN b..c", "a NOT IN (b..c)"),
            ("a..b + c", "a..(b + c)"),
            ("a + b..c * d", "(a + b)..(c * d)"),
            ("a..b < c", "(a..b) < c"),
            ("a + b * c", "a + (b * c)"),
            ("a - b - c", "(a - b) - c"),
            ("a / b * c % d", "((a / b) * c) % d"),
            ("-a * b", "(-a) * b"),
            ("-a.b", "-(a.b)"),
            ("a * -b + c", "(a * (-b)) + c"),
            ("- - a", "-(-a)"),
        ],
    );
}

#[test]
fn not_binds_tighter_than_every_operator_with_two_operands() {
    check(
        Version::V3_12,
        &[
            ("NOT x LIKE y", "(NOT x) LIKE y"),
            ("NOT x == y", "(NOT x) == y"),
            ("!x IN y", "(NOT x) IN y"),
            ("NOT x AND y", "(NOT x) AND y"),
            ("NOT x.y[0]", "NOT (x.y[0])"),
            ("NOT f(x) + 1", "(NOT f(x)) + 1"),
        ],
    );
}

#[test]
fn not_like_takes_its_left_side_as_in_and_its_right_side_as_like() {
    check(
        Version::V3_12,
        &[
            ("a == b NOT LIKE c", "a == (b NOT LIKE c)"),
            ("a == b LIKE c", "(a == b) LIKE c"),
            ("a NOT LIKE b == c", "(a NOT LIKE b) == c"),
            ("a NOT LIKE b < c", "a NOT LIKE (b < c)"),
            ("a < b NOT LIKE c", "(a < b) NOT LIKE c"),
            ("a NOT =~ b", "a !~ b"),
            ("a NOT !~ b", "a =~ b"),
            ("a NOT /* between */ IN b", "a NOT IN b"),
            ("a ! LIKE b", "a NOT LIKE b"),
        ],
    );
}

#[test]
fn a_ternary_is_loosest_and_groups_to_the_right() {
    check(
        Version::V3_12,
        &[
            ("a ? b : c ? d : e", "a ? b : (c ? d : e)"),
            ("a ? b ? c : d : e", "a ? (b ? c : d) : e"),
            ("a OR b ? c OR d : e OR f", "(a OR b) ? (c OR d) : (e OR f)"),
            ("a ?: b ?: c", "a ?: (b ?: c)"),
            ("a ? : b", "a ?: b"),
            ("a == 1 ? 2 : 3 + 4", "(a == 1) ? 2 : (3 + 4)"),
        ],
    );
}

#[test]
fn a_quantified_comparison_takes_its_left_side_looser_than_a_comparison() {
    check(
        Version::V3_12,
        &[
            ("a ANY == b AND c", "(a ANY == b) AND c"),
            ("a AND b ANY == c", "a AND (b ANY == c)"),
            ("a == b ANY == c", "(a == b) ANY == c"),
            ("a + b ALL < c + d", "(a + b) ALL < (c + d)"),
            ("a ANY == b == c", "(a ANY == b) == c"),
            ("a ANY == b < c", "a ANY == (b < c)"),
            ("a NONE IN b..c", "a NONE IN (b..c)"),
            ("a ALL NOT IN b", "(a) ALL NOT IN (b)"),
            (
                "a AT LEAST (1 + 1) == b OR c",
                "(a AT LEAST (1 + 1) == b) OR c",
            ),
            (
                "a ANY == b AT LEAST (2) < c",
                "(a ANY == b) AT LEAST (2) < c",
            ),
        ],
    );
}

#[test]
fn version_4_quantifies_like_and_matches_as_well() {
    check(
        Version::V4,
        &[
            ("a ANY LIKE b AND c", "(a ANY LIKE b) AND c"),
            ("a ALL NOT LIKE b", "(a) ALL NOT LIKE (b)"),
            ("a NONE =~ b", "(a) NONE =~ (b)"),
            ("a AT LEAST (1) !~ b", "(a) AT LEAST (1) !~ (b)"),
        ],
    );
    assert!(parse("RETURN a ANY LIKE b").is_err());
}

#[test]
fn an_in_before_the_collection_of_a_write_is_no_operator() {
    for (text, same) in [
        ("FOR d IN c REMOVE d IN c", "FOR d IN c REMOVE d INTO c"),
        ("FOR d IN c REMOVE d IN 'c'", "FOR d IN c REMOVE d INTO `c`"),
        (
            "FOR d IN c INSERT d IN e.f IN c",
            "FOR d IN c INSERT (d IN e.f) INTO c",
        ),
        (
            "FOR d IN c INSERT d IN e IN c",
            "FOR d IN c INSERT (d IN e) INTO c",
        ),
        (
            "FOR d IN c INSERT d IN f(1) INTO c",
            "FOR d IN c INSERT (d IN f(1)) INTO c",
        ),
        (
            "FOR d IN c UPDATE d WITH d IN @@c RETURN 1",
            "FOR d IN c UPDATE d WITH d INTO @@c RETURN 1",
        ),
        (
            "FOR d IN c UPDATE d IN e WITH d IN c",
            "FOR d IN c UPDATE (d IN e) WITH d INTO c",
        ),
        (
            "FOR d IN c REMOVE d IN c OPTIONS {}",
            "FOR d IN c REMOVE d INTO c OPTIONS {}",
        ),
    ] {
        assert_eq!(parse(text).unwrap(), parse(same).unwrap(), "{text}");
    }
}
