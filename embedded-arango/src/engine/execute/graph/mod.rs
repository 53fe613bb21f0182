//! Walking graphs: what traversals and path searches share.

mod between;
pub(super) mod paths;
pub(super) mod shortest;
pub(super) mod traversal;

use std::collections::HashMap;
use std::sync::Arc;

use aql_syntax::ast::Direction;

use super::runtime::Runtime;
use super::stage::Context;
use crate::engine::plan::expression::Ex;
use crate::engine::plan::node::{Graph, Weight};
use crate::error::{ArangoError, number};
use crate::storage;
use crate::value::{Object, Value};

/// An edge with the vertex at its other end.
pub(super) struct Neighbour {
    pub(super) edge: Value,
    pub(super) vertex: Arc<str>,
}

/// The edges that leave a vertex along the graph's directions; against them where `reversed`.
pub(super) fn neighbours(
    graph: &Graph,
    only: Option<&[String]>,
    vertex: &str,
    reversed: bool,
    run: &mut Runtime<'_>,
) -> Result<Vec<Neighbour>, ArangoError> {
    let mut found = Vec::new();
    for source in &graph.edges {
        if only.is_some_and(|only| !only.contains(&source.collection)) {
            continue;
        }
        let Some(collection) = run.collection(&source.collection)? else {
            continue;
        };
        let direction = match (source.direction, reversed) {
            (Direction::Any, _) => storage::Direction::Any,
            (Direction::Outbound, false) | (Direction::Inbound, true) => {
                storage::Direction::Outbound
            }
            _ => storage::Direction::Inbound,
        };
        run.stats.cursors_created += 1;
        for edge in collection.documents.edges_of(vertex, direction) {
            run.stats.scanned_index += 1;
            run.tick()?;
            let (from, to) = (edge.get("_from"), edge.get("_to"));
            let other = match direction {
                storage::Direction::Outbound => to,
                storage::Direction::Inbound => from,
                storage::Direction::Any if from.as_str() == Some(vertex) => to,
                storage::Direction::Any => from,
            };
            if let Value::String(vertex) = other {
                found.push(Neighbour { edge, vertex });
            }
        }
    }
    Ok(found)
}

/// The weight of an edge: its attribute where that is a number from 0, else the default.
pub(super) fn weigh(weight: Option<&Weight>, edge: &Value) -> f64 {
    let Some(weight) = weight else {
        return 1.0;
    };
    weight
        .attribute
        .as_ref()
        .and_then(|name| edge.get(name).as_f64())
        .filter(|number| *number >= 0.0)
        .unwrap_or(weight.default)
}

/// The id that an expression gives: a text, or the `_id` of an object. Nothing and a warning for all else.
pub(super) fn vertex_id(
    expression: &Ex,
    context: &mut Context<'_, '_>,
) -> Result<Option<Arc<str>>, ArangoError> {
    let id = match context.eval(expression)? {
        Value::String(id) => Some(id),
        Value::Object(document) => match document.get("_id") {
            Some(Value::String(id)) => Some(Arc::clone(id)),
            _ => None,
        },
        _ => None,
    };
    let valid = id.filter(|id| id.contains('/'));
    if valid.is_none() {
        context.run.note(
            number::BAD_PARAMETER,
            "invalid input for a graph operation: only id strings or objects with `_id` are allowed".into(),
        )?;
    }
    Ok(valid)
}

/// Vertices by id, each read once.
#[derive(Default)]
pub(super) struct Vertices {
    known: HashMap<Arc<str>, Value>,
}

impl Vertices {
    /// The document of a vertex.
    pub(super) fn get(
        &mut self,
        id: &Arc<str>,
        run: &mut Runtime<'_>,
    ) -> Result<Value, ArangoError> {
        if let Some(known) = self.known.get(id) {
            return Ok(known.clone());
        }
        let document = run.vertex(id)?;
        self.known.insert(Arc::clone(id), document.clone());
        Ok(document)
    }

    /// Forgets all, for another run.
    pub(super) fn clear(&mut self) {
        self.known.clear();
    }
}

/// A path as a list of vertices and the edges between them.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub(super) vertices: Vec<Arc<str>>,
    pub(super) edges: Vec<Value>,
    pub(super) weight: f64,
}

impl Path {
    /// The value that a path variable holds.
    pub(super) fn value(
        &self,
        weighed: bool,
        vertices: &mut Vertices,
        run: &mut Runtime<'_>,
    ) -> Result<Value, ArangoError> {
        let mut documents = Vec::with_capacity(self.vertices.len());
        for id in &self.vertices {
            documents.push(vertices.get(id, run)?);
        }
        let mut object = Object::with_capacity(3);
        object.insert("vertices", Value::array(documents));
        object.insert("edges", Value::array(self.edges.clone()));
        if weighed {
            object.insert("weight", Value::from_f64_narrow(self.weight));
        }
        Ok(Value::object(object))
    }
}
