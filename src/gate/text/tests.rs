use super::*;
use crate::gate::testing::World;
use proptest::prelude::*;

fn bound(text: &str, binds: &str) -> Result<Text, Box<Refusal>> {
    let binds = Binds::parse(binds)?;
    check(text, &binds, &World::shop(), 100_000)
}

fn passes(text: &str) -> Text {
    bound(text, "{}").unwrap_or_else(|refusal| panic!("{text}: {refusal:?}"))
}

fn code(text: &str) -> String {
    bound(text, "{}").map_or_else(|refusal| refusal.notice.code, |_| format!("passes: {text}"))
}

#[test]
fn every_writing_statement_is_refused_at_any_depth() {
    for write in [
        "INSERT {} INTO users",
        "UPDATE 'k' WITH {} IN users",
        "REPLACE 'k' WITH {} IN users",
        "REMOVE 'k' IN users",
        "UPSERT {a: 1} INSERT {} UPDATE {} IN users",
    ] {
        for text in [
            write.to_owned(),
            write.to_lowercase().replace("into users", "INTO users"),
            format!("FOR d IN users {write} RETURN NEW"),
            format!("RETURN (FOR d IN users {write} RETURN 1)"),
            format!(
                "FOR d IN users FILTER LENGTH((FOR e IN (FOR f IN [1] {write} RETURN 1) RETURN e)) RETURN d"
            ),
            format!(
                "RETURN [1, {{a: (FOR d IN [1] {write} RETURN 1)}}][* FILTER (FOR e IN [1] {write} RETURN 1)]"
            ),
            format!("/* ' */ FOR d IN users {write} /* ' */ RETURN 1"),
            format!("RETURN {{`'`: (FOR d IN [1] {write} RETURN {{`'`: 1}})}}"),
        ] {
            assert_eq!(code(&text), "writes", "{text}");
        }
    }
}

#[test]
fn a_refused_write_is_said_to_be_one() {
    let refusal = bound("REMOVE 'k' IN salaries", "{}").unwrap_err();
    assert_eq!(
        (refusal.kind, refusal.repairable),
        (RefusalKind::Writes, true)
    );
}

#[test]
fn keywords_split_or_disguised_are_no_aql() {
    for text in [
        "FOR d IN users RE/**/MOVE d IN users",
        "FOR d IN users ＲＥＭＯＶＥ d IN users",
        "FOR d IN users REM\u{200b}OVE d IN users",
        "RETURN 1; REMOVE 'k' IN users",
        "EXPLAIN RETURN 1",
        "",
        "FOR d IN users RETURN d REMOVE d IN users",
    ] {
        assert_eq!(code(text), "syntax", "{text}");
    }
}

#[test]
fn words_that_only_look_like_writes_pass() {
    for text in [
        "FOR u IN users FILTER u.name == 'Create a map, then REMOVE it' RETURN u",
        "FOR u IN users SORT u.updated_at DESC LIMIT 5 RETURN u",
        "FOR u IN users FILTER u.removed == false RETURN u",
        "FOR u IN users RETURN u.`update`",
        "FOR u IN `update` RETURN {\"insert\": u.`remove`, 'replace': 1}",
        "// REMOVE it\nRETURN /* INSERT */ 1",
        "RETURN \"a \\\" REMOVE d IN users\"",
        "RETURN REGEX_REPLACE('a', 'b', 'c')",
        "FOR u IN users LET insert_date = u.x RETURN insert_date",
        "FOR v IN products_view SEARCH (v.a == 1) RETURN v",
        "FOR v, e, p IN 1..2 OUTBOUND 'users/1' bought PRUNE (v.x == 1) RETURN v",
        "RETURN [1, 2, 3] AT LEAST (2) > 1",
        "RETURN [1, 2][? AT LEAST (1) FILTER CURRENT > 1]",
        "FOR u IN users COLLECT c = u.city WITH COUNT INTO n RETURN {c, n}",
    ] {
        passes(text);
    }
}

#[test]
fn an_unquoted_keyword_as_attribute_is_a_hint_and_no_write() {
    let refusal = bound("FOR u IN users RETURN u.update", "{}").unwrap_err();
    assert_eq!(
        (refusal.kind, refusal.notice.code.as_str()),
        (RefusalKind::Syntax, "syntax")
    );
    assert!(
        refusal.notice.message.contains("position 1:25"),
        "{}",
        refusal.notice.message
    );
    assert!(
        refusal.notice.message.contains("`update`"),
        "{}",
        refusal.notice.message
    );
}

