//! The schema as a prompt has it.

use super::super::{
    Collection, CollectionKind, EdgeDefinition, Graph, Index, IndexField, Schema, Type, View,
    ViewField, ViewLink,
};
use super::{collection, field, path, schema};

fn shop() -> Schema {
    let index = |fields: &[&str], kind: &str, unique: bool| Index {
        name: "idx".into(),
        kind: kind.into(),
        fields: fields
            .iter()
            .map(|path| IndexField {
                path: (*path).into(),
                analyzer: None,
            })
            .collect(),
        unique,
        ..Index::default()
    };
    let mut orders = collection(
        "orders",
        1_200,
        vec![
            field(&["_key"], &[Type::String]),
            field(&["address"], &[Type::Object]),
            field(&["address", "city"], &[Type::Null, Type::String]),
            field(&["filter"], &[Type::Bool]),
            field(&["items"], &[Type::Array]),
            field(&["items", "[*]"], &[Type::Object]),
            field(&["items", "[*]", "sku no"], &[Type::String]),
            field(&["items", "[*]", "tax", "rate"], &[Type::Double]),
        ],
    );
    orders.indexes = Some(vec![
        index(&["address.city"], "persistent", true),
        Index {
            options: vec![("expireAfter".into(), "60".into())],
            ..index(&["at"], "ttl", false)
        },
    ]);
    let mut bought = collection("bought by", 7, Vec::new());
    bought.kind = CollectionKind::Edge;
    bought.indexes = Some(vec![index(&["_from", "_to"], "edge", false)]);
    let mut schema = schema(vec![orders, bought, collection("leer", 0, Vec::new())]);
    schema.graphs = vec![Graph {
        name: "sales".into(),
        edges: vec![EdgeDefinition {
            collection: "bought by".into(),
            from: vec!["orders".into()],
            to: vec!["leer".into(), "orders".into()],
        }],
        orphans: vec!["leer".into()],
    }];
    schema.views = vec![View {
        name: "search".into(),
        kind: "arangosearch".into(),
        links: vec![ViewLink {
            collection: "orders".into(),
            fields: vec![ViewField {
                path: path(&["address", "city"]),
                analyzers: vec!["text_en".into()],
            }],
            analyzers: vec!["identity".into()],
            all_fields: true,
            index: None,
        }],
    }];
    schema
}

const HEAD: &str = "Every document has the text attributes _key and _id (collection/key); an edge also has _from and _to, which hold the _id of the documents it joins.\n";

#[test]
fn the_whole_schema_reads_like_this() {
    let told = shop().text(10_000, "");
    assert_eq!(told.cut, None);
    assert_eq!(
        told.text,
        format!(
            "{HEAD}Collection `bought by` (edge, 7 documents)
Collection leer (document, 0 documents)
Collection orders (document, 1200 documents)
  address: object
  address.city: null|string
  `filter`: bool
  items: array
  items[*]: object
  items[*].`sku no`: string
  items[*].tax.rate: double
  indexed: address.city (persistent, unique); at (ttl, expireAfter 60)
Named graphs:
  Graph sales
    (orders) -[`bought by`]-> (leer, orders)
    without edges: leer
Views:
  View search (arangosearch)
    searches orders: address.city with text_en, every attribute with identity
"
        )
    );
}

#[test]
fn a_search_alias_view_tells_what_its_index_covers() {
    let mut schema = shop();
    schema.collections[2].indexes = Some(vec![Index {
        name: "inv".into(),
        kind: "inverted".into(),
        fields: vec![IndexField {
            path: "title".into(),
            analyzer: Some("text_de".into()),
        }],
        ..Index::default()
    }]);
    schema.views[0].kind = "search-alias".into();
    schema.views[0].links = vec![
        ViewLink {
            collection: "orders".into(),
            index: Some("inv".into()),
            ..ViewLink::default()
        },
        ViewLink {
            collection: "leer".into(),
            index: Some("unread".into()),
            ..ViewLink::default()
        },
    ];
    let text = schema.text(10_000, "").text;
    assert!(
        text.ends_with(
            "  View search (search-alias)\n    searches orders: title with text_de (inverted)\n    searches leer: index unread\n"
        ),
        "{text}"
    );
}

