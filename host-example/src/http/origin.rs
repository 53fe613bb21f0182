//! A real server behind a name: one origin, its credentials, its certificates.
//!
//! Redirects are not followed, proxies of the environment are not used, and the address is checked after it was looked up.

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Certificate, Client, redirect};
use url::Url;

use super::address::AddressError;
use super::binding::{Credentials, OriginError, OriginOptions, authorization, parse};
use super::gate::too_large;
use super::resolver::{CheckedResolver, LookUp, system};
use super::{Endpoint, EndpointRequest, error};
use crate::BoxFuture;
use crate::types::http::{Error, ErrorKind, Method, Response};

/// How long a connection may take to be made, within the time of the request.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// An [`Endpoint`] that speaks HTTP to one origin.
pub struct Origin {
    client: Client,
    base: String,
    credentials: Credentials,
}

impl Origin {
    /// Prepares a client. Nothing is sent yet.
    ///
    /// # Errors
    ///
    /// Where the URL is not an origin, its address is never allowed, or the certificates cannot be read.
    pub fn new(options: OriginOptions) -> Result<Self, OriginError> {
        Self::resolving(options, system)
    }

    /// The same with another way to find addresses.
    fn resolving(options: OriginOptions, look_up: LookUp) -> Result<Self, OriginError> {
        let base = parse(&options.url)?;
        crate::tls::install();
        let mut client = Client::builder()
            .no_proxy()
            .no_gzip()
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECT_TIMEOUT)
            .default_headers(authorization(&options.credentials)?)
            .dns_resolver(CheckedResolver(look_up));
        if let Some(path) = &options.ca_file {
            let refused = |reason: String| OriginError::Certificates {
                path: path.clone(),
                reason,
            };
            let pem = std::fs::read(path).map_err(|error| refused(error.to_string()))?;
            let certificates =
                Certificate::from_pem_bundle(&pem).map_err(|error| refused(error.to_string()))?;
            if certificates.is_empty() {
                return Err(refused("there is none in it".to_owned()));
            }
            client = client.tls_certs_merge(certificates);
        }
        let client = client.build().map_err(|error| OriginError::Client {
            url: base.clone(),
            reason: chain(&error),
        })?;
        Ok(Self {
            client,
            base,
            credentials: options.credentials,
        })
    }

    /// Scheme, host and port.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.base
    }

    async fn send(&self, request: EndpointRequest) -> Result<Response, Error> {
        let url = Url::parse(&format!("{}{}", self.base, request.path)).map_err(|_| {
            error(
                ErrorKind::Denied,
                "path",
                "the path does not form a URL",
                false,
            )
        })?;
        let method = match request.method {
            Method::Get => reqwest::Method::GET,
            Method::Post => reqwest::Method::POST,
            Method::Put => reqwest::Method::PUT,
            Method::Patch => reqwest::Method::PATCH,
            Method::Delete => reqwest::Method::DELETE,
            Method::Head => reqwest::Method::HEAD,
        };
        let mut builder = self
            .client
            .request(method, url)
            .headers(headers(&request.headers)?)
            .timeout(request.timeout);
        if let Some(body) = request.body {
            builder = builder.body(body);
        }
        let mut response = builder
            .send()
            .await
            .map_err(|error| self.classify(&error))?;
        let declared = response
            .content_length()
            .filter(|_| request.method != Method::Head);
        if declared.is_some_and(|length| length > request.max_response_bytes) {
            return Err(too_large(request.max_response_bytes));
        }
        let mut body = Vec::with_capacity(usize::try_from(declared.unwrap_or(0)).unwrap_or(0));
        while let Some(chunk) = response
            .chunk()
            .await
            .map_err(|error| self.classify(&error))?
        {
            if body.len() as u64 + chunk.len() as u64 > request.max_response_bytes {
                return Err(too_large(request.max_response_bytes));
            }
            body.extend_from_slice(&chunk);
        }
        let headers = response
            .headers()
            .iter()
            .filter_map(|(name, value)| {
                Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
            })
            .collect();
        Ok(Response {
            status: response.status().as_u16(),
            headers,
            body,
            elapsed_ms: None,
            details: Vec::new(),
        })
    }

    /// The contract's error for one of reqwest's. The address is left out: the component knows the endpoint by its name.
    fn classify(&self, failed: &reqwest::Error) -> Error {
        if let Some(address) = find::<AddressError>(failed) {
            return error(ErrorKind::Denied, "address", address.to_string(), false);
        }
        if find::<rustls::Error>(failed).is_some() {
            let message = format!("no secure connection: {}", self.words(failed));
            return error(ErrorKind::Tls, "tls", message, false);
        }
        let sent = !failed.is_connect();
        if failed.is_timeout() {
            let message = if sent {
                "no answer in time"
            } else {
                "no connection in time"
            };
            return error(ErrorKind::Timeout, "request-timeout", message, sent);
        }
        if failed.is_connect() {
            return error(
                ErrorKind::Connect,
                "connect",
                format!("no connection: {}", self.words(failed)),
                false,
            );
        }
        error(
            ErrorKind::Protocol,
            "protocol",
            format!("the answer broke off: {}", self.words(failed)),
            true,
        )
    }

    /// The innermost cause in words, without a secret should one have got into it.
    fn words(&self, failed: &reqwest::Error) -> String {
        let mut cause: &dyn StdError = failed;
        while let Some(source) = cause.source() {
            cause = source;
        }
        let words = cause.to_string();
        match &self.credentials {
            Credentials::None => words,
            Credentials::Basic {
                password: secret, ..
            }
            | Credentials::Bearer(secret) => secret.redact(&words),
        }
    }
}

