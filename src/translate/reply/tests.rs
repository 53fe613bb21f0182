use super::*;
use proptest::prelude::*;

const AQL: &str = "FOR d IN c FILTER d.x == 'a' LIMIT 5 RETURN {x: d.x}";

fn aql(text: &str) -> String {
    match read(text, false) {
        Ok(Reply::Query { query, .. }) => query,
        other => panic!("{text}: {other:?}"),
    }
}

fn code(text: &str) -> &'static str {
    match read(text, false) {
        Err(unusable) => unusable.code,
        Ok(reply) => panic!("{text}: {reply:?}"),
    }
}

fn object(query: &str) -> String {
    serde_json::json!({"isValid": true, "query": query}).to_string()
}

#[test]
fn the_form_that_was_asked_for_is_read() {
    let text = r#"{"isValid": true, "query": "RETURN 1", "assumptions": ["a", " ", "b"]}"#;
    let expected = Reply::Query {
        query: "RETURN 1".into(),
        assumptions: vec!["a".into(), "b".into()],
    };
    assert_eq!(read(text, false), Ok(expected));
}

#[test]
fn a_verdict_counts_as_boolean_and_as_text_in_any_case() {
    for yes in ["true", "\"true\"", "\"True\"", "\" TRUE \"", "True"] {
        assert_eq!(
            aql(&format!("{{\"isValid\": {yes}, \"query\": \"RETURN 1\"}}")),
            "RETURN 1",
            "{yes}"
        );
    }
    for no in [
        "false",
        "\"false\"",
        "\"FALSE\"",
        "\"no\"",
        "null",
        "False",
        "None",
    ] {
        let text = format!("{{\"isValid\": {no}, \"query\": \"I only know the shop.\"}}");
        assert_eq!(
            read(&text, false),
            Ok(Reply::Words("I only know the shop.".into())),
            "{no}"
        );
    }
    for neither in ["\"yes\"", "1", "\"\"", "[]"] {
        assert_eq!(
            code(&format!(
                "{{\"isValid\": {neither}, \"query\": \"RETURN 1\"}}"
            )),
            "llm-reply-ambiguous",
            "{neither}"
        );
    }
}

#[test]
fn a_question_back_is_told_from_an_answer() {
    for text in [
        r#"{"isValid": false, "query": "", "clarify": "Which year?"}"#,
        r#"{"isValid": true, "query": "", "clarify": " Which year? "}"#,
        r#"{"clarify": "Which year?"}"#,
    ] {
        assert_eq!(
            read(text, false),
            Ok(Reply::Clarify("Which year?".into())),
            "{text}"
        );
    }
}

#[test]
fn words_carry_no_terminal_codes_and_no_direction_overrides() {
    let text = r#"{"isValid": false, "query": "a\u001b[31mb\u202ec\nd\u0000é"}"#;
    assert_eq!(read(text, false), Ok(Reply::Words("a[31mbc\ndé".into())));
}

