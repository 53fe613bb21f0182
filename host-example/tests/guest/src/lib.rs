//! A component that does what its question says: the bad habits that the host must stop, and the uses that it must allow.
//!
//! | question | does |
//! |---|---|
//! | `echo TEXT` | answers with the text |
//! | `loop` | never ends |
//! | `allocate MIB` | touches that much memory |
//! | `panic` | panics |
//! | `fetch ENDPOINT METHOD PATH` | one request; answers with status and body, or kind and code |
//! | `header NAME` | one request with this header |
//! | `body BYTES` | one request with so large a body |
//! | `complete COUNT` | so many model requests; answers with each text, or kind and code |
//! | `linger` | asks until it is told that time is over, then releases until it is told so again |
//! | `fail CODE` | fails with this code |

mod bindings {
    wit_bindgen::generate!({ world: "querent:ask/arango", path: "../../../wit", generate_all });
}

use bindings::exports::querent::ask::{aql, ask, tools};
use bindings::querent::host::{http_fetch, llm_complete};

struct Guest;
bindings::export!(Guest with_types_in bindings);

const VERSION: &str = "/_db/shop/_api/version";

fn usage() -> ask::Usage {
    ask::Usage {
        llm_calls: 0,
        input_tokens: 0,
        output_tokens: 0,
        http_calls: 0,
        rows_read: 0,
        bytes_read: 0,
        elapsed_ms: None,
    }
}

fn failed(code: &str) -> ask::Error {
    ask::Error {
        kind: ask::ErrorKind::Other,
        code: code.to_owned(),
        message: format!("asked to fail with \u{1b}[31m{code}"),
        attempts: Vec::new(),
        usage: usage(),
        retryable: false,
        retry_after_ms: None,
        details: Vec::new(),
    }
}

fn fetch(
    endpoint: &str,
    method: &str,
    path: &str,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
) -> Result<http_fetch::Response, http_fetch::Error> {
    let method = match method {
        "POST" => http_fetch::Method::Post,
        "DELETE" => http_fetch::Method::Delete,
        _ => http_fetch::Method::Get,
    };
    http_fetch::fetch(&http_fetch::Request {
        endpoint: endpoint.to_owned(),
        method,
        path: path.to_owned(),
        headers,
        body,
        timeout_ms: None,
        max_response_bytes: None,
    })
}

fn told(outcome: Result<http_fetch::Response, http_fetch::Error>) -> String {
    match outcome {
        Ok(response) => {
            let headers: Vec<String> = response.headers.into_iter().map(|(name, _)| name).collect();
            format!(
                "{} {} [{}]",
                response.status,
                String::from_utf8_lossy(&response.body),
                headers.join(" ")
            )
        }
        Err(error) => format!(
            "{:?} {} sent={}",
            error.kind,
            error.code.unwrap_or_default(),
            error.request_sent
        ),
    }
}

fn complete() -> String {
    let request = llm_complete::Request {
        purpose: "write-query".to_owned(),
        messages: vec![llm_complete::Message {
            role: llm_complete::Role::User,
            content: "how many?".to_owned(),
        }],
        json_schema: None,
        max_output_tokens: Some(1_000_000),
        timeout_ms: None,
        temperature: None,
        options: Vec::new(),
    };
    match llm_complete::complete(&request) {
        Ok(completion) => completion.text,
        Err(error) => format!("{:?} {}", error.kind, error.code.unwrap_or_default()),
    }
}

/// Asks until time is over, then releases until that is over, too.
fn linger() -> String {
    let late = |outcome: &Result<http_fetch::Response, http_fetch::Error>| {
        outcome
            .as_ref()
            .is_err_and(|error| error.kind == http_fetch::ErrorKind::Timeout)
    };
    while !late(&fetch("database", "GET", VERSION, Vec::new(), None)) {}
    let model = complete();
    let mut released = 0;
    while !late(&fetch(
        "database",
        "DELETE",
        "/_db/shop/_api/cursor/1",
        Vec::new(),
        None,
    )) {
        released += 1;
    }
    format!("model {model}, released {released}")
}

