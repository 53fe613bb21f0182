//! Why the gate refused a query, and whether another query could do better.

use crate::arango::DatabaseError;
use crate::ask::{Error, ErrorKind, Notice};

/// Which of the gate's rules a query broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// It writes.
    Writes,
    /// It reads, calls or costs what the policy and the tables do not allow.
    Policy,
    /// It is no AQL.
    Syntax,
    /// Names, bind variables or sizes are wrong.
    Invalid,
    /// The server refused to plan it.
    Database,
    /// It passed, and the server failed it while it ran.
    Failed,
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
    /// The server's own error, where there is one.
    pub database: Option<DatabaseError>,
}

impl Refusal {
    /// The query reaches a collection that the policy hides, by a way that its text does not show. The name is not told.
    pub(crate) fn hidden_collection() -> Box<Refusal> {
        Refusal::repairable(
            RefusalKind::Policy,
            "policy-collection",
            "the query reaches a collection that it may not read; use only the collections of the schema".into(),
        )
    }

    /// A refusal that another query may avoid.
    pub(crate) fn repairable(kind: RefusalKind, code: &str, message: String) -> Box<Refusal> {
        Box::new(Refusal {
            kind,
            notice: Notice::new(code, message),
            repairable: true,
            once: false,
            database: None,
        })
    }

    /// The error that a caller sees where no other query follows.
    ///
    /// | rule broken | kind |
    /// |---|---|
    /// | writes, policy, plan | `query-refused` |
    /// | syntax, names, and what the server says of the query itself while planning | `query-invalid` |
    /// | any other error of the server's, and every one while the query ran | that error's own |
    pub fn to_error(&self) -> Box<Error> {
        let own = self.database.as_ref().map(DatabaseError::to_error);
        let kind = match (self.kind, &own) {
            (RefusalKind::Writes | RefusalKind::Policy | RefusalKind::Plan, _) => {
                ErrorKind::QueryRefused
            }
            (RefusalKind::Failed, Some(own)) => own.kind,
            (RefusalKind::Database, Some(own)) if !self.repairable || self.once => own.kind,
            _ => ErrorKind::QueryInvalid,
        };
        let mut error = Error::new(kind, self.notice.code.clone(), self.notice.message.clone());
        error.retryable = own.is_some_and(|own| own.retryable);
        error
    }
}
