//! The three models: replies from a script, prompts and replies as files, and an OpenAI-compatible endpoint on loopback.

mod common;

use std::path::Path;
use std::time::Duration;

use common::folder;
use common::server::{Server, json, with_headers};
use host_example::Secret;
use host_example::llm::{Api, Exchange, Model, NoModel, Provider, Scripted};
use host_example::types::llm::{Completion, Error, ErrorKind, Finish, Message, Request, Role};
use serde_json::{Value, json as value};

const KEY: &str = "sk-hunter2-marker";
const SECOND: Duration = Duration::from_secs(1);

fn request(purpose: &str, question: &str) -> Request {
    Request {
        purpose: purpose.to_owned(),
        messages: vec![
            Message {
                role: Role::System,
                content: "You write AQL about orders.".to_owned(),
            },
            Message {
                role: Role::User,
                content: question.to_owned(),
            },
        ],
        json_schema: Some(
            r#"{"type":"object","properties":{"query":{"type":"string"}}}"#.to_owned(),
        ),
        max_output_tokens: Some(500),
        timeout_ms: None,
        temperature: Some(0.0),
        options: Vec::new(),
    }
}

async fn ask(model: &dyn Model, purpose: &str, question: &str) -> Result<Completion, Error> {
    model
        .complete(request(purpose, question), 20 * SECOND)
        .await
}

fn script() -> Scripted {
    let rules = r#"[
        {"when": {"contains": ["HOW MANY", "orders"], "purpose": "repair-query"}, "reply": "RETURN 2"},
        {"when": {"contains": ["how many", "orders"]}, "replies": ["RETURN 1 +", {"isValid": true, "query": "RETURN 1"}]},
        {"when": {"contains": ["how many"]}, "reply": "RETURN 3"}
    ]"#;
    Scripted::from_json("scripted:test", rules).expect("a script")
}

#[tokio::test]
async fn a_script_answers_by_the_first_rule_whose_texts_all_stand_in_the_question() {
    let script = script();
    assert_eq!(
        ask(&script, "write-query", "How many customers?")
            .await
            .unwrap()
            .text,
        "RETURN 3"
    );
    assert_eq!(
        ask(&script, "repair-query", "how many ORDERS?")
            .await
            .unwrap()
            .text,
        "RETURN 2"
    );
}

#[tokio::test]
async fn a_rule_with_several_replies_gives_them_in_turn_and_the_last_from_then_on() {
    let script = script();
    let mut texts = Vec::new();
    for _ in 0..3 {
        texts.push(
            ask(&script, "write-query", "How many orders?")
                .await
                .unwrap()
                .text,
        );
    }
    let mended = r#"{"isValid":true,"query":"RETURN 1"}"#;
    assert_eq!(texts, ["RETURN 1 +", mended, mended]);
}

#[tokio::test]
async fn a_question_without_a_rule_is_named() {
    let error = ask(&script(), "write-query", "Who is the best customer?")
        .await
        .unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unavailable);
    assert_eq!(
        error.message,
        "the script `scripted:test` has no reply for `write-query` to: Who is the best customer?"
    );
}

#[test]
fn a_script_of_the_wrong_form_is_refused() {
    for (text, told) in [
        (
            "{}",
            "invalid type: map, expected a sequence at line 1 column 0",
        ),
        (
            r#"[{"when": {"contains": []}}]"#,
            "rule 0 needs `reply` or `replies`, and not both",
        ),
        (
            r#"[{"when": {"contains": []}, "reply": "a", "replies": ["b"]}]"#,
            "rule 0 needs `reply` or `replies`, and not both",
        ),
    ] {
        assert_eq!(Scripted::from_json("x", text).unwrap_err(), told);
    }
    let error = Scripted::from_file(Path::new("/there/is/no/script.json"))
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("`/there/is/no/script.json` cannot be used: "),
        "{error}"
    );
}

#[tokio::test]
async fn without_a_model_the_error_says_how_to_name_one() {
    let error = ask(&NoModel, "write-query", "x").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unavailable);
    assert!(
        error.message.contains("set `QUERENT_MODEL`"),
        "{}",
        error.message
    );
}

