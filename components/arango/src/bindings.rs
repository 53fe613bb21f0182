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
    generate_all,
});

use crate::exports::Component;

export!(Component);
