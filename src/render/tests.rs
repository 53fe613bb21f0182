use super::*;
use proptest::prelude::*;

fn rows(json: &str) -> RawRows {
    json::items(json).unwrap().into_iter().collect()
}

#[test]
fn the_header_is_the_union_of_the_keys_in_first_seen_order() {
    assert_eq!(
        table(&rows(r#"[{"b":1,"a":2},{"c":3,"a":4}]"#)),
        "| b | a | c |\n| --- | --- | --- |\n| 1 | 2 | |\n| | 4 | 3 |\n"
    );
}

#[test]
fn missing_is_empty_and_null_is_null() {
    assert_eq!(
        table(&rows(r#"[{"a":null,"b":""},{"b":"x"}]"#)),
        "| a | b |\n| --- | --- |\n| null | |\n| | x |\n"
    );
}

#[test]
fn no_rows_make_no_table_and_no_text() {
    assert_eq!(
        (table(&rows("[]")), text(&rows("[]"))),
        (String::new(), String::new())
    );
}

#[test]
fn rows_without_keys_still_count() {
    assert_eq!(table(&rows("[{},{}]")), "|  |\n| --- |\n|  |\n|  |\n");
}

#[test]
fn scalars_and_arrays_fill_lettered_columns() {
    assert_eq!(table(&rows("[1,\"x\"]")), "| A |\n| --- |\n| 1 |\n| x |\n");
    assert_eq!(
        table(&rows("[[1,2],[3]]")),
        "| A | B |\n| --- | --- |\n| 1 | 2 |\n| 3 | |\n"
    );
}

#[test]
fn mixed_rows_keep_all_they_hold() {
    assert_eq!(
        table(&rows(r#"[{"a":1},[2,3],null]"#)),
        "| a | A | B |\n| --- | --- | --- |\n| 1 | | |\n| | 2 | 3 |\n| | null | |\n"
    );
}

#[test]
fn what_would_break_a_table_is_escaped() {
    let shown = table(&rows(r#"[{"a|b":"x|y\nz\\w`q`\r\n<b>![i](http://h)"}]"#));
    assert_eq!(
        shown,
        "| a\\|b |\n| --- |\n| x\\|y<br>z\\\\w\\`q\\`<br>\\<b>![i\\](http://h) |\n"
    );
}

#[test]
fn numbers_keep_every_digit() {
    let json = r#"[{"n":9007199254740993,"m":12345678901234567890.12,"e":1.50E+2,"z":-0.0}]"#;
    for shown in [table(&rows(json)), text(&rows(json))] {
        for digits in [
            "9007199254740993",
            "12345678901234567890.12",
            "1.50E+2",
            "-0.0",
        ] {
            assert!(shown.contains(digits), "{shown}");
        }
    }
}

#[test]
fn nested_values_are_compact_json_in_their_own_order() {
    assert_eq!(
        table(&rows(r#"[{"a":{"z": 1, "b": [ "x y", null ]}}]"#)),
        "| a |\n| --- |\n| {\"z\":1,\"b\":[\"x y\",null]} |\n"
    );
}

#[test]
fn long_values_are_shortened_with_a_mark() {
    let exact = "é".repeat(256);
    assert!(table(&rows(&format!("[{{\"a\":\"{exact}\"}}]"))).ends_with(&format!("| {exact} |\n")));
    let longer = "é".repeat(300);
    assert!(
        table(&rows(&format!("[{{\"a\":\"{longer}\"}}]")))
            .ends_with(&format!("| {exact}… (+44 characters) |\n"))
    );
}

#[test]
fn an_embedding_is_counted_and_not_printed() {
    let numbers = vec!["0.25"; 1536].join(", ");
    assert_eq!(
        text(&rows(&format!("[{{\"v\":[{numbers}]}}]"))),
        "v: [1536 numbers]"
    );
    assert_eq!(text(&rows("[[1, 2]]")), "[1,2]");
}

#[test]
fn a_table_wider_than_its_bound_says_how_many_columns_it_left_out() {
    let members: Vec<String> = (0..103).map(|n| format!("\"k{n}\":{n}")).collect();
    let shown = table(&rows(&format!("[{{{}}}]", members.join(","))));
    assert!(
        shown.contains("| k99 | … (+3 columns) |\n") && !shown.contains("k100"),
        "{shown}"
    );
}

#[test]
fn columns_without_end_are_counted_to_a_bound() {
    let members: Vec<String> = (0..200_000)
        .map(|n| format!("\"k{}\":0", (n * 7919) % 200_000))
        .collect();
    let shown = table(&rows(&format!("[{{{}}}]", members.join(","))));
    assert!(shown.contains("… (+at least 1000 columns) |"));
}

#[test]
fn hidden_characters_are_shown_as_escapes() {
    let shown = text(&rows(r#"["\u001b[31mred\u202edesrever\u0000"]"#));
    assert_eq!(shown, "\\u001b[31mred\\u202edesrever\\u0000");
}

#[test]
fn text_has_a_line_a_row() {
    assert_eq!(
        text(&rows(r#"[{"name":"Ada\nL.","age":36},"x",[1,null]]"#)),
        "name: Ada\\nL., age: 36\nx\n[1,null]"
    );
}

#[test]
fn columns_count_as_in_a_spreadsheet() {
    let names: Vec<String> = [0, 25, 26, 27, 701, 702]
        .into_iter()
        .map(markdown::letters)
        .collect();
    assert_eq!(names, ["A", "Z", "AA", "AB", "ZZ", "AAA"]);
}

fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        "\\PC*|[|\\\\`\\n\\r\\]\\(<]{0,9}".prop_map(Into::into),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
            proptest::collection::btree_map("[a-c|\\n]{0,2}", inner, 0..4)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

/// The cells of a line, split at bars that no backslash escapes.
fn cells(line: &str) -> usize {
    let mut count = 0;
    let mut escaped = false;
    for c in line.chars() {
        count += usize::from(c == '|' && !escaped);
        escaped = c == '\\' && !escaped;
    }
    count
}

proptest! {
    #[test]
    fn every_line_of_a_table_has_as_many_cells_as_its_header(values in proptest::collection::vec(any_json(), 1..6)) {
        let rows = rows(&serde_json::Value::Array(values.clone()).to_string());
        let shown = table(&rows);
        let lines: Vec<&str> = shown.split('\n').collect();
        prop_assert_eq!(lines.len(), rows.len() + 3);
        let header = cells(lines[0]);
        for line in &lines[..lines.len() - 1] {
            prop_assert_eq!(cells(line), header, "{}", shown);
        }
        prop_assert_eq!(text(&rows).split('\n').count(), rows.len());
    }
}
