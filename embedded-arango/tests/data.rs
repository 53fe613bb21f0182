//! The demonstration data keeps its promises, and a data file is loaded whole or refused with its fault.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use embedded_arango::data::{DataSet, Source};
use embedded_arango::engine::catalog::Catalog as _;
use embedded_arango::engine::{self, Control, QueryOptions, Request, Session};
use embedded_arango::storage::{Access, CollectionKind, Store, Txn, User};
use embedded_arango::value::{Object, Value};

fn documents(set: &DataSet, name: &str) -> Vec<Value> {
    let collection = set
        .collections
        .iter()
        .find(|collection| collection.name == name)
        .unwrap();
    collection.documents.clone()
}

fn text(value: &Value, name: &str) -> String {
    value
        .get(name)
        .as_str()
        .unwrap_or_else(|| panic!("{name} of {value}"))
        .to_owned()
}

#[test]
fn the_bookshop_has_as_many_documents_as_its_page_says() {
    let set = DataSet::demo();
    for (name, count) in [
        ("books", 150),
        ("authors", 48),
        ("customers", 100),
        ("branches", 8),
        ("orders", 480),
    ] {
        assert_eq!(documents(&set, name).len(), count, "{name}");
    }
    for name in ["wrote", "reviewed", "recommended"] {
        assert!(
            documents(&set, name).len() > 100,
            "{name}: {}",
            documents(&set, name).len()
        );
    }
    let all: usize = set
        .collections
        .iter()
        .map(|collection| collection.documents.len())
        .sum();
    assert!((300..=2_000).contains(&all), "{all}");
}

#[test]
fn the_bookshop_is_the_same_on_every_run() {
    let text = |set: DataSet| {
        set.collections
            .iter()
            .flat_map(|c| c.documents.iter().map(Value::to_json_text))
            .collect::<String>()
    };
    assert_eq!(text(DataSet::demo()), text(DataSet::demo()));
}

#[test]
fn every_reference_in_the_bookshop_leads_to_a_document() {
    let set = DataSet::demo();
    let ids: BTreeSet<String> = set
        .collections
        .iter()
        .flat_map(|c| {
            c.documents
                .iter()
                .map(move |document| format!("{}/{}", c.name, text(document, "_key")))
        })
        .collect();
    let mut checked = 0;
    let mut check = |id: &Value| {
        assert!(ids.contains(id.as_str().unwrap()), "{id}");
        checked += 1;
    };
    for collection in set
        .collections
        .iter()
        .filter(|collection| collection.kind == CollectionKind::Edge)
    {
        for edge in &collection.documents {
            check(&edge.get("_from"));
            check(&edge.get("_to"));
        }
    }
    for edge in documents(&set, "recommended") {
        check(&edge.get("book"));
        assert_ne!(edge.get("_from"), edge.get("_to"));
    }
    for order in documents(&set, "orders") {
        check(&order.get("customer"));
        if text(&order, "channel") == "branch" {
            check(&order.get("branch"));
        }
        order
            .get("items")
            .as_array()
            .unwrap()
            .iter()
            .for_each(|item| check(&item.get("book")));
    }
    assert!(checked > 2_000, "{checked}");
}

#[test]
fn orders_add_up_and_come_after_their_customer_joined() {
    let set = DataSet::demo();
    let joined: BTreeMap<String, String> = documents(&set, "customers")
        .iter()
        .map(|c| (format!("customers/{}", text(c, "_key")), text(c, "joined")))
        .collect();
    let cents = |value: Value| (value.as_f64().unwrap() * 100.0).round() as i64;
    for order in documents(&set, "orders") {
        let items = order.get("items");
        let goods: i64 = items
            .as_array()
            .unwrap()
            .iter()
            .map(|item| cents(item.get("unitPrice")) * item.get("quantity").as_i64().unwrap())
            .sum();
        let off = order.get("coupon").get("percent").as_i64().unwrap_or(0);
        let shipping = order.get("shipping").get("cost");
        let shipping = if shipping.is_null() {
            0
        } else {
            cents(shipping)
        };
        assert_eq!(
            cents(order.get("total")),
            goods + shipping - goods * off / 100,
            "{order}"
        );
        assert!(joined[&text(&order, "customer")] <= text(&order, "placedAt"));
    }
}

