//! What the tests share: a component that misbehaves on request, servers and models that answer as told.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses a part of it"
)]

pub mod command;
pub mod server;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use host_example::component::Loaded;
use host_example::grants::{self, Grants};
use host_example::http::{Endpoint, EndpointRequest};
use host_example::llm::Model;
use host_example::types::{http, llm};
use host_example::{
    BoxFuture, EngineOptions, Host, HostCall, Limits, Observer, Plugin, TenantSpec, engine,
};

/// The component of `tests/guest`, built once a run.
pub fn guest() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/guest");
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("guest");
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .current_dir(&folder)
            .args([
                "build",
                "--release",
                "--locked",
                "--target",
                "wasm32-unknown-unknown",
                "--target-dir",
            ])
            .arg(&target);
        for name in [
            "RUSTFLAGS",
            "CARGO_ENCODED_RUSTFLAGS",
            "RUSTC_WRAPPER",
            "RUSTC_WORKSPACE_WRAPPER",
            "CARGO_TARGET_DIR",
        ] {
            cargo.env_remove(name);
        }
        let output = cargo.output().expect("cargo starts");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        std::fs::read(target.join("wasm32-unknown-unknown/release/test_guest.wasm"))
            .expect("the guest was built")
    })
}

/// The guest, compiled once a test program.
pub fn loaded() -> Loaded {
    static LOADED: OnceLock<Loaded> = OnceLock::new();
    LOADED
        .get_or_init(|| {
            let engine = engine(EngineOptions {
                instances: 16,
                ..EngineOptions::default()
            })
            .expect("an engine");
            Loaded::new(&engine, guest()).expect("the guest fits the contract")
        })
        .clone()
}

type Answers = dyn Fn(&EndpointRequest) -> Result<http::Response, http::Error> + Send + Sync;

/// A server that answers with a function, and keeps what it was asked.
pub struct StubServer {
    answers: Box<Answers>,
    pub asked: Mutex<Vec<EndpointRequest>>,
}

impl StubServer {
    pub fn new(
        answers: impl Fn(&EndpointRequest) -> Result<http::Response, http::Error>
        + Send
        + Sync
        + 'static,
    ) -> Arc<Self> {
        Arc::new(Self {
            answers: Box::new(answers),
            asked: Mutex::default(),
        })
    }

    pub fn saying(body: &str) -> Arc<Self> {
        let body = body.as_bytes().to_vec();
        Self::new(move |_| Ok(response(200, body.clone())))
    }

    pub fn count(&self) -> usize {
        self.asked.lock().expect("not poisoned").len()
    }
}

impl Endpoint for StubServer {
    fn fetch(
        &self,
        request: EndpointRequest,
    ) -> BoxFuture<'_, Result<http::Response, http::Error>> {
        let answer = (self.answers)(&request);
        self.asked.lock().expect("not poisoned").push(request);
        Box::pin(std::future::ready(answer))
    }
}

pub fn response(status: u16, body: Vec<u8>) -> http::Response {
    let headers = vec![
        ("content-type".to_owned(), "application/json".to_owned()),
        ("set-cookie".to_owned(), "session=1".to_owned()),
        ("x-arango-queue-time-seconds".to_owned(), "0".to_owned()),
    ];
    http::Response {
        status,
        headers,
        body,
        elapsed_ms: None,
        details: Vec::new(),
    }
}

/// A model that always says the same, and reports what it cost.
pub struct StubModel {
    pub text: String,
    pub tokens: Option<u32>,
}

impl Model for StubModel {
    fn name(&self) -> String {
        "stub".to_owned()
    }

    fn complete(
        &self,
        _: llm::Request,
        _: Duration,
    ) -> BoxFuture<'_, Result<llm::Completion, llm::Error>> {
        let usage = self.tokens.map(|tokens| llm::Usage {
            input_tokens: tokens,
            output_tokens: 0,
            cached_input_tokens: None,
        });
        Box::pin(std::future::ready(Ok(llm::Completion {
            text: self.text.clone(),
            finish: llm::Finish::Stop,
            model: "stub".to_owned(),
            usage,
            elapsed_ms: None,
            details: Vec::new(),
        })))
    }
}

/// Keeps every use of a capability.
#[derive(Default)]
pub struct Calls(pub Mutex<Vec<HostCall>>);

impl Observer for Calls {
    fn host_call(&self, call: &HostCall) {
        self.0.lock().expect("not poisoned").push(call.clone());
    }
}

/// The guest for a tenant `acme` with these parts and the grants of the database `shop`.
pub struct Setup {
    pub server: Arc<dyn Endpoint>,
    pub model: Arc<dyn Model>,
    pub limits: Limits,
    pub observer: Arc<Calls>,
}

impl Setup {
    pub fn new(server: Arc<dyn Endpoint>, limits: Limits) -> Self {
        let model = Arc::new(StubModel {
            text: "yes".to_owned(),
            tokens: Some(10),
        });
        Self {
            server,
            model,
            limits,
            observer: Arc::default(),
        }
    }

    pub fn plugin(self) -> Plugin {
        self.plugin_of(loaded())
    }

    pub fn plugin_of(self, loaded: Loaded) -> Plugin {
        let grants: Grants = grants::arango("shop").expect("a plain name");
        let spec = TenantSpec {
            settings: "{\"database\":\"shop\"}".to_owned(),
            endpoints: BTreeMap::from([("database".to_owned(), (grants, self.server))]),
            model: self.model,
            limits: self.limits,
        };
        let host = Host::builder()
            .component(loaded)
            .observer(self.observer)
            .tenant("acme", spec)
            .build();
        host.expect("a host").plugin("acme").expect("the tenant")
    }
}

/// A folder of this test's own, empty.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// What the guest answers, told to behave in this way.
pub async fn text(plugin: &Plugin, habit: &str) -> String {
    plugin.question(habit).await.expect("an answer").text
}
