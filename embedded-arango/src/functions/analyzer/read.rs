//! From the type and the properties of an analyzer's definition to the analyzer.

use super::word::{self, Case, Language};
use super::{Query, Step, collation, ngram, split, text, texts};
use crate::error::ArangoError;
use crate::value::Value;

/// Whether an analyzer of the type indexes shapes on the globe, which have no tokens here.
pub(crate) fn needs_shapes(kind: &str) -> bool {
    matches!(kind, "geojson" | "geopoint" | "geo_s2")
}

impl Step {
    pub(super) fn read(kind: &str, properties: &Value) -> Result<Self, ArangoError> {
        let accent = |default: bool| properties.get("accent").as_bool().unwrap_or(default);
        Ok(match kind {
            "aql" => Self::Aql(query(properties)?),
            "identity" => Self::Identity,
            "collation" => Self::Collation(collation::Collation::read(properties)?),
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
                inner: inner(properties)?,
            },
            "minhash" => Self::Minhash {
                count: ngram::size(properties, "numHashes")?,
                inner: inner(properties)?,
            },
            "pipeline" => {
                let steps = properties.get("pipeline");
                let steps = steps.as_array().unwrap_or_default();
                Self::Pipeline(steps.iter().map(nested).collect::<Result<_, _>>()?)
            }
            other => {
                return Err(ArangoError::not_implemented(format_args!(
                    "an analyzer of type `{other}`"
                )));
            }
        })
    }
}

/// An analyzer within another: `{type, properties}`.
fn nested(definition: &Value) -> Result<Step, ArangoError> {
    Step::read(&text(definition, "type")?, &definition.get("properties"))
}

/// The analyzer whose tokens another works on; the text as it is where there is none.
fn inner(properties: &Value) -> Result<Box<Step>, ArangoError> {
    let definition = properties.get("analyzer");
    let absent = definition.as_object().is_none_or(|one| one.is_empty());
    Ok(Box::new(if absent {
        Step::Identity
    } else {
        nested(&definition)?
    }))
}

fn query(properties: &Value) -> Result<Query, ArangoError> {
    let kind = properties.get("returnType");
    let cast: fn(&Value) -> Value = match kind.as_str() {
        None | Some("string") => |row| Value::from(row.to_text()),
        Some("number") => Value::to_number,
        Some("bool") => |row| Value::Bool(row.is_true()),
        Some(other) => {
            return Err(super::invalid(&format!(
                "`returnType` must be `string`, `number` or `bool`, not `{other}`"
            )));
        }
    };
    Ok(Query {
        text: text(properties, "queryString")?,
        keep_null: properties.get("keepNull").as_bool() != Some(false),
        cast,
    })
}