#[test]
fn refused_functions_are_refused_however_they_are_written() {
    for call in [
        "SLEEP(1)",
        "sleep(1)",
        "`SLEEP`(1)",
        "´sleep´(1)",
        "SLEEP /* x */ (1)",
        "CALL('SLEEP', 1)",
        "APPLY('F', [])",
        "V8(1)",
        "NS::F()",
        "`NS`::`F`()",
        "´NS´::`F`()",
        "a::b::c(1)",
        "COLLECTIONS()",
        "VERSION()",
        "CURRENT_USER()",
        "FAIL('x')",
        "SCHEMA_GET('users')",
        "NOOPT(1)",
        "PREGEL_RESULT('1')",
        "INTERNAL(1)",
    ] {
        for text in [
            format!("RETURN {call}"),
            format!("FOR u IN users FILTER [{{a: {call}}}] RETURN (FOR x IN [1] RETURN {call})"),
        ] {
            assert_eq!(code(&text), "refused-function", "{text}");
        }
    }
    // The grammar has a list of its own for aggregates.
    assert_eq!(
        code("FOR u IN users COLLECT AGGREGATE a = SLEEP(u.x) RETURN a"),
        "syntax"
    );
}

#[test]
fn an_unknown_function_brings_the_nearest_names() {
    let refusal = bound("RETURN LENGHT([1])", "{}").unwrap_err();
    assert_eq!(refusal.notice.code, "unknown-function");
    assert!(
        refusal.notice.message.contains("LENGTH"),
        "{}",
        refusal.notice.message
    );
    assert_eq!(code("RETURN LOAD_FILE('/etc/passwd')"), "unknown-function");
}

#[test]
fn collections_that_the_policy_denies_are_refused_wherever_they_are_named() {
    for text in [
        "FOR s IN salaries RETURN s",
        "FOR s IN `salaries` RETURN s",
        "WITH salaries RETURN 1",
        "RETURN salaries",
        "RETURN LENGTH(salaries)",
        "RETURN COLLECTION_COUNT('salaries')",
        "RETURN COLLECTION_COUNT(salaries)",
        "RETURN DOCUMENT('salaries/1')",
        "RETURN DOCUMENT(['users/1', 'salaries/1'])",
        "RETURN DOCUMENT('salaries', '1')",
        "RETURN DOCUMENT(salaries, '1')",
        "FOR v IN 1..1 ANY 'users/1' salaries RETURN v",
        "FOR v IN 1..1 ANY 'users/1' bought, INBOUND salaries RETURN v",
        "RETURN NEAR(salaries, 1, 2)",
        "RETURN FULLTEXT('salaries', 'a', 'b')",
        "FOR u IN _users RETURN u",
        "FOR u IN _graphs RETURN u",
        "FOR u IN `123` RETURN u",
        "FOR v IN ANY SHORTEST_PATH 'users/1' TO 'users/2' salaries RETURN v",
        "FOR v IN 0..1 ANY 'salaries/1' GRAPH 'shop' RETURN v",
        "FOR v IN ANY SHORTEST_PATH 'users/1' TO 'salaries/2' GRAPH 'shop' RETURN v",
        "FOR p IN ANY K_PATHS '_users/1' TO 'users/2' GRAPH 'shop' RETURN p",
    ] {
        assert_eq!(code(text), "policy-collection", "{text}");
    }
}

#[test]
fn a_bound_data_source_is_held_to_the_same_rules() {
    for (value, expected) in [
        ("\"salaries\"", "policy-collection"),
        ("\"123\"", "policy-collection"),
        ("\"_users\"", "policy-collection"),
        ("\"sal\\u0061ries\"", "policy-collection"),
        ("\"user\"", "unknown-collection"),
        ("7", "bind-variables"),
        ("null", "bind-variables"),
    ] {
        let refusal = bound("FOR d IN @@c RETURN d", &format!("{{\"@c\": {value}}}")).unwrap_err();
        assert_eq!(refusal.notice.code, expected, "{value}");
    }
    let text = bound("FOR d IN @@c RETURN d", "{\"@c\": \"users\"}").unwrap();
    assert_eq!(text.collections, NameSet::from(["users"]));
    let refusal = bound(
        "RETURN DOCUMENT(@ids)",
        "{\"ids\": [\"users/1\", \"salaries/1\"]}",
    )
    .unwrap_err();
    assert_eq!(refusal.notice.code, "policy-collection");
}

#[test]
fn bind_variables_that_are_missing_doubled_or_no_object_are_refused() {
    for (text, binds) in [
        ("RETURN @x", "{}"),
        ("FOR d IN @@c RETURN d", "{\"c\": \"users\"}"),
        ("RETURN {a: 1}.@x", "{}"),
        ("RETURN {@x: 1}", ""),
        ("FOR v IN 1..1 ANY 'users/1' GRAPH @g RETURN v", "{}"),
        ("RETURN @x", "[]"),
        ("RETURN @x", "{\"x\": 1, \"x\": 2}"),
        (
            "FOR d IN @@c RETURN d",
            "{\"@c\": \"users\", \"\\u0040c\": \"salaries\"}",
        ),
        ("RETURN 1", "{\"x\": 1"),
        ("RETURN 1", "{\"x\": 1} {}"),
    ] {
        let refusal = bound(text, binds).unwrap_err();
        assert_eq!(refusal.notice.code, "bind-variables", "{text} {binds}");
    }
}

