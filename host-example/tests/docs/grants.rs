//! `docs/grants.md`: the list, against the one that the host makes.

use crate::page::{page, rows, spans};

#[test]
fn the_grants_that_are_told_are_the_ones_that_the_component_gets() {
    let rows = rows(&page("docs/grants.md"), "grants");
    let told: Vec<String> = rows.iter().map(|row| spans(&row[0]).remove(0)).collect();
    let given = host_example::grants::arango("shop")
        .expect("a plain name")
        .to_string();
    assert_eq!(told, given.lines().collect::<Vec<_>>());
}

#[test]
fn the_examples_of_what_a_grant_allows_hold() {
    use host_example::grants::Grants;
    use host_example::types::http::Method;

    let parse = |text: &str| text.parse::<Grants>().expect("a grant");
    let version = parse("GET /_api/version");
    assert!(version.check(Method::Get, "/_api/version").is_ok());
    assert!(version.check(Method::Get, "/_api/version/").is_err());
    assert!(
        version
            .check(Method::Get, "/_api/version?details=true")
            .is_err()
    );
    assert!(version.check(Method::Post, "/_api/version").is_err());
    let cursor = parse("DELETE /_api/cursor/*");
    assert!(cursor.check(Method::Delete, "/_api/cursor/26213").is_ok());
    for path in ["/_api/cursor", "/_api/cursor/1/2", "/_api/cursor/"] {
        assert!(cursor.check(Method::Delete, path).is_err(), "{path}");
    }
    let index = parse("GET /_api/index?collection=*");
    assert!(
        index
            .check(Method::Get, "/_api/index?collection=products")
            .is_ok()
    );
    assert!(
        index
            .check(Method::Get, "/_api/index?collection=a&withHidden=true")
            .is_err()
    );
    let begin = parse("POST /_api/transaction/begin");
    assert!(begin.check(Method::Post, "/_api/transaction").is_err());
}
