//! OpenAI-compatible chat completions, which covers hosted providers and local servers, through `genai`.
//!
//! The key goes into one header of one client, and into no message: a provider's words are searched for it before a component
//! sees them. The schema for the reply is sent where the endpoint takes one; an endpoint that refuses it is asked without from
//! then on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

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

/// Where models are looked for without `base_url`.
const DEFAULT_BASE_URL: &str = "https://api.openai.com/v1/";

/// How long a connection may take to be made, within the time of the request.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// How much of a provider's words an error shows.
const SHOWN: usize = 300;

/// A model behind an OpenAI-compatible endpoint.
#[derive(Debug)]
pub struct OpenAi {
    model: String,
    base_url: String,
    key: Option<Secret>,
    client: Client,
    schema_refused: AtomicBool,
}

impl OpenAi {
    /// Prepares a client. Nothing is sent yet.
    ///
    /// # Errors
    ///
    /// Where the address cannot be used, or the provider is OpenAI's own and there is no key. Other endpoints may need none.
    pub fn new(
        model: &str,
        base_url: Option<&str>,
        key: Option<Secret>,
    ) -> Result<Self, ModelSetupError> {
        let base_url = base(base_url.unwrap_or(DEFAULT_BASE_URL))?;
        if key.is_none() && base_url == DEFAULT_BASE_URL {
            return Err(ModelSetupError::NoKey(model.to_owned()));
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
            model: model.to_owned(),
            base_url,
            key,
            client,
            schema_refused: AtomicBool::new(false),
        })
    }

    async fn ask(&self, request: &Request, timeout: Duration) -> Result<Completion, Error> {
        let with_schema = !self.schema_refused.load(Ordering::Relaxed);
        let call = async {
            let first = self.send(request, with_schema).await;
            match first {
                Err(failed)
                    if with_schema && request.json_schema.is_some() && refuses_schema(&failed) =>
                {
                    tracing::warn!(model = %self.model, "the endpoint takes no schema for replies, and is asked without one");
                    self.schema_refused.store(true, Ordering::Relaxed);
                    self.send(request, false).await
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
            model: ModelIden::new(AdapterKind::OpenAI, self.model.as_str()),
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
                    format!("`{}` cannot be reached at `{}`", self.model, self.base_url)
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

impl Model for OpenAi {
    fn name(&self) -> String {
        format!("openai:{}", self.model)
    }

    fn complete(
        &self,
        request: Request,
        timeout: Duration,
    ) -> BoxFuture<'_, Result<Completion, Error>> {
        Box::pin(async move { self.ask(&request, timeout).await })
    }
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

fn refuses_schema(failed: &genai::Error) -> bool {
    failed.status().is_some_and(|status| status.as_u16() == 400)
        && body(failed)
            .is_some_and(|body| body.contains("response_format") || body.contains("json_schema"))
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
