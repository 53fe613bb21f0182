use core::cell::RefCell;

use super::*;
use crate::ask::ErrorKind;
use crate::outside::Outside;
use crate::ports::{
    Completion, Http, HttpError, HttpRequest, HttpResponse, Llm, LlmError, LlmErrorKind, LlmRequest,
};
use crate::schema::{Collection, Schema, View, ViewLink};
use crate::settings::Settings;
use serde_json::{Value, json};

/// A server that answers EXPLAIN with one body, and keeps what it was asked.
struct Server {
    status: u16,
    body: String,
    asked: RefCell<Vec<String>>,
}

impl Http for Server {
    fn fetch(&self, request: &HttpRequest) -> core::result::Result<HttpResponse, HttpError> {
        assert!(request.path.ends_with("/_api/explain"), "{}", request.path);
        let body = String::from_utf8(request.body.clone().unwrap_or_default()).unwrap();
        self.asked.borrow_mut().push(body);
        Ok(HttpResponse {
            status: self.status,
            headers: vec![("content-type".into(), "application/json".into())],
            body: self.body.clone().into_bytes(),
            elapsed_ms: None,
        })
    }
}

struct NoModel;

impl Llm for NoModel {
    fn complete(&self, _: &LlmRequest) -> core::result::Result<Completion, LlmError> {
        Err(LlmError {
            kind: LlmErrorKind::Denied,
            code: None,
            message: "there is no model here".into(),
            retry_after_ms: None,
        })
    }
}

fn plan(collections: &[(&str, &str)]) -> Value {
    let collections: Vec<Value> = collections
        .iter()
        .map(|(name, access)| json!({"name": name, "type": access}))
        .collect();
    json!({"plan": {"nodes": [{"type": "SingletonNode"}, {"type": "ReturnNode"}], "collections": collections,
        "isModificationQuery": false, "estimatedCost": 12.0, "estimatedNrItems": 3}, "error": false, "code": 200})
}

fn schema() -> Schema {
    let collection = |name: &str| Collection {
        name: name.into(),
        ..Collection::default()
    };
    Schema {
        collections: ["bought", "orders", "users"].map(collection).into(),
        views: vec![View {
            name: "shop_view".into(),
            links: vec![ViewLink {
                collection: "orders".into(),
                ..ViewLink::default()
            }],
            ..View::default()
        }],
        ..Schema::default()
    }
}

struct Case {
    settings: &'static str,
    verdict: Verdict,
    answer: (u16, Value),
}

impl Case {
    fn new(answer: Value) -> Case {
        Case {
            settings: r#"{"policy": {"collections": {"deny": ["sal*"]}}, "limits": {"max_estimated_cost": 100}}"#,
            verdict: Verdict::Refuses,
            answer: (200, answer),
        }
    }

    /// The verdict, and the requests that were made for it.
    fn judge(&self, text: &str, binds: &str) -> (Judged, Vec<String>) {
        let server = Server {
            status: self.answer.0,
            body: self.answer.1.to_string(),
            asked: RefCell::default(),
        };
        let settings = Settings::parse(self.settings).unwrap();
        let canary = Canary {
            undeclared_reads: self.verdict.clone(),
            writes: Verdict::Refuses,
        };
        let schema = schema();
        let rules = Rules {
            author: crate::gate::Author::Model,
            settings: &settings,
            schema: &schema,
            canary: &canary,
        };
        let outside = Outside::new(&NoModel, &server);
        let judged = read(&Client::new(&outside, &settings), rules, text, binds).unwrap();
        (judged, server.asked.into_inner())
    }

    fn passes(&self, text: &str) -> Passed {
        self.judge(text, "{}")
            .0
            .unwrap_or_else(|refusal| panic!("{text}: {refusal:?}"))
    }

    fn refuses(&self, text: &str) -> Box<Refusal> {
        self.judge(text, "{}").0.expect_err(text)
    }
}

#[test]
fn a_reading_query_passes_with_what_its_run_must_declare() {
    let passed = Case::new(plan(&[("users", "read")])).passes("FOR u IN users LIMIT 5 RETURN u");
    assert_eq!(passed.query.text(), "FOR u IN users LIMIT 5 RETURN u");
    assert_eq!(
        (passed.query.bind_vars(), passed.query.collections()),
        ("{}", &["users".to_owned()][..])
    );
    assert_eq!(
        passed.summary.to_json(),
        r#"{"collections":["users"],"nodes":["ReturnNode","SingletonNode"],"estimatedCost":12.0,"estimatedNrItems":3}"#
    );
}

