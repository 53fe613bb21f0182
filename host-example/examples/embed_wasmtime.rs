//! The component in wasmtime with glue of one's own: two functions for the two imports, a limit on memory, one on time.
//! Told in `docs/embedding.md`, where `embed.rs` is the shorter way, with this crate as a library.
//!
//! Arguments: COMPONENT ENDPOINT DATABASE MODEL_URL QUESTION. Variables: DB_USER, DB_PASSWORD, MODEL, MODEL_KEY.

#![allow(
    missing_docs,
    unreachable_pub,
    reason = "generated from `wit/`, where the documentation stands"
)]

use std::{env::var, error::Error, time::Duration};

use host_example::grants::{Grants, arango as grants_for};
use host_example::types::http::Method;
use reqwest::redirect::Policy;
use serde_json::{Value, json};
use wasmtime::component::{Component, HasSelf, Linker};
use wasmtime::{Config, Engine, Store, StoreLimits, StoreLimitsBuilder, UpdateDeadline};

wasmtime::component::bindgen!({
    world: "querent:ask/arango", path: "../wit", imports: { default: async }, exports: { default: async },
});
use self::exports::querent::ask::ask::{Outputs, QuestionKind, QuestionRequest};
use self::querent::host::{http_fetch as http, llm_complete as llm};

/// What lies outside of the sandbox. The component sees none of it.
struct State {
    client: reqwest::Client,
    endpoint: String,
    grants: Grants,
    model_url: String,
    limits: StoreLimits,
}

impl http::Host for State {
    async fn fetch(&mut self, asked: http::Request) -> Result<http::Response, http::Error> {
        let (method, verb) = match asked.method {
            http::Method::Get => (Method::Get, reqwest::Method::GET),
            http::Method::Post => (Method::Post, reqwest::Method::POST),
            _ => (Method::Delete, reqwest::Method::DELETE), // the method is checked with the path
        };
        let granted = self.grants.check(method, &asked.path);
        granted.map_err(|denied| failed(http::ErrorKind::Denied, &denied, false))?;
        let url = format!("{}{}", self.endpoint, asked.path);
        let wait = asked.timeout_ms.unwrap_or(u32::MAX).min(35_000);
        let mut call = self
            .client
            .request(verb, url)
            .body(asked.body.unwrap_or_default());
        call = call.timeout(Duration::from_millis(wait.into()));
        call = call.basic_auth(
            var("DB_USER").unwrap_or("root".into()),
            var("DB_PASSWORD").ok(),
        );
        for (name, value) in &asked.headers {
            let allowed = Grants::check_header(name);
            allowed.map_err(|denied| failed(http::ErrorKind::Denied, &denied, false))?;
            call = call.header(name, value);
        }
        let broken = |error| failed(http::ErrorKind::Connect, &error, true);
        let mut answer = call.send().await.map_err(broken)?;
        let (most, mut body) = (
            asked.max_response_bytes.unwrap_or(u64::MAX).min(16 << 20),
            Vec::new(),
        );
        while let Some(chunk) = answer.chunk().await.map_err(broken)? {
            body.extend_from_slice(&chunk);
            if body.len() as u64 > most {
                return Err(failed(
                    http::ErrorKind::ResponseTooLarge,
                    &"the answer is too large",
                    true,
                ));
            }
        }
        let media = answer
            .headers()
            .get("content-type")
            .and_then(|value| value.to_str().ok());
        let headers = media.map(|media| ("content-type".to_owned(), media.to_owned()));
        Ok(http::Response {
            status: answer.status().as_u16(),
            headers: headers.into_iter().collect(),
            body,
            elapsed_ms: None,
            details: Vec::new(),
        })
    }
}

fn failed(kind: http::ErrorKind, why: &dyn ToString, request_sent: bool) -> http::Error {
    let (code, message) = (None, why.to_string());
    http::Error {
        kind,
        code,
        message,
        request_sent,
    }
}

