//! What is wrong with a data file, and where.

use std::fmt;
use std::path::{Path, PathBuf};

/// A fault of a data set: the file, the place in it, what is wrong and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataError {
    file: Option<PathBuf>,
    place: String,
    message: String,
}

impl DataError {
    /// A fault at a place like `collections[2].docs[17]`; empty for the whole.
    pub(super) fn new(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            file: None,
            place: place.into(),
            message: message.into(),
        }
    }

    pub(super) fn in_file(self, file: &Path) -> Self {
        Self {
            file: Some(file.to_owned()),
            ..self
        }
    }

    /// The place in the data set; empty where the whole is meant.
    pub fn place(&self) -> &str {
        &self.place
    }
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "data file `{}`", file.display())?,
            None => f.write_str("data set")?,
        }
        if !self.place.is_empty() {
            write!(f, ", at `{}`", self.place)?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for DataError {}
