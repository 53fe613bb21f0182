//! `WINDOW` by rows and by ranges.

use serde_json::json;

use crate::support::Bench;

#[test]
fn a_row_window_looks_at_rows_before_and_after() {
    assert_eq!(
        Bench::new().rows("FOR x IN [1, 2, 3, 4] WINDOW {preceding: 1, following: 1} AGGREGATE s = SUM(x), p = PUSH(x) RETURN [x, s, p]"),
        json!([[1, 3, [1, 2]], [2, 6, [1, 2, 3]], [3, 9, [2, 3, 4]], [4, 7, [3, 4]]])
    );
}

#[test]
fn an_unbounded_window_accumulates() {
    assert_eq!(
        Bench::new().rows("FOR x IN [1, 2, 3] WINDOW {preceding: 'unbounded', following: 0} AGGREGATE s = SUM(x) RETURN s"),
        json!([1, 3, 6])
    );
    assert_eq!(
        Bench::new().rows("FOR x IN [1, 2, 3] WINDOW {preceding: 0, following: 'unbounded'} AGGREGATE s = SUM(x) RETURN s"),
        json!([6, 5, 3])
    );
}

#[test]
fn a_range_window_looks_at_values() {
    assert_eq!(
        Bench::new().rows("FOR x IN [5, 1, 2, 9] WINDOW x WITH {preceding: 1, following: 3} AGGREGATE s = SUM(x), n = LENGTH() RETURN [x, s, n]"),
        json!([[1, 3, 2], [2, 8, 3], [5, 5, 1], [9, 9, 1]])
    );
}

#[test]
fn a_range_window_measures_time_by_durations() {
    assert_eq!(
        Bench::new().rows(
            "FOR t IN ['2021-05-25 07:00:00', '2021-05-25 07:30:00', '2021-05-25 09:00:00'] \
             WINDOW DATE_TIMESTAMP(t) WITH {preceding: 'PT30M'} AGGREGATE n = LENGTH() RETURN n"
        ),
        json!([1, 2, 1])
    );
}

#[test]
fn bounds_that_are_none_are_refused() {
    assert_eq!(
        Bench::new()
            .error("FOR x IN [1] WINDOW {preceding: -1} AGGREGATE s = SUM(x) RETURN s")
            .0,
        10
    );
}
