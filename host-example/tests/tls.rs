//! A server whose certificate a private authority signed: trusted where the configuration names the authority, and only then.

mod common;

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use common::folder;
use host_example::http::{Credentials, Endpoint as _, EndpointRequest, Origin, OriginOptions};
use host_example::types::http::{Error, ErrorKind, Method, Response};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, Stream};

/// A server for `name`, and the authority that signed for it, as PEM.
fn server(name: &str) -> (u16, String) {
    let mut authority = CertificateParams::new(Vec::new()).expect("parameters");
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority_key = KeyPair::generate().expect("a key");
    let root = authority.self_signed(&authority_key).expect("a root");
    let issuer = Issuer::new(authority, authority_key);
    let key = KeyPair::generate().expect("a key");
    let leaf = CertificateParams::new(vec![name.to_owned()]).expect("parameters");
    let leaf = leaf.signed_by(&key, &issuer).expect("a certificate");

    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(
            vec![leaf.der().clone()],
            PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der())),
        )
        .expect("a configuration");
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        while let Ok((mut tcp, _)) = listener.accept() {
            let Ok(mut connection) = ServerConnection::new(config.clone()) else {
                return;
            };
            let mut stream = Stream::new(&mut connection, &mut tcp);
            // A client that refuses the certificate ends here.
            if stream.read(&mut [0; 4_096]).is_ok() {
                let _ = stream.write_all(
                    b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}",
                );
                stream.conn.send_close_notify();
                let _ = stream.flush();
            }
        }
    });
    (port, root.pem())
}

fn written(test: &str, pem: &str) -> PathBuf {
    let path = folder(test).join("ca.pem");
    std::fs::write(&path, pem).expect("written");
    path
}

async fn fetch(port: u16, ca_file: Option<PathBuf>) -> Result<Response, Error> {
    let options = OriginOptions {
        url: format!("https://localhost:{port}"),
        credentials: Credentials::None,
        ca_file,
    };
    let request = EndpointRequest {
        method: Method::Get,
        path: "/_api/version".to_owned(),
        headers: Vec::new(),
        body: None,
        timeout: Duration::from_secs(20),
        max_response_bytes: 1_000,
    };
    Origin::new(options)
        .expect("an origin")
        .fetch(request)
        .await
}

#[tokio::test]
async fn a_server_of_a_private_authority_is_trusted_where_the_authority_is_named() {
    let (port, pem) = server("localhost");
    let response = fetch(port, Some(written("tls-trusted", &pem)))
        .await
        .expect("an answer");
    assert_eq!(
        (response.status, response.body.as_slice()),
        (200, b"{}".as_slice())
    );
}

#[tokio::test]
async fn the_same_server_is_refused_where_it_is_not_or_where_another_is() {
    let (port, _) = server("localhost");
    let (_, other) = server("localhost");
    for ca_file in [None, Some(written("tls-other", &other))] {
        let error = fetch(port, ca_file).await.expect_err("refused");
        assert_eq!(
            (error.kind, error.request_sent),
            (ErrorKind::Tls, false),
            "{}",
            error.message
        );
    }
}

#[tokio::test]
async fn a_certificate_for_another_name_is_refused() {
    let (port, pem) = server("other.example");
    let error = fetch(port, Some(written("tls-name", &pem)))
        .await
        .expect_err("refused");
    assert_eq!(
        (error.kind, error.request_sent),
        (ErrorKind::Tls, false),
        "{}",
        error.message
    );
}
