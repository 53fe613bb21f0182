//! Analyzers: what turns a text into the tokens that `TOKENS()` gives and that a search compares.
//!
//! | type | here |
//! |---|---|
//! | `identity`, `delimiter`, `multi_delimiter`, `stem`, `norm`, `ngram`, `text`, `stopwords`, `segmentation`, `collation`, `wildcard`, `minhash`, `pipeline`, `aql` | computed |
//! | `geojson`, `geopoint`, `geo_s2` | no tokens: a search computes with the shapes themselves |
//! | `classification`, `nearest_neighbors` | an error that says so: they run a model that is not here |
//!
//! Words are those of Unicode's segmentation. The server's ICU knows dictionaries for Chinese, Japanese and Thai, so that
//! texts in these languages give longer words there.

mod collation;
mod minhash;
mod ngram;
mod read;
mod split;
mod term;
mod token;
mod word;

use super::{Context, messages};
use crate::error::ArangoError;
use crate::value::Value;
use word::{Case, Language};

pub(super) use minhash::Smallest;
pub(crate) use read::needs_shapes;
pub use token::Token;
use token::Tokens;

/// A way to turn texts into tokens, read from a definition.
#[derive(Debug)]
pub struct Analyzer(Step);

#[derive(Debug)]
enum Step {
    Aql(Query),
    Identity,
    Collation(collation::Collation),
    Delimiter(String),
    MultiDelimiter(Vec<String>),
    Stem(Option<Language>),
    Norm { case: Case, accent: bool },
    Ngram(ngram::Ngram),
    Text(word::Text),
    Stopwords(Vec<String>),
    Segmentation(word::Segmentation),
    Wildcard { size: usize, inner: Box<Step> },
    Minhash { count: usize, inner: Box<Step> },
    Pipeline(Vec<Step>),
}

/// A query whose rows are the tokens.
#[derive(Debug)]
struct Query {
    text: String,
    keep_null: bool,
    /// What rows become.
    cast: fn(&Value) -> Value,
}

impl Analyzer {
    /// Reads the analyzer of a type from its properties.
    ///
    /// # Errors
    /// 501 for a type that this server does not compute, 400 for properties that the type does not understand.
    pub fn read(kind: &str, properties: &Value) -> Result<Self, ArangoError> {
        Step::read(kind, properties).map(Self)
    }

    /// The analyzer that every database has under a name: `identity` and `text_de` to `text_zh`.
    pub fn built_in(name: &str) -> Option<Self> {
        let step = match name.strip_prefix("text_") {
            None if name == "identity" => Step::Identity,
            Some(
                locale @ ("de" | "en" | "es" | "fi" | "fr" | "it" | "nl" | "no" | "pt" | "ru"
                | "sv" | "zh"),
            ) => Step::Text(word::Text::of(locale)),
            _ => return None,
        };
        Some(Self(step))
    }

    /// The tokens of a text.
    ///
    /// # Errors
    /// 32 where they take more memory than the query may, 1500 where the query was killed.
    pub fn tokens(&self, ctx: &mut Context<'_>, text: &str) -> Result<Vec<Token>, ArangoError> {
        let mut tokens = Tokens::new(ctx);
        self.0.run(&mut tokens, text)?;
        Ok(tokens.out)
    }
}

impl Step {
    fn run(&self, tokens: &mut Tokens<'_, '_>, text: &str) -> Result<(), ArangoError> {
        let all = 0..text.len();
        match self {
            Self::Aql(query) => query.run(tokens, text),
            Self::Identity => tokens.push(text.to_owned(), all),
            Self::Collation(collation) => tokens.push(collation.key(text), all),
            Self::Delimiter(delimiter) => split::by_delimiter(tokens, text, delimiter),
            Self::MultiDelimiter(delimiters) => split::by_delimiters(tokens, text, delimiters),
            Self::Stem(language) => tokens.push(word::stemmed(*language, text), all),
            Self::Norm { case, accent } => tokens.push(word::normalized(text, *case, *accent), all),
            Self::Ngram(ngram) => ngram.run(tokens, text),
            Self::Text(words) => words.run(tokens, text),
            Self::Stopwords(stopwords) if stopwords.iter().any(|word| word == text) => Ok(()),
            Self::Stopwords(_) => tokens.push(text.to_owned(), all),
            Self::Segmentation(segmentation) => segmentation.run(tokens, text),
            Self::Wildcard { size, inner } => {
                for word in inner.apart(tokens, text)? {
                    ngram::wildcard(tokens, &word.term.to_text(), &word.place, *size)?;
                }
                Ok(())
            }
            Self::Minhash { count, inner } => {
                let words = inner.apart(tokens, text)?;
                minhash::signature(tokens, &words, *count)
            }
            Self::Pipeline(steps) => Self::run_all(steps, tokens, text),
        }
    }

