//! Analyzers: what turns a text into the tokens that `TOKENS()` gives and that a search compares.
//!
//! | type | here |
//! |---|---|
//! | `identity`, `delimiter`, `multi_delimiter`, `stem`, `norm`, `ngram`, `text`, `stopwords`, `segmentation`, `wildcard`, `pipeline`, `aql` for strings | computed |
//! | `collation`, `classification`, `nearest_neighbors`, `minhash`, `geojson`, `geopoint`, `geo_s2` and others | an error that says so |
//!
//! Words are those of Unicode's segmentation. The server's ICU knows dictionaries for Chinese, Japanese and Thai, so that
//! texts in these languages give longer words there.

mod ngram;
mod split;
mod word;

use super::{Context, messages};
use crate::error::ArangoError;
use crate::value::Value;
use word::{Case, Language};

/// A way to turn texts into tokens, read from a definition.
#[derive(Debug)]
pub struct Analyzer(Step);

#[derive(Debug)]
enum Step {
    Aql { query: String, keep_null: bool },
    Identity,
    Delimiter(String),
    MultiDelimiter(Vec<String>),
    Stem(Option<Language>),
    Norm { case: Case, accent: bool },
    Ngram(ngram::Ngram),
    Text(word::Text),
    Stopwords(Vec<String>),
    Segmentation(word::Segmentation),
    Wildcard { size: usize, inner: Box<Step> },
    Pipeline(Vec<Step>),
}

/// Tokens as they come, their memory charged.
struct Tokens<'a, 'b> {
    ctx: &'a mut Context<'b>,
    out: Vec<String>,
    bytes: usize,
    charged_at: usize,
}

impl Tokens<'_, '_> {
    fn push(&mut self, token: String) -> Result<(), ArangoError> {
        self.ctx.tick(self.out.len())?;
        self.bytes += token.len() + size_of::<Value>();
        self.out.push(token);
        if self.bytes > self.charged_at {
            self.ctx.charge_text("TOKENS", self.bytes)?;
            self.charged_at = self.bytes * 2;
        }
        Ok(())
    }
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
    pub fn tokens(&self, ctx: &mut Context<'_>, text: &str) -> Result<Vec<String>, ArangoError> {
        let mut tokens = Tokens {
            ctx,
            out: Vec::new(),
            bytes: 0,
            charged_at: 4096,
        };
        self.0.run(&mut tokens, text)?;
        Ok(tokens.out)
    }
}

impl Step {
    fn read(kind: &str, properties: &Value) -> Result<Self, ArangoError> {
        let accent = |default: bool| properties.get("accent").as_bool().unwrap_or(default);
        Ok(match kind {
            "aql" => match properties.get("returnType").as_str() {
                None | Some("string") => Self::Aql {
                    query: text(properties, "queryString")?,
                    keep_null: properties.get("keepNull").as_bool() != Some(false),
                },
                Some(other) => {
                    let what = format_args!("an analyzer of type `aql` that returns `{other}`");
                    return Err(ArangoError::not_implemented(what));
                }
            },
            "identity" => Self::Identity,
            "delimiter" => Self::Delimiter(text(properties, "delimiter")?),
            "multi_delimiter" => Self::MultiDelimiter(texts(properties, "delimiters")?),
            "stem" => Self::Stem(Language::of(&text(properties, "locale")?)),
            "norm" => Self::Norm {
                case: Case::read(properties, Case::Keep)?,
                accent: accent(true),
            },
            "ngram" => Self::Ngram(ngram::Ngram::read(properties)?),
            "text" => Self::Text(word::Text::read(properties)?),
            "stopwords" => Self::Stopwords(split::stopwords(properties)?),
            "segmentation" => Self::Segmentation(word::Segmentation::read(properties)?),
            "wildcard" => Self::Wildcard {
                size: ngram::size(properties, "ngramSize")?.max(2),
                inner: Box::new(match properties.get("analyzer") {
                    Value::Null => Self::Identity,
                    inner => Self::read(&text(&inner, "type")?, &inner.get("properties"))?,
                }),
            },
            "pipeline" => {
                let steps = properties.get("pipeline");
                let read = |step: &Value| Self::read(&text(step, "type")?, &step.get("properties"));
                Self::Pipeline(
                    steps
                        .as_array()
                        .unwrap_or_default()
                        .iter()
                        .map(read)
                        .collect::<Result<_, _>>()?,
                )
            }
            other => {
                return Err(ArangoError::not_implemented(format_args!(
                    "an analyzer of type `{other}`"
                )));
            }
        })
    }

