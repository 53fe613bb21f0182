//! A server that answers as ArangoDB 3.12 does, as far as the core asks; and that can be made to fail at any request.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::outside::Outside;
use crate::ports::{
    Completion, Http, HttpError, HttpErrorKind, HttpRequest, HttpResponse, Llm, LlmError,
    LlmErrorKind, LlmRequest, Method,
};

/// A model that must not be asked.
pub(crate) struct NoModel;

impl Llm for NoModel {
    fn complete(&self, _: &LlmRequest) -> Result<Completion, LlmError> {
        Err(LlmError {
            kind: LlmErrorKind::Denied,
            code: None,
            message: "nobody may ask".into(),
            retry_after_ms: None,
        })
    }
}

/// A request, as it arrived.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Value,
    pub(crate) text: String,
}

/// What happens in place of a response.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    Broken(HttpErrorKind),
    Status(u16, &'static str),
    /// This status and body.
    Body(u16, &'static str, &'static str),
    /// The real response, cut in half.
    Truncated,
}

/// A collection of the server's.
#[derive(Clone, Debug, Default)]
pub(crate) struct FakeCollection {
    pub(crate) edge: bool,
    pub(crate) count: u64,
    /// Rows of the sampling query: types, then names with "in each" between them.
    pub(crate) paths: Value,
    pub(crate) indexes: Value,
    /// The error of any query that reads it: status and number.
    pub(crate) fails: Option<(u16, u32)>,
}

/// The server.
#[derive(Default)]
pub(crate) struct Fake {
    pub(crate) collections: BTreeMap<String, FakeCollection>,
    pub(crate) graphs: Value,
    pub(crate) views: BTreeMap<String, Value>,
    /// Rows of any query that is not one of the core's own.
    pub(crate) rows: Vec<String>,
    pub(crate) warnings: Value,
    pub(crate) writes: (u64, u64),
    pub(crate) without_stats: bool,
    pub(crate) hide_version: bool,
    /// Whether a read-only transaction refuses what it should.
    pub(crate) no_barrier: bool,
    /// Reads of single documents pass a transaction that does not declare their collection.
    pub(crate) no_barrier_for_documents: bool,
    /// Whether it ends a transaction in which it refused something.
    pub(crate) refusal_aborts: bool,
    /// The request of this number fails so; the first is 0.
    pub(crate) fault: Option<(usize, Fault)>,
    /// Every request whose path holds this text fails so.
    pub(crate) fault_at: Option<(&'static str, Fault)>,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    seen: Vec<Seen>,
    next_id: u64,
    /// Rows yet to be sent, and the batch size.
    cursors: BTreeMap<String, (Vec<String>, usize)>,
    transactions: BTreeSet<String>,
    begun: usize,
}

impl Fake {
    /// A server with one collection of three documents.
    pub(crate) fn new() -> Fake {
        let mut fake = Fake {
            graphs: json!([]),
            warnings: json!([]),
            ..Fake::default()
        };
        fake.collection(
            "orders",
            3,
            json!([
                ["string", "_key", false, null],
                ["double", "total", false, null]
            ]),
        );
        fake
    }

    pub(crate) fn collection(
        &mut self,
        name: &str,
        count: u64,
        paths: Value,
    ) -> &mut FakeCollection {
        self.collections.insert(
            name.into(),
            FakeCollection {
                count,
                paths,
                indexes: json!([{"fields": ["_key"], "id": format!("{name}/0"), "name": "primary",
                    "selectivityEstimate": 1, "sparse": false, "type": "primary", "unique": true}]),
                ..FakeCollection::default()
            },
        );
        self.collections.get_mut(name).expect("just inserted")
    }

    /// A way to it.
    pub(crate) fn outside(&self) -> Outside<'_> {
        Outside::new(&NoModel, self)
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.state.borrow().seen.clone()
    }

    /// The requests as lines: `POST /_db/shop/_api/cursor`.
    pub(crate) fn lines(&self) -> Vec<String> {
        let seen = self.seen();
        seen.iter()
            .map(|seen| {
                format!(
                    "{} {}",
                    format!("{:?}", seen.method).to_uppercase(),
                    seen.path
                )
            })
            .collect()
    }

    /// Cursors and transactions that nobody released.
    #[track_caller]
    pub(crate) fn assert_nothing_open(&self) {
        let state = self.state.borrow();
        assert!(state.cursors.is_empty(), "open cursors");
        assert!(state.transactions.is_empty(), "open transactions");
    }

    pub(crate) fn transactions_begun(&self) -> usize {
        self.state.borrow().begun
    }

