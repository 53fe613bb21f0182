//! `INSERT`, `UPDATE`, `REPLACE`, `REMOVE`, `UPSERT`.

use embedded_arango::engine::QueryOptions;
use serde_json::{Value as Json, json};

use crate::support::Bench;

fn items() -> Bench {
    let bench = Bench::new();
    bench.collection(
        "c",
        json!([{"_key": "1", "n": 1, "o": {"a": 1}}, {"_key": "2", "n": 2}]),
    );
    bench
}

fn all(bench: &Bench) -> Json {
    bench.rows("FOR d IN c SORT d._key RETURN UNSET(d, '_id', '_rev')")
}

#[test]
fn an_insert_gives_the_new_document() {
    let bench = items();
    assert_eq!(
        bench.rows("FOR i IN 3..4 INSERT {_key: TO_STRING(i), n: i} INTO c RETURN NEW.n"),
        json!([3, 4])
    );
    assert_eq!(bench.rows("RETURN LENGTH(c)"), json!([4]));
}

#[test]
fn an_insert_of_a_known_key_does_what_its_mode_says() {
    let bench = items();
    let insert = |mode: &str| {
        format!("INSERT {{_key: '1', m: 1}} INTO c OPTIONS {{{mode}}} RETURN [OLD.n, NEW.n, NEW.m]")
    };
    assert_eq!(bench.error("INSERT {_key: '1'} INTO c").0, 1210);
    assert_eq!(
        bench.rows(&insert("overwriteMode: 'ignore'")),
        json!([[null, null, null]])
    );
    assert_eq!(
        bench.rows(&insert("overwriteMode: 'update'")),
        json!([[1, 1, 1]])
    );
    assert_eq!(
        bench.rows(&insert("overwriteMode: 'replace'")),
        json!([[1, null, 1]])
    );
}

#[test]
fn an_update_merges_and_a_replace_does_not() {
    let bench = items();
    bench.rows("UPDATE '1' WITH {o: {b: 2}} IN c");
    bench.rows("FOR d IN c FILTER d.n == 2 REPLACE d WITH {m: d.n} IN c");
    assert_eq!(
        all(&bench),
        json!([{"_key": "1", "n": 1, "o": {"a": 1, "b": 2}}, {"_key": "2", "m": 2}])
    );
    bench.rows("UPDATE {_key: '1', o: {c: 3}, n: null} IN c OPTIONS {mergeObjects: false, keepNull: false}");
    assert_eq!(all(&bench)[0], json!({"_key": "1", "o": {"c": 3}}));
}

#[test]
fn a_remove_gives_the_old_document() {
    let bench = items();
    assert_eq!(
        bench.rows("FOR d IN c REMOVE d IN c RETURN OLD.n"),
        json!([1, 2])
    );
    assert_eq!(all(&bench), json!([]));
}

#[test]
fn an_upsert_sees_what_it_has_written() {
    let bench = items();
    assert_eq!(
        bench.rows("FOR k IN ['x', 'x', 'y'] UPSERT {k} INSERT {k, n: 1} UPDATE {n: OLD.n + 1} IN c RETURN [OLD.n, NEW.n]"),
        json!([[null, 1], [1, 2], [null, 1]])
    );
    assert_eq!(
        bench.rows("UPSERT {o: {a: 1}} INSERT {} REPLACE {found: OLD._key} IN c RETURN NEW.found"),
        json!(["1"])
    );
    assert_eq!(
        bench.rows("UPSERT FILTER CURRENT.n == 2 INSERT {} UPDATE {m: 1} IN c RETURN NEW._key"),
        json!(["2"])
    );
}

#[test]
fn a_loop_does_not_see_what_its_query_writes() {
    let bench = items();
    assert_eq!(
        bench.rows("FOR i IN 1..2 FOR d IN c UPDATE d WITH {n: d.n + 10} IN c RETURN NEW.n"),
        json!([11, 12, 11, 12])
    );
    bench.rows("FOR d IN c INSERT {n: d.n} INTO c");
    assert_eq!(bench.rows("RETURN LENGTH(c)"), json!([4]));
}

#[test]
fn every_row_is_written_even_where_a_limit_follows() {
    let bench = items();
    assert_eq!(
        bench.rows("FOR d IN c REMOVE d IN c LIMIT 1 RETURN OLD.n"),
        json!([1])
    );
    assert_eq!(all(&bench), json!([]));
    bench.rows("INSERT {_key: 'x'} INTO c FILTER false RETURN NEW");
    assert_eq!(bench.rows("RETURN LENGTH(c)"), json!([1]));
}

#[test]
fn ignored_errors_are_counted() {
    let bench = items();
    let outcome = bench
        .run(
            "FOR k IN ['1', 'none'] REMOVE k IN c OPTIONS {ignoreErrors: true}",
            Json::Null,
            QueryOptions::default(),
        )
        .expect("no error");
    assert_eq!(
        (outcome.stats.writes_executed, outcome.stats.writes_ignored),
        (1, 1)
    );
    assert!(outcome.is_modification);
}

#[test]
fn a_query_that_fails_leaves_nothing_behind() {
    let bench = items();
    let (number, message) = bench.error("FOR k IN ['1', 'none'] REMOVE k IN c");
    assert_eq!(number, 1202);
    assert!(
        message.starts_with("AQL: document not found [node #"),
        "{message}"
    );
    assert_eq!(bench.rows("RETURN LENGTH(c)"), json!([2]));
}

#[test]
fn the_message_of_a_failed_write_names_its_node() {
    let bench = items();
    assert_eq!(
        bench.error("REMOVE 'foo' IN c").1,
        "AQL: document not found [node #3: RemoveNode] (while executing)"
    );
}

#[test]
fn a_collection_cannot_be_read_or_written_after_it_was_written() {
    let bench = items();
    bench.collection("d", json!([]));
    for query in [
        "FOR d IN c REMOVE d IN c FOR e IN c RETURN e",
        "INSERT {} INTO c INSERT {} INTO c",
        "LET x = (INSERT {} INTO c) RETURN LENGTH(c)",
        "INSERT {} INTO c LET n = NEW RETURN DOCUMENT('d/1')",
    ] {
        assert_eq!(bench.error(query).0, 1579, "{query}");
    }
    bench.rows("LET x = (FOR i IN c INSERT {n: i.n} INTO d) REMOVE '1' IN c");
    assert_eq!(bench.rows("RETURN [LENGTH(c), LENGTH(d)]"), json!([[1, 2]]));
}
