//! The command `querent` as a shell sees it: exit codes, and which stream says what.

mod common;

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use common::command::{outcome, querent};
use common::folder;
use embedded_arango::data::DataSet;
use embedded_arango::{EmbeddedArango, Running};
use serde_json::{Value, json};

#[test]
fn help_lists_the_exit_codes_and_a_wrong_option_is_code_2() {
    let folder = folder("command-usage");
    let (code, out, _) = outcome(&querent(&folder, &["--help"], &[]));
    assert_eq!(code, 0);
    assert!(
        out.contains("Exit codes:") && out.contains(" 6  database-unreachable"),
        "{out}"
    );
    let (code, out, err) = outcome(&querent(&folder, &["ask"], &[]));
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("<QUESTION>"), "{err}");
    let (code, _, err) = outcome(&querent(&folder, &["ask", "x", "--json", "--csv"], &[]));
    assert_eq!(code, 2, "{err}");
    let (code, _, err) = outcome(&querent(&folder, &["schema", "--tenant", "acme"], &[]));
    assert_eq!(
        (code, err.as_str()),
        (3, "querent: no tenant `acme`; there is `default`\n")
    );
}

#[test]
fn a_wrong_configuration_is_code_3_and_says_where() {
    let folder = folder("command-config");
    std::fs::write(folder.join("querent.toml"), "[arango]\nendpont = \"x\"\n").unwrap();
    let (code, out, err) = outcome(&querent(&folder, &["ask", "x"], &[]));
    assert_eq!((code, out.as_str()), (3, ""));
    assert_eq!(
        err,
        "querent: unknown key `arango.endpont` in `querent.toml`; did you mean `endpoint`?\n"
    );
    let (code, _, err) = outcome(&querent(
        &folder,
        &["ask", "x", "--config", "other.toml"],
        &[],
    ));
    assert_eq!(code, 3);
    assert!(
        err.starts_with("querent: `other.toml` cannot be read: "),
        "{err}"
    );
    let (code, _, err) = outcome(&querent(
        &folder,
        &["ask", "x", "--config", "other.toml", "--model", "gpt"],
        &[],
    ));
    assert_eq!(code, 3, "{err}");
}

#[test]
fn a_component_that_reaches_further_is_code_5_and_its_audit_is_shown_all_the_same() {
    let folder = folder("command-audit");
    let bytes =
        wat::parse_str("(component (import \"wasi:cli/environment@0.2.6\" (instance)))").unwrap();
    std::fs::write(folder.join("foreign.wasm"), bytes).unwrap();
    let (code, out, err) = outcome(&querent(&folder, &["audit", "foreign.wasm"], &[]));
    assert_eq!(code, 5);
    assert!(
        out.starts_with("imports: wasi:cli/environment@0.2.6\nexports: none\nsize:    "),
        "{out}"
    );
    assert!(
        out.contains("digest:  sha256:") && out.ends_with("loads:   no\n"),
        "{out}"
    );
    assert!(err.starts_with("querent: the component is refused: imports what this host does not grant: `wasi:cli/environment@0.2.6`"), "{err}");
    let (code, out, _) = outcome(&querent(&folder, &["audit", "foreign.wasm", "--json"], &[]));
    let record: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &record["loads"]), (5, &serde_json::json!(false)));
    let (code, _, err) = outcome(&querent(&folder, &["audit", "none.wasm"], &[]));
    assert_eq!(code, 3, "{err}");
}

#[test]
fn the_component_of_this_crate_is_audited_in_two_lines_and_loads() {
    let folder = folder("command-audit-own");
    let path = host_example::component::path().to_str().unwrap();
    let (code, out, err) = outcome(&querent(&folder, &["audit", path], &[]));
    assert_eq!(code, 0, "{err}");
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("imports: querent:host/"), "{out}");
    assert!(lines[1].starts_with("exports: querent:ask/"), "{out}");
    assert_eq!(lines[4], "loads:   yes");
}

/// The bookshop, with this password, for the command to ask.
async fn bookshop(password: &str) -> Running {
    let builder = EmbeddedArango::builder()
        .password(password)
        .data(DataSet::demo().fill("bookshop"));
    builder.start().await.expect("a server")
}

/// Runs the command against a server, off the thread that serves.
async fn against(
    server: &Running,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> (i32, String, String) {
    let owned = |text: &&str| (*text).to_owned();
    let arguments: Vec<String> = arguments.iter().map(owned).collect();
    let url = server.url();
    let mut all = vec![
        ("QUERENT_ENDPOINT".to_owned(), url),
        ("QUERENT_DATABASE".to_owned(), "bookshop".to_owned()),
    ];
    all.extend(
        variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned())),
    );
    let run = move || {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let variables: Vec<(&str, &str)> = all
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        outcome(&querent(folder, &arguments, &variables))
    };
    tokio::task::spawn_blocking(run)
        .await
        .expect("the command ends")
}

