//! The store itself, without HTTP.

use std::sync::Arc;

use embedded_arango::storage::{
    Access, Bound, CollectionKind, CollectionOptions, Database, Direction, IndexRange, Mode,
    OverwriteMode, Store, Txn, User, WriteOptions,
};
use embedded_arango::value::Value;

fn json(text: &str) -> Value {
    Value::from_json_text(text).expect("JSON")
}

/// A database with the document collection `c` and the edge collection `e`, and a user who may do everything.
fn database() -> (Arc<Database>, Arc<User>) {
    let store = Store::new();
    let database = store.database("_system").expect("there from the start");
    for (name, kind) in [("c", CollectionKind::Document), ("e", CollectionKind::Edge)] {
        database
            .create_collection(name, CollectionOptions::of(kind))
            .expect("a free name");
    }
    (database, Arc::new(User::superuser("root", "")))
}

fn writer(database: &Arc<Database>, user: &Arc<User>) -> Txn {
    let mut txn = Txn::begin(database, Access::query(true), user).expect("nothing declared");
    for name in ["c", "e"] {
        txn.open(name, Mode::Write).expect("a collection");
    }
    txn
}

fn insert(txn: &mut Txn, document: &str) {
    txn.insert("c", &json(document), &WriteOptions::default())
        .expect("fine");
}

fn keys(documents: impl IntoIterator<Item = Value>) -> Vec<String> {
    documents
        .into_iter()
        .map(|document| document.get("_key").to_text())
        .collect()
}

#[test]
fn a_scan_follows_the_order_of_writing_and_not_its_changes() {
    let (database, user) = database();
    let mut txn = writer(&database, &user);
    for key in ["b", "a", "c"] {
        insert(&mut txn, &format!("{{\"_key\":\"{key}\"}}"));
    }
    let scan = txn.scan("c");
    txn.update("c", "b", &json("{\"v\":1}"), &WriteOptions::default())
        .expect("there");
    txn.remove("c", "a", None).expect("there");
    assert_eq!(keys(scan), ["b", "a", "c"]);
    assert_eq!(
        keys(txn.scan("c")),
        ["c", "b"],
        "a changed document goes to the end"
    );
}

#[test]
fn a_savepoint_takes_back_what_came_after_it() {
    let (database, user) = database();
    let mut txn = writer(&database, &user);
    insert(&mut txn, "{\"_key\":\"a\"}");
    let savepoint = txn.savepoint();
    insert(&mut txn, "{\"_key\":\"b\"}");
    txn.remove("c", "a", None).expect("there");
    txn.roll_back_to(savepoint);
    assert_eq!(keys(txn.scan("c")), ["a"]);
    txn.commit().expect("no conflict");
    assert_eq!(
        database.snapshot().collection("c").map(|c| c.count()),
        Some(1)
    );
}

#[test]
fn a_dropped_transaction_leaves_no_trace() {
    let (database, user) = database();
    let before = database.digest();
    let mut txn = writer(&database, &user);
    insert(&mut txn, "{\"_key\":\"a\"}");
    assert_eq!(txn.count("c"), 1);
    drop(txn);
    assert_eq!(database.digest(), before);
}