#[test]
fn the_server_plans_exactly_what_will_run() {
    let text = "FOR d IN @@c FILTER d.x == @x RETURN d";
    let binds = r#"{"@c": "users", "x": "\u00e9"}"#;
    let (judged, asked) = Case::new(plan(&[("users", "read")])).judge(text, binds);
    let query = judged.unwrap().query;
    assert_eq!((query.text(), query.bind_vars()), (text, binds));
    let sent: Value = serde_json::from_str(&asked[0]).unwrap();
    assert_eq!(
        (asked.len(), &sent["query"], &sent["bindVars"]["@c"]),
        (1, &json!(text), &json!("users"))
    );
}

#[test]
fn what_the_text_shows_never_reaches_the_server() {
    for text in [
        "FOR u IN users REMOVE u IN users",
        "RETURN SLEEP(1)",
        "RETURN NS::F()",
        "FOR s IN salaries RETURN s",
        "FOR u IN `7` RETURN u",
        "FOR u IN nobody RETURN u",
        "not a query",
        "RETURN 1..100000000",
        "RETURN @x",
    ] {
        let (judged, asked) = Case::new(plan(&[])).judge(text, "{}");
        assert!(judged.is_err() && asked.is_empty(), "{text}");
    }
}

#[test]
fn a_plan_that_writes_is_refused_whatever_the_text_says() {
    let text = "FOR u IN users RETURN u";
    assert_eq!(
        Case::new(plan(&[("users", "write")])).refuses(text).kind,
        RefusalKind::Writes
    );
    let mut answer = plan(&[("users", "read")]);
    answer["plan"]["isModificationQuery"] = json!(true);
    let refusal = Case::new(answer).refuses(text);
    assert_eq!(
        (refusal.kind, refusal.repairable),
        (RefusalKind::Writes, false)
    );
    assert_eq!(refusal.to_error().kind, ErrorKind::QueryRefused);
}

#[test]
fn an_answer_that_is_no_plan_is_refused_and_not_repaired() {
    for answer in [
        json!({}),
        json!({"plan": {}}),
        json!({"plan": null, "error": false}),
        json!({"plans": [plan(&[])["plan"]], "error": false}),
    ] {
        let refusal = Case::new(answer.clone()).refuses("RETURN 1");
        assert_eq!(
            (refusal.kind, refusal.repairable),
            (RefusalKind::Plan, false),
            "{answer}"
        );
    }
}

#[test]
fn collections_of_the_plan_are_held_to_the_policy() {
    for hidden in [
        "salaries",
        "_users",
        "_graphs",
        "123",
        "_from_salaries",
        "_local__users",
    ] {
        let refusal = Case::new(plan(&[("users", "read"), (hidden, "read")]))
            .refuses("FOR v IN 1..1 ANY 'users/1' GRAPH 'g' RETURN v");
        assert_eq!(refusal.notice.code, "policy-collection", "{hidden}");
    }
    let mut answer = plan(&[("users", "read")]);
    answer["plan"]["nodes"][0]["collection"] = json!("salaries");
    assert_eq!(
        Case::new(answer).refuses("RETURN 1").notice.code,
        "policy-collection"
    );
}

#[test]
fn a_system_collection_passes_where_the_policy_names_it() {
    let mut case = Case::new(plan(&[("_graphs", "read")]));
    case.settings = r#"{"policy": {"collections": {"allow": ["_graphs", "users"]}}}"#;
    assert_eq!(case.passes("RETURN 1").query.collections(), ["_graphs"]);
}

#[test]
fn views_are_not_declared_and_their_collections_are() {
    let case = Case::new(plan(&[("shop_view", "read"), ("orders", "read")]));
    assert_eq!(
        case.passes("FOR d IN shop_view RETURN d")
            .query
            .collections(),
        ["orders"]
    );
}

#[test]
fn parts_of_a_smart_edge_collection_are_declared_as_the_collection() {
    let case = Case::new(plan(&[
        ("_local_bought", "read"),
        ("_from_bought", "read"),
        ("_to_bought", "read"),
    ]));
    assert_eq!(
        case.passes("FOR b IN bought RETURN b").query.collections(),
        ["bought"]
    );
}

#[test]
fn constant_reads_are_declared_beside_the_plan() {
    let case = Case::new(plan(&[("users", "read")]));
    let passed = case.passes("FOR u IN users RETURN [DOCUMENT('orders/1'), LENGTH(bought)]");
    assert_eq!(passed.query.collections(), ["bought", "orders", "users"]);
}

#[test]
fn a_dynamic_read_declares_every_readable_collection() {
    let case = Case::new(plan(&[("users", "read")]));
    let passed = case.passes("FOR u IN users RETURN DOCUMENT(u.friend)");
    assert_eq!(passed.query.collections(), ["bought", "orders", "users"]);
}

