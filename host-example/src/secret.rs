//! A text that must not be seen: printed as `[secret]`, wiped when dropped, compared by nobody.

use std::fmt;

use serde::{Deserialize, Deserializer};
use zeroize::Zeroizing;

/// A password, a token, a key. [`fmt::Debug`] and every log show `[secret]`; there is no `Display` and no `Serialize`.
#[derive(Clone, Default)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// Takes ownership of the text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(Zeroizing::new(text.into()))
    }

    /// The text itself. Hand it to what needs it, and to nothing else.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Replaces each occurrence of this secret in a text that came from outside, an error of a server's for example.
    ///
    /// Secrets shorter than four bytes are left alone: they occur in any text by chance.
    #[must_use]
    pub fn redact(&self, text: &str) -> String {
        if self.0.len() < 4 {
            text.to_owned()
        } else {
            text.replace(self.0.as_str(), "[secret]")
        }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::new)
    }
}
