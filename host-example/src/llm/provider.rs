//! Providers of models through `genai`: OpenAI-compatible chat completions, which covers local servers too, and Anthropic's
//! messages.
//!
//! The key goes into one header of one client, and into no message: a provider's words are searched for it before a component
//! sees them. The schema for the reply is sent where the endpoint takes one; an endpoint that refuses it is asked without from
//! then on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use genai::adapter::AdapterKind;
use genai::chat::{
    ChatMessage, ChatOptions, ChatRequest, ChatResponse, ChatResponseFormat, JsonSpec, StopReason,
};
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, ModelIden, ServiceTarget};
use reqwest::redirect;
use serde_json::{Value, json};
use url::Url;

use super::{Model, ModelSetupError, error};
use crate::BoxFuture;
use crate::secret::Secret;
use crate::types::llm::{Completion, Error, ErrorKind, Finish, Request, Role, Usage};

/// How often a request is sent that the provider puts off.
const MAX_TRIES: u32 = 3;

/// How long to wait where the provider asks to wait and names no time; twice as long the next time.
const DEFAULT_WAIT: Duration = Duration::from_millis(500);

/// How long a connection may take to be made, within the time of the request.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// How much of a provider's words an error shows.
const SHOWN: usize = 300;

/// What an endpoint speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    /// Chat completions, as OpenAI and many others offer them.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
}

impl Api {
    /// The name before the colon of a model.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
        }
    }

    /// Where models are looked for without `base_url`.
    fn default_base_url(self) -> &'static str {
        match self {
            Self::OpenAi => "https://api.openai.com/v1/",
            Self::Anthropic => "https://api.anthropic.com/v1/",
        }
    }

    fn adapter(self) -> AdapterKind {
        match self {
            Self::OpenAi => AdapterKind::OpenAI,
            Self::Anthropic => AdapterKind::Anthropic,
        }
    }
}

/// A model behind an endpoint.
#[derive(Debug)]
pub struct Provider {
    api: Api,
    model: String,
    base_url: String,
    key: Option<Secret>,
    client: Client,
    schema_refused: AtomicBool,
}

impl Provider {
    /// Prepares a client. Nothing is sent yet.
    ///
    /// # Errors
    ///
    /// Where the address cannot be used, or the endpoint is the provider's own and there is no key. Other endpoints may need
    /// none.
    pub fn new(
        api: Api,
        model: &str,
        base_url: Option<&str>,
        key: Option<Secret>,
    ) -> Result<Self, ModelSetupError> {
        let own = api.default_base_url();
        let base_url = base(base_url.unwrap_or(own))?;
        if key.is_none() && base_url == own {
            return Err(ModelSetupError::NoKey(format!("{}:{model}", api.name())));
        }
        crate::tls::install();
        let http = reqwest::Client::builder()
            .redirect(redirect::Policy::none())
            .connect_timeout(CONNECT_TIMEOUT)
            .build()
            .map_err(|error| ModelSetupError::Client(error.to_string()))?;
        let client = Client::builder()
            .with_reqwest(http)
            .build()
            .map_err(|error| ModelSetupError::Client(error.to_string()))?;
        Ok(Self {
            api,
            model: model.to_owned(),
            base_url,
            key,
            client,
            schema_refused: AtomicBool::new(false),
        })
    }

    async fn ask(&self, request: &Request, timeout: Duration) -> Result<Completion, Error> {
        let with_schema = !self.schema_refused.load(Ordering::Relaxed);
        let end = Instant::now() + timeout;
        let call = async {
            let first = self.send_patiently(request, with_schema, end).await;
            match first {
                Err(failed)
                    if with_schema && request.json_schema.is_some() && refuses_schema(&failed) =>
                {
                    tracing::warn!(model = %self.model, "the endpoint takes no schema for replies, and is asked without one");
                    self.schema_refused.store(true, Ordering::Relaxed);
                    self.send_patiently(request, false, end).await
                }
                other => other,
            }
        };
        match tokio::time::timeout(timeout, call).await {
            Ok(Ok(response)) => Ok(self.completion(response)),
            Ok(Err(failed)) => Err(self.classify(&failed)),
            Err(_) => {
                let message = format!(
                    "no answer from `{}` within {} ms",
                    self.model,
                    timeout.as_millis()
                );
                Err(error(ErrorKind::Timeout, "model-timeout", message))
            }
        }
    }

