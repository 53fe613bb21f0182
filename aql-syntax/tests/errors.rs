//! The words of each error, its number and its place, as the server gives them; and the hints.

use aql_syntax::{SyntaxError, Version, parse, parse_any, parse_with};

fn error_of(text: &str) -> SyntaxError {
    match parse(text) {
        Ok(query) => panic!("{text} parses as {query}"),
        Err(error) => error,
    }
}

/// Checks pairs of a text and the message that it gives, all with that number.
#[track_caller]
fn check(number: u16, cases: &[(&str, &str)]) {
    for (text, message) in cases {
        let error = error_of(text);
        assert_eq!(error.to_string(), *message, "{text}");
        assert_eq!(error.number, number, "{text}");
    }
}

#[test]
fn a_token_out_of_place_is_named_as_the_server_names_it() {
    check(
        1501,
        &[
            (
                "no query",
                "syntax error, unexpected identifier near 'no query' at position 1:1",
            ),
            (
                "RETURN 1 + * 2",
                "syntax error, unexpected * operator near '* 2' at position 1:12",
            ),
            (
                "RETURN 1 == RETURN",
                "syntax error, unexpected RETURN declaration near 'RETURN' at position 1:13",
            ),
            (
                "LET a 1 RETURN a",
                "syntax error, unexpected integer number, expecting assignment near '1 RETURN a' at position 1:7",
            ),
            (
                "LET 1.5 = 1",
                "syntax error, unexpected number, expecting identifier or { or [ near '1.5 = 1' at position 1:5",
            ),
            (
                "FOR d OF docs",
                "syntax error, unexpected identifier, expecting IN keyword near 'OF docs' at position 1:7",
            ),
            (
                "FOR d, IN docs",
                "syntax error, unexpected IN keyword, expecting identifier or { or [ near 'IN docs' at position 1:8",
            ),
            (
                "RETURN [1 2]",
                "syntax error, unexpected integer number, expecting ] near '2]' at position 1:11",
            ),
            (
                "RETURN {a: 1 b: 2}",
                "syntax error, unexpected identifier, expecting } near 'b: 2}' at position 1:14",
            ),
            (
                "RETURN {'a' 1}",
                "syntax error, unexpected integer number, expecting : near '1}' at position 1:13",
            ),
            (
                "RETURN MAX(1 2)",
                "syntax error, unexpected integer number, expecting ) near '2)' at position 1:14",
            ),
            (
                "RETURN (1 2)",
                "syntax error, unexpected integer number near '2)' at position 1:11",
            ),
            (
                "RETURN NS::1()",
                "syntax error, unexpected integer number, expecting identifier near '1()' at position 1:12",
            ),
            (
                "RETURN a NOT 1",
                "syntax error, unexpected integer number, expecting ~= operator or ~! operator or like operator near '1' at position 1:14",
            ),
            (
                "RETURN 1, 2",
                "syntax error, unexpected \",\", expecting end of query string near ', 2' at position 1:9",
            ),
            (
                "RETURN 'a'.b",
                "syntax error, unexpected '.', expecting end of query string near '.b' at position 1:11",
            ),
            (
                "RETURN 1;",
                "syntax error, unexpected invalid token, expecting end of query string near ';' at position 1:9",
            ),
            (
                "WITH",
                "syntax error, unexpected end of query string, expecting identifier or bind parameter or bind data source parameter near 'WITH' at position 1:1",
            ),
            (
                "FOR d IN (RETURN 1 FILTER 2) RETURN d",
                "syntax error, unexpected FILTER declaration, expecting ) near 'FILTER 2) RETURN d' at position 1:20",
            ),
            (
                "FOR d IN docs COLLECT x RETURN x",
                "syntax error, unexpected RETURN declaration, expecting assignment near 'RETURN x' at position 1:25",
            ),
            (
                "FOR d IN docs COLLECT WITH COUNT n RETURN n",
                "syntax error, unexpected identifier, expecting INTO keyword near 'n RETURN n' at position 1:34",
            ),
            (
                "FOR d IN docs COLLECT AGGREGATE m = d.x RETURN m",
                "syntax error, unexpected '.', expecting :: or ( near '.x RETURN m' at position 1:38",
            ),
            (
                "INSERT {} INTO 1",
                "syntax error, unexpected integer number, expecting identifier or quoted string or bind data source parameter near '1' at position 1:16",
            ),
            (
                "INSERT {} INTO c OPTIONS 1",
                "syntax error, unexpected integer number, expecting { near '1' at position 1:26",
            ),
            (
                "UPSERT 1",
                "syntax error, unexpected integer number, expecting FILTER declaration or bind parameter or bind data source parameter or { near '1' at position 1:8",
            ),
            (
                "UPSERT {} REMOVE",
                "syntax error, unexpected REMOVE command, expecting INSERT command near 'REMOVE' at position 1:11",
            ),
            (
                "FOR v IN ANY 'a' GRAPH 1",
                "syntax error, unexpected integer number, expecting identifier or quoted string or bind parameter or bind data source parameter near '1' at position 1:24",
            ),
        ],
    );
}

