//! A guest that tries to exceed each limit, and is stopped; and one that does not, and is served.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use common::{Setup, StubModel, StubServer, response, text};
use host_example::component::Loaded;
use host_example::http::{Endpoint, EndpointRequest};
use host_example::llm::Model;
use host_example::types::{ErrorKind, http, llm};
use host_example::{BoxFuture, Decision, EngineOptions, Limits, Origin, Plugin, engine};

fn plugin(limits: Limits) -> Plugin {
    Setup::new(StubServer::saying("{}"), limits).plugin()
}

#[tokio::test]
async fn a_guest_that_behaves_is_served() {
    let plugin = plugin(Limits::default());
    assert_eq!(text(&plugin, "echo good morning").await, "good morning");
    assert_eq!(
        plugin.schema(Some("orders")).await.unwrap(),
        "{\"collection\":\"orders\"}"
    );
    assert_eq!(
        plugin.invoke("get_data", "{}").await.unwrap(),
        "{\"name\":\"get_data\",\"arguments\":{}}"
    );
    assert_eq!(plugin.definitions().await.unwrap()[0].name, "get_data");
}

#[tokio::test]
async fn a_loop_is_stopped_when_the_time_is_over_and_the_next_call_is_served() {
    let plugin = plugin(Limits {
        call_timeout_ms: 1_000,
        ..Limits::default()
    });
    let error = plugin.question("loop").await.unwrap_err();
    assert_eq!(
        (error.kind(), error.code(), error.origin()),
        (ErrorKind::Timeout, "host-timeout", Origin::Host)
    );
    assert_eq!(
        error.message(),
        "the call took longer than 1000 ms, and was stopped"
    );
    assert_eq!(text(&plugin, "echo next").await, "next");
}

#[tokio::test]
async fn memory_beyond_the_limit_is_refused_and_said() {
    let plugin = plugin(Limits {
        memory_bytes: 8 << 20,
        ..Limits::default()
    });
    assert_eq!(text(&plugin, "allocate 4").await, (4 << 20).to_string());
    let error = plugin.question("allocate 9").await.unwrap_err();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::LimitExceeded, "host-memory")
    );
    assert_eq!(text(&plugin, "echo next").await, "next");
}

#[tokio::test]
async fn a_panic_is_an_error_and_the_next_call_gets_an_instance_of_its_own() {
    let plugin = plugin(Limits::default());
    let error = plugin.question("panic").await.unwrap_err();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::Internal, "host-trap")
    );
    assert_eq!(text(&plugin, "echo next").await, "next");
}

#[tokio::test]
async fn the_words_of_a_guest_cannot_move_the_cursor() {
    let error = plugin(Limits::default())
        .question("fail my-code")
        .await
        .unwrap_err();
    assert_eq!(
        (error.code(), error.origin()),
        ("my-code", Origin::Component)
    );
    assert_eq!(error.message(), "asked to fail with \\u{1b}[31mmy-code");
}

#[tokio::test]
async fn a_request_that_no_grant_names_never_reaches_the_server() {
    let server = StubServer::saying("{}");
    let plugin = Setup::new(server.clone(), Limits::default()).plugin();
    plugin.configure().await.unwrap();
    let before = server.count();
    for (habit, told) in [
        (
            "fetch database POST /_db/shop/_api/transaction",
            "ErrorKind::Denied not-granted sent=false",
        ),
        (
            "fetch database GET /_db/other/_api/version",
            "ErrorKind::Denied not-granted sent=false",
        ),
        (
            "fetch database GET /_db/shop/_api/../_api/version",
            "ErrorKind::Denied not-granted sent=false",
        ),
        (
            "fetch database GET http://evil.example/",
            "ErrorKind::Denied not-granted sent=false",
        ),
        (
            "fetch elsewhere GET /_db/shop/_api/version",
            "ErrorKind::UnknownEndpoint unknown-endpoint sent=false",
        ),
        (
            "header authorization",
            "ErrorKind::Denied not-granted sent=false",
        ),
        ("header host", "ErrorKind::Denied not-granted sent=false"),
    ] {
        assert_eq!(text(&plugin, habit).await, told, "{habit}");
    }
    assert_eq!(server.count(), before);
    assert!(
        text(&plugin, "header Content-Type")
            .await
            .starts_with("200")
    );
}

