//! What a database holds: found by reflection, kept in a small model, told to models and to tools.
//!
//! | module | what it is |
//! |---|---|
//! | [`Schema`] and its parts | the model |
//! | [`reflect()`] | asks the database |
//! | [`Schema::text`] | the schema for a prompt, within a budget |
//! | [`Schema::tool_json`] | the schema for a tool's caller |

mod model;
mod path;
mod reflect;
mod text;
mod tool;
pub(crate) mod wire;

#[cfg(test)]
mod tests;

pub use model::{
    Collection, CollectionKind, EdgeDefinition, Field, Graph, Index, IndexField, Schema, Step,
    Type, Types, View, ViewField, ViewLink,
};
pub use path::{path_text, quote_name};
pub use reflect::reflect;
pub use text::SchemaText;
