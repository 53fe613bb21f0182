//! Requests as they leave, and answers that are not ArangoDB's.

use super::super::{Client, OwnQuery};
use super::fake::{Fake, Fault, NoModel};
use crate::ask::ErrorKind;
use crate::ports::Method;
use crate::settings::Settings;

pub(super) fn settings() -> Settings {
    Settings::parse(r#"{"database": "shop"}"#).expect("valid settings")
}

#[test]
fn a_request_carries_no_header_but_the_allowed_ones() {
    let fake = Fake::new();
    let outside = fake.outside();
    let settings = settings();
    let client = Client::new(&outside, &settings);
    client
        .own(&OwnQuery::new("RETURN 1"))
        .expect("sent")
        .expect("run");
    client.version().expect("sent").expect("told");
    client.canary("orders").expect("tried");
    for seen in fake.seen() {
        for (name, value) in &seen.headers {
            match *name {
                "accept" | "content-type" => assert_eq!(value, "application/json"),
                "x-arango-trx-id" => assert!(value.bytes().all(|byte| byte.is_ascii_digit())),
                other => panic!("header {other}"),
            }
        }
    }
}

#[test]
fn a_plan_is_asked_for_within_its_own_limits() {
    let fake = Fake::new();
    let outside = fake.outside();
    let settings = settings();
    let plan = Client::new(&outside, &settings)
        .explain(
            "FOR d IN orders FILTER d.n == @n RETURN \"ö\\\"\"",
            "{\"n\": 1.10}",
        )
        .expect("sent")
        .expect("planned");
    assert!(plan.starts_with(b"{"));
    let seen = fake.seen();
    assert_eq!(seen[0].path, "/_db/shop/_api/explain");
    assert_eq!(seen[0].method, Method::Post);
    assert_eq!(
        seen[0].text,
        r#"{"query":"FOR d IN orders FILTER d.n == @n RETURN \"ö\\\"\"","bindVars":{"n": 1.10},"options":{"memoryLimit":67108864,"maxRuntime":10.000}}"#
    );
}

#[test]
fn bind_variables_cannot_set_the_requests_own_attributes() {
    let fake = Fake::new();
    let outside = fake.outside();
    let settings = settings();
    let client = Client::new(&outside, &settings);
    for binds in [
        "{},\"query\":\"FOR d IN c REMOVE d IN c\"",
        "{}}",
        "[]",
        "null",
        "1",
        "",
        "{",
        "\"{}\"",
    ] {
        let error = client.explain("RETURN 1", binds).expect_err(binds);
        assert_eq!(error.kind, ErrorKind::InvalidInput);
        assert_eq!(error.code, "bind-vars");
    }
    assert!(fake.seen().is_empty());
}

#[test]
fn an_answer_that_is_not_arangodbs_is_an_error_that_says_so() {
    let advice = "; check the address in the host's configuration, and what stands between";
    for (fault, why) in [
        (
            Fault::Body(200, "text/html", "<html>hello</html>"),
            "it is text/html",
        ),
        (
            Fault::Body(200, "application/json", "null"),
            "it is not a JSON object",
        ),
        (
            Fault::Body(200, "application/json", "[]"),
            "it is not a JSON object",
        ),
        (
            Fault::Body(200, "application/json", ""),
            "it is not a JSON object",
        ),
        (
            Fault::Body(200, "application/json", "{}"),
            "it has another shape",
        ),
        (Fault::Body(200, "", "{}"), "it has another shape"),
        (
            Fault::Body(201, "application/json", "{\"result\":[1,}"),
            "it is not valid JSON",
        ),
        (
            Fault::Body(201, "application/json", "{\"result\":[1,"),
            "it breaks off",
        ),
        (
            Fault::Body(201, "application/json", "{\"result\":[],\"hasMore\":true}"),
            "it promises more rows and names no cursor",
        ),
        (
            Fault::Body(
                201,
                "application/json",
                "{\"result\":[],\"hasMore\":true,\"id\":\"../../_admin\"}",
            ),
            "it promises more rows and names no cursor",
        ),
        (Fault::Status(301, "moved"), "it is a redirect, status 301"),
        (Fault::Status(304, "same"), "it is a redirect, status 304"),
        (Fault::Status(100, "go on"), "it has the status 100"),
        (Fault::Status(999, "what"), "it has the status 999"),
    ] {
        let mut fake = Fake::new();
        fake.fault = Some((0, fault.clone()));
        let outside = fake.outside();
        let settings = settings();
        let error = Client::new(&outside, &settings)
            .own(&OwnQuery::new("RETURN 1"))
            .expect_err("not ArangoDB's");
        assert_eq!(error.kind, ErrorKind::DatabaseUnreachable, "{fault:?}");
        assert_eq!(error.code, "not-arangodb");
        assert_eq!(
            error.message,
            format!("the answer to the query is not ArangoDB's: {why}{advice}")
        );
    }
}

#[test]
fn a_proxys_error_page_is_told_from_arangodbs_own_error() {
    let mut fake = Fake::new();
    fake.fault = Some((0, Fault::Body(502, "text/html", "<html>bad gateway</html>")));
    let outside = fake.outside();
    let settings = settings();
    let error = Client::new(&outside, &settings)
        .own(&OwnQuery::new("RETURN 1"))
        .expect("answered")
        .expect_err("an error");
    assert_eq!(
        error.to_error().message,
        "the database answered: the answer is text/html, not ArangoDB's own (status 502)"
    );
    assert!(error.to_error().retryable);
}

#[test]
fn a_server_of_another_kind_is_not_taken_for_arangodb() {
    let mut fake = Fake::new();
    fake.fault = Some((
        0,
        Fault::Body(200, "application/json", "{\"server\": \"couch\"}"),
    ));
    let outside = fake.outside();
    let settings = settings();
    let error = Client::new(&outside, &settings)
        .version()
        .expect_err("another");
    assert!(
        error.message.contains("the server calls itself `couch`"),
        "{}",
        error.message
    );
}

#[test]
fn a_server_that_names_a_time_to_come_again_is_heard() {
    struct Busy;
    impl crate::ports::Http for Busy {
        fn fetch(
            &self,
            _: &crate::ports::HttpRequest,
        ) -> core::result::Result<crate::ports::HttpResponse, crate::ports::HttpError> {
            Ok(crate::ports::HttpResponse {
                status: 503,
                headers: vec![("Retry-After".into(), "7".into())],
                body: Vec::new(),
                elapsed_ms: None,
            })
        }
    }
    let outside = crate::outside::Outside::new(&NoModel, &Busy);
    let settings = settings();
    let error = Client::new(&outside, &settings)
        .explain("RETURN 1", "{}")
        .unwrap()
        .unwrap_err()
        .to_error();
    assert_eq!((error.retryable, error.retry_after_ms), (true, Some(7_000)));
}
