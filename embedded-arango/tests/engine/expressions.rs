//! Operators, literals and accesses.

use serde_json::json;

use crate::support::Bench;

fn value(expression: &str) -> serde_json::Value {
    Bench::new().rows(&format!("RETURN {expression}"))[0].clone()
}

#[test]
fn arithmetic_casts_its_operands_and_never_concatenates() {
    assert_eq!(
        value(r#"["foo" + 123, "123" + 200, 1 + null, 3 + [], 24 + [2], 24 + [2, 4]]"#),
        json!([123, 323, 1, 3, 26, 24])
    );
}

#[test]
fn integers_that_overflow_go_on_as_doubles() {
    let sum = value("9223372036854775807 + 1");
    assert_eq!(sum.as_f64(), Some(9223372036854775808.0));
}

#[test]
fn division_by_zero_gives_null_and_a_warning() {
    let bench = Bench::new();
    let outcome = bench
        .run(
            "FOR i IN [1] RETURN [i / 0, i % 0]",
            json!(null),
            Default::default(),
        )
        .expect("rows");
    assert_eq!(outcome.rows[0].to_json(), json!([null, null]));
    assert_eq!(outcome.warnings.len(), 2);
    assert_eq!(
        (
            outcome.warnings[0].code,
            outcome.warnings[0].message.as_str()
        ),
        (1562, "division by zero")
    );
}

#[test]
fn logic_gives_an_operand_back() {
    assert_eq!(
        value(r#"[1 || 7, null || "foo", null && true, true && 23, NOT 0]"#),
        json!([1, "foo", null, 23, true])
    );
}

#[test]
fn values_compare_by_type_first() {
    assert_eq!(
        value(r#"[null < false, false < 0, 0 < "", "" < [], [] < {}, 1 == 1.0]"#),
        json!([true, true, true, true, true, true])
    );
}

#[test]
fn in_with_something_that_is_no_array_is_false_both_ways() {
    assert_eq!(
        value(r#"[1 IN "1", 1 NOT IN "1", 2 IN 1..3, 5 NOT IN [1, 2]]"#),
        json!([false, false, true, true])
    );
}

#[test]
fn a_quantifier_counts_the_elements_that_satisfy_a_comparison() {
    assert_eq!(
        value(
            "[[1,2,3] ALL > 0, [1,2,3] ANY == 4, [1,2,3] NONE > 10, [1,2,3] AT LEAST (2) > 1, [] ALL == 1, [] ANY == 1]"
        ),
        json!([true, false, true, true, true, false])
    );
}

#[test]
fn an_expansion_filters_limits_and_projects() {
    assert_eq!(
        value("[1,2,3,4,5][* FILTER CURRENT % 2 == 1 LIMIT 1, 2 RETURN CURRENT * 10]"),
        json!([30, 50])
    );
    assert_eq!(
        value("[{a: [1, 2]}, {a: [3]}][*].a[*]"),
        json!([[1, 2], [3]])
    );
    assert_eq!(value("[{a: [1, 2]}, {a: [3]}][*].a[**]"), json!([1, 2, 3]));
    assert_eq!(value("[[1, [2]], [3]][**]"), json!([1, [2], 3]));
    assert_eq!(value("[[1, [2]], [3]][***]"), json!([1, 2, 3]));
    assert_eq!(value("(5)[*]"), json!([]));
}

#[test]
fn an_inline_filter_asks_how_many_elements_fit() {
    assert_eq!(
        value(
            "[[1,2,3][? FILTER CURRENT > 2], [1,2,3][? ALL FILTER CURRENT > 2], [1,2,3][? 2 FILTER CURRENT > 1], [1,2,3][? 1..2 FILTER CURRENT > 0], [1][?]]"
        ),
        json!([true, false, true, false, true])
    );
}

#[test]
fn accesses_that_miss_are_null_and_negative_positions_count_from_the_end() {
    assert_eq!(
        value(r#"[{a: 1}.b, [1,2,3][-1], [1][9], ("x").y, {a: 1}["a"], {"1": 2}[1]]"#),
        json!([null, 3, null, null, 1, 2])
    );
}

#[test]
fn of_two_attributes_of_one_name_the_first_counts() {
    assert_eq!(
        value(r#"{a: 1, a: 2, ["b"]: 3, b: 4}"#),
        json!({"a": 1, "b": 3})
    );
}

#[test]
fn the_text_operators_are_their_functions() {
    assert_eq!(
        value(r#"["abc" LIKE "a%", "abc" NOT LIKE "a%", "abc" =~ "^a", "abc" !~ "^b"]"#),
        json!([true, false, true, true])
    );
}

#[test]
fn a_ternary_without_a_middle_gives_its_condition() {
    assert_eq!(
        value(r#"[0 ?: "x", 5 ?: "x", true ? 1 : 2]"#),
        json!(["x", 5, 1])
    );
}

#[test]
fn a_range_is_an_array_in_either_direction() {
    assert_eq!(value("[1..3, 3..1]"), json!([[1, 2, 3], [3, 2, 1]]));
}

#[test]
fn a_subquery_in_a_branch_that_is_not_taken_does_not_run() {
    let bench = Bench::new();
    let query = "FOR x IN [1, 0] RETURN x ? 'taken' : (FOR y IN [1] RETURN FAIL('ran'))";
    assert_eq!(bench.error(query).0, 1569);
    let query = "FOR x IN [1, 2] RETURN x ? 'taken' : (FOR y IN [1] RETURN FAIL('ran'))";
    assert_eq!(bench.rows(query), json!(["taken", "taken"]));
    let query = "FOR x IN [0, 0] RETURN x AND (FOR y IN [1] RETURN FAIL('ran'))";
    assert_eq!(bench.rows(query), json!([0, 0]));
    let query = "FOR x IN [0, 1] RETURN x AND (x OR (RETURN FAIL('ran'))) AND (RETURN 3)";
    assert_eq!(bench.rows(query), json!([0, [3]]));
}
