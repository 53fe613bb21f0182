//! Objects: attributes in the order in which they were set, each name once.

use std::collections::HashMap;
use std::sync::Arc;

use super::Value;

/// Up to this many attributes a look-up by comparing names is faster than by hashing, and an object takes no index.
const LINEAR: usize = 16;

/// An object's attributes. A name that is set again keeps its place and gets the new value.
#[derive(Clone, Debug, Default)]
pub struct Object {
    entries: Vec<(Arc<str>, Value)>,
    /// Positions by name, kept only beyond [`LINEAR`] entries.
    index: Option<HashMap<Arc<str>, usize>>,
}

impl Object {
    /// An object without attributes.
    pub fn new() -> Self {
        Self::default()
    }

    /// An object without attributes, with room for `count`.
    pub fn with_capacity(count: usize) -> Self {
        Self {
            entries: Vec::with_capacity(count),
            index: None,
        }
    }

    /// How many attributes there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no attributes.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The attribute `name`.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.position(name)
            .and_then(|at| self.entries.get(at))
            .map(|(_, value)| value)
    }

    /// The attribute `name`, to change.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        let at = self.position(name)?;
        self.entries.get_mut(at).map(|(_, value)| value)
    }

    /// Whether there is an attribute `name`, even one that is `null`.
    pub fn contains(&self, name: &str) -> bool {
        self.position(name).is_some()
    }

    /// Sets the attribute `name` and gives back the value that it had. A new name goes to the end.
    pub fn insert(&mut self, name: impl Into<Arc<str>>, value: Value) -> Option<Value> {
        let name = name.into();
        if let Some((_, old)) = self.position(&name).and_then(|at| self.entries.get_mut(at)) {
            return Some(std::mem::replace(old, value));
        }
        if let Some(index) = &mut self.index {
            index.insert(name.clone(), self.entries.len());
        }
        self.entries.push((name, value));
        if self.index.is_none() && self.entries.len() > LINEAR {
            self.reindex();
        }
        None
    }

    /// Removes the attribute `name` and gives back its value. The others keep their order.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let at = self.position(name)?;
        let (_, value) = self.entries.remove(at);
        self.reindex();
        Some(value)
    }

    /// Keeps the attributes for which `keep` says so.
    pub fn retain(&mut self, mut keep: impl FnMut(&str, &Value) -> bool) {
        self.entries.retain(|(name, value)| keep(name, value));
        self.reindex();
    }

    /// The attributes in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Arc<str>, &Value)> + DoubleEndedIterator {
        self.entries.iter().map(|(name, value)| (name, value))
    }

    /// The names in order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &Arc<str>> {
        self.entries.iter().map(|(name, _)| name)
    }

    /// The values in order.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Value> {
        self.entries.iter().map(|(_, value)| value)
    }

    fn position(&self, name: &str) -> Option<usize> {
        match &self.index {
            Some(index) => index.get(name).copied(),
            None => self.entries.iter().position(|(other, _)| &**other == name),
        }
    }

    fn reindex(&mut self) {
        self.index = (self.entries.len() > LINEAR).then(|| {
            self.entries
                .iter()
                .enumerate()
                .map(|(at, (name, _))| (name.clone(), at))
                .collect()
        });
    }
}

impl<N: Into<Arc<str>>> FromIterator<(N, Value)> for Object {
    fn from_iter<I: IntoIterator<Item = (N, Value)>>(entries: I) -> Self {
        let mut object = Self::new();
        object.extend(entries);
        object
    }
}

impl<N: Into<Arc<str>>> Extend<(N, Value)> for Object {
    fn extend<I: IntoIterator<Item = (N, Value)>>(&mut self, entries: I) {
        for (name, value) in entries {
            self.insert(name, value);
        }
    }
}

impl IntoIterator for Object {
    type Item = (Arc<str>, Value);
    type IntoIter = std::vec::IntoIter<(Arc<str>, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl PartialEq for Object {
    /// Equal as AQL compares objects: whatever the order, and a missing attribute equals `null`.
    fn eq(&self, other: &Self) -> bool {
        super::order::compare_objects(self, other).is_eq()
    }
}

impl Eq for Object {}
