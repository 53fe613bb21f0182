//! The walk reaches everything, each node before what it holds, and what is asked of a query rests on it.

use std::collections::BTreeSet;

use aql_syntax::ast::{DataSource, Expr, ExprKind, Query};
use aql_syntax::visit::Node;
use aql_syntax::{BindParameter, Version, parse, parse_with};

/// The whole numbers that a walk meets, in its order.
fn numbers(query: &Query) -> Vec<i64> {
    let mut numbers = Vec::new();
    query.walk(|node| {
        if let Node::Expr(Expr {
            kind: ExprKind::Integer(n),
            ..
        }) = node
        {
            numbers.push(*n);
        }
    });
    numbers
}

/// Each place of an expression holds a number of its own; all must be met, and in the order of the text.
#[test]
fn every_expression_is_reached_in_the_order_of_the_text() {
    for (text, count) in [
        ("FOR d IN [1, [2], 3..4] RETURN {a: 5, [6]: 7, @p: 8}", 8),
        ("FOR d IN v SEARCH 1 OPTIONS {a: 2} RETURN 3", 3),
        (
            "FOR v IN 1..2 ANY 3 e PRUNE x = 4 OPTIONS {a: 5} RETURN 6",
            6,
        ),
        ("FOR v IN 1 ANY 2 GRAPH 'g' OPTIONS {a: 3} RETURN 4", 4),
        (
            "FOR v IN ANY SHORTEST_PATH 1 TO 2 e OPTIONS {a: 3} RETURN 4",
            4,
        ),
        (
            "FOR v IN 1..2 ANY K_PATHS 3 TO 4 e OPTIONS {a: 5} RETURN 6",
            6,
        ),
        ("LET a = 1, [b, {c: [d]}] = 2 RETURN 3", 3),
        (
            "FOR d IN c FILTER 1 SORT 2 ASC, 3 DESC, 4 5 LIMIT 6, 7 RETURN DISTINCT 8",
            8,
        ),
        (
            "FOR d IN c COLLECT a = 1 AGGREGATE b = MAX(2), e = MIN(3) INTO g = 4 OPTIONS {a: 5} RETURN 6",
            6,
        ),
        (
            "FOR d IN c COLLECT a = 1 INTO g = 2 KEEP d OPTIONS {a: 3} RETURN 4",
            4,
        ),
        (
            "FOR d IN c WINDOW 1 WITH {preceding: 2, following: 3} AGGREGATE b = MAX(4) RETURN 5",
            5,
        ),
        ("INSERT 1 INTO c OPTIONS {a: 2}", 2),
        ("UPDATE 1 WITH 2 INTO c OPTIONS {a: 3}", 3),
        ("REPLACE 1 WITH 2 INTO c OPTIONS {a: 3}", 3),
        ("REMOVE 1 INTO c OPTIONS {a: 2}", 2),
        ("UPSERT {a: 1} INSERT 2 UPDATE 3 INTO c OPTIONS {a: 4}", 4),
        (
            "UPSERT FILTER 1 INSERT 2 REPLACE 3 INTO c OPTIONS {a: 4}",
            4,
        ),
        (
            "RETURN a[1].b[* FILTER 2 LIMIT 3, 4 RETURN 5].c[6][* RETURN 7].d[8]",
            8,
        ),
        ("RETURN a[? 1..2 FILTER 3].b[? AT LEAST (4) FILTER 5]", 5),
        ("RETURN a[**][? ANY FILTER 1][*** FILTER 2]", 2),
        ("RETURN f(1, g(2), FOR d IN 3 RETURN 4, NS::h(5))", 5),
        ("RETURN 1 + -2 * NOT 3 ? 4 : 5 ?: 6", 6),
        ("RETURN (1 ALL == 2) AND 3 AT LEAST (4) IN 5", 5),
        ("RETURN (RETURN (RETURN (RETURN 1)))", 1),
    ] {
        let query = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(numbers(&query), (1..=count).collect::<Vec<_>>(), "{text}");
    }
    let query = parse_with("RETURN [...[1], {...2}]", Version::V4).unwrap();
    assert_eq!(numbers(&query), [1, 2]);
}

#[test]
fn every_data_source_is_reached_wherever_it_is_named() {
    let texts = [
        "WITH a, @@b FOR d IN c RETURN d",
        "RETURN [a, {x: @@b}, LENGTH(c)]",
        "FOR v IN ANY 'x/1' a, INBOUND @@b, OUTBOUND c RETURN v",
        "FOR v IN ANY SHORTEST_PATH a TO @@b c RETURN v",
        "FOR d IN a FILTER d.x IN (FOR e IN @@b RETURN e) RETURN d[* FILTER c]",
        "FOR d IN a COLLECT x = @@b INTO g = c RETURN g",
        "FOR d IN a INSERT @@b INTO c",
        "FOR d IN a UPSERT FILTER @@b INSERT {} UPDATE {} IN 'c'",
        "FOR v IN ANY a @@b PRUNE c RETURN v",
        "RETURN a ANY == b[? @@b FILTER 1] AND c AT LEAST (a) == 1",
    ];
    for text in texts {
        let query = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let names: BTreeSet<&str> = query
            .data_sources()
            .into_iter()
            .map(|source| match source {
                DataSource::Named(name) | DataSource::Parameter(name) => name.text.as_str(),
            })
            .collect();
        assert_eq!(names, BTreeSet::from(["a", "b", "c"]), "{text}");
    }
}

