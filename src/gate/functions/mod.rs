//! Which functions a query may call, as data with a reason for each group that it may not.
//!
//! | a call | verdict |
//! |---|---|
//! | a name of [`known::known`], in any case, quoted or not | usable |
//! | a name of [`REFUSED`] | refused, with the group's reason |
//! | `namespace::name` | refused: a user's function can do what its author wrote |
//! | any other name | unknown: refused, with the nearest known names |
//!
//! A plan is held against a table of its own, [`usable_in_plan`]: the optimizer writes calls that a text may not hold.

mod known;

use crate::settings::nearest;
use known::{is_known, known};

/// Functions that are refused for one reason.
pub(crate) struct Group {
    /// The names in upper case.
    pub(crate) names: &'static [&'static str],
    /// Completes the sentence "`NAME` is refused: …".
    pub(crate) reason: &'static str,
}

/// The refused functions.
pub(crate) const REFUSED: &[Group] = &[
    Group {
        names: &["SLEEP"],
        reason: "it only makes the query wait",
    },
    Group {
        names: &["CALL", "APPLY", "V8"],
        reason: "it runs a function that the text does not name, so that nobody can tell beforehand what it does",
    },
    Group {
        names: &[
            "COLLECTIONS",
            "SCHEMA_GET",
            "SCHEMA_VALIDATE",
            "SHARD_ID",
            "CURRENT_USER",
            "CURRENT_DATABASE",
            "VERSION",
            "DECODE_REV",
        ],
        reason: "it tells about the server and not about the data",
    },
    Group {
        names: &["FAIL", "ASSERT", "WARN", "NOOPT", "NOEVAL", "PASSTHRU"],
        reason: "it is for testing the server",
    },
    Group {
        names: &["PREGEL_RESULT"],
        reason: "it reads what no plan names",
    },
    Group {
        names: &[
            "INTERNAL",
            "MAKE_DISTRIBUTE_INPUT",
            "MAKE_DISTRIBUTE_INPUT_WITH_KEY_CREATION",
            "MAKE_DISTRIBUTE_GRAPH_INPUT",
            "SELECT_SMART_DISTRIBUTE_GRAPH_INPUT",
        ],
        reason: "the server keeps it to itself",
    },
];

/// Names that only the optimizer writes. They distribute work in a cluster and read nothing.
const PLAN_ONLY: &[&str] = &[
    "MAKE_DISTRIBUTE_INPUT",
    "MAKE_DISTRIBUTE_INPUT_WITH_KEY_CREATION",
    "MAKE_DISTRIBUTE_GRAPH_INPUT",
    "SELECT_SMART_DISTRIBUTE_GRAPH_INPUT",
];

/// What the table says of a name.
pub(crate) enum Verdict {
    /// It may be called.
    Usable,
    /// It may not, for this reason.
    Refused(&'static str),
    /// No such function is known.
    Unknown,
}

/// What the table says of a name, in whatever case it is written.
pub(crate) fn verdict(name: &str) -> Verdict {
    let name = name.to_ascii_uppercase();
    if let Some(group) = REFUSED
        .iter()
        .find(|group| group.names.contains(&name.as_str()))
    {
        return Verdict::Refused(group.reason);
    }
    if is_known(&name) {
        Verdict::Usable
    } else {
        Verdict::Unknown
    }
}

/// Whether a plan's expression may call this.
pub(crate) fn usable_in_plan(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    PLAN_ONLY.contains(&upper.as_str()) || matches!(verdict(&upper), Verdict::Usable)
}

/// The usable names nearest to one that is unknown.
pub(crate) fn near(name: &str) -> Vec<String> {
    let found = nearest(name, known(), 3);
    found.into_iter().map(String::from).collect()
}

/// What a function reads beside its arguments' values, and where that is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Nothing.
    None,
    /// `DOCUMENT(ids)`, `DOCUMENT(collection, keys)`.
    Documents,
    /// The first argument names a collection, as a text or as a name.
    FirstArgument,
}

/// What a function reads beside its arguments' values.
pub(crate) fn access(name: &str) -> Access {
    match name.to_ascii_uppercase().as_str() {
        "DOCUMENT" => Access::Documents,
        "COLLECTION_COUNT" | "FULLTEXT" | "NEAR" | "WITHIN" | "WITHIN_RECTANGLE" => {
            Access::FirstArgument
        }
        _ => Access::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_disjoint_from_the_refused() {
        let names: Vec<&str> = known().collect();
        assert!(names.len() > 200 && names.windows(2).all(|pair| pair[0] < pair[1]));
        for name in &names {
            assert!(is_known(name), "{name}");
            // Neither a part of a name nor more than one.
            assert!(!is_known(&format!("{name}0")) && !is_known(&format!("{name} ")));
        }
        assert!(!is_known("") && !is_known("A") && !is_known("ABS ACOS") && !is_known("ZZ"));
        for group in REFUSED {
            for name in group.names {
                assert!(!names.contains(name), "{name}");
            }
        }
    }

    #[test]
    fn every_refused_function_is_refused_in_any_case() {
        for name in [
            "SLEEP",
            "CALL",
            "APPLY",
            "V8",
            "COLLECTIONS",
            "SCHEMA_GET",
            "SCHEMA_VALIDATE",
            "SHARD_ID",
            "CURRENT_USER",
            "CURRENT_DATABASE",
            "VERSION",
            "DECODE_REV",
            "FAIL",
            "ASSERT",
            "WARN",
            "NOOPT",
            "NOEVAL",
            "PASSTHRU",
            "PREGEL_RESULT",
            "INTERNAL",
            "MAKE_DISTRIBUTE_INPUT",
        ] {
            assert!(
                matches!(verdict(&name.to_lowercase()), Verdict::Refused(_)),
                "{name}"
            );
        }
    }

    #[test]
    fn daily_functions_are_usable() {
        for name in [
            "date_now",
            "LIKE",
            "REGEX_TEST",
            "GEO_DISTANCE",
            "RAND",
            "LENGTH",
            "DOCUMENT",
            "Collection_Count",
        ] {
            assert!(matches!(verdict(name), Verdict::Usable), "{name}");
        }
    }

    #[test]
    fn a_misspelt_function_brings_its_neighbours() {
        assert!(matches!(verdict("LENGHT"), Verdict::Unknown));
        assert!(near("lenght").contains(&"LENGTH".to_owned()));
    }

    #[test]
    fn a_plan_may_distribute_and_may_not_sleep() {
        assert!(usable_in_plan("MAKE_DISTRIBUTE_INPUT") && usable_in_plan("COLLECTION_COUNT"));
        assert!(
            !usable_in_plan("SLEEP") && !usable_in_plan("INTERNAL") && !usable_in_plan("NS::F")
        );
    }
}
