//! Responses: a status, a body of JSON with the envelope in the place where the real server puts it, and headers.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Response, StatusCode, header};

use crate::error::ArangoError;
use crate::value::{Object, Value};

/// The seconds that a request waited in a queue; here there is none.
const QUEUE_TIME: HeaderName = HeaderName::from_static("x-arango-queue-time-seconds");

/// The number of failed documents of a request for several, by error number.
pub(crate) const ERROR_CODES: HeaderName = HeaderName::from_static("x-arango-error-codes");

/// A response on its way.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: Option<String>,
    pub(crate) headers: Vec<(HeaderName, String)>,
}

impl Reply {
    /// A body as it is.
    pub(crate) fn bare(status: u16, body: &Value) -> Self {
        Reply {
            status,
            body: Some(body.to_json_text()),
            headers: Vec::new(),
        }
    }

    /// No body.
    pub(crate) fn empty(status: u16) -> Self {
        Reply {
            status,
            body: None,
            headers: Vec::new(),
        }
    }

    /// `error` and `code`, then the fields.
    pub(crate) fn first(status: u16, fields: Object) -> Self {
        let mut body = envelope(status);
        body.extend(fields);
        Reply::bare(status, &Value::object(body))
    }

    /// The fields, then `error` and `code`.
    pub(crate) fn last(status: u16, mut fields: Object) -> Self {
        fields.extend(envelope(status));
        Reply::bare(status, &Value::object(fields))
    }

    /// The fields, then `code` and `error`.
    pub(crate) fn code_last(status: u16, mut fields: Object) -> Self {
        fields.insert("code", Value::Int(status.into()));
        fields.insert("error", Value::Bool(false));
        Reply::bare(status, &Value::object(fields))
    }

    /// `error` and `code`, then `result`.
    pub(crate) fn result(status: u16, result: Value) -> Self {
        Reply::first(status, Object::from_iter([("result", result)]))
    }

    /// The body of an error.
    pub(crate) fn error(error: &ArangoError) -> Self {
        let body = Object::from_iter([
            ("code", Value::Int(error.http.into())),
            ("error", Value::Bool(true)),
            ("errorMessage", Value::string(&error.message)),
            ("errorNum", Value::Int(error.number.into())),
        ]);
        Reply::bare(error.http, &Value::object(body))
    }

    /// Adds a header.
    #[must_use]
    pub(crate) fn with(mut self, name: HeaderName, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// The response for a request; one for HEAD has no body.
    pub(crate) fn into_response(self, head: bool) -> Response<Body> {
        let body = match self.body {
            Some(body) if !head => Body::from(body),
            _ => Body::empty(),
        };
        let mut response = Response::new(body);
        *response.status_mut() =
            StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json"),
        );
        headers.insert(header::SERVER, HeaderValue::from_static("ArangoDB"));
        headers.insert(
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        );
        headers.insert(QUEUE_TIME, HeaderValue::from_static("0.000000"));
        for (name, value) in self.headers {
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.append(name, value);
            }
        }
        response
    }
}

fn envelope(status: u16) -> Object {
    Object::from_iter([
        ("error", Value::Bool(false)),
        ("code", Value::Int(status.into())),
    ])
}

/// An object of a few fields.
pub(crate) fn fields<const N: usize>(fields: [(&str, Value); N]) -> Object {
    Object::from_iter(fields)
}
