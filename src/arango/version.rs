//! What the server says it is.

use serde::Deserialize;

use crate::ask::Result;

use super::client::{Call, misshapen};
use super::paths::Route;
use super::{Client, DatabaseError, clean_to};

/// What the server says it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Version {
    /// The version, `3.12.10`. Absent where the server is told to hide it.
    pub number: Option<String>,
    /// The licence, `community` or `enterprise`.
    pub license: Option<String>,
}

#[derive(Deserialize)]
struct Reply {
    /// Every ArangoDB says `arango`, a hardened one too.
    server: String,
    version: Option<String>,
    license: Option<String>,
}

impl Client<'_> {
    /// Asks what the server is.
    ///
    /// # Errors
    ///
    /// Outside: the exchange broke, or the answer is not ArangoDB's. Inside: the server does not say, as one that is
    /// hardened may.
    pub fn version(&self) -> Result<core::result::Result<Version, DatabaseError>> {
        let body = match self.send(Call::short(Route::Version))? {
            Ok(body) => body,
            Err(error) => return Ok(Err(error)),
        };
        let reply: Reply =
            serde_json::from_slice(&body).map_err(|error| misshapen(Route::Version, &error))?;
        if reply.server != "arango" {
            return Err(super::client::foreign(
                Route::Version,
                &format!("the server calls itself `{}`", clean_to(&reply.server, 60)),
            ));
        }
        Ok(Ok(Version {
            number: reply.version.map(|text| clean_to(&text, 60)),
            license: reply.license.map(|text| clean_to(&text, 60)),
        }))
    }
}
