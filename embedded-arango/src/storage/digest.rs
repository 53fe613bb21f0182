//! A digest of all that a database holds, so that a test can prove that nothing was written.

use std::fmt::Write;

use sha2::{Digest, Sha256};

use super::database::Database;

impl Database {
    /// SHA-256 in hexadecimal over collections, documents with their revisions, indexes, views and analyzers. It is the
    /// same exactly as long as nothing of these changes.
    pub fn digest(&self) -> String {
        let snapshot = self.snapshot();
        let mut hasher = Sha256::new();
        let mut part = |kind: &str, text: &str| {
            hasher.update(kind);
            hasher.update((text.len() as u64).to_le_bytes());
            hasher.update(text);
        };
        for collection in snapshot.collections() {
            let mut properties = collection.properties();
            // The last key that was given out is no content: a write that failed may have moved it.
            properties.remove("keyOptions");
            part(
                "collection",
                &crate::value::Value::object(properties).to_json_text(),
            );
            for index in collection.indexes() {
                let description =
                    crate::value::Value::object(index.describe(&collection.meta.name, None));
                part("index", &description.to_json_text());
            }
            for document in collection.scan() {
                part("document", &document.to_json_text());
            }
        }
        for view in snapshot.views() {
            part(
                "view",
                &crate::value::Value::object(view.properties()).to_json_text(),
            );
        }
        for analyzer in snapshot.analyzers() {
            part(
                "analyzer",
                &crate::value::Value::object(analyzer.describe(self.name())).to_json_text(),
            );
        }
        hasher
            .finalize()
            .iter()
            .fold(String::new(), |mut text, byte| {
                // Writing to a text cannot fail.
                let _ = write!(text, "{byte:02x}");
                text
            })
    }
}