#[test]
fn the_end_of_the_query_is_placed_at_the_last_piece_of_text() {
    check(
        1501,
        &[
            (
                "RETURN",
                "syntax error, unexpected end of query string near 'RETURN' at position 1:1",
            ),
            (
                "RETURN 1 +",
                "syntax error, unexpected end of query string near '+' at position 1:10",
            ),
            (
                "RETURN 1 +  ",
                "syntax error, unexpected end of query string near '  ' at position 1:11",
            ),
            (
                "RETURN 1 +\n",
                "syntax error, unexpected end of query string near '' at position 2:11",
            ),
            (
                "RETURN 1 +\n   ",
                "syntax error, unexpected end of query string near '   ' at position 2:1",
            ),
            (
                "RETURN 1 + // a",
                "syntax error, unexpected end of query string near ' a' at position 1:14",
            ),
            (
                "RETURN 1 + /* a\nb */",
                "syntax error, unexpected end of query string near '*/' at position 2:3",
            ),
            (
                "RETURN 1 + \0 2",
                "syntax error, unexpected end of query string near '\0 2' at position 1:12",
            ),
            (
                "RETURN 1 + ä",
                "syntax error, unexpected end of query string near 'ä' at position 1:12",
            ),
            (
                " ",
                "syntax error, unexpected end of query string near ' ' at position 1:1",
            ),
        ],
    );
    check(1502, &[("", "query is empty")]);
}

#[test]
fn a_quoted_token_is_placed_at_its_closing_quote() {
    check(
        1501,
        &[
            (
                "RETURN 1 'abc'",
                "syntax error, unexpected quoted string, expecting end of query string near ''' at position 1:14",
            ),
            (
                "RETURN 1 `abc`",
                "syntax error, unexpected identifier, expecting end of query string near '`' at position 1:14",
            ),
            (
                "RETURN 'a\nb' 1",
                "syntax error, unexpected integer number, expecting end of query string near '' at position 2:14",
            ),
        ],
    );
}

#[test]
fn the_excerpt_has_32_bytes_and_splits_no_character() {
    check(
        1501,
        &[
            (
                "RETURN 1 a23456789b123456789c123456789d1",
                "syntax error, unexpected identifier, expecting end of query string near 'a23456789b123456789c123456789d1' at position 1:10",
            ),
            (
                "RETURN 1 a23456789b123456789c123456789d12",
                "syntax error, unexpected identifier, expecting end of query string near 'a23456789b123456789c123456789d12...' at position 1:10",
            ),
            (
                "RETURN 1 a23456789b123456789c123456789 'ä'",
                "syntax error, unexpected identifier, expecting end of query string near 'a23456789b123456789c123456789 '...' at position 1:10",
            ),
        ],
    );
}

#[test]
fn what_never_ends_is_named() {
    check(
        1501,
        &[
            (
                "RETURN 'abc",
                "unexpected unterminated string literal near 'c' at position 1:11",
            ),
            (
                "RETURN \"abc\\\"",
                "unexpected unterminated string literal near '\\\"' at position 1:12",
            ),
            (
                "RETURN `ab",
                "unexpected unterminated identifier near 'b' at position 1:10",
            ),
            (
                "RETURN ´ab`",
                "unexpected unterminated identifier near '`' at position 1:12",
            ),
            (
                "RETURN 1 /* a",
                "unexpected unterminated multi-line comment near ' a' at position 1:12",
            ),
            (
                "RETURN 0b000000000000000000000000000000001",
                "binary number literal value exceeds the supported range near '0b000000000000000000000000000000...' at position 1:8",
            ),
            (
                "RETURN 0x000000001",
                "hex number literal value exceeds the supported range near '0x000000001' at position 1:8",
            ),
        ],
    );
}

