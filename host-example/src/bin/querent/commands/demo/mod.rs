//! `querent demo`: questions answered from demo data, on a machine that has neither a database nor a model.
//!
//! The embedded server, the component and the host are the real ones; only the model's replies come from a script, unless the
//! configuration or the environment names a model.

use std::sync::Arc;
use std::time::{Duration, Instant};

use embedded_arango::Running;
use embedded_arango::data::DataSet;
use host_example::config::{ArangoConfig, ModelChoice, TenantConfig};
use host_example::llm::{Api, Model, Scripted};
use host_example::types::{Answer, QuestionRequest};
use host_example::{CallError, Host, Plugin, Secret};

use super::embedded::{self, DEMO_DATABASE};
use crate::cli::Global;
use crate::failure::Failure;
use crate::output::{self, record};
use crate::session;

/// The questions, and what a model may answer to them.
const SCRIPT: &str = include_str!("script.json");

/// What is asked where nothing else is. The third is answered wrongly at first, and the fifth is about something else.
const QUESTIONS: [&str; 5] = [
    "Which five books have sold the most copies?",
    "Which branches are open on Sundays, and how many orders did each take?",
    "What did the shop earn in each month of 2025?",
    "Which books are recommended most often, and who wrote them?",
    "What will the weather be like tomorrow?",
];

/// A model for those who have a key and have not named one.
const DEFAULT_MODEL: &str = "gpt-4.1-mini";

/// The demo data in an embedded server, and a plugin that asks it.
pub(super) struct Stage {
    /// The server.
    pub(super) server: Running,
    /// The host.
    host: Host,
    /// The plugin of the tenant that was asked for.
    pub(super) plugin: Plugin,
    /// Whether the replies that come with the demo play the model.
    pub(super) scripted: bool,
}

impl Stage {
    /// Starts the server and the host.
    pub(super) async fn set(global: &Global) -> Result<Self, Failure> {
        let mut config = session::config(global)?;
        // Compiling takes longest, so it begins first, and the server starts beside it.
        let loading = tokio::task::spawn_blocking({
            let config = config.clone();
            move || config.load_component()
        });
        let data = DataSet::demo();
        let server = embedded::start("127.0.0.1:0", "", DEMO_DATABASE, data).await?;
        let tenant = config.tenants.entry(global.tenant.clone()).or_default();
        let scripted = use_demo_data(tenant, server.url());
        let mut spec = tenant.spec(&global.tenant)?;
        if scripted {
            spec.model = script()?;
        }
        let loaded = loading.await??;
        let host = Host::builder()
            .component(loaded)
            .tenant(&global.tenant, spec)
            .build()?;
        let plugin = host.plugin(&global.tenant)?;
        Ok(Self {
            server,
            host,
            plugin,
            scripted,
        })
    }
}

/// Runs the demo.
pub(crate) async fn run(
    global: &Global,
    question: Option<String>,
    json: bool,
) -> Result<(), Failure> {
    let Stage {
        server,
        host,
        plugin,
        scripted,
    } = Stage::set(global).await?;
    if !json {
        let model = plugin.model();
        let from = if scripted {
            "the replies that come with this demo; set QUERENT_MODEL or OPENAI_API_KEY for a real one"
        } else {
            &model
        };
        let (url, audit) = (server.url(), host.audit());
        output::print(&format!(
            "A bookshop in an embedded server, {url}, database `{DEMO_DATABASE}`\n\
             {audit}\ncomponent: {} bytes, {}\nmodel: {from}\n",
            audit.bytes, audit.digest
        ))?;
    }
    let asked: Vec<String> =
        question.map_or_else(|| QUESTIONS.map(str::to_owned).to_vec(), |own| vec![own]);
    let outcome = ask_all(&plugin, &asked, json).await;
    if scripted && outcome.is_err() {
        eprintln!(
            "querent: the replies that come with the demo know its own questions only; for others name a model: \
             `--model openai:NAME` with QUERENT_API_KEY, `--model scripted:FILE`, or `--model exchange:DIR`"
        );
    }
    server.shutdown().await?;
    outcome
}

