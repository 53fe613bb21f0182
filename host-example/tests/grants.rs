//! The near misses: what looks like a granted request and is none.

use host_example::grants::{Grant, GrantError, Grants, arango, encode_segment, method_name};
use host_example::types::http::Method;

fn shop() -> Grants {
    arango("shop").expect("a plain name")
}

#[test]
fn every_request_of_the_component_is_granted() {
    for (method, path) in [
        (Method::Post, "/_db/shop/_api/explain"),
        (Method::Post, "/_db/shop/_api/cursor"),
        (Method::Post, "/_db/shop/_api/cursor/26213"),
        (Method::Delete, "/_db/shop/_api/cursor/26213"),
        (Method::Post, "/_db/shop/_api/transaction/begin"),
        (Method::Delete, "/_db/shop/_api/transaction/26219"),
        (Method::Get, "/_db/shop/_api/version"),
        (Method::Get, "/_db/shop/_api/collection?excludeSystem=true"),
        (
            Method::Get,
            "/_db/shop/_api/index?collection=order%20lines%2F2",
        ),
        (Method::Get, "/_db/shop/_api/gharial"),
        (Method::Get, "/_db/shop/_api/view"),
        (Method::Get, "/_db/shop/_api/view/b%C3%BCcher/properties"),
    ] {
        assert_eq!(shop().check(method, path), Ok(()), "{path}");
    }
}

#[test]
fn the_grants_are_the_cores_own_list() {
    let ours = shop().to_string();
    let theirs: String = querent::arango::paths::GRANTS
        .iter()
        .map(|(method, path)| {
            format!(
                "{} {}\n",
                format!("{method:?}").to_uppercase(),
                path.replacen('*', "shop", 1)
            )
        })
        .collect();
    assert_eq!(ours, theirs);
}

#[test]
fn a_request_that_differs_in_anything_is_refused() {
    for (method, path) in [
        // Another method.
        (Method::Delete, "/_db/shop/_api/cursor"),
        (Method::Put, "/_db/shop/_api/cursor/26213"),
        (Method::Post, "/_db/shop/_api/version"),
        // Another database, or none.
        (Method::Post, "/_db/other/_api/cursor"),
        (Method::Post, "/_db/SHOP/_api/cursor"),
        (Method::Post, "/_db/sh%6Fp/_api/cursor"),
        (Method::Post, "/_api/cursor"),
        (Method::Post, "/_db/*/_api/cursor"),
        // A prefix of a grant, or a grant as a prefix.
        (Method::Post, "/_db/shop/_api/transaction"),
        (Method::Post, "/_db/shop/_api/transaction/begin/now"),
        (Method::Post, "/_db/shop/_api/cursors"),
        (Method::Post, "/_db/shop/_api/explain.json"),
        (Method::Post, "/x/_db/shop/_api/cursor"),
        // Segments that are empty, or too many, where one is granted.
        (Method::Delete, "/_db/shop/_api/cursor/"),
        (Method::Delete, "/_db/shop/_api/cursor/1/"),
        (Method::Delete, "/_db/shop/_api/cursor/1/2"),
        (Method::Delete, "/_db/shop//_api/cursor/1"),
        (Method::Post, "/_db/shop/_api/cursor/"),
        // The case of letters counts.
        (Method::Post, "/_db/shop/_API/cursor"),
        // A query string where none is granted, another one, more of it, or twice the same.
        (Method::Post, "/_db/shop/_api/cursor?force=true"),
        (Method::Post, "/_db/shop/_api/cursor?"),
        (Method::Get, "/_db/shop/_api/collection?excludeSystem=false"),
        (Method::Get, "/_db/shop/_api/collection?excludesystem=true"),
        (
            Method::Get,
            "/_db/shop/_api/collection?excludeSystem=true&excludeSystem=true",
        ),
        (
            Method::Get,
            "/_db/shop/_api/index?collection=a&withHidden=true",
        ),
        (Method::Get, "/_db/shop/_api/index?collection="),
    ] {
        assert!(
            shop().check(method, path).is_err(),
            "{} {path}",
            method_name(method)
        );
    }
}