#[test]
fn a_dynamic_read_is_refused_where_the_server_is_no_barrier() {
    for verdict in [
        Verdict::DoesNotRefuse,
        Verdict::Unknown("nobody knows".into()),
    ] {
        let mut case = Case::new(plan(&[("users", "read")]));
        case.verdict = verdict;
        for text in [
            "FOR u IN users RETURN DOCUMENT(u.friend)",
            "FOR v IN 1..1 ANY 'users/1' bought RETURN v",
            "FOR u IN users FOR v IN 1..1 ANY u GRAPH 'shop' RETURN v",
        ] {
            let (judged, asked) = case.judge(text, "{}");
            let refusal = judged.unwrap_err();
            assert_eq!(
                (
                    refusal.notice.code.as_str(),
                    refusal.repairable,
                    asked.len()
                ),
                ("dynamic-read", true, 0),
                "{text}"
            );
        }
        case.passes("FOR u IN users RETURN DOCUMENT('users/1')");
        case.passes("FOR v IN 1..1 ANY 'users/1' GRAPH 'shop' RETURN v");
    }
}

#[test]
fn a_plan_above_the_ceiling_or_without_a_cost_is_refused_where_there_is_one() {
    let mut answer = plan(&[]);
    answer["plan"]["estimatedCost"] = json!(100.1);
    assert_eq!(
        Case::new(answer.clone()).refuses("RETURN 1").notice.code,
        "plan-cost"
    );
    answer["plan"]
        .as_object_mut()
        .unwrap()
        .remove("estimatedCost");
    let mut case = Case::new(answer);
    assert_eq!(case.refuses("RETURN 1").notice.code, "plan-cost");
    case.settings = "{}";
    case.passes("RETURN 1");
}

#[test]
fn an_error_of_the_servers_keeps_its_number() {
    let error = |status: u16, number: u32| {
        let mut case = Case::new(
            json!({"error": true, "errorNum": number, "errorMessage": "x", "code": status}),
        );
        case.answer.0 = status;
        case.refuses("RETURN 1")
    };
    let parse = error(400, 1501);
    assert_eq!(
        (parse.notice.code.as_str(), parse.repairable),
        ("arango-1501", true)
    );
    assert_eq!(parse.to_error().kind, ErrorKind::QueryInvalid);
    let forbidden = error(403, 11);
    assert_eq!(
        (forbidden.repairable, forbidden.to_error().kind),
        (false, ErrorKind::DatabaseUnauthorized)
    );
    let memory = error(500, 32);
    assert_eq!(
        (memory.once, memory.to_error().kind),
        (true, ErrorKind::LimitExceeded)
    );
}

#[test]
fn a_limit_of_the_querys_own_is_told_where_it_was_reached() {
    let case = Case::new(plan(&[("users", "read")]));
    let limited = case.passes("FOR u IN users LIMIT 5 RETURN u");
    let code = |rows, more| limited.limit_reached(rows, more).map(|notice| notice.code);
    assert_eq!(
        (code(5, false), code(4, false), code(5, true)),
        (Some("limit-in-query".into()), None, None)
    );
    assert!(
        case.passes("FOR u IN users RETURN u")
            .limit_reached(5, false)
            .is_none()
    );
    let inner = case.passes("FOR u IN (FOR v IN users LIMIT 5 RETURN v) RETURN u");
    assert!(inner.limit_reached(5, false).is_none());
}

#[test]
fn no_more_is_declared_than_the_server_takes() {
    let mut schema = schema();
    schema.collections = (0..3_000)
        .map(|n| Collection {
            name: format!("c{n:04}").into(),
            ..Collection::default()
        })
        .collect();
    let settings = Settings::parse("{}").unwrap();
    let canary = Canary {
        undeclared_reads: Verdict::Refuses,
        writes: Verdict::Refuses,
    };
    let server = Server {
        status: 200,
        body: plan(&[("c2999", "read")]).to_string(),
        asked: RefCell::default(),
    };
    let outside = Outside::new(&NoModel, &server);
    let rules = Rules {
        author: crate::gate::Author::Model,
        settings: &settings,
        schema: &schema,
        canary: &canary,
    };
    let passed = read(
        &Client::new(&outside, &settings),
        rules,
        "FOR c IN c2999 RETURN DOCUMENT(c.x)",
        "",
    )
    .unwrap()
    .unwrap();
    assert_eq!(passed.query.collections().len(), 2_048);
    assert!(passed.query.collections().contains(&"c2999".to_owned()));
    assert!(
        passed
            .warnings
            .iter()
            .any(|notice| notice.code == "declared-capped")
    );
}
