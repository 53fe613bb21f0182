//! The documents of one collection as persistent maps: a clone is O(1), and a change leaves every clone as it was.

use std::ops::Bound::{Excluded, Included, Unbounded};
use std::sync::Arc;

use rpds::{HashTrieMapSync, RedBlackTreeMapSync};

use super::collection::CollectionKind;
use crate::value::Value;

/// The way that edges are followed from a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Edges whose `_from` is the vertex.
    Outbound,
    /// Edges whose `_to` is the vertex.
    Inbound,
    /// Both; an edge from the vertex to itself once.
    Any,
}

/// Edges by one of their ends, then in the order of insertion.
type Ends = RedBlackTreeMapSync<(Arc<str>, u64), ()>;

/// All documents of a collection. Every version of a document has a local id of its own, so that a changed document goes
/// to the end of the scan, as in the real server.
#[derive(Clone, Debug, Default)]
pub(crate) struct Documents {
    by_id: RedBlackTreeMapSync<u64, Value>,
    by_key: HashTrieMapSync<Arc<str>, u64>,
    from: Ends,
    to: Ends,
}

impl Documents {
    /// How many documents there are.
    pub(crate) fn len(&self) -> usize {
        self.by_key.size()
    }

    /// The document with a key.
    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        self.by_id.get(self.by_key.get(key)?)
    }

    /// The document with a local id.
    pub(crate) fn by_local_id(&self, id: u64) -> Option<&Value> {
        self.by_id.get(&id)
    }

    /// The local id of the document with a key.
    pub(crate) fn local_id(&self, key: &str) -> Option<u64> {
        self.by_key.get(key).copied()
    }

    /// Stores a version of the document `key`; the version before it must have been taken out.
    pub(crate) fn put(&mut self, kind: CollectionKind, key: &Arc<str>, id: u64, document: Value) {
        if kind == CollectionKind::Edge
            && let Some((from, to)) = ends(&document)
        {
            self.from.insert_mut((from, id), ());
            self.to.insert_mut((to, id), ());
        }
        self.by_key.insert_mut(Arc::clone(key), id);
        self.by_id.insert_mut(id, document);
    }

    /// Takes the document `key` out, and gives back its local id and itself.
    pub(crate) fn take(&mut self, kind: CollectionKind, key: &str) -> Option<(u64, Value)> {
        let id = self.by_key.get(key).copied()?;
        let document = self.by_id.get(&id).cloned()?;
        if kind == CollectionKind::Edge
            && let Some((from, to)) = ends(&document)
        {
            self.from.remove_mut(&(from, id));
            self.to.remove_mut(&(to, id));
        }
        self.by_key.remove_mut(key);
        self.by_id.remove_mut(&id);
        Some((id, document))
    }

    /// All documents in the order of insertion.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, &Value)> {
        self.by_id.iter().map(|(id, document)| (*id, document))
    }

    /// A walk over all documents that does not borrow.
    pub(crate) fn scan(&self) -> Scan {
        Scan {
            by_id: self.by_id.clone(),
            last: None,
            left: self.len(),
        }
    }

    /// The edges at a vertex, the outbound ones first.
    pub(crate) fn edges_of(&self, vertex: &str, direction: Direction) -> Vec<Value> {
        let vertex: Arc<str> = Arc::from(vertex);
        let mut edges = Vec::new();
        if direction != Direction::Inbound {
            edges.extend(self.at_end(&self.from, &vertex).cloned());
        }
        if direction != Direction::Outbound {
            let loops_seen = direction == Direction::Any;
            let inbound = self.at_end(&self.to, &vertex);
            edges.extend(
                inbound
                    .filter(|edge| !(loops_seen && edge.get("_from").as_str() == Some(&*vertex)))
                    .cloned(),
            );
        }
        edges
    }

    fn at_end<'a>(&'a self, ends: &'a Ends, vertex: &Arc<str>) -> impl Iterator<Item = &'a Value> {
        let range = (
            Included((Arc::clone(vertex), 0)),
            Included((Arc::clone(vertex), u64::MAX)),
        );
        ends.range(range)
            .filter_map(|((_, id), ())| self.by_id.get(id))
    }
}

/// A walk over the documents of a snapshot, in the order of insertion. It keeps its snapshot, so the collection may change
/// meanwhile.
#[derive(Clone, Debug, Default)]
pub struct Scan {
    by_id: RedBlackTreeMapSync<u64, Value>,
    last: Option<u64>,
    left: usize,
}

impl Iterator for Scan {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        let start = self.last.map_or(Unbounded, Excluded);
        let (id, document) = self.by_id.range((start, Unbounded)).next()?;
        let document = document.clone();
        self.last = Some(*id);
        self.left = self.left.saturating_sub(1);
        Some(document)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

/// `_from` and `_to` of an edge.
fn ends(edge: &Value) -> Option<(Arc<str>, Arc<str>)> {
    match (edge.get("_from"), edge.get("_to")) {
        (Value::String(from), Value::String(to)) => Some((from, to)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Direction, Documents};
    use crate::storage::CollectionKind;
    use crate::value::{Object, Value};

    fn edge(from: &str, to: &str) -> Value {
        Value::object(Object::from_iter([
            ("_from", Value::string(from)),
            ("_to", Value::string(to)),
        ]))
    }

    fn put(documents: &mut Documents, key: &str, id: u64, document: Value) {
        documents.put(CollectionKind::Edge, &Arc::from(key), id, document);
    }

    #[test]
    fn a_clone_does_not_see_later_changes() {
        let mut documents = Documents::default();
        put(&mut documents, "1", 1, edge("v/a", "v/b"));
        let before = documents.clone();
        documents.take(CollectionKind::Edge, "1");
        put(&mut documents, "2", 2, edge("v/a", "v/c"));
        assert_eq!(before.scan().count(), 1);
        assert!(before.get("1").is_some() && before.get("2").is_none());
        assert!(documents.get("1").is_none() && documents.get("2").is_some());
    }

    #[test]
    fn edges_are_found_from_either_end_and_a_loop_once() {
        let mut documents = Documents::default();
        put(&mut documents, "1", 1, edge("v/a", "v/b"));
        put(&mut documents, "2", 2, edge("v/b", "v/a"));
        put(&mut documents, "3", 3, edge("v/a", "v/a"));
        assert_eq!(documents.edges_of("v/a", Direction::Outbound).len(), 2);
        assert_eq!(documents.edges_of("v/a", Direction::Inbound).len(), 2);
        assert_eq!(documents.edges_of("v/a", Direction::Any).len(), 3);
        assert_eq!(documents.edges_of("v/", Direction::Any).len(), 0);
    }
}
