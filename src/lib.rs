//! The core of Querent: a question in plain language becomes a read-only query, and its rows an answer.
//!
//! The core is pure. All that it knows of the outside are the two traits of [`ports`]: a language model ([`ports::Llm`]) and
//! named HTTP endpoints ([`ports::Http`]). It holds no generated type, no clock, no randomness and no environment, and is
//! compiled and tested natively; `components/arango` turns it into a WebAssembly component.
//!
//! | module | what it is |
//! |---|---|
//! | [`node`] | a configured node: `question`, `schema`, `aql` and the tools |
//! | [`ask`] | requests, answers and errors, as the WIT package `querent:ask` names them |
//! | [`settings`] | the settings document, checked |
//! | [`arango`] | ArangoDB's HTTP API: explain, transaction, cursor |
//! | [`prepared`] | `configure`, and what it hands to the next instance |
//! | [`schema`] | reflection, the schema's model, its text for prompts |
//! | [`gate`] | what may run: the only maker of a [`gate::ReadQuery`] |
//! | [`translate`] | prompt, reply reader, repair loop |
//! | [`render`] | rows as Markdown and as text |

#![deny(missing_docs)]
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::string_slice
    )
)]

pub mod arango;
pub mod ask;
mod find;
mod fold;
pub mod gate;
mod json;
pub mod node;
mod order;
pub mod outside;
pub mod ports;
pub mod prepared;
pub mod render;
pub mod schema;
pub mod settings;
pub mod translate;
