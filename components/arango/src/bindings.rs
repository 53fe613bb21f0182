//! The code that `wit-bindgen` makes of `wit/`.

#![allow(
    unsafe_code,
    missing_docs,
    unreachable_pub,
    clippy::all,
    rust_2018_idioms,
    reason = "generated code, which lifts and lowers memory"
)]

wit_bindgen::generate!({
    path: "../../wit",
    world: "arango",
    pub_export_macro: true,
});
