//! Collections, indexes, graphs, views and analyzers.

mod util;

use serde_json::{Value as Json, json};
use util::Server;

#[tokio::test]
async fn a_collection_lives_through_create_describe_rename_truncate_and_drop() {
    let server = Server::start().await;
    let created = server.post("/_api/collection", json!({"name": "c"})).await;
    assert_eq!(
        (created.status, created.json["type"].clone()),
        (200, json!(2))
    );
    let id = created.json["id"].as_str().expect("an id").to_owned();
    assert_eq!(
        server
            .post("/_api/collection", json!({"name": "c"}))
            .await
            .failure(),
        (409, 1207)
    );
    for name in ["", "1a", "_a", "a/b", " a"] {
        assert_eq!(
            server
                .post("/_api/collection", json!({"name": name}))
                .await
                .failure(),
            (400, 1208),
            "{name}"
        );
    }
    server.post("/_api/document/c", json!({"_key": "k"})).await;
    assert_eq!(
        server
            .get(&format!("/_api/collection/{id}/count"))
            .await
            .json["count"],
        1
    );
    let renamed = server
        .put("/_api/collection/c/rename", json!({"name": "d"}))
        .await;
    assert_eq!(
        (renamed.status, renamed.json["name"].clone()),
        (200, json!("d"))
    );
    assert_eq!(server.get("/_api/document/d/k").await.json["_id"], "d/k");
    assert_eq!(
        server.get("/_api/collection/c").await.failure(),
        (404, 1203)
    );
    server.put("/_api/collection/d/truncate", Json::Null).await;
    assert_eq!(
        server.get("/_api/collection/d/figures").await.json["count"],
        0
    );
    assert_eq!(server.delete("/_api/collection/d").await.json["id"], id);
    let gone = server.get("/_api/collection/d/properties").await;
    assert_eq!(gone.json["errorMessage"], "collection or view not found: d");
    assert_eq!(
        server
            .delete("/_api/collection/_graphs?isSystem=true")
            .await
            .failure(),
        (403, 11)
    );
}

#[tokio::test]
async fn a_unique_index_refuses_equal_values_from_every_side() {
    let server = Server::start().await;
    server.collection("c").await;
    server
        .post(
            "/_api/document/c",
            json!([{"_key": "a", "v": 1}, {"_key": "b", "v": 1}]),
        )
        .await;
    let body = json!({"type": "persistent", "fields": ["v"], "unique": true, "name": "one"});
    assert_eq!(
        server
            .post("/_api/index?collection=c", body.clone())
            .await
            .failure(),
        (409, 1210)
    );
    server.delete("/_api/document/c/b").await;
    let made = server.post("/_api/index?collection=c", body.clone()).await;
    assert_eq!(
        (made.status, made.json["isNewlyCreated"].clone()),
        (201, json!(true))
    );
    let again = server.post("/_api/index?collection=c", body).await;
    assert_eq!(
        (again.status, again.json["isNewlyCreated"].clone()),
        (200, json!(false))
    );
    let refused = server.post("/_api/document/c", json!({"v": 1})).await;
    assert_eq!(refused.failure(), (409, 1210));
    assert_eq!(
        refused.json["errorMessage"],
        "unique constraint violated - in index one of type persistent over 'v'; conflicting key: a"
    );
    server
        .post("/_api/document/c", json!({"_key": "b", "v": 2}))
        .await;
    assert_eq!(
        server
            .patch("/_api/document/c/b", json!({"v": 1}))
            .await
            .failure(),
        (409, 1210)
    );
    assert_eq!(server.get("/_api/document/c/b").await.json["v"], 2);
    assert_eq!(
        server
            .patch("/_api/document/c/a", json!({"v": 1}))
            .await
            .status,
        202
    );
}

