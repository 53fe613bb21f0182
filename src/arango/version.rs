//! What the server says it is.

use crate::ask::Result;

use super::client::{Call, misshapen, parse};
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
        let reply = parse(Route::Version, &body)?;
        // Every ArangoDB says `arango`, a hardened one too.
        let server = reply
            .text_of("server")
            .ok_or_else(|| misshapen(Route::Version))?;
        if server != "arango" {
            return Err(super::client::foreign(
                Route::Version,
                &format!("the server calls itself `{}`", clean_to(&server, 60)),
            ));
        }
        Ok(Ok(Version {
            number: reply.text_of("version").map(|text| clean_to(&text, 60)),
            license: reply.text_of("license").map(|text| clean_to(&text, 60)),
        }))
    }
}
