//! The server as the host reaches it, before a component has a part in it: connection, credentials, version, rights.

use std::net::IpAddr;
use std::time::Duration;

use host_example::TenantSpec;
use host_example::config::{ArangoConfig, AuthMethod, TenantConfig};
use host_example::http::{Endpoint, EndpointRequest};
use host_example::types::http::{Error, ErrorKind, Method, Response};
use serde_json::Value;
use url::Url;

use super::Report;
use crate::failure::Failure;

/// How long one request of the examination may take.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The most bytes of an answer.
const MAX_BYTES: u64 = 1 << 20;

/// Who the host is to the server, without a secret.
pub(super) fn who(arango: &ArangoConfig) -> String {
    match arango.auth_method {
        AuthMethod::Userpass => format!("user `{}`", arango.user),
        AuthMethod::Token => "the bearer of a token".to_owned(),
    }
}

/// Examines the server.
pub(super) async fn examine(
    tenant: &TenantConfig,
    spec: &TenantSpec,
    report: &mut Report,
) -> Result<(), Failure> {
    let arango = &tenant.arango;
    let Some((_, endpoint)) = spec.endpoints.values().next() else {
        return Ok(());
    };
    let server = Server {
        endpoint: &**endpoint,
        database: segment(&arango.database),
    };
    if sends_in_clear(&arango.endpoint) {
        report.warn(
            "encryption",
            &format!(
                "credentials and rows travel in clear to {}",
                arango.endpoint
            ),
            "use an `https` endpoint; `ca_file` trusts a private certificate authority",
        );
    }
    let response = match server.get("_api/version?details=true").await {
        Ok(response) => response,
        Err(error) => {
            let failure = Failure::Examined {
                code: unreachable_code(error.kind),
                sentence: format!("{}: {}", arango.endpoint, error.message),
            };
            report.fail(
                "connection",
                &failure.to_string(),
                connection_advice(error.kind),
            );
            return Err(failure);
        }
    };
    report.pass("connection", &format!("{} answers", arango.endpoint));
    credentials(arango, &response, report)?;
    version(&response, report);
    rights(arango, &server, report).await;
    Ok(())
}

/// The server, as this user sees this database.
struct Server<'a> {
    endpoint: &'a dyn Endpoint,
    database: String,
}

impl Server<'_> {
    async fn get(&self, path: &str) -> Result<Response, Error> {
        self.endpoint
            .fetch(EndpointRequest {
                method: Method::Get,
                path: format!("/_db/{}/{path}", self.database),
                headers: vec![("accept".to_owned(), "application/json".to_owned())],
                body: None,
                timeout: TIMEOUT,
                max_response_bytes: MAX_BYTES,
            })
            .await
    }
}

fn credentials(
    arango: &ArangoConfig,
    response: &Response,
    report: &mut Report,
) -> Result<(), Failure> {
    let who = who(arango);
    let (kind, sentence, advice) = match response.status {
        401 => (
            host_example::types::ErrorKind::DatabaseUnauthorized,
            format!("the server does not accept {who}"),
            "check `user` and the password (`password_file`, or the variable QUERENT_PASSWORD), or the token",
        ),
        404 => (
            host_example::types::ErrorKind::Configuration,
            format!(
                "there is no database `{}`, or {who} may not see it",
                arango.database
            ),
            "check `database` in `[arango]`, and the user's grants",
        ),
        // A hardened server keeps its version to administrators: who asks is known all the same.
        200 | 403 => {
            report.pass("credentials", &format!("the server accepts {who}"));
            return Ok(());
        }
        status => (
            host_example::types::ErrorKind::DatabaseUnreachable,
            format!("the answer has status {status}, which is not ArangoDB's"),
            "a proxy or another service answers at this address: check `endpoint`",
        ),
    };
    report.fail("credentials", &sentence, advice);
    Err(Failure::Examined {
        code: crate::exit::code(kind),
        sentence,
    })
}

