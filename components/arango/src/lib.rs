//! The component for the world `arango`: its WIT contract on one side, the core's node on the other.
//!
//! There is no logic here. [`bindings`] holds the generated code, `imports` turns the two imports into the core's ports,
//! `exports` turns the three exports into calls of the node, and `convert` copies records between the two.
//!
//! Natively the crate is empty: the imports exist in a component alone.

#![cfg(target_arch = "wasm32")]

mod allocator;
mod bindings;
mod convert;
mod exports;
mod imports;
