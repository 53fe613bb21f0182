//! What the server says of itself: version, engine, role, status.

use std::time::{SystemTime, UNIX_EPOCH};

use axum::http::Method;

use crate::error::ArangoError;
use crate::http::reply::{Reply, fields};
use crate::http::request::Call;
use crate::value::{Object, Value};

/// The release whose behaviour this server follows.
pub(crate) const VERSION: &str = "3.12.10";

/// `GET /_api/version`; the real server takes any method.
pub(super) fn version(call: &Call) -> Result<Reply, ArangoError> {
    let mut body = fields([
        ("server", Value::string("arango")),
        ("license", Value::string("community")),
        ("version", Value::string(VERSION)),
    ]);
    if call.flag("details") == Some(true) {
        let details = fields([
            ("architecture", Value::string("64bit")),
            (
                "full-version-string",
                Value::from(format!("ArangoDB {VERSION} (embedded)")),
            ),
            ("mode", Value::string("server")),
            ("role", Value::string("SINGLE")),
            ("server-version", Value::string(VERSION)),
            ("host", Value::string("")),
        ]);
        body.insert("details", Value::object(details));
    }
    body.insert("apiVersions", Value::array(vec![Value::string("v0")]));
    body.insert("deprecatedApiVersions", Value::array(Vec::new()));
    body.insert("requestedApiVersion", Value::string("v0"));
    Ok(Reply::bare(200, &Value::object(body)))
}

/// `GET /_api/engine`.
pub(super) fn engine(call: &Call) -> Result<Reply, ArangoError> {
    if call.method != Method::GET {
        return Err(call.wrong_method());
    }
    let texts = |names: &[&str]| Value::array(names.iter().map(Value::string).collect());
    let indexes = [
        "primary",
        "edge",
        "hash",
        "skiplist",
        "ttl",
        "persistent",
        "geo",
        "fulltext",
        "mdi",
        "mdi-prefixed",
        "inverted",
    ];
    let aliases = fields([
        ("hash", Value::string("persistent")),
        ("skiplist", Value::string("persistent")),
        ("zkd", Value::string("mdi")),
    ]);
    let supports = fields([
        ("indexes", texts(&indexes)),
        (
            "aliases",
            Value::object(fields([("indexes", Value::object(aliases))])),
        ),
    ]);
    let body = fields([
        ("name", Value::string("rocksdb")),
        ("supports", Value::object(supports)),
        ("endianness", Value::string("big")),
    ]);
    Ok(Reply::bare(200, &Value::object(body)))
}

/// `/_admin/…`.
pub(super) fn admin(call: &Call, path: &[&str]) -> Result<Reply, ArangoError> {
    let body = match path {
        ["server", "role"] => fields([("role", Value::string("SINGLE"))]),
        ["server", "mode"] => fields([
            ("mode", Value::string("default")),
            ("readOnly", Value::Bool(false)),
        ]),
        ["server", "availability"] => fields([("mode", Value::string("default"))]),
        ["server", "id"] => return Err(ArangoError::not_implemented("a server id")),
        ["time"] => {
            let now = SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0.0, |time| time.as_secs_f64());
            fields([("time", Value::from_f64(now))])
        }
        ["status"] => return Ok(Reply::bare(200, &Value::object(status()))),
        _ => return Err(call.unknown_path()),
    };
    if call.method != Method::GET {
        return Err(call.wrong_method());
    }
    Ok(Reply::first(200, body))
}

fn status() -> Object {
    let server = fields([
        (
            "progress",
            Value::object(fields([
                ("phase", Value::string("up")),
                ("feature", Value::string("")),
                ("recoveryTick", Value::Int(0)),
            ])),
        ),
        ("role", Value::string("SINGLE")),
        ("writeOpsEnabled", Value::Bool(true)),
        ("readOnly", Value::Bool(false)),
        ("maintenance", Value::Bool(false)),
    ]);
    fields([
        ("server", Value::string("arango")),
        ("version", Value::string(VERSION)),
        ("pid", Value::Int(std::process::id().into())),
        ("license", Value::string("community")),
        ("mode", Value::string("server")),
        ("operationMode", Value::string("server")),
        ("foxxApi", Value::Bool(false)),
        ("host", Value::string("")),
        ("serverInfo", Value::object(server)),
    ])
}
