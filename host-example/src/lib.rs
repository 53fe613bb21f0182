//! A plugin host for Querent components: load one, see what it can reach, bind it to a database and a model, ask it questions.
//!
//! Everything that a sandbox cannot hold by itself is here: addresses and credentials, grants for each single request, time,
//! bytes, tokens, and what each tenant may have at once. Use the library as it is, or copy the file that you need.
//!
//! ```no_run
//! use host_example::{Config, Host, config::Sources};
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let config: Config = Sources::new().file_if_present("querent.toml").environment().load()?;
//! let host = Host::new(&config)?;
//! println!("{}", host.audit()); // imports: …, exports: …
//!
//! let plugin = host.plugin("default")?;
//! let answer = plugin.question("Which five books have sold the most copies?").await?;
//! println!("{}", answer.table);
//! # Ok(())
//! # }
//! ```
//!
//! A host of one's own parts, a server that is a driver, a model that is a test's, is put together with [`Host::builder`].
//!
//! # What each part is for
//!
//! | module | holds | its default |
//! |---|---|---|
//! | [`audit`] | imports and exports, read before anything is compiled | two imports are granted, another one refuses the component |
//! | [`component`] | compiled code, linked once; the ArangoDB component's bytes | |
//! | [`config`] | `querent.toml` and the environment | an unknown key is an error |
//! | [`eval`] | accuracy on questions of one's own, measured | |
//! | [`grants`] | which requests a component may make | what is not listed is refused |
//! | [`http`] | servers behind names, credentials, certificates, addresses | no redirect, no proxy, no metadata address |
//! | [`limits`] | time, memory, bytes, calls, tokens, concurrency | every one has a number |
//! | [`llm`] | models | none |
//!
//! # Decisions
//!
//! Each call gets a new store and a new instance: making one takes microseconds, and nothing of one call is left for the next.
//! What is expensive, the reflected schema, is kept outside and handed in. The host's own failures and the component's have one
//! form, [`CallError`]. A guest is stopped from outside: it yields at every tick of an epoch clock, and the timeout around the
//! call drops it.
//!
//! # What this does not do
//!
//! A component that is hostile can still send a write to `/_api/cursor`, because reading uses the same path: what stops that one
//! is a database user with read-only rights. A model's whole reply is read before its size is checked, within the request's time.
//! Compiled code is not cached on disk.
#![deny(missing_docs)]

pub mod audit;
mod bindings;
pub mod component;
pub mod config;
mod engine;
mod error;
pub mod eval;
pub mod grants;
mod host;
pub mod http;
mod instance;
pub mod limits;
pub mod llm;
mod plugin;
mod record;
mod secret;
mod spent;
mod tenant;
mod tls;
pub mod types;

pub use config::Config;
pub use engine::{EngineOptions, engine};
pub use error::{CallError, Origin};
pub use host::{Host, HostBuilder, TenantSpec};
pub use limits::Limits;
pub use plugin::Plugin;
pub use record::{Decision, HostCall, Observer};
pub use secret::Secret;
pub use spent::Spent;

/// A future that a trait object may return.
pub type BoxFuture<'a, T> = std::pin::Pin<Box<dyn Future<Output = T> + Send + 'a>>;