#[tokio::test]
async fn a_component_sees_the_headers_that_it_needs_and_no_cookie() {
    let told = text(
        &plugin(Limits::default()),
        "fetch database GET /_db/shop/_api/version",
    )
    .await;
    assert_eq!(told, "200 {} [content-type x-arango-queue-time-seconds]");
}

#[tokio::test]
async fn a_body_beyond_the_limit_is_not_sent() {
    let plugin = plugin(Limits {
        request_bytes: 100,
        ..Limits::default()
    });
    assert!(text(&plugin, "body 100").await.starts_with("200"));
    assert_eq!(
        text(&plugin, "body 101").await,
        "ErrorKind::RequestTooLarge request-bytes sent=false"
    );
}

#[tokio::test]
async fn a_response_beyond_the_limit_is_not_handed_over_even_where_the_endpoint_ignores_it() {
    let server = StubServer::new(|request| {
        let size = if request.path.ends_with("/explain") {
            101
        } else {
            100
        };
        Ok(response(200, vec![b' '; size]))
    });
    let limits = Limits {
        response_bytes: 100,
        ..Limits::default()
    };
    let told = text(&Setup::new(server, limits).plugin(), "body 1").await;
    assert_eq!(told, "ErrorKind::ResponseTooLarge response-bytes sent=true");
}

#[tokio::test]
async fn requests_beyond_the_count_of_a_call_are_refused() {
    let plugin = plugin(Limits {
        http_calls: 1,
        ..Limits::default()
    });
    plugin.configure().await.unwrap();
    assert!(
        text(&plugin, "fetch database GET /_db/shop/_api/version")
            .await
            .starts_with("200")
    );
    // This call's one request goes to the reflection.
    plugin.forget();
    let told = text(&plugin, "fetch database GET /_db/shop/_api/version").await;
    assert_eq!(told, "ErrorKind::Denied http-calls sent=false");
}

#[tokio::test]
async fn model_requests_beyond_the_count_of_a_call_are_refused() {
    let plugin = plugin(Limits {
        model_calls: 2,
        ..Limits::default()
    });
    assert_eq!(
        text(&plugin, "complete 3").await,
        "yes; yes; ErrorKind::BudgetExceeded model_calls"
    );
    assert_eq!(
        text(&plugin, "complete 2").await,
        "yes; yes",
        "the next call has a budget of its own"
    );
}

#[tokio::test]
async fn tokens_are_reserved_before_a_request_and_settled_by_what_was_used() {
    let limits = Limits {
        model_tokens: 1_100,
        output_tokens: 1_000,
        ..Limits::default()
    };
    // Each reserves a little more than 1,000 and uses 10.
    assert_eq!(
        text(&plugin(limits.clone()), "complete 3").await,
        "yes; yes; yes"
    );
    // A model that reports nothing costs what was reserved.
    let mut setup = Setup::new(StubServer::saying("{}"), limits);
    setup.model = Arc::new(StubModel {
        text: "yes".to_owned(),
        tokens: None,
    });
    assert_eq!(
        text(&setup.plugin(), "complete 2").await,
        "yes; ErrorKind::BudgetExceeded model_tokens"
    );
}

#[tokio::test]
async fn a_tenant_is_stopped_across_calls() {
    let plugin = plugin(Limits {
        tenant_model_calls: Some(3),
        ..Limits::default()
    });
    assert_eq!(text(&plugin, "complete 2").await, "yes; yes");
    assert_eq!(
        text(&plugin, "complete 2").await,
        "yes; ErrorKind::BudgetExceeded tenant_model_calls"
    );
}

#[tokio::test]
async fn a_prompt_beyond_the_limit_is_not_sent() {
    let plugin = plugin(Limits {
        prompt_bytes: 5,
        ..Limits::default()
    });
    assert_eq!(
        text(&plugin, "complete 1").await,
        "ErrorKind::TooLarge prompt-bytes"
    );
}