fn act(text: &str) -> Result<String, ask::Error> {
    let words: Vec<&str> = text.split(' ').collect();
    Ok(match words.as_slice() {
        ["echo", rest @ ..] => rest.join(" "),
        ["loop"] => {
            let mut number = 1_u64;
            loop {
                number = std::hint::black_box(
                    number
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1),
                );
            }
        }
        ["allocate", mib] => {
            let memory = std::hint::black_box(vec![1_u8; mib.parse::<usize>().unwrap_or(0) << 20]);
            memory.len().to_string()
        }
        ["panic"] => panic!("asked to"),
        ["fetch", endpoint, method, path] => told(fetch(endpoint, method, path, Vec::new(), None)),
        ["header", name] => {
            let headers = vec![((*name).to_owned(), "x".to_owned())];
            told(fetch("database", "GET", VERSION, headers, None))
        }
        ["body", bytes] => {
            let body = vec![b' '; bytes.parse().unwrap_or(0)];
            told(fetch(
                "database",
                "POST",
                "/_db/shop/_api/explain",
                Vec::new(),
                Some(body),
            ))
        }
        ["complete", count] => (0..count.parse().unwrap_or(0))
            .map(|_| complete())
            .collect::<Vec<_>>()
            .join("; "),
        ["linger"] => linger(),
        ["fail", code] => return Err(failed(code)),
        _ => return Err(failed("unknown-habit")),
    })
}

impl ask::Guest for Guest {
    fn configure(
        settings: String,
        prepared: Option<String>,
    ) -> Result<ask::Configured, ask::Error> {
        let mark = format!("prepared for {settings}");
        match prepared {
            Some(prepared) if prepared != mark => return Err(failed("stale-prepared")),
            Some(_) => {}
            None => {
                fetch("database", "GET", VERSION, Vec::new(), None)
                    .map_err(|_| failed("unreachable"))?;
            }
        }
        Ok(ask::Configured {
            summary: "{}".to_owned(),
            prepared: mark,
            warnings: Vec::new(),
            usage: usage(),
        })
    }

    fn question(request: ask::QuestionRequest) -> Result<ask::Answer, ask::Error> {
        let text = act(&request.text)?;
        Ok(ask::Answer {
            outcome: ask::Outcome::Words,
            rows: "[]".to_owned(),
            row_count: 0,
            truncated: false,
            affected_rows: None,
            table: String::new(),
            answers: text.clone(),
            text,
            prose: None,
            query: None,
            bind_vars: None,
            assumptions: Vec::new(),
            attempts: Vec::new(),
            warnings: Vec::new(),
            usage: usage(),
            details: Vec::new(),
        })
    }

    fn schema(collection: Option<String>) -> Result<String, ask::Error> {
        Ok(format!(
            "{{\"collection\":\"{}\"}}",
            collection.unwrap_or_default()
        ))
    }
}

impl aql::Guest for Guest {
    fn aql(request: aql::AqlRequest) -> Result<aql::AqlAnswer, ask::Error> {
        Ok(aql::AqlAnswer {
            reply: aql::AqlReply::Query(format!("RETURN \"{}\"", request.question)),
            plan: None,
            assumptions: Vec::new(),
            attempts: Vec::new(),
            warnings: Vec::new(),
            usage: usage(),
            details: Vec::new(),
        })
    }
}

impl tools::Guest for Guest {
    fn definitions() -> Vec<tools::Definition> {
        vec![tools::Definition {
            name: "get_data".to_owned(),
            description: String::new(),
            input_schema: "{}".to_owned(),
            output_schema: "{}".to_owned(),
        }]
    }

    fn invoke(name: String, arguments: String) -> Result<String, ask::Error> {
        Ok(format!("{{\"name\":\"{name}\",\"arguments\":{arguments}}}"))
    }
}
