//! What a database holds: found by reflection, kept in a small model, told to models and to tools.
//!
//! | module | what it is |
//! |---|---|
//! | [`Schema`] and its parts | the model |

mod model;

pub use model::{
    Collection, CollectionKind, EdgeDefinition, Field, Graph, Index, IndexField, Schema, Step,
    Type, Types, View, ViewField, ViewLink,
};
