//! The nearest vectors of a collection. The search is exact: every vector is compared, where the real server looks into some
//! cells of its index. Distances are single precision, as in the real index.

use super::stage::{Context, Operator, Stage};
use crate::engine::plan::node::{Metric, NearScan};
use crate::error::ArangoError;
use crate::value::Value;

/// Searches anew for each row before it.
pub(super) struct EnumerateNear {
    input: Stage,
    near: NearScan,
    path: Vec<String>,
    found: std::vec::IntoIter<(f32, Value)>,
}

impl EnumerateNear {
    pub(super) fn new(input: Stage, near: NearScan) -> Self {
        let field = near.index.fields.first().map_or("", String::as_str);
        let path = field.split('.').map(str::to_owned).collect();
        EnumerateNear {
            input,
            near,
            path,
            found: Vec::new().into_iter(),
        }
    }

    fn search(&mut self, context: &mut Context<'_, '_>) -> Result<(), ArangoError> {
        let dimension = self
            .near
            .index
            .vector
            .as_ref()
            .map_or(0, |info| info.dimension);
        let target = context.slot(self.near.target);
        let target = vector(&target)
            .filter(|target| target.len() == dimension)
            .ok_or_else(|| {
                ArangoError::bad_parameter(format!(
                    "a vector of {dimension} numbers is needed to search the index '{}'",
                    self.near.index.name
                ))
            })?;
        let Some(collection) = context.run.collection(&self.near.collection)? else {
            return Ok(());
        };
        let mut found = Vec::new();
        for document in collection.scan() {
            context.run.tick()?;
            context.run.stats.scanned_index += 1;
            let mut value = document.clone();
            for step in &self.path {
                value = value.get(step);
            }
            // What has no vector, or one of another length, is not in the index.
            let Some(other) = vector(&value).filter(|other| other.len() == dimension) else {
                continue;
            };
            if let Some(filter) = &self.near.filter {
                context.set(self.near.output, document.clone());
                if !context.eval(filter)?.is_true() {
                    context.run.stats.filtered += 1;
                    continue;
                }
            }
            let distance = compare(self.near.metric, &target, &other);
            context.run.charge_bytes(size_of::<(f32, Value)>())?;
            found.push((distance, document));
        }
        let charged = found.len() * size_of::<(f32, Value)>();
        // Equally near ones stay in the order of insertion.
        found.sort_by(|(left, _), (right, _)| match self.near.metric {
            Metric::L2 => left.total_cmp(right),
            Metric::Cosine | Metric::InnerProduct => right.total_cmp(left),
        });
        let most = self.near.offset.saturating_add(self.near.limit);
        found.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        context.run.release(charged);
        self.found = found.into_iter();
        Ok(())
    }
}

/// The numbers of an array that holds nothing else.
fn vector(value: &Value) -> Option<Vec<f32>> {
    let items = value.as_array()?;
    items
        .iter()
        .map(|item| match item {
            Value::Int(_) | Value::Double(_) => item.as_f64().map(|number| number as f32),
            _ => None,
        })
        .collect()
}

fn compare(metric: Metric, left: &[f32], right: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    match metric {
        Metric::InnerProduct => dot(left, right),
        Metric::L2 => left
            .iter()
            .zip(right)
            .map(|(a, b)| (a - b).powi(2))
            .sum::<f32>()
            .sqrt(),
        Metric::Cosine => {
            let lengths = (dot(left, left) * dot(right, right)).sqrt();
            // A vector of zeros points nowhere and is like no other.
            if lengths == 0.0 {
                0.0
            } else {
                dot(left, right) / lengths
            }
        }
    }
}

impl Operator for EnumerateNear {
    fn next(&mut self, context: &mut Context<'_, '_>) -> Result<bool, ArangoError> {
        loop {
            if let Some((distance, document)) = self.found.next() {
                context.set(self.near.output, document);
                context.set(self.near.distance, Value::from_f64(f64::from(distance)));
                return Ok(true);
            }
            if !self.input.next(context)? {
                return Ok(false);
            }
            self.search(context)?;
        }
    }

    fn reset(&mut self, context: &mut Context<'_, '_>) {
        self.found = Vec::new().into_iter();
        self.input.reset(context);
    }

    fn inputs(&self) -> Vec<&Stage> {
        vec![&self.input]
    }
}
