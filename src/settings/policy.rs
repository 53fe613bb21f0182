//! What may be read: rules on the names of collections.
//!
//! | name | allowed |
//! |---|---|
//! | matches a pattern of `deny` | never |
//! | begins with `_` | only where `allow` holds exactly this name: a wildcard never reaches system collections |
//! | digits alone | never: the server takes such a name for a collection's id, which names another collection |
//! | any other | where `allow` is empty, or one of its patterns matches |
//!
//! A pattern is a name in which `*` stands for any run of characters, none included. Case counts, as it does in the server.

use core::fmt;

/// What may be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// Rules on collections.
    pub collections: CollectionRules,
}

/// Patterns of collections' names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CollectionRules {
    /// What may be read. Empty: everything that is not denied.
    pub allow: Vec<Pattern>,
    /// What may not be read, whatever `allow` says.
    pub deny: Vec<Pattern>,
}

impl Policy {
    /// Whether documents of this collection may be read.
    pub fn allows(&self, collection: &str) -> bool {
        let CollectionRules { allow, deny } = &self.collections;
        if collection.is_empty() || collection.bytes().all(|byte| byte.is_ascii_digit()) {
            return false;
        }
        if deny.iter().any(|pattern| pattern.matches(collection)) {
            return false;
        }
        if collection.starts_with('_') {
            return allow.iter().any(|pattern| pattern.is_exactly(collection));
        }
        allow.is_empty() || allow.iter().any(|pattern| pattern.matches(collection))
    }
}

/// A name in which `*` stands for any run of characters.
#[derive(Clone, PartialEq, Eq)]
pub struct Pattern(String);

impl Pattern {
    /// A pattern of this text. None where the text is empty, longer than 256 bytes, or holds a control character: no
    /// collection has such a name.
    pub fn new(text: &str) -> Option<Pattern> {
        let fits = !text.is_empty() && text.len() <= 256 && !text.chars().any(char::is_control);
        fits.then(|| Pattern(text.into()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the pattern has no wildcard and is this name.
    pub fn is_exactly(&self, name: &str) -> bool {
        !self.0.contains('*') && self.0 == name
    }

    /// Whether the pattern covers this name.
    pub fn matches(&self, name: &str) -> bool {
        // The usual walk with one point of return, linear but for repeated stars; bytes suffice, `*` is ASCII.
        let (pattern, name) = (self.0.as_bytes(), name.as_bytes());
        let (mut p, mut n) = (0_usize, 0_usize);
        let mut back: Option<(usize, usize)> = None;
        while n < name.len() {
            match pattern.get(p) {
                Some(b'*') => {
                    p = p.saturating_add(1);
                    back = Some((p, n));
                }
                Some(byte) if name.get(n) == Some(byte) => {
                    p = p.saturating_add(1);
                    n = n.saturating_add(1);
                }
                _ => {
                    let Some((star, from)) = back else {
                        return false;
                    };
                    let next = from.saturating_add(1);
                    back = Some((star, next));
                    p = star;
                    n = next;
                }
            }
        }
        pattern.iter().skip(p).all(|byte| *byte == b'*')
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}
