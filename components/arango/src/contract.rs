//! The records and enums of `wit/`, as the core's types, their fields and cases in the contract's order.
//!
//! A field in another order or of another type than in `wit/` would be read by the host as another one: the end-to-end
//! tests look at each field of each record through the host's own bindings.

use querent::ask::{
    Answer, AqlAnswer, AqlReply, Attempt, Configured, Definition, Error, ErrorKind, Notice,
    Outcome, QuestionKind, Turn, Usage,
};
use querent::ports::{
    Completion, Finish, HttpError, HttpErrorKind, HttpResponse, LlmError, LlmErrorKind, LlmUsage,
    Message, Method, Role,
};

use crate::abi::{Layout, Lower, Place, enumeration, lifted, lowered};

/// Names and values.
pub(crate) type Pairs = Vec<(String, String)>;

// `querent:ask`, what the exports take and return.

enumeration!(ErrorKind {
    Configuration,
    InvalidInput,
    Denied,
    DatabaseUnreachable,
    DatabaseUnauthorized,
    DatabaseError,
    QueryRefused,
    QueryInvalid,
    LimitExceeded,
    Timeout,
    Model,
    Internal,
    Other,
});

enumeration!(QuestionKind {
    Ask,
    Read,
    Execute,
    Dialect,
});

enumeration!(Outcome {
    Rows,
    Words,
    Clarify,
    Affected,
    Dialect,
});

lowered!(Notice {
    code: String,
    message: String,
});

lowered!(Attempt {
    query: String,
    refusal: Option<Notice>,
});

lowered!(Usage {
    llm_calls: u32,
    input_tokens: u32,
    output_tokens: u32,
    http_calls: u32,
    rows_read: u32,
    bytes_read: u32,
    elapsed_ms: Option<u32>,
});

lowered!(Error {
    kind: ErrorKind,
    code: String,
    message: String,
    attempts: Vec<Attempt>,
    usage: Usage,
    retryable: bool,
    retry_after_ms: Option<u32>,
    details: Pairs,
});

lowered!(Configured {
    summary: String,
    prepared: String,
    warnings: Vec<Notice>,
    usage: Usage,
});

lowered!(Answer {
    outcome: Outcome,
    rows: String,
    row_count: u32,
    truncated: bool,
    affected_rows: Option<u32>,
    table: String,
    text: String,
    answers: String,
    prose: Option<String>,
    query: Option<String>,
    bind_vars: Option<String>,
    assumptions: Vec<String>,
    attempts: Vec<Attempt>,
    warnings: Vec<Notice>,
    usage: Usage,
    details: Pairs,
});

lowered!(AqlAnswer {
    reply: AqlReply,
    plan: Option<String>,
    assumptions: Vec<String>,
    attempts: Vec<Attempt>,
    warnings: Vec<Notice>,
    usage: Usage,
    details: Pairs,
});

lowered!(Definition {
    name: &'static str,
    description: &'static str,
    input_schema: &'static str,
    output_schema: &'static str,
});

impl Place for AqlReply {
    const LAYOUT: Layout = Layout::variant(String::LAYOUT, String::LAYOUT);
}

impl Lower for AqlReply {
    unsafe fn lower(&self, at: *mut u8) {
        let (case, text) = match self {
            AqlReply::Query(text) => (0, text),
            AqlReply::Words(text) => (1, text),
            AqlReply::Clarify(text) => (2, text),
        };
        // SAFETY: the caller gives room for the byte and, behind it, for the text.
        unsafe {
            at.write(case);
            text.lower(at.add(Self::LAYOUT.payload()));
        }
    }
}

lifted!(Turn {
    question: String,
    answer: String,
    query: Option<String>,
} => Turn { question, answer, query });

// `querent:host`, what the imports take and return.

enumeration!(Role {
    System,
    User,
    Assistant,
});

enumeration!(Method {
    Get,
    Post,
    Put,
    Patch,
    Delete,
    Head,
});

enumeration!(Finish {
    Stop,
    Length,
    ContentFilter,
    Other,
});

enumeration!(LlmErrorKind {
    Denied,
    BudgetExceeded,
    RateLimited,
    Timeout,
    InvalidRequest,
    TooLarge,
    Unavailable,
    Other,
});

enumeration!(HttpErrorKind {
    Denied,
    UnknownEndpoint,
    Connect,
    Tls,
    Timeout,
    RequestTooLarge,
    ResponseTooLarge,
    Protocol,
    Other,
});

lowered!(Message {
    role: Role,
    content: String,
});

lifted!(LlmUsage {
    input_tokens: u32,
    output_tokens: u32,
    _cached_input_tokens: Option<u32>,
} => LlmUsage { input_tokens, output_tokens });

lifted!(Completion {
    text: String,
    finish: Finish,
    _model: String,
    usage: Option<LlmUsage>,
    elapsed_ms: Option<u32>,
    _details: Pairs,
} => Completion { text, finish, usage, elapsed_ms });

lifted!(LlmError {
    kind: LlmErrorKind,
    code: Option<String>,
    message: String,
    retry_after_ms: Option<u32>,
} => LlmError { kind, code, message, retry_after_ms });

lifted!(HttpResponse {
    status: u16,
    headers: Pairs,
    body: Vec<u8>,
    elapsed_ms: Option<u32>,
    _details: Pairs,
} => HttpResponse { status, headers, body, elapsed_ms });

lifted!(HttpError {
    kind: HttpErrorKind,
    code: Option<String>,
    message: String,
    request_sent: bool,
} => HttpError { kind, code, message, request_sent });
