//! A request taken apart: database, decoded path segments, parameters, headers, body.

use std::str::FromStr;
use std::sync::Arc;

use axum::http::{HeaderMap, Method, Uri};
use percent_encoding::percent_decode_str;

use super::app::App;
use crate::error::{ArangoError, number};
use crate::storage::{Database, Level, User};
use crate::value::Value;

/// The longest target that the real server takes.
const MAX_TARGET_BYTES: usize = 16 * 1024;

/// Where a request goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// The database of the prefix, `_system` without one.
    pub(crate) database: String,
    /// The path without the prefix, as it was sent.
    pub(crate) path: String,
    /// The decoded segments of the path.
    pub(crate) segments: Vec<String>,
    /// The decoded parameters.
    pub(crate) parameters: Vec<(String, String)>,
}

impl Target {
    /// Takes a request target apart.
    ///
    /// # Errors
    /// 400/400 for escapes that are no UTF-8, or a target that is too long.
    pub(crate) fn parse(uri: &Uri) -> Result<Self, ArangoError> {
        let path = uri.path();
        let query = uri.query().unwrap_or_default();
        if path.len() + query.len() > MAX_TARGET_BYTES {
            return Err(ArangoError::bad_request("maximal URL length exceeded").with_http(414));
        }
        let (database, path) = match path.strip_prefix("/_db/") {
            Some(rest) => {
                let (name, path) = rest
                    .find('/')
                    .map_or((rest, "/"), |slash| rest.split_at(slash));
                (decode(name)?, path)
            }
            None => ("_system".to_owned(), path),
        };
        let raw = path.trim_start_matches('/').trim_end_matches('/');
        let segments: Result<_, _> = raw.split('/').map(decode).collect();
        let parameters: Result<_, _> = query
            .split('&')
            .filter(|pair| !pair.is_empty())
            .map(|pair| {
                let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                Ok((
                    decode(&name.replace('+', " "))?,
                    decode(&value.replace('+', " "))?,
                ))
            })
            .collect();
        Ok(Target {
            database,
            path: path.to_owned(),
            segments: segments?,
            parameters: parameters?,
        })
    }
}

fn decode(text: &str) -> Result<String, ArangoError> {
    let decoded = percent_decode_str(text).decode_utf8();
    decoded
        .map(|text| text.into_owned())
        .map_err(|_| ArangoError::bad_request("invalid percent-encoding in the request's target"))
}

/// A request with all that a route needs.
pub(crate) struct Call {
    pub(crate) app: Arc<App>,
    pub(crate) method: Method,
    pub(crate) target: Target,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
    pub(crate) database: Arc<Database>,
    pub(crate) user: Arc<User>,
}

impl Call {
    /// A parameter of the target.
    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        self.target
            .parameters
            .iter()
            .find(|(given, _)| given == name)
            .map(|(_, value)| value.as_str())
    }

    /// A truth value among the parameters; JSON text in quotes is taken too.
    pub(crate) fn flag(&self, name: &str) -> Option<bool> {
        match self.parameter(name)?.trim_matches('"') {
            "true" | "yes" | "on" | "y" | "1" => Some(true),
            _ => Some(false),
        }
    }

    /// A header as text.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// A header as a number.
    pub(crate) fn number_header<T: FromStr>(&self, name: &str) -> Option<Result<T, ArangoError>> {
        let text = self.header(name)?;
        Some(
            text.trim().parse().map_err(|_| {
                ArangoError::bad_parameter(format!("invalid value for header `{name}`"))
            }),
        )
    }

    /// The body as JSON.
    ///
    /// # Errors
    /// 400/600 where it is none.
    pub(crate) fn json(&self) -> Result<Value, ArangoError> {
        serde_json::from_slice(&self.body).map_err(|error| {
            ArangoError::new(
                number::HTTP_CORRUPTED_JSON,
                format!("VPackError error: {error}"),
            )
        })
    }

    /// The body as a JSON object; an empty body is an empty object.
    ///
    /// # Errors
    /// 400/600 where it is no JSON, 400/10 where it is no object.
    pub(crate) fn json_object(&self) -> Result<Value, ArangoError> {
        if self.body.iter().all(u8::is_ascii_whitespace) {
            return Ok(Value::object(crate::value::Object::default()));
        }
        match self.json()? {
            object @ Value::Object(_) => Ok(object),
            _ => Err(ArangoError::bad_parameter("expecting a JSON object body")),
        }
    }

    /// Refuses a user who may not change the structure of the database.
    ///
    /// # Errors
    /// 403/11.
    pub(crate) fn require_database(&self, level: Level) -> Result<(), ArangoError> {
        if self.user.database_level(self.database.name()) < level {
            return Err(ArangoError::forbidden());
        }
        Ok(())
    }

    /// Refuses a request outside of `_system`, or of a user who may not administrate there.
    ///
    /// # Errors
    /// 403/1230 or 403/11.
    pub(crate) fn require_administrator(&self) -> Result<(), ArangoError> {
        if self.database.name() != "_system" {
            let message = "operation only allowed in system database";
            return Err(ArangoError::new(number::USE_SYSTEM_DATABASE, message).with_http(403));
        }
        if self.user.database_level("_system") < Level::ReadWrite {
            return Err(ArangoError::forbidden());
        }
        Ok(())
    }

    /// Refuses a user without that access to a collection.
    ///
    /// # Errors
    /// 403/11 or 403/1004.
    pub(crate) fn require_collection(
        &self,
        collection: &str,
        write: bool,
    ) -> Result<(), ArangoError> {
        self.user
            .check_collection(self.database.name(), collection, write)
    }

    /// The prefix and path, for the header `location`.
    pub(crate) fn location(&self, path: &str) -> String {
        format!("/_db/{}{path}", self.database.name())
    }

    /// The answer for a path that no route knows.
    pub(crate) fn unknown_path(&self) -> ArangoError {
        ArangoError::new(
            number::HTTP_NOT_FOUND,
            format!("unknown path '{}'", self.target.path),
        )
    }

    /// The answer for a method that the path does not take.
    pub(crate) fn wrong_method(&self) -> ArangoError {
        ArangoError::new(number::HTTP_METHOD_NOT_ALLOWED, "method not supported")
    }
}

#[cfg(test)]
mod tests {
    use super::Target;

    fn parse(target: &str) -> Target {
        Target::parse(&target.parse().expect("a target")).expect("well-formed")
    }

    #[test]
    fn the_database_comes_from_the_prefix_and_is_decoded() {
        let target = parse("/_db/caf%C3%A9%20bar/_api/document/a%2Fb/k?x=1&y=a%20b&z");
        assert_eq!(target.database, "café bar");
        assert_eq!(target.segments, ["_api", "document", "a/b", "k"]);
        let parameters: Vec<(&str, &str)> = target
            .parameters
            .iter()
            .map(|(n, v)| (&**n, &**v))
            .collect();
        assert_eq!(parameters, [("x", "1"), ("y", "a b"), ("z", "")]);
    }

    #[test]
    fn a_target_without_prefix_goes_to_the_system_database() {
        assert_eq!(parse("/_api/version").database, "_system");
    }

    #[test]
    fn escapes_that_are_no_text_are_refused() {
        let uri = "/_db/%FF/_api/version".parse().expect("a target");
        assert_eq!(Target::parse(&uri).unwrap_err().http, 400);
    }
}
