//! The shortest path between two vertices: by number of edges, or by weight.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::sync::Arc;

use super::super::runtime::Runtime;
use super::super::stage::{Context, Operator, Stage};
use super::between::between;
use super::{Path, Vertices, neighbours, vertex_id, weigh};
use crate::engine::plan::node::{Graph, ShortestPath as Plan, Weight};
use crate::error::ArangoError;
use crate::value::Value;

/// What a search must not use: for the paths after the first.
#[derive(Default)]
pub(super) struct Barred {
    pub(super) vertices: HashSet<Arc<str>>,
    pub(super) edges: HashSet<Arc<str>>,
}

/// For each vertex that was reached: how far it is, and the vertex and edge before it.
type Reached = HashMap<Arc<str>, (f64, Option<(Arc<str>, Value)>)>;

/// The weight as a key of the heap.
#[derive(PartialEq)]
struct Total(f64);

impl Eq for Total {}

impl PartialOrd for Total {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Total {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// Dijkstra's search. Without weights every edge weighs 1, and the search goes breadth first over the vertices that a search from
/// both ends has found to lie on a shortest path.
pub(super) fn search(
    graph: &Graph,
    weight: Option<&Weight>,
    from: &Arc<str>,
    to: &Arc<str>,
    barred: &Barred,
    run: &mut Runtime<'_>,
) -> Result<Option<Path>, ArangoError> {
    let on_the_way = match weight {
        Some(_) => None,
        None => match between(graph, from, to, barred, run)? {
            None => return Ok(None),
            found => found,
        },
    };
    let mut best = Reached::new();
    let mut settled: HashSet<Arc<str>> = HashSet::new();
    let mut open = BinaryHeap::new();
    let mut count = 0_u64;
    best.insert(Arc::clone(from), (0.0, None));
    open.push(Reverse((Total(0.0), count, Arc::clone(from))));
    while let Some(Reverse((Total(distance), _, vertex))) = open.pop() {
        if !settled.insert(Arc::clone(&vertex)) {
            continue;
        }
        if vertex == *to {
            return Ok(Some(unroll(&best, to, distance)));
        }
        for next in neighbours(graph, None, &vertex, false, run)? {
            let edge = edge_id(&next.edge);
            if settled.contains(&next.vertex)
                || on_the_way
                    .as_ref()
                    .is_some_and(|way| !way.contains(&next.vertex))
                || barred.vertices.contains(&next.vertex)
                || barred.edges.contains(&edge)
            {
                continue;
            }
            let reached = distance + weigh(weight, &next.edge);
            let better = best
                .get(&next.vertex)
                .is_none_or(|(known, _)| reached < *known);
            if better {
                let step = Some((Arc::clone(&vertex), next.edge));
                best.insert(Arc::clone(&next.vertex), (reached, step));
                count += 1;
                open.push(Reverse((Total(reached), count, next.vertex)));
            }
        }
    }
    Ok(None)
}

fn unroll(best: &Reached, to: &Arc<str>, weight: f64) -> Path {
    let (mut vertices, mut edges) = (vec![Arc::clone(to)], Vec::new());
    let mut at = to;
    while let Some((_, Some((before, edge)))) = best.get(at) {
        vertices.push(Arc::clone(before));
        edges.push(edge.clone());
        at = before;
    }
    vertices.reverse();
    edges.reverse();
    Path {
        vertices,
        edges,
        weight,
    }
}

/// The `_id` of an edge.
pub(super) fn edge_id(edge: &Value) -> Arc<str> {
    match edge.get("_id") {
        Value::String(id) => id,
        _ => Arc::from(""),
    }
}

/// Gives a row for each vertex of the path.
pub(in super::super) struct ShortestPath {
    input: Stage,
    plan: Plan,
    path: std::vec::IntoIter<(Arc<str>, Value)>,
    vertices: Vertices,
}

impl ShortestPath {
    pub(in super::super) fn new(input: Stage, plan: Plan) -> Self {
        ShortestPath {
            input,
            plan,
            path: Vec::new().into_iter(),
            vertices: Vertices::default(),
        }
    }
}

impl Operator for ShortestPath {
    fn next(&mut self, context: &mut Context<'_, '_>) -> Result<bool, ArangoError> {
        loop {
            if let Some((vertex, edge)) = self.path.next() {
                let document = self.vertices.get(&vertex, context.run)?;
                context.set(self.plan.vertex, document);
                if let Some(id) = self.plan.edge {
                    context.set(id, edge);
                }
                return Ok(true);
            }
            if !self.input.next(context)? {
                return Ok(false);
            }
            let from = vertex_id(&self.plan.from, context)?;
            let to = vertex_id(&self.plan.to, context)?;
            if let (Some(from), Some(to)) = (from, to) {
                let weight = self.plan.weight.as_ref();
                let barred = Barred::default();
                let found = search(&self.plan.graph, weight, &from, &to, &barred, context.run)?;
                if let Some(path) = found {
                    let edges = std::iter::once(Value::Null).chain(path.edges);
                    self.path = path
                        .vertices
                        .into_iter()
                        .zip(edges)
                        .collect::<Vec<_>>()
                        .into_iter();
                }
            }
        }
    }

    fn reset(&mut self, context: &mut Context<'_, '_>) {
        self.path = Vec::new().into_iter();
        self.vertices.clear();
        self.input.reset(context);
    }

    fn inputs(&self) -> Vec<&Stage> {
        vec![&self.input]
    }
}
