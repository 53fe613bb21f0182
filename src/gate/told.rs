//! What is told of an error of the server's: its own words, what to do, and nothing that the policy hides.

use aql_syntax::quote_name;

use super::names::Names;
use super::refusal::{Refusal, RefusalKind};
use crate::arango::{DatabaseError, Repair};
use crate::ask::Notice;
use crate::find::split_once;

/// The refusal that an error of the server's amounts to, while planning or while running.
pub(crate) fn refusal(error: DatabaseError, names: &dyn Names) -> Box<Refusal> {
    if hides(&error, names) {
        return Refusal::hidden_collection();
    }
    let repair = error.repair();
    let told = error.to_error();
    let mut notice = Notice::new(told.code, told.message);
    if let Some(hint) = hint(&error, names) {
        notice.message.push_str("; ");
        notice.message.push_str(&hint);
    }
    Box::new(Refusal {
        kind: RefusalKind::Database,
        notice,
        repairable: repair != Repair::No,
        once: repair == Repair::Once,
        database: Some(error),
    })
}

/// Whether the message names a collection that the policy hides: a query can reach one through stored values. What is not
/// known to be visible counts as hidden, a message of another form among it.
fn hides(error: &DatabaseError, names: &dyn Names) -> bool {
    let named = match error.number {
        Some(1652) => after(&error.message, "transaction: "),
        Some(1521) => quoted(&error.message),
        _ => return false,
    };
    named.is_none_or(|name| !names.allows(name) || !names.is_collection(name))
}

/// What to do, for the errors that models make most.
fn hint(error: &DatabaseError, names: &dyn Names) -> Option<String> {
    match error.number? {
        1203 => {
            let name = after(&error.message, "not found: ")?;
            let mut near = names.near(name);
            near.retain(|near| near != name);
            nearest(&near)
        }
        1521 | 1652 => Some("name every collection that it reaches in a leading WITH".into()),
        1550..=1553 if names.refuses_unknown() => {
            Some("write values as literals, without bind parameters".into())
        }
        1550..=1553 => Some("bind exactly the parameters that the query uses".into()),
        1554 | 1555 => Some("sort by exactly one APPROX_NEAR function on an attribute with a vector index, and LIMIT".into()),
        1924 => Some("use a graph of the schema, or its edge collections".into()),
        _ => None,
    }
}

/// The sentence that names what may have been meant, as AQL writes names.
pub(super) fn nearest(names: &[String]) -> Option<String> {
    let mut sentence = String::from("the nearest names are ");
    for (at, name) in names.iter().enumerate() {
        if at > 0 {
            sentence.push_str(", ");
        }
        sentence.push_str(&quote_name(name));
    }
    (!names.is_empty()).then_some(sentence)
}

/// The word after a mark.
fn after<'m>(message: &'m str, mark: &str) -> Option<&'m str> {
    let (_, rest) = split_once(message, mark)?;
    rest.split([' ', ','])
        .next()
        .filter(|word| !word.is_empty())
}

/// The word in single quotes.
fn quoted(message: &str) -> Option<&str> {
    let (_, rest) = message.split_once('\'')?;
    rest.split_once('\'').map(|(word, _)| word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::testing::World;

    fn told(number: u32, message: &str) -> Box<Refusal> {
        let error = DatabaseError {
            retry_after_ms: None,
            status: 400,
            number: Some(number),
            message: message.into(),
        };
        refusal(error, &World::shop())
    }

    #[test]
    fn an_unknown_collection_brings_the_nearest_names() {
        for message in [
            "collection or view not found: user",
            "AQL: collection or view not found: user (while parsing)",
        ] {
            let refusal = told(1203, message);
            assert_eq!(
                (refusal.notice.code.as_str(), refusal.repairable),
                ("arango-1203", true)
            );
            assert!(
                refusal
                    .notice
                    .message
                    .ends_with("the nearest names are users"),
                "{}",
                refusal.notice.message
            );
        }
    }

    #[test]
    fn a_hidden_collection_is_not_named() {
        for (number, message) in [
            (
                1652,
                "unregistered collection used in transaction: salaries [read]",
            ),
            (
                1652,
                "AQL: unregistered collection used in transaction: salaries [read] [node #2: CalculationNode] (while executing)",
            ),
            (1652, "salaries: unregistered"),
            (
                1521,
                "collection not known to traversal: 'salaries'. please add 'WITH salaries' as the first line",
            ),
        ] {
            let refusal = told(number, message);
            assert_eq!(
                (refusal.kind, refusal.notice.code.as_str()),
                (RefusalKind::Policy, "policy-collection")
            );
            assert!(
                !refusal.notice.message.contains("salaries"),
                "{}",
                refusal.notice.message
            );
        }
        let seen = told(
            1521,
            "collection not known to traversal: 'users'. please add 'WITH users' as the first line",
        );
        assert!(
            seen.notice.message.contains("'users'")
                && seen.notice.message.ends_with("in a leading WITH")
        );
    }

    #[test]
    fn time_and_memory_are_worth_one_try_and_permissions_none() {
        assert!(told(32, "query would use more memory than allowed").once);
        assert!(told(1500, "query killed").once);
        assert!(!told(1554, "x").once && told(1554, "x").repairable);
        assert!(!told(11, "forbidden").repairable);
    }
}
