//! `COLLECT` in each of its forms.

use serde_json::json;

use crate::support::Bench;

const DATA: &str = "FOR d IN [{g: 'b', v: 1}, {g: 'a', v: 2}, {g: 'b', v: 3}, {g: null, v: null}] ";

fn rows(rest: &str) -> serde_json::Value {
    Bench::new().rows(&format!("{DATA}{rest}"))
}

#[test]
fn groups_come_in_the_order_of_their_criteria() {
    assert_eq!(rows("COLLECT g = d.g RETURN g"), json!([null, "a", "b"]));
    assert_eq!(
        rows("COLLECT g = d.g OPTIONS {method: 'sorted'} RETURN g"),
        json!([null, "a", "b"])
    );
}

#[test]
fn equal_numbers_are_one_group() {
    assert_eq!(
        Bench::new().rows("FOR x IN [1, 1.0, 2] COLLECT y = x WITH COUNT INTO n RETURN n"),
        json!([2, 1])
    );
}

#[test]
fn count_into_counts_with_and_without_groups() {
    assert_eq!(rows("COLLECT WITH COUNT INTO n RETURN n"), json!([4]));
    assert_eq!(
        rows("COLLECT g = d.g WITH COUNT INTO n RETURN [g, n]"),
        json!([[null, 1], ["a", 1], ["b", 2]])
    );
    assert_eq!(
        Bench::new().rows("FOR x IN [] COLLECT WITH COUNT INTO n RETURN n"),
        json!([0])
    );
    assert_eq!(
        Bench::new().rows("FOR x IN [] COLLECT y = x WITH COUNT INTO n RETURN n"),
        json!([])
    );
}

#[test]
fn into_keeps_the_variables_of_the_loop() {
    assert_eq!(
        rows("LET w = d.v COLLECT g = d.g INTO m FILTER g == 'b' RETURN m"),
        json!([[{"d": {"g": "b", "v": 1}, "w": 1}, {"d": {"g": "b", "v": 3}, "w": 3}]])
    );
    assert_eq!(
        rows("LET w = d.v COLLECT g = d.g INTO m KEEP w FILTER g == 'b' RETURN m"),
        json!([[{"w": 1}, {"w": 3}]])
    );
    assert_eq!(
        rows("COLLECT g = d.g INTO m = d.v RETURN m"),
        json!([[null], [2], [1, 3]])
    );
}

#[test]
fn aggregates_pass_over_null() {
    assert_eq!(
        rows(
            "COLLECT AGGREGATE a = MIN(d.v), b = MAX(d.v), c = SUM(d.v), e = AVG(d.v), f = COUNT(d.v) RETURN [a, b, c, e, f]"
        ),
        json!([[1, 3, 6, 2, 4]])
    );
    assert_eq!(
        Bench::new().rows("FOR x IN [] COLLECT AGGREGATE a = MIN(x), b = SUM(x), c = AVERAGE(x), d = UNIQUE(x) RETURN [a, b, c, d]"),
        json!([[null, 0, null, []]])
    );
}

#[test]
fn aggregates_of_sets_and_spread() {
    assert_eq!(
        Bench::new().rows(
            "FOR x IN [4, 2, 4, 6] COLLECT AGGREGATE a = UNIQUE(x), b = SORTED_UNIQUE(x), c = COUNT_DISTINCT(x), \
             d = VARIANCE_POPULATION(x), e = VARIANCE_SAMPLE(x), f = STDDEV(x), g = BIT_OR(x), h = BIT_XOR(x), i = PUSH(x) \
             RETURN [a, b, c, d, e, f, g, h, i]"
        ),
        json!([[[4, 2, 6], [2, 4, 6], 3, 2, 8.0 / 3.0, 2_f64.sqrt(), 6, 4, [4, 2, 4, 6]]])
    );
}

#[test]
fn a_group_with_aggregates_and_members() {
    assert_eq!(
        rows("COLLECT g = d.g AGGREGATE s = SUM(d.v) INTO m = d.v RETURN [g, s, m]"),
        json!([[null, 0, [null]], ["a", 2, [2]], ["b", 4, [1, 3]]])
    );
}

#[test]
fn a_criterion_may_be_taken_apart() {
    assert_eq!(
        rows("COLLECT [x] = [d.g] RETURN x"),
        json!([null, "a", "b"])
    );
}

#[test]
fn an_aggregate_that_is_none_is_refused() {
    assert_eq!(
        Bench::new()
            .error("FOR x IN [1] COLLECT AGGREGATE a = CONCAT(x) RETURN a")
            .0,
        1574
    );
}
