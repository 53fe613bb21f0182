//! All databases and users of one server.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use super::clock::Clock;
use super::computed::Compute;
use super::database::Database;
use super::user::User;
use crate::error::{ArangoError, number};

/// The longest name of a database, in bytes.
const MAX_NAME_BYTES: usize = 128;

/// Everything that one server keeps. Shared between requests as `Arc<Store>`.
#[derive(Debug)]
pub struct Store {
    clock: Arc<Clock>,
    compute: Arc<OnceLock<Compute>>,
    databases: RwLock<BTreeMap<String, Arc<Database>>>,
    users: RwLock<BTreeMap<String, Arc<User>>>,
}

impl Default for Store {
    fn default() -> Self {
        Store::new()
    }
}

impl Store {
    /// A store with the database `_system` and no users.
    pub fn new() -> Self {
        let clock = Arc::new(Clock::default());
        let compute = Arc::new(OnceLock::new());
        let system = Arc::new(Database::new(
            1,
            "_system",
            Arc::clone(&clock),
            Arc::clone(&compute),
        ));
        Store {
            clock,
            compute,
            databases: RwLock::new(BTreeMap::from([("_system".to_owned(), system)])),
            users: RwLock::default(),
        }
    }

    /// Says how computed values are evaluated; the first call counts.
    pub fn set_compute(&self, compute: Compute) {
        let _ = self.compute.set(compute);
    }

    /// The source of ids and revisions.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The database with a name.
    ///
    /// # Errors
    /// 404/1228 where there is none.
    pub fn database(&self, name: &str) -> Result<Arc<Database>, ArangoError> {
        let databases = self
            .databases
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        databases.get(name).cloned().ok_or_else(database_not_found)
    }

    /// The names of all databases.
    pub fn database_names(&self) -> Vec<String> {
        self.databases
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .keys()
            .cloned()
            .collect()
    }

    /// Creates a database.
    ///
    /// # Errors
    /// 400/1229 for an illegal name, 409/1207 for one that is taken.
    pub fn create_database(&self, name: &str) -> Result<Arc<Database>, ArangoError> {
        let first = name.chars().next();
        let legal = !name.is_empty()
            && name.len() <= MAX_NAME_BYTES
            && !name.contains(['/', ':'])
            && !name.chars().any(char::is_control)
            && name.trim() == name
            && !first.is_some_and(|c| c.is_ascii_digit() || c == '_' || c == '.');
        if !legal {
            return Err(ArangoError::new(
                number::DATABASE_NAME_INVALID,
                "database name invalid",
            ));
        }
        let mut databases = self
            .databases
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        if databases.contains_key(name) {
            return Err(ArangoError::new(
                number::DUPLICATE_NAME,
                "duplicate database name",
            ));
        }
        let database = Database::new(
            self.clock.next_id(),
            name,
            Arc::clone(&self.clock),
            Arc::clone(&self.compute),
        );
        let database = Arc::new(database);
        databases.insert(name.to_owned(), Arc::clone(&database));
        Ok(database)
    }

    /// Drops a database.
    ///
    /// # Errors
    /// 404/1228 for an unknown one, 403/11 for `_system`.
    pub fn drop_database(&self, name: &str) -> Result<(), ArangoError> {
        if name == "_system" {
            return Err(ArangoError::forbidden());
        }
        let mut databases = self
            .databases
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        databases
            .remove(name)
            .map(|_| ())
            .ok_or_else(database_not_found)
    }

    /// The user with a name.
    pub fn user(&self, name: &str) -> Option<Arc<User>> {
        self.users
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(name)
            .cloned()
    }

    /// All users in the order of their names.
    pub fn users(&self) -> Vec<Arc<User>> {
        self.users
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .values()
            .cloned()
            .collect()
    }

    /// Adds a user, or puts it in the place of the one with that name.
    pub fn put_user(&self, user: User) {
        let mut users = self.users.write().unwrap_or_else(PoisonError::into_inner);
        users.insert(user.name.clone(), Arc::new(user));
    }

    /// Changes a user.
    ///
    /// # Errors
    /// 404/1703 for an unknown one.
    pub fn alter_user(
        &self,
        name: &str,
        alter: impl FnOnce(&mut User),
    ) -> Result<Arc<User>, ArangoError> {
        let mut users = self.users.write().unwrap_or_else(PoisonError::into_inner);
        let mut user = users
            .get(name)
            .map(|user| (**user).clone())
            .ok_or_else(user_not_found)?;
        alter(&mut user);
        let user = Arc::new(user);
        users.insert(name.to_owned(), Arc::clone(&user));
        Ok(user)
    }

    /// Removes a user.
    ///
    /// # Errors
    /// 404/1703 for an unknown one.
    pub fn drop_user(&self, name: &str) -> Result<(), ArangoError> {
        let mut users = self.users.write().unwrap_or_else(PoisonError::into_inner);
        users.remove(name).map(|_| ()).ok_or_else(user_not_found)
    }
}

pub(crate) fn database_not_found() -> ArangoError {
    ArangoError::new(number::DATABASE_NOT_FOUND, "database not found")
}

pub(crate) fn user_not_found() -> ArangoError {
    ArangoError::new(number::USER_NOT_FOUND, "user not found")
}
