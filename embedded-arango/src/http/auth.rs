//! Who sends a request: basic authentication, or a session token that `POST /_open/auth` gave out.
//!
//! Tokens are JSON Web Tokens signed with HMAC-SHA256 under a random key that lives as long as the server, so a token of
//! another run is worth nothing. Only that one algorithm is accepted, whatever a token's header says.

use std::fmt;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use hmac::{Hmac, Mac};
use sha2::Sha256;

use super::reply::{Reply, fields};
use crate::error::{ArangoError, number};
use crate::storage::{Store, User};
use crate::value::Value;

/// How long a token is valid, as in the real server.
const TOKEN_SECONDS: u64 = 3600;

/// `{"alg":"HS256","typ":"JWT"}`.
const HEADER: &str = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9";

/// Makes and checks tokens.
pub(crate) struct Tokens {
    key: [u8; 32],
}

impl fmt::Debug for Tokens {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tokens")
    }
}

impl Tokens {
    /// With a random key.
    ///
    /// # Errors
    /// 500/4 where the machine has no randomness.
    pub(crate) fn new() -> Result<Self, ArangoError> {
        let mut key = [0; 32];
        getrandom::fill(&mut key)
            .map_err(|error| ArangoError::internal(format!("no randomness for tokens: {error}")))?;
        Ok(Tokens { key })
    }

    /// A token for a user.
    pub(crate) fn issue(&self, user: &str) -> String {
        let now = seconds();
        let claims = Value::object(fields([
            ("preferred_username", Value::string(user)),
            ("iss", Value::string("arangodb")),
            ("iat", integer(now)),
            ("exp", integer(now.saturating_add(TOKEN_SECONDS))),
        ]));
        let signed = format!("{HEADER}.{}", URL_SAFE_NO_PAD.encode(claims.to_json_text()));
        let signature = self
            .mac(&signed)
            .map(|mac| URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes()));
        format!("{signed}.{}", signature.unwrap_or_default())
    }

    /// The user of a token that is ours and still valid.
    fn check(&self, token: &str) -> Option<String> {
        let (signed, signature) = token.rsplit_once('.')?;
        let (header, claims) = signed.split_once('.')?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        self.mac(signed)?.verify_slice(&signature).ok()?;
        let read = |part: &str| -> Option<Value> {
            serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).ok()?).ok()
        };
        if read(header)?.get("alg").as_str() != Some("HS256") {
            return None;
        }
        let claims = read(claims)?;
        let expires = u64::try_from(claims.get("exp").as_i64()?).ok()?;
        (expires > seconds())
            .then(|| claims.get("preferred_username").as_str().map(str::to_owned))?
    }

    fn mac(&self, text: &str) -> Option<Hmac<Sha256>> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).ok()?;
        mac.update(text.as_bytes());
        Some(mac)
    }
}

/// The user that the header `authorization` proves.
pub(crate) fn authenticate(
    store: &Store,
    tokens: &Tokens,
    authorization: Option<&str>,
) -> Option<Arc<User>> {
    let (scheme, rest) = authorization?.split_once(' ')?;
    if scheme.eq_ignore_ascii_case("basic") {
        let decoded = String::from_utf8(STANDARD.decode(rest.trim()).ok()?).ok()?;
        let (name, password) = decoded.split_once(':')?;
        return store.user(name).filter(|user| user.accepts(password));
    }
    if scheme.eq_ignore_ascii_case("bearer") {
        return store
            .user(&tokens.check(rest.trim())?)
            .filter(|user| user.active);
    }
    None
}

/// The answer to a request without a valid login.
pub(crate) fn unauthorized(omit_challenge: bool) -> Reply {
    let error = ArangoError::new(number::FORBIDDEN, "not authorized to execute this request")
        .with_http(401);
    let reply = Reply::error(&error);
    if omit_challenge {
        return reply;
    }
    let name = axum::http::header::WWW_AUTHENTICATE;
    reply
        .with(
            name.clone(),
            "Bearer token_type=\"JWT\", realm=\"ArangoDB\"",
        )
        .with(name, "Basic realm=\"ArangoDB\"")
}

/// `POST /_open/auth`: user name and password for a token.
///
/// # Errors
/// 401/401 for wrong ones, 400 for a body of another shape.
pub(crate) fn open_session(
    store: &Store,
    tokens: &Tokens,
    body: &[u8],
) -> Result<Reply, ArangoError> {
    let body: Value = serde_json::from_slice(body).map_err(|error| {
        ArangoError::new(
            number::HTTP_CORRUPTED_JSON,
            format!("VPackError error: {error}"),
        )
    })?;
    let (name, password) = (body.get("username"), body.get("password"));
    let (Some(name), Some(password)) = (name.as_str(), password.as_str()) else {
        return Err(ArangoError::bad_request(
            "username and password must be strings",
        ));
    };
    match store.user(name).filter(|user| user.accepts(password)) {
        Some(user) => Ok(Reply::bare(
            200,
            &Value::object(fields([("jwt", Value::from(tokens.issue(&user.name)))])),
        )),
        None => Err(ArangoError::new(
            number::HTTP_UNAUTHORIZED,
            "Wrong credentials",
        )),
    }
}

fn seconds() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |time| time.as_secs())
}

fn integer(n: u64) -> Value {
    Value::Int(i64::try_from(n).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    use super::{HEADER, Tokens, authenticate};
    use crate::storage::{Store, User};

    fn store() -> Store {
        let store = Store::new();
        store.put_user(User::superuser("root", "secret"));
        store
    }

    #[test]
    fn a_token_proves_its_user_until_a_byte_changes() {
        let (store, tokens) = (store(), Tokens::new().expect("randomness"));
        let token = tokens.issue("root");
        let user = authenticate(&store, &tokens, Some(&format!("bearer {token}")));
        assert_eq!(user.map(|user| user.name.clone()), Some("root".to_owned()));
        let (signed, signature) = token.rsplit_once('.').expect("three parts");
        let claims =
            URL_SAFE_NO_PAD.encode("{\"preferred_username\":\"root\",\"exp\":99999999999}");
        for forged in [
            format!("{HEADER}.{claims}.{signature}"),
            format!("{signed}."),
            format!("{}.{claims}.", URL_SAFE_NO_PAD.encode("{\"alg\":\"none\"}")),
            Tokens::new().expect("randomness").issue("root"),
        ] {
            assert!(
                authenticate(&store, &tokens, Some(&format!("bearer {forged}"))).is_none(),
                "{forged}"
            );
        }
    }

    #[test]
    fn basic_authentication_needs_the_password() {
        let (store, tokens) = (store(), Tokens::new().expect("randomness"));
        // root:secret and root:other
        assert!(authenticate(&store, &tokens, Some("Basic cm9vdDpzZWNyZXQ=")).is_some());
        assert!(authenticate(&store, &tokens, Some("Basic cm9vdDpvdGhlcg==")).is_none());
        assert!(authenticate(&store, &tokens, Some("Basic ???")).is_none());
        assert!(authenticate(&store, &tokens, None).is_none());
    }
}