/// Reflects and releases at once, and lets everything else wait.
#[derive(Default)]
struct Slow {
    asked: AtomicUsize,
}

impl Endpoint for Slow {
    fn fetch(
        &self,
        request: EndpointRequest,
    ) -> BoxFuture<'_, Result<http::Response, http::Error>> {
        let first = self.asked.fetch_add(1, Ordering::SeqCst) == 0;
        if first || request.method == http::Method::Delete {
            return Box::pin(std::future::ready(Ok(response(200, Vec::new()))));
        }
        Box::pin(std::future::pending())
    }
}

#[tokio::test]
async fn after_the_soft_end_four_releases_pass_and_nothing_else() {
    let limits = Limits {
        call_timeout_ms: 4_000,
        ..Limits::default()
    };
    let plugin = Setup::new(Arc::new(Slow::default()), limits).plugin();
    assert_eq!(
        text(&plugin, "linger").await,
        "model ErrorKind::Timeout call-deadline, released 4"
    );
}

/// Answers when it is told to.
#[derive(Default)]
struct Waiting {
    asked: tokio::sync::Notify,
    go: tokio::sync::Notify,
}

impl Endpoint for Waiting {
    fn fetch(&self, _: EndpointRequest) -> BoxFuture<'_, Result<http::Response, http::Error>> {
        Box::pin(async {
            self.asked.notify_one();
            self.go.notified().await;
            Ok(response(200, Vec::new()))
        })
    }
}

#[tokio::test]
async fn a_call_beyond_the_tenants_share_is_told_that_the_host_is_busy() {
    let server = Arc::new(Waiting::default());
    let limits = Limits {
        concurrent_calls: 1,
        queue_timeout_ms: 1,
        ..Limits::default()
    };
    let plugin = Setup::new(server.clone(), limits).plugin();
    let first = tokio::spawn({
        let plugin = plugin.clone();
        async move { plugin.question("echo first").await }
    });
    server.asked.notified().await;
    let error = plugin.question("echo second").await.unwrap_err();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::LimitExceeded, "host-busy")
    );
    assert!(error.record().retryable);
    server.go.notify_one();
    assert_eq!(first.await.unwrap().unwrap().text, "first");
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_given_up_when_the_request_has_had_its_time() {
    let plugin = Setup::new(
        Arc::new(Waiting::default()),
        Limits {
            http_timeout_ms: 50,
            ..Limits::default()
        },
    )
    .plugin();
    let error = plugin.question("echo never").await.unwrap_err();
    assert_eq!(error.code(), "unreachable");
}

#[tokio::test]
async fn each_use_of_a_capability_leaves_one_record() {
    let setup = Setup::new(StubServer::saying("{\"version\":1}"), Limits::default());
    let calls = setup.observer.clone();
    let plugin = setup.plugin();
    plugin.configure().await.unwrap();
    text(&plugin, "complete 1").await;
    text(&plugin, "fetch database POST /_db/shop/_api/transaction").await;
    let calls = calls.0.lock().unwrap();
    let lines: Vec<_> = calls
        .iter()
        .map(|call| {
            (
                call.capability,
                call.subject.as_str(),
                call.status,
                call.received_bytes,
                call.decision,
            )
        })
        .collect();
    assert_eq!(
        lines,
        [
            (
                "http-fetch",
                "database GET /_db/shop/_api/version",
                Some(200),
                13,
                Decision::Answered
            ),
            ("llm-complete", "write-query", None, 3, Decision::Answered),
            (
                "http-fetch",
                "database POST /_db/shop/_api/transaction",
                None,
                0,
                Decision::Refused("denied")
            ),
        ]
    );
    assert!(
        calls
            .iter()
            .all(|call| &*call.tenant == "acme" && call.component.len() == 12)
    );
}