    /// The tokens of this step alone, with the memory still charged to the same query.
    fn apart(&self, tokens: &mut Tokens<'_, '_>, text: &str) -> Result<Vec<Token>, ArangoError> {
        let mut own = Tokens::new(tokens.ctx);
        self.run(&mut own, text)?;
        Ok(own.out)
    }

    /// Each token of a step is a text for the next.
    fn run_all(steps: &[Step], tokens: &mut Tokens<'_, '_>, text: &str) -> Result<(), ArangoError> {
        let Some((first, rest)) = steps.split_first() else {
            return tokens.push(text.to_owned(), 0..text.len());
        };
        if rest.is_empty() {
            return first.run(tokens, text);
        }
        for before in first.apart(tokens, text)? {
            let word = before.term.to_text();
            let mut inner = Tokens::new(tokens.ctx);
            Self::run_all(rest, &mut inner, &word)?;
            for (at, mut token) in inner.out.into_iter().enumerate() {
                // The end of the word is the end of what it was made of; places within it count from its beginning.
                let end = if token.place.end == word.len() {
                    before.place.end
                } else {
                    before.place.start + token.place.end
                };
                token.place = before.place.start + token.place.start..end;
                if at == 0 {
                    token.step = before.step;
                }
                tokens.add(token)?;
            }
        }
        Ok(())
    }
}

impl Query {
    fn run(&self, tokens: &mut Tokens<'_, '_>, text: &str) -> Result<(), ArangoError> {
        let rows = tokens.ctx.host.evaluate(&self.text, &Value::from(text))?;
        let kept = rows.iter().filter(|row| self.keep_null || !row.is_null());
        kept.map(self.cast).try_for_each(|term| {
            tokens.add(Token {
                term,
                place: 0..text.len(),
                step: 1,
            })
        })
    }
}

fn invalid(what: &str) -> ArangoError {
    ArangoError::bad_parameter(format!("invalid analyzer properties: {what}"))
}

fn text(properties: &Value, name: &str) -> Result<String, ArangoError> {
    let value = properties.get(name);
    value
        .as_str()
        .map(str::to_owned)
        .ok_or_else(|| invalid(&format!("`{name}` must be a text")))
}

fn texts(properties: &Value, name: &str) -> Result<Vec<String>, ArangoError> {
    let value = properties.get(name);
    let items = value
        .as_array()
        .ok_or_else(|| invalid(&format!("`{name}` must be an array of texts")))?;
    let item = |item: &Value| {
        item.as_str()
            .map(str::to_owned)
            .ok_or_else(|| invalid(&format!("`{name}` must hold texts")))
    };
    items.iter().map(item).collect()
}

/// `TOKENS(input, analyzer)`: of an array the tokens of each element, nested alike.
pub(super) fn tokens(ctx: &mut Context<'_>, args: &[Value]) -> Result<Value, ArangoError> {
    const NAME: &str = "TOKENS";
    let analyzer = match args.get(1) {
        None => Analyzer(Step::Identity),
        Some(Value::String(name)) => named(ctx, NAME, name)?,
        Some(_) => return Err(messages::argument_type(NAME)),
    };
    analyzed(ctx, &analyzer, super::arguments::arg(args, 0))
}

/// The analyzer of a name, of the database or built in, for a function.
///
/// # Errors
/// 400/10 for an unknown one, and those of [`Analyzer::read`].
pub(crate) fn named(
    ctx: &mut Context<'_>,
    function: &str,
    name: &str,
) -> Result<Analyzer, ArangoError> {
    let own = name.rsplit("::").next().unwrap_or(name);
    if let Some(definition) = ctx.host.analyzer(own)? {
        return Analyzer::read(&text(&definition, "type")?, &definition.get("properties"));
    }
    Analyzer::built_in(own).ok_or_else(|| {
        ArangoError::bad_parameter(format!(
            "failed to find analyzer with name '{name}' for function '{function}'"
        ))
    })
}

fn analyzed(
    ctx: &mut Context<'_>,
    analyzer: &Analyzer,
    input: &Value,
) -> Result<Value, ArangoError> {
    match input {
        Value::String(text) => Ok(Value::array(
            analyzer
                .tokens(ctx, text)?
                .into_iter()
                .map(|token| token.term)
                .collect(),
        )),
        Value::Array(items) => items
            .iter()
            .map(|item| analyzed(ctx, analyzer, item))
            .collect::<Result<_, _>>()
            .map(Value::array),
        Value::Object(_) => ctx.invalid("TOKENS"),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Double(_) => {
            Ok(Value::array(term::of(input)))
        }
    }
}
