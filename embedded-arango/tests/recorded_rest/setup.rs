//! The data that a recording begins with.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde_json::{Value as Json, json};

use crate::util::Server;

/// Recorded ids and revisions, and what they are called here.
pub(crate) type Names = BTreeMap<String, String>;

/// Makes collections, documents, graphs, views, analyzers and users that the requests of a recording take for granted.
pub(crate) async fn prepare(server: &Server, steps: &[Json]) -> Names {
    let mut names = Names::new();
    let Some(first) = steps.first() else {
        return names;
    };
    let path = first["path"].as_str().unwrap_or_default();
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let path = path.strip_prefix("/_db/_system").unwrap_or(path);
    let segments: Vec<&str> = path.trim_matches('/').split('/').collect();
    let collection = query
        .split('&')
        .find_map(|pair| pair.strip_prefix("collection="));
    let succeeds = first["status"].as_u64().is_none_or(|status| status < 400);
    match segments.as_slice() {
        ["_api", "collection", name, ..] => make_collection(server, name, first, &mut names).await,
        ["_api", "document", name] => documents(server, name, first, &mut names).await,
        ["_api", "document", name, key] => {
            synced(server, name, first).await;
            if first["response_body"]["errorNum"]
                .as_u64()
                .is_none_or(|number| number != 1202)
            {
                let mut document = json!({"one": "world"});
                if first["method"] == "GET" && first["response_body"].is_object() {
                    document = first["response_body"].clone();
                }
                document["_key"] = (*key).into();
                let made = server
                    .post(&format!("/_api/document/{name}"), document)
                    .await;
                let made = made.json["_rev"].as_str().unwrap_or_default().to_owned();
                for (header, value) in first["headers"].as_object().into_iter().flatten() {
                    let value = value
                        .as_str()
                        .unwrap_or_default()
                        .trim_matches('"')
                        .to_owned();
                    // The recorded revision is the present one for `if-none-match`, and not for `if-match`.
                    if header.eq_ignore_ascii_case("if-none-match") {
                        names.insert(value, made.clone());
                    }
                }
            }
        }
        ["_api", "gharial", ..] => graphs(server, steps, &mut names).await,
        ["_api", "index", ..] => {
            let name = collection.unwrap_or_else(|| segments.get(2).copied().unwrap_or_default());
            server.collection(name).await;
            indexes(server, name, first, &mut names).await;
        }
        ["_api", "import"]
            if succeeds
                || path.contains("Csv")
                || collection == Some("products") && first["response_body"]["errorNum"] != 1203 =>
        {
            let kind = if collection == Some("links") { 3 } else { 2 };
            server
                .post(
                    "/_api/collection",
                    json!({"name": collection, "type": kind}),
                )
                .await;
        }
        ["_api", "edges", ..] => edges(server).await,
        ["_api", "view", ..] => views(server, first, &mut names).await,
        ["_api", "user", name, ..] => {
            server.post("/_api/user", json!({"user": name})).await;
        }
        ["_api", "database", "example"] => {
            server
                .post("/_api/database", json!({"name": "example"}))
                .await;
        }
        ["_api", "transaction", ..] if succeeds => {
            server.collection("products").await;
            if segments.len() == 2 {
                server
                    .begin(json!({"collections": {"read": "products"}}))
                    .await;
            }
        }
        ["_api", "cursor" | "explain", ..] => products(server, first).await,
        _ => {}
    }
    if steps.iter().any(|step| {
        step["path"]
            .as_str()
            .is_some_and(|path| path.contains("/_api/analyzer/"))
    }) {
        analyzer(server).await;
    }
    names
}

/// Notes what recorded ids are called here, from an answer to the same request.
pub(crate) fn learn(names: &mut Names, recorded: &Json, ours: &Json) {
    for id in ["id", "_key"] {
        if let (Some(recorded), Some(ours)) = (recorded[id].as_str(), ours[id].as_str())
            && recorded.len() > 3
        {
            names.insert(recorded.to_owned(), ours.to_owned());
        }
    }
}

