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
        json!({"links": {"texts": {"storeValues": "id", "fields": {
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

/// Texts with known lengths: 4 of them have the field, 2 the word `fox`.
fn scored() -> Bench {
    let bench = Bench::new();
    bench.collection(
        "texts",
        json!([
            {"_key": "a", "t": "fox"},
            {"_key": "b", "t": "fox and fox and hound"},
            {"_key": "c", "t": "a hound is a dog"},
            {"_key": "d", "t": "bird"},
            {"_key": "e", "other": "fox"},
        ]),
    );
    bench.view(
        "v",
        ViewKind::ArangoSearch,
        json!({"links": {"texts": {"fields": {"t": {"analyzers": ["text_en", "identity"]}}}}}),
    );
    bench
}

#[test]
fn bm25_and_tfidf_follow_their_formulas() {
    let rows = scored().rows(
        "FOR d IN v SEARCH ANALYZER(d.t == 'fox', 'text_en') SORT d._key
         RETURN [d._key, BM25(d), BM25(d, 2, 0), TFIDF(d), TFIDF(d, true)]",
    );
    // Four documents have the field, two the term; twelve tokens are three on average.
    let idf = (1.0 + (4.0 - 2.0 + 0.5) / (2.0 + 0.5_f64)).ln();
    let bm25 = |f: f64, length: f64| idf * 2.2 * f / (f + 1.2 * (0.25 + 0.75 * length / 3.0));
    let bm15 = |f: f64| idf * 3.0 * f / (f + 2.0);
    let tfidf = |f: f64| ((5.0 / 3.0_f64).ln() + 1.0) * f.sqrt();
    let expected = [
        ("a", [bm25(1.0, 1.0), bm15(1.0), tfidf(1.0), tfidf(1.0)]),
        (
            "b",
            [
                bm25(2.0, 5.0),
                bm15(2.0),
                tfidf(2.0),
                tfidf(2.0) / 5_f64.sqrt(),
            ],
        ),
    ];
    for (row, (key, scores)) in rows.as_array().expect("rows").iter().zip(expected) {
        assert_eq!(row[0], json!(key));
        for (at, score) in scores.into_iter().enumerate() {
            let got = row[at + 1].as_f64().expect("a score");
            assert!((got - score).abs() < 1e-5, "{key} {at}: {got} {score}");
        }
    }
}

#[test]
fn scores_add_up_and_boosts_multiply() {
    let rows = scored().rows(
        "FOR d IN v SEARCH ANALYZER(BOOST(d.t == 'fox', 3) OR d.t == 'hound', 'text_en')
         SORT d._key RETURN TFIDF(d)",
    );
    let scores: Vec<f64> = rows
        .as_array()
        .expect("rows")
        .iter()
        .filter_map(|one| one.as_f64())
        .collect();
    let idf = (5.0 / 3.0_f64).ln() + 1.0;
    let expected = [3.0 * idf, 3.0 * idf * 2_f64.sqrt() + idf, idf];
    assert_eq!(scores.len(), expected.len());
    for (got, score) in scores.iter().zip(expected) {
        assert!((got - score).abs() < 1e-5, "{got} {score}");
    }
    assert_eq!(
        scored().rows("FOR d IN v SEARCH ANALYZER(d.t == 'fox' OR d.t == 'hound', 'text_en') SORT BM25(d) DESC LIMIT 1 RETURN d._key"),
        json!(["b"])
    );
    assert_eq!(
        scored().rows("FOR d IN v SORT d._key LIMIT 1 RETURN BM25(d)"),
        json!([0])
    );
}

#[test]
fn a_score_outside_a_view_and_a_phrase_outside_a_search_are_refused() {
    for (query, words) in [
        ("FOR d IN texts RETURN BM25(d)", "scorer function 'BM25'"),
        (
            "FOR d IN texts FILTER PHRASE(d.t, 'a') RETURN d",
            "function 'PHRASE'",
        ),
        (
            "FOR d IN texts FILTER EXISTS(d.t) RETURN d",
            "function 'EXISTS'",
        ),
    ] {
        let (number, message) = scored().error(query);
        assert_eq!(number, 9, "{query}");
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn a_value_is_compared_with_values_of_its_type_and_texts_by_their_bytes() {
    let bench = Bench::new();
    bench.collection(
        "c",
        json!([
            {"_key": "1", "x": 5}, {"_key": "2", "x": "a"}, {"_key": "3", "x": null},
            {"_key": "4", "x": true}, {"_key": "5", "x": "B"}, {"_key": "6"}, {"_key": "7", "x": -0.5},
        ]),
    );
    bench.view(
        "v",
        ViewKind::ArangoSearch,
        json!({"links": {"c": {"includeAllFields": true, "storeValues": "id"}}}),
    );
    let keys = |condition: &str| {
        bench.rows(&format!(
            "FOR d IN v SEARCH {condition} SORT d._key RETURN d._key"
        ))
    };
    assert_eq!(keys("d.x < 6"), json!(["1", "7"]));
    assert_eq!(keys("d.x >= -0.5 AND d.x <= 4"), json!(["7"]));
    // In bytes, capital letters come first.
    assert_eq!(keys("d.x < 'a'"), json!(["5"]));
    assert_eq!(keys("d.x == null"), json!(["3"]));
    assert_eq!(keys("d.x != 5"), json!(["2", "3", "4", "5", "6", "7"]));
    assert_eq!(keys("d.x IN [5, 'a', true]"), json!(["1", "2", "4"]));
    assert_eq!(keys("d.x > false"), json!(["4"]));
    assert_eq!(keys("EXISTS(d.x, 'numeric')"), json!(["1", "7"]));
    assert_eq!(
        keys("EXISTS(d.x, 'null') OR EXISTS(d.x, 'bool')"),
        json!(["3", "4"])
    );
    assert_eq!(
        keys("d.x LIKE '_' AND NOT STARTS_WITH(d.x, 'B')"),
        json!(["2"])
    );
    assert_eq!(keys("d.x + 1 == 6"), json!(["1"]));
    assert_eq!(keys("d.x < 9 AND d.x > 9"), json!([]));
    assert_eq!(keys("IN_RANGE(d.x, 9, 1, true, true)"), json!([]));
}

#[test]
fn a_search_may_depend_on_the_rows_before_it() {
    assert_eq!(
        scored().rows(
            "FOR w IN ['bird', 'hound', 'cat']
             LET found = (FOR d IN v SEARCH ANALYZER(d.t == w, 'text_en') SORT d._key RETURN d._key)
             RETURN found"
        ),
        json!([["d"], ["b", "c"], []])
    );
}

#[test]
fn a_phrase_may_say_what_the_term_at_a_place_is() {
    for (parts, found) in [
        ("'quick', {STARTS_WITH: ['bro']}, 'fox'", json!(["a"])),
        ("[{TERMS: ['lazi', 'quick']}, 'brown']", json!(["a"])),
        ("{WILDCARD: ['l_z%']}, 0, 'dog'", json!(["b"])),
        ("['lazy', {LEVENSHTEIN_MATCH: ['dig', 1]}]", json!(["b"])),
        (
            "{IN_RANGE: ['brown', 'fox', true, true]}, 0, 'jump'",
            json!(["a"]),
        ),
        ("'quick', 2, 'jump'", json!(["a"])),
        ("'quick', 1, 'jump'", json!([])),
        ("[]", json!([])),
    ] {
        assert_eq!(
            keys(&format!("ANALYZER(PHRASE(d.t, {parts}), 'text_en')")),
            found,
            "{parts}"
        );
    }
    let (number, _) = texts().error("FOR d IN v SEARCH PHRASE(d.t, true) RETURN d");
    assert_eq!(number, 10);
}

#[test]
fn terms_that_are_nearly_right_are_found() {
    assert_eq!(
        keys("ANALYZER(LEVENSHTEIN_MATCH(d.t, 'quikc', 1), 'text_en')"),
        json!(["a", "b"])
    );
    assert_eq!(
        keys("ANALYZER(LEVENSHTEIN_MATCH(d.t, 'quikc', 1, false), 'text_en')"),
        json!([])
    );
    assert_eq!(
        keys("ANALYZER(LEVENSHTEIN_MATCH(d.t, 'ick', 0, true, 64, 'qu'), 'text_en')"),
        json!(["a", "b"])
    );
    let (number, _) = texts().error("FOR d IN v SEARCH LEVENSHTEIN_MATCH(d.t, 'a', 5) RETURN d");
    assert_eq!(number, 10);
}

#[test]
fn pieces_of_a_text_in_their_order_are_found() {
    let bench = Bench::new();
    bench.collection(
        "c",
        json!([{"_key": "a", "t": "quick fox"}, {"_key": "b", "t": "xof kciuq"}]),
    );
    bench
        .database
        .create_analyzer(&embedded_arango::value::Value::from_json(json!({
            "name": "bigram", "type": "ngram", "features": ["frequency", "position", "norm"],
            "properties": {"min": 2, "max": 2, "preserveOriginal": false, "streamType": "utf8"}
        })))
        .expect("an analyzer");
    bench.view(
        "v",
        ViewKind::ArangoSearch,
        json!({"links": {"c": {"fields": {"t": {"analyzers": ["bigram"]}}}}}),
    );
    let keys =
        |condition: &str| bench.rows(&format!("FOR d IN v SEARCH {condition} RETURN d._key"));
    assert_eq!(
        keys("NGRAM_MATCH(d.t, 'quick cat', 0.5, 'bigram')"),
        json!(["a"])
    );
    assert_eq!(
        keys("NGRAM_MATCH(d.t, 'quick cat', 0.7, 'bigram')"),
        json!([])
    );
    assert_eq!(
        keys("ANALYZER(NGRAM_MATCH(d.t, 'quack', 0.5), 'bigram')"),
        json!(["a"])
    );
    assert_eq!(
        bench.rows("RETURN [NGRAM_MATCH('quick fox', 'quack', 0.5, 'bigram'), NGRAM_MATCH('xof', 'quack', 0.5, 'bigram')]"),
        json!([[true, false]])
    );
}

#[test]
fn the_places_of_matches_are_told_in_bytes() {
    let bench = Bench::new();
    bench.collection(
        "c",
        json!([{"t": {"de": ["Ein Füchslein", "Fuchs und Hund, Hund und Fuchs"]}}]),
    );
    bench.index(
        "c",
        json!({"type": "inverted", "name": "i", "fields": [
            {"name": "t.de[*]", "analyzer": "text_de", "features": ["frequency", "position", "offset"]}
        ]}),
    );
    bench.view(
        "v",
        ViewKind::SearchAlias,
        json!({"indexes": [{"collection": "c", "index": "i"}]}),
    );
    assert_eq!(
        bench.rows(
            "FOR d IN v SEARCH PHRASE(d.t.de, 'Hund und Fuchs') OR STARTS_WITH(d.t.de, 'fuch')
             RETURN OFFSET_INFO(d, 't.de')"
        ),
        json!([[
            {"name": ["t", "de", 0], "offsets": [[4, 10]]},
            {"name": ["t", "de", 1], "offsets": [[16, 14], [0, 5], [25, 5]]}
        ]])
    );
    assert_eq!(
        bench.rows(
            "FOR d IN v SEARCH d.t.de == 'hund'
             RETURN OFFSET_INFO(d, [{name: 't.de', options: {maxOffsets: 1}}])[*].offsets"
        ),
        json!([[[[10, 4]]]])
    );
}

#[test]
fn a_view_sees_what_was_committed_since_its_last_search() {
    let bench = scored();
    let count = "FOR d IN v SEARCH d.t == 'bird' COLLECT WITH COUNT INTO n RETURN n";
    assert_eq!(bench.rows(count), json!([1]));
    bench.rows("INSERT {t: 'bird'} INTO texts RETURN 1");
    assert_eq!(bench.rows(count), json!([2]));
    bench.rows("FOR d IN texts FILTER d.t == 'bird' REMOVE d IN texts RETURN 1");
    assert_eq!(bench.rows(count), json!([0]));
}