#[test]
fn recommendations_lead_to_orders_and_reviews_follow_them() {
    let set = DataSet::demo();
    let mut bought: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for order in documents(&set, "orders") {
        for item in order.get("items").as_array().unwrap() {
            let pair = (text(&order, "customer"), text(item, "book"));
            bought
                .entry(pair)
                .or_default()
                .push(text(&order, "placedAt"));
        }
    }
    for edge in documents(&set, "recommended") {
        let (from, to, book, on) = (
            text(&edge, "_from"),
            text(&edge, "_to"),
            text(&edge, "book"),
            text(&edge, "on"),
        );
        assert!(
            bought[&(to, book.clone())].iter().any(|when| *when > on),
            "{edge}"
        );
        assert!(
            bought[&(from, book)].iter().any(|when| when[..10] <= *on),
            "{edge}"
        );
    }
    for edge in documents(&set, "reviewed") {
        let pair = (text(&edge, "_from"), text(&edge, "_to"));
        assert!(
            bought[&pair].iter().any(|when| *when < text(&edge, "on")),
            "{edge}"
        );
    }
}

#[test]
fn the_questions_that_the_bookshop_is_for_have_clear_answers() {
    let set = DataSet::demo();
    let mut spent: BTreeMap<String, i64> = BTreeMap::new();
    let mut pairs: BTreeMap<(String, String), i64> = BTreeMap::new();
    for order in documents(&set, "orders") {
        if text(&order, "placedAt").starts_with("2025") {
            *spent.entry(text(&order, "customer")).or_default() +=
                (order.get("total").as_f64().unwrap() * 100.0).round() as i64;
        }
        let books: Vec<String> = order
            .get("items")
            .as_array()
            .unwrap()
            .iter()
            .map(|item| text(item, "book"))
            .collect();
        for left in &books {
            for right in books.iter().filter(|right| *right > left) {
                *pairs.entry((left.clone(), right.clone())).or_default() += 1;
            }
        }
    }
    let mut sums: Vec<i64> = spent.into_values().collect();
    sums.sort_unstable_by(|left, right| right.cmp(left));
    assert!(
        sums.windows(2).take(5).all(|pair| pair[0] > pair[1]),
        "the five who spent most in 2025 are clear: {sums:?}"
    );
    assert!(
        pairs.values().max() >= Some(&4),
        "some books are bought together often: {:?}",
        pairs.values().max()
    );
    let missing = |name: &str, field: &str| {
        documents(&set, name)
            .iter()
            .filter(|d| d.get(field).is_null())
            .count()
    };
    for (name, field) in [
        ("books", "rating"),
        ("books", "pages"),
        ("customers", "birthYear"),
        ("authors", "born"),
        ("orders", "coupon"),
    ] {
        let count = missing(name, field);
        assert!(
            count > 0 && count < documents(&set, name).len(),
            "{count} of {name} have no {field}"
        );
    }
    let titles: BTreeSet<String> = documents(&set, "books")
        .iter()
        .map(|book| text(book, "title"))
        .collect();
    assert_eq!(titles.len(), 150, "titles are different");
}

