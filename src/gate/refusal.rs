//! Why the gate refused a query, and whether another query could do better.

use crate::ask::Notice;

/// Which of the gate's rules a query broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// It writes.
    Writes,
    /// It reads or calls what the policy or the tables do not allow.
    Policy,
    /// It is no AQL.
    Syntax,
    /// Names, bind variables or literals are wrong.
    Invalid,
    /// The server refused it.
    Database,
    /// Its execution plan is not shown to only read.
    Plan,
}

/// A refused query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Which rule it broke.
    pub kind: RefusalKind,
    /// A stable code, and a sentence that says what to do.
    pub notice: Notice,
    /// Whether another query could do better, so that it is worth telling the model.
    pub repairable: bool,
    /// Whether that is worth one try only: a limit of time or memory.
    pub once: bool,
}

impl Refusal {
    /// A refusal that another query may avoid.
    pub(crate) fn repairable(kind: RefusalKind, code: &str, message: String) -> Box<Refusal> {
        Box::new(Refusal {
            kind,
            notice: Notice::new(code, message),
            repairable: true,
            once: false,
        })
    }
}