    fn answer(&self, request: &HttpRequest) -> (u16, Value) {
        let database = "/_db/shop/_api/";
        let Some(rest) = request.path.strip_prefix(database) else {
            return error(404, 1228, "database not found");
        };
        let body: Value = request.body.as_deref().map_or(Value::Null, |body| {
            serde_json::from_slice(body).expect("a JSON body")
        });
        let header = request
            .headers
            .iter()
            .find(|(name, _)| *name == "x-arango-trx-id");
        let transaction = header.map(|(_, id)| id.as_str());
        match (request.method, rest) {
            (Method::Post, "cursor") => self.open(&body, transaction),
            (Method::Post, "explain") => (
                200,
                json!({"plan": {"nodes": []}, "error": false, "code": 200}),
            ),
            (Method::Post, "transaction/begin") => {
                let mut state = self.state.borrow_mut();
                state.next_id += 1;
                state.begun += 1;
                let id = (70_000 + state.next_id).to_string();
                state.transactions.insert(id.clone());
                (
                    201,
                    json!({"code": 201, "error": false, "result": {"id": id, "status": "running"}}),
                )
            }
            (Method::Get, "version") if self.hide_version => {
                (200, json!({"server": "arango", "license": "community"}))
            }
            (Method::Get, "version") => (
                200,
                json!({"server": "arango", "license": "enterprise", "version": "3.12.10"}),
            ),
            (Method::Get, "collection?excludeSystem=true") => {
                let list: Vec<Value> = self.collections.iter().map(|(name, collection)| json!({
                    "id": "123", "name": name, "status": 3, "type": if collection.edge { 3 } else { 2 },
                    "isSystem": false, "globallyUniqueId": "h5C3DDE5391BF/123"
                })).collect();
                (200, json!({"error": false, "code": 200, "result": list}))
            }
            (Method::Get, "gharial") => (
                200,
                json!({"error": false, "code": 200, "graphs": self.graphs}),
            ),
            (Method::Get, "view") => {
                let list: Vec<Value> = self.views.iter().map(|(name, properties)| json!({
                    "globallyUniqueId": "h5/1", "id": "1", "name": name, "type": properties["type"]
                })).collect();
                (200, json!({"error": false, "code": 200, "result": list}))
            }
            (Method::Get, path) if path.starts_with("view/") => {
                let name = path
                    .trim_start_matches("view/")
                    .trim_end_matches("/properties");
                match self.views.get(name) {
                    Some(properties) => (200, properties.clone()),
                    None => error(404, 1203, "collection or view not found"),
                }
            }
            (Method::Get, path) if path.starts_with("index?collection=") => {
                let name = decode(path.trim_start_matches("index?collection="));
                match self.collections.get(&name) {
                    Some(collection) => (
                        200,
                        json!({"error": false, "code": 200, "indexes": collection.indexes, "identifiers": {}}),
                    ),
                    None => error(404, 1203, "collection or view not found"),
                }
            }
            (Method::Post, path) if path.starts_with("cursor/") => {
                self.next(path.trim_start_matches("cursor/"))
            }
            (Method::Delete, path) if path.starts_with("cursor/") => {
                let id = path.trim_start_matches("cursor/");
                match self.state.borrow_mut().cursors.remove(id) {
                    Some(_) => (202, json!({"id": id, "error": false, "code": 202})),
                    None => error(404, 1600, "cursor not found"),
                }
            }
            (Method::Delete, path) if path.starts_with("transaction/") => {
                let id = path.trim_start_matches("transaction/");
                if self.state.borrow_mut().transactions.remove(id) {
                    return (
                        200,
                        json!({"code": 200, "error": false, "result": {"id": id, "status": "aborted"}}),
                    );
                }
                error(404, 1655, "transaction not found")
            }
            _ => error(404, 404, "unknown path"),
        }
    }

    fn open(&self, body: &Value, transaction: Option<&str>) -> (u16, Value) {
        let query = body["query"].as_str().expect("a query");
        let batch =
            usize::try_from(body["batchSize"].as_u64().expect("a batch size")).expect("small");
        let binds = body["bindVars"].as_object().expect("bind variables");
        let names: Vec<&str> = {
            let mut numbered: Vec<(usize, &str)> = binds
                .iter()
                .filter_map(|(key, value)| {
                    Some((key.strip_prefix("@c")?.parse().ok()?, value.as_str()?))
                })
                .collect();
            numbered.sort_unstable();
            numbered.into_iter().map(|(_, name)| name).collect()
        };
        if let Some(id) = transaction
            && !self.state.borrow().transactions.contains(id)
        {
            return error(404, 1655, "transaction not found");
        }
        let fails = names
            .iter()
            .find_map(|name| match self.collections.get(*name) {
                None => Some((404, 1203)),
                Some(collection) => collection.fails,
            });
        if let Some((status, number)) = fails {
            return error(status, number, "the collection fails");
        }
        let lookup = query.starts_with("RETURN DOCUMENT(");
        let canary = query.ends_with("LIMIT 1 RETURN 1") || query.contains(" REMOVE ") || lookup;
        let passes = self.no_barrier || (lookup && self.no_barrier_for_documents);
        if canary && transaction.is_some() && !passes {
            if self.refusal_aborts {
                self.state.borrow_mut().transactions.clear();
            }
            return error(400, 1652, "unregistered collection used in transaction");
        }
        let rows = if query == "RETURN 1" {
            vec!["1".into()]
        } else if canary {
            Vec::new()
        } else if query.starts_with("RETURN [[LENGTH(") {
            let parts: Vec<Value> = names
                .iter()
                .map(|name| json!([self.collections[*name].count, self.collections[*name].paths]))
                .collect();
            vec![Value::from(parts).to_string()]
        } else {
            self.rows.clone()
        };
        let mut state = self.state.borrow_mut();
        state.next_id += 1;
        let id = (80_000 + state.next_id).to_string();
        state.cursors.insert(id.clone(), (rows, batch));
        drop(state);
        let (_, page) = self.next(&id);
        (201, page)
    }

