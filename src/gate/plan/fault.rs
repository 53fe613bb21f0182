//! Why a plan is refused.

use crate::arango::clean_to;
use crate::ask::Notice;

/// Why a plan is refused. Each case names what it stands on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PlanFault {
    /// The response is larger than is read, in bytes.
    TooLarge(usize),
    /// The response is not JSON, or nests beyond the bound; the byte where it shows.
    NotJson(usize),
    /// A member is missing, doubled, or of another form than the server writes; its name.
    Shape(&'static str),
    /// The server counts the query as a modification, or a node or an access writes; what does.
    Writes(String),
    /// A node whose type is on no list; its type.
    Node(String),
    /// An expression of a kind that is on no list; its kind.
    Expression(String),
    /// A call of a function that a plan may not hold; its name.
    Function(String),
}

impl PlanFault {
    /// What is told to a person, a program and the model.
    pub(crate) fn notice(&self) -> Notice {
        let (code, message) = match self {
            PlanFault::TooLarge(bytes) => (
                "plan-size",
                format!(
                    "the execution plan has {bytes} bytes, more than is read; ask for a simpler query"
                ),
            ),
            PlanFault::NotJson(at) => (
                "plan-shape",
                format!(
                    "the server's answer to EXPLAIN is not the JSON of a plan (byte {at}), so nothing shows that the query only reads"
                ),
            ),
            PlanFault::Shape(member) => (
                "plan-shape",
                format!(
                    "the server's answer to EXPLAIN has no sound `{member}`, so nothing shows that the query only reads"
                ),
            ),
            PlanFault::Writes(what) => (
                "writes",
                format!("the execution plan writes ({what}); only queries that read are run"),
            ),
            PlanFault::Node(name) => (
                "plan-node",
                format!(
                    "the execution plan has a step `{name}` that is not known to only read; write the query in another way"
                ),
            ),
            PlanFault::Expression(name) => (
                "plan-expression",
                format!(
                    "the execution plan has an expression `{name}` that is not known to only read; write the query in another way"
                ),
            ),
            PlanFault::Function(name) => (
                "plan-function",
                format!(
                    "the execution plan calls `{name}`, which may not be called; write the query without it"
                ),
            ),
        };
        Notice::new(code, message)
    }

    /// Whether another query could do better. A server whose answers cannot be read will not.
    pub(crate) fn repairable(&self) -> bool {
        match self {
            PlanFault::NotJson(_) | PlanFault::Shape(_) | PlanFault::Writes(_) => false,
            PlanFault::TooLarge(_)
            | PlanFault::Node(_)
            | PlanFault::Expression(_)
            | PlanFault::Function(_) => true,
        }
    }
}

/// A name from the server as it may stand in a message.
pub(super) fn shown(name: &str) -> String {
    clean_to(name, 80)
}
