//! Traversals and path searches: depth, graph, options, and the collections that they read.

use aql_syntax::ast::{
    DataSource, Depth, Direction, Expr, GraphSubject, Paths as PathsSyntax,
    ShortestPath as ShortestSyntax, Traversal as TraversalSyntax,
};

use super::options::{flag, names, word};
use super::{Builder, bind, refused};
use crate::engine::catalog::SourceInfo;
use crate::engine::plan::expression::Ex;
use crate::engine::plan::node::{
    EdgeSource, Graph, NodeKind, Order, Paths, ShortestPath, Traversal, Uniqueness, Weight,
};
use crate::engine::plan::walk;
use crate::error::ArangoError;
use crate::value::Value;

impl Builder<'_> {
    pub(super) fn traversal(&mut self, syntax: &TraversalSyntax) -> Result<(), ArangoError> {
        self.refuse_after_write("traversal")?;
        let (min, max) = match &syntax.depth {
            Some(depth) => self.depth(depth)?,
            None => (1, 1),
        };
        let start = self.vertex(&syntax.start)?;
        let graph = self.graph(&syntax.graph, syntax.direction)?;
        let options = self.options(syntax.options.as_ref())?;
        let vertex = self.define(&syntax.vertex.text)?;
        self.mark_document(vertex);
        let edge = match &syntax.edge {
            Some(name) => self.define(&name.text)?,
            None => self.hidden()?,
        };
        let path = match &syntax.path {
            Some(name) => self.define(&name.text)?,
            None => self.hidden()?,
        };
        let (mut prune, mut prune_output) = (None, None);
        if let Some((name, condition)) = &syntax.prune {
            if walk::has_subquery(condition) {
                return Err(refused(1501, "prune condition must not use a subquery"));
            }
            prune = Some(self.expression(condition)?);
            if let Some(name) = name {
                prune_output = Some(self.define(&name.text)?);
            }
        }
        let order = order(&options)?;
        let unique_vertices = match word(&options, "uniqueVertices").as_deref() {
            None | Some("none") => Uniqueness::None,
            Some("path") => Uniqueness::Path,
            Some("global") if order == Order::Depth => {
                return Err(refused(
                    10,
                    "uniqueVertices: 'global' is only supported with order: 'bfs' or 'weighted', the result would \
                     be unpredictable",
                ));
            }
            Some("global") => Uniqueness::Global,
            Some(_) => {
                return Err(refused(
                    10,
                    "uniqueVertices only accepts 'none', 'path' or 'global'",
                ));
            }
        };
        let unique_edges = match word(&options, "uniqueEdges").as_deref() {
            None | Some("path") => Uniqueness::Path,
            Some("none") => Uniqueness::None,
            Some("global") => {
                return Err(refused(
                    10,
                    "uniqueEdges: 'global' is not supported, the result would be unpredictable. \
                     Consider adding a named graph",
                ));
            }
            Some(_) => return Err(refused(10, "uniqueEdges only accepts 'none' or 'path'")),
        };
        let edge_collections = self.restriction(&options, "edgeCollections")?;
        let vertex_collections = self.restriction(&options, "vertexCollections")?;
        let weight = weight(&options)?.unwrap_or(Weight {
            attribute: None,
            default: 1.0,
        });
        let used = syntax.prune.is_some();
        self.push(NodeKind::Traversal(Box::new(Traversal {
            graph,
            start,
            min,
            max,
            vertex,
            edge,
            path,
            edge_used: syntax.edge.is_some() || used,
            path_used: syntax.path.is_some() || used,
            prune,
            prune_output,
            order,
            unique_vertices,
            unique_edges,
            edge_collections,
            vertex_collections,
            weight,
        })))
    }

    pub(super) fn shortest_path(&mut self, syntax: &ShortestSyntax) -> Result<(), ArangoError> {
        self.refuse_after_write("traversal")?;
        let from = self.vertex(&syntax.from)?;
        let to = self.vertex(&syntax.to)?;
        let graph = self.graph(&syntax.graph, syntax.direction)?;
        let options = self.options(syntax.options.as_ref())?;
        let vertex = self.define(&syntax.vertex.text)?;
        self.mark_document(vertex);
        let edge = match &syntax.edge {
            Some(name) => Some(self.define(&name.text)?),
            None => None,
        };
        let weight = weight(&options)?;
        self.push(NodeKind::ShortestPath(Box::new(ShortestPath {
            graph,
            from,
            to,
            vertex,
            edge,
            weight,
        })))
    }

    pub(super) fn paths(&mut self, syntax: &PathsSyntax) -> Result<(), ArangoError> {
        self.refuse_after_write("traversal")?;
        let (min, max) = match &syntax.depth {
            Some(depth) => self.depth(depth)?,
            None => (1, 1),
        };
        let from = self.vertex(&syntax.from)?;
        let to = self.vertex(&syntax.to)?;
        let graph = self.graph(&syntax.graph, syntax.direction)?;
        let options = self.options(syntax.options.as_ref())?;
        let path = self.define(&syntax.path.text)?;
        let weight = weight(&options)?;
        self.push(NodeKind::EnumeratePaths(Box::new(Paths {
            kind: syntax.kind,
            graph,
            from,
            to,
            min,
            max,
            path,
            weight,
        })))
    }

    /// A variable that the text does not name: an edge or path that nothing reads.
    fn hidden(&mut self) -> Result<usize, ArangoError> {
        let id = self.temporary()?;
        if let Some(variable) = self.variables.get_mut(id) {
            variable.listed = false;
        }
        Ok(id)
    }

    fn vertex(&mut self, syntax: &Expr) -> Result<Ex, ArangoError> {
        match self.expression(syntax)? {
            constant @ Ex::Const(_) => Ok(constant),
            expression => Ok(Ex::Var(self.held(expression)?)),
        }
    }

    fn depth(&mut self, depth: &Depth) -> Result<(u64, u64), ArangoError> {
        let invalid = || refused(1501, "invalid traversal depth");
        let number = |builder: &mut Self, expression: &Expr| match builder
            .expression(expression)?
            .constant()
        {
            Some(value @ (Value::Int(_) | Value::Double(_))) if value.to_f64().fract() == 0.0 => {
                u64::try_from(value.to_i64()).map_err(|_| invalid())
            }
            _ => Err(invalid()),
        };
        let min = number(self, &depth.min)?;
        let max = match &depth.max {
            Some(max) => number(self, max)?,
            None => min,
        };
        if min > max {
            Err(invalid())
        } else {
            Ok((min, max))
        }
    }

    fn graph(
        &mut self,
        subject: &GraphSubject,
        direction: Direction,
    ) -> Result<Graph, ArangoError> {
        let name = match subject {
            GraphSubject::Named(name) => name.text.clone(),
            GraphSubject::Parameter(name) => bind::value(self.bind, &name.text)?
                .as_str()
                .map(str::to_owned)
                .ok_or_else(|| bind::wrong_type(&name.text))?,
            GraphSubject::Edges(edges) => return self.anonymous(edges, direction),
        };
        let info = self
            .catalog
            .graph(&name)
            .ok_or_else(|| refused(1924, format!("graph '{name}' not found")))?;
        let vertices = info.vertex_collections();
        let mut edges = Vec::new();
        for definition in &info.edges {
            self.read(&definition.collection)?;
            edges.push(EdgeSource {
                collection: definition.collection.clone(),
                direction,
            });
        }
        for name in &vertices {
            self.read(name)?;
        }
        Ok(Graph {
            name: Some(name),
            edges,
            vertices,
            direction,
        })
    }

    /// Edge collections without a graph. From 3.12.6 on, the vertex collections of the named graphs that use them count as
    /// known.
    fn anonymous(
        &mut self,
        edges: &[(Option<Direction>, DataSource)],
        direction: Direction,
    ) -> Result<Graph, ArangoError> {
        let mut sources: Vec<EdgeSource> = Vec::new();
        for (own, source) in edges {
            let name = self.source_name(source)?;
            let collection = match self.use_source(&name)? {
                SourceInfo::Collection(collection) if collection.edge => collection.name,
                _ => {
                    return Err(refused(
                        1218,
                        format!(
                            "collection type invalid for collection '{name}': expecting collection type 'edge'"
                        ),
                    ));
                }
            };
            let source = EdgeSource {
                collection,
                direction: own.unwrap_or(direction),
            };
            match sources
                .iter_mut()
                .find(|one| one.collection == source.collection)
            {
                Some(same) if same.direction == source.direction => {}
                Some(same) => same.direction = Direction::Any,
                None => sources.push(source),
            }
        }
        let mut vertices = Vec::new();
        for graph in self.catalog.graphs() {
            let uses = graph
                .edges
                .iter()
                .any(|edge| sources.iter().any(|one| one.collection == edge.collection));
            if uses {
                vertices.extend(graph.vertex_collections());
            }
        }
        vertices.sort();
        vertices.dedup();
        for name in &vertices {
            self.read(name)?;
        }
        Ok(Graph {
            name: None,
            edges: sources,
            vertices,
            direction,
        })
    }

    /// `edgeCollections` and `vertexCollections`: each must exist, and is listed as read.
    fn restriction(
        &mut self,
        options: &Value,
        name: &str,
    ) -> Result<Option<Vec<String>>, ArangoError> {
        let names = names(options, name);
        for name in names.iter().flatten() {
            self.use_source(name)?;
        }
        Ok(names)
    }
}

fn order(options: &Value) -> Result<Order, ArangoError> {
    match word(options, "order").as_deref() {
        None if flag(options, "bfs", false) => Ok(Order::Breadth),
        None | Some("dfs") => Ok(Order::Depth),
        Some("bfs") => Ok(Order::Breadth),
        Some("weighted") => Ok(Order::Weighted),
        Some(_) => Err(refused(10, "order only accepts 'bfs', 'dfs' or 'weighted'")),
    }
}

/// The weight options; `None` where none is given.
fn weight(options: &Value) -> Result<Option<Weight>, ArangoError> {
    let attribute = options.get("weightAttribute").as_str().map(str::to_owned);
    let default = options.get("defaultWeight").as_f64();
    if default.is_some_and(|weight| weight < 0.0) {
        return Err(refused(10, "negative default weight not allowed"));
    }
    if attribute.is_none() && default.is_none() {
        return Ok(None);
    }
    Ok(Some(Weight {
        attribute,
        default: default.unwrap_or(1.0),
    }))
}
