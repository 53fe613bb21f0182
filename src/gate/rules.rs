//! What the gate judges by: the settings, the schema, and what the canary found.

use super::names::Names;
use crate::arango::canary::Canary;
use crate::schema::Schema;
use crate::settings::Settings;

/// What the gate judges by.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    /// The policy and the limits.
    pub settings: &'a Settings,
    /// The collections and views that there are, as far as the policy lets them be seen.
    pub schema: &'a Schema,
    /// Whether the server's transactions hold what the plan cannot show.
    pub canary: &'a Canary,
    /// Who wrote the query.
    pub author: Author,
}

/// Who wrote a query. Both pass the same gate; they differ in what a name means that the schema does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Author {
    /// A model knows the schema alone: an unknown name is a misspelling, and goes back with the nearest names.
    Model,
    /// A caller may know more than a schema that was reflected a while ago: an unknown name that the policy allows is the
    /// server's to judge, so that a new collection is read and a missing permission is told as one.
    Caller,
}

impl Names for Rules<'_> {
    fn allows(&self, collection: &str) -> bool {
        self.settings.policy.allows(collection)
    }

    fn is_collection(&self, name: &str) -> bool {
        self.schema.collection(name).is_some()
    }

    fn is_view(&self, name: &str) -> bool {
        self.schema.view(name).is_some()
    }

    fn near(&self, name: &str) -> Vec<String> {
        self.schema.nearest(name)
    }

    fn refuses_unknown(&self) -> bool {
        self.author == Author::Model
    }

    fn readable(&self) -> Vec<String> {
        let mut readable = Vec::new();
        for collection in &self.schema.collections {
            if self.allows(&collection.name) {
                readable.push(collection.name.to_string());
            }
        }
        readable
    }
}