#[test]
fn an_unknown_collection_brings_the_nearest_names_that_may_be_seen() {
    let refusal = bound("FOR d IN order RETURN d", "{}").unwrap_err();
    assert_eq!(
        (refusal.notice.code.as_str(), refusal.repairable),
        ("unknown-collection", true)
    );
    assert_eq!(
        refusal.notice.message,
        "there is no collection or view `order`; the nearest names are orders, `order-lines`"
    );
    let hidden = bound("FOR d IN salary RETURN d", "{}").unwrap_err();
    assert!(
        !hidden.notice.message.contains("salaries"),
        "{}",
        hidden.notice.message
    );
    let dash = bound("FOR d IN order_lines RETURN d", "{}").unwrap_err();
    assert!(
        dash.notice.message.contains("`order-lines`"),
        "{}",
        dash.notice.message
    );
}

#[test]
fn messages_quote_no_control_and_no_direction_characters() {
    for text in [
        "FOR d IN `a\u{202e}\u{1b}[31m` RETURN d",
        "RETURN \u{202e}",
        "RETURN `f\u{7}\u{2066}`()",
    ] {
        let message = bound(text, "{}").unwrap_err().notice.message;
        let hidden = |c: char| c.is_control() || matches!(c, '\u{202e}' | '\u{2066}');
        assert!(!message.contains(hidden), "{message:?}");
    }
}

#[test]
fn what_a_text_names_is_gathered_without_views() {
    let text = passes(
        "WITH orders FOR v IN products_view LET n = LENGTH(users) LET d = DOCUMENT('order-lines/7') RETURN [v, n, d]",
    );
    let expected = ["order-lines", "orders", "users"];
    assert_eq!(text.collections, NameSet::from(expected));
    assert_eq!(text.dynamic, None);
}

#[test]
fn reads_that_no_plan_names_are_seen() {
    for text in [
        "RETURN DOCUMENT(CONCAT('sal', 'aries/1'))",
        "FOR u IN users RETURN DOCUMENT(u.friend)",
        "FOR u IN users RETURN DOCUMENT('orders', u.friend) && DOCUMENT([u.x])",
        "RETURN COLLECTION_COUNT(CONCAT('a', 'b'))",
        "FOR v IN 1..1 OUTBOUND 'users/1' bought RETURN v",
        "FOR v IN ANY SHORTEST_PATH 'users/1' TO 'users/2' bought RETURN v",
        "FOR p IN ANY K_PATHS 'users/1' TO 'users/2' bought RETURN p",
        "RETURN DOCUMENT(CONCAT('sal', 'aries'), '1')",
    ] {
        assert!(passes(text).dynamic.is_some(), "{text}");
    }
    for text in [
        "RETURN DOCUMENT('users/1')",
        "RETURN DOCUMENT(users, 'x')",
        "FOR u IN users RETURN DOCUMENT('orders', u.key)",
        "FOR v IN 1..2 OUTBOUND 'users/1' GRAPH 'shop' RETURN v",
        "RETURN COLLECTION_COUNT('users')",
    ] {
        assert!(passes(text).dynamic.is_none(), "{text}");
    }
}

#[test]
fn a_first_vertex_that_is_a_value_needs_a_server_that_refuses() {
    let text = passes("FOR u IN users FOR v IN 1..1 ANY u GRAPH 'shop' RETURN v");
    assert!(text.guarded.is_some() && text.dynamic.is_none());
    let text = passes("FOR v IN 1..1 ANY 'users/1' GRAPH 'shop' RETURN v");
    assert!(text.guarded.is_none() && text.collections.contains("users"));
}

#[test]
fn literals_that_make_too_much_are_refused_before_planning() {
    for text in [
        "RETURN 1..100000000",
        "RETURN RANGE(1, 100000000)",
        "RETURN LENGTH(1..1e9)",
        "FOR i IN -1000000..1000000 RETURN i",
        "RETURN REPEAT('x', 1000000000)",
        "RETURN REPEAT('xxxxxxxxxx', 1000 * 1000)",
        "RETURN REPEAT('', 10000000, 'x')",
        "RETURN range(1, 1000 * 1000 * 10)",
        "RETURN REPEAT(@s, 1e300 * 1e300)",
    ] {
        assert_eq!(
            bound(text, "{\"s\": \"x\"}").unwrap_err().notice.code,
            "literal-bound",
            "{text}"
        );
    }
    for text in [
        "FOR i IN 1..1000000 RETURN i",
        "RETURN RANGE(0, 100000000, 1000)",
        "RETURN REPEAT('ab', 1000)",
        "FOR u IN users RETURN 1..u.count",
    ] {
        passes(text);
    }
}