    fn next(&self, id: &str) -> (u16, Value) {
        let mut state = self.state.borrow_mut();
        let Some((mut rows, batch)) = state.cursors.remove(id) else {
            return error(404, 1600, "cursor not found");
        };
        let rest = rows.split_off(batch.min(rows.len()));
        // Rows keep their digits only as text: they are put in when the body is written.
        let mut page = json!({"result": rows, "hasMore": !rest.is_empty(), "cached": false, "error": false, "code": 201});
        page["extra"] = json!({"warnings": self.warnings});
        if !self.without_stats {
            page["extra"]["stats"] = json!({
                "writesExecuted": self.writes.0, "writesIgnored": self.writes.1, "scannedFull": 5,
                "executionTime": 0.0003
            });
        }
        if !rest.is_empty() {
            page["id"] = json!(id);
            page["nextBatchId"] = json!("2");
            state.cursors.insert(id.into(), (rest, batch));
        }
        (200, page)
    }
}

impl Http for Fake {
    fn fetch(&self, request: &HttpRequest) -> Result<HttpResponse, HttpError> {
        assert_eq!(request.endpoint, "database");
        let text = request
            .body
            .as_deref()
            .map(|body| String::from_utf8(body.to_vec()).expect("UTF-8"))
            .unwrap_or_default();
        let number = {
            let mut state = self.state.borrow_mut();
            state.seen.push(Seen {
                method: request.method,
                path: request.path.clone(),
                headers: request.headers.clone(),
                body: serde_json::from_str(&text).unwrap_or(Value::Null),
                text,
            });
            state.seen.len() - 1
        };
        let fault = match (&self.fault, &self.fault_at) {
            (Some((at, fault)), _) if *at == number => Some(fault),
            (_, Some((at, fault))) if request.path.contains(at) => Some(fault),
            _ => None,
        };
        // A release counts as made when it is asked for. Anything else that fails was never done.
        let real = (fault.is_none()
            || matches!(fault, Some(Fault::Truncated))
            || request.method == Method::Delete)
            .then(|| self.answer(request));
        let (status, content_type, body) = match (fault, real) {
            (None, Some((status, body))) => (status, "application/json", written(&body)),
            (Some(Fault::Broken(kind)), _) => {
                return Err(HttpError {
                    kind: *kind,
                    code: None,
                    message: "the exchange broke".into(),
                    request_sent: true,
                });
            }
            (Some(Fault::Status(status, message)), _) => (
                *status,
                "application/json; charset=utf-8",
                json!({"code": status, "error": true, "errorMessage": message}).to_string(),
            ),
            (Some(Fault::Body(status, content_type, body)), _) => {
                (*status, *content_type, (*body).to_string())
            }
            (Some(Fault::Truncated), real) => {
                let (status, body) = real.expect("a real response");
                let body = written(&body);
                // What the server opened for a response that broke off cannot be named by anyone.
                if request.method == Method::Post {
                    let mut state = self.state.borrow_mut();
                    if request.path.ends_with("/begin") {
                        state.transactions.clear();
                    } else if request.path.ends_with("/cursor") {
                        state.cursors.clear();
                    }
                }
                (
                    status,
                    "application/json",
                    body[..body.len() / 2].to_string(),
                )
            }
            (None, None) => unreachable!("a request without a fault is answered"),
        };
        Ok(HttpResponse {
            status,
            headers: vec![
                ("server".into(), "ArangoDB".into()),
                ("content-type".into(), content_type.into()),
            ],
            body: body.into_bytes(),
            elapsed_ms: Some(1),
        })
    }
}

/// The body as text, rows put in as they are.
fn written(body: &Value) -> String {
    let is_page = body.get("hasMore").is_some();
    let Some(rows) = body
        .get("result")
        .and_then(Value::as_array)
        .filter(|_| is_page)
    else {
        return body.to_string();
    };
    let rows: Vec<&str> = rows
        .iter()
        .map(|row| row.as_str().expect("a row as text"))
        .collect();
    let mut rest = body.clone();
    rest["result"] = json!("@rows@");
    rest.to_string()
        .replacen("\"@rows@\"", &format!("[{}]", rows.join(",")), 1)
}

pub(crate) fn error(status: u16, number: u32, message: &str) -> (u16, Value) {
    (
        status,
        json!({"code": status, "error": true, "errorMessage": message, "errorNum": number}),
    )
}

fn decode(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((byte, tail)) = rest.split_first() {
        rest = tail;
        if *byte == b'%' {
            let (hex, tail) = rest.split_at(2);
            rest = tail;
            bytes
                .push(u8::from_str_radix(std::str::from_utf8(hex).expect("hex"), 16).expect("hex"));
        } else {
            bytes.push(*byte);
        }
    }
    String::from_utf8(bytes).expect("UTF-8")
}
