//! Any text parses or fails with an error inside it; what parses prints as text that parses to the same tree.
//!
//! Run with `cargo +nightly fuzz run aql_syntax -- -dict=fuzz/aql.dict`.

#![no_main]

use aql_syntax::{Version, parse_any, parse_with};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for version in [Version::V3_12, Version::V4] {
        match parse_with(text, version) {
            Ok(query) => {
                let printed = query.to_string();
                let again = parse_with(&printed, version)
                    .unwrap_or_else(|error| panic!("{error}, printed as {printed:?}"));
                assert!(again == query, "reads back otherwise: {printed:?}");
                assert_eq!(again.to_string(), printed);
            }
            Err(error) => {
                let place = error.span.start as usize..error.span.end as usize;
                assert!(text.get(place).is_some(), "{error}");
            }
        }
    }
    if let Ok(query) = parse_any(text) {
        let mut nodes = 0_usize;
        query.walk(|_| nodes += 1);
        assert!(nodes >= 3);
    }
});
