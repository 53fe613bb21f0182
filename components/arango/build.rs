//! Linker arguments of the component.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Calls and addresses are written in five bytes each, for the linker to fill in, and stay so wide unless it is told
    // otherwise: 29 KB of 386 (measured). It refuses where debug information is kept; the profile `component`, which strips
    // it, is the one with this optimisation level.
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_ARCH", "wasm32") && is("OPT_LEVEL", "z") {
        println!("cargo::rustc-link-arg-cdylib=--compress-relocations");
        // The stack lies below the data, and is a mebibyte unless told. With a sixteenth less of it, data lies below the
        // address 2^20, up to which an address takes a byte less.
        println!("cargo::rustc-link-arg-cdylib=-z");
        println!("cargo::rustc-link-arg-cdylib=stack-size=983040");
    }
}
