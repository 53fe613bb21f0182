//! Who is let in, and what they may do.

mod util;

use embedded_arango::EmbeddedArango;
use embedded_arango::storage::{Level, User};
use reqwest::Method;
use serde_json::json;
use util::Server;

/// A server with the databases' collections `open`, `shown`, `hidden`, and a user `reader` with levels of each kind.
async fn guarded() -> Server {
    let mut reader = User::new("reader", "r");
    reader.grant_database("_system", Level::ReadOnly);
    reader.grant_collection("_system", "open", Level::ReadWrite);
    reader.grant_collection("_system", "hidden", Level::None);
    let mut server =
        Server::start_with(EmbeddedArango::builder().password("secret").user(reader)).await;
    for name in ["open", "shown", "hidden"] {
        server.collection(name).await;
        server
            .post(&format!("/_api/document/{name}"), json!({"_key": "a"}))
            .await;
    }
    server.login("reader", "r");
    server
}

#[tokio::test]
async fn without_a_login_nothing_but_the_login_is_answered() {
    let server = Server::start().await;
    for authorization in ["", "Basic cm9vdDp3cm9uZw==", "bearer x.y.z", "bearer"] {
        let answer = server
            .send(
                Method::GET,
                "/_api/version",
                &[("authorization", authorization)],
                None,
            )
            .await
            .expect("an answer");
        assert_eq!(answer.failure(), (401, 11), "{authorization}");
        assert_eq!(answer.json["code"], 401);
        assert!(
            answer
                .header("www-authenticate")
                .contains("realm=\"ArangoDB\"")
        );
    }
    let quiet = [("authorization", ""), ("x-omit-www-authenticate", "1")];
    let answer = server
        .send(Method::GET, "/_api/version", &quiet, None)
        .await
        .expect("an answer");
    assert_eq!(
        (answer.status, answer.header("www-authenticate")),
        (401, "")
    );
}

#[tokio::test]
async fn a_session_token_is_given_for_a_password_and_lets_in() {
    let server = Server::start().await;
    let answer = server
        .post(
            "/_open/auth",
            json!({"username": "root", "password": "secret"}),
        )
        .await;
    let token = answer.json["jwt"].as_str().expect("a token").to_owned();
    let header = format!("bearer {token}");
    let answer = server
        .send(
            Method::GET,
            "/_api/version",
            &[("authorization", &header)],
            None,
        )
        .await
        .expect("an answer");
    assert_eq!(answer.status, 200);
    let answer = server
        .post(
            "/_open/auth",
            json!({"username": "root", "password": "wrong"}),
        )
        .await;
    assert_eq!(answer.failure(), (401, 401));
    assert_eq!(answer.json["errorMessage"], "Wrong credentials");
}

#[tokio::test]
async fn a_token_of_another_server_is_worth_nothing() {
    let (first, second) = (Server::start().await, Server::start().await);
    let answer = first
        .post(
            "/_open/auth",
            json!({"username": "root", "password": "secret"}),
        )
        .await;
    let header = format!("bearer {}", answer.json["jwt"].as_str().expect("a token"));
    let answer = second
        .send(
            Method::GET,
            "/_api/version",
            &[("authorization", &header)],
            None,
        )
        .await
        .expect("an answer");
    assert_eq!(answer.failure(), (401, 11));
}

#[tokio::test]
async fn with_read_access_a_write_is_forbidden_and_changes_nothing() {
    let server = guarded().await;
    let before = server.running.digest("_system").expect("a database");
    assert_eq!(server.get("/_api/document/shown/a").await.status, 200);
    for answer in [
        server.post("/_api/document/shown", json!({})).await,
        server
            .patch("/_api/document/shown/a", json!({"x": 1}))
            .await,
        server.delete("/_api/document/shown/a").await,
        server
            .put("/_api/collection/shown/truncate", json!({}))
            .await,
    ] {
        assert_eq!(answer.failure(), (403, 1004), "{}", answer.text);
    }
    assert_eq!(
        server.running.digest("_system").expect("a database"),
        before
    );
    assert_eq!(
        server.post("/_api/document/open", json!({})).await.status,
        202
    );
    assert_ne!(
        server.running.digest("_system").expect("a database"),
        before
    );
}