#[tokio::test]
async fn every_kind_of_index_has_the_attributes_that_the_server_describes_it_with() {
    let server = Server::start().await;
    server.collection("c").await;
    let keys = |answer: &util::Answer| {
        answer
            .json
            .as_object()
            .expect("an object")
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    let cases: [(Json, &str); 8] = [
        (
            json!({"type": "hash", "fields": ["a"]}),
            "cacheEnabled code deduplicate error estimates fields id isNewlyCreated name selectivityEstimate sparse type unique",
        ),
        (
            json!({"type": "ttl", "fields": ["t"], "expireAfter": 60}),
            "code error estimates expireAfter fields id isNewlyCreated name sparse type unique",
        ),
        (
            json!({"type": "geo", "fields": ["g"]}),
            "bestIndexedLevel code error fields geoJson id isNewlyCreated legacyPolygons maxNumCoverCells name sparse type unique worstIndexedLevel",
        ),
        (
            json!({"type": "fulltext", "fields": ["f"]}),
            "code error fields id isNewlyCreated minLength name sparse type unique",
        ),
        (
            json!({"type": "mdi", "fields": ["x", "y"], "fieldValueTypes": "double"}),
            "code error estimates fieldValueTypes fields id isNewlyCreated name sparse type unique",
        ),
        (
            json!({"type": "mdi-prefixed", "fields": ["x", "y"], "prefixFields": ["p"], "fieldValueTypes": "double"}),
            "code error estimates fieldValueTypes fields id isNewlyCreated name prefixFields selectivityEstimate sparse type unique",
        ),
        (
            json!({"type": "inverted", "fields": ["a", {"name": "b"}]}),
            "analyzer cleanupIntervalStep code commitIntervalMsec consolidationIntervalMsec consolidationPolicy error features fields id includeAllFields isNewlyCreated name optimizeTopK primarySort searchField sparse storedValues trackListPositions type unique version writebufferActive writebufferIdle writebufferSizeMax",
        ),
        (
            json!({"type": "vector", "fields": ["v"], "params": {"metric": "cosine", "dimension": 3}}),
            "code error fields id isNewlyCreated name params sparse trainingState type unique",
        ),
    ];
    for (body, expected) in cases {
        let answer = server.post("/_api/index?collection=c", body.clone()).await;
        assert_eq!(answer.status, 201, "{body}: {}", answer.text);
        let mut keys = keys(&answer);
        keys.sort_unstable();
        assert_eq!(keys.join(" "), expected, "{body}");
    }
    for body in [
        json!({}),
        json!({"type": "x", "fields": ["a"]}),
        json!({"type": "ttl", "fields": ["a"]}),
        json!({"type": "persistent", "fields": []}),
        json!({"type": "persistent", "fields": ["a", "a"]}),
        json!({"type": "persistent", "fields": [7]}),
    ] {
        assert_eq!(
            server
                .post("/_api/index?collection=c", body.clone())
                .await
                .failure(),
            (400, 10),
            "{body}"
        );
    }
    let list = server.get("/_api/index?collection=c").await;
    assert_eq!(list.json["indexes"].as_array().map(Vec::len), Some(9));
    assert_eq!(list.json["indexes"][0]["type"], "primary");
    let id = list.json["indexes"][1]["id"].as_str().expect("an id");
    assert_eq!(list.json["identifiers"][id]["type"], "persistent");
    assert_eq!(
        server.delete(&format!("/_api/index/{id}")).await.json["id"],
        id
    );
    assert_eq!(
        server.get(&format!("/_api/index/{id}")).await.failure(),
        (404, 1212)
    );
    assert_eq!(server.delete("/_api/index/c/0").await.failure(), (403, 11));
}

async fn social() -> Server {
    let server = Server::start().await;
    let definition =
        json!({"collection": "knows", "from": ["woman", "man"], "to": ["man", "woman"]});
    let answer = server.post("/_api/gharial", json!({"name": "social", "edgeDefinitions": [definition], "orphanCollections": ["thing"]})).await;
    assert_eq!(answer.status, 202, "{}", answer.text);
    assert_eq!(
        answer.json["graph"]["edgeDefinitions"][0]["from"],
        json!(["man", "woman"])
    );
    server
}

#[tokio::test]
async fn a_graph_makes_the_collections_that_it_names() {
    let server = social().await;
    assert_eq!(server.get("/_api/collection/knows").await.json["type"], 3);
    assert_eq!(server.get("/_api/collection/man").await.json["type"], 2);
    let graph = server.get("/_api/gharial/social").await;
    assert_eq!(
        (
            graph.json["graph"]["name"].clone(),
            graph.json["graph"]["_id"].clone()
        ),
        (json!("social"), json!("_graphs/social"))
    );
    assert_eq!(
        server.get("/_api/gharial").await.json["graphs"][0]["_key"],
        "social"
    );
    assert_eq!(
        server.get("/_api/gharial/social/vertex").await.json["collections"],
        json!(["man", "thing", "woman"])
    );
    assert_eq!(
        server.get("/_api/gharial/social/edge").await.json["collections"],
        json!(["knows"])
    );
    assert_eq!(
        server
            .post(
                "/_api/gharial",
                json!({"name": "social", "edgeDefinitions": []})
            )
            .await
            .failure(),
        (409, 1925)
    );
    assert_eq!(
        server.get("/_api/gharial/nowhere").await.failure(),
        (404, 1924)
    );
    assert_eq!(
        server
            .delete("/_api/gharial/social?dropCollections=true")
            .await
            .json["removed"],
        true
    );
    assert_eq!(server.get("/_api/collection/knows").await.status, 404);
}

#[tokio::test]
async fn an_edge_of_a_graph_needs_ends_that_exist_and_belong() {
    let server = social().await;
    for (collection, key) in [("woman", "a"), ("man", "b"), ("thing", "t")] {
        let answer = server
            .post(
                &format!("/_api/gharial/social/vertex/{collection}"),
                json!({"_key": key}),
            )
            .await;
        assert_eq!(answer.status, 202);
    }
    let edge = |from: &str, to: &str| json!({"_from": from, "_to": to});
    let path = "/_api/gharial/social/edge/knows";
    let made = server.post(path, edge("woman/a", "man/b")).await;
    assert_eq!(made.status, 202);
    assert_eq!(
        made.header("etag"),
        made.json["edge"]["_rev"].as_str().expect("a revision")
    );
    assert_eq!(
        server
            .post(path, edge("woman/a", "man/none"))
            .await
            .failure(),
        (404, 1202)
    );
    assert_eq!(
        server.post(path, edge("thing/t", "man/b")).await.failure(),
        (400, 1947)
    );
    assert_eq!(
        server
            .post(path, json!({"_from": "woman/a"}))
            .await
            .failure(),
        (400, 1233)
    );
    assert_eq!(
        server
            .post("/_api/gharial/social/vertex/knows", json!({}))
            .await
            .failure(),
        (404, 1926)
    );
    assert_eq!(
        server
            .delete("/_api/gharial/social/vertex/woman/a")
            .await
            .json["removed"],
        true
    );
    assert_eq!(
        server.get("/_api/collection/knows/count").await.json["count"],
        0
    );
}

#[tokio::test]
async fn the_definition_of_a_graph_can_change() {
    let server = social().await;
    let add = server
        .post(
            "/_api/gharial/social/edge",
            json!({"collection": "owns", "from": ["man"], "to": ["thing"]}),
        )
        .await;
    assert_eq!(
        (add.status, add.json["graph"]["orphanCollections"].clone()),
        (202, json!([]))
    );
    let removed = server.delete("/_api/gharial/social/edge/owns").await;
    assert_eq!(removed.json["graph"]["orphanCollections"], json!(["thing"]));
    assert_eq!(
        server
            .delete("/_api/gharial/social/vertex/man")
            .await
            .failure(),
        (400, 1928)
    );
    assert_eq!(
        server
            .delete("/_api/gharial/social/vertex/none")
            .await
            .failure(),
        (404, 1926)
    );
    assert_eq!(
        server
            .post("/_api/gharial/social/vertex", json!({"collection": "man"}))
            .await
            .failure(),
        (400, 1929)
    );
    let other = json!({"name": "other", "edgeDefinitions": [{"collection": "knows", "from": ["x"], "to": ["y"]}]});
    assert_eq!(
        server.post("/_api/gharial", other).await.failure(),
        (400, 1921)
    );
    let replaced = server
        .put(
            "/_api/gharial/social/edge/knows",
            json!({"collection": "knows", "from": ["man"], "to": ["man"]}),
        )
        .await;
    assert_eq!(
        replaced.json["graph"]["edgeDefinitions"][0]["to"],
        json!(["man"])
    );
    assert_eq!(
        replaced.json["graph"]["orphanCollections"],
        json!(["thing", "woman"])
    );
}

#[tokio::test]
async fn a_view_shows_its_links_with_all_that_they_do_not_say() {
    let server = Server::start().await;
    server.collection("books").await;
    let body = json!({"name": "v", "type": "arangosearch", "links": {"books": {"fields": {"title": {"analyzers": ["text_en"]}}}}});
    let made = server.post("/_api/view", body).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let link = &server.get("/_api/view/v/properties").await.json["links"]["books"];
    assert_eq!(
        *link,
        json!({"analyzers": ["identity"], "fields": {"title": {"analyzers": ["text_en"]}}, "includeAllFields": false, "storeValues": "none", "trackListPositions": false})
    );
    let changed = server
        .patch(
            "/_api/view/v/properties",
            json!({"cleanupIntervalStep": 12, "links": {"books": null}}),
        )
        .await;
    assert_eq!(
        (
            changed.json["cleanupIntervalStep"].clone(),
            changed.json["links"].clone()
        ),
        (json!(12), json!({}))
    );
    let missing = json!({"name": "w", "type": "arangosearch", "links": {"none": {}}});
    assert_eq!(
        server.post("/_api/view", missing).await.failure(),
        (404, 1203)
    );
    assert_eq!(
        server
            .post(
                "/_api/view",
                json!({"name": "books", "type": "arangosearch"})
            )
            .await
            .failure(),
        (409, 1207)
    );
    assert_eq!(
        server
            .put("/_api/view/v/rename", json!({"name": "w"}))
            .await
            .json["name"],
        "w"
    );
    assert_eq!(server.delete("/_api/view/w").await.json["result"], true);
    assert_eq!(server.get("/_api/view/w").await.failure(), (404, 1203));
}

#[tokio::test]
async fn a_search_alias_names_inverted_indexes_that_exist() {
    let server = Server::start().await;
    server.collection("books").await;
    let index = json!({"type": "inverted", "name": "inv", "fields": ["title"]});
    server.post("/_api/index?collection=books", index).await;
    let entry = json!({"collection": "books", "index": "inv"});
    let made = server
        .post(
            "/_api/view",
            json!({"name": "v", "type": "search-alias", "indexes": [entry]}),
        )
        .await;
    assert_eq!(
        (made.status, made.json["indexes"].clone()),
        (201, json!([entry]))
    );
    let none = json!({"name": "w", "type": "search-alias", "indexes": [{"collection": "books", "index": "none"}]});
    assert_eq!(server.post("/_api/view", none).await.failure(), (404, 1212));
    let gone = json!({"indexes": [{"collection": "books", "index": "inv", "operation": "del"}]});
    assert_eq!(
        server.patch("/_api/view/v/properties", gone).await.json["indexes"],
        json!([])
    );
}

#[tokio::test]
async fn an_own_analyzer_has_the_name_of_its_database() {
    let server = Server::start().await;
    let body = json!({"name": "mine", "type": "text", "properties": {"locale": "en"}, "features": ["frequency"]});
    let made = server.post("/_api/analyzer", body.clone()).await;
    assert_eq!(
        (made.status, made.json["name"].clone()),
        (201, json!("_system::mine"))
    );
    assert_eq!(server.post("/_api/analyzer", body).await.status, 200);
    assert_eq!(
        server
            .post(
                "/_api/analyzer",
                json!({"name": "mine", "type": "identity"})
            )
            .await
            .failure(),
        (400, 10)
    );
    assert_eq!(
        server
            .post("/_api/analyzer", json!({"name": "x", "type": "none"}))
            .await
            .failure(),
        (400, 10)
    );
    assert_eq!(
        server.get("/_api/analyzer").await.json["result"]
            .as_array()
            .map(Vec::len),
        Some(14)
    );
    assert_eq!(
        server.get("/_api/analyzer/text_en").await.json["properties"]["stemming"],
        true
    );
    assert_eq!(
        server.delete("/_api/analyzer/mine?force=true").await.json["name"],
        "_system::mine"
    );
    assert_eq!(
        server.delete("/_api/analyzer/mine").await.failure(),
        (404, 1202)
    );
    assert_eq!(
        server.delete("/_api/analyzer/identity").await.failure(),
        (403, 11)
    );
}