#[test]
fn the_demo_answers_its_questions_with_rows_and_mends_one_query() {
    let folder = folder("command-demo");
    let (code, out, err) = outcome(&querent(&folder, &["demo"], &[]));
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let lines: Vec<&str> = out.lines().collect();
    assert!(
        lines[1].starts_with("imports: querent:host/")
            && lines[2].starts_with("exports: querent:ask/"),
        "{out}"
    );
    assert!(
        lines[4].starts_with("model: the replies that come with this demo"),
        "{out}"
    );
    for expected in [
        "1. Which five books",
        "5. What will the weather",
        "attempts: 2",
        "| 2025-12 | ",
        "Lantern Books Hamburg",
    ] {
        assert!(out.contains(expected), "`{expected}` is missing in {out}");
    }
    let refused = out
        .find("because: the query is not AQL")
        .expect("a refusal");
    assert!(
        out.find("ORDER BY").expect("the first try") < refused,
        "{out}"
    );
    let tables = lines.iter().filter(|line| line.starts_with("| --- |"));
    assert_eq!(
        tables.count(),
        4,
        "four of the five answers have rows: {out}"
    );
}

#[test]
fn the_demo_prints_records_and_says_how_to_name_a_model_where_its_script_ends() {
    let folder = folder("command-demo-json");
    let (code, out, _) = outcome(&querent(&folder, &["demo", "--json"], &[]));
    let records: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!((code, records.len()), (0, 5));
    assert_eq!(records[2]["attempts"].as_array().map(Vec::len), Some(2));
    assert_eq!(records[2]["rows"].as_array().map(Vec::len), Some(12));
    assert_eq!(
        (&records[4]["outcome"], &records[0]["model"]),
        (&json!("words"), &json!("scripted:demo"))
    );

    let (code, out, err) = outcome(&querent(
        &folder,
        &["demo", "Who is the oldest author?", "--json"],
        &[],
    ));
    let record: Value = serde_json::from_str(&out).expect("one record");
    assert_eq!((code, &record["error"]["kind"]), (13, &json!("model")));
    assert!(
        err.contains("name a model: `--model openai:NAME`")
            && err.contains("Who is the oldest author?"),
        "{err}"
    );
}

#[test]
fn a_question_of_ones_own_is_answered_by_whoever_writes_the_reply() {
    let folder = folder("command-exchange");
    let exchange = folder.join("exchange");
    let answering = std::thread::spawn({
        let exchange = exchange.clone();
        move || {
            let request = exchange.join("0001.request.json");
            while !request.exists() {
                std::thread::yield_now();
            }
            let reply = json!({"text": {"isValid": true, "query": "FOR a IN authors FILTER a.born != null SORT a.born LIMIT 1 RETURN a.born"}});
            let draft = exchange.join("draft");
            std::fs::write(&draft, reply.to_string()).expect("written");
            std::fs::rename(draft, exchange.join("0001.reply.json")).expect("renamed");
            std::fs::read_to_string(request).expect("the prompt")
        }
    });
    let arguments = [
        "demo",
        "When was the oldest author born?",
        "--json",
        "--model",
        "exchange:exchange",
    ];
    let (code, out, err) = outcome(&querent(&folder, &arguments, &[]));
    let prompt: Value = serde_json::from_str(&answering.join().expect("answered")).expect("JSON");
    let record: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((code, &record["row_count"]), (0, &json!(1)), "{err}");
    assert!(record["rows"][0].is_number(), "{out}");
    assert_eq!(prompt["purpose"], "write-query");
    let said = prompt["messages"]
        .as_array()
        .and_then(|messages| messages.last())
        .expect("a message");
    assert!(
        said["content"]
            .as_str()
            .is_some_and(|text| text.contains("When was the oldest author born?")),
        "{said}"
    );
}

#[tokio::test]
async fn rows_are_printed_as_asked_with_every_digit() {
    let server = bookshop("").await;
    let query = "FOR r IN [{n: 9007199254740993, t: 'a,\"b\"'}, {t: null, l: [1]}, 7] RETURN r";
    let (code, out, err) = against(&server, &["read", query, "--csv"], &[]).await;
    assert_eq!(
        (code, out.as_str()),
        (
            0,
            "n,t,l,value\r\n9007199254740993,\"a,\"\"b\"\"\",,\r\n,,[1],\r\n,,,7\r\n"
        ),
        "{err}"
    );
    let (_, out, _) = against(&server, &["read", query, "--jsonl"], &[]).await;
    assert_eq!(out.lines().count(), 3);
    assert!(out.starts_with("{\"n\":9007199254740993,"), "{out}");
    let arguments = [
        "read",
        "FOR b IN @@c SORT b._key RETURN b._key",
        "--bind",
        "{\"@c\": \"books\"}",
        "--limit",
        "2",
        "--json",
    ];
    let (_, out, err) = against(&server, &arguments, &[]).await;
    let record: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(
        (&record["rows"], &record["truncated"]),
        (&json!(["b001", "b002"]), &json!(true)),
        "{err}"
    );
    let (code, out, err) = against(&server, &["read", "RETURN 1"], &[]).await;
    assert_eq!(
        (code, out.as_str(), err.as_str()),
        (0, "| A |\n| --- |\n| 1 |\n", "AQL: RETURN 1\n")
    );
}