#[test]
fn constant_patterns_that_backtrack_without_end_are_refused() {
    for text in [
        "RETURN REGEX_TEST('aaaa!', '(a+)+$')",
        "FOR u IN users FILTER u.name =~ '^(\\\\w+\\\\s*)+$' RETURN u",
        "RETURN 'a' !~ @p",
        "RETURN regex_replace('a', @p, 'b')",
    ] {
        let refusal = bound(text, "{\"p\": \"([a-z]+)*\"}").unwrap_err();
        assert_eq!(refusal.notice.code, "pattern-bound", "{text}");
    }
    passes("FOR u IN users FILTER REGEX_TEST(u.ip, '^(?:[0-9]{1,3}[.]){3}[0-9]+$') RETURN u");
    passes("RETURN LIKE('(a+)+', '%(a+)+%')");
}

#[test]
fn a_bound_value_counts_as_a_literal() {
    let refusal = bound("RETURN 1..@n", "{\"n\": 1e9}").unwrap_err();
    assert_eq!(refusal.notice.code, "literal-bound");
}

#[test]
fn what_is_valid_and_likely_not_meant_is_warned_of() {
    for (text, expected) in [
        (
            "FOR u IN users RETURN u.first + ' ' + u.last",
            "text-addition",
        ),
        ("FOR u IN users RETURN orders", "collection-as-value"),
        (
            "FOR u IN users FILTER u._id IN orders RETURN 1",
            "collection-as-value",
        ),
    ] {
        let codes: Vec<String> = passes(text)
            .warnings
            .into_iter()
            .map(|notice| notice.code)
            .collect();
        assert_eq!(codes, [expected], "{text}");
    }
    for text in [
        "FOR u IN users RETURN u.a + 1",
        "RETURN LENGTH(users)",
        "FOR u IN users FOR o IN orders RETURN 1",
    ] {
        assert!(passes(text).warnings.is_empty(), "{text}");
    }
}

#[test]
fn a_text_beyond_the_bound_is_refused_unread() {
    let text = format!("RETURN '{}'", "x".repeat(100_000));
    assert_eq!(code(&text), "query-size");
}

#[test]
fn endless_nesting_is_refused_without_a_stack() {
    for text in [
        "(".repeat(90_000),
        format!("RETURN {}1", "-".repeat(90_000)),
        format!("RETURN 1{}", "+1".repeat(40_000)),
    ] {
        let _ = bound(&text, "{}").unwrap_err();
    }
}

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("1".to_owned()),
        Just("'REMOVE'".to_owned()),
        Just("u.`update`".to_owned()),
        Just("/* ' */ null".to_owned()),
        Just("[1, 'it\\'s'][0]".to_owned()),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} == {b})")),
            inner.clone().prop_map(|a| format!("[{a}]")),
            inner.clone().prop_map(|a| format!("{{`'`: {a}}}")),
            inner.clone().prop_map(|a| format!("LENGTH([{a}])")),
            inner
                .clone()
                .prop_map(|a| format!("(FOR x IN [{a}] FILTER x LET y = x RETURN y)")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("({a} ? {b} : 'x')")),
        ]
    })
}

/// The text with one of its leaves turned into a subquery that writes.
fn with_write(text: &str, at: usize) -> Option<String> {
    const WRITES: [&str; 4] = [
        "(INSERT {} INTO users)",
        "(FOR z IN users REMOVE z IN users)",
        "(FOR z IN [1] UPDATE 'k' WITH {} IN users RETURN NEW)",
        "(UPSERT {a: 1} INSERT {a: 1} REPLACE {} IN users)",
    ];
    let places: Vec<usize> = text.match_indices("null").map(|(at, _)| at).collect();
    let place = *places.get(at.checked_rem(places.len())?)?;
    Some(format!(
        "{}{}{}",
        &text[..place],
        WRITES[at % 4],
        &text[place + 4..]
    ))
}

proptest! {
    #[test]
    fn a_reading_text_passes_and_the_same_with_a_write_does_not(expression in expression(), at in 0_usize..64) {
        let text = format!("FOR u IN users FILTER {expression} RETURN {expression}");
        prop_assert!(bound(&text, "{}").is_ok(), "{}", text);
        if let Some(text) = with_write(&text, at) {
            prop_assert_eq!(code(&text), "writes", "{}", text);
        }
    }

    #[test]
    fn any_text_ends_in_a_verdict(text in "\\PC{0,80}", binds in "\\PC{0,20}") {
        let _ = bound(&text, &binds);
    }
}
