//! What the built file can reach, what it offers, and how large it is.

use host_example::audit::Audit;
use host_example::component::BYTES;

/// The most bytes that the file may have.
const BUDGET: usize = 300 * 1024;

#[test]
fn the_component_imports_the_model_and_named_servers_and_nothing_else() {
    let audit = Audit::of(BYTES).unwrap();
    let mut imports = audit.imports;
    imports.sort();
    assert_eq!(
        imports,
        [
            "querent:host/http-fetch@0.1.0",
            "querent:host/llm-complete@0.1.0"
        ]
    );
}

#[test]
fn the_component_exports_its_three_interfaces_and_nothing_else() {
    let audit = Audit::of(BYTES).unwrap();
    let mut exports = audit.exports;
    exports.sort();
    assert_eq!(
        exports,
        [
            "querent:ask/aql@0.1.0",
            "querent:ask/ask@0.1.0",
            "querent:ask/tools@0.1.0"
        ]
    );
}

#[test]
fn the_component_stays_within_its_size_budget() {
    assert!(
        BYTES.len() <= BUDGET,
        "the component has {} bytes, {BUDGET} are allowed",
        BYTES.len()
    );
}

#[test]
fn the_component_says_nothing_of_the_machine_that_built_it() {
    let workspace = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let workspace = std::fs::canonicalize(workspace).unwrap();
    let home = std::env::var("HOME").unwrap_or("/home/".into());
    let places = [
        workspace.to_str().unwrap(),
        &home,
        "/home/",
        "/Users/",
        ".cargo/registry",
    ];
    for trace in places {
        let found = BYTES
            .windows(trace.len())
            .any(|window| window == trace.as_bytes());
        assert!(!found, "`{trace}` stands in the component");
    }
}
