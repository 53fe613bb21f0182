//! The arguments of a tool call, read from JSON.
//!
//! | argument | accepted | refused |
//! |---|---|---|
//! | all | an object; for `get_schema` also `null` and nothing | anything else |
//! | `question` | a text that is not blank | anything else |
//! | `limit` | a number or a text with one: cut to a whole number, then kept within 1 and the maximum; absent, `null` or anything that holds no number: the default | `true`, `false` |
//! | `collection` | a text; absent or `null`: all | anything else |
//!
//! Unknown arguments are passed over: agents add some.

use std::borrow::Cow;

use crate::ask::{Error, ErrorKind, Result};
use crate::json::Value;

fn invalid(code: &str, message: impl Into<String>) -> Box<Error> {
    Error::new(ErrorKind::InvalidInput, code, message)
}

/// The arguments as an object.
pub(super) fn object(arguments: &str, may_be_empty: bool) -> Result<Value<'_>> {
    let text = arguments.trim();
    if may_be_empty && (text.is_empty() || text == "null") {
        return Ok(Value::Object(Vec::new()));
    }
    match Value::parse(text) {
        Ok(object @ Value::Object(_)) => Ok(object),
        Ok(_) if may_be_empty => Err(invalid(
            "tool-arguments",
            "tool input must be a JSON object or empty",
        )),
        Ok(_) => Err(invalid(
            "tool-arguments",
            "tool input must be a JSON object",
        )),
        Err(fault) => Err(invalid(
            "tool-arguments",
            format!(
                "tool input must be a JSON object, and is not valid JSON: {}",
                fault.tell(text)
            ),
        )),
    }
}

/// The question.
pub(super) fn question<'a>(arguments: &Value<'a>) -> Result<Cow<'a, str>> {
    match arguments.text_of("question") {
        Some(question) if !question.trim().is_empty() => Ok(question),
        _ => Err(invalid(
            "tool-question",
            "`question` is required and must be a non-empty string",
        )),
    }
}

/// The row limit, within `1..=max`.
pub(super) fn limit(arguments: &Value<'_>, default: u32, max: u32) -> Result<u32> {
    let wanted = match arguments.get("limit") {
        Some(Value::Bool(_)) => {
            return Err(invalid(
                "tool-limit",
                format!("`limit` must be a whole number from 1 to {max}, not true or false"),
            ));
        }
        Some(Value::Number(digits)) => aql_syntax::approximate(digits),
        // As the programs that this one replaces: a text counts where it is a whole number.
        Some(Value::Text(text)) => whole(text.decode().trim()),
        _ => None,
    };
    Ok(match wanted {
        // The cast cuts the fraction and keeps what is out of range at the bound.
        Some(number) => (number as u32).clamp(1, max),
        None => default.clamp(1, max),
    })
}

/// A whole number of any length, far ones at the bound.
fn whole(text: &str) -> Option<f64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = digits.bytes().fold(0_u32, |size, byte| {
        let digit = u32::from(byte.saturating_sub(b'0'));
        size.saturating_mul(10).saturating_add(digit)
    });
    Some(if negative { 0.0 } else { size.into() })
}

/// The collection that `get_schema` is asked for.
pub(super) fn collection<'a>(arguments: &Value<'a>) -> Result<Option<Cow<'a, str>>> {
    match arguments.get("collection") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Text(name)) => Ok(Some(name.decode())),
        Some(_) => Err(invalid(
            "tool-collection",
            "`collection` must be a string: the name of a collection",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit_of(json: &str) -> Result<u32> {
        limit(
            &object(&format!("{{\"limit\":{json}}}"), false).unwrap(),
            250,
            25_000,
        )
    }

    #[test]
    fn a_limit_is_read_as_its_users_know_it() {
        for (json, expected) in [
            ("7", 7),
            ("7.9", 7),
            ("\"7\"", 7),
            ("\" 7 \"", 7),
            ("\"1e3\"", 250),
            ("\"abc\"", 250),
            ("\"-\"", 250),
            ("\"99999999999999999999\"", 25_000),
            ("\"-99999999999999999999\"", 1),
            ("\"+7\"", 7),
            ("null", 250),
            ("[]", 250),
            ("-5", 1),
            ("0", 1),
            ("0.4", 1),
            ("1000000000", 25_000),
            ("1e300", 25_000),
            ("99999999999999999999", 25_000),
        ] {
            assert_eq!(limit_of(json).unwrap(), expected, "{json}");
        }
        assert_eq!(limit(&object("", true).unwrap(), 250, 25_000).unwrap(), 250);
        assert_eq!(limit(&object("", true).unwrap(), 250, 10).unwrap(), 10);
    }

    #[test]
    fn a_limit_that_is_true_or_false_is_refused() {
        assert_eq!(
            limit_of("true").unwrap_err().message,
            "`limit` must be a whole number from 1 to 25000, not true or false"
        );
    }

    #[test]
    fn arguments_that_are_no_object_are_refused() {
        for text in ["", "null", "[]", "5", "\"question\"", "{"] {
            let error = object(text, false).unwrap_err();
            assert_eq!(
                (error.kind, error.code.as_str()),
                (ErrorKind::InvalidInput, "tool-arguments"),
                "{text}"
            );
        }
        assert!(object("null", true).unwrap().members().is_empty());
        assert!(object("", true).unwrap().members().is_empty());
        assert!(object("[]", true).is_err());
    }

    #[test]
    fn a_question_that_is_blank_or_no_text_is_refused() {
        for json in [
            "{}",
            "{\"question\":null}",
            "{\"question\":5}",
            "{\"question\":\"\"}",
            "{\"question\":\" \\n\"}",
        ] {
            assert_eq!(
                question(&object(json, false).unwrap()).unwrap_err().message,
                "`question` is required and must be a non-empty string",
                "{json}"
            );
        }
    }

    #[test]
    fn a_collection_that_is_no_text_is_refused() {
        assert!(collection(&object("{\"collection\":5}", true).unwrap()).is_err());
        assert_eq!(
            collection(&object("{\"collection\":null}", true).unwrap()).unwrap(),
            None
        );
    }
}
