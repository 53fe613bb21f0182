//! A plugin host for Querent components: load one, see what it can reach, bind it to a database and a model, ask it questions.
//!
//! Everything that a sandbox cannot hold by itself is here: addresses and credentials, grants for each single request, time,
//! bytes, tokens, and what each tenant may have at once. Use the library as it is, or copy the file that you need.
#![deny(missing_docs)]

pub mod audit;
mod bindings;
pub mod component;
pub mod config;
mod engine;
mod error;
pub mod grants;
mod host;
pub mod http;
mod instance;
pub mod limits;
pub mod llm;
mod plugin;
mod record;
mod secret;
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

/// A future that a trait object may return.
pub type BoxFuture<'a, T> = std::pin::Pin<Box<dyn Future<Output = T> + Send + 'a>>;
