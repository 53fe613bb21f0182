use serde_json::{Value, json};

use super::{Comparison, Difference, Match};

fn rows(value: Value) -> Vec<Value> {
    value.as_array().expect("rows").clone()
}

fn compare(right: Value, given: Value) -> Result<Match, Difference> {
    Comparison::default().compare(&rows(right), &rows(given))
}

fn in_order(right: Value, given: Value) -> Result<Match, Difference> {
    let comparison = Comparison {
        ordered: true,
        cut: false,
    };
    comparison.compare(&rows(right), &rows(given))
}

fn cut(right: Value, given: Value, ordered: bool) -> Result<Match, Difference> {
    Comparison { ordered, cut: true }.compare(&rows(right), &rows(given))
}

#[test]
fn names_of_columns_and_the_order_of_rows_do_not_count() {
    let right = json!([{"title": "A", "copies": 2}, {"title": "B", "copies": 1}]);
    let given = json!([{"n": 1, "book": "B"}, {"n": 2, "book": "A"}]);
    assert_eq!(compare(right, given), Ok(Match { further_columns: 0 }));
}

#[test]
fn one_value_is_the_same_with_and_without_an_object_around_it() {
    assert!(compare(json!([7]), json!([{"count": 7}])).is_ok());
    assert!(compare(json!([{"count": 7}]), json!([7])).is_ok());
    assert!(compare(json!(["a", "b"]), json!([{"x": "b"}, {"x": "a"}])).is_ok());
}

#[test]
fn values_of_a_row_stay_together() {
    let right = json!([{"least": 1, "most": 2}, {"least": 2, "most": 1}, {"least": 3, "most": 3}]);
    let shuffled = json!([{"a": 1, "b": 1}, {"a": 2, "b": 2}, {"a": 3, "b": 3}]);
    let difference = compare(right, shuffled).unwrap_err();
    assert_eq!(difference.reason, "not right: 2 of 3 rows");
    assert_eq!(
        difference.missing,
        [
            json!({"least": 1, "most": 2}),
            json!({"least": 2, "most": 1})
        ]
    );
}

#[test]
fn columns_that_hold_the_same_values_are_told_apart_by_their_rows() {
    // Both columns are the bag 1, 2, 3; only one assignment makes the rows the same.
    let right = json!([{"x": 1, "y": 2}, {"x": 2, "y": 3}, {"x": 3, "y": 1}]);
    let given = json!([{"x": 2, "y": 1}, {"x": 3, "y": 2}, {"x": 1, "y": 3}]);
    assert!(compare(right, given).is_ok());
}

#[test]
fn further_columns_are_allowed_and_counted_and_missing_ones_are_not() {
    let narrow = json!([{"title": "A"}, {"title": "B"}]);
    let wide = json!([{"title": "B", "price": 3.5}, {"title": "A", "price": 4}]);
    assert_eq!(
        compare(narrow.clone(), wide.clone()),
        Ok(Match { further_columns: 1 })
    );
    assert_eq!(
        compare(wide, narrow).unwrap_err().reason,
        "1 column given, 2 expected"
    );
}

#[test]
fn rows_count_as_often_as_they_come() {
    let difference = compare(json!(["a", "a", "b"]), json!(["a", "b", "b"])).unwrap_err();
    assert_eq!(difference.reason, "not right: 1 of 3 rows");
    assert_eq!(
        (difference.missing, difference.unexpected),
        (vec![json!("a")], vec![json!("b")])
    );
}

#[test]
fn too_few_and_too_many_rows_are_said_with_their_numbers() {
    let difference = compare(json!([1, 2, 3]), json!([1])).unwrap_err();
    assert_eq!(
        difference.reason,
        "1 row given, 3 expected; those given are right"
    );
    assert_eq!(difference.missing, [json!(2), json!(3)]);
    let difference = compare(json!([1]), json!([1, 2])).unwrap_err();
    assert_eq!(
        difference.reason,
        "2 rows given, 1 expected; the expected ones are among them"
    );
    assert_eq!(
        compare(json!([1]), json!([])).unwrap_err().reason,
        "no row given, 1 row expected"
    );
    assert!(compare(json!([]), json!([])).is_ok());
    assert!(compare(json!([]), json!([null])).is_err());
}

#[test]
fn order_counts_where_it_is_asked_for() {
    let (right, other) = (json!([{"a": 1}, {"a": 2}]), json!([{"a": 2}, {"a": 1}]));
    assert!(compare(right.clone(), other.clone()).is_ok());
    assert!(in_order(right.clone(), right.clone()).is_ok());
    let difference = in_order(right, other).unwrap_err();
    assert_eq!(difference.reason, "the right rows in another order");
    assert_eq!(
        (difference.missing, difference.unexpected),
        (vec![json!({"a": 1})], vec![json!({"a": 2})])
    );
}

#[test]
fn rows_that_a_limit_cut_must_be_among_the_right_ones() {
    let right = json!([1, 2, 3, 4]);
    assert!(cut(right.clone(), json!([4, 2]), false).is_ok());
    assert!(cut(right.clone(), json!([1, 2]), true).is_ok());
    assert!(cut(right.clone(), json!([4, 2]), true).is_err());
    let difference = cut(right.clone(), json!([1, 9]), false).unwrap_err();
    assert_eq!(difference.reason, "not right: 1 of 2 rows");
    assert_eq!(difference.unexpected, [json!(9)]);
    assert!(
        cut(right, json!([4, 4]), false).is_err(),
        "a row is used once"
    );
}

#[test]
fn a_column_without_its_like_is_named() {
    let right = json!([{"title": "A", "copies": 2}, {"title": "B", "copies": 1}]);
    let given = json!([{"title": "A", "copies": 3}, {"title": "B", "copies": 1}]);
    let difference = compare(right, given).unwrap_err();
    assert_eq!(
        difference.reason,
        "not right: 1 of 2 rows; no column has the values of `copies`"
    );
    assert_eq!(difference.missing, [json!({"title": "A", "copies": 2})]);
    assert_eq!(difference.unexpected, [json!({"title": "A", "copies": 3})]);
}

#[test]
fn an_absent_attribute_is_null() {
    assert!(
        compare(
            json!([{"a": 1, "b": null}, {"a": 2, "b": 3}]),
            json!([{"x": 1}, {"x": 2, "y": 3}])
        )
        .is_ok()
    );
}

#[test]
fn long_values_are_shortened_in_what_is_shown() {
    let difference = compare(
        json!([{"t": "x".repeat(300), "l": vec![1; 30]}]),
        json!([1]),
    )
    .unwrap_err();
    let text = difference.missing[0]["t"].as_str().unwrap();
    assert_eq!(text.chars().count(), 201);
    assert_eq!(difference.missing[0]["l"][20], "… 10 more");
}

#[test]
fn thousands_of_rows_of_numbers_are_compared_in_any_order() {
    let right: Vec<Value> = (0..5_000)
        .map(|n| json!({"n": n, "half": n as f64 / 2.0}))
        .collect();
    let mut given = right.clone();
    given.reverse();
    assert!(Comparison::default().compare(&right, &given).is_ok());
    given[17] = json!({"n": -1, "half": 0.25});
    let difference = Comparison::default().compare(&right, &given).unwrap_err();
    assert_eq!(difference.unexpected, [json!({"n": -1, "half": 0.25})]);
}