#[test]
fn a_smaller_budget_gives_up_depth_before_names_and_says_so() {
    let schema = shop();
    let full = schema.text(10_000, "").text.len();
    let mut last = full;
    let mut seen_shallow = false;
    for budget in (60..=u32::try_from(full / 4).expect("small")).rev() {
        let told = schema.text(budget, "");
        assert!(told.text.len() <= (budget * 4) as usize, "{budget}");
        assert!(told.text.len() <= last, "{budget}");
        last = told.text.len();
        if told.text.len() < full {
            assert_eq!(
                told.cut.as_ref().map(|cut| cut.code.as_str()),
                Some("schema-cut")
            );
        }
        seen_shallow |= told.text.contains("items[*].`sku no`") && !told.text.contains("tax.rate");
        assert_eq!(schema.text(budget, ""), told, "the same twice");
    }
    assert!(seen_shallow);
}

fn many(count: usize) -> Schema {
    schema(
        (0..count)
            .map(|number| {
                collection(
                    &format!("table_{number:03}"),
                    number as u64,
                    (0..10)
                        .map(|at| field(&[&format!("column_{at}")], &[Type::Int]))
                        .collect(),
                )
            })
            .collect::<Vec<Collection>>(),
    )
}

#[test]
fn where_not_all_fits_what_the_question_names_comes_first_and_the_rest_by_size() {
    let mut schema = many(200);
    let at = schema
        .collections
        .iter()
        .position(|item| item.name.as_ref() == "table_007");
    schema.collections[at.expect("there")].name = "invoices".into();
    schema
        .collections
        .sort_by(|one, other| one.name.cmp(&other.name));
    let told = schema.text(3_000, "Which invoice is the oldest?");
    assert!(told.text.len() <= 12_000);
    let first = told.text.lines().nth(1);
    assert_eq!(first, Some("Collection invoices (document, 7 documents)"));
    assert!(
        told.text
            .contains("Collection invoices (document, 7 documents)\n  column_0: int\n")
    );
    assert!(
        told.text
            .contains("Collection table_199 (document, 199 documents)\n  column_0: int\n")
    );
    // The small ones are named, without attributes.
    assert!(
        told.text
            .contains("Collection table_000 (document, 0 documents)\n")
    );
    let cut = told.cut.expect("cut");
    assert!(
        cut.message
            .ends_with("by name alone, to keep within `schema_budget_tokens` (3000)"),
        "{}",
        cut.message
    );
}

#[test]
fn a_budget_that_does_not_hold_the_names_is_still_kept() {
    let schema = many(2_000);
    let told = schema.text(1_000, "");
    assert!(told.text.len() <= 4_000, "{}", told.text.len());
    assert!(
        told.text.contains("Collection table_1999"),
        "the largest first"
    );
    assert!(
        told.cut
            .expect("cut")
            .message
            .starts_with("0 of 2000 collections were told with their attributes, ")
    );
}

#[test]
fn names_that_would_break_the_line_do_not() {
    let mut schema = schema(vec![collection(
        "a\u{202e}",
        1,
        vec![field(&["x\ny"], &[Type::Int])],
    )]);
    schema.collections[0].indexes = Some(vec![Index {
        kind: "persi\nstent".into(),
        fields: vec![IndexField {
            path: "x\ny".into(),
            analyzer: None,
        }],
        ..Index::default()
    }]);
    let text = schema.text(1_000, "").text;
    assert_eq!(
        text,
        format!(
            "{HEAD}Collection `a\\u202e` (document, 1 documents)\n  `x\\u000ay`: int\n  indexed: x y (persi stent)\n"
        )
    );
    aql_syntax::parse(r"FOR d IN `a\u202e` RETURN d.`x\u000ay`").expect("valid AQL");
}
