//! From the expression after `SEARCH` to a condition with values.
//!
//! | form | becomes |
//! |---|---|
//! | `doc.f op x`, `x op doc.f`, `doc.f IN list`, `LIKE` | terms of the field; a value is only compared with values of its type, texts by their bytes |
//! | `list ALL op doc.f` | so many of the comparisons |
//! | `STARTS_WITH`, `LIKE`, `LEVENSHTEIN_MATCH`, `NGRAM_MATCH`, `MINHASH_MATCH`, `IN_RANGE`, `PHRASE`, `EXISTS` of `doc.f` | what they say of the field's terms |
//! | `MIN_MATCH(…, n)`, `BOOST(x, n)`, `ANALYZER(x, a)`, `AND`, `OR`, `NOT` | combinations |
//! | what reads no field | everything or nothing |
//! | anything else | a check of each document |

use std::sync::Arc;

use aql_syntax::ast::{BinaryOp, UnaryOp};

use super::index::SearchIndex;
use super::layout::{Step, field_name, local};
use super::query::{Kind, Leaf, Query, Span, What, wanted};
use crate::engine::execute::stage::Context;
use crate::engine::plan::expression::{Ex, Quantifier, VarId};
use crate::error::ArangoError;
use crate::functions;
use crate::value::Value;

/// What is in effect at a place of the condition.
#[derive(Clone, Copy)]
pub(super) struct Around<'a> {
    pub(super) analyzer: &'a str,
    pub(super) boost: f32,
}

/// Translates for one index.
pub(super) struct Translator<'t> {
    pub(super) index: &'t SearchIndex,
    /// The variable of the document.
    pub(super) document: VarId,
}