#[tokio::test]
async fn a_call_beyond_the_instances_of_the_host_is_told_that_it_is_busy() {
    let server = Arc::new(Waiting::default());
    let engine = engine(EngineOptions {
        instances: 1,
        ..EngineOptions::default()
    })
    .unwrap();
    let loaded = Loaded::new(&engine, common::guest()).unwrap();
    let plugin = Setup::new(server.clone(), Limits::default()).plugin_of(loaded);
    let first = tokio::spawn({
        let plugin = plugin.clone();
        async move { plugin.question("echo first").await }
    });
    server.asked.notified().await;
    // Needs no database, and so does not wait for the first.
    let error = plugin.definitions().await.unwrap_err();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::LimitExceeded, "host-busy")
    );
    server.go.notify_one();
    assert_eq!(first.await.unwrap().unwrap().text, "first");
    assert_eq!(plugin.definitions().await.unwrap().len(), 1);
}

/// Never answers.
struct Silent;

impl Model for Silent {
    fn name(&self) -> String {
        "silent".to_owned()
    }

    fn complete(
        &self,
        _: llm::Request,
        _: Duration,
    ) -> BoxFuture<'_, Result<llm::Completion, llm::Error>> {
        Box::pin(std::future::pending())
    }
}

#[tokio::test]
async fn a_model_that_does_not_answer_is_given_up_when_the_request_has_had_its_time() {
    let mut setup = Setup::new(
        StubServer::saying("{}"),
        Limits {
            model_timeout_ms: 50,
            ..Limits::default()
        },
    );
    setup.model = Arc::new(Silent);
    assert_eq!(
        text(&setup.plugin(), "complete 1").await,
        "ErrorKind::Timeout model-timeout"
    );
}

/// Answers after a while, and keeps how many were waiting at once.
#[derive(Default)]
struct Counting {
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Counting {
    async fn count(&self) {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        self.now.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Endpoint for Counting {
    fn fetch(&self, _: EndpointRequest) -> BoxFuture<'_, Result<http::Response, http::Error>> {
        Box::pin(async {
            self.count().await;
            Ok(response(200, Vec::new()))
        })
    }
}

impl Model for Counting {
    fn name(&self) -> String {
        "counting".to_owned()
    }

    fn complete(
        &self,
        request: llm::Request,
        timeout: Duration,
    ) -> BoxFuture<'_, Result<llm::Completion, llm::Error>> {
        Box::pin(async move {
            self.count().await;
            let model = StubModel {
                text: "yes".to_owned(),
                tokens: None,
            };
            model.complete(request, timeout).await
        })
    }
}

/// The most requests of two calls of one tenant that were with the server, and with the model, at the same time.
async fn most_at_once(limits: Limits) -> (usize, usize) {
    let (server, model) = (Arc::new(Counting::default()), Arc::new(Counting::default()));
    let mut setup = Setup::new(server.clone(), limits);
    setup.model = model.clone();
    let plugin = setup.plugin();
    text(&plugin, "echo reflected").await;
    let habit = "fetch database GET /_db/shop/_api/version";
    tokio::join!(text(&plugin, habit), text(&plugin, habit));
    tokio::join!(text(&plugin, "complete 1"), text(&plugin, "complete 1"));
    (
        server.most.load(Ordering::SeqCst),
        model.most.load(Ordering::SeqCst),
    )
}

#[tokio::test]
async fn requests_beyond_the_tenants_share_wait_for_their_turn() {
    assert_eq!(most_at_once(Limits::default()).await, (2, 2));
    let one = Limits {
        concurrent_http_calls: 1,
        ..Limits::default()
    };
    assert_eq!(most_at_once(one).await, (1, 2));
    let one = Limits {
        concurrent_model_calls: 1,
        ..Limits::default()
    };
    assert_eq!(most_at_once(one).await, (2, 1));
}

#[tokio::test]
async fn the_responses_of_one_call_share_their_bytes() {
    let server = StubServer::saying(&"x".repeat(60));
    let plugin = Setup::new(
        server,
        Limits {
            call_response_bytes: 100,
            ..Limits::default()
        },
    )
    .plugin();
    // The reflection takes 60 of them.
    let habit = "fetch database GET /_db/shop/_api/version";
    assert_eq!(
        text(&plugin, habit).await,
        "ErrorKind::ResponseTooLarge response-bytes sent=true"
    );
    assert!(
        text(&plugin, habit).await.starts_with("200"),
        "the next call has bytes of its own"
    );
}