#[test]
fn a_word_without_meaning_in_its_place_is_named_with_those_that_have_one() {
    check(
        1501,
        &[
            (
                "FOR d IN docs WHERE d.x RETURN d",
                "unexpected qualifier 'WHERE', expecting 'SEARCH' or 'OPTIONS' near 'RETURN d' at position 1:25",
            ),
            (
                "FOR d IN v OPTIONS {} SEARCH 1 RETURN d",
                "unexpected qualifier 'OPTIONS', expecting 'SEARCH' and 'OPTIONS' near 'RETURN d' at position 1:32",
            ),
            (
                "FOR v IN ANY 'a' e STOP 1 RETURN v",
                "unexpected qualifier 'STOP', expecting 'PRUNE' or 'OPTIONS' near 'RETURN v' at position 1:27",
            ),
            (
                "FOR v IN ANY SHORTEST_PATH 'a' THEN 'b' e RETURN v",
                "unexpected qualifier 'THEN', expecting 'TO' near 'e RETURN v' at position 1:41",
            ),
            (
                "FOR d IN docs COLLECT WITH SUM INTO n RETURN n",
                "unexpected qualifier 'SUM', expecting 'COUNT' near 'n RETURN n' at position 1:37",
            ),
            (
                "FOR d IN docs COLLECT a = d.x INTO g HOLD d RETURN g",
                "unexpected qualifier 'HOLD', expecting 'KEEP' near 'HOLD d RETURN g' at position 1:38",
            ),
            (
                "INSERT {} INTO c SETTINGS {}",
                "unexpected qualifier 'SETTINGS', expecting 'OPTIONS' near '}' at position 1:28",
            ),
        ],
    );
}

#[test]
fn loops_have_the_variables_that_their_kind_takes() {
    check(
        1501,
        &[
            (
                "FOR a, b IN docs RETURN a",
                "Collections and views FOR loops only allow a single return variable near 'RETURN a' at position 1:18",
            ),
            (
                "FOR a, b, c, d IN ANY 'a' e RETURN a",
                "Traversals only have one, two or three return variables near 'RETURN a' at position 1:29",
            ),
            (
                "FOR a, b, c IN ANY SHORTEST_PATH 1 TO 2 e RETURN a",
                "SHORTEST_PATH must have one or two return variables near 'RETURN a' at position 1:43",
            ),
            (
                "FOR a, b IN ANY K_SHORTEST_PATHS 1 TO 2 e RETURN a",
                "K_SHORTEST_PATHS only has one return variable near 'RETURN a' at position 1:43",
            ),
            (
                "FOR a, b IN ANY ALL_SHORTEST_PATHS 1 TO 2 e RETURN a",
                "ALL_SHORTEST_PATHS only has one return variable near 'RETURN a' at position 1:45",
            ),
            (
                "FOR a, b IN ANY K_PATHS 1 TO 2 e RETURN a",
                "K_PATHS only has one return variable near 'RETURN a' at position 1:34",
            ),
        ],
    );
    assert_eq!(error_of("FOR [a] IN ANY 'a' e RETURN a").number, 1501);
}

#[test]
fn a_variable_is_declared_once_and_has_a_proper_name() {
    for text in [
        "LET x = 1 LET x = 2 RETURN x",
        "LET x = 1 FOR x IN docs RETURN x",
        "LET x = 1 RETURN (FOR x IN docs RETURN x)",
        "FOR x, x IN ANY 'a' e RETURN x",
        "FOR x IN docs COLLECT x = x.a RETURN x",
        "FOR d IN docs COLLECT x = d.a INTO x RETURN x",
        "FOR d IN docs COLLECT AGGREGATE x = MAX(d.a), x = MIN(d.a) RETURN x",
        "FOR v IN ANY 'a' e LET x = 1 LET {a: [x]} = 2 RETURN x",
        "LET [x, x] = [1, 2] RETURN x",
    ] {
        check(1511, &[(text, "variable 'x' is assigned multiple times")]);
    }
    check(
        1510,
        &[(
            "LET _x = 1 RETURN 1",
            "variable name '_x' has an invalid format",
        )],
    );
}