impl Translator<'_> {
    pub(super) fn query(
        &self,
        ex: &Ex,
        around: Around<'_>,
        context: &mut Context<'_, '_>,
    ) -> Result<Query, ArangoError> {
        if !self.reads_document(ex) {
            let truth = context.eval(ex)?.is_true();
            return Ok(if truth { Query::All } else { Query::Nothing });
        }
        match ex {
            Ex::Binary(op @ (BinaryOp::And | BinaryOp::Or), ..) => {
                let mut operands = Vec::new();
                self.operands(*op, ex, around, context, &mut operands)?;
                Ok(match op {
                    BinaryOp::And => Query::And(operands),
                    _ => Query::Or(operands),
                })
            }
            Ex::Unary(UnaryOp::Not, operand) => {
                let operand = self.query(operand, around, context)?;
                Ok(Query::Not(Box::new(operand)))
            }
            Ex::Binary(op, left, right) => {
                let found = self.comparison(*op, left, right, around, context)?;
                Ok(found.unwrap_or_else(|| check(ex, around)))
            }
            Ex::Among {
                negated,
                value,
                list,
            } => {
                let op = if *negated {
                    BinaryOp::NotIn
                } else {
                    BinaryOp::In
                };
                let found = self.comparison(op, value, list, around, context)?;
                Ok(found.unwrap_or_else(|| check(ex, around)))
            }
            Ex::ArrayCompare(quantifier, op, left, right) => match field(right, self.document) {
                Some(path) => self.quantified(quantifier, *op, left, &path, around, context),
                None => Ok(check(ex, around)),
            },
            Ex::Call(function, arguments) => {
                let found = self.call(function.name, arguments, around, context)?;
                Ok(found.unwrap_or_else(|| check(ex, around)))
            }
            other => Ok(check(other, around)),
        }
    }

    fn operands(
        &self,
        op: BinaryOp,
        ex: &Ex,
        around: Around<'_>,
        context: &mut Context<'_, '_>,
        all: &mut Vec<Query>,
    ) -> Result<(), ArangoError> {
        match ex {
            Ex::Binary(own, left, right) if *own == op => {
                self.operands(op, left, around, context, all)?;
                self.operands(op, right, around, context, all)
            }
            other => {
                all.push(self.query(other, around, context)?);
                Ok(())
            }
        }
    }

    fn reads_document(&self, ex: &Ex) -> bool {
        let mut reads = false;
        ex.walk(&mut |ex| reads |= matches!(ex, Ex::Var(id) if *id == self.document));
        reads
    }

    fn comparison(
        &self,
        op: BinaryOp,
        left: &Ex,
        right: &Ex,
        around: Around<'_>,
        context: &mut Context<'_, '_>,
    ) -> Result<Option<Query>, ArangoError> {
        let (path, value, op) = match (field(left, self.document), field(right, self.document)) {
            (Some(path), None) if !self.reads_document(right) => (path, right, op),
            (None, Some(path)) if !self.reads_document(left) => match turned(op) {
                Some(op) => (path, left, op),
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        let value = context.eval(value)?;
        let leaf = |what| Query::Leaf(self.leaf(&path, around, what));
        let none_of = |query| Query::Not(Box::new(query));
        Ok(Some(match op {
            BinaryOp::Equal => leaf_of(self.equal(&value), &leaf),
            BinaryOp::NotEqual => none_of(leaf_of(self.equal(&value), &leaf)),
            BinaryOp::In => self.any_of(&value, &leaf),
            BinaryOp::NotIn => none_of(self.any_of(&value, &leaf)),
            BinaryOp::Less => leaf_of(between(None, Some((&value, false))), &leaf),
            BinaryOp::LessEqual => leaf_of(between(None, Some((&value, true))), &leaf),
            BinaryOp::Greater => leaf_of(between(Some((&value, false)), None), &leaf),
            BinaryOp::GreaterEqual => leaf_of(between(Some((&value, true)), None), &leaf),
            BinaryOp::Like => leaf(What::Like(value.to_text())),
            BinaryOp::NotLike => none_of(leaf(What::Like(value.to_text()))),
            _ => return Ok(None),
        }))
    }

    fn equal(&self, value: &Value) -> Option<What> {
        Some(match value {
            Value::Null => What::Null,
            Value::Bool(truth) => What::Truths(u8::from(*truth)..=u8::from(*truth)),
            Value::Int(_) | Value::Double(_) => {
                let number = Some((value.to_f64(), true));
                What::Numbers(Span {
                    low: number,
                    high: number,
                })
            }
            Value::String(text) => What::Terms(vec![Arc::clone(text)]),
            Value::Array(_) | Value::Object(_) => return None,
        })
    }

    fn any_of(&self, list: &Value, leaf: &dyn Fn(What) -> Query) -> Query {
        let mut terms = Vec::new();
        let mut others = Vec::new();
        for item in list.as_array().unwrap_or_default() {
            match item {
                Value::String(text) => terms.push(Arc::clone(text)),
                other => others.extend(self.equal(other).map(leaf)),
            }
        }
        if !terms.is_empty() {
            terms.sort();
            terms.dedup();
            others.push(leaf(What::Terms(terms)));
        }
        Query::Or(others)
    }

    fn quantified(
        &self,
        quantifier: &Quantifier,
        op: BinaryOp,
        list: &Ex,
        path: &[Step<'_>],
        around: Around<'_>,
        context: &mut Context<'_, '_>,
    ) -> Result<Query, ArangoError> {
        let list = context.eval(list)?;
        let mut numbers = Vec::new();
        match quantifier {
            Quantifier::AtLeast(n) | Quantifier::Exactly(n) => numbers.push(context.eval(n)?),
            Quantifier::Between(low, high) => {
                numbers.push(context.eval(low)?);
                numbers.push(context.eval(high)?);
            }
            Quantifier::All | Quantifier::Any | Quantifier::None => {}
        }
        let leaf = |what| Query::Leaf(self.leaf(path, around, what));
        let items = list.as_array().unwrap_or_default();
        let each: Vec<Query> = items
            .iter()
            .map(|item| match op {
                // An element takes the place that the field has in a comparison.
                BinaryOp::Equal | BinaryOp::In => leaf_of(self.equal(item), &leaf),
                BinaryOp::NotEqual | BinaryOp::NotIn => {
                    Query::Not(Box::new(leaf_of(self.equal(item), &leaf)))
                }
                BinaryOp::Less => leaf_of(between(Some((item, false)), None), &leaf),
                BinaryOp::LessEqual => leaf_of(between(Some((item, true)), None), &leaf),
                BinaryOp::Greater => leaf_of(between(None, Some((item, false))), &leaf),
                BinaryOp::GreaterEqual => leaf_of(between(None, Some((item, true))), &leaf),
                _ => Query::Nothing,
            })
            .collect();
        let (least, most) = wanted(quantifier, items.len(), &numbers);
        let enough = match least {
            0 => Query::All,
            1 => Query::Or(each.clone()),
            least => Query::AtLeast(least, each.clone()),
        };
        Ok(if most >= items.len() {
            enough
        } else {
            let more = Query::AtLeast(most + 1, each);
            Query::And(vec![enough, Query::Not(Box::new(more))])
        })
    }

    fn call(
        &self,
        name: &str,
        arguments: &[Ex],
        around: Around<'_>,
        context: &mut Context<'_, '_>,
    ) -> Result<Option<Query>, ArangoError> {
        let Some((first, rest)) = arguments.split_first() else {
            return Ok(None);
        };
        let mut values = |from: &[Ex]| -> Result<Vec<Value>, ArangoError> {
            from.iter().map(|ex| context.eval(ex)).collect()
        };
        match name {
            "BOOST" => {
                let boost = values(rest)?.first().map_or(1.0, Value::to_f64) as f32;
                let around = Around {
                    boost: around.boost * boost,
                    ..around
                };
                return self.query(first, around, context).map(Some);
            }
            "ANALYZER" => {
                let named = values(rest)?
                    .first()
                    .map(Value::to_text)
                    .unwrap_or_default();
                self.require_analyzer(&named, context)?;
                let around = Around {
                    analyzer: local(&named),
                    ..around
                };
                return self.query(first, around, context).map(Some);
            }
            "MIN_MATCH" => {
                let (least, conditions) = arguments.split_last().unwrap_or((first, &[]));
                let least = context.eval(least)?.to_i64();
                let mut each = Vec::with_capacity(conditions.len());
                for condition in conditions {
                    each.push(self.query(condition, around, context)?);
                }
                let least = usize::try_from(least).unwrap_or(0);
                return Ok(Some(match least {
                    0 => Query::All,
                    least => Query::AtLeast(least, each),
                }));
            }
            _ => {}
        }
        let Some(path) = field(first, self.document) else {
            return Ok(None);
        };
        if rest.iter().any(|ex| self.reads_document(ex)) {
            return Ok(None);
        }
        let values = values(rest)?;
        self.function(name, &path, &values, around, context)
    }

    /// A function of a field and of values.
    fn function(
        &self,
        name: &str,
        path: &[Step<'_>],
        values: &[Value],
        around: Around<'_>,
        context: &mut Context<'_, '_>,
    ) -> Result<Option<Query>, ArangoError> {
        let leaf = |what| Query::Leaf(self.leaf(path, around, what));
        let value = |at: usize| values.get(at).cloned().unwrap_or_default();
        let own_analyzer = |at: usize| match values.get(at) {
            Some(Value::String(named)) => local(named).to_owned(),
            _ => around.analyzer.to_owned(),
        };
        Ok(Some(match name {
            "EXISTS" => {
                let analyzer = own_analyzer(1);
                let around = Around {
                    analyzer: match values.first().map(Value::to_text).as_deref() {
                        Some("analyzer") => &analyzer,
                        _ => around.analyzer,
                    },
                    ..around
                };
                Query::Leaf(self.leaf(path, around, What::Present(kind(values.first())?)))
            }
            "STARTS_WITH" => match value(0) {
                Value::Array(prefixes) => {
                    let least = match values.get(1) {
                        Some(least) => usize::try_from(least.to_i64()).unwrap_or(0),
                        None => 1,
                    };
                    let texts = prefixes.iter().map(Value::to_text).collect();
                    leaf(What::Prefixes(texts, least))
                }
                prefix => leaf(What::Prefixes(vec![prefix.to_text()], 1)),
            },
            "LIKE" => leaf(What::Like(value(0).to_text())),
            "IN_RANGE" => {
                let (low, high) = (value(0), value(1));
                let low = (&low, value(2).is_true());
                leaf_of(between(Some(low), Some((&high, value(3).is_true()))), &leaf)
            }
            "LEVENSHTEIN_MATCH" => leaf(What::Fuzzy(super::fuzzy::read(values)?)),
            "NGRAM_MATCH" => {
                let (threshold, analyzer) = match values.get(1) {
                    Some(Value::String(_)) => (0.7, own_analyzer(1)),
                    Some(threshold) => (threshold.to_f64(), own_analyzer(2)),
                    None => (0.7, own_analyzer(2)),
                };
                let around = Around {
                    analyzer: &self.effective(path, &analyzer),
                    ..around
                };
                let terms = tokens(&value(0), around.analyzer, context)?;
                Query::Leaf(self.leaf(path, around, What::Pieces(terms, threshold)))
            }
            "MINHASH_MATCH" => {
                let around = Around {
                    analyzer: &self.effective(path, &own_analyzer(2)),
                    ..around
                };
                let mut terms = tokens(&value(0), around.analyzer, context)?;
                terms.sort();
                terms.dedup();
                let least = (value(1).to_f64() * terms.len() as f64).ceil() as usize;
                Query::Leaf(self.leaf(path, around, What::Several(terms, least.max(1))))
            }
            "PHRASE" => {
                let (parts, named) = super::phrase::split_analyzer(values);
                let analyzer = self.effective(path, named.unwrap_or(around.analyzer));
                let steps = super::phrase::steps(parts, &analyzer, context)?;
                let around = Around {
                    analyzer: &analyzer,
                    ..around
                };
                Query::Leaf(self.leaf(path, around, What::Phrase(steps)))
            }
            _ => return Ok(None),
        }))
    }

    /// The analyzer that counts: in an inverted index the field's own.
    fn effective(&self, path: &[Step<'_>], analyzer: &str) -> String {
        let field = self.index.layout.at(path);
        match field.and_then(|field| field.analyzers.first()) {
            Some(own) if self.index.is_inverted => own.name.to_string(),
            _ => local(analyzer).to_owned(),
        }
    }

    fn leaf(&self, path: &[Step<'_>], around: Around<'_>, what: What) -> Leaf {
        Leaf {
            field: field_name(path),
            analyzer: self.effective(path, around.analyzer),
            boost: around.boost,
            what,
        }
    }

    /// Refuses an analyzer that there is not.
    fn require_analyzer(
        &self,
        name: &str,
        context: &mut Context<'_, '_>,
    ) -> Result<(), ArangoError> {
        let known = functions::Host::analyzer(context.run, local(name))?.is_some()
            || functions::Analyzer::built_in(local(name)).is_some();
        if known {
            Ok(())
        } else {
            Err(ArangoError::bad_parameter(format!(
                "'ANALYZER' AQL function: Unable to load requested analyzer '{name}'"
            )))
        }
    }
}

/// The field of the document that an expression reads.
fn field(ex: &Ex, document: VarId) -> Option<Vec<Step<'_>>> {
    let mut path = Vec::new();
    let mut at = ex;
    loop {
        match at {
            Ex::Attribute(base, name) => {
                path.push(Step::Name(name));
                at = base;
            }
            Ex::Index(base, index) => {
                match index.constant()? {
                    Value::String(name) => path.push(Step::Name(name)),
                    position => {
                        path.push(Step::Position(usize::try_from(position.as_i64()?).ok()?))
                    }
                }
                at = base;
            }
            // `doc.list[*].name`: elements are values of the field anyway.
            Ex::Expansion(one) if one.filter.is_none() && one.limit.is_none() => {
                if let Some(projection) = &one.projection {
                    path.extend(field(projection, one.current)?.into_iter().rev());
                }
                at = &one.base;
            }
            Ex::Var(id) if *id == document || path.is_empty() => {
                path.reverse();
                return (*id == document && !path.is_empty()).then_some(path);
            }
            _ => return None,
        }
    }
}

/// The operator for operands that have changed places.
fn turned(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Equal | BinaryOp::NotEqual => op,
        BinaryOp::Less => BinaryOp::Greater,
        BinaryOp::LessEqual => BinaryOp::GreaterEqual,
        BinaryOp::Greater => BinaryOp::Less,
        BinaryOp::GreaterEqual => BinaryOp::LessEqual,
        // An element among the values of a field.
        BinaryOp::In => BinaryOp::Equal,
        BinaryOp::NotIn => BinaryOp::NotEqual,
        _ => return None,
    })
}

fn check(ex: &Ex, around: Around<'_>) -> Query {
    Query::Check(Box::new(ex.clone()), around.analyzer.to_owned())
}

fn leaf_of(what: Option<What>, leaf: &dyn Fn(What) -> Query) -> Query {
    what.map_or(Query::Nothing, leaf)
}

/// What lies between two values of one type.
fn between(low: Option<(&Value, bool)>, high: Option<(&Value, bool)>) -> Option<What> {
    let (some, _) = low.or(high)?;
    let kind = some.type_rank();
    if [low, high]
        .into_iter()
        .flatten()
        .any(|(value, _)| value.type_rank() != kind)
    {
        return None;
    }
    let end = |end: Option<(&Value, bool)>| end.map(|(value, with)| (value.clone(), with));
    let (low, high) = (end(low), end(high));
    Some(match some {
        Value::Null => {
            let includes = |end: &Option<(Value, bool)>| end.as_ref().is_none_or(|(_, with)| *with);
            if !includes(&low) || !includes(&high) {
                return None;
            }
            What::Null
        }
        Value::Bool(_) => {
            let number = |value: &Value| u8::from(value.is_true());
            let low = low.map_or(0, |(value, with)| number(&value) + u8::from(!with));
            let high = match high {
                Some((value, true)) => number(&value),
                Some((value, false)) => number(&value).checked_sub(1)?,
                None => 1,
            };
            What::Truths(low..=high)
        }
        Value::Int(_) | Value::Double(_) => {
            let number = |(value, with): (Value, bool)| (value.to_f64(), with);
            What::Numbers(Span {
                low: low.map(number),
                high: high.map(number),
            })
        }
        Value::String(_) => {
            let text = |(value, with): (Value, bool)| (Arc::from(value.to_text()), with);
            What::Texts(Span {
                low: low.map(text),
                high: high.map(text),
            })
        }
        Value::Array(_) | Value::Object(_) => return None,
    })
}

/// What the second argument of `EXISTS()` asks for.
fn kind(name: Option<&Value>) -> Result<Kind, ArangoError> {
    let Some(name) = name else {
        return Ok(Kind::Any);
    };
    Ok(match name.to_text().to_ascii_lowercase().as_str() {
        "string" => Kind::Text,
        "analyzer" => Kind::Analyzed,
        "numeric" => Kind::Number,
        "bool" | "boolean" => Kind::Truth,
        "null" => Kind::Null,
        "nested" => Kind::Any,
        other => {
            return Err(ArangoError::bad_parameter(format!(
                "'EXISTS' AQL function: 2nd argument must be equal to one of the following: 'string', 'type', 'numeric', \
                 'bool', 'analyzer', but got '{other}'"
            )));
        }
    })
}

/// The terms of a text under an analyzer.
pub(super) fn tokens(
    text: &Value,
    analyzer: &str,
    context: &mut Context<'_, '_>,
) -> Result<Vec<Arc<str>>, ArangoError> {
    let mut ctx = functions::Context { host: context.run };
    let analyzer = functions::named_analyzer(&mut ctx, "SEARCH", analyzer)?;
    let tokens = analyzer.tokens(&mut ctx, &text.to_text())?;
    Ok(tokens
        .into_iter()
        .map(|token| Arc::from(token.term.to_text()))
        .collect())
}
