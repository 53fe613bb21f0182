//! What a model costs: of each answer, and of all that a tenant has asked.

mod common;

use std::io::Write as _;
use std::process::Stdio;
use std::sync::Arc;

use common::command::{command, outcome, querent};
use common::{Setup, StubModel, StubServer, folder, text};
use embedded_arango::EmbeddedArango;
use embedded_arango::data::DataSet;
use host_example::config::{Config, ConfigError, Sources};
use host_example::llm::{Priced, Prices};
use host_example::{Limits, Spent};
use serde_json::json;

const PRICES: Prices = Prices {
    input: 2.5,
    output: 10.0,
};

#[tokio::test]
async fn a_tenants_total_grows_with_each_request_and_is_priced() {
    let mut setup = Setup::new(StubServer::saying("{}"), Limits::default());
    let stub = StubModel {
        text: "yes".to_owned(),
        tokens: Some(1_000),
    };
    setup.model = Arc::new(Priced::new(Arc::new(stub), PRICES));
    let plugin = setup.plugin();
    assert_eq!(plugin.model(), "stub");
    assert_eq!(plugin.spent(), Spent::new(0, 0, 0, Some(PRICES)));
    for _ in 0..2 {
        text(&plugin, "complete 2").await;
    }
    assert_eq!(plugin.spent(), Spent::new(4, 4_000, 0, Some(PRICES)));
    assert_eq!(plugin.spent().cost, Some(0.01));
}

#[tokio::test]
async fn a_model_without_prices_has_tokens_and_no_cost() {
    let setup = Setup::new(StubServer::saying("{}"), Limits::default());
    let plugin = setup.plugin();
    text(&plugin, "complete 1").await;
    assert_eq!(plugin.spent(), Spent::new(1, 10, 0, None));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_shows_tokens_and_cost_and_a_conversation_their_sum() {
    let folder = folder("spending-answers");
    let server = EmbeddedArango::builder()
        .listen("127.0.0.1:0")
        .data(DataSet::demo().fill("bookshop"))
        .start()
        .await
        .unwrap();
    let script = json!([{
        "when": {"contains": ["how many"]},
        "replies": [{"isValid": true, "query": "RETURN LENGTH(books)"}],
        "usage": {"input_tokens": 1_000, "output_tokens": 100},
    }, {
        "when": {"contains": ["broken"]},
        "replies": ["RETURN"],
        "usage": {"input_tokens": 20, "output_tokens": 1},
    }]);
    std::fs::write(folder.join("script.json"), script.to_string()).unwrap();
    let config = format!(
        "[arango]\nendpoint = \"{}\"\ndatabase = \"bookshop\"\n[model]\nname = \"scripted:script.json\"\nprices = {{ input = 2.5, output = 10 }}\n",
        server.url()
    );
    std::fs::write(folder.join("querent.toml"), config).unwrap();

    let (code, out, err) = outcome(&querent(
        &folder,
        &["ask", "How many books?", "--jsonl"],
        &[],
    ));
    assert_eq!((code, out.as_str()), (0, "150\n"), "{err}");
    let line = "1 model request, 1000 tokens in, 100 out, cost 0.0035\n";
    assert!(err.ends_with(line), "{err}");
    let (code, _, err) = outcome(&querent(&folder, &["aql", "How many books?"], &[]));
    assert_eq!(code, 0);
    assert!(err.ends_with(line), "{err}");
    // What failed has its price, too.
    let (code, _, err) = outcome(&querent(&folder, &["ask", "A broken one?"], &[]));
    assert_eq!(code, 10);
    assert!(
        err.contains("5 model requests, 100 tokens in, 5 out, cost 0.00030\n"),
        "{err}"
    );

    let mut child = command(&folder, &["chat"], &[])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input
        .write_all(b"How many books?\nHow many are they?\n")
        .unwrap();
    drop(input);
    let (code, _, err) = outcome(&child.wait_with_output().unwrap());
    assert_eq!(code, 0, "{err}");
    assert!(
        err.ends_with("in all: 2 model requests, 2000 tokens in, 200 out, cost 0.0070\n"),
        "{err}"
    );
    server.shutdown().await.unwrap();
}

fn load(name: &str, text: &str, variables: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let path = folder(&format!("spending-{name}")).join("querent.toml");
    std::fs::write(&path, text).unwrap();
    let variables = variables
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Sources::new().file(path).variables(variables).load()
}

#[test]
fn prices_are_those_of_the_model_beside_them() {
    let text = r#"
        [model]
        name = "openai:small"
        prices = { input = 2.5, output = 10 }
        [tenants.same.arango]
        database = "same"
        [tenants.other.model]
        name = "openai:large"
        [tenants.own.model]
        name = "openai:large"
        prices = { input = 5, output = 20 }
    "#;
    let config = load("inherited", text, &[]).unwrap();
    let prices = |config: &Config, tenant: &str| config.tenants[tenant].model.prices;
    assert_eq!(prices(&config, "default"), Some(PRICES));
    assert_eq!(prices(&config, "same"), Some(PRICES));
    assert_eq!(
        prices(&config, "other"),
        None,
        "another model, of unknown price"
    );
    let own = prices(&config, "own").unwrap();
    assert_eq!((own.input, own.output), (5.0, 20.0));

    let config = load("replaced", text, &[("QUERENT_MODEL", "anthropic:small")]).unwrap();
    assert_eq!(prices(&config, "default"), None);
    let unnamed = "[model]\nprices = { input = 2.5, output = 10 }\n";
    let config = load("unnamed", unnamed, &[("QUERENT_MODEL", "openai:small")]).unwrap();
    assert_eq!(prices(&config, "default"), Some(PRICES));
    let variables = [
        ("QUERENT_MODEL", "openai:large"),
        ("QUERENT_MODEL__PRICES__INPUT", "2.5"),
        ("QUERENT_MODEL__PRICES__OUTPUT", "10"),
    ];
    let config = load(
        "variables",
        "[model]\nname = \"openai:small\"\n",
        &variables,
    )
    .unwrap();
    assert_eq!(prices(&config, "default"), Some(PRICES));
}

#[test]
fn prices_that_are_none_are_refused_with_their_place() {
    for (name, prices, reason) in [
        (
            "negative",
            "{ input = -1, output = 1 }",
            "a price is a number from 0 on",
        ),
        ("half", "{ input = 1 }", "missing field `output`"),
        (
            "unknown",
            "{ input = 1, output = 1, cached = 1 }",
            "known are `input`, `output`",
        ),
    ] {
        let error = load(name, &format!("[model]\nprices = {prices}\n"), &[])
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("`model.prices") && error.contains(reason),
            "{error}"
        );
    }
}
