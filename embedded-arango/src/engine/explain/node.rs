//! The nodes of a plan as explain shows them: the common attributes, then those of the type.

use aql_syntax::ast::{Direction, PathKind};
use serde_json::{Map, Value as Json, json};

use super::expression::expression;
use super::{number, variable};
use crate::engine::catalog::IndexInfo;
use crate::engine::plan::Plan;
use crate::engine::plan::expression::{Ex, VarId};
use crate::engine::plan::node::{
    Aggregate, Bound, CollectMethod, Graph, IndexScan, Modify, ModifyKind, NearScan, Node,
    NodeKind, Order, Overwrite, Scan, Traversal, Uniqueness, Weight,
};

/// The name of a node's type.
pub(in crate::engine) fn type_name(kind: &NodeKind) -> &'static str {
    match kind {
        NodeKind::Singleton => "SingletonNode",
        NodeKind::EnumerateCollection(_) => "EnumerateCollectionNode",
        NodeKind::Index(_) => "IndexNode",
        NodeKind::EnumerateList { .. } => "EnumerateListNode",
        NodeKind::EnumerateView(_) => "EnumerateViewNode",
        NodeKind::EnumerateNearVector(_) => "EnumerateNearVectorNode",
        NodeKind::Materialize { .. } => "MaterializeNode",
        NodeKind::Calculation { .. } => "CalculationNode",
        NodeKind::Filter { .. } => "FilterNode",
        NodeKind::Limit { .. } => "LimitNode",
        NodeKind::Sort { .. } => "SortNode",
        NodeKind::Collect(_) => "CollectNode",
        NodeKind::Window(_) => "WindowNode",
        NodeKind::Return { .. } => "ReturnNode",
        NodeKind::SubqueryStart { .. } => "SubqueryStartNode",
        NodeKind::SubqueryEnd { .. } => "SubqueryEndNode",
        NodeKind::Traversal(_) => "TraversalNode",
        NodeKind::ShortestPath(_) => "ShortestPathNode",
        NodeKind::EnumeratePaths(_) => "EnumeratePathsNode",
        NodeKind::NoResults => "NoResultsNode",
        NodeKind::Modify(modify) => match modify.kind {
            ModifyKind::Insert { .. } => "InsertNode",
            ModifyKind::Update { .. } => "UpdateNode",
            ModifyKind::Replace { .. } => "ReplaceNode",
            ModifyKind::Remove { .. } => "RemoveNode",
            ModifyKind::Upsert { .. } => "UpsertNode",
        },
    }
}

/// A node; `before` is the one that it reads from.
pub(super) fn node(plan: &Plan, node: &Node, before: Option<usize>) -> Json {
    let mut shown = Map::new();
    let mut put = |name: &str, value: Json| {
        shown.insert(name.to_owned(), value);
    };
    put("type", type_name(&node.kind).into());
    put(
        "dependencies",
        before.into_iter().collect::<Vec<_>>().into(),
    );
    put("id", node.id.into());
    put("estimatedCost", number(node.cost));
    put("estimatedNrItems", number(node.items));
    if node.prefetch {
        put("isAsyncPrefetchEnabled", true.into());
    }
    if let Json::Object(own) = attributes(plan, &node.kind) {
        shown.extend(own);
    }
    Json::Object(shown)
}

