//! The ArangoDB component that this crate was built with, and components in general: checked, compiled, linked, kept.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use wasmtime::Engine;
use wasmtime::component::{Component, HasSelf, Linker};

use crate::audit::{Audit, AuditError};
use crate::bindings::{Arango, ArangoPre};
use crate::instance::CallState;

/// The bytes of the ArangoDB component, built from `components/arango` by this crate's build script.
pub static BYTES: &[u8] = include_bytes!(env!("HOST_EXAMPLE_COMPONENT"));

/// Where the build script left the file of [`BYTES`]. It exists on the machine that built this crate.
#[must_use]
pub fn path() -> &'static Path {
    Path::new(env!("HOST_EXAMPLE_COMPONENT"))
}

/// A component that this host accepts: audited, compiled, and linked to the two capabilities and nothing else.
///
/// Cheap to clone. Making an instance of it takes microseconds, so every call gets a new one.
#[derive(Clone)]
pub struct Loaded {
    inner: Arc<Inner>,
}

struct Inner {
    audit: Audit,
    pre: ArangoPre<CallState>,
}

impl Loaded {
    /// Audits, compiles and links a component.
    ///
    /// Compiling takes some hundred milliseconds of every core: do it once, and off the threads that serve.
    ///
    /// # Errors
    ///
    /// [`LoadError`] says whether the audit refused, the code is not valid, or a function's type differs from the contract.
    pub fn new(engine: &Engine, bytes: &[u8]) -> Result<Self, LoadError> {
        let audit = Audit::of(bytes)?;
        audit.check()?;
        let component = Component::new(engine, bytes).map_err(LoadError::Compile)?;
        let mut linker = Linker::new(engine);
        Arango::add_to_linker::<CallState, HasSelf<CallState>>(&mut linker, |state| state)
            .map_err(LoadError::Link)?;
        let pre = linker
            .instantiate_pre(&component)
            .and_then(ArangoPre::new)
            .map_err(LoadError::Link)?;
        Ok(Self {
            inner: Arc::new(Inner { audit, pre }),
        })
    }

    /// What the component imports and exports, and which file it is.
    #[must_use]
    pub fn audit(&self) -> &Audit {
        &self.inner.audit
    }

    pub(crate) fn pre(&self) -> &ArangoPre<CallState> {
        &self.inner.pre
    }
}

impl fmt::Debug for Loaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loaded")
            .field("audit", &self.inner.audit)
            .finish_non_exhaustive()
    }
}

/// Why a component was not loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// wasmtime cannot run on this machine as it is configured.
    #[error("no engine on this machine: {0:#}")]
    Engine(#[source] wasmtime::Error),
    /// The audit refused it before anything was compiled.
    #[error("the component is refused: {0}")]
    Refused(#[from] AuditError),
    /// The code is not valid, or beyond what the engine allows.
    #[error("the component cannot be compiled: {0:#}")]
    Compile(#[source] wasmtime::Error),
    /// A function has another type than the contract says.
    #[error("the component does not fit the contract `querent:ask/arango`: {0:#}")]
    Link(#[source] wasmtime::Error),
}
