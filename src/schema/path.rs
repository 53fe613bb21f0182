//! Paths and types as text: as AQL would write them.

use core::fmt::Write as _;
use std::borrow::Cow;

use super::{Field, Step};

/// A name as AQL writes it, on one line and readable in one direction.
///
/// Control characters and marks that turn the reading direction are written as escapes, which AQL reads back as the same
/// name: a name from the database cannot begin a line of its own in a prompt.
pub fn quote_name(name: &str) -> String {
    let mut text = String::with_capacity(name.len().saturating_add(2));
    write_name(name, &mut text);
    text
}

/// Appends [`quote_name`].
pub(super) fn write_name(name: &str, text: &mut String) {
    match aql_syntax::quote_name(name) {
        // A bare name is made of ASCII letters, digits and `_`.
        Cow::Borrowed(name) => text.push_str(name),
        Cow::Owned(quoted) => {
            for character in quoted.chars() {
                if crate::arango::is_plain(character) {
                    text.push(character);
                } else {
                    // All of them stand in the first plane.
                    let _ = write!(text, "\\u{:04x}", u32::from(character));
                }
            }
        }
    }
}

/// A path as AQL writes it after a document's variable: `address.city`, `` `first name` ``, `items[*].sku`.
///
/// Names are quoted where AQL needs it, so that a name with a dot in it is not taken for two.
pub fn path_text(path: &[Step]) -> String {
    let mut text = String::new();
    write_path(path, &mut text);
    text
}

/// Appends [`path_text`].
pub(super) fn write_path(path: &[Step], text: &mut String) {
    for (place, step) in path.iter().enumerate() {
        match step {
            Step::Each => text.push_str("[*]"),
            Step::Name(name) => {
                if place > 0 {
                    text.push('.');
                }
                write_name(name, text);
            }
        }
    }
}

impl Field {
    /// How many names the path holds.
    pub fn depth(&self) -> usize {
        self.path
            .iter()
            .filter(|step| matches!(step, Step::Name(_)))
            .count()
    }

    /// Whether it is one of the attributes that the server itself keeps in every document or edge.
    pub fn is_system(&self) -> bool {
        match self.path.as_ref() {
            [Step::Name(name)] => matches!(
                name.as_ref(),
                "_key" | "_id" | "_rev" | "_from" | "_to" | "_oldRev"
            ),
            _ => false,
        }
    }
}