fn attributes(plan: &Plan, kind: &NodeKind) -> Json {
    let var = |id: VarId| variable(plan, id, false);
    match kind {
        NodeKind::Singleton => json!({ "bindParameterVariables": {} }),
        NodeKind::NoResults => json!({}),
        NodeKind::EnumerateCollection(scan) => {
            let mut shown = json!({
                "random": false,
                "indexHint": { "forced": false, "lookahead": 1, "type": "none" },
            });
            extend(&mut shown, self::scan(plan, scan));
            shown
        }
        NodeKind::Index(index) => index_scan(plan, index),
        NodeKind::EnumerateList { input, output } => {
            json!({ "inVariable": var(*input), "outVariable": var(*output) })
        }
        NodeKind::EnumerateView(view) => json!({
            "view": view.view,
            "viewId": view.id,
            "outVariable": var(view.output),
            "noMaterialization": false,
            "condition": view.condition.as_ref().map_or_else(|| json!({}), |ex| expression(plan, ex)),
            "options": view.options.to_json(),
            "scorers": [],
            "shards": view.collections,
            "volatility": 0,
        }),
        NodeKind::EnumerateNearVector(near) => near_scan(plan, near),
        NodeKind::Materialize {
            collection,
            document,
        } => json!({
            "collection": collection,
            "satellite": false,
            "isSatellite": false,
            "isSatelliteOf": null,
            "inNmDocId": var(*document),
            "outVariable": var(*document),
            "oldDocVariable": var(*document),
            "projections": [],
            "maxProjections": 5,
        }),
        NodeKind::Calculation {
            expression: ex,
            output,
        } => json!({
            "expression": expression(plan, ex),
            "outVariable": var(*output),
            "canThrow": can_throw(ex),
            "expressionType": expression_type(ex),
        }),
        NodeKind::Filter { input } => json!({ "inVariable": var(*input) }),
        NodeKind::Limit {
            offset,
            count,
            full_count,
        } => json!({ "offset": offset, "limit": count, "fullCount": full_count }),
        NodeKind::Sort { elements } => {
            let elements: Vec<Json> = elements
                .iter()
                .map(|one| json!({ "inVariable": var(one.input), "ascending": one.ascending }))
                .collect();
            json!({
                "elements": elements,
                "numberOfTopGroupedElements": 0,
                "stable": false,
                "limit": 0,
                "strategy": "standard",
            })
        }
        NodeKind::Collect(collect) => {
            let method = match collect.method {
                CollectMethod::Hash => "hash",
                CollectMethod::Sorted => "sorted",
                CollectMethod::Distinct => "distinct",
                CollectMethod::Count => "count",
            };
            let groups: Vec<Json> = collect
                .groups
                .iter()
                .map(|(output, input)| json!({ "outVariable": var(*output), "inVariable": var(*input) }))
                .collect();
            let mut shown = json!({
                "groups": groups,
                "aggregates": aggregates(plan, &collect.aggregates),
                "isDistinctCommand": collect.distinct,
                "specialized": true,
                "collectOptions": { "method": method },
            });
            if let Json::Object(shown) = &mut shown {
                if let Some(id) = collect.projection {
                    shown.insert("expressionVariable".into(), var(id));
                }
                if let Some(id) = collect.into {
                    shown.insert("outVariable".into(), var(id));
                }
                if !collect.keep.is_empty() {
                    let keep: Vec<Json> = collect
                        .keep
                        .iter()
                        .map(|(_, id)| json!({ "variable": var(*id) }))
                        .collect();
                    shown.insert("keepVariables".into(), keep.into());
                }
            }
            shown
        }
        NodeKind::Window(window) => {
            let mut shown = json!({
                "preceding": bound(&window.preceding),
                "following": bound(&window.following),
                "aggregates": aggregates(plan, &window.aggregates),
            });
            if let (Some(id), Json::Object(shown)) = (window.range, &mut shown) {
                shown.insert("rangeVariable".into(), var(id));
            }
            shown
        }
        NodeKind::Return { input } => json!({ "inVariable": var(*input), "count": true }),
        NodeKind::SubqueryStart { output } => {
            json!({ "subqueryOutVariable": var(*output) })
        }
        NodeKind::SubqueryEnd { input, output } => {
            let mut shown = json!({ "outVariable": var(*output) });
            if let (Some(id), Json::Object(shown)) = (input, &mut shown) {
                shown.insert("inVariable".into(), var(*id));
            }
            shown
        }
        NodeKind::Traversal(walk) => traversal(plan, walk),
        NodeKind::ShortestPath(path) => {
            let mut shown = graph(&path.graph);
            endpoint(plan, &mut shown, "start", &path.from);
            endpoint(plan, &mut shown, "target", &path.to);
            let mut own = json!({
                "vertexOutVariable": var(path.vertex),
                "options": weight_options("shortestPath", path.weight.as_ref()),
            });
            if let (Some(id), Json::Object(own)) = (path.edge, &mut own) {
                own.insert("edgeOutVariable".into(), var(id));
            }
            extend(&mut shown, own);
            shown
        }
        NodeKind::EnumeratePaths(paths) => {
            let mut shown = graph(&paths.graph);
            endpoint(plan, &mut shown, "start", &paths.from);
            endpoint(plan, &mut shown, "target", &paths.to);
            let kind = match paths.kind {
                PathKind::KShortest => "K_SHORTEST_PATHS",
                PathKind::AllShortest => "ALL_SHORTEST_PATHS",
                PathKind::K => "K_PATHS",
            };
            let mut options = weight_options("shortestPath", paths.weight.as_ref());
            extend(
                &mut options,
                json!({ "minDepth": paths.min, "maxDepth": paths.max }),
            );
            extend(
                &mut shown,
                json!({ "shortestPathType": kind, "pathOutVariable": var(paths.path), "options": options }),
            );
            shown
        }
        NodeKind::Modify(modify) => self::modify(plan, modify),
    }
}