impl llm::Host for State {
    async fn complete(&mut self, asked: llm::Request) -> Result<llm::Completion, llm::Error> {
        let messages = asked.messages.iter().map(|message| {
            let role = ["system", "user", "assistant"][message.role as usize];
            json!({"role": role, "content": message.content})
        });
        let (model, key) = (
            var("MODEL").unwrap_or("local".into()),
            var("MODEL_KEY").unwrap_or_default(),
        );
        let body =
            json!({"model": model, "messages": messages.collect::<Vec<_>>(), "max_tokens": 4_096});
        let call = self
            .client
            .post(format!("{}/chat/completions", self.model_url))
            .bearer_auth(key);
        let call = call
            .timeout(Duration::from_secs(60))
            .header("content-type", "application/json");
        let answer = async {
            call.body(body.to_string())
                .send()
                .await?
                .error_for_status()?
                .text()
                .await
        };
        let unavailable = |why: &dyn ToString| {
            let (kind, message) = (llm::ErrorKind::Unavailable, why.to_string());
            llm::Error {
                kind,
                code: None,
                message,
                retry_after_ms: None,
            }
        };
        let reply: Value = match answer.await {
            Ok(text) => serde_json::from_str(&text).map_err(|error| unavailable(&error))?,
            Err(error) => return Err(unavailable(&error)),
        };
        let words = reply
            .pointer("/choices/0/message/content")
            .and_then(Value::as_str);
        let text = words
            .ok_or_else(|| unavailable(&"there is no completion in the answer"))?
            .to_owned();
        let (finish, usage, elapsed_ms, details) = (llm::Finish::Stop, None, None, Vec::new());
        Ok(llm::Completion {
            text,
            finish,
            model,
            usage,
            elapsed_ms,
            details,
        })
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let Ok([file, endpoint, database, model_url, text]) = <[String; 5]>::try_from(given) else {
        return Err("give COMPONENT ENDPOINT DATABASE MODEL_URL QUESTION".into());
    };
    // reqwest wants a provider of cryptography; an error says that there is one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    // Once a process: compiled, and linked to two imports and nothing else.
    let engine = Engine::new(Config::new().epoch_interruption(true))?;
    let mut linker = Linker::<State>::new(&engine);
    Arango::add_to_linker::<State, HasSelf<State>>(&mut linker, |state| state)?;
    let linked = linker.instantiate_pre(&Component::from_file(&engine, file)?)?;
    let ready = ArangoPre::new(linked)?;
    let clock = engine.clone();
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_millis(10));
            clock.increment_epoch();
        }
    });
    // Once a call: a fresh store, so that nothing of one call is left for the next.
    let client = reqwest::Client::builder()
        .redirect(Policy::none())
        .build()?;
    let grants = grants_for(&database)?;
    let limits = StoreLimitsBuilder::new().memory_size(128 << 20).build();
    let mut store = Store::new(
        &engine,
        State {
            client,
            endpoint,
            grants,
            model_url,
            limits,
        },
    );
    store.limiter(|state| &mut state.limits);
    store.set_epoch_deadline(1);
    store.epoch_deadline_callback(|_| Ok(UpdateDeadline::Yield(1)));
    let call = async {
        let arango = ready.instantiate_async(&mut store).await?;
        let (ask, settings) = (
            arango.querent_ask_ask(),
            json!({"database": database}).to_string(),
        );
        let configured = ask.call_configure(&mut store, &settings, None).await?;
        // With `prepared`, the next store's `configure` makes no request.
        let prepared = configured.map_err(|error| error.message)?.prepared;
        eprintln!("keep these {} bytes for the next call", prepared.len());
        let (kind, outputs) = (QuestionKind::Ask, Outputs::TABLE | Outputs::TEXT);
        let (bind_vars, limit, history, options) = (None, None, Vec::new(), Vec::new());
        let request = QuestionRequest {
            kind,
            text,
            bind_vars,
            limit,
            history,
            outputs,
            options,
        };
        let answer = ask.call_question(&mut store, &request).await?;
        answer.map_err(|error| Box::<dyn Error>::from(error.message))
    };
    // A guest that loops yields at each tick, and is dropped here.
    let answer = tokio::time::timeout(Duration::from_secs(180), call).await??;
    println!("{}\n{}", answer.query.unwrap_or_default(), answer.table);
    Ok(())
}
