//! The queries that are running, to list them and to stop them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::reply::fields;
use super::transactions::Owner;
use crate::error::{ArangoError, number};
use crate::value::{Object, Value};

#[derive(Debug)]
struct Query {
    database: String,
    user: String,
    text: String,
    bind_vars: Object,
    begun: Instant,
    kill: Arc<AtomicBool>,
}

/// The running queries of a server.
#[derive(Debug, Default)]
pub(crate) struct Queries {
    last: AtomicU64,
    running: Mutex<BTreeMap<u64, Query>>,
}

/// A running query. Dropping it takes it off the list.
#[derive(Debug)]
pub(crate) struct Registered<'a> {
    home: &'a Queries,
    id: u64,
}

impl Drop for Registered<'_> {
    fn drop(&mut self) {
        self.home.running().remove(&self.id);
    }
}

impl Queries {
    /// Puts a query on the list; `kill` is the flag that stops it.
    pub(crate) fn register(
        &self,
        owner: Owner<'_>,
        text: &str,
        bind_vars: &Object,
        kill: Arc<AtomicBool>,
    ) -> Registered<'_> {
        let id = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        let query = Query {
            database: owner.database.to_owned(),
            user: owner.user.to_owned(),
            text: text.to_owned(),
            bind_vars: bind_vars.clone(),
            begun: Instant::now(),
            kill,
        };
        self.running().insert(id, query);
        Registered { home: self, id }
    }

    /// Stops a query of a database.
    ///
    /// # Errors
    /// 404/1591 for an unknown one.
    pub(crate) fn kill(&self, id: u64, database: &str) -> Result<(), ArangoError> {
        match self
            .running()
            .get(&id)
            .filter(|query| query.database == database)
        {
            Some(query) => {
                query.kill.store(true, Ordering::Relaxed);
                Ok(())
            }
            None => Err(ArangoError::new(
                number::QUERY_NOT_FOUND,
                "query ID not found in query list",
            )),
        }
    }

    /// Stops all queries.
    pub(crate) fn kill_all(&self) {
        for query in self.running().values() {
            query.kill.store(true, Ordering::Relaxed);
        }
    }

    /// The list for a database, the oldest first.
    pub(crate) fn list(&self, database: &str) -> Value {
        let running = self.running();
        let of_database = running
            .iter()
            .filter(|(_, query)| query.database == database);
        Value::array(
            of_database
                .map(|(id, query)| describe(*id, query))
                .collect(),
        )
    }

    fn running(&self) -> MutexGuard<'_, BTreeMap<u64, Query>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn describe(id: u64, query: &Query) -> Value {
    Value::object(fields([
        ("id", Value::from(id.to_string())),
        ("database", Value::string(&query.database)),
        ("user", Value::string(&query.user)),
        ("query", Value::string(&query.text)),
        ("bindVars", Value::object(query.bind_vars.clone())),
        (
            "runTime",
            Value::from_f64(query.begun.elapsed().as_secs_f64()),
        ),
        ("state", Value::string("executing")),
        ("stream", Value::Bool(false)),
    ]))
}