#[tokio::test]
async fn each_kind_of_failure_has_its_exit_code() {
    let server = bookshop("right").await;
    let right = ("QUERENT_PASSWORD", "right");
    for (code, arguments, variables) in [
        (0, vec!["schema", "books"], vec![right]),
        (3, vec!["schema"], vec![right, ("QUERENT_DATABASE", "none")]),
        (4, vec!["tool", "get_data", "[]"], vec![right]),
        (
            6,
            vec!["schema"],
            vec![right, ("QUERENT_ENDPOINT", "http://127.0.0.1:1")],
        ),
        (7, vec!["schema"], vec![("QUERENT_PASSWORD", "wrong")]),
        (9, vec!["read", "REMOVE 'b001' IN books"], vec![right]),
        (9, vec!["execute", "REMOVE 'b001' IN books"], vec![right]),
        (13, vec!["ask", "how many books?"], vec![right]),
    ] {
        let (got, out, err) = against(&server, &arguments, &variables).await;
        assert_eq!(got, code, "{arguments:?}: {out}{err}");
        assert!(
            code == 0 || (out.is_empty() && err.contains("querent: ")),
            "{arguments:?}: {out}{err}"
        );
    }
    let allowed = [right, ("QUERENT_SETTINGS__ALLOW_EXECUTE", "true")];
    let (code, out, err) = against(
        &server,
        &["execute", "REMOVE 'b001' IN books", "--json"],
        &allowed,
    )
    .await;
    let record: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((code, &record["affected_rows"]), (0, &json!(1)), "{err}");
}

#[tokio::test]
async fn a_password_is_in_no_output_and_no_log_however_much_is_logged() {
    let server = bookshop("hunter2-marker").await;
    let variables = [
        ("QUERENT_PASSWORD", "hunter2-marker"),
        ("QUERENT_LOG", "trace"),
    ];
    let (code, out, err) = against(&server, &["schema", "-v"], &variables).await;
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("querent::audit"), "the log was on: {err}");
    for secret in ["hunter2-marker", "cm9vdDpodW50ZXIyLW1hcmtlcg"] {
        assert!(
            !out.contains(secret) && !err.contains(secret),
            "`{secret}` was shown"
        );
    }
}

