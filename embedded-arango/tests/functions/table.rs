//! The table itself: complete, consistent, and honest about what is missing.

use std::collections::BTreeSet;

use embedded_arango::functions::{all, lookup, resolve};
use embedded_arango::value::Value;

use super::Query;

#[test]
fn every_name_is_there_once_and_in_upper_case() {
    let mut names = BTreeSet::new();
    for function in all() {
        assert!(
            names.insert(function.name),
            "{} is there twice",
            function.name
        );
        assert!(
            function
                .name
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
        );
        assert!(function.min_args <= function.max_args, "{}", function.name);
        assert_eq!(
            lookup(function.name).map(|found| found.name),
            Some(function.name)
        );
    }
}

#[test]
fn the_signatures_are_the_real_servers() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../shared/arangodb/functions.tsv"
    );
    let Ok(text) = std::fs::read_to_string(path) else {
        println!("skipped: no list of functions beside the repository");
        return;
    };
    let mut listed = BTreeSet::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (name, least, most, deterministic) = (fields[0], fields[2], fields[3], fields[4]);
        listed.insert(name.to_owned());
        let function = lookup(name).unwrap_or_else(|| panic!("{name} is missing"));
        assert_eq!(function.min_args.to_string(), least, "{name}");
        let most_here = if function.max_args == usize::MAX {
            "inf".to_owned()
        } else {
            function.max_args.to_string()
        };
        assert_eq!(most_here, most, "{name}");
        // A function that this server does not compute is never computed while planning either.
        let computed = !matches!(Query::default().call(name, &vec![Value::Null; function.min_args]), Err(error) if error.http == 501);
        if computed {
            assert_eq!(function.deterministic, deterministic == "1", "{name}");
        }
    }
    for function in all() {
        assert!(
            listed.contains(function.name),
            "{} is no function of the server",
            function.name
        );
    }
}

#[test]
fn an_unknown_name_and_a_wrong_count_are_errors_in_the_servers_words() {
    let error = resolve("Nonsense", 1).unwrap_err();
    assert_eq!(
        (error.number, error.http, error.message.as_str()),
        (1540, 400, "usage of unknown function 'Nonsense()'")
    );
    let error = resolve("length", 2).unwrap_err();
    assert_eq!(
        (error.number, error.message.as_str()),
        (
            1541,
            "invalid number of arguments for function 'LENGTH()', expected number of arguments: minimum: 1, maximum: 1"
        )
    );
}

#[test]
fn what_is_not_computed_says_so_and_names_the_function() {
    for name in ["NEAR", "SHARD_ID", "V8"] {
        let function = lookup(name).unwrap();
        let error = Query::default()
            .call(name, &vec![Value::Null; function.min_args])
            .unwrap_err();
        assert_eq!(error.http, 501);
        assert_eq!(
            error.message,
            format!("function `{name}` is not implemented by the embedded server")
        );
    }
}
