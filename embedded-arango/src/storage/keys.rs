//! Document keys: which ones are legal, and how a collection makes them.

use std::sync::atomic::{AtomicU64, Ordering};

use super::clock::Clock;
use crate::error::{ArangoError, number};
use crate::value::{Object, Value};

/// The longest legal key, in bytes.
const MAX_KEY_BYTES: usize = 254;

/// How a collection makes keys for documents that bring none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Generator {
    /// A growing number, not dense.
    Traditional,
    /// `offset`, then always `increment` more.
    Autoincrement { increment: u64, offset: u64 },
    /// A random UUID.
    Uuid,
    /// A growing number in hexadecimal, sixteen digits.
    Padded,
}

/// `keyOptions` of a collection.
#[derive(Debug)]
pub struct KeyOptions {
    /// Whether a document may bring its own `_key`.
    pub allow_user_keys: bool,
    pub(crate) generator: Generator,
    /// The greatest numeric key so far.
    last: AtomicU64,
}

impl Default for KeyOptions {
    fn default() -> Self {
        KeyOptions {
            allow_user_keys: true,
            generator: Generator::Traditional,
            last: AtomicU64::new(0),
        }
    }
}

impl KeyOptions {
    /// Reads `keyOptions` of a request; what is absent has the server's default.
    ///
    /// # Errors
    /// 1232 for an unknown generator or an increment of 0.
    pub fn parse(options: &Value) -> Result<Self, ArangoError> {
        let bad = |what: String| ArangoError::new(1232, what);
        let whole = |name: &str, default: u64| match options.get(name) {
            Value::Null => Ok(default),
            Value::Int(n) => u64::try_from(n)
                .map_err(|_| bad(format!("invalid value for `{name}` in keyOptions"))),
            _ => Err(bad(format!("invalid value for `{name}` in keyOptions"))),
        };
        let generator = match options.get("type") {
            Value::Null => Generator::Traditional,
            Value::String(kind) => match &*kind {
                "traditional" => Generator::Traditional,
                "uuid" => Generator::Uuid,
                "padded" => Generator::Padded,
                "autoincrement" => {
                    let increment = whole("increment", 1)?;
                    if increment == 0 {
                        return Err(bad("increment value must be greater than zero".to_owned()));
                    }
                    Generator::Autoincrement {
                        increment,
                        offset: whole("offset", 0)?,
                    }
                }
                other => return Err(bad(format!("invalid key generator type `{other}`"))),
            },
            _ => return Err(bad("invalid key generator type".to_owned())),
        };
        let allow_user_keys = !matches!(options.get("allowUserKeys"), Value::Bool(false));
        Ok(KeyOptions {
            allow_user_keys,
            generator,
            last: AtomicU64::new(0),
        })
    }

    /// The `keyOptions` of a properties response.
    pub(crate) fn to_object(&self) -> Object {
        let mut out = Object::default();
        out.insert("allowUserKeys", Value::Bool(self.allow_user_keys));
        let kind = match self.generator {
            Generator::Traditional => "traditional",
            Generator::Autoincrement { increment, offset } => {
                out.insert("increment", integer(increment));
                out.insert("offset", integer(offset));
                "autoincrement"
            }
            Generator::Uuid => "uuid",
            Generator::Padded => "padded",
        };
        out.insert("type", Value::String(kind.into()));
        if self.generator != Generator::Uuid {
            out.insert("lastValue", integer(self.last.load(Ordering::Relaxed)));
        }
        out
    }

    /// A key that the collection has not used.
    pub(crate) fn generate(&self, clock: &Clock) -> Result<String, ArangoError> {
        match self.generator {
            Generator::Traditional => {
                let next = clock.next_id();
                self.last.fetch_max(next, Ordering::Relaxed);
                Ok(next.to_string())
            }
            Generator::Padded => {
                let next = clock.next_id();
                self.last.fetch_max(next, Ordering::Relaxed);
                Ok(format!("{next:016x}"))
            }
            Generator::Autoincrement { increment, offset } => {
                let mut last = self.last.load(Ordering::Relaxed);
                loop {
                    let next = if last < offset {
                        offset.max(1)
                    } else {
                        last - (last - offset) % increment + increment
                    };
                    match self.last.compare_exchange_weak(
                        last,
                        next,
                        Ordering::Relaxed,
                        Ordering::Relaxed,
                    ) {
                        Ok(_) => return Ok(next.to_string()),
                        Err(current) => last = current,
                    }
                }
            }
            Generator::Uuid => uuid(),
        }
    }

    /// Takes note of a key that a document brought, so that generated ones stay above it.
    pub(crate) fn track(&self, key: &str) {
        if let Ok(number) = key.parse::<u64>() {
            self.last.fetch_max(number, Ordering::Relaxed);
        }
    }
}

/// Whether a text may be a `_key`: 1 to 254 bytes of letters, digits and `_-:.@()+,=;$!*'%`.
pub(crate) fn is_legal_key(key: &str) -> bool {
    !key.is_empty()
        && key.len() <= MAX_KEY_BYTES
        && key
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"_-:.@()+,=;$!*'%".contains(&b))
}

/// The error for a key that is not legal.
pub(crate) fn illegal_key() -> ArangoError {
    ArangoError::new(number::DOCUMENT_KEY_BAD, "illegal document key")
}

/// Takes `collection/key` apart; nothing where the text is no document id.
pub fn split_id(id: &str) -> Option<(&str, &str)> {
    let (collection, key) = id.split_once('/')?;
    (!collection.is_empty() && is_legal_key(key)).then_some((collection, key))
}

fn integer(n: u64) -> Value {
    Value::Int(i64::try_from(n).unwrap_or(i64::MAX))
}

fn uuid() -> Result<String, ArangoError> {
    let mut bytes = [0u8; 16];
    getrandom::fill(&mut bytes)
        .map_err(|e| ArangoError::internal(format!("no randomness for a key: {e}")))?;
    let [a, b, c, d, e, f, g, h, rest @ ..] = bytes;
    let (g, h2) = ((g & 0x0f) | 0x40, h);
    let [i, j, k, l, m, n, o, p] = rest;
    let i = (i & 0x3f) | 0x80;
    Ok(format!(
        "{a:02x}{b:02x}{c:02x}{d:02x}-{e:02x}{f:02x}-{g:02x}{h2:02x}-{i:02x}{j:02x}-{k:02x}{l:02x}{m:02x}{n:02x}{o:02x}{p:02x}"
    ))
}

#[cfg(test)]
mod tests {
    use super::{is_legal_key, split_id, uuid};

    #[test]
    fn a_key_of_letters_digits_and_the_listed_signs_is_legal() {
        for key in ["1", "a-b_c", "x:y@z", "(a)+,=;$!*'%", &"k".repeat(254)] {
            assert!(is_legal_key(key), "{key}");
        }
        for key in ["", "a/b", "a b", "ä", &"k".repeat(255)] {
            assert!(!is_legal_key(key), "{key}");
        }
    }

    #[test]
    fn an_id_splits_at_its_only_slash() {
        assert_eq!(split_id("users/1"), Some(("users", "1")));
        assert_eq!(split_id("users"), None);
        assert_eq!(split_id("users/1/2"), None);
        assert_eq!(split_id("/1"), None);
    }

    #[test]
    fn a_generated_uuid_is_a_legal_key_of_version_four() {
        let key = uuid().expect("randomness");
        assert!(is_legal_key(&key));
        assert_eq!(key.len(), 36);
        assert_eq!(key.as_bytes().get(14), Some(&b'4'));
    }
}
