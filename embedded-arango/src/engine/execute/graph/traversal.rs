//! Traversals: depth first, breadth first, or by weight.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use super::super::stage::{Context, Operator, Stage};
use super::{Neighbour, Vertices, neighbours, vertex_id, weigh};
use crate::engine::plan::node::{Order, Traversal as Plan, Uniqueness};
use crate::error::ArangoError;
use crate::value::{Object, Value};

/// About what one step costs in memory.
const STEP: usize = 128;

/// A vertex on the way, with the step before it.
struct Step {
    vertex: Arc<str>,
    edge: Value,
    before: Option<Rc<Step>>,
    depth: u64,
    weight: f64,
}

impl Drop for Step {
    /// Takes long chains apart one by one: each step dropped by the one after it would recurse as deep as the path.
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(step) = before {
            match Rc::try_unwrap(step) {
                Ok(mut step) => before = step.before.take(),
                Err(_) => break,
            }
        }
    }
}

/// A step in the heap: the lightest first, of equals the one that came first.
struct Heavy(Rc<Step>, u64);

impl Ord for Heavy {
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .0
            .weight
            .total_cmp(&self.0.weight)
            .then(other.1.cmp(&self.1))
    }
}

impl PartialOrd for Heavy {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Heavy {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Heavy {}

/// The steps that are still to be taken.
enum Open {
    Stack(Vec<Rc<Step>>),
    Queue(VecDeque<Rc<Step>>),
    Heap(BinaryHeap<Heavy>, u64),
}

impl Open {
    fn new(order: Order) -> Self {
        match order {
            Order::Depth => Open::Stack(Vec::new()),
            Order::Breadth => Open::Queue(VecDeque::new()),
            Order::Weighted => Open::Heap(BinaryHeap::new(), 0),
        }
    }

    fn push(&mut self, step: Rc<Step>) {
        match self {
            Open::Stack(steps) => steps.push(step),
            Open::Queue(steps) => steps.push_back(step),
            Open::Heap(steps, count) => {
                *count += 1;
                steps.push(Heavy(step, *count));
            }
        }
    }

    fn pop(&mut self) -> Option<Rc<Step>> {
        match self {
            Open::Stack(steps) => steps.pop(),
            Open::Queue(steps) => steps.pop_front(),
            Open::Heap(steps, _) => steps.pop().map(|Heavy(step, _)| step),
        }
    }
}

/// Walks from each row's start, and gives a row for each vertex within the depths.
pub(in super::super) struct Traversal {
    input: Stage,
    plan: Plan,
    open: Open,
    /// The vertices that a walk with globally unique vertices has taken.
    taken: HashSet<Arc<str>>,
    vertices: Vertices,
    held: usize,
}

impl Traversal {
    pub(in super::super) fn new(input: Stage, plan: Plan) -> Self {
        Traversal {
            input,
            open: Open::new(plan.order),
            plan,
            taken: HashSet::new(),
            vertices: Vertices::default(),
            held: 0,
        }
    }

    fn start(&mut self, context: &mut Context<'_, '_>) -> Result<(), ArangoError> {
        context.run.release(std::mem::take(&mut self.held));
        self.open = Open::new(self.plan.order);
        self.taken.clear();
        let Some(vertex) = vertex_id(&self.plan.start, context)? else {
            return Ok(());
        };
        if self.plan.order == Order::Breadth {
            self.taken.insert(Arc::clone(&vertex));
        }
        self.open.push(Rc::new(Step {
            vertex,
            edge: Value::Null,
            before: None,
            depth: 0,
            weight: 0.0,
        }));
        Ok(())
    }

    /// Takes a step: sets the variables, decides on pruning, and opens the steps after it. True where it is a row.
    fn take(
        &mut self,
        step: &Rc<Step>,
        context: &mut Context<'_, '_>,
    ) -> Result<bool, ArangoError> {
        // By weight a vertex is taken when it is reached most cheaply, which is when it leaves the heap.
        if self.plan.unique_vertices == Uniqueness::Global
            && self.plan.order == Order::Weighted
            && !self.taken.insert(Arc::clone(&step.vertex))
        {
            return Ok(false);
        }
        let is_row = step.depth >= self.plan.min;
        if is_row || self.plan.prune.is_some() {
            self.set(step, context)?;
        }
        let mut pruned = false;
        if let Some(prune) = &self.plan.prune {
            let value = context.eval(prune)?;
            pruned = value.is_true();
            if let Some(output) = self.plan.prune_output {
                context.set(output, value);
            }
        }
        if step.depth < self.plan.max && !pruned {
            let only = self.plan.edge_collections.as_deref();
            let next = neighbours(&self.plan.graph, only, &step.vertex, false, context.run)?;
            for neighbour in next {
                self.open_step(step, neighbour, context)?;
            }
        }
        Ok(is_row)
    }

