//! The condition after `SEARCH`, checked on one document of a view.
//!
//! A field counts where the view indexes it with the analyzer in effect: `identity`, unless `ANALYZER()` names another, or the
//! view is a search alias, whose index says which. A text is then its tokens, and a comparison holds where it holds for one of
//! them; elements of an array are each a value of the field.
//!
//! | form | holds where |
//! |---|---|
//! | `doc.f op x`, `doc.f IN list` | a token of the field satisfies it |
//! | `list ALL op doc.f` | for so many elements a token satisfies it |
//! | `STARTS_WITH`, `LIKE`, `LEVENSHTEIN_MATCH`, `IN_RANGE` | a token satisfies it |
//! | `PHRASE(doc.f, part, skip, part …)` | the parts' tokens follow each other in the field |
//! | `EXISTS(doc.f)`, `MIN_MATCH(…, n)`, `BOOST(x, n)` | the field is there; n conditions hold; `x` holds |
//! | anything else | the expression is true, geo points read as their analyzer says |
//!
//! Scores and offsets are not computed; the functions that need them say so.

use aql_syntax::ast::{BinaryOp, UnaryOp};

use super::stage::Context;
use crate::engine::evaluate::compare;
use crate::engine::plan::expression::{Ex, Quantifier, VarId};
use crate::error::ArangoError;
use crate::functions;
use crate::value::{Object, Value};

/// What a condition is checked against.
pub(super) struct Search<'a> {
    /// The variable of the document.
    pub(super) document: VarId,
    /// The link or inverted index of the document's collection.
    pub(super) link: &'a Value,
}

/// One requirement of a phrase: a token, or so many positions to pass over.
enum Step {
    Token(String),
    Skip(usize),
}

