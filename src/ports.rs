//! The two capabilities that a host grants, as traits: all that the core knows of the outside.
//!
//! The types say what the WIT package `querent:host` says, field by field. The component implements the traits by calling
//! its imports; tests implement them by hand.

/// A language model.
pub trait Llm {
    /// Asks the model once.
    ///
    /// # Errors
    ///
    /// What the host or the provider refused or could not do.
    fn complete(&self, request: &LlmRequest) -> Result<Completion, LlmError>;
}

/// Servers that the host has bound by name.
pub trait Http {
    /// Sends one request and waits for the whole response. A response of any status is `Ok`.
    ///
    /// # Errors
    ///
    /// What the host refused, or where the exchange broke.
    fn fetch(&self, request: &HttpRequest) -> Result<HttpResponse, HttpError>;
}

/// Who speaks in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The rules.
    System,
    /// The person, or the program in their place.
    User,
    /// The model.
    Assistant,
}

/// One message of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What they say.
    pub content: String,
}

/// A request to the model.
#[derive(Clone, Debug, PartialEq)]
pub struct LlmRequest {
    /// Why the core asks: `write-query`, `repair-query` or `write-answer`.
    pub purpose: &'static str,
    /// The prompt.
    pub messages: Vec<Message>,
    /// The JSON Schema that the reply must satisfy, for providers that can enforce one.
    pub json_schema: Option<String>,
    /// The most tokens wished for; the host may take fewer.
    pub max_output_tokens: Option<u32>,
    /// The time wished for, in milliseconds; the host may take less.
    pub timeout_ms: Option<u32>,
    /// The sampling temperature.
    pub temperature: Option<f32>,
}

/// What the model cost, as the provider counts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LlmUsage {
    /// Tokens of the prompt.
    pub input_tokens: u32,
    /// Tokens of the reply.
    pub output_tokens: u32,
}

/// Why the model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// It was done.
    Stop,
    /// The limit of tokens was reached: the text is cut.
    Length,
    /// A filter of the provider's stopped it.
    ContentFilter,
    /// Anything else.
    Other,
}

/// The model's reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Completion {
    /// The text.
    pub text: String,
    /// Why it ended.
    pub finish: Finish,
    /// Tokens, where the provider reports them.
    pub usage: Option<LlmUsage>,
    /// How long the host took, in milliseconds.
    pub elapsed_ms: Option<u32>,
}

/// Whose fault a failed model call was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LlmErrorKind {
    /// The host does not allow it.
    Denied,
    /// A budget of calls or tokens is used up.
    BudgetExceeded,
    /// The provider asks to wait.
    RateLimited,
    /// No reply in time.
    Timeout,
    /// The provider did not understand the request.
    InvalidRequest,
    /// The prompt or the reply is too large.
    TooLarge,
    /// The provider cannot be reached or failed.
    Unavailable,
    /// Anything else.
    Other,
}

/// A failed model call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LlmError {
    /// Whose fault it was.
    pub kind: LlmErrorKind,
    /// The provider's own code.
    pub code: Option<String>,
    /// A sentence for a person.
    pub message: String,
    /// When a retry may succeed, in milliseconds from now.
    pub retry_after_ms: Option<u32>,
}

/// An HTTP method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// `GET`.
    Get,
    /// `POST`.
    Post,
    /// `PUT`.
    Put,
    /// `PATCH`.
    Patch,
    /// `DELETE`.
    Delete,
    /// `HEAD`.
    Head,
}

/// A request to an endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpRequest {
    /// The name that the host has bound, never a URL.
    pub endpoint: &'static str,
    /// The method.
    pub method: Method,
    /// The absolute path with its query, percent-encoded.
    pub path: String,
    /// `accept`, `content-type` and `x-arango-trx-id` only.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Option<Vec<u8>>,
    /// The time wished for, in milliseconds; the host may take less.
    pub timeout_ms: Option<u32>,
    /// The largest response that is of use, in bytes; the host may take less.
    pub max_response_bytes: Option<u64>,
}

/// The response to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpResponse {
    /// The status code.
    pub status: u16,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// How long the host took, in milliseconds.
    pub elapsed_ms: Option<u32>,
}

/// Where an exchange broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HttpErrorKind {
    /// The host does not allow it.
    Denied,
    /// The host has bound no such endpoint.
    UnknownEndpoint,
    /// No connection.
    Connect,
    /// The server's certificate is not trusted, or TLS failed.
    Tls,
    /// No response in time.
    Timeout,
    /// The request's body is too large.
    RequestTooLarge,
    /// The response's body is too large.
    ResponseTooLarge,
    /// The server broke the protocol or the connection.
    Protocol,
    /// Anything else.
    Other,
}

/// A failed exchange.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpError {
    /// Where it broke.
    pub kind: HttpErrorKind,
    /// The host's own code.
    pub code: Option<String>,
    /// A sentence for a person.
    pub message: String,
    /// False where the host is sure that the server saw nothing.
    pub request_sent: bool,
}