#[test]
fn a_short_attribute_needs_a_variable() {
    check(
        1512,
        &[
            (
                "RETURN {x}",
                "use of unknown variable 'x' in object literal near '}' at position 1:10",
            ),
            (
                "RETURN a[* RETURN {CURRENT}]",
                "use of unknown variable 'CURRENT' in object literal near '}]' at position 1:27",
            ),
        ],
    );
}

#[test]
fn a_collect_uses_nothing_that_it_makes() {
    check(
        1512,
        &[
            (
                "FOR d IN c COLLECT a = d.x AGGREGATE m = MAX(a) RETURN m",
                "use of unknown variable 'a' in AGGREGATE expression near 'RETURN m' at position 1:49",
            ),
            (
                "FOR d IN c COLLECT AGGREGATE m = MAX(d.x), n = MAX(m) RETURN m",
                "use of COLLECT variable 'm' inside same COLLECT near 'RETURN m' at position 1:55",
            ),
            (
                "FOR d IN c COLLECT a = d.x INTO g = a RETURN g",
                "use of COLLECT variable 'a' inside same COLLECT's expression near 'RETURN g' at position 1:39",
            ),
            (
                "FOR d IN c COLLECT a = d.x INTO g KEEP a RETURN g",
                "use of COLLECT variable 'a' inside same COLLECT's expression near 'RETURN g' at position 1:42",
            ),
        ],
    );
    check(
        1501,
        &[
            (
                "FOR d IN c COLLECT a = d.x KEEP d RETURN a",
                "use of 'KEEP' without 'INTO' near 'RETURN a' at position 1:35",
            ),
            (
                "FOR d IN c COLLECT a = d.x INTO g KEEP e RETURN a",
                "use of unknown variable 'e' for KEEP near 'e RETURN a' at position 1:40",
            ),
        ],
    );
}

#[test]
fn aggregates_are_known_functions_with_one_argument() {
    check(
        1574,
        &[(
            "FOR d IN c COLLECT AGGREGATE m = CONCAT(d.x) RETURN m",
            "unknown aggregate function used near 'RETURN m' at position 1:46",
        )],
    );
    let message = "invalid number of arguments for function 'MAX()', expected number of arguments: minimum: 1, maximum: 1";
    check(
        1541,
        &[("FOR d IN c COLLECT AGGREGATE m = max() RETURN m", message)],
    );
    assert!(parse("FOR d IN c COLLECT AGGREGATE m = count() RETURN m").is_ok());
}

#[test]
fn options_are_objects_known_beforehand() {
    check(
        1501,
        &[(
            "FOR d IN docs OPTIONS 1 RETURN d",
            "'OPTIONS' have to be an object near 'RETURN d' at position 1:25",
        )],
    );
    check(
        1575,
        &[
            (
                "FOR d IN docs OPTIONS {a: d} RETURN d",
                "'OPTIONS' have to be known at query compile time near 'RETURN d' at position 1:30",
            ),
            (
                "FOR d IN c INSERT d INTO c OPTIONS {a: d}",
                "'OPTIONS' have to be known at query compile time near '}' at position 1:41",
            ),
        ],
    );
    assert!(parse("FOR d IN docs OPTIONS {a: @a, b: [1, -1]} RETURN d").is_ok());
}