#[test]
fn the_bookshop_loads_with_its_indexes_graph_and_view() {
    let store = Arc::new(Store::new());
    DataSet::demo().fill("bookshop")(&store).unwrap();
    let database = store.database("bookshop").unwrap();
    let snapshot = database.snapshot();
    assert_eq!(snapshot.collection("books").unwrap().count(), 150);
    assert_eq!(snapshot.collection("orders").unwrap().indexes().count(), 3);
    let graph = snapshot.graph("bookshop").unwrap();
    assert_eq!(
        graph
            .edges
            .iter()
            .map(|edge| edge.collection.as_str())
            .collect::<Vec<_>>(),
        ["wrote", "reviewed", "recommended"]
    );
    assert!(snapshot.view("catalogue").is_some());
}

/// The rows of a query on the bookshop.
fn ask(query: &str) -> Vec<Value> {
    let store = Arc::new(Store::new());
    DataSet::demo().fill("bookshop")(&store).unwrap();
    let database = store.database("bookshop").unwrap();
    let user = Arc::new(User::superuser("root", ""));
    let request = Request {
        query: query.to_owned(),
        bind_vars: Object::new(),
        options: QueryOptions::default(),
    };
    let session = Session {
        user: None,
        database: "bookshop".to_owned(),
        version: "3.12.10".to_owned(),
        now_millis: 0,
    };
    // Evaluation recurses; a test's thread has a small stack.
    std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(move || {
            let mut txn = Txn::begin(&database, Access::query(true), &user).unwrap();
            let control = Control::new(&request.options);
            engine::run(&mut txn, &request, &control, &session)
                .unwrap()
                .rows
        })
        .unwrap()
        .join()
        .unwrap()
}

