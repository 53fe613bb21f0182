//! Names to addresses, checked before anything connects.
//!
//! reqwest connects to what this resolver returns, so the address that was checked is the address that is used: a name that
//! resolves to something else a moment later (rebinding) changes nothing. One refused address refuses the name.

use std::io;
use std::net::SocketAddr;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::address::check_address;
use crate::BoxFuture;

/// Finds the addresses of a name.
pub(super) type LookUp = fn(String) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>>;

/// The system's resolver, as the machine is configured.
pub(super) fn system(name: String) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> {
    // The port is the connector's business; any will do for the look-up.
    Box::pin(async move { Ok(tokio::net::lookup_host((name.as_str(), 0)).await?.collect()) })
}

/// A look-up, and [`check_address`] on each of its answers.
#[derive(Clone, Copy)]
pub(super) struct CheckedResolver(pub(super) LookUp);

impl Resolve for CheckedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let found = (self.0)(name.as_str().to_owned());
        Box::pin(async move {
            let addresses = found.await?;
            for address in &addresses {
                check_address(address.ip())?;
            }
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}
