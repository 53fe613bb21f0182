//! A secret planted in the host is found in nothing that crosses the boundary, and in nothing that comes out.

use std::io::Write;
use std::sync::{Arc, Mutex};

use end_to_end::{Stage, execute, read, reply};
use serde_json::json;

/// The host's password, as it stands and as HTTP Basic writes it.
const MARKERS: [&str; 3] = ["open sesame", "cm9vdDpvcGVuIHNlc2FtZQ", "b3BlbiBzZXNhbWU"];

/// Log lines, kept.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_secret_of_the_hosts_is_found_nowhere() {
    let lines = Lines::default();
    let writer = lines.clone();
    let logging = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    tracing::subscriber::set_global_default(logging).unwrap();

    let settings = json!({"allow_execute": true});
    let stage = Stage::with_settings(
        settings,
        [
            reply("FOR b IN nowhere RETURN b"),
            reply("FOR b IN books LIMIT 2 RETURN b"),
        ],
    )
    .await;
    let mut out = String::new();
    out += &format!("{:?}", stage.plugin.configure().await);
    out += &format!("{:?}", stage.plugin.question("two books").await);
    out += &format!("{:?}", stage.plugin.question("no reply is left").await);
    out += &format!("{:?}", stage.plugin.schema(None).await);
    out += &format!("{:?}", stage.plugin.definitions().await);
    for text in [
        "RETURN CURRENT_USER()",
        "FOR u IN _users RETURN u",
        "RETURN 1",
    ] {
        for request in [read(text), execute(text)] {
            out += &format!("{:?}", stage.plugin.question(request).await);
        }
    }
    stage.server.faults().answer(
        "/_api/explain",
        401,
        r#"{"error":true,"code":401,"errorNum":11,"errorMessage":"not authorized"}"#,
    );
    out += &format!("{:?}", stage.plugin.question(read("RETURN 1")).await);
    stage.server.faults().clear();
    out += &format!(
        "{:?} {:?} {:?}",
        stage.host,
        stage.plugin,
        stage.calls.all()
    );

    let mut crossed = stage.plugin.settings().to_owned();
    for one in stage.spy.seen() {
        crossed += &format!("{:?}", one.request);
        crossed += &String::from_utf8_lossy(one.request.body.as_deref().unwrap_or_default());
        match &one.response {
            Ok(response) => {
                crossed += &format!("{:?}", response.headers);
                crossed += &String::from_utf8_lossy(&response.body);
            }
            Err(error) => crossed += &format!("{error:?}"),
        }
    }
    crossed += &stage.model.prompts();
    let logged = String::from_utf8_lossy(&lines.0.lock().unwrap()).into_owned();

    assert!(
        stage.spy.seen().len() > 10 && out.len() > 1_000 && logged.contains("querent::audit"),
        "the test sees nothing"
    );
    for marker in MARKERS {
        for (where_, text) in [
            ("what crossed", &crossed),
            ("what came out", &out),
            ("the log", &logged),
        ] {
            assert!(!text.contains(marker), "`{marker}` stands in {where_}");
        }
    }
    stage.finish().await;
}

#[tokio::test]
async fn the_component_names_no_address_and_no_credential() {
    let stage = Stage::with_replies([reply("RETURN 1")]).await;
    stage.plugin.question("anything").await.unwrap();
    for one in stage.spy.seen() {
        assert!(
            one.request.path.starts_with("/_db/bookshop/_api/"),
            "{}",
            one.request.path
        );
        for (name, _) in &one.request.headers {
            assert!(
                ["accept", "content-type", "x-arango-trx-id"].contains(&name.as_str()),
                "{name}"
            );
        }
    }
    stage.finish().await;
}
