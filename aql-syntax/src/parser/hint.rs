//! What is likely meant by a token out of place: the repairs that a person or a model needs most often.
//!
//! A hint is given only where one repair is likely, and says nothing about what else may be wrong.

use crate::token::{TokenKind, keyword};

use super::Parser;

impl Parser<'_> {
    /// The hint about the token, where one of these kinds was expected.
    pub(super) fn hint(&self, expecting: &[TokenKind]) -> Option<String> {
        let token = self.token.kind;
        if expecting.contains(&TokenKind::Identifier) && self.is_likely_name() {
            return self.quote_hint();
        }
        let after_return =
            expecting.contains(&TokenKind::End) || expecting.contains(&TokenKind::Close);
        if token.starts_statement() && after_return {
            let word = self.raw(self.token);
            return Some(["`RETURN` ends a query: write `", word, "` before it"].concat());
        }
        let word = self.raw(self.token);
        let hint = match token {
            TokenKind::Assign => "compare with `==`",
            TokenKind::Greater if self.previous.kind == TokenKind::Less => "compare with `!=`",
            TokenKind::Invalid if word == ";" => "write exactly one query, without `;`",
            TokenKind::Foreign => {
                "characters outside ASCII may stand only in quotes, backticks and comments"
            }
            TokenKind::Times if self.previous.kind == TokenKind::Open => {
                "count rows with `COLLECT WITH COUNT INTO n`, and a whole collection with `LENGTH(collection)`"
            }
            TokenKind::Range if self.is_followed_by(b'.') => "`...` needs ArangoDB 4",
            TokenKind::Identifier if word.eq_ignore_ascii_case("IS") => {
                "compare with `== null` or `!= null`"
            }
            TokenKind::Identifier if word.eq_ignore_ascii_case("WHEN") => {
                "write `condition ? value : other`"
            }
            _ => return None,
        };
        Some(String::from(hint))
    }

    /// The hint about a token where an operand was expected.
    pub(super) fn operand_hint(&self) -> Option<String> {
        use TokenKind::*;
        match self.token.kind {
            Asc | Desc | Graph | Aggregate | Distinct | Outbound | Inbound | Any | All | None
            | Match | While | Until | Scan | Fold => self.quote_hint(),
            _ => self.hint(&[]),
        }
    }

    /// The hint about a token where the key of an object was expected.
    pub(super) fn key_hint(&self) -> Option<String> {
        self.quote_hint().or_else(|| self.hint(&[]))
    }

    /// The advice to quote the token, where it is a keyword.
    fn quote_hint(&self) -> Option<String> {
        let word = self.raw(self.token);
        keyword(word)?;
        Some(
            [
                "`",
                word,
                "` is a keyword: as a name, write it in backticks",
            ]
            .concat(),
        )
    }

    /// Whether a keyword is likely meant as a name: unless it starts a statement, or where a name must follow what is before.
    fn is_likely_name(&self) -> bool {
        use TokenKind::*;
        keyword(self.raw(self.token)).is_some()
            && (!self.token.kind.starts_statement()
                || matches!(
                    self.previous.kind,
                    Dot | For | Let | Collect | Aggregate | Comma | ObjectOpen | ArrayOpen
                ))
    }

    fn is_followed_by(&self, byte: u8) -> bool {
        self.source.as_bytes().get(self.token.end as usize) == Some(&byte)
    }
}
