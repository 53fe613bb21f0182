//! Every command that README and `docs/` show: run as it stands, with a value for each of its capital words, or on a list with
//! the reason why it is not.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use embedded_arango::EmbeddedArango;
use embedded_arango::data::DataSet;
use serde_json::json;

use crate::common::folder;
use crate::common::server::{Server, json as answer};
use crate::page::{all, spans, workspace};

/// What is done with a command.
enum How {
    /// Run against the demo data; the output has this text.
    Says(&'static str),
    /// Run until it says this, and then ended.
    Serves(&'static str),
    /// Not run here, and why.
    Not(&'static str),
}
use How::{Not, Says, Serves};

/// A longer list for a reader: what is shown, and what becomes of it.
const COMMANDS: &[(&str, How)] = &[
    ("cargo querent demo", Says("5. What will the weather")),
    (
        "OPENAI_API_KEY=… cargo querent demo \"Who reviewed the most books?\"",
        Says("1. Who reviewed"),
    ),
    (
        "cargo querent demo --model exchange:DIR \"…\"",
        Says("RETURN 1"),
    ),
    ("cargo querent init", Says("querent.toml")),
    ("cargo querent doctor", Says("ok      model")),
    ("cargo querent chat", Says("/help")),
    ("cargo querent ask QUESTION", Says("| title |")),
    ("cargo querent ask --prose QUESTION", Says("Five books.")),
    ("cargo querent aql QUESTION", Says("FOR o IN orders")),
    (
        "cargo querent read AQL [--bind JSON]",
        Says("Lantern Books Dublin"),
    ),
    (
        "cargo querent execute AQL [--bind JSON]",
        Says("Lantern Books Dublin"),
    ),
    ("cargo querent schema [COLLECTION]", Says("openingHours")),
    ("cargo querent tool NAME JSON", Says("openingHours")),
    ("cargo querent audit FILE.wasm", Says("loads:   yes")),
    (
        "cargo querent --verbose ask QUESTION",
        Says("capability=\"http-fetch\""),
    ),
    ("cargo querent eval QUESTIONS.jsonl", Says("1 of 1")),
    (
        "cargo querent eval questions.jsonl --results run-1.jsonl --summary run-1.md",
        Says("1 of 1"),
    ),
    (
        "cargo querent eval questions.jsonl --results run-2.jsonl --compare run-1.jsonl --min-accuracy 90",
        Says("1 of 1"),
    ),
    (
        "cargo querent eval host-example/eval/bookshop.jsonl --demo --model openai:gpt-4.1-mini",
        Not("tests/evaluation.rs asks the sixty of a model that is played"),
    ),
    ("querent eval", Not("the lines with its arguments are run")),
    (
        "cargo querent embedded --listen 127.0.0.1:8529 --data demo",
        Serves("listening on http://127.0.0.1:"),
    ),
    (
        "cargo querent embedded",
        Not("the line with its options is run"),
    ),
    (
        "cargo build --package arango-component --target wasm32-unknown-unknown --profile component",
        Not("the build script of this crate has run it, with a target directory of its own"),
    ),
    (
        "rustup target add wasm32-unknown-unknown",
        Not("it changes the machine's toolchain"),
    ),
    (
        "cargo run --package host-example --example embed -- ENDPOINT DATABASE MODEL_URL QUESTION",
        Not("tests/docs/embedding.rs runs the program"),
    ),
    (
        "cargo run --package host-example --example embed_wasmtime -- COMPONENT ENDPOINT DATABASE MODEL_URL QUESTION",
        Not("tests/docs/embedding.rs runs the program"),
    ),
];

/// What stands for the capital words.
const VALUES: [(&str, &str); 8] = [
    ("QUESTIONS.jsonl", "questions.jsonl"),
    ("QUESTION", "Which five books have sold the most copies?"),
    (
        "AQL",
        "FOR b IN branches FILTER b.name != @name SORT b.name LIMIT 1 RETURN b.name",
    ),
    ("NAME", "get_schema"),
    ("JSON", "{\"name\": \"\"}"),
    ("COLLECTION", "branches"),
    ("127.0.0.1:8529", "127.0.0.1:0"),
    ("…", "Which branch is the oldest?"),
];

/// The words with which a command begins.
fn is_command(text: &str) -> bool {
    let mut words = text
        .split_whitespace()
        .skip_while(|word| word.contains('='));
    let first = words.next().unwrap_or_default();
    ["cargo", "querent", "rustup", "wasm-tools", "python3"].contains(&first)
        && words.next().is_some()
}

/// The commands of all pages: code spans, and the lines of blocks for a shell.
fn shown() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (_, text) in all() {
        let mut block: Option<&str> = None;
        for line in text.lines() {
            if let Some(tag) = line.strip_prefix("```") {
                block = if block.is_some() { None } else { Some(tag) };
            } else if block.is_some_and(|tag| ["sh", "bash", "console"].contains(&tag)) {
                found.insert(line.trim().to_owned());
            } else if block.is_none() {
                found.extend(spans(line).into_iter().filter(|span| is_command(span)));
            }
        }
    }
    found.retain(|command| !command.is_empty() && !command.starts_with('#'));
    found
}

/// `cargo test` and `cargo bench`: what they run runs with all tests. Here the package and the target must be there.
fn is_of_this_workspace(command: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    let after = |names: [&str; 2]| {
        let at = words.iter().position(|word| names.contains(word))?;
        words.get(at + 1).copied()
    };
    let [Some(&"cargo"), Some(&("test" | "bench"))] = [words.first(), words.get(1)] else {
        return false;
    };
    let Some(package) = after(["-p", "--package"]) else {
        return words[2..] == ["--workspace"];
    };
    let folder = workspace().join(package);
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
    let target = |kind: &str, name: &str| {
        let file = folder.join(kind);
        file.join(format!("{name}.rs")).is_file()
            || file.join(name).join("main.rs").is_file()
            || manifest.contains(&format!("name = \"{name}\""))
    };
    manifest.contains(&format!("name = \"{package}\""))
        && after(["--test", "--test"]).is_none_or(|name| target("tests", name))
        && after(["--bench", "--bench"]).is_none_or(|name| target("benches", name))
}

#[test]
fn every_command_that_is_shown_is_run_or_says_why_not() {
    let known: BTreeSet<String> = COMMANDS
        .iter()
        .map(|(text, _)| (*text).to_owned())
        .collect();
    let mut shown = shown();
    shown.retain(|command| !is_of_this_workspace(command));
    let unknown: Vec<_> = shown.difference(&known).collect();
    let gone: Vec<_> = known.difference(&shown).collect();
    assert!(
        unknown.is_empty() && gone.is_empty(),
        "not in the list: {unknown:#?}; no longer shown: {gone:#?}"
    );
    for (command, how) in COMMANDS {
        if let Not(why) = how {
            assert!(why.len() > 10, "{command}");
        }
    }
}

/// The arguments of `cargo querent …`, as a shell parts them, with values for the capital words.
fn arguments(command: &str) -> Vec<String> {
    let (_, rest) = command
        .split_once("cargo querent ")
        .expect("a command of ours");
    let mut words = Vec::new();
    for (at, part) in rest.split('"').enumerate() {
        if at % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(
                part.split_whitespace()
                    .map(|word| word.trim_matches(['[', ']']).to_owned()),
            );
        }
    }
    let component = host_example::component::path().display().to_string();
    let value = |word: String| match VALUES.iter().find(|(name, _)| *name == word) {
        Some((_, value)) => (*value).to_owned(),
        None => word
            .replace("FILE.wasm", &component)
            .replace("DIR", "exchange"),
    };
    words.into_iter().map(value).collect()
}

/// A folder with what the commands find on a machine: a script of the model's, and a reply that lies ready.
fn place() -> PathBuf {
    let folder = folder("docs-commands");
    let demo = include_str!("../../src/bin/querent/commands/demo/script.json");
    let mut rules: serde_json::Value = serde_json::from_str(demo).expect("a script");
    let prose =
        json!({"when": {"contains": [], "purpose": "write-answer"}, "reply": "Five books."});
    rules.as_array_mut().expect("rules").insert(0, prose);
    std::fs::write(folder.join("script.json"), rules.to_string()).expect("written");
    let question = demo_question(&rules);
    std::fs::write(folder.join("questions.jsonl"), question).expect("written");
    std::fs::create_dir(folder.join("exchange")).expect("a folder");
    let reply = json!({"text": json!({"isValid": true, "query": "RETURN 1"}).to_string()});
    std::fs::write(folder.join("exchange/0001.reply.json"), reply.to_string()).expect("written");
    folder
}

/// The script's first question, with the query that it replies as the right one.
fn demo_question(rules: &serde_json::Value) -> String {
    let rule = &rules[1];
    let (question, aql) = (&rule["when"]["contains"][0], &rule["reply"]["query"]);
    format!("{}\n", json!({"question": question, "aql": aql}))
}

fn prepared(command: &str, folder: &Path, database: &str) -> Command {
    let mut run = Command::new(env!("CARGO_BIN_EXE_querent"));
    run.current_dir(folder)
        .args(arguments(command))
        .stdin(Stdio::piped());
    for (name, _) in std::env::vars() {
        if ["QUERENT_", "OPENAI_", "ANTHROPIC_"]
            .iter()
            .any(|prefix| name.starts_with(prefix))
        {
            run.env_remove(name);
        }
    }
    run.env("QUERENT_ENDPOINT", database)
        .env("QUERENT_DATABASE", "bookshop")
        .env("QUERENT_SETTINGS__ALLOW_EXECUTE", "true");
    if !command.contains(" demo") {
        run.env("QUERENT_MODEL", "scripted:script.json");
    }
    run
}

fn run(command: &str, folder: &Path, database: &str, expected: &str) {
    let mut run = prepared(command, folder, database);
    let query = json!({"isValid": true, "query": "RETURN 1"}).to_string();
    let completion = json!({"model": "stub", "choices": [{"index": 0, "finish_reason": "stop",
        "message": {"role": "assistant", "content": query}}]});
    let model = Server::answering([answer("200 OK", &completion.to_string())]);
    if command.starts_with("OPENAI_API_KEY=…") {
        run.env("OPENAI_API_KEY", "sk-marker")
            .env("OPENAI_BASE_URL", format!("{}/v1/", model.url()));
    }
    let mut running = run
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = running.stdin.take().expect("a way in");
    // Only the conversation reads; for the others the pipe may be closed before.
    let _ = stdin.write_all(b"/help\n");
    drop(stdin);
    let output = running.wait_with_output().expect("it ends");
    let said = [&output.stdout[..], &output.stderr[..]].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(output.status.success(), "{command}: {said}");
    assert!(
        said.contains(expected),
        "{command} does not say `{expected}`: {said}"
    );
}

fn serve(command: &str, folder: &Path, database: &str, expected: &str) {
    let mut running = prepared(command, folder, database)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut line = String::new();
    let stdout = running.stdout.take().expect("a way out");
    BufReader::new(stdout).read_line(&mut line).expect("a line");
    running.kill().expect("it was running");
    running.wait().expect("it ends");
    assert!(line.starts_with(expected), "{command}: {line}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_commands_that_are_shown_do_what_is_said_of_them() {
    let builder = EmbeddedArango::builder().data(DataSet::demo().fill("bookshop"));
    let server = builder.start().await.expect("a server");
    let (folder, url) = (place(), server.url());
    let all = move || {
        for (command, how) in COMMANDS {
            match how {
                Says(expected) => run(command, &folder, &url, expected),
                Serves(expected) => serve(command, &folder, &url, expected),
                Not(_) => {}
            }
        }
    };
    tokio::task::spawn_blocking(all)
        .await
        .expect("each command");
    server.shutdown().await.expect("an end");
}