impl Search<'_> {
    /// Whether the current document satisfies the condition.
    pub(super) fn holds(
        &self,
        condition: &Ex,
        analyzer: &str,
        context: &mut Context<'_, '_>,
    ) -> Result<bool, ArangoError> {
        match condition {
            Ex::Binary(BinaryOp::And, left, right) => {
                Ok(self.holds(left, analyzer, context)? && self.holds(right, analyzer, context)?)
            }
            Ex::Binary(BinaryOp::Or, left, right) => {
                Ok(self.holds(left, analyzer, context)? || self.holds(right, analyzer, context)?)
            }
            Ex::Unary(UnaryOp::Not, operand) => Ok(!self.holds(operand, analyzer, context)?),
            Ex::Binary(op, left, right) => self.comparison(*op, left, right, analyzer, context),
            Ex::ArrayCompare(quantifier, op, left, right) => {
                let Some(path) = self.field(right) else {
                    return self.plain(condition, analyzer, context);
                };
                let tokens = self.tokens(&path, analyzer, context)?;
                let list = context.eval(left)?;
                let items = list.as_array().unwrap_or_default();
                let matching = items
                    .iter()
                    .filter(|item| tokens.iter().any(|token| compare(*op, item, token)))
                    .count();
                quantified(quantifier, matching, items.len(), context)
            }
            Ex::Call(function, arguments) => {
                self.call(function.name, arguments, condition, analyzer, context)
            }
            other => self.plain(other, analyzer, context),
        }
    }

    fn comparison(
        &self,
        op: BinaryOp,
        left: &Ex,
        right: &Ex,
        analyzer: &str,
        context: &mut Context<'_, '_>,
    ) -> Result<bool, ArangoError> {
        let (path, value, field_is_left) = match (self.field(left), self.field(right)) {
            (Some(path), None) => (path, right, true),
            (None, Some(path)) => (path, left, false),
            _ => {
                let whole = Ex::Binary(op, Box::new(left.clone()), Box::new(right.clone()));
                return self.plain(&whole, analyzer, context);
            }
        };
        let tokens = self.tokens(&path, analyzer, context)?;
        let value = context.eval(value)?;
        // What is unequal has no equal token: `!=` and `NOT IN` look at all of them.
        let (op, negated) = match op {
            BinaryOp::NotEqual => (BinaryOp::Equal, true),
            BinaryOp::NotIn => (BinaryOp::In, true),
            op => (op, false),
        };
        let found = tokens.iter().any(|token| match (op, field_is_left) {
            (BinaryOp::In, false) => match &value {
                Value::Array(items) => items
                    .iter()
                    .any(|item| compare(BinaryOp::Equal, item, token)),
                single => compare(BinaryOp::Equal, single, token),
            },
            (op, true) => compare(op, token, &value),
            (op, false) => compare(op, &value, token),
        });
        Ok(found != negated)
    }

    fn call(
        &self,
        name: &str,
        arguments: &[Ex],
        whole: &Ex,
        analyzer: &str,
        context: &mut Context<'_, '_>,
    ) -> Result<bool, ArangoError> {
        let Some((first, rest)) = arguments.split_first() else {
            return self.plain(whole, analyzer, context);
        };
        match name {
            "BOOST" => return self.holds(first, analyzer, context),
            "ANALYZER" => {
                let named = match rest.first() {
                    Some(named) => context.eval(named)?.to_text(),
                    None => analyzer.to_owned(),
                };
                return self.holds(first, &named, context);
            }
            "MIN_MATCH" => {
                let (least, conditions) = arguments.split_last().unwrap_or((first, &[]));
                let least = context.eval(least)?.to_i64();
                let mut matching = 0;
                for condition in conditions {
                    matching += i64::from(self.holds(condition, analyzer, context)?);
                }
                return Ok(matching >= least);
            }
            _ => {}
        }
        let Some(path) = self.field(first) else {
            return self.plain(whole, analyzer, context);
        };
        match name {
            "EXISTS" => Ok(!self.values(&path, context).is_empty()),
            "PHRASE" => self.phrase(&path, rest, analyzer, context),
            "STARTS_WITH" | "LIKE" | "LEVENSHTEIN_MATCH" | "IN_RANGE" => {
                let mut values = Vec::with_capacity(arguments.len());
                for argument in rest {
                    values.push(context.eval(argument)?);
                }
                for token in self.tokens(&path, analyzer, context)? {
                    let mut all = vec![token];
                    all.extend(values.iter().cloned());
                    if call(name, &all, context)?.is_true() {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => self.plain(whole, analyzer, context),
        }
    }

    /// The parts: texts, each taken apart by the analyzer, arrays of such parts, numbers of positions to skip, and at the end
    /// perhaps an analyzer's name.
    fn phrase(
        &self,
        path: &[&str],
        parts: &[Ex],
        analyzer: &str,
        context: &mut Context<'_, '_>,
    ) -> Result<bool, ArangoError> {
        let mut values = Vec::new();
        for part in parts {
            match context.eval(part)? {
                Value::Array(items) => values.extend(items.iter().cloned()),
                value => values.push(value),
            }
        }
        // Two texts in a row: the second is the name of an analyzer.
        let named = match values.as_slice() {
            [.., Value::String(_), Value::String(_)] => values.pop().map(|name| name.to_text()),
            _ => None,
        };
        let analyzer = self.effective(path, named.as_deref().unwrap_or(analyzer));
        let mut steps = Vec::new();
        for value in &values {
            match value {
                Value::String(text) => {
                    let tokens = tokenize(text, &analyzer, context)?;
                    steps.extend(tokens.iter().map(|token| Step::Token(token.to_text())));
                }
                Value::Int(_) | Value::Double(_) => {
                    steps.push(Step::Skip(usize::try_from(value.to_i64()).unwrap_or(0)));
                }
                _ => {
                    return Err(ArangoError::not_implemented(
                        "a part of `PHRASE()` that is neither text nor number",
                    ));
                }
            }
        }
        for value in self.values(path, context) {
            let Value::String(text) = value else {
                continue;
            };
            if !self.indexed(path, &analyzer) {
                continue;
            }
            let tokens: Vec<String> = tokenize(&text, &analyzer, context)?
                .iter()
                .map(Value::to_text)
                .collect();
            if (0..tokens.len()).any(|start| follows(&steps, &tokens, start)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The path of a field of the document.
    fn field<'e>(&self, ex: &'e Ex) -> Option<Vec<&'e str>> {
        let (id, path) = ex.attribute_path()?;
        (id == self.document && !path.is_empty()).then_some(path)
    }

    /// The values of a field: elements of an array one by one.
    fn values(&self, path: &[&str], context: &Context<'_, '_>) -> Vec<Value> {
        let mut value = context.slot(self.document);
        for (at, step) in path.iter().enumerate() {
            let known = value
                .as_object()
                .is_some_and(|object| object.contains(step));
            if !known {
                return Vec::new();
            }
            value = value.get(step);
            if let (Value::Array(items), true) = (&value, at + 1 == path.len()) {
                return items.to_vec();
            }
        }
        vec![value]
    }

    /// The tokens of a field.
    fn tokens(
        &self,
        path: &[&str],
        analyzer: &str,
        context: &mut Context<'_, '_>,
    ) -> Result<Vec<Value>, ArangoError> {
        let analyzer = self.effective(path, analyzer);
        let mut tokens = Vec::new();
        for value in self.values(path, context) {
            match value {
                Value::String(text) if self.indexed(path, &analyzer) => {
                    tokens.extend(tokenize(&text, &analyzer, context)?);
                }
                Value::String(_) => {}
                // Numbers, truth values and null are indexed as they are, whatever the analyzer.
                value => tokens.push(value),
            }
        }
        Ok(tokens)
    }

    /// The analyzer that counts: in a search alias the field's own.
    fn effective(&self, path: &[&str], analyzer: &str) -> String {
        self.inverted(path)
            .unwrap_or_else(|| local(analyzer).to_owned())
    }

    /// The analyzer of a field of an inverted index; nothing for a link.
    fn inverted(&self, path: &[&str]) -> Option<String> {
        let fields = self.link.get("fields");
        let fields = fields.as_array()?;
        let name = path.join(".");
        let field = fields.iter().find(|field| {
            let own = field.get("name").to_text();
            own == name || own.trim_end_matches("[*]") == name
        });
        let own = field.map(|field| field.get("analyzer"));
        match own {
            Some(Value::String(own)) => Some(local(&own).to_owned()),
            _ => match self.link.get("analyzer") {
                Value::String(general) => Some(local(&general).to_owned()),
                _ => Some("identity".to_owned()),
            },
        }
    }

    /// Whether the view indexes the field with the analyzer.
    fn indexed(&self, path: &[&str], analyzer: &str) -> bool {
        let mut at = self.link.clone();
        if at.get("fields").as_array().is_some() {
            return true;
        }
        let mut analyzers = at.get("analyzers");
        let mut all = at.get("includeAllFields").is_true();
        for step in path {
            let fields = at.get("fields");
            match fields.as_object().and_then(|fields| fields.get(step)) {
                Some(field) => {
                    at = field.clone();
                    if at.get("analyzers").as_array().is_some() {
                        analyzers = at.get("analyzers");
                    }
                    if let Value::Bool(own) = at.get("includeAllFields") {
                        all = own;
                    }
                }
                None if all => at = Value::Null,
                None => return false,
            }
        }
        match analyzers.as_array() {
            Some(names) if !names.is_empty() => names
                .iter()
                .any(|name| name.as_str().map(local) == Some(analyzer)),
            _ => analyzer == "identity",
        }
    }

    /// Any other expression, on the document as it is; with a geo point analyzer its points are read as that analyzer does.
    fn plain(
        &self,
        condition: &Ex,
        analyzer: &str,
        context: &mut Context<'_, '_>,
    ) -> Result<bool, ArangoError> {
        let definition = functions::Host::analyzer(context.run, analyzer)?;
        let kind = definition.as_ref().map(|one| one.get("type").to_text());
        if kind.as_deref() != Some("geopoint") {
            return Ok(context.eval(condition)?.is_true());
        }
        let properties = definition
            .map(|one| one.get("properties"))
            .unwrap_or_default();
        let before = context.slot(self.document);
        let mut read = before.clone();
        condition.walk(&mut |ex| {
            if let Some(path) = self.field(ex) {
                read = with_point(&read, &path, &properties);
            }
        });
        context.set(self.document, read);
        let held = context.eval(condition);
        context.set(self.document, before);
        Ok(held?.is_true())
    }
}

/// The name without the database before it.
fn local(analyzer: &str) -> &str {
    analyzer.rsplit("::").next().unwrap_or(analyzer)
}

fn call(
    name: &str,
    arguments: &[Value],
    context: &mut Context<'_, '_>,
) -> Result<Value, ArangoError> {
    match functions::lookup(name) {
        Some(function) => (function.eval)(&mut functions::Context { host: context.run }, arguments),
        None => Err(ArangoError::not_implemented(format!("`{name}`"))),
    }
}

fn tokenize(
    text: &str,
    analyzer: &str,
    context: &mut Context<'_, '_>,
) -> Result<Vec<Value>, ArangoError> {
    if analyzer == "identity" {
        return Ok(vec![Value::string(text)]);
    }
    let arguments = [Value::string(text), Value::string(analyzer)];
    match call("TOKENS", &arguments, context)? {
        Value::Array(tokens) => Ok(tokens.to_vec()),
        _ => Ok(Vec::new()),
    }
}

/// Whether the steps match the tokens from here on.
fn follows(steps: &[Step], tokens: &[String], start: usize) -> bool {
    let mut at = start;
    let mut matched = false;
    for step in steps {
        match step {
            Step::Skip(count) => at = at.saturating_add(*count),
            Step::Token(token) => {
                if tokens.get(at) != Some(token) {
                    return false;
                }
                matched = true;
                at += 1;
            }
        }
    }
    matched
}

fn quantified(
    quantifier: &Quantifier,
    matching: usize,
    all: usize,
    context: &mut Context<'_, '_>,
) -> Result<bool, ArangoError> {
    Ok(match quantifier {
        Quantifier::All => matching == all,
        Quantifier::Any => matching > 0,
        Quantifier::None => matching == 0,
        Quantifier::AtLeast(least) => matching as i64 >= context.eval(least)?.to_i64(),
        Quantifier::Exactly(exactly) => matching as i64 == context.eval(exactly)?.to_i64(),
        Quantifier::Between(low, high) => {
            let matching = matching as i64;
            matching >= context.eval(low)?.to_i64() && matching <= context.eval(high)?.to_i64()
        }
    })
}

/// The document with the latitude and longitude at the path as a point of longitude and latitude.
fn with_point(document: &Value, path: &[&str], properties: &Value) -> Value {
    let Some((first, rest)) = path.split_first() else {
        let (latitude, longitude) = match document {
            Value::Array(_) => (document.at(0), document.at(1)),
            _ => (
                reach(document, &properties.get("latitude")),
                reach(document, &properties.get("longitude")),
            ),
        };
        return Value::array(vec![longitude, latitude]);
    };
    match document.as_object() {
        Some(object) if object.contains(first) => {
            let mut changed: Object = object.clone();
            changed.insert(*first, with_point(&document.get(first), rest, properties));
            Value::object(changed)
        }
        _ => document.clone(),
    }
}

/// The value at a path of names.
fn reach(value: &Value, path: &Value) -> Value {
    let mut value = value.clone();
    for step in path.as_array().unwrap_or_default() {
        value = value.get(&step.to_text());
    }
    value
}