/// The same where the answer was not recorded: the cursor that a later path names.
pub(crate) fn learn_missing(names: &mut Names, steps: &[Json], ours: &Json) {
    let Some(ours) = ours["id"].as_str() else {
        return;
    };
    let later = steps
        .iter()
        .filter_map(|step| step["path"].as_str()?.strip_prefix("/_api/cursor/"));
    for recorded in later {
        names.insert(recorded.to_owned(), ours.to_owned());
    }
}

async fn make_collection(server: &Server, name: &str, step: &Json, names: &mut Names) {
    let answer = &step["response_body"];
    let by_id = name.bytes().all(|byte| byte.is_ascii_digit());
    let real = if by_id { "products" } else { name };
    let is_system = name.starts_with('_');
    let made = server
        .post(
            "/_api/collection",
            json!({"name": real, "isSystem": is_system, "waitForSync": answer["waitForSync"]}),
        )
        .await;
    if by_id {
        names.insert(
            name.to_owned(),
            made.json["id"].as_str().unwrap_or_default().to_owned(),
        );
    }
    for _ in 0..answer["count"].as_u64().unwrap_or(0) {
        server
            .post(&format!("/_api/document/{real}"), json!({"hello": "world"}))
            .await;
    }
}

/// A collection that waits for the disk where the recorded status says that it did.
async fn synced(server: &Server, name: &str, step: &Json) {
    let is_synced = matches!(step["status"].as_u64(), Some(200 | 201));
    server
        .post(
            "/_api/collection",
            json!({"name": name, "waitForSync": is_synced}),
        )
        .await;
}

async fn documents(server: &Server, name: &str, step: &Json, names: &mut Names) {
    let by_parameter = step["path"]
        .as_str()
        .is_some_and(|path| path.contains("waitForSync"));
    if by_parameter {
        server.collection(name).await;
    } else {
        synced(server, name, step).await;
    }
    if step["method"] == "POST" {
        return;
    }
    for element in step["request_body"].as_array().into_iter().flatten() {
        let key = element.as_str().or_else(|| element["_key"].as_str());
        let made = server
            .post(&format!("/_api/document/{name}"), json!({"_key": key}))
            .await;
        if let (Some(recorded), Some(ours)) = (element["_rev"].as_str(), made.json["_rev"].as_str())
            && recorded.starts_with('_')
        {
            names.insert(recorded.to_owned(), ours.to_owned());
        }
    }
}

async fn graphs(server: &Server, steps: &[Json], names: &mut Names) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/arangodb/datasets");
    let wanted: &[&str] = if steps.iter().any(|step| step["path"] == "/_api/gharial") {
        &["social", "routeplanner"]
    } else {
        &["social"]
    };
    for name in wanted {
        let text = fs::read_to_string(folder.join(format!("{name}.json")))
            .expect("a data set beside the recordings");
        let data: Json = serde_json::from_str(&text).expect("a data set is JSON");
        for collection in data["collections"].as_array().into_iter().flatten() {
            server
                .post(
                    "/_api/collection",
                    json!({"name": collection["name"], "type": collection["type"]}),
                )
                .await;
            let path = format!(
                "/_api/document/{}",
                collection["name"].as_str().unwrap_or_default()
            );
            server.post(&path, collection["docs"].clone()).await;
        }
        for graph in data["graphs"].as_array().into_iter().flatten() {
            let body = json!({"name": graph["name"], "edgeDefinitions": graph["edgeDefinitions"]});
            server.post("/_api/gharial", body).await;
        }
    }
    // The recorded edges have generated keys.
    let last = steps.last().and_then(|step| {
        step["path"]
            .as_str()?
            .strip_prefix("/_api/gharial/social/edge/relation/")
    });
    if let Some(key) = last {
        let body = json!({"_key": "recorded", "_from": "male/charly", "_to": "female/diana", "type": "married", "vertex": "charly"});
        server
            .post("/_api/gharial/social/edge/relation", body)
            .await;
        names.insert(key.to_owned(), "recorded".to_owned());
    }
}