/// The version, and what it means for the gate.
fn version(response: &Response, report: &mut Report) {
    let body: Value = serde_json::from_slice(&response.body).unwrap_or_default();
    let Some(number) = body["version"].as_str() else {
        report.warn(
            "version",
            "the server does not tell its version to this user",
            "nothing: what the version decides is tried instead (`read barrier`)",
        );
        return;
    };
    let license = body["license"].as_str().unwrap_or("unknown");
    let found = format!("ArangoDB {number}, {license} edition");
    let parts: Vec<u32> = number
        .split(['.', '-'])
        .map_while(|part| part.parse().ok())
        .collect();
    let is_cluster = body["details"]["role"] == "COORDINATOR";
    if parts < vec![3, 11] {
        report.warn(
            "version",
            &found,
            "versions before 3.11 were never tried; use 3.12",
        );
    } else if is_cluster && parts < vec![3, 12, 10, 1] {
        report.warn(
            "version",
            &format!("{found}, a cluster"),
            "in a cluster before 3.12.10.1 a document may be read past its transaction: use a database user without access to what must stay hidden",
        );
    } else {
        report.pass("version", &found);
    }
}

/// Whether this user could write, which only the database can rule out.
async fn rights(arango: &ArangoConfig, server: &Server<'_>, report: &mut Report) {
    if arango.auth_method == AuthMethod::Token {
        report.warn(
            "rights",
            "what the bearer of the token may do was not asked",
            "make tokens for a user that may only read",
        );
        return;
    }
    let user = &arango.user;
    let path = format!("_api/user/{}/database/{}", segment(user), server.database);
    let granted = match server.get(&path).await {
        Ok(response) if response.status == 200 => serde_json::from_slice::<Value>(&response.body)
            .ok()
            .and_then(|body| Some(body["result"].as_str()?.to_owned())),
        _ => None,
    };
    let database = &arango.database;
    let remedy = format!(
        "in arangosh: require(\"@arangodb/users\").save(\"querent\", \"PASSWORD\"); require(\"@arangodb/users\").grantDatabase(\"querent\", \"{database}\", \"ro\"); require(\"@arangodb/users\").grantCollection(\"querent\", \"{database}\", \"*\", \"ro\")"
    );
    match granted.as_deref() {
        Some("ro") => report.pass(
            "rights",
            &format!("user `{user}` may read `{database}` and not write"),
        ),
        Some("rw") => report.warn(
            "rights",
            &format!("user `{user}` may write to `{database}`"),
            &remedy,
        ),
        _ => report.warn(
            "rights",
            &format!("what user `{user}` may do in `{database}` is not told"),
            &remedy,
        ),
    }
}

/// Whether credentials leave this machine without encryption.
fn sends_in_clear(endpoint: &str) -> bool {
    let Ok(url) = Url::parse(endpoint) else {
        return false;
    };
    let Some(host) = url.host_str() else {
        return false;
    };
    let address: Option<IpAddr> = host.trim_matches(['[', ']']).parse().ok();
    let is_here = host == "localhost" || address.is_some_and(|address| address.is_loopback());
    url.scheme() == "http" && !is_here
}

/// A name as one segment of a path.
fn segment(name: &str) -> String {
    url::form_urlencoded::byte_serialize(name.as_bytes())
        .collect::<String>()
        .replace('+', "%20")
}

fn unreachable_code(kind: ErrorKind) -> u8 {
    use host_example::types::ErrorKind as Kind;
    crate::exit::code(match kind {
        ErrorKind::Denied | ErrorKind::UnknownEndpoint => Kind::Denied,
        ErrorKind::Timeout => Kind::Timeout,
        _ => Kind::DatabaseUnreachable,
    })
}

fn connection_advice(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Tls => {
            "the certificate is not trusted, or the server does not speak TLS: set `ca_file` to its certificate authority, or check the scheme of `endpoint`"
        }
        ErrorKind::Connect => {
            "check host and port of `endpoint`, whether the server is up, and the firewall"
        }
        ErrorKind::Timeout => {
            "something swallows the connection: check the firewall and the port of `endpoint`"
        }
        ErrorKind::Denied => "this address is refused by the host: see docs/grants.md",
        _ => {
            "something else answers at this address, or the connection breaks: check scheme and port of `endpoint`"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_leaves_the_machine_without_tls_is_in_clear() {
        for (endpoint, in_clear) in [
            ("http://localhost:8529", false),
            ("http://127.0.0.1:8529", false),
            ("http://[::1]:8529", false),
            ("http://db.example:8529", true),
            ("http://10.0.0.7:8529", true),
            ("https://db.example:8529", false),
        ] {
            assert_eq!(sends_in_clear(endpoint), in_clear, "{endpoint}");
        }
    }

    #[test]
    fn a_name_is_one_segment_whatever_it_holds() {
        assert_eq!(segment("a b/../c+ü"), "a%20b%2F..%2Fc%2B%C3%BC");
    }
}
