//! A small world for the gate's own tests.

use super::names::Names;

/// A schema and a policy, as lists.
pub(crate) struct World {
    pub(crate) collections: Vec<&'static str>,
    pub(crate) views: Vec<&'static str>,
    pub(crate) denied: Vec<&'static str>,
}

impl World {
    /// A shop, of which the salaries may not be read.
    pub(crate) fn shop() -> World {
        World {
            collections: vec!["users", "orders", "update", "order-lines", "bought"],
            views: vec!["products_view"],
            denied: vec!["salaries"],
        }
    }
}

impl Names for World {
    fn allows(&self, collection: &str) -> bool {
        !collection.is_empty()
            && !collection.starts_with('_')
            && !collection.bytes().all(|byte| byte.is_ascii_digit())
            && !self.denied.contains(&collection)
    }

    fn is_collection(&self, name: &str) -> bool {
        self.collections.contains(&name)
    }

    fn refuses_unknown(&self) -> bool {
        true
    }

    fn is_view(&self, name: &str) -> bool {
        self.views.contains(&name)
    }

    fn near(&self, name: &str) -> Vec<String> {
        let known = self.collections.iter().chain(&self.views).copied();
        let found = crate::settings::nearest(name, known, 3);
        found.into_iter().map(String::from).collect()
    }

    fn readable(&self) -> Vec<String> {
        self.collections
            .iter()
            .map(|name| (*name).to_owned())
            .collect()
    }
}
