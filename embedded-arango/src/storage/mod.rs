//! What the server keeps: databases of collections, graphs, views, analyzers and indexes, and the transactions over them.
//!
//! A database's state is a persistent map, so that a [`Snapshot`] is a clone of a pointer: a transaction reads the state
//! of the moment it began, whatever others commit meanwhile. Writes go to the transaction's own copy and reach the
//! database at [`Txn::commit`]; a write to a document that somebody else changed since is refused there with 1200, as
//! in the real server.
//!
//! Nothing here knows AQL or HTTP.

mod analyzer;
mod clock;
mod collection;
mod computed;
mod database;
mod derived;
mod digest;
mod documents;
pub(crate) mod graph;
mod index;
mod keys;
mod locks;
mod ordered;
mod snapshot;
mod store;
mod txn;
mod user;
mod view;
mod write;
mod writing;

pub use analyzer::Analyzer;
pub use clock::Clock;
pub use collection::{Collection, CollectionKind, CollectionMeta, CollectionOptions};
pub use computed::{Compute, ComputedValue};
pub use database::Database;
pub use documents::{Direction, Scan};
pub use index::{IndexDefinition, IndexKind};
pub use keys::{KeyOptions, split_id};
pub use locks::Mode;
pub use ordered::{Bound, IndexRange};
pub(crate) use snapshot::GRAPHS;
pub use snapshot::Snapshot;
pub use store::Store;
pub use txn::{Access, Savepoint, Txn};
pub use user::{Level, User};
pub use view::{View, ViewKind, ViewLink};
pub use write::{OverwriteMode, WriteOptions, Written};
