//! Printing and parsing undo each other, and no text makes the parser fail otherwise than with an error.

mod common;

use aql_syntax::ast::{AttributeName, ExprKind, StatementKind};
use aql_syntax::{Version, parse, parse_any, parse_with, quote_name};
use common::Maker;
use proptest::prelude::*;

/// Pieces of queries, so that random texts get past their first token.
const PIECES: &[&str] = &[
    "FOR ",
    "d",
    " IN ",
    "docs ",
    "LET ",
    "= ",
    "FILTER ",
    "RETURN ",
    "COLLECT ",
    "WITH ",
    "COUNT ",
    "INTO ",
    "KEEP ",
    "AGGREGATE ",
    "LENGTH",
    "SORT ",
    "LIMIT ",
    "WINDOW ",
    "DISTINCT ",
    "ASC ",
    "DESC ",
    "INSERT ",
    "UPDATE ",
    "REPLACE ",
    "REMOVE ",
    "UPSERT ",
    "OPTIONS ",
    "PRUNE ",
    "SEARCH ",
    "GRAPH ",
    "OUTBOUND ",
    "INBOUND ",
    "ANY ",
    "ALL ",
    "NONE ",
    "AT LEAST ",
    "SHORTEST_PATH ",
    "K_PATHS ",
    "TO ",
    "LIKE ",
    "NOT ",
    "AND ",
    "OR ",
    "CURRENT",
    "OLD",
    "NEW",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "::",
    ".",
    "..",
    "...",
    "*",
    "?",
    "+",
    "-",
    "==",
    "=",
    "=~",
    "!~",
    "!",
    "<",
    "1",
    "2.5",
    "0x1f",
    "'a'",
    "\"b\"",
    "`c`",
    "´d´",
    "@p",
    "@@c",
    "null",
    "true",
    "//",
    "/*",
    "*/",
    "\n",
    "\\",
    "'",
    "`",
    "ö",
    ";",
    " ",
    " ",
];

fn trip(choices: &[u8], version: Version) {
    let query = Maker::new(choices, version).query();
    let text = query.to_string();
    let again = parse_with(&text, version).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(again, query, "{text}");
    assert_eq!(again.to_string(), text);
}

#[test]
fn a_call_of_like_is_not_joined_to_a_direction_before_it() {
    let text = "FOR v IN 1..2 ANY (LIKE('a', 'b')) GRAPH 'g' RETURN v";
    let query = parse_with(text, Version::V4).unwrap();
    assert_eq!(parse_with(&query.to_string(), Version::V4), Ok(query));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_printed_tree_reads_back_as_itself(choices in prop::collection::vec(any::<u8>(), 0..300)) {
        trip(&choices, Version::V3_12);
    }

    #[test]
    fn a_printed_tree_of_version_4_reads_back_as_itself(choices in prop::collection::vec(any::<u8>(), 0..300)) {
        trip(&choices, Version::V4);
    }

    #[test]
    fn a_quoted_name_reads_back_as_itself(name in "\\PC*|[ -~\\n]{1,9}") {
        let text = format!("RETURN {{a: 1}}.{}", quote_name(&name));
        let query = parse(&text).unwrap();
        let StatementKind::Return { value, .. } = &query.body.statements[0].kind else {
            panic!("a RETURN");
        };
        let ExprKind::Attribute { name: AttributeName::Static(read), .. } = &value.kind else {
            panic!("an attribute");
        };
        prop_assert_eq!(&read.text, &name);
    }

    #[test]
    fn pieces_of_queries_parse_or_fail_with_a_place(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40)) {
        let text = pieces.concat();
        match parse_any(&text) {
            Ok(query) => prop_assert!(parse_any(&query.to_string()).is_ok_and(|again| again == query), "{}", query),
            Err(error) => {
                prop_assert!(error.line >= 1 && error.column >= 1);
                prop_assert!(text.get(error.span.start as usize..error.span.end as usize).is_some());
            }
        }
    }

    #[test]
    fn any_text_parses_or_fails(text in "\\PC{0,60}") {
        let _ = parse_any(&text);
        let _ = parse(&format!("RETURN {text}"));
    }

    #[test]
    fn any_bytes_that_are_a_text_parse_or_fail(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = parse_any(&text);
    }
}
