//! `SEARCH` over views: analyzers, phrases, and what a view indexes.

use embedded_arango::storage::ViewKind;
use serde_json::json;

use crate::support::Bench;

/// Texts indexed by `text_en`; their keys by `identity`; the field `hidden` not at all.
fn texts() -> Bench {
    let bench = Bench::new();
    bench.collection(
        "texts",
        json!([
            {"_key": "a", "t": "The quick brown foxes jump", "tags": ["x", "y"], "hidden": 1},
            {"_key": "b", "t": "A lazy dog; quick it is not", "tags": ["y"], "n": 5},
            {"_key": "c", "t": ["one fox", "two dogs"], "n": null},
        ]),
    );
    bench.view(
        "v",
        ViewKind::ArangoSearch,
        json!({"links": {"texts": {"fields": {
            "t": {"analyzers": ["text_en"]}, "tags": {}, "n": {}, "_key": {}
        }}}}),
    );
    bench
}

fn keys(condition: &str) -> serde_json::Value {
    texts().rows(&format!(
        "FOR d IN v SEARCH {condition} SORT d._key RETURN d._key"
    ))
}

#[test]
fn a_text_is_found_by_its_tokens_under_the_analyzer_that_indexed_it() {
    assert_eq!(keys("ANALYZER(d.t == 'fox', 'text_en')"), json!(["a", "c"]));
    assert_eq!(
        keys("ANALYZER(TOKENS('foxes dogs', 'text_en') ANY == d.t, 'text_en')"),
        json!(["a", "b", "c"])
    );
    assert_eq!(
        keys("ANALYZER(TOKENS('foxes dogs', 'text_en') ALL == d.t, 'text_en')"),
        json!(["c"])
    );
    assert_eq!(
        keys("ANALYZER(d.t IN TOKENS('jump', 'text_en'), 'text_en')"),
        json!(["a"])
    );
    assert_eq!(keys("d.t == 'fox'"), json!([]));
}

#[test]
fn a_phrase_is_tokens_in_a_row_with_gaps_where_they_are_asked_for() {
    assert_eq!(keys("PHRASE(d.t, 'quick brown', 'text_en')"), json!(["a"]));
    assert_eq!(
        keys("ANALYZER(PHRASE(d.t, 'quick', 1, 'fox'), 'text_en')"),
        json!(["a"])
    );
    assert_eq!(
        keys("ANALYZER(PHRASE(d.t, 'fox brown'), 'text_en')"),
        json!([])
    );
}

#[test]
fn a_field_that_the_view_does_not_index_is_not_found() {
    assert_eq!(keys("d.hidden == '1'"), json!([]));
    assert_eq!(keys("d.tags == 'y'"), json!(["a", "b"]));
    assert_eq!(keys("'x' IN d.tags"), json!(["a"]));
}

#[test]
fn conditions_count_and_combine() {
    assert_eq!(
        keys("MIN_MATCH(d.tags == 'x', d.n == 5, d._key IN ['a', 'b'], 2)"),
        json!(["a", "b"])
    );
    assert_eq!(keys("STARTS_WITH(d._key, ['a', 'c'])"), json!(["a", "c"]));
    assert_eq!(keys("NOT (d.tags != 'x') AND EXISTS(d.tags)"), json!(["a"]));
    assert_eq!(keys("EXISTS(d.n)"), json!(["b", "c"]));
    assert_eq!(
        keys("IN_RANGE(d.n, 4, 5, true, true) OR d.n == null"),
        json!(["b", "c"])
    );
}

#[test]
fn a_search_alias_uses_the_analyzer_of_its_index() {
    let bench = texts();
    bench.index(
        "texts",
        json!({"type": "inverted", "name": "inv", "fields": [{"name": "t", "analyzer": "text_en"}]}),
    );
    bench.view(
        "alias",
        ViewKind::SearchAlias,
        json!({"indexes": [{"collection": "texts", "index": "inv"}]}),
    );
    assert_eq!(
        bench.rows("FOR d IN alias SEARCH PHRASE(d.t, 'quick brown') OR STARTS_WITH(d.t, 'laz') SORT d._key RETURN d._key"),
        json!(["a", "b"])
    );
}

#[test]
fn a_score_is_refused_and_not_made_up() {
    let (number, message) = texts().error("FOR d IN v SORT BM25(d) DESC RETURN d");
    assert_eq!(number, 9);
    assert!(
        message.contains("not implemented by the embedded server"),
        "{message}"
    );
}
