//! The schema's tests.

mod fields;
mod reflect;
mod text;
mod tool;
mod wire;

use super::{Collection, Field, Schema, Step, Type};

/// A path written as names and `0`s.
pub(super) fn path(steps: &[&str]) -> Box<[Step]> {
    steps
        .iter()
        .map(|step| match *step {
            "[*]" => Step::Each,
            name => Step::Name(name.into()),
        })
        .collect()
}

pub(super) fn field(steps: &[&str], types: &[Type]) -> Field {
    Field {
        path: path(steps),
        types: types.iter().copied().collect(),
    }
}

/// A schema of these collections, sorted.
pub(super) fn schema(mut collections: Vec<Collection>) -> Schema {
    collections.sort_by(|one, other| one.name.cmp(&other.name));
    Schema {
        database: "shop".into(),
        collections,
        ..Schema::default()
    }
}

pub(super) fn collection(name: &str, count: u64, fields: Vec<Field>) -> Collection {
    Collection {
        name: name.into(),
        count: Some(count),
        fields,
        indexes: Some(Vec::new()),
        ..Collection::default()
    }
}
