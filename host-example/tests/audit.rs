//! What a component can reach is read from its bytes, and whoever reaches further is refused by name.

mod common;

use host_example::audit::{Audit, AuditError, Digest, EXPORTS, IMPORTS};
use host_example::component::{LoadError, Loaded};
use host_example::{EngineOptions, component, engine};

/// A component that imports and exports empty interfaces of these names.
fn component(imports: &[&str], exports: &[&str]) -> Vec<u8> {
    let imports: String = imports
        .iter()
        .map(|name| format!("(import \"{name}\" (instance))\n"))
        .collect();
    let exports: String = exports
        .iter()
        .map(|name| format!("(export \"{name}\" (instance $empty))\n"))
        .collect();
    wat::parse_str(format!("(component {imports} (instance $empty) {exports})"))
        .expect("a component")
}

fn refusal(imports: &[&str], exports: &[&str]) -> String {
    Audit::of(&component(imports, exports))
        .expect("readable")
        .check()
        .expect_err("refused")
        .to_string()
}

#[test]
fn the_component_of_this_crate_reaches_two_interfaces_and_offers_three() {
    let audit = Audit::of(component::BYTES).unwrap();
    let sorted = |names: &[&str]| {
        let mut names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        names.sort();
        names
    };
    let (mut imports, mut exports) = (audit.imports.clone(), audit.exports.clone());
    imports.sort();
    exports.sort();
    assert_eq!(imports, sorted(&IMPORTS));
    assert_eq!(exports, sorted(&EXPORTS));
    assert!(audit.check().is_ok());
    assert_eq!(audit.bytes, component::BYTES.len());
    assert_eq!(std::fs::read(component::path()).unwrap(), component::BYTES);
}

#[test]
fn a_component_that_reaches_further_is_refused_with_the_whole_list() {
    assert_eq!(
        refusal(
            &[
                "querent:host/llm-complete@0.1.0",
                "wasi:cli/environment@0.2.6",
                "wasi:io/poll@0.2.6"
            ],
            &EXPORTS
        ),
        "imports what this host does not grant: `wasi:cli/environment@0.2.6`, `wasi:io/poll@0.2.6`; it grants \
         `querent:host/llm-complete@0.1.0` and `querent:host/http-fetch@0.1.0` only"
    );
    assert_eq!(
        refusal(&["fetch"], &EXPORTS),
        "imports what this host does not grant: `fetch`; it grants `querent:host/llm-complete@0.1.0` and \
         `querent:host/http-fetch@0.1.0` only"
    );
    // A name that begins like a granted one is another name.
    assert!(
        refusal(&["querent:host/llm-complete-raw@0.1.0"], &EXPORTS)
            .starts_with("imports what this host does not grant")
    );
}

#[test]
fn another_version_is_refused_with_both_named() {
    for wanted in [
        "querent:host/http-fetch@0.2.0",
        "querent:host/http-fetch@1.0.0",
        "querent:host/http-fetch@0.1.1-rc.1",
        "querent:host/http-fetch",
    ] {
        assert_eq!(
            refusal(&[wanted], &EXPORTS),
            format!(
                "wants `{wanted}`, and this host offers `querent:host/http-fetch@0.1.0`: use a host and a component of one \
                 version line"
            )
        );
    }
    let later = Audit::of(&component(&["querent:host/http-fetch@0.1.7"], &EXPORTS)).unwrap();
    assert!(later.check().is_ok(), "0.1.x is one line");
    assert_eq!(
        refusal(&[], &["querent:ask/ask@0.2.0", EXPORTS[1], EXPORTS[2]]),
        "exports `querent:ask/ask@0.2.0`, and this host calls `querent:ask/ask@0.1.0`: use a host and a component of one version line"
    );
}

#[test]
fn a_component_for_another_world_is_refused() {
    assert_eq!(
        refusal(&[], &EXPORTS[..2]),
        "does not export `querent:ask/tools@0.1.0`: it is not a component for the world `querent:ask/arango`"
    );
}

#[test]
fn imports_inside_a_component_are_its_own_affair() {
    let nested = wat::parse_str(
        r#"(component
            (component $inner (import "wasi:io/poll@0.2.6" (instance)))
            (core module (import "env" "f" (func))))"#,
    )
    .unwrap();
    let audit = Audit::of(&nested).unwrap();
    assert!(audit.imports.is_empty());
    assert_eq!(audit.to_string(), "imports: none\nexports: none");
}

#[test]
fn what_is_no_component_is_named_for_what_it_is() {
    assert!(matches!(Audit::of(b"hello"), Err(AuditError::Foreign)));
    assert!(matches!(Audit::of(b""), Err(AuditError::Foreign)));
    let whole = component(&[], &EXPORTS);
    assert!(matches!(
        Audit::of(&whole[..whole.len() - 3]),
        Err(AuditError::Malformed(_))
    ));
    let module = wat::parse_str("(module)").unwrap();
    assert!(matches!(Audit::of(&module), Err(AuditError::CoreModule)));
}

#[test]
fn right_names_with_wrong_functions_do_not_load() {
    let engine = engine(EngineOptions {
        instances: 1,
        ..EngineOptions::default()
    })
    .unwrap();
    let empty = component(&IMPORTS, &EXPORTS);
    assert!(Audit::of(&empty).unwrap().check().is_ok());
    assert!(matches!(
        Loaded::new(&engine, &empty),
        Err(LoadError::Link(_))
    ));
    let foreign = component(&["wasi:cli/environment@0.2.6"], &EXPORTS);
    assert!(matches!(
        Loaded::new(&engine, &foreign),
        Err(LoadError::Refused(AuditError::ForeignImports(_)))
    ));
}

#[test]
fn a_digest_is_sha_256() {
    let digest = Digest::of(b"abc");
    assert_eq!(
        digest.to_string(),
        "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
    assert_eq!(digest.short(), "ba7816bf8f01");
}
