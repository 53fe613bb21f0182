//! Cases as folders: `tests/cases/<what-is-special>/`.
//!
//! | files | what runs | what is expected |
//! |---|---|---|
//! | `query.aql`, `bind.json`? `plan.json`? | the gate | `expected.json` or `error.txt` |
//! | `question.txt`, `replies/1.txt`, … `plan.json`? | the translation | `expected.json` or `error.txt` |
//! | `rows.json` | the renderer | `table.md` and `text.txt` |
//!
//! `settings.json` may stand in each. `plan.json` is the server's answer to EXPLAIN. A gate case without one expects that the
//! server is not asked; a translation without one gets a clean plan over `users`. With `BLESS=1` the expectations are
//! rewritten: read the difference before you keep it.

#[path = "support/sorted.rs"]
mod sorted;

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use querent::arango::Client;
use querent::arango::canary::{Canary, Verdict};
use querent::gate::{self, Rules};
use querent::outside::Outside;
use querent::ports::{
    Completion, Finish, Http, HttpError, HttpRequest, HttpResponse, Llm, LlmError, LlmErrorKind,
    LlmRequest,
};
use querent::render;
use querent::schema::{Collection, CollectionKind, Schema, View, ViewLink};
use querent::settings::Settings;
use querent::translate::{Asked, Step, Translator};
use serde_json::{Value, json};

use sorted::sorted;

#[test]
fn every_case_gives_what_its_folder_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut folders: Vec<PathBuf> = fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.sort();
    assert!(folders.len() > 30, "{} cases", folders.len());
    let wrong: Vec<String> = folders
        .iter()
        .flat_map(|folder| differences(folder))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Runs one case; what it gave where that is not what its folder says.
fn differences(folder: &Path) -> Vec<String> {
    let case = Case::open(folder);
    let found = if folder.join("query.aql").exists() {
        case.gate()
    } else if folder.join("question.txt").exists() {
        case.translation()
    } else {
        case.rendered()
    };
    let mut wrong = Vec::new();
    for name in ["expected.json", "error.txt", "table.md", "text.txt"] {
        let path = folder.join(name);
        let found = found
            .iter()
            .find(|(file, _)| *file == name)
            .map(|(_, text)| text.as_str());
        let expected = fs::read_to_string(&path).ok();
        if found == expected.as_deref() {
            continue;
        }
        if std::env::var_os("BLESS").is_some() {
            match found {
                Some(text) => fs::write(&path, text).unwrap(),
                None => fs::remove_file(&path).unwrap(),
            }
        }
        wrong.push(format!(
            "{}: found {found:?}, expected {expected:?}",
            path.display()
        ));
    }
    wrong
}

struct Case {
    folder: PathBuf,
    settings: Settings,
    schema: Schema,
    server: Server,
    model: Model,
}

/// A server that plans, and nothing else.
struct Server {
    answer: Option<String>,
    asked: RefCell<u32>,
}

impl Http for Server {
    fn fetch(&self, request: &HttpRequest) -> Result<HttpResponse, HttpError> {
        assert!(request.path.ends_with("/_api/explain"), "{}", request.path);
        *self.asked.borrow_mut() += 1;
        let body = self.answer.clone().unwrap_or_else(|| "{}".into());
        let status = serde_json::from_str::<Value>(&body)
            .ok()
            .and_then(|body| body["code"].as_u64())
            .unwrap_or(200);
        Ok(HttpResponse {
            status: u16::try_from(status).unwrap(),
            headers: vec![("content-type".into(), "application/json".into())],
            body: body.into_bytes(),
            elapsed_ms: None,
        })
    }
}

/// A model that gives these replies in turn.
struct Model {
    replies: RefCell<Vec<String>>,
}

impl Llm for Model {
    fn complete(&self, _: &LlmRequest) -> Result<Completion, LlmError> {
        let next = self.replies.borrow_mut().pop();
        next.map(|text| Completion {
            text,
            finish: Finish::Stop,
            usage: None,
            elapsed_ms: None,
        })
        .ok_or(LlmError {
            kind: LlmErrorKind::BudgetExceeded,
            code: None,
            message: "the replies are used up".into(),
            retry_after_ms: None,
        })
    }
}