fn extend(shown: &mut Json, more: Json) {
    if let (Json::Object(shown), Json::Object(more)) = (shown, more) {
        shown.extend(more);
    }
}

fn scan(plan: &Plan, scan: &Scan) -> Json {
    let projections: Vec<Json> = scan
        .projections
        .iter()
        .map(|one| json!({ "path": one.path, "variable": variable(plan, one.variable, false) }))
        .collect();
    let mut shown = json!({
        "outVariable": variable(plan, scan.output, false),
        "projections": projections,
        "filterProjections": [],
        "count": !scan.produces,
        "producesResult": scan.produces,
        "readOwnWrites": scan.own_writes,
        "useCache": true,
        "maxProjections": 5,
        "collection": scan.collection,
        "satellite": false,
        "isSatellite": false,
        "isSatelliteOf": null,
    });
    if let (Some(filter), Json::Object(shown)) = (&scan.filter, &mut shown) {
        shown.insert("filter".into(), expression(plan, filter));
    }
    shown
}

fn index_scan(plan: &Plan, index: &IndexScan) -> Json {
    let mut shown = scan(plan, &index.scan);
    let parts: Vec<Json> = index
        .condition
        .iter()
        .map(|ex| expression(plan, ex))
        .collect();
    let condition = if parts.is_empty() {
        json!({})
    } else {
        json!({
            "type": "n-ary or",
            "typeID": 63,
            "subNodes": [{ "type": "n-ary and", "typeID": 62, "subNodes": parts }],
        })
    };
    let projections = &index.scan.projections;
    let covers = !projections.is_empty()
        && projections
            .iter()
            .all(|one| index.index.fields.contains(&one.path.join(".")));
    let strategy = match (index.scan.produces, covers) {
        (false, _) => "no document",
        (true, true) => "covering",
        (true, false) => "document",
    };
    if let (false, Json::Object(shown)) = (index.sorted_by.is_empty(), &mut shown) {
        let elements: Vec<Json> = index
            .sorted_by
            .iter()
            .map(|path| {
                json!({
                    "inVariable": variable(plan, index.scan.output, false),
                    "ascending": index.ascending,
                    "path": path.split('.').collect::<Vec<_>>(),
                })
            })
            .collect();
        shown.insert("sortElements".into(), elements.into());
    }
    extend(
        &mut shown,
        json!({
            "strategy": strategy,
            "needsGatherNodeSort": !index.sorted_by.is_empty(),
            "indexCoversProjections": covers,
            "indexCoversOutProjections": covers,
            "indexCoversFilterProjections": false,
            "indexes": [self::index(&index.index)],
            "condition": condition,
            "allCoveredByOneIndex": false,
            "sorted": true,
            "ascending": index.ascending,
            "evalFCalls": true,
            "waitForSync": false,
            "limit": 0,
            "isLateMaterialized": false,
            "lookahead": 1,
        }),
    );
    shown
}

fn near_scan(plan: &Plan, near: &NearScan) -> Json {
    let var = |id: VarId| variable(plan, id, false);
    let vector = near.index.vector.as_ref();
    let mut index = index(&near.index);
    extend(
        &mut index,
        json!({
            "params": {
                "metric": vector.map(|info| info.metric.as_str()),
                "dimension": vector.map(|info| info.dimension),
                "defaultNProbe": vector.map(|info| info.default_probes),
            },
            "trainingState": "ready",
        }),
    );
    let mut shown = json!({
        "outVariable": var(near.output),
        "projections": [],
        "filterProjections": [],
        "count": false,
        "producesResult": true,
        "readOwnWrites": false,
        "useCache": true,
        "maxProjections": 5,
        "inVariable": var(near.target),
        "distanceOutVariable": var(near.distance),
        "limit": near.limit,
        "offset": near.offset,
        "isCoveredByStoredValues": false,
        "searchParameters": { "nProbe": near.probes },
        "collection": near.collection,
        "satellite": false,
        "isSatellite": false,
        "isSatelliteOf": null,
        "index": index,
    });
    if let (Some(filter), Json::Object(shown)) = (&near.filter, &mut shown) {
        shown.insert("filter".into(), expression(plan, filter));
    }
    shown
}