async fn indexes(server: &Server, name: &str, step: &Json, names: &mut Names) {
    let path = format!("/_api/index?collection={name}");
    let existing = match (
        step["method"].as_str(),
        step["response_body"]["indexes"].as_array(),
    ) {
        (_, Some(all)) => all.iter().skip(1).cloned().collect(),
        (Some("DELETE"), _) => vec![json!({"type": "persistent", "fields": ["a"], "unique": true})],
        _ => Vec::new(),
    };
    for index in existing {
        let made = server.post(&path, json!({"type": index["type"], "fields": index["fields"], "unique": index["unique"], "sparse": index["sparse"]})).await;
        let recorded = index["id"]
            .as_str()
            .or_else(|| step["response_body"]["id"].as_str())
            .unwrap_or_default();
        names.insert(
            recorded.to_owned(),
            made.json["id"].as_str().unwrap_or_default().to_owned(),
        );
    }
    // The answer lists indexes under their ids; both sides must agree on them.
    if let Some(all) = step["response_body"]["indexes"].as_array() {
        for index in all {
            let recorded = index["id"].as_str().unwrap_or_default();
            names
                .entry(recorded.to_owned())
                .or_insert_with(|| recorded.to_owned());
        }
    }
}

async fn edges(server: &Server) {
    server.collection("nodes").await;
    server
        .post("/_api/collection", json!({"name": "edges", "type": 3}))
        .await;
    let edge = |key: &str, from: &str, to: &str| json!({"_key": key, "_from": from, "_to": to, "$label": "x"});
    let all = json!([
        edge("5", "nodes/1", "nodes/3"),
        edge("6", "nodes/2", "nodes/1"),
        edge("7", "nodes/4", "nodes/1")
    ]);
    server.post("/_api/document/edges", all).await;
}

async fn views(server: &Server, step: &Json, names: &mut Names) {
    for name in ["books", "users", "products"] {
        if step["request_body"]["name"] != name {
            server.collection(name).await;
        }
    }
    for name in ["inv-idx", "inv_descr"] {
        server
            .post(
                "/_api/index?collection=books",
                json!({"type": "inverted", "name": name, "fields": [name]}),
            )
            .await;
    }
    if step["method"] == "POST" {
        return;
    }
    let answer = &step["response_body"];
    let kind = answer["type"].as_str().unwrap_or("arangosearch");
    let mut body = answer.as_object().cloned().unwrap_or_default();
    let name = if step["path"]
        .as_str()
        .is_some_and(|path| path.contains("productsView"))
    {
        "productsView"
    } else {
        "other"
    };
    body.insert("name".to_owned(), name.into());
    body.insert("type".to_owned(), kind.into());
    if step["method"] == "PATCH" {
        body["links"]["products"] = json!({"includeAllFields": true});
    }
    let made = server.post("/_api/view", Json::Object(body)).await;
    let last = step["path"]
        .as_str()
        .and_then(|path| path.rsplit('/').next())
        .unwrap_or_default();
    if last.bytes().all(|byte| byte.is_ascii_digit()) {
        names.insert(
            last.to_owned(),
            made.json["id"].as_str().unwrap_or_default().to_owned(),
        );
    }
}

async fn analyzer(server: &Server) {
    server
        .post(
            "/_api/analyzer",
            json!({"name": "testAnalyzer", "type": "identity"}),
        )
        .await;
}

async fn products(server: &Server, step: &Json) {
    server.collection("products").await;
    let count = if step["request_body"]["query"] == "FOR p IN products REMOVE p IN products" {
        2
    } else {
        5
    };
    let count = if step["path"] == "/_api/explain" {
        10
    } else {
        count
    };
    for number in 1..=count {
        let mut document = serde_json::Map::new();
        document.insert(format!("hello{number}"), "world1".into());
        server
            .post("/_api/document/products", Json::Object(document))
            .await;
    }
    if step["path"] == "/_api/explain"
        && step["request_body"]["query"]
            .as_str()
            .is_some_and(|query| query.contains("p.id"))
    {
        server
            .post(
                "/_api/index?collection=products",
                json!({"type": "persistent", "fields": ["id"]}),
            )
            .await;
    }
}
