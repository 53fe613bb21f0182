//! The bookshop, made from tables by a fixed sequence of numbers: the same documents on every run and machine.

mod books;
mod customers;
mod sales;
mod sequence;
mod tables;

use super::{CollectionData, DataSet, GraphData, IndexData, ViewData};
use crate::storage::CollectionKind;
use crate::value::{Object, Value};
use sequence::Sequence;

pub(super) fn bookshop() -> DataSet {
    let mut numbers = Sequence::new(20_230_105);
    let authors = books::authors();
    let (mut books, wrote) = books::books(&mut numbers);
    let customers = customers::customers(&mut numbers);
    let sales = sales::sales(&mut numbers, &books, &customers);
    books::rate(&mut books, &sales.reviewed);
    DataSet {
        collections: vec![
            documents("authors", authors),
            documents(
                "books",
                books.into_iter().map(|book| book.document).collect(),
            ),
            documents("branches", customers::branches()),
            documents(
                "customers",
                customers
                    .into_iter()
                    .map(|customer| customer.document)
                    .collect(),
            ),
            documents("orders", sales.orders),
            edges("wrote", wrote),
            edges(
                "reviewed",
                sales
                    .reviewed
                    .into_iter()
                    .map(|review| review.document)
                    .collect(),
            ),
            edges("recommended", sales.recommended),
        ],
        indexes: vec![
            index("books", "persistent", "isbn", true),
            index("books", "persistent", "genre", false),
            index("customers", "persistent", "email", true),
            index("orders", "persistent", "customer", false),
            index("orders", "persistent", "placedAt", false),
            index("branches", "geo", "location", false),
        ],
        graphs: vec![GraphData {
            name: "bookshop".to_owned(),
            definition: object([
                (
                    "edgeDefinitions",
                    list([
                        edge("wrote", "authors", "books"),
                        edge("reviewed", "customers", "books"),
                        edge("recommended", "customers", "customers"),
                    ]),
                ),
                ("orphanCollections", list([])),
            ]),
        }],
        views: vec![catalogue()],
    }
}

fn documents(name: &str, documents: Vec<Object>) -> CollectionData {
    let documents = documents.into_iter().map(Value::object).collect();
    CollectionData {
        name: name.to_owned(),
        kind: CollectionKind::Document,
        documents,
    }
}

fn edges(name: &str, edges: Vec<Object>) -> CollectionData {
    CollectionData {
        kind: CollectionKind::Edge,
        ..documents(name, edges)
    }
}

fn object<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::object(entries.into_iter().collect())
}

fn list<const N: usize>(items: [Value; N]) -> Value {
    Value::array(items.to_vec())
}

fn texts(items: &[&str]) -> Value {
    Value::array(items.iter().copied().map(Value::from).collect())
}

/// Cents as an amount of money.
fn money(cents: i64) -> Value {
    Value::from_f64_narrow(cents as f64 / 100.0)
}

fn index(collection: &str, kind: &str, field: &str, unique: bool) -> IndexData {
    let mut definition = Object::from_iter([
        ("type", Value::from(kind)),
        ("name", Value::from(format!("by_{field}"))),
        ("fields", texts(&[field])),
    ]);
    match kind {
        "geo" => definition.insert("geoJson", Value::Bool(true)),
        _ => definition.insert("unique", Value::Bool(unique)),
    };
    IndexData {
        collection: collection.to_owned(),
        definition: Value::object(definition),
    }
}

fn edge(collection: &str, from: &str, to: &str) -> Value {
    object([
        ("collection", Value::from(collection)),
        ("from", texts(&[from])),
        ("to", texts(&[to])),
    ])
}

fn catalogue() -> ViewData {
    let english = || object([("analyzers", texts(&["text_en"]))]);
    let plain = || object([("analyzers", texts(&["identity"]))]);
    let books = object([(
        "fields",
        object([
            ("title", english()),
            ("blurb", english()),
            ("genre", plain()),
        ]),
    )]);
    let authors = object([(
        "fields",
        object([("name", english()), ("latinName", english())]),
    )]);
    ViewData {
        name: "catalogue".to_owned(),
        kind: "arangosearch".to_owned(),
        properties: object([("links", object([("books", books), ("authors", authors)]))]),
    }
}