/// Puts the demo's database in the place of the configured one. Whether the script answers: no model is configured.
fn use_demo_data(tenant: &mut TenantConfig, url: String) -> bool {
    tenant.arango = ArangoConfig {
        endpoint: url,
        database: DEMO_DATABASE.to_owned(),
        password: Some(Secret::default()),
        ..ArangoConfig::default()
    };
    tenant.grants = Default::default();
    tenant.settings = Default::default();
    let description = "An invented bookshop: books, authors, customers, branches and three years of orders. Money is in euros.";
    tenant
        .settings
        .insert("db_description".to_owned(), description.into());
    if tenant.model.name.is_none() && tenant.model.has_key(Api::OpenAi) {
        // The data is invented, so that nothing of anyone's leaves the machine unasked.
        tenant.model.name = Some(ModelChoice::Provider(Api::OpenAi, DEFAULT_MODEL.to_owned()));
    }
    tenant.model.name.is_none()
}

fn script() -> Result<Arc<dyn Model>, Failure> {
    let scripted = Scripted::from_json("scripted:demo", SCRIPT).map_err(Failure::Embedded)?;
    Ok(Arc::new(scripted))
}

/// Asks each question, shows what came of it, and fails with the first failure.
async fn ask_all(plugin: &Plugin, questions: &[String], json: bool) -> Result<(), Failure> {
    let mut first_failure = None;
    for (at, question) in questions.iter().enumerate() {
        let started = Instant::now();
        let outcome = plugin
            .question(QuestionRequest::from(question.as_str()))
            .await;
        let elapsed = started.elapsed();
        let text = if json {
            as_json(question, &plugin.model(), &outcome, elapsed)?
        } else {
            as_text(at + 1, question, &outcome, elapsed)
        };
        output::print(&text)?;
        if let Err(error) = outcome {
            first_failure.get_or_insert(error);
        }
    }
    first_failure.map_or(Ok(()), |error| Err(error.into()))
}

/// The record, with question, model and time in front.
fn as_json(
    question: &str,
    model: &str,
    outcome: &Result<Answer, CallError>,
    elapsed: Duration,
) -> Result<String, Failure> {
    let record = match outcome {
        Ok(answer) => record::answer(answer)?,
        Err(error) => record::error(error),
    };
    let rest = record.strip_prefix('{').unwrap_or(&record);
    let (question, model) = (
        serde_json::to_string(question)?,
        serde_json::to_string(model)?,
    );
    let elapsed = elapsed.as_millis();
    Ok(format!(
        "{{\"question\":{question},\"model\":{model},\"elapsed_ms\":{elapsed},{rest}\n"
    ))
}

fn as_text(
    number: usize,
    question: &str,
    outcome: &Result<Answer, CallError>,
    elapsed: Duration,
) -> String {
    let mut text = format!("\n{number}. {question}\n");
    let (query, attempts, shown) = match outcome {
        Ok(answer) => {
            let shown = if answer.table.is_empty() {
                &answer.text
            } else {
                &answer.table
            };
            (answer.query.as_deref(), &answer.attempts, shown.as_str())
        }
        Err(error) => (None, &error.record().attempts, error.message()),
    };
    for attempt in attempts {
        if let Some(refusal) = &attempt.refusal {
            text += &format!(
                "   refused: {}\n   because: {}\n",
                indented(&attempt.query),
                refusal.message
            );
        }
    }
    if let Some(query) = query {
        text += &format!("   AQL: {}\n", indented(query));
    }
    text += &format!(
        "   attempts: {}, time: {} ms\n\n",
        attempts.len().max(1),
        elapsed.as_millis()
    );
    text + shown.trim_end() + "\n"
}

/// A query of several lines, below its label.
fn indented(query: &str) -> String {
    query.trim().replace('\n', "\n        ")
}
