//! Running a piece of work in the stream transaction that a request names, or in a transaction of its own.

use crate::error::ArangoError;
use crate::http::request::Call;
use crate::http::transactions::{Lease, Owner};
use crate::storage::{Access, Mode, Txn};

impl Call {
    /// Who sends the request, for things that belong to somebody.
    pub(crate) fn owner(&self) -> Owner<'_> {
        Owner {
            database: self.database.name(),
            user: &self.user.name,
        }
    }

    /// The stream transaction that the request names.
    ///
    /// # Errors
    /// 400/10 for what is no id, and those of leasing.
    pub(crate) fn lease(&self) -> Result<Option<Lease>, ArangoError> {
        match self.number_header::<u64>("x-arango-trx-id") {
            None => Ok(None),
            Some(id) => self.app.transactions.lease(id?, self.owner()).map(Some),
        }
    }

    /// Opens a collection and works in a transaction. What the work wrote is undone where it fails.
    ///
    /// # Errors
    /// Those of opening, of the work and of the commit.
    pub(crate) fn work<T>(
        &self,
        collection: &str,
        mode: Mode,
        work: impl FnOnce(&mut Txn) -> Result<T, ArangoError>,
    ) -> Result<T, ArangoError> {
        self.work_in(|txn| {
            txn.open(collection, mode)?;
            work(txn)
        })
    }

    /// Works in a transaction, opening what it needs itself.
    ///
    /// # Errors
    /// Those of the work and of the commit.
    pub(crate) fn work_in<T>(
        &self,
        work: impl FnOnce(&mut Txn) -> Result<T, ArangoError>,
    ) -> Result<T, ArangoError> {
        match self.lease()? {
            Some(mut lease) => {
                let txn = lease.txn()?;
                let savepoint = txn.savepoint();
                let result = work(txn);
                if result.is_err() {
                    txn.roll_back_to(savepoint);
                }
                result
            }
            None => {
                let mut txn = Txn::begin(&self.database, Access::query(true), &self.user)?;
                let result = work(&mut txn)?;
                txn.commit()?;
                Ok(result)
            }
        }
    }
}
