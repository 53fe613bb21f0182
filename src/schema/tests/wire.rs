//! The kept form of paths and attributes.

use super::super::{Field, Type, Types};
use super::field;
use crate::json::{Value, Writer};

fn written(field: &Field) -> String {
    let mut writer = Writer::default();
    field.write(&mut writer);
    writer.finish()
}

fn read(text: &str) -> Option<Field> {
    Field::read(&Value::parse(text).expect("json"))
}

#[test]
fn an_attribute_is_a_flat_array() {
    let written = written(&field(
        &["items", "[*]", "a.b"],
        &[Type::Null, Type::String],
    ));
    assert_eq!(written, r#"[17,"items",0,"a.b"]"#);
}

#[test]
fn what_is_written_reads_back() {
    for field in [
        field(&[""], &[Type::Object]),
        field(&["a", "[*]", "[*]", "0"], &[Type::Int]),
        field(&["ż\"\\\u{0}"], &[]),
    ] {
        assert_eq!(read(&written(&field)), Some(field));
    }
}

#[test]
fn what_is_no_attribute_is_refused() {
    let long = format!("[1{}]", ",0".repeat(65));
    for text in [
        "[]",
        "[1]",
        "[256,\"a\"]",
        "[1,2]",
        "[1,null]",
        "[1,[]]",
        "{}",
        "1",
        &long,
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn types_have_their_order_and_their_names() {
    let mut types = Types::default();
    assert!(types.is_empty());
    for kind in [Type::Object, Type::Int, Type::Null] {
        types.insert(kind);
        types.insert(kind);
    }
    assert_eq!(types.joined(), "null|int|object");
    assert!(types.contains(Type::Int) && !types.contains(Type::Bool));
    assert_eq!(
        Types::from_bits(255).joined(),
        "null|bool|int|double|string|array|object"
    );
    for kind in Types::from_bits(127).iter() {
        assert_eq!(Type::from_name(kind.name()), Some(kind));
    }
    assert_eq!(Type::from_name("number"), Some(Type::Double));
    assert_eq!(Type::from_name("date"), None);
}
