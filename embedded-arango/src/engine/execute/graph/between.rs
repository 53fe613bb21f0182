//! The vertices that lie on a shortest path, where all edges count the same: searched from both ends.
//!
//! From one end a search reaches about as many vertices as the graph has; from both it reaches those within half the distance.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::super::runtime::Runtime;
use super::neighbours;
use super::shortest::{Barred, edge_id};
use crate::engine::plan::node::Graph;
use crate::error::ArangoError;

/// One end: how far each vertex is that was reached, and those that were reached last.
struct Side {
    reversed: bool,
    depth: u32,
    reached: HashMap<Arc<str>, u32>,
    last: Vec<Arc<str>>,
}

impl Side {
    fn new(end: &Arc<str>, reversed: bool) -> Self {
        Side {
            reversed,
            depth: 0,
            reached: HashMap::from([(Arc::clone(end), 0)]),
            last: vec![Arc::clone(end)],
        }
    }

    /// Goes one edge further from every vertex that was reached last.
    fn step(
        &mut self,
        graph: &Graph,
        barred: &Barred,
        run: &mut Runtime<'_>,
    ) -> Result<(), ArangoError> {
        self.depth += 1;
        let mut next = Vec::new();
        for vertex in std::mem::take(&mut self.last) {
            for other in steps(graph, barred, &vertex, self.reversed, run)? {
                if !self.reached.contains_key(&other) {
                    self.reached.insert(Arc::clone(&other), self.depth);
                    next.push(other);
                }
            }
        }
        self.last = next;
        Ok(())
    }

    /// Adds what lies between this end and the vertices where the searches met.
    fn trace(
        &self,
        met: &[Arc<str>],
        graph: &Graph,
        barred: &Barred,
        run: &mut Runtime<'_>,
        between: &mut HashSet<Arc<str>>,
    ) -> Result<(), ArangoError> {
        let mut layer = met.to_vec();
        let mut depth = layer
            .first()
            .and_then(|vertex| self.reached.get(vertex))
            .copied()
            .unwrap_or(0);
        while depth > 0 {
            depth -= 1;
            let mut nearer = Vec::new();
            for vertex in layer {
                for other in steps(graph, barred, &vertex, !self.reversed, run)? {
                    let closer = self.reached.get(&other) == Some(&depth);
                    if closer && between.insert(Arc::clone(&other)) {
                        nearer.push(other);
                    }
                }
            }
            layer = nearer;
        }
        Ok(())
    }
}

/// The vertices one edge away that may be used.
fn steps(
    graph: &Graph,
    barred: &Barred,
    vertex: &str,
    reversed: bool,
    run: &mut Runtime<'_>,
) -> Result<Vec<Arc<str>>, ArangoError> {
    let mut found = neighbours(graph, None, vertex, reversed, run)?;
    if !barred.edges.is_empty() {
        found.retain(|next| !barred.edges.contains(&edge_id(&next.edge)));
    }
    Ok(found
        .into_iter()
        .map(|next| next.vertex)
        .filter(|vertex| !barred.vertices.contains(vertex))
        .collect())
}

/// All vertices of all shortest paths, both ends included; `None` where no path leads from one to the other.
///
/// # Errors
/// What keeps an edge collection from being read, and 1500.
pub(super) fn between(
    graph: &Graph,
    from: &Arc<str>,
    to: &Arc<str>,
    barred: &Barred,
    run: &mut Runtime<'_>,
) -> Result<Option<HashSet<Arc<str>>>, ArangoError> {
    let mut there = Side::new(from, false);
    let mut back = Side::new(to, true);
    let mut met: Vec<Arc<str>> = Vec::new();
    if from == to {
        met.push(Arc::clone(from));
    }
    while met.is_empty() {
        if there.last.is_empty() || back.last.is_empty() {
            return Ok(None);
        }
        let (near, far) = if there.last.len() <= back.last.len() {
            (&mut there, &back)
        } else {
            (&mut back, &there)
        };
        near.step(graph, barred, run)?;
        // Where they first meet, every shortest path crosses what was reached last.
        met.extend(
            near.last
                .iter()
                .filter(|vertex| far.reached.contains_key(*vertex))
                .cloned(),
        );
    }
    let mut between: HashSet<Arc<str>> = met.iter().cloned().collect();
    there.trace(&met, graph, barred, run, &mut between)?;
    back.trace(&met, graph, barred, run, &mut between)?;
    Ok(Some(between))
}