impl Endpoint for Origin {
    fn fetch(&self, request: EndpointRequest) -> BoxFuture<'_, Result<Response, Error>> {
        Box::pin(self.send(request))
    }
}

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Origin")
            .field("url", &self.base)
            .field("credentials", &self.credentials)
            .finish_non_exhaustive()
    }
}
fn headers(given: &[(String, String)]) -> Result<HeaderMap, Error> {
    given
        .iter()
        .map(|(name, value)| {
            let refused = || {
                error(
                    ErrorKind::Denied,
                    "header",
                    format!("the header `{name}` is not well formed"),
                    false,
                )
            };
            Ok((
                HeaderName::try_from(name.as_str()).map_err(|_| refused())?,
                HeaderValue::try_from(value.as_str()).map_err(|_| refused())?,
            ))
        })
        .collect()
}

fn find<E: StdError + 'static>(error: &reqwest::Error) -> Option<&E> {
    let mut cause: Option<&(dyn StdError + 'static)> = Some(error);
    while let Some(current) = cause {
        if let Some(found) = current.downcast_ref::<E>() {
            return Some(found);
        }
        // hyper and tokio wrap causes in `io::Error`, whose `source` skips what it holds.
        let held = current
            .downcast_ref::<std::io::Error>()
            .and_then(std::io::Error::get_ref);
        cause = match held {
            Some(held) => Some(held),
            None => current.source(),
        };
    }
    None
}

fn chain(error: &dyn StdError) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        words.push_str(": ");
        words.push_str(&source.to_string());
        cause = source.source();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> EndpointRequest {
        EndpointRequest {
            method: Method::Get,
            path: "/".to_owned(),
            headers: Vec::new(),
            body: None,
            timeout: Duration::from_secs(20),
            max_response_bytes: 1_000,
        }
    }

    async fn fetch(look_up: LookUp) -> Error {
        let options = OriginOptions {
            url: "http://database.example:9".to_owned(),
            credentials: Credentials::None,
            ca_file: None,
        };
        let origin = Origin::resolving(options, look_up).unwrap();
        origin.fetch(request()).await.unwrap_err()
    }

    #[tokio::test]
    async fn a_name_with_one_refused_address_is_refused_before_anything_connects() {
        // The first address has no server, and would be tried first.
        let error = fetch(|_| {
            Box::pin(async {
                let addresses = ["127.0.0.1:0", "[::ffff:169.254.169.254]:0"];
                Ok(addresses.map(|text| text.parse().unwrap()).to_vec())
            })
        })
        .await;
        assert_eq!(
            (error.kind, error.code.as_deref()),
            (ErrorKind::Denied, Some("address"))
        );
        assert_eq!(
            error.message,
            "the address `::ffff:169.254.169.254` is refused: it is the metadata service of a cloud"
        );
        assert!(!error.request_sent);
    }

    #[tokio::test]
    async fn the_address_that_was_checked_is_the_one_that_is_connected_to() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let options = OriginOptions {
            url: format!("http://no-such-name.invalid:{port}"),
            credentials: Credentials::None,
            ca_file: None,
        };
        let look_up: LookUp = |_| Box::pin(async { Ok(vec!["127.0.0.1:0".parse().unwrap()]) });
        let error = Origin::resolving(options, look_up)
            .unwrap()
            .fetch(request())
            .await
            .unwrap_err();
        // Refused by loopback, not unknown to the system's resolver.
        assert_eq!(error.kind, ErrorKind::Connect);
        assert!(error.message.contains("refused"), "{}", error.message);
    }
}
