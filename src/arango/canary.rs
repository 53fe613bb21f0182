//! Whether the server refuses what a read-only transaction must not do.
//!
//! Once, at `configure`, in a transaction that declares nothing: a read of a collection must be refused with error 1652, and
//! so must a query that would remove documents, and a look-up of a single document. The second runs over an empty list: were
//! it let through, it would remove nothing. The third names a document that nobody has: were it let through, it would find
//! none.

use crate::ask::{Notice, Result};

use super::{Client, DatabaseError, OwnQuery, Runnable};
use crate::json;

/// What the server did with something that it should refuse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It refused.
    Refuses,
    /// It did not: the transaction is no barrier here.
    DoesNotRefuse,
    /// It could not be told, for this reason.
    Unknown(String),
}

/// The verdicts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canary {
    /// On a read of a collection that the transaction does not declare.
    pub undeclared_reads: Verdict,
    /// On a write.
    pub writes: Verdict,
}

/// The key of no document.
const NO_DOCUMENT: &str = "querent-canary";

/// The number of "unregistered collection used in transaction".
const UNREGISTERED: u32 = 1652;

impl Canary {
    /// Verdicts that could not be found.
    pub fn unknown(why: &str) -> Canary {
        Canary {
            undeclared_reads: Verdict::Unknown(why.into()),
            writes: Verdict::Unknown(why.into()),
        }
    }

    /// What an operator should know of them.
    pub fn warnings(&self) -> Vec<Notice> {
        let mut warnings = Vec::new();
        let mut warn = |what: &str, code: &str, verdict: &Verdict| {
            match verdict {
            Verdict::Refuses => {}
            Verdict::DoesNotRefuse => warnings.push(Notice::new(
                code,
                format!("the server does not refuse {what} in a read-only transaction; what holds is the plan's check and the database user's rights"),
            )),
            Verdict::Unknown(why) => warnings.push(Notice::new(
                code,
                format!("whether the server refuses {what} in a read-only transaction is not known: {why}"),
            )),
        }
        };
        warn("writes", "canary-writes", &self.writes);
        warn(
            "reads of undeclared collections",
            "canary-reads",
            &self.undeclared_reads,
        );
        warnings
    }
}

impl Client<'_> {
    /// Tries the server. `collection` is one that the user may read.
    ///
    /// # Errors
    ///
    /// The exchange broke, or an answer is not ArangoDB's. A server's error is a verdict.
    pub fn canary(&self, collection: &str) -> Result<Canary> {
        let mut read = OwnQuery::new("FOR d IN ");
        read.collection(collection);
        read.text(" LIMIT 1 RETURN 1");
        let mut write = OwnQuery::new("FOR d IN [] REMOVE d IN ");
        write.collection(collection);
        // A cluster's coordinator may read a single document past the transaction that refuses the scan (before 3.12.10.1).
        let mut lookup = OwnQuery::new("RETURN DOCUMENT(");
        lookup.value(&json::quote(&format!("{collection}/{NO_DOCUMENT}")));
        lookup.text(")");

        let tried = self.in_transaction(&[], |transaction| {
            let told = |query| self.told(query, transaction);
            Ok([told(&read)?, told(&write)?, told(&lookup)?])
        })?;
        let [scan, writes, lookups] = match tried {
            Ok((errors, _)) => errors,
            Err(error) => return Ok(Canary::unknown(&error.to_error().message)),
        };
        // A server may end a transaction when it refuses something in it. What came after is then tried in one of its own.
        let again = |query, error: Option<DatabaseError>| match error {
            Some(error) if matches!(error.number, Some(1653..=1655)) => self.tried_alone(query),
            error => Ok(error),
        };
        let scan = verdict(again(&read, scan)?, false);
        let writes = verdict(again(&write, writes)?, true);
        let lookups = verdict(again(&lookup, lookups)?, false);
        Ok(Canary {
            undeclared_reads: weaker(scan, lookups),
            writes,
        })
    }

    /// What the server says to a query; `None` where it runs it.
    fn told(&self, query: &OwnQuery, transaction: &str) -> Result<Option<DatabaseError>> {
        Ok(self.run(Runnable::Own(query), Some(transaction), 1)?.err())
    }

    /// The same, in a transaction of its own.
    fn tried_alone(&self, query: &OwnQuery) -> Result<Option<DatabaseError>> {
        let tried = self.in_transaction(&[], |transaction| self.told(query, transaction))?;
        Ok(match tried {
            Ok((error, _)) => error,
            Err(error) => Some(error),
        })
    }
}

/// The barrier is as strong as its weaker half.
fn weaker(one: Verdict, other: Verdict) -> Verdict {
    match (one, other) {
        (Verdict::DoesNotRefuse, _) | (_, Verdict::DoesNotRefuse) => Verdict::DoesNotRefuse,
        (unknown @ Verdict::Unknown(_), _) | (Verdict::Refuses, unknown) => unknown,
    }
}

/// A missing permission refuses a write as surely as the transaction does. Of a read it says nothing about transactions.
fn verdict(error: Option<DatabaseError>, permission_counts: bool) -> Verdict {
    match error {
        None => Verdict::DoesNotRefuse,
        Some(error) if error.number == Some(UNREGISTERED) => Verdict::Refuses,
        Some(error) if permission_counts && error.is_forbidden() => Verdict::Refuses,
        Some(error) => Verdict::Unknown(error.to_error().message),
    }
}