#[test]
fn a_path_that_servers_could_read_differently_is_refused_in_every_spelling() {
    let grants: Grants = "GET /*/*/*\nGET /*/*\nGET /*\nGET /a?b=*".parse().unwrap();
    assert_eq!(grants.check(Method::Get, "/a/b/c"), Ok(()));
    for (path, why) in [
        ("", "it does not begin with one `/`"),
        ("a/b", "it does not begin with one `/`"),
        ("//evil.example/a", "it does not begin with one `/`"),
        ("http://evil.example/a", "it does not begin with one `/`"),
        ("https:a", "it does not begin with one `/`"),
        ("@evil.example/a", "it does not begin with one `/`"),
        ("/a/", "it has an empty segment"),
        ("/a//b", "it has an empty segment"),
        ("/a/./b", "the segment `.` moves within the path"),
        ("/a/../b", "the segment `..` moves within the path"),
        ("/..", "the segment `..` moves within the path"),
        (
            "/a/%2e/b",
            "`%2e` hides a separator, a dot or a control character behind percent signs",
        ),
        (
            "/a/%2e%2e",
            "`%2e%2e` hides a separator, a dot or a control character behind percent signs",
        ),
        (
            "/a/%2E%2e",
            "`%2E%2e` hides a separator, a dot or a control character behind percent signs",
        ),
        (
            "/a/.%2e",
            "`.%2e` hides a separator, a dot or a control character behind percent signs",
        ),
        (
            "/a/%252e%252e",
            "`%252e%252e` hides a separator, a dot or a control character behind percent signs",
        ),
        (
            "/a/%25252e",
            "`%25252e` hides a separator, a dot or a control character behind percent signs",
        ),
        (
            "/a/b%2fc",
            "`b%2fc` hides a separator, a dot or a control character behind percent signs",
        ),
        (
            "/a/b%2Fc",
            "`b%2Fc` hides a separator, a dot or a control character behind percent signs",
        ),
        (
            "/a/b%252fc",
            "`b%252fc` hides a separator, a dot or a control character behind percent signs",
        ),
        (
            "/a/b%5cc",
            "`b%5cc` hides a separator, a dot or a control character behind percent signs",
        ),
        (
            "/a/b%255cc",
            "`b%255cc` hides a separator, a dot or a control character behind percent signs",
        ),
        (
            "/a/b%00",
            "`b%00` hides a separator, a dot or a control character behind percent signs",
        ),
        (
            "/a/b%0d%0ax",
            "`b%0d%0ax` hides a separator, a dot or a control character behind percent signs",
        ),
        (
            "/a/b%7f",
            "`b%7f` hides a separator, a dot or a control character behind percent signs",
        ),
        (
            "/a/b%c2%85",
            "`b%c2%85` hides a separator, a dot or a control character behind percent signs",
        ),
        ("/a/%ff", "`%ff` is not percent-encoded UTF-8"),
        ("/a/%c0%ae", "`%c0%ae` is not percent-encoded UTF-8"),
        ("/a/%zz", "`%zz` is not percent-encoded UTF-8"),
        ("/a/%2", "`%2` is not percent-encoded UTF-8"),
        (
            "/a\\b",
            "the character '\\\\' may not stand in it unencoded",
        ),
        ("/a#b", "the character '#' may not stand in it unencoded"),
        ("/a;b", "the character ';' may not stand in it unencoded"),
        ("/a b", "the character ' ' may not stand in it unencoded"),
        ("/a\nb", "the character '\\n' may not stand in it unencoded"),
        (
            "/a\u{0}",
            "the character '\\0' may not stand in it unencoded",
        ),
        ("/bücher", "the character 'ü' may not stand in it unencoded"),
        ("/a／b", "the character '／' may not stand in it unencoded"),
        (
            "/a?b=/../c",
            "the character '/' may not stand in it unencoded",
        ),
        (
            "/a?b=c?d",
            "the character '?' may not stand in it unencoded",
        ),
        (
            "/a?b=%0a",
            "`%0a` hides a separator, a dot or a control character behind percent signs",
        ),
    ] {
        let error = grants.check(Method::Get, path).expect_err(path).to_string();
        assert_eq!(error, format!("the path is refused: {why}"), "{path:?}");
    }
    let long = format!("/{}", "a".repeat(9_000));
    assert_eq!(
        grants.check(Method::Get, &long).unwrap_err().to_string(),
        "the path is refused: it is longer than 8192 bytes"
    );
}

