//! A real server on loopback: what reaches it, and what the host makes of its answers.

mod common;

use std::time::Duration;

use common::server::{Server, json, with_headers};
use host_example::http::{Credentials, Endpoint as _, EndpointRequest, Origin, OriginOptions};
use host_example::types::http::{Error, ErrorKind, Method, Response};

const MARKER: &str = "hunter2-marker";

fn origin(url: &str, credentials: Credentials) -> Origin {
    Origin::new(OriginOptions {
        url: url.to_owned(),
        credentials,
        ca_file: None,
    })
    .expect("an origin")
}

fn get(path: &str) -> EndpointRequest {
    EndpointRequest {
        method: Method::Get,
        path: path.to_owned(),
        headers: Vec::new(),
        body: None,
        timeout: Duration::from_secs(20),
        max_response_bytes: 1_000,
    }
}

async fn fetch(url: &str, request: EndpointRequest) -> Result<Response, Error> {
    origin(url, Credentials::None).fetch(request).await
}

#[tokio::test]
async fn the_host_adds_what_the_component_never_sees() {
    let server = Server::answering([json("200 OK", "{}"), json("200 OK", "{}")]);
    let basic = Credentials::Basic {
        user: "reader".to_owned(),
        password: MARKER.into(),
    };
    let request = EndpointRequest {
        method: Method::Post,
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        body: Some(b"{\"query\":\"RETURN 1\"}".to_vec()),
        ..get("/_db/shop/_api/cursor")
    };
    let response = origin(&server.url(), basic).fetch(request).await.unwrap();
    assert_eq!(
        (response.status, response.body.as_slice()),
        (200, b"{}".as_slice())
    );
    origin(&server.url(), Credentials::Bearer(MARKER.into()))
        .fetch(get("/x"))
        .await
        .unwrap();

    let requests = server.requests();
    assert!(
        requests[0].starts_with("POST /_db/shop/_api/cursor HTTP/1.1\r\n"),
        "{}",
        requests[0]
    );
    assert!(
        requests[0].contains("authorization: Basic cmVhZGVyOmh1bnRlcjItbWFya2Vy\r\n"),
        "{}",
        requests[0]
    );
    assert!(requests[0].contains("content-type: application/json\r\n"));
    assert!(requests[0].ends_with("\r\n\r\n{\"query\":\"RETURN 1\"}"));
    assert!(
        requests[1].contains("authorization: Bearer hunter2-marker\r\n"),
        "{}",
        requests[1]
    );
}

#[tokio::test]
async fn a_path_reaches_the_server_as_it_was_checked() {
    let server = Server::answering([json("200 OK", "{}")]);
    fetch(
        &server.url(),
        get("/_db/gr%C3%B6%C3%9Fe/_api/index?collection=a%2Fb"),
    )
    .await
    .unwrap();
    assert!(
        server.requests()[0]
            .starts_with("GET /_db/gr%C3%B6%C3%9Fe/_api/index?collection=a%2Fb HTTP/1.1\r\n")
    );
}

#[tokio::test]
async fn a_redirect_is_an_answer_and_is_not_followed() {
    let target = Server::answering([json("200 OK", "{}")]);
    let headers = format!("location: {}/elsewhere\r\n", target.url());
    let server = Server::answering([with_headers("302 Found", &headers, "")]);
    assert_eq!(fetch(&server.url(), get("/x")).await.unwrap().status, 302);
    assert!(target.requests().is_empty());
}

#[tokio::test]
async fn a_status_of_any_kind_is_an_answer() {
    let server = Server::answering([
        json("401 Unauthorized", "{\"error\":true}"),
        json("503 Service Unavailable", ""),
    ]);
    assert_eq!(fetch(&server.url(), get("/x")).await.unwrap().status, 401);
    assert_eq!(fetch(&server.url(), get("/x")).await.unwrap().status, 503);
}

#[tokio::test]
async fn nobody_there_is_connect_and_nothing_was_sent() {
    let (listener, url) = Server::silent();
    drop(listener);
    let error = fetch(&url, get("/x")).await.unwrap_err();
    assert_eq!(
        (error.kind, error.request_sent),
        (ErrorKind::Connect, false),
        "{}",
        error.message
    );
}

