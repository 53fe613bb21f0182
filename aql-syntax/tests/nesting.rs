//! No text overflows a stack of 1 MiB, in the parser, the walk, the printer or the drop; what the server allows parses.

use aql_syntax::{MAX_DEPTH, MAX_NESTING, Version, parse, parse_with};

/// Runs on a thread with as much stack as a wasm guest has. An overflow aborts the whole test.
fn on_small_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(test)
        .unwrap()
        .join()
        .unwrap();
}

/// A megabyte of `part`, after `before`.
fn bomb(before: &str, part: &str) -> String {
    let mut text = String::from(before);
    text.push_str(&part.repeat((1 << 20) / part.len()));
    text
}

#[test]
fn a_megabyte_of_nesting_is_refused_as_too_much() {
    let bombs = [
        ("RETURN ", "("),
        ("RETURN ", "["),
        ("RETURN ", "{a:"),
        ("RETURN ", "{[a]:"),
        ("RETURN ", "{["),
        ("RETURN ", "-"),
        ("RETURN ", "NOT "),
        ("RETURN ", "!"),
        ("RETURN ", "a["),
        ("RETURN ", "f("),
        ("RETURN ", "f(1,"),
        ("RETURN ", "a[* FILTER "),
        ("RETURN ", "a[* RETURN "),
        ("RETURN ", "a[* LIMIT "),
        ("RETURN ", "a[? FILTER "),
        ("RETURN ", "a[? AT LEAST ("),
        ("RETURN ", "a AT LEAST ("),
        ("RETURN ", "a ? "),
        ("RETURN ", "a ? b : "),
        ("RETURN ", "a ?: "),
        ("RETURN a", ".a"),
        ("RETURN a", "[*]"),
        ("RETURN a", "[**]"),
        ("RETURN a", "[*].b"),
        ("RETURN a", "[?]"),
        ("RETURN a", "[0]"),
        ("RETURN 1", "+1"),
        ("RETURN 1", " OR 1 AND 1"),
        ("RETURN 1", ".. 1"),
        ("RETURN 1", " ANY == 1"),
        ("RETURN 1", " ? 2 : 3"),
        ("", "RETURN ("),
        ("", "FOR a IN ("),
        ("", "LET a = ("),
        ("", "FILTER f("),
        ("", "FOR v IN OUTBOUND ("),
        ("", "FOR v IN ANY SHORTEST_PATH ("),
        ("", "INSERT ("),
        ("", "UPSERT {a: ("),
        ("", "COLLECT a = ("),
        ("", "COLLECT AGGREGATE a = f("),
        ("", "WINDOW ("),
        ("LET ", "["),
        ("LET ", "{a: "),
        ("FOR ", "[[], "),
    ];
    for (before, part) in bombs {
        let text = bomb(before, part);
        on_small_stack(move || {
            let error = parse(&text).unwrap_err();
            assert_eq!(
                (error.number, error.to_string().as_str()),
                (1524, "too much nesting"),
                "{part}"
            );
        });
    }
    let text = bomb("RETURN ", "[...");
    on_small_stack(move || assert_eq!(parse_with(&text, Version::V4).unwrap_err().number, 1524));
}

/// `before`, then `open` so many times, `core`, and `close` as often.
fn nested(times: u32, before: &str, open: &str, core: &str, close: &str) -> String {
    let times = times as usize;
    [before, &open.repeat(times), core, &close.repeat(times)].concat()
}

#[test]
fn what_the_limit_allows_parses_prints_walks_and_drops() {
    let most = MAX_NESTING - 1;
    let texts = [
        nested(most, "RETURN ", "(", "1", ")"),
        nested(most, "RETURN ", "(1 + ", "1", ")"),
        nested(most, "RETURN ", "[", "1", "]"),
        nested(most, "RETURN ", "{a: ", "1", "}"),
        nested(most, "RETURN ", "a[", "1", "]"),
        nested(most, "RETURN ", "f(", "1", ")"),
        nested(most, "RETURN ", "NOT ", "1", ""),
        nested(most, "RETURN ", "1 ? 2 : ", "1", ""),
        nested(most, "RETURN ", "1 ? ", "1", " : 2"),
        nested(most, "RETURN ", "a[* FILTER ", "1", "]"),
        nested(most, "RETURN ", "a[* RETURN ", "1", "]"),
        nested(MAX_DEPTH - 1, "RETURN a", ".a", "", ""),
        nested(MAX_DEPTH - 1, "RETURN a", "[*]", "", ""),
        nested(MAX_DEPTH - 1, "RETURN 1", " + 1", "", ""),
        nested(MAX_DEPTH - 1, "RETURN 1", " ANY == 1", "", ""),
        nested(MAX_DEPTH - 1, "RETURN ", "1 ?: ", "1", ""),
        nested(most / 5, "", "RETURN (", "RETURN 1", ")"),
        nested(most / 5, "RETURN ", "f(RETURN ", "1", ")"),
        nested(
            most / 5,
            "",
            "FOR x IN OUTBOUND (",
            "RETURN 1",
            ") e RETURN x",
        ),
        nested(
            most / 5,
            "",
            "UPSERT {a: (",
            "RETURN 1",
            ")} INSERT {} UPDATE {} IN c",
        ),
        nested(most, "LET ", "[", "a", "]") + " = 1 RETURN a",
    ];
    for (i, text) in texts.into_iter().enumerate() {
        on_small_stack(move || {
            let query = parse(&text).unwrap_or_else(|error| panic!("{i}: {error}"));
            let mut nodes = 0;
            query.walk(|_| nodes += 1);
            assert!(nodes > 1);
            let again = parse(&query.to_string()).unwrap_or_else(|error| panic!("{i}: {error}"));
            assert!(again == query && again.clone() == query);
            drop(query);
        });
    }
}

#[test]
fn a_sum_of_500_terms_parses() {
    let text = format!("RETURN 0{}", " + d.x".repeat(499));
    on_small_stack(move || {
        parse(&text).unwrap();
    });
}
