//! `/_api/gharial`: named graphs, their edge definitions and their vertex collections.

use axum::http::{Method, header};

use super::graph_items;
use crate::engine::catalog::{Catalog, EdgeDefinition, GraphInfo};
use crate::error::{ArangoError, number};
use crate::http::reply::{Reply, fields};
use crate::http::request::Call;
use crate::storage::graph::{is_related, names, read_definition, read_graph, write_graph};
use crate::storage::{CollectionKind, CollectionOptions, GRAPHS, Level, Mode, WriteOptions};
use crate::value::Value;

pub(super) fn answer(call: &Call, path: &[&str]) -> Result<Reply, ArangoError> {
    let items = matches!(path, [_, "vertex" | "edge", _, _])
        || (matches!(path, [_, "vertex" | "edge", _]) && call.method == Method::POST);
    if !items && call.method != Method::GET {
        call.require_database(Level::ReadWrite)?;
    }
    match (&call.method, path) {
        (&Method::GET, []) => list(call),
        (&Method::POST, []) => create(call),
        (&Method::GET, [graph]) => Ok(Reply::first(
            200,
            fields([("graph", shown(&document(call, graph)?))]),
        )),
        (&Method::DELETE, [graph]) => remove(call, graph),
        (&Method::GET, [graph, "vertex"]) => {
            Ok(collections(&find(call, graph)?.vertex_collections()))
        }
        (&Method::GET, [graph, "edge"]) => {
            let mut edges: Vec<String> = find(call, graph)?
                .edges
                .into_iter()
                .map(|edge| edge.collection)
                .collect();
            edges.sort();
            Ok(collections(&edges))
        }
        (&Method::POST, [graph, "vertex"]) => add_orphan(call, graph),
        (&Method::DELETE, [graph, "vertex", collection]) => remove_orphan(call, graph, collection),
        (&Method::POST, [graph, "edge"]) => add_definition(call, graph),
        (&Method::PUT, [graph, "edge", collection]) => replace_definition(call, graph, collection),
        (&Method::DELETE, [graph, "edge", collection]) => {
            remove_definition(call, graph, collection)
        }
        (_, [graph, "vertex", rest @ ..]) => graph_items::vertex(call, &find(call, graph)?, rest),
        (_, [graph, "edge", rest @ ..]) => graph_items::edge(call, &find(call, graph)?, rest),
        (_, [] | [_]) => Err(call.wrong_method()),
        _ => Err(call.unknown_path()),
    }
}

fn find(call: &Call, name: &str) -> Result<GraphInfo, ArangoError> {
    call.database
        .snapshot()
        .graph(name)
        .ok_or_else(|| graph_not_found(name))
}

fn graph_not_found(name: &str) -> ArangoError {
    ArangoError::new(number::GRAPH_NOT_FOUND, format!("graph '{name}' not found"))
}

fn document(call: &Call, name: &str) -> Result<Value, ArangoError> {
    let snapshot = call.database.snapshot();
    let graphs = snapshot
        .collection(GRAPHS)
        .ok_or_else(|| graph_not_found(name))?;
    graphs.get(name).ok_or_else(|| graph_not_found(name))
}

/// A graph's document with the name that its key is.
fn shown(document: &Value) -> Value {
    let mut object = document.as_object().cloned().unwrap_or_default();
    object.insert("name", document.get("_key"));
    Value::object(object)
}

fn collections(names: &[String]) -> Reply {
    let names = names.iter().map(Value::string).collect();
    Reply::first(200, fields([("collections", Value::array(names))]))
}

fn status(call: &Call, synced: u16) -> u16 {
    if call.flag("waitForSync") == Some(true) {
        synced
    } else {
        202
    }
}

fn list(call: &Call) -> Result<Reply, ArangoError> {
    let snapshot = call.database.snapshot();
    let all = snapshot
        .collection(GRAPHS)
        .map(|graphs| graphs.scan().map(|graph| shown(&graph)).collect());
    Ok(Reply::first(
        200,
        fields([("graphs", Value::array(all.unwrap_or_default()))]),
    ))
}

fn create(call: &Call) -> Result<Reply, ArangoError> {
    let body = call.json_object()?;
    let name = body.get("name");
    let name = name.as_str().filter(|name| !name.is_empty());
    let name =
        name.ok_or_else(|| ArangoError::new(number::GRAPH_MISSING_NAME, "missing graph name"))?;
    if call.database.snapshot().graph(name).is_some() {
        return Err(ArangoError::new(
            number::GRAPH_DUPLICATE,
            "graph already exists",
        ));
    }
    let given = body.get("edgeDefinitions");
    let edges = given
        .as_array()
        .unwrap_or_default()
        .iter()
        .map(definition)
        .collect::<Result<Vec<_>, _>>()?;
    let orphans = match body.get("orphanCollections") {
        Value::Null => Vec::new(),
        given => names(&given).ok_or_else(|| {
            ArangoError::bad_parameter("`orphanCollections` must be an array of names")
        })?,
    };
    let graph = GraphInfo {
        name: name.to_owned(),
        edges,
        orphans,
    };
    check(call, &graph)?;
    make_collections(call, &graph)?;
    store(call, &graph, true, 201)
}

