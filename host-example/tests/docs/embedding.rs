//! The two programs of `docs/embedding.md`, run against the embedded server and a model on loopback.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::SystemTime;

use embedded_arango::data::DataSet;
use embedded_arango::{EmbeddedArango, Running};
use serde_json::json;

use crate::common::server::{Server, json as answer};
use crate::page::workspace;

const PASSWORD: &str = "hunter2-marker";
const KEY: &str = "sk-swordfish-marker";
const QUESTION: &str = "What are the names of the branches?";

/// The program, which cargo builds with the tests; built now where only some of them were.
pub(crate) fn example(name: &str) -> PathBuf {
    let beside = Path::new(env!("CARGO_BIN_EXE_querent")).with_file_name("examples");
    let path = beside.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let source = workspace().join(format!("host-example/examples/{name}.rs"));
    let changed = |path: &Path| {
        path.metadata()
            .and_then(|data| data.modified())
            .unwrap_or(SystemTime::UNIX_EPOCH)
    };
    if changed(&path) < changed(&source) {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(workspace()).args([
            "build",
            "--package",
            "host-example",
            "--example",
            name,
        ]);
        let output = cargo.output().expect("cargo starts");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    path
}

async fn server() -> Running {
    let builder = EmbeddedArango::builder()
        .password(PASSWORD)
        .data(DataSet::demo().fill("bookshop"));
    builder.start().await.expect("a server")
}

/// A model that writes one query.
fn model() -> Server {
    let reply = json!({"isValid": true, "query": "FOR b IN branches SORT b.name LIMIT 2 RETURN {name: b.name}"});
    let completion = json!({"choices": [{"message": {"role": "assistant", "content": reply.to_string()}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20}});
    Server::answering([answer("200 OK", &completion.to_string())])
}

async fn run(program: PathBuf, arguments: Vec<String>) -> Output {
    let run = move || {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env("DB_PASSWORD", PASSWORD)
            .env("MODEL_KEY", KEY)
            .env("MODEL", "stub");
        command.output().expect("the program starts")
    };
    tokio::task::spawn_blocking(run)
        .await
        .expect("the program ends")
}

fn check(output: &Output, model: &Server) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
    assert!(
        out.contains("FOR b IN branches") && out.contains("| name |"),
        "{out}"
    );
    for secret in [PASSWORD, KEY] {
        assert!(!out.contains(secret) && !err.contains(secret), "{out}{err}");
    }
    let sent = model.requests();
    assert_eq!(sent.len(), 1);
    assert!(
        sent[0]
            .to_lowercase()
            .contains(&format!("authorization: bearer {KEY}\r\n")),
        "{}",
        sent[0]
    );
    assert!(
        sent[0].contains(QUESTION) && !sent[0].contains(PASSWORD),
        "{}",
        sent[0]
    );
    (out, err)
}

#[tokio::test]
async fn a_host_with_the_library_answers_and_logs_every_use_of_a_capability() {
    let (server, model) = (server().await, model());
    let arguments = [
        server.url(),
        "bookshop".to_owned(),
        model.url(),
        QUESTION.to_owned(),
    ];
    let output = run(example("embed"), arguments.to_vec()).await;
    let (out, err) = check(&output, &model);
    assert!(out.starts_with("imports: querent:host/"), "{out}");
    assert!(err.contains("llm-complete write-query Answered"), "{err}");
    assert!(
        err.contains("http-fetch database POST /_db/bookshop/_api/explain Answered"),
        "{err}"
    );
    server.shutdown().await.expect("an end");
}

#[tokio::test]
async fn a_host_with_glue_of_its_own_answers_and_leaves_nothing_open() {
    let (server, model) = (server().await, model());
    let component = host_example::component::path().display().to_string();
    let arguments = [
        component,
        server.url(),
        "bookshop".to_owned(),
        model.url(),
        QUESTION.to_owned(),
    ];
    let output = run(example("embed_wasmtime"), arguments.to_vec()).await;
    let (_, err) = check(&output, &model);
    assert!(err.contains("bytes for the next call"), "{err}");
    let stats = server.stats();
    assert_eq!((stats.open_cursors, stats.open_transactions), (0, 0));
    server.shutdown().await.expect("an end");
}

#[test]
fn the_first_program_has_at_most_150_lines() {
    let text = std::fs::read_to_string(workspace().join("host-example/examples/embed.rs"))
        .expect("a file");
    assert!(
        text.lines().count() <= 150,
        "{} lines",
        text.lines().count()
    );
}
