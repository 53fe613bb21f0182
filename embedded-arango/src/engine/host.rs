//! What functions are given while a query is planned: warnings and a memory limit, and no data.

use std::time::Duration;

use super::catalog::Catalog;
use super::request::Warning;
use crate::error::{ArangoError, number};
use crate::functions::Host;
use crate::value::Value;

/// Who asks, where and when: what `CURRENT_USER()`, `CURRENT_DATABASE()` and the clock answer.
#[derive(Clone, Debug)]
pub struct Session {
    /// The user; absent where authentication is off.
    pub user: Option<String>,
    /// The database.
    pub database: String,
    /// The version that the server reports.
    pub version: String,
    /// Milliseconds since 1970, fixed for the query.
    pub now_millis: i64,
}

/// The host of constants that are folded.
pub(crate) struct PlanningHost<'a> {
    catalog: &'a dyn Catalog,
    session: &'a Session,
    memory_limit: usize,
    charged: usize,
    pub(crate) warnings: Vec<Warning>,
}

impl<'a> PlanningHost<'a> {
    pub(crate) fn new(catalog: &'a dyn Catalog, session: &'a Session, memory_limit: usize) -> Self {
        PlanningHost {
            catalog,
            session,
            memory_limit,
            charged: 0,
            warnings: Vec::new(),
        }
    }
}

/// The error of the memory limit.
pub(crate) fn out_of_memory() -> ArangoError {
    ArangoError::new(
        number::RESOURCE_LIMIT,
        "query would use more memory than allowed",
    )
}

fn reads_data() -> ArangoError {
    ArangoError::internal("a function that reads data cannot run while planning")
}

impl Host for PlanningHost<'_> {
    fn warn(&mut self, number: u16, message: String) -> Result<(), ArangoError> {
        self.warnings.push(Warning {
            code: number,
            message,
        });
        Ok(())
    }

    fn document(&mut self, _: &str) -> Result<Option<Value>, ArangoError> {
        Err(reads_data())
    }

    fn collection_count(&mut self, _: &str) -> Result<i64, ArangoError> {
        Err(reads_data())
    }

    fn collections(&mut self) -> Result<Vec<(String, String)>, ArangoError> {
        Err(reads_data())
    }

    fn schema(&mut self, _: &str) -> Result<Value, ArangoError> {
        Err(reads_data())
    }

    fn analyzer(&mut self, name: &str) -> Result<Option<Value>, ArangoError> {
        Ok(self.catalog.analyzer(name))
    }

    fn evaluate(&mut self, query: &str, parameter: &Value) -> Result<Vec<Value>, ArangoError> {
        super::rows_of(query, "param", parameter)
    }

    fn now_millis(&self) -> i64 {
        self.session.now_millis
    }

    fn user(&self) -> Option<String> {
        self.session.user.clone()
    }

    fn database(&self) -> String {
        self.session.database.clone()
    }

    fn version(&self) -> String {
        self.session.version.clone()
    }

    fn sleep(&mut self, _: Duration) -> Result<(), ArangoError> {
        Err(reads_data())
    }

    fn check_killed(&self) -> Result<(), ArangoError> {
        Ok(())
    }

    fn charge(&mut self, bytes: usize) -> Result<(), ArangoError> {
        self.charged = self.charged.saturating_add(bytes);
        if self.memory_limit > 0 && self.charged > self.memory_limit {
            return Err(out_of_memory());
        }
        Ok(())
    }
}