#[test]
fn a_range_of_an_index_comes_in_its_order() {
    let (database, user) = database();
    database
        .ensure_index(
            "c",
            &json("{\"type\":\"persistent\",\"fields\":[\"g\",\"n\"]}"),
        )
        .expect("an index");
    let mut txn = writer(&database, &user);
    for (key, g, n) in [
        ("1", 1, 5),
        ("2", 1, 3),
        ("3", 2, 1),
        ("4", 1, 9),
        ("5", 1, 4),
    ] {
        insert(
            &mut txn,
            &format!("{{\"_key\":\"{key}\",\"g\":{g},\"n\":{n}}}"),
        );
    }
    let index = txn
        .indexes("c")
        .last()
        .map(|index| index.id)
        .expect("the index");
    let find = |txn: &Txn, range: IndexRange| {
        keys(txn.lookup("c", index, &range).expect("an ordered index"))
    };
    assert_eq!(
        find(&txn, IndexRange::equal(vec![Value::Int(1)])),
        ["2", "5", "1", "4"]
    );
    let within = IndexRange {
        lower: Bound::Exclusive(Value::Int(3)),
        upper: Bound::Inclusive(Value::Int(5)),
        ..IndexRange::equal(vec![Value::Int(1)])
    };
    assert_eq!(find(&txn, within.clone()), ["5", "1"]);
    assert_eq!(
        find(
            &txn,
            IndexRange {
                descending: true,
                ..within
            }
        ),
        ["1", "5"]
    );
    txn.update("c", "5", &json("{\"g\":2}"), &WriteOptions::default())
        .expect("there");
    assert_eq!(
        find(&txn, IndexRange::equal(vec![Value::Int(2)])),
        ["3", "5"]
    );
    assert_eq!(find(&txn, IndexRange::equal(vec![Value::Int(7)])), [""; 0]);
    assert!(
        txn.lookup("c", 0, &IndexRange::equal(vec![])).is_none(),
        "the primary index is none of these"
    );
}

#[test]
fn an_index_on_elements_finds_each_document_once() {
    let (database, user) = database();
    database
        .ensure_index(
            "c",
            &json("{\"type\":\"persistent\",\"fields\":[\"tags[*]\"]}"),
        )
        .expect("an index");
    let mut txn = writer(&database, &user);
    insert(&mut txn, "{\"_key\":\"1\",\"tags\":[\"x\",\"y\",\"x\"]}");
    insert(&mut txn, "{\"_key\":\"2\",\"tags\":\"x\"}");
    let index = txn
        .indexes("c")
        .last()
        .map(|index| index.id)
        .expect("the index");
    let found = txn
        .lookup("c", index, &IndexRange::equal(vec![Value::string("x")]))
        .expect("an ordered index");
    assert_eq!(keys(found), ["1"]);
    assert_eq!(
        keys(
            txn.lookup("c", index, &IndexRange::equal(vec![]))
                .expect("an ordered index")
        ),
        ["1"]
    );
}

#[test]
fn a_sparse_unique_index_lets_many_lack_the_field() {
    let (database, user) = database();
    let body = "{\"type\":\"persistent\",\"fields\":[\"v\"],\"unique\":true,\"sparse\":true}";
    database.ensure_index("c", &json(body)).expect("an index");
    let mut txn = writer(&database, &user);
    insert(&mut txn, "{\"_key\":\"1\"}");
    insert(&mut txn, "{\"_key\":\"2\",\"v\":null}");
    insert(&mut txn, "{\"_key\":\"3\",\"v\":1}");
    let refused = txn
        .insert("c", &json("{\"v\":1.0}"), &WriteOptions::default())
        .unwrap_err();
    assert_eq!(refused.number, 1210, "1 and 1.0 are one value");
    assert_eq!(txn.count("c"), 3);
}

#[test]
fn edges_follow_their_ends_when_these_change() {
    let (database, user) = database();
    let mut txn = writer(&database, &user);
    let options = WriteOptions::default();
    txn.insert(
        "e",
        &json("{\"_key\":\"1\",\"_from\":\"c/a\",\"_to\":\"c/b\"}"),
        &options,
    )
    .expect("fine");
    txn.update("e", "1", &json("{\"_to\":\"c/z\"}"), &options)
        .expect("there");
    assert_eq!(keys(txn.edges_of("e", "c/b", Direction::Inbound)), [""; 0]);
    assert_eq!(keys(txn.edges_of("e", "c/z", Direction::Any)), ["1"]);
    assert_eq!(
        txn.replace("e", "1", &json("{\"x\":1}"), &options)
            .unwrap_err()
            .number,
        1233
    );
    txn.remove("e", "1", None).expect("there");
    assert_eq!(keys(txn.edges_of("e", "c/a", Direction::Any)), [""; 0]);
}

