//! A client for the tests: one server each, requests over real HTTP.
#![allow(dead_code, reason = "each test file uses a part of this")]

use embedded_arango::{Builder, EmbeddedArango, Running};
use reqwest::{Client, Method};
use serde_json::Value as Json;

/// A running server and somebody who talks to it.
pub(crate) struct Server {
    pub(crate) running: Running,
    client: Client,
    user: String,
    password: String,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) text: String,
    pub(crate) json: Json,
}

impl Answer {
    /// The error number, 0 where there is none.
    pub(crate) fn error(&self) -> u64 {
        self.json["errorNum"].as_u64().unwrap_or(0)
    }

    /// Status and error number.
    pub(crate) fn failure(&self) -> (u16, u64) {
        (self.status, self.error())
    }

    /// A header as text, empty where it is absent.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }
}

impl Server {
    /// A server with the password `secret` for `root`.
    pub(crate) async fn start() -> Self {
        Self::start_with(EmbeddedArango::builder().password("secret")).await
    }

    pub(crate) async fn start_with(builder: Builder) -> Self {
        let running = builder.start().await.expect("a server on loopback");
        Server {
            running,
            client: client(),
            user: "root".to_owned(),
            password: "secret".to_owned(),
        }
    }

    /// The same server, talked to by somebody else.
    pub(crate) fn login(&mut self, user: &str, password: &str) {
        (self.user, self.password) = (user.to_owned(), password.to_owned());
    }

    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<String>,
    ) -> Result<Answer, reqwest::Error> {
        let mut request = self
            .client
            .request(method, format!("{}{path}", self.running.url()));
        if !headers.iter().any(|(name, _)| *name == "authorization") {
            request = request.basic_auth(&self.user, Some(&self.password));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(body) = body {
            request = request.body(body);
        }
        let response = request.send().await?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = response.text().await?;
        let json = serde_json::from_str(&text).unwrap_or(Json::Null);
        Ok(Answer {
            status,
            headers,
            text,
            json,
        })
    }

    async fn plain(&self, method: Method, path: &str, body: Option<Json>) -> Answer {
        self.send(method, path, &[], body.map(|body| body.to_string()))
            .await
            .expect("an answer")
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.plain(Method::GET, path, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: Json) -> Answer {
        self.plain(Method::POST, path, Some(body)).await
    }

    pub(crate) async fn put(&self, path: &str, body: Json) -> Answer {
        self.plain(Method::PUT, path, Some(body)).await
    }

    pub(crate) async fn patch(&self, path: &str, body: Json) -> Answer {
        self.plain(Method::PATCH, path, Some(body)).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Answer {
        self.plain(Method::DELETE, path, None).await
    }

    /// A request within a stream transaction.
    pub(crate) async fn within(
        &self,
        transaction: &str,
        method: Method,
        path: &str,
        body: Json,
    ) -> Answer {
        self.send(
            method,
            path,
            &[("x-arango-trx-id", transaction)],
            Some(body.to_string()),
        )
        .await
        .expect("an answer")
    }

    /// Creates a document collection.
    pub(crate) async fn collection(&self, name: &str) {
        let answer = self
            .post("/_api/collection", serde_json::json!({ "name": name }))
            .await;
        assert_eq!(answer.status, 200, "{}", answer.text);
    }

    /// Begins a stream transaction and gives its id.
    pub(crate) async fn begin(&self, body: Json) -> String {
        let answer = self.post("/_api/transaction/begin", body).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        answer.json["result"]["id"]
            .as_str()
            .expect("an id")
            .to_owned()
    }
}

/// A client for plain HTTP.
#[allow(dead_code, reason = "not every test file makes a client of its own")]
pub(crate) fn client() -> Client {
    // An error says that there is a provider already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::new()
}
