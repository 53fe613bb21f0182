//! Linker arguments of the component.

use std::path::Path;

fn main() {
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    if !is("CARGO_CFG_TARGET_ARCH", "wasm32") {
        return;
    }
    // The linker makes a component of the module, of the types that stand there.
    let manifest = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let contract = Path::new(&manifest).join("../../wit");
    println!("cargo::rerun-if-changed={}", contract.display());
    println!(
        "cargo::rustc-link-arg-cdylib=--component-type={}",
        contract.display()
    );
    // Calls and addresses are written in five bytes each, for the linker to fill in, and stay so wide unless it is told
    // otherwise: 29 KB of 386 (measured). It refuses where debug information is kept; the profile `component`, which strips
    // it, is the one with this optimisation level.
    if is("OPT_LEVEL", "z") {
        println!("cargo::rustc-link-arg-cdylib=--compress-relocations");
        // The stack lies below the data, and is a mebibyte unless told. With a sixteenth less of it, data lies below the
        // address 2^20, up to which an address takes a byte less.
        println!("cargo::rustc-link-arg-cdylib=-z");
        println!("cargo::rustc-link-arg-cdylib=stack-size=983040");
    }
}
