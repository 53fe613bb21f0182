use super::*;
use proptest::prelude::*;

fn reads(text: &str) -> Result<usize, Fault> {
    let mut reader = Reader::new(text, 64);
    let mut tokens = 0;
    while reader.next()?.is_some() {
        tokens += 1;
    }
    Ok(tokens)
}

#[test]
fn values_of_every_kind_are_read() {
    for text in [
        "null",
        " true ",
        "-0.5e+10",
        "\"a\\u00e9\"",
        "[]",
        "{}",
        "[1,[2,{\"a\":[]}],\"x\"]",
        "{\"a\":1, \"b\" : {\"c\":null}}",
    ] {
        assert!(reads(text).is_ok(), "{text}");
    }
}

#[test]
fn what_is_not_json_is_refused() {
    for text in [
        "",
        "nul",
        "01",
        "1.",
        "+1",
        "[1,]",
        "{\"a\":1,}",
        "{a:1}",
        "[1 2]",
        "\"\\x\"",
        "\"\n\"",
        "{} {}",
        "]",
        "[}",
        "{\"a\"}",
        "{\"a\":}",
        "'a'",
        "NaN",
    ] {
        assert!(reads(text).is_err(), "{text}");
    }
}

#[test]
fn nesting_beyond_the_bound_is_refused() {
    assert!(reads(&"[".repeat(65)).is_err());
    let fault = reads(&"[".repeat(65)).unwrap_err();
    assert_eq!(
        fault,
        Fault {
            kind: FaultKind::TooDeep,
            at: 64
        }
    );
    assert!(reads(&format!("{}{}", "[".repeat(64), "]".repeat(64))).is_ok());
}

#[test]
fn an_unfinished_text_is_told_from_a_wrong_one() {
    for text in ["{\"a\":\"b", "[1,", "{\"a\"", "tru", "\"\\u00"] {
        assert_eq!(
            reads(text).unwrap_err().kind,
            FaultKind::Unfinished,
            "{text}"
        );
    }
}

#[test]
fn strings_decode_as_serde_json_decodes_them() {
    for text in [r#""a\"b\\c\/d\n""#, r#""\ud83d\ude00""#, r#""\u00e9é""#] {
        let mut reader = Reader::new(text, 1);
        let Ok(Some(Token::String(found))) = reader.next() else {
            panic!("{text}")
        };
        let expected: String = serde_json::from_str(text).unwrap();
        assert_eq!(found.decode(), expected);
    }
}

#[test]
fn half_a_surrogate_pair_is_no_character() {
    let mut reader = Reader::new(r#""\ud83dx""#, 1);
    let Ok(Some(Token::String(found))) = reader.next() else {
        panic!()
    };
    assert_eq!(found.decode(), "\u{fffd}x");
}

#[test]
fn members_and_items_keep_raw_text() {
    let found = members(r#" {"a": 1.50, "b":[1, 2] , "a":{} } "#).unwrap();
    let found: Vec<(String, &str)> = found
        .iter()
        .map(|(k, v)| (k.clone().into_owned(), *v))
        .collect();
    assert_eq!(
        found,
        [
            ("a".into(), "1.50"),
            ("b".into(), "[1, 2]"),
            ("a".into(), "{}")
        ]
    );
    assert_eq!(
        items(r#"[1, "a,b" ,[ ]]"#).unwrap(),
        ["1", "\"a,b\"", "[ ]"]
    );
    assert_eq!(items("[]").unwrap(), Vec::<&str>::new());
    assert!(items("{}").is_none() && members("[]").is_none() && members("{} x").is_none());
}

#[test]
fn compact_drops_only_white_space_between_tokens() {
    assert_eq!(
        compact("{ \"a b\" : [ 1.0 , \"\\\" x\" ] }"),
        "{\"a b\":[1.0,\"\\\" x\"]}"
    );
}

proptest! {
    #[test]
    fn a_quoted_text_reads_back(text in "(\\PC|[\\x00-\\x1f\"\\\\]){0,24}") {
        let quoted = quote(&text);
        let theirs: String = serde_json::from_str(&quoted).unwrap();
        prop_assert_eq!(&theirs, &text);
        let mut reader = Reader::new(&quoted, 1);
        let Ok(Some(Token::String(ours))) = reader.next() else { panic!("{quoted}") };
        prop_assert_eq!(ours.decode(), text);
    }

    #[test]
    fn any_text_ends_as_tokens_or_as_a_fault(text in "\\PC{0,60}") {
        let _ = reads(&text);
        let _ = (members(&text), items(&text), compact(&text));
    }

    #[test]
    fn the_reader_agrees_with_serde_json(text in "[\\[\\]{}\":,0-9a-e.truefalsn \\\\-]{0,24}") {
        let theirs: Result<serde::de::IgnoredAny, _> = serde_json::from_str(&text);
        prop_assert_eq!(reads(&text).is_ok(), theirs.is_ok());
    }
}