#[test]
fn a_name_with_percent_signs_and_dots_of_its_own_is_a_name() {
    let grants: Grants = "GET /*/x".parse().unwrap();
    for name in ["50%", "100% wool", "a.b..c", "größe", "~home", "a'b(c)!"] {
        let path = format!("/{}/x", encode_segment(name));
        assert_eq!(grants.check(Method::Get, &path), Ok(()), "{path}");
    }
}

#[test]
fn a_database_whose_name_leaves_its_segment_gets_no_grants() {
    for name in ["", ".", "..", "a/b", "a\\b", "a\nb"] {
        assert!(arango(name).is_err(), "{name:?}");
    }
    assert_eq!(
        arango("größe 1")
            .unwrap()
            .check(Method::Post, "/_db/gr%C3%B6%C3%9Fe%201/_api/cursor"),
        Ok(())
    );
}

#[test]
fn a_grant_that_means_less_than_it_seems_is_refused_where_it_is_written() {
    for (text, why) in [
        (
            "/_api/version",
            "`/_api/version` is no grant: write `METHOD /path`, with GET, POST, PUT, PATCH, DELETE or HEAD",
        ),
        (
            "get /_api/version",
            "`get /_api/version` is no grant: write `METHOD /path`, with GET, POST, PUT, PATCH, DELETE or HEAD",
        ),
        (
            "ANY /_api/version",
            "`ANY /_api/version` is no grant: write `METHOD /path`, with GET, POST, PUT, PATCH, DELETE or HEAD",
        ),
        (
            "GET /_api/curs*",
            "`GET /_api/curs*` is no grant: `*` stands for one whole segment or one whole value",
        ),
        (
            "GET /_api/**",
            "`GET /_api/**` is no grant: `*` stands for one whole segment or one whole value",
        ),
        (
            "GET /a?b=c*",
            "`GET /a?b=c*` is no grant: `*` stands for one whole segment or one whole value",
        ),
        (
            "GET /_api/../x",
            "`GET /_api/../x` can never be allowed: the segment `..` moves within the path",
        ),
        (
            "GET http://a/b",
            "`GET http://a/b` can never be allowed: it does not begin with one `/`",
        ),
    ] {
        let error: GrantError = text.parse::<Grant>().expect_err(text);
        assert_eq!(error.to_string(), why);
    }
    let grant: Grant = "GET /_api/index?collection=*&withStats=true"
        .parse()
        .unwrap();
    assert_eq!(
        grant.to_string(),
        "GET /_api/index?collection=*&withStats=true"
    );
}

#[test]
fn three_headers_may_be_set_in_any_case_of_letters_and_no_other() {
    for name in ["accept", "Content-Type", "X-Arango-Trx-Id"] {
        assert_eq!(Grants::check_header(name), Ok(()));
    }
    for name in [
        "authorization",
        "Host",
        "cookie",
        "x-arango-allow-dirty-read",
        "x-http-method-override",
        "content-type ",
        "",
    ] {
        let error = Grants::check_header(name).expect_err(name).to_string();
        assert!(
            error.starts_with(&format!("the header `{name}` may not be set")),
            "{error}"
        );
    }
}