fn index(index: &IndexInfo) -> Json {
    json!({
        "id": index.id,
        "type": index.type_name,
        "name": index.name,
        "fields": index.fields,
        "selectivityEstimate": number(index.selectivity),
        "unique": index.unique,
        "sparse": index.sparse,
        "deduplicate": index.deduplicate,
        "estimates": index.estimates,
        "cacheEnabled": false,
    })
}

fn aggregates(plan: &Plan, aggregates: &[Aggregate]) -> Vec<Json> {
    aggregates
        .iter()
        .map(|one| {
            let mut shown =
                json!({ "outVariable": variable(plan, one.output, false), "type": one.name });
            if let (Some(id), Json::Object(shown)) = (one.input, &mut shown) {
                shown.insert("inVariable".into(), variable(plan, id, false));
            }
            shown
        })
        .collect()
}

fn bound(bound: &Bound) -> Json {
    match bound {
        Bound::Unbounded => "unbounded".into(),
        Bound::Rows(rows) => (*rows).into(),
        Bound::Number(distance) => number(*distance),
        Bound::Duration(duration) => duration.as_str().into(),
    }
}

fn direction(direction: Direction) -> u8 {
    match direction {
        Direction::Any => 0,
        Direction::Inbound => 1,
        Direction::Outbound => 2,
    }
}

fn graph(graph: &Graph) -> Json {
    // A collection that is followed both ways stands there twice, once for each.
    let mut directions = Vec::new();
    let mut edges = Vec::new();
    for source in &graph.edges {
        let ways: &[u8] = match source.direction {
            Direction::Any => &[2, 1],
            Direction::Inbound => &[1],
            Direction::Outbound => &[2],
        };
        for way in ways {
            directions.push(*way);
            edges.push(source.collection.clone());
        }
    }
    let mut shown = json!({
        "defaultDirection": direction(graph.direction),
        "directions": directions,
        "edgeCollections": edges,
        "vertexCollections": graph.vertices,
        "isLocalGraphNode": true,
        "isUsedAsSatellite": false,
        "graph": graph.name.clone().map_or_else(
            || Json::from(graph.edges.iter().map(|one| one.collection.clone()).collect::<Vec<_>>()),
            Json::from,
        ),
    });
    if let (Some(name), Json::Object(shown)) = (&graph.name, &mut shown) {
        shown.insert("graphDefinition".into(), json!({
            "vertexCollectionNames": graph.vertices,
            "edgeCollectionNames": graph.edges.iter().map(|one| &one.collection).collect::<Vec<_>>(),
        }));
        shown.insert("graph".into(), name.as_str().into());
    }
    shown
}

/// A start or target: a constant id, or the variable that holds it.
fn endpoint(plan: &Plan, shown: &mut Json, which: &str, ex: &Ex) {
    let own = match ex {
        Ex::Var(id) => json!({ format!("{which}InVariable"): variable(plan, *id, false) }),
        other => {
            let id = other.constant().map_or(Json::Null, |value| value.to_json());
            json!({ format!("{which}VertexId"): id })
        }
    };
    extend(shown, own);
}

fn weight_options(kind: &str, weight: Option<&Weight>) -> Json {
    let default = weight.map_or(1.0, |weight| weight.default);
    let attribute = weight.and_then(|weight| weight.attribute.clone());
    json!({
        "type": kind,
        "weightAttribute": attribute.unwrap_or_default(),
        "defaultWeight": number(default),
    })
}

fn uniqueness(uniqueness: Uniqueness) -> &'static str {
    match uniqueness {
        Uniqueness::None => "none",
        Uniqueness::Path => "path",
        Uniqueness::Global => "global",
    }
}