#[test]
fn the_embedded_server_says_where_it_listens_once_it_does() {
    let folder = folder("command-embedded");
    let mut child = Command::new(env!("CARGO_BIN_EXE_querent"))
        .current_dir(&folder)
        .args(["embedded", "--listen", "127.0.0.1:0", "--data", "empty"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command starts");
    let mut line = String::new();
    let read = BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line);
    let address = line
        .trim()
        .strip_prefix("listening on http://")
        .map(str::to_owned);
    let connected = address.as_ref().map(std::net::TcpStream::connect);
    child.kill().expect("killed");
    child.wait().expect("ended");
    assert!(read.is_ok() && matches!(connected, Some(Ok(_))), "{line}");
}

#[test]
fn init_writes_a_file_whose_keys_are_all_known_and_never_writes_over_one() {
    let folder = folder("command-init");
    let (code, out, err) = outcome(&querent(&folder, &["init"], &[]));
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let text = std::fs::read_to_string(folder.join("querent.toml")).unwrap();
    // Every key that is commented out is a key: the file loads with all of them.
    let keys: String = text
        .lines()
        .filter_map(|line| match line.strip_prefix("# ") {
            Some(rest) if rest.starts_with("[[") || rest.contains(" = ") => Some(rest),
            Some(_) => None,
            None => Some(line),
        })
        .map(|line| format!("{line}\n"))
        .collect();
    let keys = keys
        .replace("ca_file", "#")
        .replace("password_file", "#")
        .replace("api_key_file", "#");
    std::fs::write(folder.join("all.toml"), keys).unwrap();
    let config = host_example::config::Sources::new()
        .file(folder.join("all.toml"))
        .load()
        .unwrap();
    let settings = config.tenants["default"].settings_json();
    for name in [
        "prose",
        "examples",
        "policy",
        "schema_budget_tokens",
        "limits",
    ] {
        assert!(settings.contains(name), "`{name}` is not in {settings}");
    }
    let (code, _, err) = outcome(&querent(&folder, &["init"], &[]));
    assert_eq!(code, 3);
    assert!(
        err.contains("it is there already, and was not touched"),
        "{err}"
    );
    assert_eq!(
        text,
        std::fs::read_to_string(folder.join("querent.toml")).unwrap()
    );
}

#[tokio::test]
async fn the_doctor_says_of_each_thing_whether_it_works_and_what_to_do() {
    let server = bookshop("right").await;
    let right = [
        ("QUERENT_PASSWORD", "right"),
        ("QUERENT_MODEL", "exchange:doctor-exchange"),
    ];
    let (code, out, err) = against(&server, &["doctor"], &right).await;
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    for line in [
        "ok      configuration: tenant `default`: database `bookshop` at http://",
        "ok      connection: ",
        "ok      credentials: the server accepts user `root`",
        "ok      version: ArangoDB 3.12.",
        "warning rights: user `root` may write to `bookshop`",
        "-> in arangosh: require(\"@arangodb/users\").save(",
        "ok      read barrier: ",
        "ok      schema: ",
        "ok      model: exchange:",
        " 0 failed",
    ] {
        assert!(out.contains(line), "`{line}` is missing in {out}");
    }

    let (code, out, _) = against(&server, &["doctor"], &[("QUERENT_PASSWORD", "wrong")]).await;
    assert_eq!(code, 7, "{out}");
    assert!(
        out.contains("FAILED  credentials: the server does not accept user `root`"),
        "{out}"
    );
    assert!(
        out.contains("FAILED  model: no model is configured"),
        "{out}"
    );

    let gone = [("QUERENT_ENDPOINT", "http://127.0.0.1:1"), right[1]];
    let (code, out, _) = against(&server, &["doctor", "--json"], &gone).await;
    let checks: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(
        (code, &checks[1]["check"]),
        (6, &json!("connection")),
        "{out}"
    );
    assert_eq!(checks[1]["result"], "failed");
    assert!(
        checks[1]["found"].as_str().unwrap().contains("127.0.0.1:1"),
        "{out}"
    );

    let none = [right[0], right[1], ("QUERENT_DATABASE", "none")];
    let (code, out, _) = against(&server, &["doctor"], &none).await;
    assert_eq!(code, 3, "{out}");
    assert!(
        out.contains("FAILED  credentials: there is no database `none`"),
        "{out}"
    );
}

#[tokio::test]
async fn a_failure_from_before_any_call_is_a_record_too() {
    let server = bookshop("").await;
    let arguments = ["ask", "x", "--json", "--tenant", "none"];
    let (code, out, _) = against(&server, &arguments, &[]).await;
    let record: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(
        (code, &record["error"]["kind"]),
        (3, &json!("configuration")),
        "{out}"
    );
}

#[tokio::test]
async fn a_chat_takes_what_was_said_into_the_next_question_and_survives_a_failed_one() {
    let server = bookshop("").await;
    let folder = folder("command-chat");
    let rules = json!([
        {"when": {"contains": ["something else"]}, "reply": "I would rather not."},
        {"when": {"contains": ["and the last one", "RETURN 'first'"]}, "reply": {"isValid": true, "query": "RETURN 'last'"}},
        {"when": {"contains": ["the first one"]}, "reply": {"isValid": true, "query": "RETURN 'first'"}},
    ]);
    std::fs::write(folder.join("script.json"), rules.to_string()).unwrap();
    let typed = "the first one?\n/bye\nsomething else\nand the last one?\n/schema books\n/new\n/aql the first one?\n";
    let url = server.url();
    let output = tokio::task::spawn_blocking(move || {
        let mut child = Command::new(env!("CARGO_BIN_EXE_querent"))
            .current_dir(&folder)
            .args(["chat", "--model", "scripted:script.json"])
            .envs([
                ("QUERENT_ENDPOINT", url.as_str()),
                ("QUERENT_DATABASE", "bookshop"),
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), typed.as_bytes()).unwrap();
        child.wait_with_output().expect("the command ends")
    })
    .await
    .unwrap();
    let (code, out, err) = outcome(&output);
    assert_eq!(code, 0, "{err}");
    let (first, last) = (out.find("| first |"), out.find("| last |"));
    assert!(first.is_some() && first < last, "{out}{err}");
    assert!(
        out.contains("\"books\"") && out.ends_with("RETURN 'first'\n"),
        "{out}"
    );
    assert!(
        err.contains("there is no `/bye`") && err.contains("(`llm-"),
        "{err}"
    );
}
