//! The code that wasmtime generates from `wit/`: both capabilities as async traits, the three exports as async calls.
//!
//! Private. What others may use is re-exported, by hand, from [`crate::types`], so that a change of the generator is a change in
//! one file.

#![allow(
    missing_docs,
    unreachable_pub,
    reason = "generated; the documentation stands in `wit/`"
)]

wasmtime::component::bindgen!({
    world: "querent:ask/arango",
    path: "../wit",
    imports: { default: async },
    exports: { default: async },
    additional_derives: [PartialEq],
});