#[test]
fn a_verdict_that_contradicts_its_query_is_asked_again() {
    assert_eq!(
        code(r#"{"isValid": false, "query": "RETURN 1"}"#),
        "llm-reply-ambiguous"
    );
    assert_eq!(
        code(r#"{"isValid": true, "query": ""}"#),
        "llm-reply-unreadable"
    );
    assert_eq!(
        code(r#"{"isValid": true, "query": null}"#),
        "llm-reply-unreadable"
    );
    assert_eq!(
        code(r#"{"isValid": true, "query": ["RETURN 1"]}"#),
        "llm-reply-unreadable"
    );
    assert_eq!(
        code(r#"{"isValid": true, "query": "RETURN 1", "query": "RETURN 2"}"#),
        "llm-reply-ambiguous"
    );
}

#[test]
fn without_a_verdict_only_aql_is_a_query() {
    assert_eq!(aql(r#"{"query": "RETURN 1"}"#), "RETURN 1");
    assert_eq!(
        code(r#"{"query": "I cannot say."}"#),
        "llm-reply-unreadable"
    );
}

#[test]
fn an_object_is_found_within_prose_and_fences() {
    for text in [
        format!(
            "Here is the JSON you asked for:\n```json\n{}\n```\nHope that helps",
            object(AQL)
        ),
        format!("Sure! {} Done.", object(AQL)),
        format!("{{\"note\": {{\"a\": 1}}}} and then {}", object(AQL)),
        format!("~~~\n{}\n~~~", object(AQL)),
        format!("{0}\n{0}", object(AQL)),
        format!("```aql\n{AQL}\n```\n\n{}", object(AQL)),
        format!("\u{feff}{}<|im_end|>", object(AQL)),
        object(&format!("```aql\n{AQL}\n```")),
        format!("Here: {}", object(&format!("```{AQL}```"))),
        object(&format!("{AQL};")),
        object(&format!("aql\n{AQL}")),
        object(&format!("AQL: {AQL}")),
    ] {
        assert_eq!(aql(&text), AQL, "{text}");
    }
}

#[test]
fn nearly_json_is_read_in_one_tolerant_pass() {
    for (text, expected) in [
        (r#"{"isValid": true, "query": "RETURN 1",}"#, "RETURN 1"),
        (
            r#"{"isValid": true, "query": "RETURN REGEX_TEST('a', '\d+\\d')"}"#,
            r"RETURN REGEX_TEST('a', '\d+\d')",
        ),
        (
            "{\"isValid\": true, \"query\": \"FOR d IN c\n  RETURN d\"}",
            "FOR d IN c\n  RETURN d",
        ),
        (
            "{'isValid': True, 'query': 'FOR d IN c RETURN d', 'clarify': None}",
            "FOR d IN c RETURN d",
        ),
        (
            r#"{'isValid': true, 'query': 'RETURN \'a\''}"#,
            "RETURN 'a'",
        ),
        (
            r#"{"isValid": true, "query": "RETURN \'a\u00e9\ud83d\ude00\'", "assumptions": ["x",],}"#,
            "RETURN \\'aé😀\\'",
        ),
    ] {
        assert_eq!(aql(text), expected, "{text}");
    }
}

#[test]
fn a_quote_within_a_text_of_the_same_quotes_is_not_guessed_at() {
    for text in [
        "{'isValid': true, 'query': 'FOR d IN c FILTER d.x IN ['a', 'b'] RETURN d'}",
        r#"{"isValid": true, "query": "FOR d IN c FILTER d.x == "a" RETURN d"}"#,
    ] {
        assert!(code(text).starts_with("llm-reply-"), "{text}");
    }
}

#[test]
fn one_fenced_block_is_a_query_whatever_its_tag() {
    for text in [
        format!("```aql\n{AQL}\n```"),
        format!("```SQL\n{AQL}\n```"),
        format!("```\n{AQL};\n```"),
        format!("````python\n{AQL}\n````"),
        format!("~~~aql\n{AQL}\n~~~"),
        format!("**\n```aql\n{AQL}\n```\n\n**"),
        format!("You can use `LIMIT`:\n\n```aql\n{AQL}\n```\n\nIt gives five rows."),
        format!("```{AQL}```"),
        format!("```aql {AQL}```"),
        format!("```aql\n{AQL}"),
        format!("```aql\n{AQL}\n```\n```aql\n{AQL}\n```"),
    ] {
        assert_eq!(aql(&text), AQL, "{text}");
    }
}

#[test]
fn a_mistake_within_a_fence_goes_to_the_gate_as_it_stands() {
    assert_eq!(
        aql("```aql\nFOR d IN c RETRUN d\n```"),
        "FOR d IN c RETRUN d"
    );
    assert_eq!(code("```python\nprint(1)\n```"), "llm-reply-unreadable");
    assert_eq!(code("```\nrm -rf x\n```"), "llm-reply-unreadable");
}

#[test]
fn blocks_are_never_joined() {
    for text in [
        "intermediate:\n```aql\nFOR d IN a RETURN d\n```\nthen\n```aql\nFOR d IN b RETURN d\n```"
            .to_owned(),
        "```aql\nLET x = 1\n```\n```aql\nRETURN x\n```".to_owned(),
        format!("{}\n{}", object("RETURN 1"), object("RETURN 2")),
        format!("```aql\nRETURN 1\n```\n{}", object("RETURN 2")),
        "RETURN 1\n\nor\n\nRETURN 2".to_owned(),
        "LET x = 1\n\nand now the rest:\n\nRETURN x".to_owned(),
    ] {
        assert_eq!(code(&text), "llm-reply-ambiguous", "{text}");
    }
}

#[test]
fn bare_aql_is_read_whole() {
    for text in [
        AQL,
        "FOR d IN c COLLECT x = d.x WITH COUNT INTO n RETURN {x, n}",
        "WITH a, b\nLET x = (FOR d IN a RETURN d)\n\nLET y = (FOR e IN b RETURN e)\n\nRETURN [x, y]",
        "for d in c return d.`update`",
        "RETURN {\"query\": \"RETURN 2\", \"isValid\": true}",
        "RETURN '```'",
    ] {
        assert_eq!(aql(text), text);
        assert_eq!(aql(&format!("\n {text} \n")), text);
    }
}

#[test]
fn labels_quotes_tag_lines_and_tokens_are_taken_off() {
    for text in [
        format!("Answer: {AQL}"),
        format!("intermediate_sql: {AQL}"),
        format!("**Query:** {AQL}"),
        format!("Here is the query:\n{AQL}"),
        format!("SQLQuery: \"{AQL}\""),
        format!("aql\n{AQL}"),
        format!("**{AQL}**"),
        format!("{AQL};"),
        format!("{AQL}<|im_end|>"),
        format!("{AQL} ;\n</s> <|eot_id|>\n"),
        format!("{AQL}\nSQLResult: [{{name: 'Bob'}}]\nAnswer: Bob"),
        format!("{AQL}\n\nThis query returns five rows.\n\nEnjoy."),
        format!("Of course.\n\n{AQL}\n\nThis query returns five rows."),
    ] {
        assert_eq!(aql(&text), AQL, "{text}");
    }
    assert_eq!(aql(r#"AQL: "RETURN \"a\"""#), "RETURN \"a\"");
    assert_eq!(aql("RETURN 1 ? 2 : 3"), "RETURN 1 ? 2 : 3");
}

#[test]
fn only_one_semicolon_is_taken_off() {
    assert_eq!(aql("RETURN 1;"), "RETURN 1");
    let two = aql(&object("RETURN 1; RETURN 2;"));
    assert!(!tidy::parses(&two), "{two}");
}

#[test]
fn prose_is_never_a_query() {
    for text in [
        "I am sorry, I cannot answer that.",
        "For every user in the shop, return the name.",
        "return to sender",
        "The collection `users` has what you need.",
        "UPDATE: I could not find it.\n\nSorry.",
    ] {
        assert_eq!(code(text), "llm-reply-unreadable", "{text}");
    }
}

#[test]
fn a_list_or_a_lone_text_is_asked_again() {
    for text in [
        r#"["FOR d IN c RETURN d"]"#,
        r#""FOR d IN c RETURN d""#,
        &format!("[{}]", object(AQL)),
        "{}",
        "{\"rows\": []}",
        "42",
    ] {
        assert_eq!(code(text), "llm-reply-unreadable", "{text}");
    }
    assert_eq!(code(" \n "), "llm-reply-empty");
}

#[test]
fn thoughts_are_dropped_whole() {
    for text in [
        format!(
            "<think>maybe FOR x IN y ```aql REMOVE``` hmm</think>{}",
            object(AQL)
        ),
        format!(
            "<Thinking>\n{}\n</Thinking>\n{}",
            object("RETURN 2"),
            object(AQL)
        ),
        format!("<reasoning effort=\"high\">x</reasoning>\n```aql\n{AQL}\n```"),
        format!("<thoughts>a <thoughts>b</thoughts> c</thoughts>{AQL}"),
        format!("{} so be it.</think>\n{AQL}", object("RETURN 2")),
        format!("[THINK]RETURN 2[/THINK]{AQL}"),
        format!(
            "<|channel|>analysis<|message|>{}<|end|><|channel|>final<|message|>{AQL}<|return|>",
            object("RETURN 2")
        ),
        format!("{}\n<think>done</think>", object(AQL)),
    ] {
        assert_eq!(aql(&text), AQL, "{text}");
    }
}

#[test]
fn nothing_is_read_from_within_a_thought() {
    for text in [
        format!("<think>I shall answer {}", object(AQL)),
        format!("<think>```aql\n{AQL}\n```"),
        format!("<think>a</think><reasoning>{}", object(AQL)),
        format!("<think>{}</think>", object(AQL)),
        format!("<think>{}</reasoning>", object(AQL)),
        format!("{}</think>", object(AQL)),
        format!("<THINK >{AQL}"),
    ] {
        assert!(code(&text).starts_with("llm-reply-"), "{text}");
    }
}

#[test]
fn a_tag_within_a_value_is_a_value() {
    let query = "FOR d IN c FILTER d.tag == '<think>' RETURN d";
    assert_eq!(aql(&object(query)), query);
    assert_eq!(aql(&format!("Here: {}", object(query))), query);
    assert_eq!(aql(query), query);
    let closed = "RETURN '<think>a</think>'";
    assert_eq!(aql(closed), closed);
    for text in [
        format!("```aql\n{closed}\n```"),
        format!("Here: {} <think>x</think>", object(closed)),
    ] {
        assert_eq!(code(&text), "llm-reply-ambiguous", "{text}");
    }
}

#[test]
fn a_reply_that_was_cut_counts_only_where_its_object_is_complete() {
    let whole = object(AQL);
    assert!(matches!(read(&whole, true), Ok(Reply::Query { .. })));
    assert!(matches!(
        read(&format!("{whole} And furthermo"), true),
        Ok(Reply::Query { .. })
    ));
    for text in [
        "{\"isValid\": \"true\", \"query\": \"FOR d IN c FILTER d.x ==",
        AQL,
        "```aql\nFOR d IN c RETURN d",
        "<think>and so",
        "",
    ] {
        assert_eq!(
            read(text, true).unwrap_err().code,
            "llm-reply-truncated",
            "{text}"
        );
    }
    // Not every provider says that it cut.
    assert_eq!(
        code("{\"isValid\": true, \"query\": \"FOR d IN c FILTER"),
        "llm-reply-truncated"
    );
}

#[test]
fn endless_replies_end() {
    for text in [
        "{".repeat(100_000),
        "{\"a\":".repeat(100_000),
        "```".repeat(100_000),
        "<think>".repeat(50_000),
        "<think ".repeat(40_000),
        "```\n".repeat(60_000),
        "~~~ ``` ".repeat(30_000),
        "` ".repeat(100_000),
        "[".repeat(100_000),
        "RETURN 1\n\n".repeat(20_000),
        "x".repeat(MAX_BYTES + 1),
        "{\"query\": \"".repeat(1_000),
        "(".repeat(200_000),
    ] {
        assert!(read(&text, false).is_err(), "{}", &text[..20]);
    }
}

fn wrapped(query: &str, way: usize) -> String {
    let object = object(query);
    match way {
        0 => object,
        1 => format!("```json\n{object}\n```"),
        2 => format!("```aql\n{query}\n```"),
        3 => format!("<think>hm {{</think>\n{object}"),
        4 => format!("Sure, here it is: {object}\nGood luck!"),
        5 => format!("{query};<|im_end|>"),
        6 => format!("Query: {query}"),
        7 => format!("~~~\n{query}\n~~~\n\nThat should do."),
        8 => serde_json::json!({"isValid": "True", "query": format!("```\n{query}\n```"), "clarify": ""}).to_string(),
        9 => object.replacen("\"}", "\",}", 1),
        10 => format!("<reasoning>no</reasoning>\n\n**AQL:** {query}\n</s>"),
        _ => format!("  {query}\n\n"),
    }
}

proptest! {
    #[test]
    fn a_valid_query_wrapped_in_a_tolerated_way_is_the_same_query(
        way in 0_usize..12,
        literal in "[a-zA-Z0-9 .,;:<>?!#{}|()=*+~é北`-]{0,24}",
        limit in 1_u32..1000,
    ) {
        let query = format!("FOR d IN c FILTER d.name == '{literal}' LIMIT {limit} RETURN {{n: d.name}}");
        prop_assume!(!literal.contains("```") && !literal.contains("~~~"));
        prop_assert_eq!(aql(&wrapped(&query, way)), query);
    }

    #[test]
    fn any_text_ends_as_a_reply_or_as_unusable(text in "(\\PC|[{}\\[\\]\"'`<>/:,\\n]|think|query|isValid|FOR d IN c RETURN d){0,40}", cut in any::<bool>()) {
        let _ = read(&text, cut);
    }

    #[test]
    fn what_is_read_as_a_query_without_an_object_is_aql_or_goes_whole_to_the_gate(text in "(RETURN 1|\\n\\n|x: |```|[a-z ]){0,12}") {
        if let Ok(Reply::Query { query, .. }) = read(&text, false) {
            prop_assert!(text.contains(&query));
        }
    }
}