/// Answers the first request that appears in a folder.
async fn reply_when_asked(folder: &Path, number: &str, reply: &str) -> Value {
    let path = folder.join(format!("{number}.request.json"));
    loop {
        if let Ok(text) = tokio::fs::read_to_string(&path).await {
            tokio::fs::write(folder.join(format!("{number}.reply.json")), reply)
                .await
                .expect("written");
            return serde_json::from_str(&text).expect("a whole file");
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_prompt_becomes_a_file_and_its_reply_is_read_from_one() {
    let folder = folder("exchange-replies");
    let model = Exchange::new(&folder).unwrap();
    let (completion, asked) = tokio::join!(
        ask(&model, "write-query", "How many orders?"),
        reply_when_asked(
            &folder,
            "0001",
            r#"{"text": "RETURN 1", "usage": {"input_tokens": 12, "output_tokens": 3}}"#
        )
    );
    let completion = completion.unwrap();
    let usage = completion.usage.unwrap();
    assert_eq!(
        (
            completion.text.as_str(),
            usage.input_tokens,
            usage.output_tokens
        ),
        ("RETURN 1", 12, 3)
    );
    assert_eq!(asked["purpose"], "write-query");
    assert_eq!(
        asked["messages"][1],
        value!({"role": "user", "content": "How many orders?"})
    );
    assert_eq!(asked["schema"]["properties"]["query"]["type"], "string");
    assert_eq!(asked["max_output_tokens"], 500);

    // An object is taken for the text of one; the next number follows, after a restart, too.
    let again = Exchange::new(&folder).unwrap();
    let (completion, _) = tokio::join!(
        ask(&again, "repair-query", "x"),
        reply_when_asked(
            &folder,
            "0002",
            r#"{"text": {"isValid": true, "query": "RETURN 2"}}"#
        )
    );
    assert_eq!(
        completion.unwrap().text,
        r#"{"isValid":true,"query":"RETURN 2"}"#
    );
    let names: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names.len(), 4, "no draft is left: {names:?}");
}

#[tokio::test]
async fn a_reply_that_does_not_come_or_cannot_be_read_is_said_with_its_file() {
    let folder = folder("exchange-timeout");
    let model = Exchange::new(&folder).unwrap();
    let error = model
        .complete(request("write-query", "x"), SECOND / 20)
        .await
        .unwrap_err();
    assert_eq!(error.kind, ErrorKind::Timeout);
    let file = folder.join("0001.reply.json");
    assert_eq!(
        error.message,
        format!("no reply in `{}` within 50 ms", file.display())
    );
    std::fs::write(folder.join("0002.reply.json"), "{\"text\":").unwrap();
    let model = Exchange::new(&folder).unwrap();
    let error = model
        .complete(request("write-query", "x"), SECOND / 10)
        .await
        .unwrap_err();
    assert!(
        error
            .message
            .contains("0002.reply.json` within 100 ms: it is not JSON: "),
        "{}",
        error.message
    );
}

const COMPLETION: &str = r#"{"id": "1", "object": "chat.completion", "model": "stub-2026", "choices": [{"index": 0,
    "message": {"role": "assistant", "content": "{\"isValid\":true,\"query\":\"RETURN 1\"}"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 120, "completion_tokens": 9, "total_tokens": 129, "prompt_tokens_details": {"cached_tokens": 64}}}"#;

fn openai(server: &Server, model: &str) -> Provider {
    Provider::new(
        Api::OpenAi,
        model,
        Some(&format!("{}/v1", server.url())),
        Some(Secret::new(KEY)),
    )
    .expect("a client")
}

fn body(request: &str) -> Value {
    let (_, body) = request.split_once("\r\n\r\n").expect("a body");
    serde_json::from_str(body).expect("JSON")
}

#[tokio::test]
async fn an_openai_compatible_endpoint_gets_prompt_schema_and_key_and_its_reply_is_read() {
    let server = Server::answering([json("200 OK", COMPLETION)]);
    let completion = ask(
        &openai(&server, "stub-high"),
        "write-query",
        "How many orders?",
    )
    .await
    .unwrap();
    assert_eq!(completion.text, r#"{"isValid":true,"query":"RETURN 1"}"#);
    assert_eq!(
        (completion.finish, completion.model.as_str()),
        (Finish::Stop, "stub-2026")
    );
    let usage = completion.usage.unwrap();
    assert_eq!(
        (
            usage.input_tokens,
            usage.output_tokens,
            usage.cached_input_tokens
        ),
        (120, 9, Some(64))
    );

    let sent = &server.requests()[0];
    assert!(
        sent.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"),
        "{sent}"
    );
    assert!(
        sent.to_lowercase()
            .contains(&format!("authorization: bearer {KEY}\r\n")),
        "{sent}"
    );
    let body = body(sent);
    assert_eq!(
        body["model"], "stub-high",
        "the name is sent as it was given"
    );
    assert_eq!(
        body["messages"][0],
        value!({"role": "system", "content": "You write AQL about orders."})
    );
    assert_eq!(body["messages"][1]["content"], "How many orders?");
    assert_eq!(
        (&body["max_tokens"], &body["temperature"]),
        (&value!(500), &value!(0.0))
    );
    assert_eq!(body["response_format"]["type"], "json_schema");
}

#[tokio::test]
async fn a_reply_that_was_cut_says_so() {
    let server = Server::answering([json(
        "200 OK",
        &COMPLETION.replace("\"stop\"", "\"length\""),
    )]);
    assert_eq!(
        ask(&openai(&server, "stub"), "write-query", "x")
            .await
            .unwrap()
            .finish,
        Finish::Length
    );
}

#[tokio::test]
async fn an_endpoint_that_takes_no_schema_is_asked_without_from_then_on() {
    let refusal = r#"{"error": {"message": "Unsupported parameter: response_format"}}"#;
    let server = Server::answering([
        json("400 Bad Request", refusal),
        json("200 OK", COMPLETION),
        json("200 OK", COMPLETION),
    ]);
    let model = openai(&server, "stub");
    ask(&model, "write-query", "x").await.unwrap();
    ask(&model, "write-query", "x").await.unwrap();
    let formats: Vec<bool> = server
        .requests()
        .iter()
        .map(|sent| body(sent).get("response_format").is_some())
        .collect();
    assert_eq!(formats, [true, false, false]);
}

#[tokio::test]
async fn each_refusal_of_a_provider_has_its_kind_and_none_shows_the_key() {
    for (status, headers, words, kind, code, told) in [
        (
            "401 Unauthorized",
            "",
            "Incorrect API key provided: sk-hunter2-marker",
            ErrorKind::Other,
            "provider-401",
            "the provider of `stub` refused the key (401 Unauthorized)",
        ),
        (
            "429 Too Many Requests",
            "retry-after: 7\r\n",
            "slow down",
            ErrorKind::RateLimited,
            "provider-429",
            "the provider of `stub` answered 429 Too Many Requests: slow down",
        ),
        (
            "400 Bad Request",
            "",
            "no model for sk-hunter2-marker",
            ErrorKind::InvalidRequest,
            "provider-400",
            "the provider of `stub` answered 400 Bad Request: no model for [secret]",
        ),
        (
            "500 Internal Server Error",
            "",
            "oops",
            ErrorKind::Unavailable,
            "provider-500",
            "the provider of `stub` answered 500 Internal Server Error: oops",
        ),
        (
            "503 Service Unavailable",
            "retry-after-ms: 250\r\n",
            "",
            ErrorKind::Unavailable,
            "provider-503",
            "the provider of `stub` answered 503 Service Unavailable: no reason given",
        ),
    ] {
        let body = if words.is_empty() {
            String::new()
        } else {
            value!({"error": {"message": words}}).to_string()
        };
        let answer = || with_headers(status, headers, &body);
        let server = Server::answering([answer(), answer(), answer()]);
        // Less time than the provider asks to wait for, or more.
        let error = openai(&server, "stub")
            .complete(request("write-query", "x"), 5 * SECOND)
            .await
            .unwrap_err();
        let tries = if status.starts_with("503") { 3 } else { 1 };
        assert_eq!(server.requests().len(), tries, "{status}");
        assert_eq!(
            (error.kind, error.code.as_deref(), error.message.as_str()),
            (kind, Some(code), told)
        );
        let wait = match status {
            "429 Too Many Requests" => Some(7_000),
            "503 Service Unavailable" => Some(250),
            _ => None,
        };
        assert_eq!(error.retry_after_ms, wait, "{status}");
    }
}

#[tokio::test]
async fn a_provider_that_asks_to_wait_is_asked_again_when_the_time_allows_it() {
    let put_off = with_headers("429 Too Many Requests", "retry-after-ms: 20\r\n", "{}");
    let server = Server::answering([put_off, json("200 OK", COMPLETION)]);
    let completion = ask(&openai(&server, "stub"), "write-query", "x")
        .await
        .unwrap();
    assert_eq!(completion.finish, Finish::Stop);
    assert_eq!(server.requests().len(), 2);
}

const MESSAGE: &str = r#"{"id": "msg_1", "type": "message", "role": "assistant", "model": "stub-claude-2026",
    "content": [{"type": "text", "text": "{\"isValid\":true,\"query\":\"RETURN 1\"}"}], "stop_reason": "end_turn", "stop_sequence": null,
    "usage": {"input_tokens": 56, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 64, "output_tokens": 9}}"#;

fn anthropic(server: &Server) -> Provider {
    let url = format!("{}/v1", server.url());
    Provider::new(
        Api::Anthropic,
        "stub-claude",
        Some(&url),
        Some(Secret::new(KEY)),
    )
    .expect("a client")
}

#[tokio::test]
async fn anthropics_messages_get_prompt_and_key_in_their_form_and_the_reply_is_read() {
    let server = Server::answering([json("200 OK", MESSAGE)]);
    let completion = ask(&anthropic(&server), "write-query", "How many orders?")
        .await
        .unwrap();
    assert_eq!(completion.text, r#"{"isValid":true,"query":"RETURN 1"}"#);
    let usage = completion.usage.unwrap();
    assert_eq!(
        (
            usage.input_tokens,
            usage.output_tokens,
            usage.cached_input_tokens
        ),
        (120, 9, Some(64))
    );
    let sent = &server.requests()[0];
    assert!(sent.starts_with("POST /v1/messages HTTP/1.1\r\n"), "{sent}");
    assert!(
        sent.to_lowercase()
            .contains(&format!("x-api-key: {KEY}\r\n")),
        "{sent}"
    );
    let body = body(sent);
    assert_eq!(
        (&body["model"], &body["max_tokens"]),
        (&value!("stub-claude"), &value!(500))
    );
    assert!(
        body["system"]
            .to_string()
            .contains("You write AQL about orders."),
        "{body}"
    );
    assert_eq!(body["messages"].as_array().map(Vec::len), Some(1));
    assert_eq!(body["messages"][0]["role"], "user");
}

#[tokio::test]
async fn anthropics_ways_to_say_no_have_their_kinds() {
    for (stop, finish) in [
        ("max_tokens", Finish::Length),
        ("refusal", Finish::ContentFilter),
    ] {
        let server = Server::answering([json("200 OK", &MESSAGE.replace("end_turn", stop))]);
        let completion = ask(&anthropic(&server), "write-query", "x").await.unwrap();
        assert_eq!(completion.finish, finish);
    }
    let words =
        r#"{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}"#;
    let answer = || with_headers("529 Overloaded", "retry-after: 9\r\n", words);
    let server = Server::answering([answer()]);
    let error = anthropic(&server)
        .complete(request("write-query", "x"), 5 * SECOND)
        .await
        .unwrap_err();
    assert_eq!(
        (error.kind, error.code.as_deref(), error.retry_after_ms),
        (ErrorKind::Unavailable, Some("provider-529"), Some(9_000))
    );
    assert!(error.message.ends_with(": Overloaded"), "{}", error.message);
}

#[tokio::test]
async fn an_endpoint_that_is_not_there_or_says_nothing_has_its_kind() {
    let (listener, url) = Server::silent();
    let model = Provider::new(Api::OpenAi, "stub", Some(&url), None).unwrap();
    let error = model
        .complete(request("write-query", "x"), SECOND / 10)
        .await
        .unwrap_err();
    assert_eq!(error.kind, ErrorKind::Timeout);
    drop(listener);
    let error = ask(&model, "write-query", "x").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unavailable, "{}", error.message);
    let server = Server::answering([
        json("200 OK", "{\"hello\": 1}"),
        with_headers("200 OK", "", "plain words"),
    ]);
    for _ in 0..2 {
        let error = ask(&openai(&server, "stub"), "write-query", "x")
            .await
            .err();
        assert!(error.is_none_or(|error| error.kind == ErrorKind::Other));
    }
}

#[test]
fn an_address_with_a_key_in_it_is_refused_without_showing_it() {
    let error = Provider::new(
        Api::OpenAi,
        "m",
        Some("https://user:sk-hunter2-marker@host/v1"),
        None,
    )
    .unwrap_err()
    .to_string();
    assert_eq!(
        error,
        "`https://host/v1` is no address of a model: give the key as `QUERENT_API_KEY`, not in the address"
    );
    let model = Provider::new(
        Api::OpenAi,
        "m",
        Some("http://localhost:1/v1"),
        Some(Secret::new(KEY)),
    )
    .unwrap();
    assert!(!format!("{model:?}").contains(KEY));
}

#[tokio::test]
async fn a_reply_may_lie_ready_and_one_of_another_form_is_refused_at_once() {
    let folder = folder("exchange-ready");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
    write(
        "0001.reply.json",
        r#"{"text": "ready", "usage": {"input_tokens": -1}}"#,
    );
    write("0002.reply.json", r#"{"txt": "misspelt"}"#);
    let exchange = Exchange::new(&folder).unwrap();
    let completion = exchange
        .complete(request("write-query", "one"), SECOND * 60)
        .await
        .unwrap();
    assert_eq!(
        (completion.text.as_str(), completion.usage),
        ("ready", None)
    );
    let error = exchange
        .complete(request("write-query", "two"), SECOND * 60)
        .await
        .unwrap_err();
    assert_eq!(
        (error.kind, error.code.as_deref()),
        (ErrorKind::Other, Some("exchange-reply"))
    );
    assert!(
        error.message.contains("missing field `text`"),
        "{}",
        error.message
    );
}
