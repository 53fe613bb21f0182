//! Words: segmentation, case, accents, stems.

use std::ops::Range;
use std::sync::OnceLock;

use fancy_regex::Regex;
use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use rust_stemmers::{Algorithm, Stemmer};
use unicode_segmentation::UnicodeSegmentation as _;

use super::token::Tokens;
use super::{invalid, ngram, text, texts};
use crate::error::ArangoError;
use crate::value::Value;

/// What happens to upper and lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    Keep,
    Lower,
    Upper,
}

impl Case {
    pub(super) fn read(properties: &Value, default: Case) -> Result<Self, ArangoError> {
        match properties.get("case").as_str() {
            None => Ok(default),
            Some("none") => Ok(Self::Keep),
            Some("lower") => Ok(Self::Lower),
            Some("upper") => Ok(Self::Upper),
            Some(other) => Err(invalid(&format!(
                "`case` must be `lower`, `upper` or `none`, not `{other}`"
            ))),
        }
    }

    fn apply(self, text: &str) -> String {
        match self {
            Self::Keep => text.to_owned(),
            Self::Lower => text.to_lowercase(),
            Self::Upper => text.to_uppercase(),
        }
    }
}

/// A language whose words have stems.
#[derive(Clone, Copy, Debug)]
pub(super) struct Language(Algorithm);

impl Language {
    /// The language of a locale, or `None` where no stems are known; words then stay as they are.
    pub(super) fn of(locale: &str) -> Option<Self> {
        Some(Self(match locale.get(..2)?.to_ascii_lowercase().as_str() {
            "ar" => Algorithm::Arabic,
            "da" => Algorithm::Danish,
            "de" => Algorithm::German,
            "el" => Algorithm::Greek,
            "en" => Algorithm::English,
            "es" => Algorithm::Spanish,
            "fi" => Algorithm::Finnish,
            "fr" => Algorithm::French,
            "hu" => Algorithm::Hungarian,
            "it" => Algorithm::Italian,
            "nl" => Algorithm::Dutch,
            "no" | "nb" | "nn" => Algorithm::Norwegian,
            "pt" => Algorithm::Portuguese,
            "ro" => Algorithm::Romanian,
            "ru" => Algorithm::Russian,
            "sv" => Algorithm::Swedish,
            "ta" => Algorithm::Tamil,
            "tr" => Algorithm::Turkish,
            _ => return None,
        }))
    }
}

pub(super) fn stemmed(language: Option<Language>, word: &str) -> String {
    match language {
        Some(Language(algorithm)) => Stemmer::create(algorithm).stem(word).into_owned(),
        None => word.to_owned(),
    }
}

/// The text composed, in a case, and without accents unless they are wanted.
pub(super) fn normalized(text: &str, case: Case, accent: bool) -> String {
    let composer = ComposingNormalizerBorrowed::new_nfc();
    let text = case.apply(&composer.normalize(text));
    if accent {
        return text;
    }
    let decomposed = DecomposingNormalizerBorrowed::new_nfd().normalize(&text);
    match marks() {
        Some(marks) => composer
            .normalize(&marks.replace_all(&decomposed, ""))
            .into_owned(),
        None => text,
    }
}

/// Marks that take no space of their own.
fn marks() -> Option<&'static Regex> {
    static MARKS: OnceLock<Option<Regex>> = OnceLock::new();
    MARKS.get_or_init(|| Regex::new(r"\p{Mn}+").ok()).as_ref()
}

/// The words of a text, each normalized and stemmed.
#[derive(Debug)]
pub(super) struct Text {
    case: Case,
    accent: bool,
    language: Option<Language>,
    stopwords: Vec<String>,
    edges: Option<Edges>,
}

/// The beginnings of words instead of the words.
#[derive(Debug)]
struct Edges {
    min: usize,
    max: usize,
    preserve: bool,
}

