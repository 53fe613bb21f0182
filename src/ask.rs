//! Requests, answers and errors, as the WIT package `querent:ask` names them.
//!
//! The component's glue reads and writes these types as they lie here. JSON travels as text, so that
//! numbers keep every digit and keys their order.

/// A result of the core's. The error is boxed: it carries the attempts and the usage, and is far larger than most values.
pub type Result<T> = core::result::Result<T, Box<Error>>;

/// Whose fault it was, so that a host can act on it without reading the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A call came before `configure`, the settings are not valid, or `prepared` does not fit them.
    Configuration,
    /// The caller's input is empty, too long or of the wrong form.
    InvalidInput,
    /// The host refused a capability.
    Denied,
    /// The database cannot be reached, or broke off.
    DatabaseUnreachable,
    /// The database refused the credentials, or a permission is missing.
    DatabaseUnauthorized,
    /// The database failed the query when it ran.
    DatabaseError,
    /// The query was refused: it writes, or breaks the policy.
    QueryRefused,
    /// No valid query was found within the attempts allowed.
    QueryInvalid,
    /// A row, byte, token or call limit was exceeded.
    LimitExceeded,
    /// Time ran out.
    Timeout,
    /// The model cannot be reached, refused, or its reply cannot be used.
    Model,
    /// A fault of the component's own.
    Internal,
    /// Anything else.
    Other,
}

/// Something that a program may react to and a person may read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Stable text for programs.
    pub code: String,
    /// One sentence for a person.
    pub message: String,
}

impl Notice {
    /// A notice with this code and sentence.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Notice {
        Notice {
            code: code.into(),
            message: message.into(),
        }
    }
}

/// What became of one query that the model wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The query; empty where the reply held none.
    pub query: String,
    /// Why it was not used; absent where it was.
    pub refusal: Option<Notice>,
}

/// Counters of one call. They stop at their maximum rather than wrap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Calls to the model.
    pub llm_calls: u32,
    /// Tokens of the prompts, as the provider counts them.
    pub input_tokens: u32,
    /// Tokens of the replies, as the provider counts them.
    pub output_tokens: u32,
    /// Calls to the database.
    pub http_calls: u32,
    /// Rows taken from cursors.
    pub rows_read: u32,
    /// Bytes of response bodies.
    pub bytes_read: u32,
    /// Time spent in calls to the host, in milliseconds, where the host reports it for every call.
    pub elapsed_ms: Option<u32>,
}

/// A failed call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Whose fault it was.
    pub kind: ErrorKind,
    /// Stable text for programs: `arango-1203`, `policy-collection`, `llm-rate-limited`, `stale-prepared`.
    pub code: String,
    /// One sentence for a person: what happened, to what, what to do. Never a secret.
    pub message: String,
    /// The queries tried, the last one last.
    pub attempts: Vec<Attempt>,
    /// What the call used until it failed.
    pub usage: Usage,
    /// Whether the same call may succeed later.
    pub retryable: bool,
    /// When, in milliseconds from now.
    pub retry_after_ms: Option<u32>,
    /// More, as names and JSON values.
    pub details: Vec<(String, String)>,
}

impl Error {
    /// An error that a retry does not mend, with no attempts and no usage yet.
    pub fn new(kind: ErrorKind, code: impl Into<String>, message: impl Into<String>) -> Box<Error> {
        Box::new(Error {
            kind,
            code: code.into(),
            message: message.into(),
            attempts: Vec::new(),
            usage: Usage::default(),
            retryable: false,
            retry_after_ms: None,
            details: Vec::new(),
        })
    }

    /// The same error, marked as one that a later call may not meet.
    #[must_use]
    pub fn retryable(mut self: Box<Error>) -> Box<Error> {
        self.retryable = true;
        self
    }

    /// The same error with one more detail: a name and a JSON value as text.
    #[must_use]
    pub fn with_detail(mut self: Box<Error>, name: &str, json: String) -> Box<Error> {
        self.details.push((name.into(), json));
        self
    }
}

/// What `configure` gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configured {
    /// What was found, for a person and a log, as a JSON object: server, version, counts.
    pub summary: String,
    /// What the next instance's `configure` takes, as JSON.
    pub prepared: String,
    /// What the configuration gives reason to say.
    pub warnings: Vec<Notice>,
    /// What it cost.
    pub usage: Usage,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionKind {
    /// Translate, run, and answer.
    Ask,
    /// Run the text as a query of the caller's, through every gate, without a model.
    Read,
    /// Run the text as it stands, without a model and without the gate. Refused unless the settings allow it.
    Execute,
    /// Report the query language.
    Dialect,
}