#[tokio::test]
async fn no_answer_is_timeout_and_the_request_may_have_been_seen() {
    let (_listener, url) = Server::silent();
    let request = EndpointRequest {
        timeout: Duration::from_secs(1),
        ..get("/x")
    };
    let error = fetch(&url, request).await.unwrap_err();
    assert_eq!(
        (error.kind, error.request_sent),
        (ErrorKind::Timeout, true),
        "{}",
        error.message
    );
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_protocol() {
    let server = Server::answering([
        b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"half".as_slice(),
        b"SSH-2.0-OpenSSH\r\n".as_slice(),
        b"".as_slice(),
    ]);
    for _ in 0..3 {
        let error = fetch(&server.url(), get("/x")).await.unwrap_err();
        assert_eq!(
            (error.kind, error.request_sent),
            (ErrorKind::Protocol, true),
            "{}",
            error.message
        );
    }
}

#[tokio::test]
async fn a_body_beyond_the_cap_is_refused_whether_it_is_announced_or_not() {
    let body = "x".repeat(1_001);
    let chunked =
        format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3e9\r\n{body}\r\n0\r\n\r\n");
    let exact = "x".repeat(1_000);
    let server = Server::answering([
        json("200 OK", &body),
        chunked.into_bytes(),
        json("200 OK", &exact),
    ]);
    for _ in 0..2 {
        let error = fetch(&server.url(), get("/x")).await.unwrap_err();
        assert_eq!(
            (error.kind, error.request_sent),
            (ErrorKind::ResponseTooLarge, true)
        );
        assert_eq!(error.message, "the response has more than 1000 bytes");
    }
    assert_eq!(
        fetch(&server.url(), get("/x")).await.unwrap().body.len(),
        1_000
    );
}

#[tokio::test]
async fn a_server_without_tls_is_tls_to_one_who_wants_it() {
    let server = Server::speaking_first(b"HTTP/1.1 400 Bad Request\r\n\r\n");
    let url = server.url().replace("http:", "https:");
    let error = fetch(&url, get("/x")).await.unwrap_err();
    assert_eq!(
        (error.kind, error.request_sent),
        (ErrorKind::Tls, false),
        "{}",
        error.message
    );
}

#[tokio::test]
async fn a_name_is_looked_up_by_the_host() {
    let server = Server::answering([json("200 OK", "{}")]);
    let url = format!("http://localhost:{}", server.address.port());
    assert_eq!(fetch(&url, get("/x")).await.unwrap().status, 200);
    let error = fetch("http://no-such-host.invalid:1", get("/x"))
        .await
        .unwrap_err();
    assert_eq!(
        (error.kind, error.request_sent),
        (ErrorKind::Connect, false),
        "{}",
        error.message
    );
}

#[test]
fn a_metadata_address_is_refused_in_every_spelling() {
    for url in [
        "http://169.254.169.254",
        "http://2852039166",
        "http://0xa9fea9fe:8529",
        "http://0251.0376.0251.0376",
        "http://169.254.43518",
        "http://[::ffff:169.254.169.254]",
        "http://[0:0:0:0:0:ffff:a9fe:a9fe]:8529",
        "http://[64:ff9b::a9fe:a9fe]",
        "http://[fd00:ec2::254]",
        "http://１６９.254.169.254",
    ] {
        let error = Origin::new(OriginOptions {
            url: url.to_owned(),
            credentials: Credentials::None,
            ca_file: None,
        })
        .expect_err(url)
        .to_string();
        assert!(
            error.ends_with("is refused: it is the metadata service of a cloud"),
            "{url}: {error}"
        );
    }
}

#[test]
fn a_client_does_not_show_its_credentials() {
    let basic = Credentials::Basic {
        user: "reader".to_owned(),
        password: MARKER.into(),
    };
    let shown = format!("{:?}", origin("http://localhost:8529", basic));
    assert!(
        shown.contains("[secret]") && !shown.contains(MARKER),
        "{shown}"
    );
}

#[test]
fn credentials_that_cannot_stand_in_a_header_are_refused_without_showing_them() {
    for credentials in [
        Credentials::Bearer("two\r\nlines".into()),
        Credentials::Basic {
            user: "a:b".to_owned(),
            password: MARKER.into(),
        },
    ] {
        let error = Origin::new(OriginOptions {
            url: "http://localhost".to_owned(),
            credentials,
            ca_file: None,
        })
        .expect_err("refused")
        .to_string();
        assert!(
            error.ends_with("has characters that cannot stand in a header"),
            "{error}"
        );
    }
}

#[test]
fn a_file_without_certificates_is_refused() {
    let path = common::folder("http-ca").join("ca.pem");
    std::fs::write(&path, "not a certificate").unwrap();
    let options = OriginOptions {
        url: "https://localhost".to_owned(),
        credentials: Credentials::None,
        ca_file: Some(path.clone()),
    };
    let error = Origin::new(options).expect_err("refused").to_string();
    assert_eq!(
        error,
        format!(
            "the certificates in `{}` cannot be used: there is none in it",
            path.display()
        )
    );
}
