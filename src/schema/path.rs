//! Paths and types as text: as AQL would write them.

use core::fmt::Write as _;

use super::{Field, Step};

/// A name as AQL writes it, on one line and readable in one direction.
///
/// Control characters and marks that turn the reading direction are written as escapes, which AQL reads back as the same
/// name: a name from the database cannot begin a line of its own in a prompt.
pub fn quote_name(name: &str) -> String {
    let quoted = aql_syntax::quote_name(name);
    let mut text = String::with_capacity(quoted.len());
    for character in quoted.chars() {
        if crate::arango::is_plain(character) {
            text.push(character);
        } else {
            // All of them stand in the first plane.
            let _ = write!(text, "\\u{:04x}", u32::from(character));
        }
    }
    text
}

/// A path as AQL writes it after a document's variable: `address.city`, `` `first name` ``, `items[*].sku`.
///
/// Names are quoted where AQL needs it, so that a name with a dot in it is not taken for two.
pub fn path_text(path: &[Step]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            Step::Each => text.push_str("[*]"),
            Step::Name(name) => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(&quote_name(name));
            }
        }
    }
    text
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
