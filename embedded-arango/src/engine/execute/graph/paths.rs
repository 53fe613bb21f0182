//! Many paths between two vertices: `K_SHORTEST_PATHS`, `ALL_SHORTEST_PATHS`, `K_PATHS`.
//!
//! Each gives its paths one by one, so that a `LIMIT` stops the search. No path passes a vertex twice.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use aql_syntax::ast::PathKind;

use super::super::runtime::Runtime;
use super::super::stage::{Context, Operator, Stage};
use super::shortest::{Barred, edge_id, search};
use super::{Neighbour, Path, Vertices, neighbours, vertex_id, weigh};
use crate::engine::plan::node::Paths as Plan;
use crate::error::ArangoError;

/// Gives a row for each path.
pub(in super::super) struct EnumeratePaths {
    input: Stage,
    plan: Plan,
    finder: Option<Finder>,
    vertices: Vertices,
}

/// A search under way.
enum Finder {
    Shortest(Shortest),
    Walk(Walk),
}

impl EnumeratePaths {
    pub(in super::super) fn new(input: Stage, plan: Plan) -> Self {
        EnumeratePaths {
            input,
            plan,
            finder: None,
            vertices: Vertices::default(),
        }
    }

    fn start(&mut self, context: &mut Context<'_, '_>) -> Result<Option<Finder>, ArangoError> {
        let from = vertex_id(&self.plan.from, context)?;
        let to = vertex_id(&self.plan.to, context)?;
        let (Some(from), Some(to)) = (from, to) else {
            return Ok(None);
        };
        let run = &mut *context.run;
        Ok(Some(match self.plan.kind {
            PathKind::KShortest => Finder::Shortest(Shortest::new(from, to)),
            PathKind::K => {
                let far = distances(&self.plan, &to, self.plan.max, None, run)?;
                Finder::Walk(Walk::new(from, to, self.plan.min, self.plan.max, far))
            }
            PathKind::AllShortest => {
                let far = distances(&self.plan, &to, u64::MAX, Some(&from), run)?;
                let length = far.get(&from).copied();
                // Without a way there is no length that a path could have.
                let (min, max) = length.map_or((1, 0), |length| (length, length));
                Finder::Walk(Walk::new(from, to, min, max, far))
            }
        }))
    }
}

/// How many edges each vertex is from the target, as far as `most`, or until `until` was reached.
fn distances(
    plan: &Plan,
    to: &Arc<str>,
    most: u64,
    until: Option<&Arc<str>>,
    run: &mut Runtime<'_>,
) -> Result<HashMap<Arc<str>, u64>, ArangoError> {
    let mut far = HashMap::from([(Arc::clone(to), 0)]);
    let mut open = VecDeque::from([(Arc::clone(to), 0_u64)]);
    while let Some((vertex, distance)) = open.pop_front() {
        if distance >= most || until == Some(&vertex) {
            continue;
        }
        for next in neighbours(&plan.graph, None, &vertex, true, run)? {
            if !far.contains_key(&next.vertex) {
                far.insert(Arc::clone(&next.vertex), distance + 1);
                open.push_back((next.vertex, distance + 1));
            }
        }
    }
    Ok(far)
}

/// All paths whose length lies within bounds, depth first, never into what is too far from the target.
struct Walk {
    to: Arc<str>,
    min: u64,
    max: u64,
    far: HashMap<Arc<str>, u64>,
    path: Path,
    passed: HashSet<Arc<str>>,
    /// The ways on from each vertex of the path.
    open: Vec<std::vec::IntoIter<Neighbour>>,
    start: Option<Arc<str>>,
}

impl Walk {
    fn new(from: Arc<str>, to: Arc<str>, min: u64, max: u64, far: HashMap<Arc<str>, u64>) -> Self {
        Walk {
            to,
            min,
            max,
            far,
            path: Path {
                vertices: Vec::new(),
                edges: Vec::new(),
                weight: 0.0,
            },
            passed: HashSet::new(),
            open: Vec::new(),
            start: Some(from),
        }
    }

    /// Goes to a vertex; true where the way there is a path.
    fn enter(
        &mut self,
        plan: &Plan,
        vertex: Arc<str>,
        run: &mut Runtime<'_>,
    ) -> Result<bool, ArangoError> {
        let depth = self.path.edges.len() as u64;
        let arrived = vertex == self.to;
        let next = if arrived || depth >= self.max {
            Vec::new()
        } else {
            neighbours(&plan.graph, None, &vertex, false, run)?
        };
        self.open.push(next.into_iter());
        self.passed.insert(Arc::clone(&vertex));
        self.path.vertices.push(vertex);
        Ok(arrived && depth >= self.min && depth <= self.max)
    }