fn definition(value: &Value) -> Result<EdgeDefinition, ArangoError> {
    read_definition(value).ok_or_else(|| {
        ArangoError::new(
            1923,
            "malformed edge definition: expecting `collection`, `from` and `to`",
        )
    })
}

/// Refuses definitions that contradict each other or those of another graph.
fn check(call: &Call, graph: &GraphInfo) -> Result<(), ArangoError> {
    for (position, edge) in graph.edges.iter().enumerate() {
        if graph
            .edges
            .iter()
            .skip(position + 1)
            .any(|other| other.collection == edge.collection)
        {
            let message = format!(
                "{} multi use of edge collection in edge def",
                edge.collection
            );
            return Err(ArangoError::new(
                number::GRAPH_EDGE_COLLECTION_MULTI_USE,
                message,
            ));
        }
        let others = call.database.snapshot().graphs();
        let others = others
            .iter()
            .filter(|other| other.name != graph.name)
            .flat_map(|other| &other.edges);
        if others
            .into_iter()
            .any(|other| other.collection == edge.collection && other != edge)
        {
            let message = format!(
                "{} edge collection already used in edge def",
                edge.collection
            );
            return Err(ArangoError::new(
                number::GRAPH_COLLECTION_MULTI_USE,
                message,
            ));
        }
    }
    Ok(())
}

/// Creates the collections that a graph names and that do not exist.
fn make_collections(call: &Call, graph: &GraphInfo) -> Result<(), ArangoError> {
    let edges = graph
        .edges
        .iter()
        .map(|edge| (edge.collection.clone(), CollectionKind::Edge));
    let vertices = graph
        .vertex_collections()
        .into_iter()
        .map(|name| (name, CollectionKind::Document));
    for (name, kind) in edges.chain(vertices) {
        match call.database.snapshot().collection(&name) {
            Some(found) if kind == CollectionKind::Edge && found.meta().kind != kind => {
                let message = format!("collection '{name}' is no edge collection");
                return Err(ArangoError::new(number::COLLECTION_TYPE_INVALID, message));
            }
            Some(_) => {}
            None => {
                call.database
                    .create_collection(&name, CollectionOptions::of(kind))?;
            }
        }
    }
    Ok(())
}

/// Writes the graph's document and answers with it.
fn store(call: &Call, graph: &GraphInfo, is_new: bool, synced: u16) -> Result<Reply, ArangoError> {
    let mut attributes = write_graph(graph);
    let written = call.work(GRAPHS, Mode::Write, |txn| {
        let options = WriteOptions::default();
        if is_new {
            let mut document = fields([("_key", Value::string(&graph.name))]);
            document.extend(std::mem::take(&mut attributes));
            txn.insert(GRAPHS, &Value::object(document), &options)
        } else {
            txn.update(
                GRAPHS,
                &graph.name,
                &Value::object(std::mem::take(&mut attributes)),
                &options,
            )
        }
    })?;
    let new = written.new.unwrap_or_default();
    let revision = new.get("_rev").to_text();
    let body = fields([
        ("_key", new.get("_key")),
        ("edgeDefinitions", new.get("edgeDefinitions")),
        ("orphanCollections", new.get("orphanCollections")),
        ("_rev", new.get("_rev")),
        ("_id", new.get("_id")),
        ("name", new.get("_key")),
    ]);
    Ok(Reply::first(
        status(call, synced),
        fields([("graph", Value::object(body))]),
    )
    .with(header::ETAG, revision))
}

fn remove(call: &Call, name: &str) -> Result<Reply, ArangoError> {
    let graph = read_graph(&document(call, name)?).ok_or_else(|| graph_not_found(name))?;
    call.work(GRAPHS, Mode::Write, |txn| txn.remove(GRAPHS, name, None))?;
    if call.flag("dropCollections") == Some(true) {
        let own = graph
            .edges
            .iter()
            .map(|edge| edge.collection.clone())
            .chain(graph.vertex_collections());
        drop_unused(call, own)?;
    }
    Ok(Reply::first(
        status(call, 200),
        fields([("removed", Value::Bool(true))]),
    ))
}

