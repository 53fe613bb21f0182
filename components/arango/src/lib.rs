//! The component for the world `arango`: its WIT contract on one side, the core's node on the other.
//!
//! There is no logic here. `exports` turns the three exports into calls of the node, `imports` turns the two imports into the
//! core's ports, `contract` lists the fields of the records that pass, and `abi` reads and writes them. The linker
//! makes a component of it, with the types of `wit/`: see `build.rs`.
//!
//! Natively the crate is empty: the imports exist in a component alone.

#![cfg(target_arch = "wasm32")]
#![allow(
    unsafe_code,
    reason = "the canonical ABI passes addresses; what keeps that sound is told in `abi`"
)]

mod abi;
mod allocator;
mod contract;
mod exports;
mod imports;
