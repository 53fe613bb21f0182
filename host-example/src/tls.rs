//! The process's provider of cryptography: ring, in one place, because rustls wants exactly one.

use std::sync::Once;

static INSTALL: Once = Once::new();

/// Installs ring where the process has no provider yet. An embedder that installs its own first keeps it.
pub(crate) fn install() {
    INSTALL.call_once(|| {
        // An error says that there is one already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}