/// Drops collections that no graph uses.
fn drop_unused(call: &Call, collections: impl Iterator<Item = String>) -> Result<(), ArangoError> {
    let others = call.database.snapshot().graphs();
    for name in collections {
        let is_used = others.iter().any(|other| {
            other.vertex_collections().contains(&name)
                || other.edges.iter().any(|edge| edge.collection == name)
        });
        if !is_used && call.database.snapshot().collection(&name).is_some() {
            call.database.drop_collection(&name, false)?;
        }
    }
    Ok(())
}

fn add_orphan(call: &Call, graph: &str) -> Result<Reply, ArangoError> {
    let mut graph = find(call, graph)?;
    let body = call.json_object()?;
    let name = body.get("collection");
    let name = name
        .as_str()
        .filter(|name| !name.is_empty())
        .ok_or_else(|| ArangoError::bad_parameter("`collection` is missing"))?;
    if is_related(&graph, name) {
        return Err(ArangoError::new(
            number::GRAPH_COLLECTION_USED_IN_EDGE_DEFINITION,
            "collection used in edge def",
        ));
    }
    if graph.orphans.iter().any(|orphan| orphan == name) {
        return Err(ArangoError::new(
            number::GRAPH_COLLECTION_USED_IN_ORPHANS,
            "collection used in orphans",
        ));
    }
    if call
        .database
        .snapshot()
        .collection(name)
        .is_some_and(|found| found.meta().kind == CollectionKind::Edge)
    {
        return Err(ArangoError::new(
            number::COLLECTION_TYPE_INVALID,
            "not a vertex collection",
        ));
    }
    graph.orphans.push(name.to_owned());
    make_collections(call, &graph)?;
    store(call, &graph, false, 201)
}

fn remove_orphan(call: &Call, graph: &str, collection: &str) -> Result<Reply, ArangoError> {
    let mut graph = find(call, graph)?;
    let before = graph.orphans.len();
    graph.orphans.retain(|orphan| orphan != collection);
    if graph.orphans.len() == before {
        if call.database.snapshot().collection(collection).is_none() {
            return Err(ArangoError::new(
                number::GRAPH_VERTEX_COLLECTION_MISSING,
                "vertex collection does not exist",
            ));
        }
        return Err(ArangoError::new(
            number::GRAPH_NOT_IN_ORPHANS,
            "collection is not in list of orphan collections",
        ));
    }
    let reply = store(call, &graph, false, 200)?;
    if call.flag("dropCollection") == Some(true) {
        drop_unused(call, std::iter::once(collection.to_owned()))?;
    }
    Ok(reply)
}

fn add_definition(call: &Call, graph: &str) -> Result<Reply, ArangoError> {
    let mut graph = find(call, graph)?;
    let edge = definition(&call.json_object()?)?;
    graph.edges.push(edge);
    settle(&mut graph, &[]);
    check(call, &graph)?;
    make_collections(call, &graph)?;
    store(call, &graph, false, 201)
}

fn replace_definition(call: &Call, graph: &str, collection: &str) -> Result<Reply, ArangoError> {
    let mut graph = find(call, graph)?;
    let mut body = call.json_object()?.as_object().cloned().unwrap_or_default();
    if !body.contains("collection") {
        body.insert("collection", Value::string(collection));
    }
    let edge = definition(&Value::object(body))?;
    let place = graph
        .edges
        .iter_mut()
        .find(|old| old.collection == collection)
        .filter(|_| edge.collection == collection);
    let old = std::mem::replace(place.ok_or_else(edge_collection_not_used)?, edge);
    settle(&mut graph, &[old]);
    make_collections(call, &graph)?;
    store(call, &graph, false, 201)
}

fn remove_definition(call: &Call, graph: &str, collection: &str) -> Result<Reply, ArangoError> {
    let mut graph = find(call, graph)?;
    let at = graph
        .edges
        .iter()
        .position(|edge| edge.collection == collection)
        .ok_or_else(edge_collection_not_used)?;
    let old = graph.edges.remove(at);
    settle(&mut graph, &[old]);
    let reply = store(call, &graph, false, 201)?;
    if call.flag("dropCollections") == Some(true) {
        drop_unused(call, std::iter::once(collection.to_owned()))?;
    }
    Ok(reply)
}

fn edge_collection_not_used() -> ArangoError {
    ArangoError::new(
        number::GRAPH_EDGE_COLLECTION_NOT_USED,
        "edge collection not used in graph",
    )
}

/// Vertex collections of removed definitions that nothing else relates become orphans; related orphans cease to be ones.
fn settle(graph: &mut GraphInfo, removed: &[EdgeDefinition]) {
    let mut orphans = std::mem::take(&mut graph.orphans);
    for name in removed
        .iter()
        .flat_map(|edge| edge.from.iter().chain(&edge.to))
    {
        if !orphans.contains(name) {
            orphans.push(name.clone());
        }
    }
    orphans.retain(|name| !is_related(graph, name));
    graph.orphans = orphans;
}