    fn run(&self, tokens: &mut Tokens<'_, '_>, text: &str) -> Result<(), ArangoError> {
        match self {
            Self::Aql { query, keep_null } => {
                let rows = tokens.ctx.host.evaluate(query, &Value::from(text))?;
                let kept = rows.iter().filter(|row| *keep_null || !row.is_null());
                kept.map(Value::to_text)
                    .try_for_each(|token| tokens.push(token))
            }
            Self::Identity => tokens.push(text.to_owned()),
            Self::Delimiter(delimiter) => split::by_delimiter(tokens, text, delimiter),
            Self::MultiDelimiter(delimiters) => split::by_delimiters(tokens, text, delimiters),
            Self::Stem(language) => tokens.push(word::stemmed(*language, text)),
            Self::Norm { case, accent } => tokens.push(word::normalized(text, *case, *accent)),
            Self::Ngram(ngram) => ngram.run(tokens, text),
            Self::Text(words) => words.run(tokens, text),
            Self::Stopwords(stopwords) if stopwords.iter().any(|word| word == text) => Ok(()),
            Self::Stopwords(_) => tokens.push(text.to_owned()),
            Self::Segmentation(segmentation) => segmentation.run(tokens, text),
            Self::Wildcard { size, inner } => {
                let mut words = Tokens {
                    ctx: &mut *tokens.ctx,
                    out: Vec::new(),
                    bytes: 0,
                    charged_at: 4096,
                };
                inner.run(&mut words, text)?;
                let words = words.out;
                words
                    .iter()
                    .try_for_each(|word| ngram::wildcard(tokens, word, *size))
            }
            Self::Pipeline(steps) => Self::run_all(steps, tokens, text),
        }
    }

    /// Each token of a step is a text for the next.
    fn run_all(steps: &[Step], tokens: &mut Tokens<'_, '_>, text: &str) -> Result<(), ArangoError> {
        let Some((first, rest)) = steps.split_first() else {
            return tokens.push(text.to_owned());
        };
        if rest.is_empty() {
            return first.run(tokens, text);
        }
        let mut between = Tokens {
            ctx: &mut *tokens.ctx,
            out: Vec::new(),
            bytes: 0,
            charged_at: 4096,
        };
        first.run(&mut between, text)?;
        let between = between.out;
        between
            .iter()
            .try_for_each(|token| Self::run_all(rest, tokens, token))
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
        Some(Value::String(name)) => named(ctx, name)?,
        Some(_) => return Err(messages::argument_type(NAME)),
    };
    analyzed(ctx, &analyzer, super::arguments::arg(args, 0))
}

/// The analyzer of a name, of the database or built in.
fn named(ctx: &mut Context<'_>, name: &str) -> Result<Analyzer, ArangoError> {
    let own = name.rsplit("::").next().unwrap_or(name);
    if let Some(definition) = ctx.host.analyzer(own)? {
        return Analyzer::read(&text(&definition, "type")?, &definition.get("properties"));
    }
    Analyzer::built_in(own).ok_or_else(|| {
        ArangoError::bad_parameter(format!(
            "failed to find analyzer with name '{name}' for function 'TOKENS'"
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
                .map(Value::from)
                .collect(),
        )),
        Value::Null => Ok(Value::array(vec![Value::from("")])),
        Value::Array(items) => items
            .iter()
            .map(|item| analyzed(ctx, analyzer, item))
            .collect::<Result<_, _>>()
            .map(Value::array),
        Value::Object(_) => ctx.invalid("TOKENS"),
        // The server gives its index's binary form of these.
        Value::Bool(_) | Value::Int(_) | Value::Double(_) => Err(ArangoError::not_implemented(
            format_args!("function `TOKENS` for a {}", input.type_name()),
        )),
    }
}
