//! The one accepted form of a request's path. What a server, a proxy and this host could read differently is refused, not mended.
//!
//! | refused | because |
//! |---|---|
//! | `http://other/`, `//other/`, `a/b` | it names, or could name, another server |
//! | `/a/../b`, `/a/./b`, `/a//b`, `/a/` | it is another path once it is normalised |
//! | `%2e`, `%2f`, `%5c`, `%00`, encoded twice, too | it is one of the above once it is decoded |
//! | `\`, `#`, `;`, a space, controls, anything not ASCII | some servers end a path there, or read a separator |
//! | `%zz`, `%ff` | it is not percent-encoded UTF-8 |

/// Longer than any path of the contract, shorter than what servers allow.
const PATH_BYTES: usize = 8_192;

/// How often a segment is decoded to look for what hides in it: once for the server, twice for proxies that decode as well.
const DECODINGS: usize = 3;

/// Why a path is refused, whatever the grants say.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// It does not begin with one slash.
    #[error("it does not begin with one `/`")]
    NotAbsolute,
    /// It is longer than 8,192 bytes.
    #[error("it is longer than 8192 bytes")]
    TooLong,
    /// A character that must be percent-encoded, or that has no place in a path.
    #[error("the character {0:?} may not stand in it unencoded")]
    Character(char),
    /// An empty segment: two slashes, or one at the end.
    #[error("it has an empty segment")]
    EmptySegment,
    /// A segment that moves up or stays, in any spelling.
    #[error("the segment `{0}` moves within the path")]
    DotSegment(String),
    /// A percent sign without two hexadecimal digits, or bytes that are not UTF-8.
    #[error("`{0}` is not percent-encoded UTF-8")]
    Encoding(String),
    /// An encoded dot, slash, backslash or control character, at any depth of encoding.
    #[error("`{0}` hides a separator, a dot or a control character behind percent signs")]
    Hidden(String),
}

/// A path that passed, in pieces.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RequestPath<'a> {
    pub(super) segments: Vec<&'a str>,
    /// Names and values of the query string, as given. `None` where there is none.
    pub(super) query: Option<Vec<(&'a str, &'a str)>>,
}

impl<'a> RequestPath<'a> {
    pub(super) fn parse(text: &'a str) -> Result<Self, PathError> {
        if text.len() > PATH_BYTES {
            return Err(PathError::TooLong);
        }
        if let Some(bad) = text.chars().find(|character| !allowed(*character)) {
            return Err(PathError::Character(bad));
        }
        let (path, query) = match text.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (text, None),
        };
        let segments = path
            .strip_prefix('/')
            .filter(|rest| !rest.starts_with('/'))
            .ok_or(PathError::NotAbsolute)?;
        let segments: Vec<&str> = segments.split('/').collect();
        for segment in &segments {
            check_segment(segment)?;
        }
        let query = query.map(parse_query).transpose()?;
        Ok(Self { segments, query })
    }
}

fn parse_query(query: &str) -> Result<Vec<(&str, &str)>, PathError> {
    query
        .split('&')
        .map(|pair| {
            // A second `?` or a slash is legal in a query string and used by none of our requests.
            if let Some(bad) = pair
                .chars()
                .find(|character| matches!(character, '?' | '/'))
            {
                return Err(PathError::Character(bad));
            }
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            // A value may contain encoded dots and slashes: it names a thing, and no server takes it for a path.
            for part in [name, value] {
                let decoded = decode(part)?;
                if decoded.chars().any(char::is_control) {
                    return Err(PathError::Hidden(part.to_owned()));
                }
            }
            Ok((name, value))
        })
        .collect()
}

fn allowed(character: char) -> bool {
    character.is_ascii_alphanumeric() || "-._~!$&'()*+,=:@%/?".contains(character)
}

fn check_segment(segment: &str) -> Result<(), PathError> {
    if segment.is_empty() {
        return Err(PathError::EmptySegment);
    }
    if matches!(segment, "." | "..") {
        return Err(PathError::DotSegment(segment.to_owned()));
    }
    let mut text = segment.to_owned();
    for depth in 0..DECODINGS {
        if !text.contains('%') {
            break;
        }
        let hidden = || PathError::Hidden(segment.to_owned());
        let decoded = match decode(&text) {
            Ok(decoded) => decoded,
            Err(error) if depth == 0 => return Err(error),
            // A percent sign that is part of a name.
            Err(_) => break,
        };
        let lower = text.to_ascii_lowercase();
        if lower.contains("%2e")
            || decoded
                .chars()
                .any(|c| matches!(c, '/' | '\\') || c.is_control())
        {
            return Err(hidden());
        }
        text = decoded;
    }
    Ok(())
}

fn decode(text: &str) -> Result<String, PathError> {
    let bad = || PathError::Encoding(text.to_owned());
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || rest.next().and_then(|byte| char::from(byte).to_digit(16));
        let (high, low) = (digit().ok_or_else(bad)?, digit().ok_or_else(bad)?);
        bytes.push(u8::try_from(high * 16 + low).map_err(|_| bad())?);
    }
    String::from_utf8(bytes).map_err(|_| bad())
}
