//! What `configure` leaves is kept outside of the instances, for its time.

mod common;

use common::{Setup, StubServer, text};
use host_example::Limits;

#[tokio::test]
async fn a_schema_is_reflected_once_and_again_when_it_is_forgotten_or_stale() {
    let server = StubServer::saying("{}");
    let plugin = Setup::new(server.clone(), Limits::default()).plugin();
    assert_eq!(plugin.prepared(), None);
    text(&plugin, "echo a").await;
    text(&plugin, "echo b").await;
    assert_eq!(
        server.count(),
        1,
        "the second call was handed what the first had prepared"
    );
    plugin.forget();
    text(&plugin, "echo c").await;
    assert_eq!(server.count(), 2);
    // A component that says so, in any call, is believed.
    for code in ["stale-prepared", "arango-1203"] {
        plugin
            .question(format!("fail {code}").as_str())
            .await
            .unwrap_err();
        assert_eq!(plugin.prepared(), None, "{code}");
        text(&plugin, "echo d").await;
    }
    assert_eq!(server.count(), 4);
}

#[tokio::test]
async fn a_schema_without_time_to_live_is_reflected_for_each_call() {
    let server = StubServer::saying("{}");
    let plugin = Setup::new(
        server.clone(),
        Limits {
            prepared_ttl_ms: 0,
            ..Limits::default()
        },
    )
    .plugin();
    text(&plugin, "echo a").await;
    text(&plugin, "echo b").await;
    assert_eq!(server.count(), 2);
}
