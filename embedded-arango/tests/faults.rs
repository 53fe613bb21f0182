//! Faults on demand.

mod util;

use std::time::Duration;

use serde_json::json;
use util::Server;

#[tokio::test]
async fn a_killed_connection_gives_no_answer_and_does_nothing() {
    let server = Server::start().await;
    server.running.faults().kill("/_api/collection");
    let body = json!({"name": "c"}).to_string();
    assert!(
        server
            .send(reqwest::Method::POST, "/_api/collection", &[], Some(body))
            .await
            .is_err()
    );
    server.running.faults().clear();
    assert_eq!(server.get("/_api/collection/c").await.status, 404);
}

#[tokio::test]
async fn a_lost_reply_leaves_the_work_done() {
    let server = Server::start().await;
    server.running.faults().lose_reply("/_api/collection");
    let body = json!({"name": "c"}).to_string();
    assert!(
        server
            .send(reqwest::Method::POST, "/_api/collection", &[], Some(body))
            .await
            .is_err()
    );
    server.running.faults().clear();
    assert_eq!(server.get("/_api/collection/c").await.status, 200);
}

#[tokio::test]
async fn a_stalled_request_goes_on_when_the_fault_is_cleared() {
    let server = Server::start().await;
    server.running.faults().stall("/_api/version");
    let stalled = server.get("/_api/version");
    let release = async {
        // The request is in the log before it stalls.
        while server.running.requests().is_empty() {
            tokio::task::yield_now().await;
        }
        assert_eq!(
            server
                .running
                .requests()
                .last()
                .and_then(|request| request.status),
            None
        );
        server.running.faults().clear();
    };
    let (answer, ()) = tokio::join!(stalled, release);
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn other_paths_are_not_touched_and_a_delay_ends() {
    let server = Server::start().await;
    server
        .running
        .faults()
        .delay("/_api/version", Duration::from_millis(1));
    server.running.faults().kill("/_api/cursor");
    assert_eq!(server.get("/_api/version").await.status, 200);
    assert_eq!(server.get("/_api/engine").await.status, 200);
}

#[tokio::test]
async fn an_answer_can_be_put_in_the_place_of_the_work() {
    let server = Server::start().await;
    server
        .running
        .faults()
        .answer("/_api/version", 503, "{\"errorNum\":1477}");
    assert_eq!(
        server.get("/_db/_system/_api/version").await.failure(),
        (503, 1477)
    );
}

#[tokio::test]
async fn shutdown_does_not_wait_for_what_is_stalled() {
    let server = Server::start().await;
    server.running.faults().stall("/_api/version");
    let url = format!("{}/_api/version", server.running.url());
    let stalled = tokio::spawn(async move {
        util::client()
            .get(url)
            .send()
            .await
            .map(|answer| answer.status().as_u16())
    });
    while server.running.requests().is_empty() {
        tokio::task::yield_now().await;
    }
    server.running.shutdown().await.expect("an orderly end");
    assert_eq!(stalled.await.expect("no panic").expect("an answer"), 401);
}
