//! Words, quotes, numbers, parameters and comments, down to the escapes.

use aql_syntax::ast::{AttributeName, DataSource, Expr, ExprKind, StatementKind};
use aql_syntax::{parse, quote_name};

/// The value that a query returns.
fn value(text: &str) -> Expr {
    let query = parse(&format!("RETURN {text}")).unwrap_or_else(|error| panic!("{text}: {error}"));
    match query.body.statements.into_iter().next().map(|s| s.kind) {
        Some(StatementKind::Return { value, .. }) => value,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn is_text(source: &str, text: &str) {
    assert_eq!(
        value(source).kind,
        ExprKind::String(text.into()),
        "{source}"
    );
}

#[test]
fn escapes_in_quotes_are_those_of_the_server() {
    is_text(r#""a\"b""#, "a\"b");
    is_text(r"'it\'s'", "it's");
    is_text(r#"'"'"#, "\"");
    is_text(r"'\b\f\n\r\t\/\\'", "\u{8}\u{c}\n\r\t/\\");
    is_text(r"'\d\x\ä'", "dxä");
    is_text(r"'\u00e4\u00E4'", "ää");
    is_text(r"'\ud83d\ude00'", "😀");
    is_text(r"'\ud83dx'", "\u{FFFD}x");
    is_text(r"'\ud83d\u0041'", "\u{FFFD}A");
    is_text(r"'\ude00'", "\u{FFFD}");
    is_text(r"'\u12'", "u12");
    is_text(r"'\u12g4'", "u12g4");
    is_text("'a\nb\\\nc'", "a\nb\nc");
    is_text("''", "");
    is_text("'// no /* comment'", "// no /* comment");
}

#[test]
fn ticks_make_any_text_a_name() {
    for (source, name) in [
        ("a.`b c`", "b c"),
        ("a.´b c´", "b c"),
        (r"a.`b\`c\\`", "b`c\\"),
        ("a.´b\\´c´", "b´c"),
        ("a.`for`", "for"),
        ("a.``", ""),
    ] {
        let ExprKind::Attribute {
            name: AttributeName::Static(read),
            ..
        } = value(source).kind
        else {
            panic!("{source} is no attribute");
        };
        assert_eq!(read.text, name, "{source}");
    }
}

#[test]
fn words_are_names_as_long_as_they_are_no_keywords() {
    for name in [
        "a", "A1_", "_key", "__x1", "$a", "forx", "options", "keep", "count", "current", "to",
        "prune", "search", "at", "least", "match", "while",
    ] {
        assert!(
            matches!(value(name).kind, ExprKind::DataSource(DataSource::Named(read)) if read.text == name),
            "{name}"
        );
    }
    for word in [
        "_", "_1", "$", "$1", "$_a", "1a", "ä", "a-", "for", "Like", "NONE", "k_paths",
    ] {
        assert!(parse(&format!("RETURN {word}")).is_err(), "{word}");
    }
}

#[test]
fn numbers_are_whole_as_long_as_they_fit() {
    for (source, kind) in [
        ("0", ExprKind::Integer(0)),
        ("9223372036854775807", ExprKind::Integer(i64::MAX)),
        (
            "9223372036854775808",
            ExprKind::Double(9223372036854775808.0.into()),
        ),
        ("1e3", ExprKind::Double(1000.0.into())),
        ("1E+3", ExprKind::Double(1000.0.into())),
        ("1.5e-3", ExprKind::Double(0.0015.into())),
        (".5", ExprKind::Double(0.5.into())),
        ("1e999", ExprKind::Null),
        ("0b101", ExprKind::Integer(5)),
        ("0XfF", ExprKind::Integer(255)),
        ("0xffffffff", ExprKind::Integer(0xffff_ffff)),
        (
            "0b11111111111111111111111111111111",
            ExprKind::Integer(0xffff_ffff),
        ),
    ] {
        assert_eq!(value(source).kind, kind, "{source}");
    }
    assert_eq!(value(&"9".repeat(400)).kind, ExprKind::Null);
    for source in ["01", "1.", "1.e3", "0b", "0b2", "0x", "0xg", "1e", "1.5.2"] {
        assert!(parse(&format!("RETURN {source}")).is_err(), "{source}");
    }
}

#[test]
fn two_dots_after_a_number_are_a_range() {
    for source in ["1..5", "1 .. 5", "1.5..5", "1...5", "a..b", "@a..@b"] {
        assert!(
            matches!(value(source).kind, ExprKind::Range { .. }),
            "{source}"
        );
    }
    assert_eq!(value("1...5"), value("1 .. 0.5"));
}

#[test]
fn parameters_begin_with_one_sign_or_two() {
    for (source, name) in [("@a", "a"), ("@1", "1"), ("@_a", "_a"), ("@__1x", "__1x")] {
        assert!(
            matches!(value(source).kind, ExprKind::Parameter(read) if read.text == name),
            "{source}"
        );
    }
    for source in ["@", "@_", "@ a", "@@", "@@_", "@@@a"] {
        assert!(parse(&format!("RETURN {source}")).is_err(), "{source}");
    }
    assert!(
        matches!(value("@@a").kind, ExprKind::DataSource(DataSource::Parameter(read)) if read.text == "a")
    );
}

#[test]
fn comments_part_words_and_nothing_within_them_counts() {
    for text in [
        "RETURN/**/1",
        "RETURN // 'a\n 1",
        "RETURN /* ` */ 1",
        "/* a ** / * */ RETURN 1 // end",
        "RETURN/***/1",
        "// a\r\nRETURN 1",
        "RETURN 1 //",
    ] {
        assert_eq!(parse(text).unwrap(), parse("RETURN 1").unwrap(), "{text}");
    }
    for text in [
        "RET/**/URN 1",
        "/* /* */ */ RETURN 1",
        "RETURN 1 /*",
        "RETURN 1 /* *",
        "RETURN 1 /*/",
        "RETURN 1 / / 1",
    ] {
        assert!(parse(text).is_err(), "{text}");
    }
}

#[test]
fn two_words_make_one_operator_only_whole() {
    assert_eq!(value("a NOT\n IN b"), value("a not in b"));
    assert_eq!(value("a at\tleast (1) == b"), value("a AT LEAST (1) == b"));
    // `NOT INNER` is no `NOT IN`.
    assert_eq!(value("NOT inner"), value("NOT (inner)"));
    assert!(parse("RETURN a NOT inner").is_err());
    assert!(parse("RETURN a NOTIN b").is_err());
}

#[test]
fn full_width_letters_and_invisible_characters_are_refused() {
    for text in [
        "ＲＥＴＵＲＮ 1",
        "RETURN\u{a0}1",
        "RET\u{200b}URN 1",
        "RETURN 1\u{feff}",
        "RETURN 1\0",
        "\u{feff}RETURN 1",
        "RETURN 1 ä REMOVE",
    ] {
        assert!(parse(text).is_err(), "{text:?}");
    }
}

#[test]
fn names_are_quoted_where_they_must_be() {
    for name in ["a", "_key", "$a", "keep", "A1"] {
        assert_eq!(quote_name(name), name);
    }
    for (name, quoted) in [
        ("", "``"),
        ("1a", "`1a`"),
        ("_1", "`_1`"),
        ("$_", "`$_`"),
        ("a-b", "`a-b`"),
        ("ä", "`ä`"),
        ("Sort", "`Sort`"),
        ("match", "`match`"),
        ("at", "`at`"),
        ("`\\", "`\\`\\\\`"),
        ("a\n", "`a\n`"),
    ] {
        assert_eq!(quote_name(name), quoted);
    }
}