    fn open_step(
        &mut self,
        before: &Rc<Step>,
        next: Neighbour,
        context: &mut Context<'_, '_>,
    ) -> Result<(), ArangoError> {
        let Neighbour { edge, vertex } = next;
        if let Some(only) = &self.plan.vertex_collections {
            let collection = vertex.split('/').next().unwrap_or_default();
            if !only.iter().any(|name| name == collection) {
                return Ok(());
            }
        }
        if self.plan.unique_edges == Uniqueness::Path && self.walked(before, &edge) {
            return Ok(());
        }
        match self.plan.unique_vertices {
            Uniqueness::Path if passed(before, &vertex) => return Ok(()),
            Uniqueness::Global
                if self.plan.order == Order::Breadth && !self.taken.insert(Arc::clone(&vertex)) =>
            {
                return Ok(());
            }
            _ => {}
        }
        context.run.charge_bytes(STEP)?;
        self.held += STEP;
        let weight = match self.plan.order {
            Order::Weighted => before.weight + weigh(Some(&self.plan.weight), &edge),
            _ => 0.0,
        };
        self.open.push(Rc::new(Step {
            vertex,
            edge,
            before: Some(Rc::clone(before)),
            depth: before.depth + 1,
            weight,
        }));
        Ok(())
    }

    /// Whether the way here has used the edge.
    fn walked(&self, step: &Rc<Step>, edge: &Value) -> bool {
        let id = edge.get("_id");
        let mut at = Some(step);
        while let Some(step) = at {
            if step.before.is_some() && step.edge.get("_id") == id {
                return true;
            }
            at = step.before.as_ref();
        }
        false
    }

    fn set(&mut self, step: &Rc<Step>, context: &mut Context<'_, '_>) -> Result<(), ArangoError> {
        let document = self.vertices.get(&step.vertex, context.run)?;
        context.set(self.plan.vertex, document);
        if self.plan.edge_used {
            context.set(self.plan.edge, step.edge.clone());
        }
        if self.plan.path_used {
            let path = self.path(step, context)?;
            context.set(self.plan.path, path);
        }
        Ok(())
    }

    fn path(
        &mut self,
        step: &Rc<Step>,
        context: &mut Context<'_, '_>,
    ) -> Result<Value, ArangoError> {
        let (mut vertices, mut edges, mut weights) = (Vec::new(), Vec::new(), Vec::new());
        let mut at = Some(step);
        while let Some(step) = at {
            vertices.push(self.vertices.get(&step.vertex, context.run)?);
            weights.push(Value::from_f64_narrow(step.weight));
            if step.before.is_some() {
                edges.push(step.edge.clone());
            }
            at = step.before.as_ref();
        }
        vertices.reverse();
        edges.reverse();
        weights.reverse();
        let mut path = Object::with_capacity(3);
        path.insert("vertices", Value::array(vertices));
        path.insert("edges", Value::array(edges));
        if self.plan.order == Order::Weighted {
            path.insert("weights", Value::array(weights));
        }
        Ok(Value::object(path))
    }
}

/// Whether the way here has passed the vertex.
fn passed(step: &Rc<Step>, vertex: &Arc<str>) -> bool {
    let mut at = Some(step);
    while let Some(step) = at {
        if step.vertex == *vertex {
            return true;
        }
        at = step.before.as_ref();
    }
    false
}

impl Operator for Traversal {
    fn next(&mut self, context: &mut Context<'_, '_>) -> Result<bool, ArangoError> {
        loop {
            while let Some(step) = self.open.pop() {
                context.run.tick()?;
                if self.take(&step, context)? {
                    return Ok(true);
                }
            }
            if !self.input.next(context)? {
                context.run.release(std::mem::take(&mut self.held));
                return Ok(false);
            }
            self.start(context)?;
        }
    }

    fn reset(&mut self, context: &mut Context<'_, '_>) {
        context.run.release(std::mem::take(&mut self.held));
        self.open = Open::new(self.plan.order);
        self.taken.clear();
        self.vertices.clear();
        self.input.reset(context);
    }

    fn inputs(&self) -> Vec<&Stage> {
        vec![&self.input]
    }
}