    /// Sends, and sends again where the provider asks to wait and the time allows it. Nothing else is tried twice: a refusal
    /// stays one, and a request that failed half way may have been paid for.
    async fn send_patiently(
        &self,
        request: &Request,
        with_schema: bool,
        end: Instant,
    ) -> genai::Result<ChatResponse> {
        let mut wait = DEFAULT_WAIT;
        for _ in 1..MAX_TRIES {
            let failed = match self.send(request, with_schema).await {
                Err(failed) if puts_off(&failed) => failed,
                other => return other,
            };
            let asked = retry_after(&failed).map(|ms| Duration::from_millis(ms.into()));
            let delay = asked.unwrap_or(wait);
            if Instant::now() + delay >= end {
                return Err(failed);
            }
            tracing::warn!(model = %self.model, delay_ms = delay.as_millis(), "the provider asks to wait");
            tokio::time::sleep(delay).await;
            wait *= 2;
        }
        self.send(request, with_schema).await
    }

    async fn send(&self, request: &Request, with_schema: bool) -> genai::Result<ChatResponse> {
        let messages = request
            .messages
            .iter()
            .map(|message| match message.role {
                Role::System => ChatMessage::system(message.content.as_str()),
                Role::User => ChatMessage::user(message.content.as_str()),
                Role::Assistant => ChatMessage::assistant(message.content.as_str()),
            })
            .collect();
        // genai takes `-high` at the end of a name for an instruction; the name is sent as it was given.
        let mut options = ChatOptions::default().with_extra_body(json!({"model": self.model}));
        options.max_tokens = request.max_output_tokens;
        // Reasoning models refuse a temperature.
        options.temperature = request
            .temperature
            .map(f64::from)
            .filter(|_| !reasons(&self.model));
        let schema = request.json_schema.as_deref().filter(|_| with_schema);
        if let Some(schema) = schema.and_then(|text| serde_json::from_str::<Value>(text).ok()) {
            options.response_format =
                Some(ChatResponseFormat::JsonSpec(JsonSpec::new("reply", schema)));
        }
        let key = self.key.as_ref().map_or("none", Secret::expose);
        let target = ServiceTarget {
            endpoint: Endpoint::from_owned(self.base_url.as_str()),
            auth: AuthData::from_single(key),
            model: ModelIden::new(self.api.adapter(), self.model.as_str()),
        };
        self.client
            .exec_chat(target, ChatRequest::from_messages(messages), Some(&options))
            .await
    }

    fn completion(&self, response: ChatResponse) -> Completion {
        let finish = match response.stop_reason {
            None | Some(StopReason::Completed(_) | StopReason::StopSequence(_)) => Finish::Stop,
            Some(StopReason::MaxTokens(_)) => Finish::Length,
            Some(StopReason::ContentFilter(_)) => Finish::ContentFilter,
            Some(_) => Finish::Other,
        };
        let count = |tokens: Option<i32>| tokens.and_then(|tokens| u32::try_from(tokens).ok());
        let usage = match (
            count(response.usage.prompt_tokens),
            count(response.usage.completion_tokens),
        ) {
            (Some(input_tokens), Some(output_tokens)) => {
                let details = response.usage.prompt_tokens_details.as_ref();
                let cached_input_tokens = details.and_then(|details| count(details.cached_tokens));
                Some(Usage {
                    input_tokens,
                    output_tokens,
                    cached_input_tokens,
                })
            }
            _ => None,
        };
        let model = response.provider_model_iden.model_name.to_string();
        let text = response.into_texts().join("");
        Completion {
            text,
            finish,
            model,
            usage,
            elapsed_ms: None,
            details: Vec::new(),
        }
    }

    /// The contract's error for one of genai's.
    fn classify(&self, failed: &genai::Error) -> Error {
        let Some(status) = failed.status() else {
            let (kind, code) = match failed {
                genai::Error::WebModelCall {
                    webc_error: genai::webc::Error::Reqwest(cause),
                    ..
                } if cause.is_timeout() => (ErrorKind::Timeout, "model-timeout"),
                genai::Error::WebModelCall {
                    webc_error: genai::webc::Error::Reqwest(_),
                    ..
                } => (ErrorKind::Unavailable, "model-unreachable"),
                _ => (ErrorKind::Other, "model-reply"),
            };
            let message = match kind {
                ErrorKind::Unavailable => {
                    format!(
                        "`{}` cannot be reached at `{}`: {}",
                        self.model,
                        self.base_url,
                        innermost(failed)
                    )
                }
                ErrorKind::Timeout => format!("`{}` did not answer in time", self.model),
                _ => format!("the answer of `{}` is not a chat completion", self.model),
            };
            return error(kind, code, message);
        };
        let kind = match status.as_u16() {
            // `denied` is the host's own word; here the provider refused the host.
            401 | 403 => ErrorKind::Other,
            402 => ErrorKind::BudgetExceeded,
            408 | 504 => ErrorKind::Timeout,
            413 => ErrorKind::TooLarge,
            429 => ErrorKind::RateLimited,
            400..=499 => ErrorKind::InvalidRequest,
            500..=599 => ErrorKind::Unavailable,
            _ => ErrorKind::Other,
        };
        let message = match status.as_u16() {
            // A provider's words about a key often repeat part of it.
            401 | 403 => format!(
                "the provider of `{}` refused the key ({status})",
                self.model
            ),
            _ => format!(
                "the provider of `{}` answered {status}: {}",
                self.model,
                self.words(failed)
            ),
        };
        let mut error = error(kind, &format!("provider-{}", status.as_u16()), message);
        error.retry_after_ms = retry_after(failed);
        error
    }