/// An earlier turn of the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// What was asked.
    pub question: String,
    /// What was answered.
    pub answer: String,
    /// The query that was run.
    pub query: Option<String>,
}

/// Which outputs to make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// The rows as JSON.
    pub rows: bool,
    /// The Markdown table.
    pub table: bool,
    /// Plain text for a person.
    pub text: bool,
    /// What the node emits on its `answers` lane.
    pub answers: bool,
    /// An answer in words, by a second call to the model.
    pub prose: bool,
}

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionRequest {
    /// What is asked for.
    pub kind: QuestionKind,
    /// The question, or the query for [`QuestionKind::Read`] and [`QuestionKind::Execute`].
    pub text: String,
    /// A JSON object, for [`QuestionKind::Read`] and [`QuestionKind::Execute`].
    pub bind_vars: Option<String>,
    /// Rows wanted.
    pub limit: Option<u32>,
    /// Earlier turns, oldest first.
    pub history: Vec<Turn>,
    /// Which outputs to make.
    pub outputs: Outputs,
    /// `today`, `time-zone`, `graph`, `collections`.
    pub options: Vec<(String, String)>,
}

/// What kind of answer it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Rows, perhaps none.
    Rows,
    /// The model's words: the question is not about the database.
    Words,
    /// The model asks back: the question has two readings.
    Clarify,
    /// A query that wrote, through `execute`.
    Affected,
    /// The query language.
    Dialect,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What kind of answer it is.
    pub outcome: Outcome,
    /// Exact rows, a JSON array.
    pub rows: String,
    /// How many rows were found, up to the limit.
    pub row_count: u32,
    /// True where the database had more rows than were returned.
    pub truncated: bool,
    /// Documents written, through `execute`.
    pub affected_rows: Option<u32>,
    /// GitHub-flavoured Markdown; empty where there are no rows.
    pub table: String,
    /// For a person: rows as plain text (for `execute`, as Markdown), or words, or a sentence that says why there is nothing.
    pub text: String,
    /// What the node emits on its `answers` lane.
    pub answers: String,
    /// The answer in words, where it was asked for.
    pub prose: Option<String>,
    /// The query that was run.
    pub query: Option<String>,
    /// Its bind variables, a JSON object.
    pub bind_vars: Option<String>,
    /// What the model took for granted.
    pub assumptions: Vec<String>,
    /// The queries tried, the last one last.
    pub attempts: Vec<Attempt>,
    /// What the answer gives reason to say.
    pub warnings: Vec<Notice>,
    /// What it cost.
    pub usage: Usage,
    /// More, as names and JSON values.
    pub details: Vec<(String, String)>,
}

/// A question to translate without running it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AqlRequest {
    /// The question.
    pub question: String,
    /// Rows wanted.
    pub limit: Option<u32>,
    /// Earlier turns, oldest first.
    pub history: Vec<Turn>,
    /// Also return the plan's summary.
    pub plan: bool,
    /// `today`, `time-zone`, `graph`, `collections`.
    pub options: Vec<(String, String)>,
}

/// What a question became.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AqlReply {
    /// A query that passed every gate, not yet run.
    Query(String),
    /// The model's words: the question is not about the database.
    Words(String),
    /// The model asks back.
    Clarify(String),
}

/// A translated question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AqlAnswer {
    /// What it became.
    pub reply: AqlReply,
    /// The plan's summary, a JSON object.
    pub plan: Option<String>,
    /// What the model took for granted.
    pub assumptions: Vec<String>,
    /// The queries tried, the last one last.
    pub attempts: Vec<Attempt>,
    /// What the translation gives reason to say.
    pub warnings: Vec<Notice>,
    /// What it cost.
    pub usage: Usage,
    /// More, as names and JSON values.
    pub details: Vec<(String, String)>,
}

/// A tool that an agent may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Its name, without a host's prefix.
    pub name: &'static str,
    /// When to use it, for a model.
    pub description: &'static str,
    /// The JSON Schema of its arguments.
    pub input_schema: &'static str,
    /// The JSON Schema of its result.
    pub output_schema: &'static str,
}