#[tokio::test]
async fn a_collection_without_access_is_forbidden_even_to_read() {
    let server = guarded().await;
    assert_eq!(
        server.get("/_api/document/hidden/a").await.failure(),
        (403, 11)
    );
    assert_eq!(
        server.get("/_api/collection/hidden/count").await.failure(),
        (403, 11)
    );
    let begin = json!({"collections": {"read": ["hidden"]}});
    assert_eq!(
        server
            .post("/_api/transaction/begin", begin)
            .await
            .failure(),
        (403, 11)
    );
    let names = server.get("/_api/collection?excludeSystem=true").await.json["result"].to_string();
    assert!(
        names.contains("\"shown\"") && !names.contains("\"hidden\""),
        "{names}"
    );
}

#[tokio::test]
async fn the_structure_of_a_database_takes_write_access_to_it() {
    let server = guarded().await;
    for (path, body) in [
        ("/_api/collection", json!({"name": "new"})),
        ("/_api/view", json!({"name": "v", "type": "arangosearch"})),
        ("/_api/gharial", json!({"name": "g", "edgeDefinitions": []})),
        ("/_api/analyzer", json!({"name": "a", "type": "identity"})),
        ("/_api/database", json!({"name": "d"})),
        ("/_api/user", json!({"user": "u"})),
    ] {
        assert_eq!(server.post(path, body).await.failure(), (403, 11), "{path}");
    }
    assert_eq!(
        server.delete("/_api/collection/open").await.failure(),
        (403, 11)
    );
}

#[tokio::test]
async fn a_database_without_access_is_closed() {
    let mut server = guarded().await;
    server.login("root", "secret");
    assert_eq!(
        server
            .post("/_api/database", json!({"name": "other"}))
            .await
            .status,
        201
    );
    server.login("reader", "r");
    assert_eq!(
        server.get("/_db/other/_api/version").await.failure(),
        (401, 11)
    );
    assert_eq!(
        server.get("/_api/database/user").await.json["result"],
        json!(["_system"])
    );
}

#[tokio::test]
async fn grants_over_http_take_effect_at_once() {
    let mut server = Server::start().await;
    server.collection("c").await;
    let answer = server
        .post("/_api/user", json!({"user": "u", "passwd": "p"}))
        .await;
    assert_eq!(answer.status, 201);
    assert_eq!(
        answer.json,
        json!({"user": "u", "active": true, "extra": {}, "code": 201, "error": false})
    );
    assert_eq!(
        server
            .post("/_api/user", json!({"user": "u"}))
            .await
            .failure(),
        (409, 1702)
    );
    let answer = server
        .put("/_api/user/u/database/_system", json!({"grant": "ro"}))
        .await;
    assert_eq!(answer.json["_system"], "ro");
    assert_eq!(
        server
            .put("/_api/user/u/database/_system/c", json!({"grant": "rw"}))
            .await
            .json["_system/c"],
        "rw"
    );
    assert_eq!(
        server
            .put("/_api/user/u/database/_system", json!({"grant": "all"}))
            .await
            .status,
        400
    );
    server.login("u", "p");
    assert_eq!(server.post("/_api/document/c", json!({})).await.status, 202);
    server.login("root", "secret");
    assert_eq!(
        server.delete("/_api/user/u/database/_system").await.status,
        202
    );
    server.login("u", "p");
    assert_eq!(server.get("/_api/version").await.status, 401);
    server.login("root", "secret");
    assert_eq!(server.delete("/_api/user/u").await.status, 202);
    assert_eq!(server.get("/_api/user/u").await.failure(), (404, 1703));
}

#[tokio::test]
async fn without_authentication_everybody_is_root() {
    let server = Server::start_with(EmbeddedArango::builder().without_authentication()).await;
    let answer = server
        .send(
            Method::GET,
            "/_api/collection",
            &[("authorization", "")],
            None,
        )
        .await
        .expect("an answer");
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn only_without_authentication_are_the_users_read_as_a_collection() {
    let text = json!({"query": "FOR u IN _users RETURN u"});
    let guarded = Server::start().await;
    assert_eq!(
        guarded.post("/_api/cursor", text.clone()).await.failure(),
        (403, 11)
    );
    let open = Server::start_with(EmbeddedArango::builder().without_authentication()).await;
    assert_eq!(open.post("/_api/cursor", text).await.status, 201);
}

#[tokio::test]
async fn a_server_that_is_printed_shows_no_secret() {
    let server = Server::start_with(EmbeddedArango::builder().password("pass-marker")).await;
    server
        .post(
            "/_open/auth",
            json!({"username": "root", "password": "body-marker"}),
        )
        .await;
    let printed = format!("{:?}", server.running);
    assert!(printed.contains("Running"));
    assert!(!printed.contains("marker"), "{printed}");
    assert!(
        printed.contains("Tokens,") || printed.contains("tokens: Tokens"),
        "the key is not among it: {printed}"
    );
}