#[test]
fn two_inserts_of_one_unique_value_cannot_both_commit() {
    let (database, user) = database();
    database
        .ensure_index(
            "c",
            &json("{\"type\":\"persistent\",\"fields\":[\"v\"],\"unique\":true}"),
        )
        .expect("an index");
    let (mut first, mut second) = (writer(&database, &user), writer(&database, &user));
    insert(&mut first, "{\"_key\":\"1\",\"v\":7}");
    insert(&mut second, "{\"_key\":\"2\",\"v\":7}");
    first.commit().expect("the first");
    assert_eq!(second.commit().unwrap_err().number, 1210);
    assert_eq!(
        database.snapshot().collection("c").map(|c| c.count()),
        Some(1)
    );
}

#[test]
fn an_overwriting_insert_counts_as_the_change_that_it_is() {
    let (database, user) = database();
    let mut txn = writer(&database, &user);
    insert(&mut txn, "{\"_key\":\"1\",\"a\":1}");
    let with = |overwrite| WriteOptions {
        overwrite,
        ..WriteOptions::default()
    };
    let document = json("{\"_key\":\"1\",\"b\":2}");
    let ignored = txn
        .insert("c", &document, &with(OverwriteMode::Ignore))
        .expect("fine");
    assert!(ignored.ignored && ignored.new == ignored.old);
    let merged = txn
        .insert("c", &document, &with(OverwriteMode::Update))
        .expect("fine");
    assert_eq!(
        merged.new.map(|new| (new.get("a"), new.get("b"))),
        Some((Value::Int(1), Value::Int(2)))
    );
    let replaced = txn
        .insert("c", &document, &with(OverwriteMode::Replace))
        .expect("fine");
    assert_eq!(replaced.new.map(|new| new.get("a")), Some(Value::Null));
}

#[test]
fn a_collection_is_found_by_its_number_too() {
    let (database, user) = database();
    let id = database
        .snapshot()
        .collection("c")
        .map(|c| c.meta().id.to_string())
        .expect("there");
    let mut txn = Txn::begin(&database, Access::query(true), &user).expect("nothing declared");
    txn.open(&id, Mode::Write).expect("by number");
    txn.insert(&id, &json("{}"), &WriteOptions::default())
        .expect("by number");
    assert_eq!(txn.count("c"), 1);
}

#[test]
fn what_is_read_while_running_has_to_be_allowed() {
    let (database, user) = database();
    let mut closed = Txn::begin(&database, Access::query(false), &user).expect("nothing declared");
    closed.open("c", Mode::Read).expect("declared");
    assert!(closed.open_at_runtime("c").is_ok());
    assert_eq!(closed.open_at_runtime("e").unwrap_err().number, 1652);
    assert_eq!(closed.open_at_runtime("none").unwrap_err().number, 1203);
    let mut open = Txn::begin(&database, Access::query(true), &user).expect("nothing declared");
    assert!(open.open_at_runtime("e").is_ok());
    assert_eq!(
        open.insert("e", &json("{}"), &WriteOptions::default())
            .unwrap_err()
            .number,
        1652,
        "read only"
    );
}

#[test]
fn a_document_that_somebody_else_changed_since_is_not_written() {
    let (database, user) = database();
    let mut before = writer(&database, &user);
    insert(&mut before, "{\"_key\":\"1\",\"v\":1}");
    insert(&mut before, "{\"_key\":\"2\",\"v\":1}");
    before.commit().expect("no conflict");
    let mut late = writer(&database, &user);
    let mut first = writer(&database, &user);
    let options = WriteOptions::default();
    first
        .update("c", "1", &json("{\"v\":2}"), &options)
        .expect("there");
    first.commit().expect("no conflict");
    let refused = late
        .update("c", "1", &json("{\"v\":3}"), &options)
        .unwrap_err();
    assert_eq!(
        (refused.number, refused.message.as_str()),
        (1200, "write-write conflict; key: 1")
    );
    assert_eq!(late.remove("c", "1", None).unwrap_err().number, 1200);
    late.update("c", "2", &json("{\"v\":3}"), &options)
        .expect("nobody else changed it");
    late.commit().expect("only its own change");
    let values = |key: &str| {
        database
            .snapshot()
            .collection("c")
            .and_then(|c| c.get(key))
            .map(|d| d.get("v"))
    };
    assert_eq!(
        (values("1"), values("2")),
        (Some(Value::Int(2)), Some(Value::Int(3)))
    );
}
