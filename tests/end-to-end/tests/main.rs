//! The built component in wasmtime, over real HTTP, against the embedded server.

mod asking;
mod component_file;
mod configuring;
mod executing;
mod failing;
mod keeping;
mod prose;
mod reading;
mod tools;
mod writing;
