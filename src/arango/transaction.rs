//! The read-only transaction: what the engine itself refuses to write in.
//!
//! A stream transaction is begun with the collections that a query reads, no collection to write, and `allowImplicit`
//! false: a write is refused with error 1652, and so is a read of a collection that was not declared. It is never
//! committed. It is aborted on every way out of [`Client::in_transaction`]; there is no other way to have one.

use crate::ask::{Error, ErrorKind, Notice, Result};
use crate::gate::ReadQuery;

use super::client::{Call, foreign, misshapen, parse};
use super::cursor::is_id;
use super::paths::Route;
use super::{Client, DatabaseError, Rows, Runnable, body};

impl Client<'_> {
    /// Runs a query that passed the gate, in a transaction that can only read what the query declares.
    ///
    /// # Errors
    ///
    /// Outside: the exchange broke, or the answer is not ArangoDB's; `internal` with the code `wrote` where the server's
    /// statistics say that the query wrote. Inside: the server refused the query.
    pub fn read(
        &self,
        query: &ReadQuery,
        limit: u32,
    ) -> Result<core::result::Result<Rows, DatabaseError>> {
        let declared: Vec<&str> = query.collections().iter().map(String::as_str).collect();
        let run = self.in_transaction(&declared, |transaction| {
            self.run(Runnable::Read(query), Some(transaction), limit)
        })?;
        let (mut rows, unreleased) = match run {
            Ok((Ok(rows), unreleased)) => (rows, unreleased),
            Ok((Err(error), _)) | Err(error) => return Ok(Err(error)),
        };
        if rows.writes_executed > 0 || rows.writes_ignored > 0 {
            return Err(Error::new(
                ErrorKind::Internal,
                "wrote",
                format!(
                    "the database counted {} writes and {} ignored writes in a query that was shown to read only; its transaction was not committed; report this query",
                    rows.writes_executed, rows.writes_ignored
                ),
            ));
        }
        rows.warnings.extend(unreleased);
        Ok(Ok(rows))
    }

    /// Does work inside a read-only transaction, and aborts the transaction whatever the work returns. A failure to abort
    /// is a warning beside the result, never in its place.
    pub(super) fn in_transaction<T>(
        &self,
        read: &[&str],
        work: impl FnOnce(&str) -> Result<T>,
    ) -> Result<core::result::Result<(T, Option<Notice>), DatabaseError>> {
        let begin = Call {
            body: Some(body::transaction(read)),
            ..Call::short(Route::BeginTransaction)
        };
        let reply = match self.send(begin)? {
            Ok(reply) => reply,
            Err(error) => return Ok(Err(error)),
        };
        let begun = parse(Route::BeginTransaction, &reply)?;
        let id = begun
            .get("result")
            .and_then(|result| result.text_of("id"))
            .ok_or_else(|| misshapen(Route::BeginTransaction))?;
        if !is_id(&id) {
            return Err(foreign(Route::BeginTransaction, "its identifier is none"));
        }
        let outcome = work(&id);
        let unreleased = self.abort(&id);
        Ok(Ok((outcome?, unreleased)))
    }

    fn abort(&self, id: &str) -> Option<Notice> {
        let why = match self.send(Call::short(Route::AbortTransaction(id))) {
            Ok(Ok(_)) => return None,
            // Aborted already, or gone.
            Ok(Err(error)) if matches!(error.number, Some(1654 | 1655)) => return None,
            Ok(Err(error)) => error.to_error().message,
            Err(error) => error.message,
        };
        Some(Notice::new(
            "transaction-not-released",
            format!(
                "the transaction could not be released, and stays open until the server drops it: {why}"
            ),
        ))
    }
}
