//! What the gate asks about names: the policy, and the schema as the policy lets it be seen.

/// The names of a database, under a policy.
pub(crate) trait Names {
    /// Whether the policy allows reading this collection, known or not.
    fn allows(&self, collection: &str) -> bool;
    /// Whether this is a collection of the schema.
    fn is_collection(&self, name: &str) -> bool;
    /// Whether this is a view of the schema.
    fn is_view(&self, name: &str) -> bool;
    /// Names of the schema near to this one, only such as the policy lets be seen.
    fn near(&self, name: &str) -> Vec<String>;
    /// Whether a name that the schema does not hold is refused before the server is asked.
    fn refuses_unknown(&self) -> bool;
    /// Every collection of the schema that may be read.
    fn readable(&self) -> Vec<String>;
}

/// The collection that a name of the plan's counts as: the parts of a smart edge collection, `_local_X`, `_from_X` and
/// `_to_X`, count as `X`.
pub(crate) fn logical(name: &str) -> &str {
    ["_local_", "_from_", "_to_"]
        .into_iter()
        .find_map(|prefix| name.strip_prefix(prefix))
        .filter(|rest| !rest.is_empty())
        .unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::logical;

    #[test]
    fn parts_of_a_smart_edge_collection_count_as_the_collection() {
        for (name, collection) in [
            ("_local_e", "e"),
            ("_from_e", "e"),
            ("_to_e", "e"),
            ("_users", "_users"),
            ("_to_", "_to_"),
            ("e", "e"),
        ] {
            assert_eq!(logical(name), collection);
        }
        assert_eq!(logical("_from__users"), "_users");
    }
}