fn traversal(plan: &Plan, walk: &Traversal) -> Json {
    let mut shown = graph(&walk.graph);
    let order = match walk.order {
        Order::Depth => "dfs",
        Order::Breadth => "bfs",
        Order::Weighted => "weighted",
    };
    let mut options = json!({
        "type": "traversal",
        "minDepth": walk.min,
        "maxDepth": walk.max,
        "parallelism": 1,
        "order": order,
        "uniqueVertices": uniqueness(walk.unique_vertices),
        "uniqueEdges": uniqueness(walk.unique_edges),
        "defaultWeight": number(walk.weight.default),
        "weightAttribute": walk.weight.attribute.clone().unwrap_or_default(),
        "produceVertices": true,
        "producePathsVertices": walk.path_used,
        "producePathsEdges": walk.path_used,
        "producePathsWeights": walk.path_used && walk.order == Order::Weighted,
    });
    if let Json::Object(options) = &mut options {
        if let Some(names) = &walk.edge_collections {
            options.insert("edgeCollections".into(), names.clone().into());
        }
        if let Some(names) = &walk.vertex_collections {
            options.insert("vertexCollections".into(), names.clone().into());
        }
    }
    let mut own = json!({
        "options": options,
        "vertexOutVariable": variable(plan, walk.vertex, false),
    });
    if let Json::Object(own) = &mut own {
        match &walk.start {
            Ex::Var(id) => own.insert("inVariable".into(), variable(plan, *id, false)),
            other => {
                let id = other.constant().map_or(Json::Null, |value| value.to_json());
                own.insert("vertexId".into(), id)
            }
        };
        if walk.edge_used {
            own.insert("edgeOutVariable".into(), variable(plan, walk.edge, false));
        }
        if walk.path_used {
            own.insert("pathOutVariable".into(), variable(plan, walk.path, false));
        }
        if let Some(prune) = &walk.prune {
            let mut used = Vec::new();
            prune.variables(&mut used);
            used.sort_unstable();
            used.dedup();
            let used: Vec<Json> = used
                .into_iter()
                .map(|id| variable(plan, id, false))
                .collect();
            own.insert("expression".into(), expression(plan, prune));
            own.insert("pruneVariables".into(), used.into());
        }
    }
    extend(&mut shown, own);
    shown
}

fn modify(plan: &Plan, modify: &Modify) -> Json {
    let var = |id: VarId| variable(plan, id, false);
    let options = &modify.options;
    let overwrite = match options.overwrite {
        Overwrite::Conflict => "conflict",
        Overwrite::Ignore => "ignore",
        Overwrite::Replace => "replace",
        Overwrite::Update => "update",
    };
    let mut shown = json!({
        "collection": modify.collection,
        "satellite": false,
        "isSatellite": false,
        "isSatelliteOf": null,
        "countStats": true,
        "producesResults": modify.old.is_some() || modify.new.is_some(),
        "modificationFlags": {
            "waitForSync": options.wait_for_sync,
            "skipDocumentValidation": false,
            "keepNull": options.keep_null,
            "mergeObjects": options.merge_objects,
            "ignoreRevs": options.ignore_revs,
            "isRestore": false,
            "overwriteMode": overwrite,
            "ignoreErrors": options.ignore_errors,
            "ignoreDocumentNotFound": false,
            "readCompleteInput": true,
            "consultAqlWriteFilter": false,
            "exclusive": options.exclusive,
        },
    });
    let own = match &modify.kind {
        ModifyKind::Insert { document } => json!({ "inVariable": var(*document) }),
        ModifyKind::Remove { key } => json!({ "inVariable": var(*key) }),
        ModifyKind::Update { key, document } | ModifyKind::Replace { key, document } => {
            let mut own = json!({ "inDocVariable": var(*document) });
            if let (Some(id), Json::Object(own)) = (key, &mut own) {
                own.insert("inKeyVariable".into(), var(*id));
            }
            own
        }
        ModifyKind::Upsert {
            found,
            insert,
            update,
            replace,
        } => json!({
            "inDocVariable": var(*found),
            "insertVariable": var(*insert),
            "updateVariable": var(*update),
            "isReplace": replace,
            "readOwnWrites": true,
        }),
    };
    extend(&mut shown, own);
    if let Json::Object(shown) = &mut shown {
        if let Some(id) = modify.old {
            shown.insert("outVariableOld".into(), var(id));
        }
        if let Some(id) = modify.new {
            shown.insert("outVariableNew".into(), var(id));
        }
    }
    shown
}

/// How the server would evaluate the expression.
fn expression_type(ex: &Ex) -> &'static str {
    match ex {
        Ex::Const(_) => "json",
        _ if matches!(ex.attribute_path(), Some((_, path)) if !path.is_empty()) => "attribute",
        _ => "simple",
    }
}

/// Whether evaluation may fail: of the built-in functions only these do so by themselves.
fn can_throw(ex: &Ex) -> bool {
    let mut throws = false;
    ex.walk(&mut |ex| match ex {
        Ex::UserCall(..) => throws = true,
        Ex::Call(function, _) => {
            throws |= matches!(
                function.name,
                "FAIL" | "ASSERT" | "WARN" | "APPLY" | "CALL" | "V8"
            );
        }
        _ => {}
    });
    throws
}