#[test]
fn the_bookshop_answers_questions_in_aql() {
    let spenders = ask(r#"FOR o IN orders FILTER DATE_YEAR(o.placedAt) == 2025
             COLLECT customer = o.customer AGGREGATE spent = SUM(o.total)
             SORT spent DESC LIMIT 5
             RETURN { name: DOCUMENT(customer).name, spent: ROUND(spent * 100) / 100 }"#);
    assert_eq!(spenders.len(), 5);
    assert!(
        spenders.iter().all(|row| !row.get("name").is_null()),
        "{spenders:?}"
    );
    let together = ask(
        r#"FOR o IN orders FOR a IN o.items FOR b IN o.items FILTER a.book < b.book
             COLLECT first = a.book, second = b.book WITH COUNT INTO times
             SORT times DESC LIMIT 1 RETURN times"#,
    );
    assert!(together[0] >= Value::Int(4), "{together:?}");
    let told = ask(
        r#"FOR c IN customers SORT LENGTH(FOR r IN recommended FILTER r._to == c._id RETURN 1) DESC LIMIT 1
             FOR friend, edge IN 1..1 INBOUND c GRAPH "bookshop" OPTIONS { edgeCollections: "recommended" }
               RETURN { friend: friend.name, book: DOCUMENT(edge.book).title }"#,
    );
    assert!(told.len() > 2, "{told:?}");
    let near = ask(
        "FOR b IN branches FILTER GEO_DISTANCE([10, 54], b.location) < 400000 SORT b.city RETURN b.city",
    );
    assert_eq!(near, [Value::from("Hamburg"), Value::from("København")]);
}

#[test]
fn the_source_is_a_word_or_a_path() {
    assert_eq!(Source::parse("demo"), Source::Demo);
    assert_eq!(Source::parse("empty"), Source::Empty);
    assert_eq!(Source::parse("./demo"), Source::File("./demo".into()));
    assert_eq!(Source::parse("empty").read().unwrap().collections.len(), 0);
}

#[test]
fn a_fault_is_named_with_its_place() {
    for (text, message) in [
        (
            "[1",
            "data set: is not JSON: EOF while parsing a list at line 1 column 2",
        ),
        ("[]", "data set: must be a JSON object, not an array"),
        (
            r#"{"collection": []}"#,
            "data set, at `collection`: is unknown; a data set has `name`, `source`, `collections`, `indexes`, `graphs`, `views`",
        ),
        (
            r#"{"collections": 1}"#,
            "data set, at `collections`: must be an array, not a number",
        ),
        (
            r#"{"collections": [{}]}"#,
            "data set, at `collections[0]`: has no `name`",
        ),
        (
            r#"{"collections": [{"name": "a", "type": 4}]}"#,
            "data set, at `collections[0].type`: must be 2 (`document`) or 3 (`edge`), not `4`",
        ),
        (
            r#"{"collections": [{"name": "a"}, {"name": "a"}]}"#,
            "data set, at `collections[1].name`: `a` is the name of two collections",
        ),
        (
            r#"{"collections": [{"name": "a", "docs": [{}, 7]}]}"#,
            "data set, at `collections[0].docs[1]`: must be an object, not a number",
        ),
        (
            r#"{"collections": [{"name": "a", "docs": [{"_key": "x"}, {"_key": "x"}]}]}"#,
            "data set, at `collections[0].docs[1]._key`: `x` is already the key of `docs[0]`",
        ),
        (
            r#"{"collections": [{"name": "e", "type": 3, "docs": [{"_from": "a/1"}]}]}"#,
            "data set, at `collections[0].docs[0]`: has no `_to`",
        ),
        (
            r#"{"collections": [{"name": "e", "type": 3, "docs": [{"_from": "a/1", "_to": "b"}]}]}"#,
            "data set, at `collections[0].docs[0]._to`: `b` is no document's id; write `collection/key`",
        ),
        (
            r#"{"collections": [{"name": "a"}], "indexes": [{"collection": "b", "type": "persistent"}]}"#,
            "data set, at `indexes[0].collection`: there is no collection `b` in this data set; it has `a`",
        ),
        (
            r#"{"collections": [{"name": "a"}], "graphs": [{"name": "g", "edgeDefinitions": [{"collection": "a", "from": [], "to": []}]}]}"#,
            "data set, at `graphs[0].edgeDefinitions[0].collection`: `a` holds documents; an edge definition needs edges (type 3)",
        ),
        (
            r#"{"views": [{"name": "v", "type": "search"}]}"#,
            "data set, at `views[0].type`: must be `arangosearch` or `search-alias`, not `search`",
        ),
    ] {
        assert_eq!(
            DataSet::parse(text).unwrap_err().to_string(),
            message,
            "{text}"
        );
    }
}

#[test]
fn a_fault_of_a_file_names_the_file() {
    let missing = DataSet::read_file(Path::new("no/such/file.json"))
        .unwrap_err()
        .to_string();
    assert!(
        missing.starts_with("data file `no/such/file.json`: cannot be read: "),
        "{missing}"
    );
}

#[test]
fn what_the_database_refuses_says_what_was_being_loaded() {
    for (text, message) in [
        (r#"{"collections": [{"name": "1a"}]}"#, "collection `1a`: "),
        (
            r#"{"collections": [{"name": "a", "docs": [{"_key": "x y"}]}]}"#,
            "document 0 of collection `a`: ",
        ),
        (
            r#"{"collections": [{"name": "a", "docs": [{"u": 1}, {"u": 1}]}],
                "indexes": [{"collection": "a", "type": "persistent", "fields": ["u"], "unique": true}]}"#,
            "of collection `a`: ",
        ),
    ] {
        let store = Arc::new(Store::new());
        let error = DataSet::parse(text).unwrap().fill("_system")(&store).unwrap_err();
        assert!(error.message.contains(message), "{}", error.message);
    }
}

#[test]
fn the_data_sets_of_the_recordings_load() {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../shared/arangodb/datasets"
    );
    let Ok(files) = std::fs::read_dir(folder) else {
        println!("skipped: no data sets beside the repository");
        return;
    };
    let mut loaded = 0;
    for file in files {
        let path = file.unwrap().path();
        let store = Arc::new(Store::new());
        let set = DataSet::read_file(&path).unwrap();
        set.fill("recorded")(&store).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        loaded += 1;
    }
    assert!(loaded > 5);
}
