//! A host of one's own with this crate as a library: a model of one's own, limits, grants, an eye on every use of a capability,
//! and the reflected schema kept for the next run. Told in `docs/embedding.md`.
//!
//! Arguments: ENDPOINT DATABASE MODEL_URL QUESTION. Variables: DB_USER, DB_PASSWORD, MODEL, MODEL_KEY.

use std::collections::BTreeMap;
use std::env::var;
use std::sync::Arc;
use std::time::Duration;

use host_example::http::{Credentials, Endpoint, Origin, OriginOptions};
use host_example::llm::Model;
use host_example::types::llm::{Completion, Error, ErrorKind, Finish, Request, Role, Usage};
use host_example::{BoxFuture, Host, HostCall, Limits, Observer, Secret, TenantSpec, grants};
use serde_json::{Value, json};

/// A model behind chat completions; put your own gateway here. The component never learns its address or its key.
struct Gateway {
    client: reqwest::Client,
    url: String,
    name: String,
    key: Secret,
}

impl Gateway {
    async fn ask(&self, request: Request, timeout: Duration) -> Result<Completion, Error> {
        let messages: Vec<Value> = request
            .messages
            .iter()
            .map(|message| {
                let role = match message.role {
                    Role::System => "system",
                    Role::User => "user",
                    Role::Assistant => "assistant",
                };
                json!({"role": role, "content": message.content})
            })
            .collect();
        let body = json!({
            "model": self.name,
            "messages": messages,
            "max_tokens": request.max_output_tokens,
        });
        let sent = self
            .client
            .post(format!("{}/chat/completions", self.url))
            .bearer_auth(self.key.expose())
            .header("content-type", "application/json")
            .timeout(timeout)
            .body(body.to_string());
        let answer = async { sent.send().await?.error_for_status()?.text().await };
        // Whose fault it was is what the component acts on: a refused request is not tried again, a full budget ends the call.
        let failed = |message: String| Error {
            kind: ErrorKind::Unavailable,
            code: None,
            message,
            retry_after_ms: None,
        };
        let text = answer
            .await
            .map_err(|error| failed(error.without_url().to_string()))?;
        let reply: Value = serde_json::from_str(&text).unwrap_or_default();
        let words = reply
            .pointer("/choices/0/message/content")
            .and_then(Value::as_str);
        let tokens = |name: &str| {
            let count = reply.pointer(&format!("/usage/{name}"))?.as_u64()?;
            u32::try_from(count).ok()
        };
        Ok(Completion {
            text: words
                .ok_or_else(|| failed("the answer holds no completion".to_owned()))?
                .to_owned(),
            finish: Finish::Stop,
            model: self.name.clone(),
            usage: tokens("prompt_tokens")
                .zip(tokens("completion_tokens"))
                .map(|(input_tokens, output_tokens)| Usage {
                    input_tokens,
                    output_tokens,
                    cached_input_tokens: None,
                }),
            elapsed_ms: None,
            details: Vec::new(),
        })
    }
}

impl Model for Gateway {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn complete(
        &self,
        request: Request,
        timeout: Duration,
    ) -> BoxFuture<'_, Result<Completion, Error>> {
        Box::pin(self.ask(request, timeout))
    }
}

/// Sees every use of a capability, allowed or refused: where a host's own audit log begins.
struct Log;

impl Observer for Log {
    fn host_call(&self, call: &HostCall) {
        eprintln!("{} {} {:?}", call.capability, call.subject, call.decision);
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let Ok([url, database, model_url, question]) = <[String; 4]>::try_from(given) else {
        return Err("give ENDPOINT DATABASE MODEL_URL QUESTION".into());
    };
    let credentials = Credentials::Basic {
        user: var("DB_USER").unwrap_or("root".to_owned()),
        password: Secret::new(var("DB_PASSWORD").unwrap_or_default()),
    };
    let origin = Origin::new(OriginOptions {
        url,
        credentials,
        ca_file: None,
    })?;
    let endpoint: Arc<dyn Endpoint> = Arc::new(origin);
    let tenant = TenantSpec {
        settings: json!({"database": database}).to_string(),
        endpoints: BTreeMap::from([("database".into(), (grants::arango(&database)?, endpoint))]),
        model: Arc::new(Gateway {
            client: reqwest::Client::new(),
            url: model_url,
            name: var("MODEL").unwrap_or("local".to_owned()),
            key: Secret::new(var("MODEL_KEY").unwrap_or_default()),
        }),
        limits: Limits {
            model_calls: 5,
            ..Limits::default()
        },
    };
    let builder = Host::builder().observer(Arc::new(Log));
    let host = builder.tenant("acme", tenant).build()?;
    println!("{}", host.audit());
    let answer = host.plugin("acme")?.question(question.as_str()).await?;
    println!("{}\n\n{}", answer.query.unwrap_or_default(), answer.table);
    Ok(())
}
