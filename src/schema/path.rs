//! Paths and types as text: as AQL would write them.

use aql_syntax::quote_name;

use super::{Field, Step};

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
