//! Users and what they may do: none, ro or rw, on databases and on collections.
//!
//! The nearest grant wins: collection, then `*` in the database, then the database, then the same for the database `*`.
//! A system collection follows its database, but for `_users`, which nobody reaches.

use std::collections::BTreeMap;
use std::fmt;

use sha2::{Digest, Sha256};

use crate::error::ArangoError;
use crate::value::Object;

/// How much a user may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Nothing; the thing is as if forbidden.
    None,
    /// Read.
    ReadOnly,
    /// Read and write.
    ReadWrite,
}

impl Level {
    /// `none`, `ro` or `rw`.
    pub fn name(self) -> &'static str {
        match self {
            Level::None => "none",
            Level::ReadOnly => "ro",
            Level::ReadWrite => "rw",
        }
    }

    /// Reads `none`, `ro` or `rw`.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "none" => Some(Level::None),
            "ro" => Some(Level::ReadOnly),
            "rw" => Some(Level::ReadWrite),
            _ => None,
        }
    }
}

/// The grants of one user in one database.
#[derive(Clone, Debug, Default)]
pub struct Grant {
    /// For the database itself.
    pub database: Option<Level>,
    /// By collection, `*` for the others.
    pub collections: BTreeMap<String, Level>,
}

/// A user: login and grants. The password is kept as a salted hash.
#[derive(Clone, Debug)]
pub struct User {
    /// The login name.
    pub name: String,
    /// Whether the user may log in.
    pub active: bool,
    /// Whatever the creator stored with the user.
    pub extra: Object,
    /// By database, `*` for the others.
    pub grants: BTreeMap<String, Grant>,
    password: Hash,
    /// Whether even the collections are open that no grant opens.
    unrestricted: bool,
}

/// A salted hash, which is not shown.
#[derive(Clone)]
struct Hash([u8; 32]);

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

impl User {
    /// A user without any grant.
    pub fn new(name: &str, password: &str) -> Self {
        User {
            name: name.to_owned(),
            active: true,
            extra: Object::default(),
            grants: BTreeMap::new(),
            password: hash(name, password),
            unrestricted: false,
        }
    }

    /// A user who may do everything.
    pub fn superuser(name: &str, password: &str) -> Self {
        let mut user = User::new(name, password);
        user.grant_database("*", Level::ReadWrite);
        user.grant_collection("*", "*", Level::ReadWrite);
        user
    }

    /// The user of a server without authentication, who reaches all that there is.
    pub(crate) fn anyone() -> Self {
        User {
            unrestricted: true,
            ..User::superuser("root", "")
        }
    }

    /// Sets the level on a database, or on all others with `*`.
    pub fn grant_database(&mut self, database: &str, level: Level) {
        self.grants.entry(database.to_owned()).or_default().database = Some(level);
    }

    /// Sets the level on a collection of a database; each may be `*`.
    pub fn grant_collection(&mut self, database: &str, collection: &str, level: Level) {
        self.grants
            .entry(database.to_owned())
            .or_default()
            .collections
            .insert(collection.to_owned(), level);
    }

    /// Replaces the password.
    pub fn set_password(&mut self, password: &str) {
        self.password = hash(&self.name, password);
    }

    /// Whether the password is this user's and the user is active.
    pub fn accepts(&self, password: &str) -> bool {
        let given = hash(&self.name, password);
        let differing = given
            .0
            .iter()
            .zip(&self.password.0)
            .fold(0u8, |all, (a, b)| all | (a ^ b));
        self.active && differing == 0
    }

    /// The level on a database.
    pub fn database_level(&self, database: &str) -> Level {
        [database, "*"]
            .iter()
            .find_map(|name| self.grants.get(*name).and_then(|g| g.database))
            .unwrap_or(Level::None)
    }

    /// The level on a collection.
    pub fn collection_level(&self, database: &str, collection: &str) -> Level {
        if self.unrestricted {
            return Level::ReadWrite;
        }
        let of_database = self.database_level(database);
        if collection.starts_with('_') {
            return match collection {
                "_users" => Level::None,
                "_queues" => of_database.min(Level::ReadOnly),
                _ => of_database,
            };
        }
        [database, "*"]
            .iter()
            .find_map(|name| {
                let grant = self.grants.get(*name)?;
                grant
                    .collections
                    .get(collection)
                    .or_else(|| grant.collections.get("*"))
                    .copied()
            })
            .unwrap_or(of_database)
    }

    /// Refuses what the level on a collection does not cover.
    ///
    /// # Errors
    /// 403/11 without any access, 403/1004 for a write with read access.
    pub fn check_collection(
        &self,
        database: &str,
        collection: &str,
        write: bool,
    ) -> Result<(), ArangoError> {
        match (self.collection_level(database, collection), write) {
            (Level::None, _) => Err(ArangoError::forbidden()),
            (Level::ReadOnly, true) => Err(ArangoError::read_only()),
            _ => Ok(()),
        }
    }
}

fn hash(name: &str, password: &str) -> Hash {
    let mut hasher = Sha256::new();
    hasher.update((name.len() as u64).to_le_bytes());
    hasher.update(name);
    hasher.update(password);
    Hash(hasher.finalize().into())
}

#[cfg(test)]
mod tests {
    use super::{Level, User};

    #[test]
    fn the_nearest_grant_wins() {
        let mut user = User::new("reader", "x");
        user.grant_database("shop", Level::ReadWrite);
        user.grant_collection("shop", "*", Level::ReadOnly);
        user.grant_collection("shop", "secrets", Level::None);
        assert_eq!(user.collection_level("shop", "orders"), Level::ReadOnly);
        assert_eq!(user.collection_level("shop", "secrets"), Level::None);
        assert_eq!(user.collection_level("shop", "_graphs"), Level::ReadWrite);
        assert_eq!(user.collection_level("other", "orders"), Level::None);
        assert_eq!(
            user.check_collection("shop", "orders", true)
                .unwrap_err()
                .number,
            1004
        );
        assert_eq!(
            user.check_collection("shop", "secrets", false)
                .unwrap_err()
                .number,
            11
        );
    }

    #[test]
    fn nobody_reaches_the_users_collection() {
        assert_eq!(
            User::superuser("root", "").collection_level("_system", "_users"),
            Level::None
        );
    }

    #[test]
    fn an_inactive_user_is_not_let_in() {
        let mut user = User::new("u", "secret");
        assert!(user.accepts("secret") && !user.accepts("Secret"));
        user.active = false;
        assert!(!user.accepts("secret"));
    }
}
