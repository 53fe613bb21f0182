//! Data sources: what a name denotes, and what the plan's `collections` lists.
//!
//! A view is listed with the collections that it links; all are read. Reading or writing a collection that a statement
//! before has written is refused with 1579.

use aql_syntax::ast::DataSource;

use super::{Builder, bind, refused};
use crate::engine::catalog::SourceInfo;
use crate::engine::plan::Access;
use crate::error::ArangoError;

impl Builder<'_> {
    /// The name, with a bind parameter replaced by its value.
    pub(super) fn source_name(&self, source: &DataSource) -> Result<String, ArangoError> {
        match source {
            DataSource::Named(name) => Ok(name.text.clone()),
            DataSource::Parameter(name) => {
                let key = format!("@{}", name.text);
                bind::value(self.bind, &key)?
                    .as_str()
                    .map(str::to_owned)
                    .ok_or_else(|| bind::wrong_type(&key))
            }
        }
    }

    /// What the name denotes; it is listed as read. 1203 where it denotes nothing.
    pub(super) fn use_source(&mut self, name: &str) -> Result<SourceInfo, ArangoError> {
        let source = self
            .catalog
            .source(name)
            .ok_or_else(|| ArangoError::data_source_not_found(name))?;
        match &source {
            SourceInfo::Collection(collection) => {
                let name = collection.name.clone();
                self.read(&name)?;
            }
            SourceInfo::View(view) => {
                self.list(&view.name, Access::Read);
                for linked in &view.collections {
                    self.read(linked)?;
                }
            }
        }
        Ok(source)
    }

    /// Lists a collection as read.
    pub(super) fn read(&mut self, name: &str) -> Result<(), ArangoError> {
        if self.written.contains(name) {
            return Err(after_write(&format!("collection '{name}'")));
        }
        self.list(name, Access::Read);
        Ok(())
    }

    /// Lists a collection as written. Its real name comes back: a name may be an id.
    pub(super) fn write(&mut self, name: &str, exclusive: bool) -> Result<String, ArangoError> {
        let name = match self.catalog.source(name) {
            Some(SourceInfo::Collection(collection)) => collection.name,
            _ => return Err(ArangoError::data_source_not_found(name)),
        };
        if !self.written.insert(name.clone()) {
            return Err(after_write(&format!("collection '{name}'")));
        }
        self.list(
            &name,
            if exclusive {
                Access::Exclusive
            } else {
                Access::Write
            },
        );
        Ok(name)
    }

    /// Refuses what reads documents at run time once a statement has written.
    pub(super) fn refuse_after_write(&self, what: &str) -> Result<(), ArangoError> {
        if self.written.is_empty() {
            Ok(())
        } else {
            Err(after_write(what))
        }
    }

    fn list(&mut self, name: &str, access: Access) {
        let listed = self.collections.entry(name.to_owned()).or_insert(access);
        *listed = (*listed).max(access);
    }
}

fn after_write(what: &str) -> ArangoError {
    refused(1579, format!("access after data-modification by {what}"))
}