    fn next(&mut self, plan: &Plan, run: &mut Runtime<'_>) -> Result<Option<Path>, ArangoError> {
        if let Some(start) = self.start.take()
            && self.enter(plan, start, run)?
        {
            return Ok(Some(self.path.clone()));
        }
        while let Some(open) = self.open.last_mut() {
            run.tick()?;
            let Some(Neighbour { edge, vertex }) = open.next() else {
                self.open.pop();
                self.path.edges.pop();
                if let Some(vertex) = self.path.vertices.pop() {
                    self.passed.remove(&vertex);
                }
                continue;
            };
            let depth = self.path.edges.len() as u64 + 1;
            let reachable = self
                .far
                .get(&vertex)
                .is_some_and(|left| depth.saturating_add(*left) <= self.max);
            if !reachable || self.passed.contains(&vertex) {
                continue;
            }
            self.path.edges.push(edge);
            if self.enter(plan, vertex, run)? {
                return Ok(Some(self.path.clone()));
            }
        }
        Ok(None)
    }
}

/// Yen's search: each further path leaves an earlier one at some vertex.
struct Shortest {
    from: Arc<str>,
    to: Arc<str>,
    given: Vec<Path>,
    candidates: Vec<Path>,
    known: HashSet<Vec<Arc<str>>>,
    started: bool,
}

impl Shortest {
    fn new(from: Arc<str>, to: Arc<str>) -> Self {
        Shortest {
            from,
            to,
            given: Vec::new(),
            candidates: Vec::new(),
            known: HashSet::new(),
            started: false,
        }
    }

    fn next(&mut self, plan: &Plan, run: &mut Runtime<'_>) -> Result<Option<Path>, ArangoError> {
        let weight = plan.weight.as_ref();
        if !self.started {
            self.started = true;
            let barred = Barred::default();
            let first = search(&plan.graph, weight, &self.from, &self.to, &barred, run)?;
            if let Some(path) = first {
                self.known.insert(signature(&path));
                self.given.push(path.clone());
                return Ok(Some(path));
            }
            return Ok(None);
        }
        if let Some(last) = self.given.last().cloned() {
            for at in 0..last.edges.len() {
                self.deviate(plan, &last, at, run)?;
            }
        }
        let lightest = self
            .candidates
            .iter()
            .enumerate()
            // Of equal weights the one found last, as recordings show.
            .rev()
            .min_by(|(_, left), (_, right)| left.weight.total_cmp(&right.weight))
            .map(|(at, _)| at);
        let Some(lightest) = lightest else {
            return Ok(None);
        };
        let path = self.candidates.remove(lightest);
        self.given.push(path.clone());
        Ok(Some(path))
    }

    /// Looks for the best path that leaves `last` at its vertex `at` by an edge that no path with this beginning has used.
    fn deviate(
        &mut self,
        plan: &Plan,
        last: &Path,
        at: usize,
        run: &mut Runtime<'_>,
    ) -> Result<(), ArangoError> {
        let weight = plan.weight.as_ref();
        let (Some(root), Some(trunk), Some(spur)) = (
            last.vertices.get(..at),
            last.edges.get(..at),
            last.vertices.get(at),
        ) else {
            return Ok(());
        };
        let mut barred = Barred {
            vertices: root.iter().cloned().collect(),
            edges: HashSet::new(),
        };
        for path in &self.given {
            let same = path.edges.get(..at).is_some_and(|edges| {
                edges
                    .iter()
                    .zip(trunk)
                    .all(|(left, right)| edge_id(left) == edge_id(right))
            });
            if let (true, Some(edge)) = (same, path.edges.get(at)) {
                barred.edges.insert(edge_id(edge));
            }
        }
        let Some(rest) = search(&plan.graph, weight, spur, &self.to, &barred, run)? else {
            return Ok(());
        };
        let mut path = Path {
            vertices: root.to_vec(),
            edges: trunk.to_vec(),
            weight: trunk.iter().map(|edge| weigh(weight, edge)).sum(),
        };
        path.vertices.extend(rest.vertices);
        path.edges.extend(rest.edges);
        path.weight += rest.weight;
        if self.known.insert(signature(&path)) {
            self.candidates.push(path);
        }
        Ok(())
    }
}

/// What tells paths apart: their edges, and for a path without edges its vertex.
fn signature(path: &Path) -> Vec<Arc<str>> {
    let start = path.vertices.first().cloned();
    start
        .into_iter()
        .chain(path.edges.iter().map(edge_id))
        .collect()
}

impl Operator for EnumeratePaths {
    fn next(&mut self, context: &mut Context<'_, '_>) -> Result<bool, ArangoError> {
        loop {
            let found = match &mut self.finder {
                None => None,
                Some(Finder::Shortest(finder)) => finder.next(&self.plan, context.run)?,
                Some(Finder::Walk(finder)) => finder.next(&self.plan, context.run)?,
            };
            if let Some(path) = found {
                let weighed = self.plan.kind == PathKind::KShortest;
                let value = path.value(weighed, &mut self.vertices, context.run)?;
                context.set(self.plan.path, value);
                return Ok(true);
            }
            self.finder = None;
            if !self.input.next(context)? {
                return Ok(false);
            }
            self.finder = self.start(context)?;
        }
    }

    fn reset(&mut self, context: &mut Context<'_, '_>) {
        self.finder = None;
        self.vertices.clear();
        self.input.reset(context);
    }

    fn inputs(&self) -> Vec<&Stage> {
        vec![&self.input]
    }
}