impl Text {
    /// As the built-in analyzer of a language does it.
    pub(super) fn of(locale: &str) -> Self {
        Self {
            case: Case::Lower,
            accent: false,
            language: Language::of(locale),
            stopwords: Vec::new(),
            edges: None,
        }
    }

    pub(super) fn read(properties: &Value) -> Result<Self, ArangoError> {
        let mut words = Self::of(&text(properties, "locale")?);
        words.case = Case::read(properties, Case::Lower)?;
        words.accent = properties.get("accent").is_true();
        if properties.get("stemming").as_bool() == Some(false) {
            words.language = None;
        }
        if !properties.get("stopwords").is_null() {
            words.stopwords = texts(properties, "stopwords")?;
        }
        let edges = properties.get("edgeNgram");
        if !edges.is_null() {
            words.edges = Some(Edges {
                min: if edges.get("min").is_null() {
                    1
                } else {
                    ngram::size(&edges, "min")?
                },
                max: if edges.get("max").is_null() {
                    usize::MAX
                } else {
                    ngram::size(&edges, "max")?
                },
                preserve: edges.get("preserveOriginal").is_true(),
            });
        }
        Ok(words)
    }

    pub(super) fn run(&self, tokens: &mut Tokens<'_, '_>, text: &str) -> Result<(), ArangoError> {
        for (begin, whole) in text.unicode_word_indices() {
            let word = normalized(whole, self.case, self.accent);
            if self.stopwords.contains(&word) {
                continue;
            }
            let word = stemmed(self.language, &word);
            let place = begin..begin + whole.len();
            match &self.edges {
                None => tokens.push(word, place)?,
                Some(edges) => edges.run(tokens, &word, place)?,
            }
        }
        Ok(())
    }
}

impl Edges {
    fn run(
        &self,
        tokens: &mut Tokens<'_, '_>,
        word: &str,
        place: Range<usize>,
    ) -> Result<(), ArangoError> {
        let mut step = 1;
        let ends: Vec<usize> = word
            .char_indices()
            .map(|(at, _)| at)
            .skip(1)
            .chain(std::iter::once(word.len()))
            .collect();
        for length in self.min..=self.max.min(ends.len()) {
            let end = ends.get(length - 1).copied().unwrap_or(word.len());
            let beginning = word.get(..end).unwrap_or_default().to_owned();
            let until = place.end.min(place.start + end);
            tokens.push_step(beginning, place.start..until, step)?;
            step = 0;
        }
        let was_edge = (self.min..=self.max).contains(&ends.len());
        if self.preserve && !was_edge {
            tokens.push_step(word.to_owned(), place, step)
        } else {
            Ok(())
        }
    }
}

/// The segments of a text between Unicode's boundaries of words.
#[derive(Debug)]
pub(super) struct Segmentation {
    case: Case,
    /// Which segments are tokens.
    keep: fn(char) -> bool,
}

impl Segmentation {
    pub(super) fn read(properties: &Value) -> Result<Self, ArangoError> {
        let keep: fn(char) -> bool = match properties.get("break").as_str() {
            None | Some("alpha") => char::is_alphanumeric,
            // The server takes a line feed for graphic, and no other space.
            Some("graphic") => |character| !character.is_whitespace() || character == '\n',
            Some("all") => |_| true,
            Some(other) => {
                return Err(invalid(&format!(
                    "`break` must be `all`, `alpha` or `graphic`, not `{other}`"
                )));
            }
        };
        Ok(Self {
            case: Case::read(properties, Case::Lower)?,
            keep,
        })
    }

    pub(super) fn run(&self, tokens: &mut Tokens<'_, '_>, text: &str) -> Result<(), ArangoError> {
        let segments = text
            .split_word_bound_indices()
            .filter(|(_, segment)| segment.chars().any(self.keep));
        for (begin, segment) in segments {
            tokens.push(self.case.apply(segment), begin..begin + segment.len())?;
        }
        Ok(())
    }
}