#[test]
fn statements_are_checked_beyond_their_grammar() {
    check(
        1501,
        &[
            (
                "RETURN DISTINCT 1",
                "cannot use DISTINCT modifier on top-level query element near 'DISTINCT 1' at position 1:8",
            ),
            (
                "FOR d IN [1] SEARCH d RETURN d",
                "SEARCH condition used on non-view near 'RETURN d' at position 1:23",
            ),
            (
                "FOR v IN ANY 'a' e PRUNE (RETURN v) RETURN v",
                "PRUNE condition must not use a subquery near 'RETURN v' at position 1:37",
            ),
            (
                "RETURN a[* ANY FILTER true]",
                "unexpected quantifier value found for array expansion operation. near 'FILTER true]' at position 1:16",
            ),
            (
                "FOR d IN c WINDOW {} AGGREGATE m = MAX(d) RETURN m",
                "At least one WINDOW bound must be specified ('preceding'/'following') near 'RETURN m' at position 1:43",
            ),
            (
                "FOR d IN c WINDOW {a: 1} AGGREGATE m = MAX(d) RETURN m",
                "Invalid WINDOW attribute 'a'; only \"preceding\" and \"following\" are supported near 'RETURN m' at position 1:47",
            ),
            (
                "FOR v IN 2..1 ANY 'a' e RETURN v",
                "invalid traversal depth",
            ),
            ("FOR v IN -1 ANY 'a' e RETURN v", "invalid traversal depth"),
            ("FOR v IN 1.5 ANY 'a' e RETURN v", "invalid traversal depth"),
            ("FOR v IN 'a' ANY 'a' e RETURN v", "invalid traversal depth"),
        ],
    );
    check(
        1504,
        &[(
            "FOR d IN docs LIMIT d RETURN d",
            "LIMIT offset/count values must be constant numeric values",
        )],
    );
    for text in [
        "FOR d IN docs LIMIT (RETURN 1) RETURN d",
        "FOR d IN docs LIMIT 1, docs RETURN d",
    ] {
        assert_eq!(error_of(text).number, 1504, "{text}");
    }
    for text in [
        "FOR v IN 0..@n ANY 'a' e RETURN v",
        "FOR v IN 2.0 ANY 'a' e RETURN v",
        "FOR d IN docs LIMIT @a, 1 + 1 RETURN d",
    ] {
        assert!(parse(text).is_ok(), "{text}");
    }
}

#[test]
fn a_keyword_where_a_name_must_stand_is_to_be_quoted() {
    for (text, word) in [
        ("FOR d IN docs RETURN d.filter", "filter"),
        ("FOR d IN docs RETURN d.Limit", "Limit"),
        ("FOR d IN docs RETURN {for: 1}", "for"),
        ("FOR d IN docs RETURN {a: 1, sort: 1}", "sort"),
        ("FOR desc IN docs RETURN 1", "desc"),
        ("LET return = 1 RETURN 1", "return"),
        ("FOR d IN docs COLLECT x = d.x INTO all RETURN x", "all"),
        ("FOR d IN docs FILTER graph == 1 RETURN d", "graph"),
    ] {
        let hint = format!("`{word}` is a keyword: as a name, write it in backticks");
        assert_eq!(error_of(text).hint(), Some(hint.as_str()), "{text}");
    }
}

#[test]
fn common_slips_get_a_hint() {
    for (text, hint) in [
        ("FOR d IN docs FILTER d.a = 1 RETURN d", "compare with `==`"),
        (
            "FOR d IN docs FILTER d.a <> 1 RETURN d",
            "compare with `!=`",
        ),
        (
            "FOR d IN docs FILTER d.a IS NULL RETURN d",
            "compare with `== null` or `!= null`",
        ),
        ("RETURN 1;", "write exactly one query, without `;`"),
        ("FOR d IN docs", "a query ends with `RETURN`"),
        (
            "FOR d IN docs RETURN d LIMIT 5",
            "`RETURN` ends a query: write `LIMIT` before it",
        ),
        ("RETURN {...{}}", "`...` needs ArangoDB 4"),
    ] {
        assert_eq!(error_of(text).hint(), Some(hint), "{text}");
    }
    assert_eq!(error_of("FOR d IN docs FILTER RETURN d").hint(), None);
}

#[test]
fn an_error_tells_its_bytes() {
    let text = "FOR d IN docs\n  RETURN d.filter";
    let error = error_of(text);
    assert_eq!((error.line, error.column), (2, 12));
    assert_eq!(
        &text[error.span.start as usize..error.span.end as usize],
        "filter"
    );
}

#[test]
fn reading_by_any_grammar_reports_the_one_that_came_further() {
    let text = "RETURN [...a, ...b c]";
    assert_eq!(
        parse_any(text).unwrap_err(),
        parse_with(text, Version::V4).unwrap_err()
    );
    let text = "FOR match IN docs RETURN match x";
    assert_eq!(parse_any(text).unwrap_err(), parse(text).unwrap_err());
}