impl Case {
    fn open(folder: &Path) -> Case {
        let file = |name: &str| fs::read_to_string(folder.join(name)).ok();
        let replies = (1..)
            .map_while(|n| file(&format!("replies/{n}.txt")))
            .collect::<Vec<_>>();
        Case {
            folder: folder.to_owned(),
            settings: Settings::parse(&file("settings.json").unwrap_or_else(|| "{}".into()))
                .unwrap(),
            schema: shop(),
            server: Server {
                answer: file("plan.json"),
                asked: RefCell::default(),
            },
            model: Model {
                replies: RefCell::new(replies.into_iter().rev().collect()),
            },
        }
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.folder.join(name))
            .unwrap_or_default()
            .trim()
            .to_owned()
    }

    fn run<T>(&self, run: impl FnOnce(&Outside<'_>, &Client<'_>, Rules<'_>) -> T) -> T {
        let canary = Canary {
            undeclared_reads: Verdict::Refuses,
            writes: Verdict::Refuses,
        };
        let outside = Outside::new(&self.model, &self.server);
        let client = Client::new(&outside, &self.settings);
        let rules = Rules {
            author: querent::gate::Author::Model,
            settings: &self.settings,
            schema: &self.schema,
            canary: &canary,
        };
        run(&outside, &client, rules)
    }

    fn gate(&self) -> Vec<(&'static str, String)> {
        let judged = self.run(|_, client, rules| {
            gate::read(
                client,
                rules,
                &self.text("query.aql"),
                &self.text("bind.json"),
            )
        });
        let asked = *self.server.asked.borrow();
        let may_ask = u32::from(self.server.answer.is_some());
        assert_eq!(
            asked,
            may_ask,
            "{}: requests for a plan",
            self.folder.display()
        );
        match judged.unwrap() {
            Ok(passed) => vec![(
                "expected.json",
                pretty(&json!({
                    "declared": passed.query.collections(),
                    "plan": serde_json::from_str::<Value>(&passed.summary.to_json()).unwrap(),
                    "warnings": passed.warnings.iter().map(|notice| &notice.code).collect::<Vec<_>>(),
                })),
            )],
            Err(refusal) => {
                let after = if refusal.repairable {
                    "repairable"
                } else {
                    "final"
                };
                let text = format!(
                    "{:?}, {after}, {}\n{}\n",
                    refusal.kind, refusal.notice.code, refusal.notice.message
                );
                vec![("error.txt", text)]
            }
        }
    }

    fn translation(mut self) -> Vec<(&'static str, String)> {
        self.server.answer.get_or_insert_with(clean_plan);
        let question = self.text("question.txt");
        let asked = Asked {
            question: &question,
            limit: 10,
            history: &[],
            today: None,
            time_zone: None,
        };
        let (step, attempts, assumptions) = self.run(|outside, client, rules| {
            let mut translator = Translator::new(outside, client, rules, &asked);
            let step = translator.next(None);
            (
                step,
                translator.attempts().to_vec(),
                translator.assumptions().to_vec(),
            )
        });
        let tried: Vec<Value> = attempts
            .iter()
            .map(|attempt| json!({"query": attempt.query, "refusal": attempt.refusal.as_ref().map(|notice| &notice.code)}))
            .collect();
        match step {
            Ok(step) => {
                let (kind, text) = match &step {
                    Step::Query(passed) => ("query", passed.query.text()),
                    Step::Words(text) => ("words", text.as_str()),
                    Step::Clarify(text) => ("clarify", text.as_str()),
                };
                let found = json!({kind: text, "attempts": tried, "assumptions": assumptions});
                vec![("expected.json", pretty(&found))]
            }
            Err(error) => {
                let text = format!(
                    "{:?}, {}, after {} attempts\n{}\n",
                    error.kind,
                    error.code,
                    tried.len(),
                    error.message
                );
                vec![("error.txt", text)]
            }
        }
    }

    fn rendered(&self) -> Vec<(&'static str, String)> {
        let rows: Vec<Box<serde_json::value::RawValue>> =
            serde_json::from_str(&self.text("rows.json")).unwrap();
        let rows = rows.iter().map(|row| row.get()).collect();
        vec![
            ("table.md", render::table(&rows)),
            ("text.txt", render::text(&rows) + "\n"),
        ]
    }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(&sorted(value.clone())).unwrap() + "\n"
}

fn clean_plan() -> String {
    json!({
        "plan": {
            "nodes": [{"type": "SingletonNode"}, {"type": "EnumerateCollectionNode", "collection": "users"}, {"type": "ReturnNode"}],
            "collections": [{"name": "users", "type": "read"}],
            "isModificationQuery": false
        },
        "error": false,
        "code": 200
    })
    .to_string()
}

/// A shop. There are salaries too, which no policy here lets be seen.
fn shop() -> Schema {
    let collection = |name: &str, kind| Collection {
        name: name.into(),
        kind,
        ..Collection::default()
    };
    Schema {
        database: "shop".into(),
        collections: vec![
            collection("bought", CollectionKind::Edge),
            collection("order-lines", CollectionKind::Document),
            collection("orders", CollectionKind::Document),
            collection("users", CollectionKind::Document),
        ],
        views: vec![View {
            name: "shop_view".into(),
            kind: "arangosearch".into(),
            links: vec![ViewLink {
                collection: "orders".into(),
                ..ViewLink::default()
            }],
        }],
        ..Schema::default()
    }
}
