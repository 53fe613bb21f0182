//! The two imports as the core's ports.

use querent::ports::{
    Completion, Finish, Http, HttpError, HttpErrorKind, HttpRequest, HttpResponse, Llm, LlmError,
    LlmErrorKind, LlmRequest, LlmUsage, Method, Role,
};

use crate::bindings::querent::host::{http_fetch, llm_complete};

/// The host, as the core sees it.
pub(crate) struct Host;

impl Llm for Host {
    fn complete(&self, request: &LlmRequest) -> Result<Completion, LlmError> {
        let request = llm_complete::Request {
            purpose: request.purpose.into(),
            messages: request
                .messages
                .iter()
                .map(|message| llm_complete::Message {
                    role: match message.role {
                        Role::System => llm_complete::Role::System,
                        Role::User => llm_complete::Role::User,
                        Role::Assistant => llm_complete::Role::Assistant,
                    },
                    content: message.content.clone(),
                })
                .collect(),
            json_schema: request.json_schema.clone(),
            max_output_tokens: request.max_output_tokens,
            timeout_ms: request.timeout_ms,
            temperature: request.temperature,
            options: Vec::new(),
        };
        match llm_complete::complete(&request) {
            Ok(completion) => Ok(Completion {
                text: completion.text,
                finish: match completion.finish {
                    llm_complete::Finish::Stop => Finish::Stop,
                    llm_complete::Finish::Length => Finish::Length,
                    llm_complete::Finish::ContentFilter => Finish::ContentFilter,
                    llm_complete::Finish::Other => Finish::Other,
                },
                usage: completion.usage.map(|usage| LlmUsage {
                    input_tokens: usage.input_tokens,
                    output_tokens: usage.output_tokens,
                }),
                elapsed_ms: completion.elapsed_ms,
            }),
            Err(error) => Err(LlmError {
                kind: match error.kind {
                    llm_complete::ErrorKind::Denied => LlmErrorKind::Denied,
                    llm_complete::ErrorKind::BudgetExceeded => LlmErrorKind::BudgetExceeded,
                    llm_complete::ErrorKind::RateLimited => LlmErrorKind::RateLimited,
                    llm_complete::ErrorKind::Timeout => LlmErrorKind::Timeout,
                    llm_complete::ErrorKind::InvalidRequest => LlmErrorKind::InvalidRequest,
                    llm_complete::ErrorKind::TooLarge => LlmErrorKind::TooLarge,
                    llm_complete::ErrorKind::Unavailable => LlmErrorKind::Unavailable,
                    llm_complete::ErrorKind::Other => LlmErrorKind::Other,
                },
                code: error.code,
                message: error.message,
                retry_after_ms: error.retry_after_ms,
            }),
        }
    }
}

impl Http for Host {
    fn fetch(&self, request: &HttpRequest) -> Result<HttpResponse, HttpError> {
        let request = http_fetch::Request {
            endpoint: request.endpoint.into(),
            method: match request.method {
                Method::Get => http_fetch::Method::Get,
                Method::Post => http_fetch::Method::Post,
                Method::Put => http_fetch::Method::Put,
                Method::Patch => http_fetch::Method::Patch,
                Method::Delete => http_fetch::Method::Delete,
                Method::Head => http_fetch::Method::Head,
            },
            path: request.path.clone(),
            headers: request
                .headers
                .iter()
                .map(|(name, value)| ((*name).into(), value.clone()))
                .collect(),
            body: request.body.clone(),
            timeout_ms: request.timeout_ms,
            max_response_bytes: request.max_response_bytes,
        };
        match http_fetch::fetch(&request) {
            Ok(response) => Ok(HttpResponse {
                status: response.status,
                headers: response.headers,
                body: response.body,
                elapsed_ms: response.elapsed_ms,
            }),
            Err(error) => Err(HttpError {
                kind: match error.kind {
                    http_fetch::ErrorKind::Denied => HttpErrorKind::Denied,
                    http_fetch::ErrorKind::UnknownEndpoint => HttpErrorKind::UnknownEndpoint,
                    http_fetch::ErrorKind::Connect => HttpErrorKind::Connect,
                    http_fetch::ErrorKind::Tls => HttpErrorKind::Tls,
                    http_fetch::ErrorKind::Timeout => HttpErrorKind::Timeout,
                    http_fetch::ErrorKind::RequestTooLarge => HttpErrorKind::RequestTooLarge,
                    http_fetch::ErrorKind::ResponseTooLarge => HttpErrorKind::ResponseTooLarge,
                    http_fetch::ErrorKind::Protocol => HttpErrorKind::Protocol,
                    http_fetch::ErrorKind::Other => HttpErrorKind::Other,
                },
                code: error.code,
                message: error.message,
                request_sent: error.request_sent,
            }),
        }
    }
}