#[test]
fn a_write_is_found_wherever_a_subquery_may_stand() {
    for place in [
        "RETURN (…)",
        "RETURN f(…)",
        "LET [x] = (…) RETURN 1",
        "FOR x IN (…) RETURN 1",
        "FOR x IN c FILTER a[(…)] RETURN 1",
        "FOR x IN c SORT (…) RETURN 1",
        "FOR x IN v SEARCH (…) RETURN 1",
        "FOR x IN ANY (…) e RETURN 1",
        "FOR x IN ANY SHORTEST_PATH 1 TO (…) e RETURN 1",
        "FOR x IN c COLLECT a = (…) RETURN 1",
        "FOR x IN c COLLECT AGGREGATE a = MAX(…) RETURN 1",
        "FOR x IN c COLLECT a = 1 INTO g = (…) RETURN 1",
        "FOR x IN c WINDOW (…) WITH {preceding: 1} AGGREGATE a = MAX(1) RETURN 1",
        "RETURN {[(…)]: 1}",
        "RETURN a[* FILTER (…)]",
        "RETURN a[* LIMIT (…)]",
        "RETURN a[* RETURN (…)]",
        "RETURN a[*].b[(…)]",
        "RETURN a[*][* FILTER (…)]",
        "RETURN a[? FILTER (…)]",
        "RETURN a[? (…) FILTER 1]",
        "RETURN a AT LEAST ((…)) == 1",
        "RETURN 1 ?: (…)",
        "RETURN NOT (…)",
        "RETURN (RETURN (RETURN f([{a: (…)}])))",
    ] {
        for write in [
            "INSERT {} INTO c",
            "UPDATE 'k' WITH {} IN c",
            "REPLACE {} IN c",
            "REMOVE 'k' IN c RETURN OLD",
            "UPSERT {} INSERT {} UPDATE {} IN c",
        ] {
            let text = place.replace('…', write);
            let query = parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert!(query.modifies(), "{text}");
        }
        let text = place.replace('…', "RETURN 'REMOVE'");
        assert!(
            !parse(&text)
                .unwrap_or_else(|error| panic!("{text}: {error}"))
                .modifies(),
            "{text}"
        );
    }
}

#[test]
fn calls_are_listed_with_their_names_as_written() {
    let query =
        parse("FOR d IN c FILTER Like(d.x, `sleep`(1)) RETURN my::f(d[* FILTER LENGTH(CURRENT)])")
            .unwrap();
    let names: Vec<String> = query
        .calls()
        .iter()
        .map(|(name, _)| {
            name.parts
                .iter()
                .map(|p| p.text.as_str())
                .collect::<Vec<_>>()
                .join("::")
        })
        .collect();
    assert_eq!(names, ["Like", "sleep", "my::f", "LENGTH"]);
}

#[test]
fn bind_parameters_are_listed_once_each_with_their_kind() {
    let query = parse(
        "FOR v IN 1..@max ANY @start GRAPH @g FILTER v.@attr == @max LIMIT @n \
         RETURN {@key: (FOR d IN @@c RETURN @@c), a: v[? @some FILTER 1]}",
    )
    .unwrap();
    use BindParameter::{DataSource, Value};
    let expected = ["attr", "g", "key", "max", "n", "some", "start"].map(Value);
    assert_eq!(
        query.bind_parameters(),
        [&expected[..], &[DataSource("c")]].concat()
    );
}

#[test]
fn the_limit_that_bounds_the_rows_is_the_last_one_outside_of_loops() {
    let limit = |text: &str| {
        parse(text)
            .unwrap()
            .outermost_limit()
            .map(|(offset, count)| (offset.is_some(), count.to_string()))
    };
    assert_eq!(
        limit("FOR d IN c LIMIT 5 RETURN d"),
        Some((false, "5".into()))
    );
    assert_eq!(
        limit("FOR d IN c LIMIT 9 SORT d.x LIMIT 2, @n LET x = d RETURN x"),
        Some((true, "@n".into()))
    );
    assert_eq!(limit("FOR d IN c RETURN d"), None);
    assert_eq!(limit("FOR d IN c LIMIT 5 FOR e IN d RETURN e"), None);
    assert_eq!(limit("FOR d IN c LIMIT 5 RETURN DISTINCT d"), None);
    assert_eq!(limit("FOR d IN c LIMIT 5 COLLECT x = d.x RETURN x"), None);
    assert_eq!(limit("RETURN (FOR d IN c LIMIT 5 RETURN d)"), None);
}
