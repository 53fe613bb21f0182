//! Names to addresses, checked before anything connects.
//!
//! reqwest connects to what this resolver returns, so the address that was checked is the address that is used: a name that
//! resolves to something else a moment later (rebinding) changes nothing. One refused address refuses the name.

use std::error::Error;
use std::net::SocketAddr;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::address::check_address;

/// The system's resolver, and [`check_address`] on each of its answers.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CheckedResolver;

impl Resolve for CheckedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let name = name.as_str().to_owned();
        Box::pin(async move {
            // The port is the connector's business; any will do for the look-up.
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let addresses = found
                .map(|address| check_address(address.ip()).map(|()| address))
                .collect::<Result<Vec<SocketAddr>, _>>()
                .map_err(|error| Box::new(error) as Box<dyn Error + Send + Sync>)?;
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}