    /// The provider's own words, short and without the key.
    fn words(&self, failed: &genai::Error) -> String {
        let body = body(failed).unwrap_or_default();
        let parsed: Option<Value> = serde_json::from_str(body).ok();
        let message = parsed.as_ref().and_then(|body| {
            body.pointer("/error/message")
                .or_else(|| body.pointer("/message"))
                .or_else(|| body.get("error"))
        });
        let words = message.and_then(Value::as_str).unwrap_or(body);
        let words = self
            .key
            .as_ref()
            .map_or_else(|| words.to_owned(), |key| key.redact(words));
        let mut shown: String = words.chars().take(SHOWN).collect();
        if shown.len() < words.len() {
            shown.push('…');
        }
        if shown.is_empty() {
            "no reason given".to_owned()
        } else {
            shown
        }
    }
}

impl Model for Provider {
    fn name(&self) -> String {
        format!("{}:{}", self.api.name(), self.model)
    }

    fn complete(
        &self,
        request: Request,
        timeout: Duration,
    ) -> BoxFuture<'_, Result<Completion, Error>> {
        Box::pin(async move { self.ask(&request, timeout).await })
    }
}

/// The innermost cause: `Connection refused`, not the layers around it.
fn innermost(failed: &genai::Error) -> String {
    let mut cause: &dyn std::error::Error = failed;
    if let genai::Error::WebModelCall {
        webc_error: genai::webc::Error::Reqwest(inner),
        ..
    } = failed
    {
        cause = inner;
    }
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

fn body(failed: &genai::Error) -> Option<&str> {
    match failed {
        genai::Error::WebModelCall {
            webc_error: genai::webc::Error::ResponseFailedStatus { body, .. },
            ..
        }
        | genai::Error::HttpError { body, .. } => Some(body),
        _ => None,
    }
}

/// Whether the provider did nothing and asks to come again: 429, 503, and 529, which Anthropic answers when it is overloaded.
fn puts_off(failed: &genai::Error) -> bool {
    failed
        .status()
        .is_some_and(|status| matches!(status.as_u16(), 429 | 503 | 529))
}

fn refuses_schema(failed: &genai::Error) -> bool {
    failed.status().is_some_and(|status| status.as_u16() == 400)
        && body(failed).is_some_and(|body| {
            [
                "response_format",
                "json_schema",
                "output_config",
                "output_format",
            ]
            .iter()
            .any(|word| body.contains(word))
        })
}

/// What the provider wishes before the next try: `retry-after-ms`, or `retry-after` in seconds.
fn retry_after(failed: &genai::Error) -> Option<u32> {
    let headers = failed.headers()?;
    let number = |name: &str| {
        headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .and_then(|text| text.trim().parse::<u32>().ok())
    };
    number("retry-after-ms")
        .or_else(|| number("retry-after").map(|seconds| seconds.saturating_mul(1_000)))
}

fn reasons(model: &str) -> bool {
    ["gpt-5", "gpt-6", "o1", "o3", "o4"]
        .iter()
        .any(|prefix| model.starts_with(prefix))
}

/// The address with the slash at its end that makes it a folder.
fn base(text: &str) -> Result<String, ModelSetupError> {
    let refused = |reason: &str| ModelSetupError::BaseUrl {
        url: text.to_owned(),
        reason: reason.to_owned(),
    };
    let mut url = Url::parse(text.trim()).map_err(|error| refused(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        return Err(refused("write `https://host/v1/`"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        let _ = url.set_password(None);
        let _ = url.set_username("");
        return Err(ModelSetupError::BaseUrl {
            url: url.to_string(),
            reason: "give the key as `QUERENT_API_KEY`, not in the address".to_owned(),
        });
    }
    if !url.path().ends_with('/') {
        let path = format!("{}/", url.path());
        url.set_path(&path);
    }
    Ok(url.to_string())
}
