//! Keys whose order is the order of texts in a language.

use icu_collator::options::CollatorOptions;
use icu_collator::{CollatorBorrowed, CollatorPreferences};
use icu_locale_core::Locale;

use super::{invalid, text};
use crate::error::ArangoError;
use crate::value::Value;

/// Where the characters begin that stand for the bytes of a key: 256 of them that take two bytes each, in order.
const FIRST: u32 = 0x100;

/// The collation of a language.
pub(super) struct Collation {
    locale: String,
    collator: CollatorBorrowed<'static>,
}

impl std::fmt::Debug for Collation {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_tuple("Collation").field(&self.locale).finish()
    }
}

impl Collation {
    /// Reads the `locale`, such as `sv`, `de_AT` or `de_DE.UTF-8`.
    ///
    /// # Errors
    /// 400/10 for what is no locale.
    pub(super) fn read(properties: &Value) -> Result<Self, ArangoError> {
        let locale = text(properties, "locale")?;
        let name = locale.split(['.', '@']).next().unwrap_or_default();
        let parsed = Locale::try_from_str(&name.replace('_', "-"))
            .map_err(|_| invalid(&format!("`locale` must be a locale, not `{locale}`")))?;
        let preferences = CollatorPreferences::from(&parsed);
        let collator = CollatorBorrowed::try_new(preferences, CollatorOptions::default())
            .map_err(|_| invalid(&format!("`locale`: there is no collation for `{locale}`")))?;
        Ok(Collation { locale, collator })
    }

    /// The key of a text.
    pub(super) fn key(&self, text: &str) -> String {
        let mut bytes: Vec<u8> = Vec::with_capacity(text.len() * 2);
        let Ok(_) = self.collator.write_sort_key_to(text, &mut bytes);
        bytes
            .iter()
            .filter_map(|byte| char::from_u32(FIRST + u32::from(*byte)))
            .collect()
    }
}
