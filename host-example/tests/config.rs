//! `querent.toml` and the environment: what they give, and what is said about what is wrong with them.

mod common;

use std::path::PathBuf;

use common::folder;
use host_example::config::{ArangoConfig, AuthMethod, Config, ConfigError, ModelChoice, Sources};
use host_example::llm::Api;
use host_example::types::http::Method;

const MARKER: &str = "hunter2-marker";

fn written(test: &str, text: &str) -> PathBuf {
    let path = folder(&format!("config-{test}")).join("querent.toml");
    std::fs::write(&path, text).expect("a file");
    path
}

fn load(test: &str, text: &str, variables: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let variables = variables
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Sources::new()
        .file(written(test, text))
        .variables(variables)
        .load()
}

fn error(test: &str, text: &str, variables: &[(&str, &str)]) -> String {
    load(test, text, variables)
        .expect_err("an error")
        .to_string()
}

#[test]
fn without_a_file_the_defaults_hold() {
    let config = Sources::new()
        .file_if_present("/there/is/no/querent.toml")
        .load()
        .unwrap();
    let tenant = &config.tenants["default"];
    assert_eq!(tenant.arango.endpoint, "http://localhost:8529");
    assert_eq!(tenant.arango.database, "_system");
    assert_eq!(tenant.arango.user, "root");
    assert_eq!(tenant.limits.call_timeout_ms, 180_000);
    assert_eq!(tenant.model.name, None);
    assert_eq!(tenant.settings_json(), r#"{"database":"_system"}"#);
}

#[test]
fn a_file_that_is_named_must_be_there() {
    let error = Sources::new()
        .file("/there/is/no/querent.toml")
        .load()
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("`/there/is/no/querent.toml` cannot be read: "),
        "{error}"
    );
}

#[test]
fn the_file_gives_a_database_settings_a_model_limits_and_grants() {
    let text = r#"
        component = "arango.wasm"
        [arango]
        endpoint = "https://db.example:8529"
        database = "shop"
        user = "  "
        ca_file = "ca.pem"
        [settings]
        max_attempts = 3
        db_description = "orders"
        policy = { collections = ["orders"] }
        [model]
        name = "scripted:replies.json"
        [limits]
        model_calls = 7
        [grants]
        database = ["GET /_db/shop/_api/document/*/*"]
    "#;
    let path = written("whole", text);
    let config = Sources::new().file(&path).load().unwrap();
    let tenant = &config.tenants["default"];
    let folder = path.parent().unwrap();
    assert_eq!(config.component, Some(folder.join("arango.wasm")));
    assert_eq!(tenant.arango.user, "root", "a blank user is root");
    assert_eq!(
        tenant.arango.ca_file,
        Some(folder.join("ca.pem")),
        "files are beside the file that names them"
    );
    assert_eq!(
        tenant.model.name,
        Some(ModelChoice::Scripted(folder.join("replies.json")))
    );
    assert_eq!(tenant.limits.model_calls, 7);
    assert_eq!(tenant.limits.http_calls, 10_000);
    assert_eq!(
        tenant
            .grants
            .check(Method::Get, "/_db/shop/_api/document/orders/1"),
        Ok(())
    );
    let settings: serde_json::Value = serde_json::from_str(&tenant.settings_json()).unwrap();
    assert_eq!(settings["max_attempts"], 3);
    assert_eq!(settings["policy"]["collections"][0], "orders");
    assert_eq!(settings["database"], "shop");
}

#[test]
fn the_environment_overrides_the_file() {
    let text = "[arango]\ndatabase = \"shop\"\nuser = \"reader\"\n[limits]\nmodel_calls = 7\n";
    let config = load(
        "environment",
        text,
        &[
            ("QUERENT_USER", "writer"),
            ("QUERENT_PASSWORD", "12345"),
            ("QUERENT_MODEL", "openai:gpt-4.1-mini"),
            ("QUERENT_LIMITS__MODEL_CALLS", "9"),
            ("QUERENT_SETTINGS__ALLOW_EXECUTE", "true"),
            ("QUERENT_TENANTS__ACME__ARANGO__DATABASE", "acme"),
            ("QUERENT_TOKEN", ""),
            ("QUERENT_LOG", "debug"),
            ("QUERENT_EMBEDDED_PASSWORD", "x"),
            ("HOME", "/root"),
        ],
    )
    .unwrap();
    let tenant = &config.tenants["default"];
    assert_eq!(
        (tenant.arango.user.as_str(), tenant.arango.database.as_str()),
        ("writer", "shop")
    );
    assert_eq!(
        tenant.arango.password.as_ref().unwrap().expose(),
        "12345",
        "a password of digits stays text"
    );
    assert!(tenant.arango.token.is_none(), "a blank variable is none");
    assert_eq!(
        tenant.model.name,
        Some(ModelChoice::Provider(
            Api::OpenAi,
            "gpt-4.1-mini".to_owned()
        ))
    );
    assert_eq!(tenant.limits.model_calls, 9);
    assert_eq!(tenant.settings["allow_execute"], true);
    assert_eq!(config.tenants["acme"].arango.database, "acme");
}

#[test]
fn a_providers_own_variables_are_defaults_and_count_for_that_provider_alone() {
    let keys = [
        ("OPENAI_API_KEY", "theirs"),
        ("ANTHROPIC_BASE_URL", "http://127.0.0.1:9/v1/"),
    ];
    let spec = |text: &str, variables: &[(&str, &str)]| {
        let config = load("keys", text, variables).unwrap();
        let tenant = &config.tenants["default"];
        tenant.spec("default").map(|spec| spec.model.name())
    };
    assert_eq!(
        spec("[model]\nname = \"openai:m\"", &keys).unwrap(),
        "openai:m"
    );
    // Another server than Anthropic's own may need no key, and must not be shown OpenAI's.
    assert_eq!(
        spec("[model]\nname = \"anthropic:m\"", &keys).unwrap(),
        "anthropic:m"
    );
    let error = spec("[model]\nname = \"anthropic:m\"", &keys[..1]).unwrap_err();
    assert!(
        error.to_string().contains("`anthropic:m` needs a key"),
        "{error}"
    );
    let config = load("keys", "[model]\napi_key = \"file\"\n", &keys).unwrap();
    let model = &config.tenants["default"].model;
    assert_eq!(model.api_key.as_ref().unwrap().expose(), "file");
    assert!(model.has_key(Api::Anthropic));
}

#[test]
fn a_tenant_inherits_model_and_limits_and_never_a_server_or_a_password() {
    let text = r#"
        [arango]
        endpoint = "https://db.example:8529"
        user = "reader"
        password = "hunter2-marker"
        [settings]
        db_description = "ours"
        [grants]
        database = ["GET /_db/_system/_api/document/*/*"]
        [model]
        name = "openai:m"
        api_key = "key"
        [limits]
        model_calls = 7
        http_calls = 8
        [tenants.acme.arango]
        database = "acme"
        [tenants.acme.limits]
        http_calls = 9
    "#;
    let config = load("tenants", text, &[]).unwrap();
    let acme = &config.tenants["acme"];
    assert_eq!(acme.arango.endpoint, ArangoConfig::default().endpoint);
    assert!(acme.arango.password.is_none());
    assert_eq!(acme.arango.user, "root");
    assert!(acme.settings.is_empty());
    assert!(acme.grants.as_slice().is_empty());
    assert_eq!(
        acme.model.name,
        Some(ModelChoice::Provider(Api::OpenAi, "m".to_owned()))
    );
    assert_eq!((acme.limits.model_calls, acme.limits.http_calls), (7, 9));
}

#[test]
fn errors_name_the_key_its_place_and_the_nearest_known_name() {
    for (test, text, told) in [
        (
            "e1",
            "[arango]\npasswrod = \"x\"",
            "unknown key `arango.passwrod` in `querent.toml`; did you mean `password`?",
        ),
        (
            "e2",
            "[argano]\nuser = \"x\"",
            "unknown key `argano` in `querent.toml`; did you mean `arango`?",
        ),
        (
            "e3",
            "colour = 3",
            "unknown key `colour` in `querent.toml`; known are `arango`, `settings`, `model`, `limits`, `grants`, `component`, `tenants`",
        ),
        (
            "e4",
            "[limits]\nmodel_calls = \"many\"",
            "`limits.model_calls` in `querent.toml` is not valid: found string \"many\", expected u32",
        ),
        (
            "e5",
            "[limits]\nmodel_calls = -1",
            "`limits.model_calls` in `querent.toml` is not valid: found signed int `-1`, expected u32",
        ),
        (
            "e6",
            "[arango]\nauth_method = \"basic\"",
            "`arango.auth_method` in `querent.toml` is not valid: found `basic`, allowed are `userpass` and `token`",
        ),
        (
            "e7",
            "[model]\nname = \"gpt-4\"",
            "`model.name` in `querent.toml` is not valid: `gpt-4` names no model: write `openai:NAME`, `anthropic:NAME`, `scripted:FILE` or `exchange:DIR`",
        ),
        (
            "e8",
            "limits = 3",
            "`limits` in `querent.toml` is not valid: expected a table",
        ),
        (
            "e9",
            "[settings]\ndatabase = \"x\"",
            "`settings.database` is not a key of its own: say it once, as `arango.database`",
        ),
        (
            "e10",
            "[tenants.default.arango]\nuser = \"x\"",
            "`tenants.default` is not a key: the top of the file is the tenant `default`",
        ),
        (
            "e11",
            "[tenants.acme.arango]\nusr = \"x\"",
            "unknown key `tenants.acme.arango.usr` in `querent.toml`; did you mean `user`?",
        ),
        (
            "e12",
            "[tenants.acme.limitz]\nx = 1",
            "unknown key `tenants.acme.limitz` in `querent.toml`; did you mean `limits`?",
        ),
        (
            "e13",
            "[grants]\ndatabase = [\"GET /_api/curs*\"]",
            "`grants.database` is not valid: `GET /_api/curs*` is no grant: `*` stands for one whole segment or one whole value",
        ),
        (
            "e14",
            "[grants]\nserver = []",
            "unknown key `grants.server` in `querent.toml`; known are `database`",
        ),
    ] {
        assert_eq!(error(test, text, &[]), told);
    }
}

#[test]
fn an_unknown_variable_is_an_error_too() {
    assert_eq!(
        error("v1", "", &[("QUERENT_PASSWROD", MARKER)]),
        "unknown environment variable `QUERENT_PASSWROD`; did you mean `QUERENT_PASSWORD`?"
    );
    assert_eq!(
        error("v2", "", &[("QUERENT_LIMITS__MODEL_CALS", "3")]),
        "unknown key `limits.model_cals` in the environment variable `QUERENT_LIMITS__MODEL_CALS`; did you mean `model_calls`?"
    );
    assert_eq!(
        error("v3", "", &[("QUERENT_LIMITS__MODEL_CALLS", "many")]),
        "`limits.model_calls` in the environment variable `QUERENT_LIMITS__MODEL_CALLS` is not valid: found string \"many\", expected u32"
    );
}

#[test]
fn no_message_and_no_debug_shows_a_secret() {
    let wrong = format!("[arango]\npassword = [\"{MARKER}\"]");
    assert_eq!(
        error("s1", &wrong, &[]),
        "`arango.password` in `querent.toml` is not valid: expected a string"
    );
    let unterminated = format!("[arango]\npassword = \"{MARKER}\nuser = 3");
    let told = error("s2", &unterminated, &[]);
    assert!(told.contains("line 2") && !told.contains(MARKER), "{told}");
    let number = "[arango]\npassword = 20251130";
    assert_eq!(
        error("s3", number, &[]),
        "`arango.password` in `querent.toml` is not valid: expected a string"
    );

    let text = format!(
        "[arango]\npassword = \"{MARKER}\"\ntoken = \"{MARKER}\"\n[model]\napi_key = \"{MARKER}\""
    );
    let config = load("s4", &text, &[]).unwrap();
    let shown = format!("{config:?} {config:#?}");
    assert!(
        !shown.contains(MARKER) && shown.contains("[secret]"),
        "{shown}"
    );
    let spec = config.tenants["default"].spec("default").unwrap();
    assert!(!spec.settings.contains(MARKER));
}

#[test]
fn a_secret_is_read_from_its_file_without_the_line_end() {
    let folder = folder("config-secret-file");
    std::fs::write(folder.join("password"), " with spaces \r\n").unwrap();
    let path = folder.join("querent.toml");
    std::fs::write(&path, "[arango]\npassword_file = \"password\"\n").unwrap();
    let config = Sources::new().file(&path).load().unwrap();
    assert!(config.tenants["default"].spec("default").is_ok());
    std::fs::remove_file(folder.join("password")).unwrap();
    let error = config.tenants["default"]
        .spec("default")
        .map(|_| ())
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("tenant `default`: `") && error.contains("password` cannot be read: "),
        "{error}"
    );
}

#[test]
fn what_cannot_be_bound_is_named_with_its_tenant() {
    for (test, text, told) in [
        (
            "b1",
            "[arango]\nauth_method = \"token\"",
            "tenant `default`: `auth_method` is `token`, and there is no token: set `QUERENT_TOKEN`, or `token_file` in `[arango]`",
        ),
        (
            "b2",
            "[arango]\nendpoint = \"localhost:8529\"",
            "tenant `default`: `localhost:8529` is no URL: the scheme is not `http` or `https`; write `http://host:8529` or `https://host:8529`",
        ),
        (
            "b3",
            "[arango]\nendpoint = \"http://root:hunter2-marker@db:8529\"",
            "tenant `default`: `http://db:8529/` has a user in it: an endpoint is scheme, host and port; give `user` and a password of their own",
        ),
        (
            "b4",
            "[arango]\nendpoint = \"http://169.254.169.254\"",
            "tenant `default`: the address `169.254.169.254` is refused: it is the metadata service of a cloud",
        ),
        (
            "b5",
            "[arango]\ndatabase = \"a/b\"",
            "tenant `default`: the database's name cannot stand in a path: `POST /_db/a%2Fb/_api/explain` can never be allowed: \
             `a%2Fb` hides a separator, a dot or a control character behind percent signs",
        ),
        (
            "b6",
            "[model]\nname = \"openai:gpt-4.1-mini\"",
            "tenant `default`: the model `openai:gpt-4.1-mini` needs a key: set `QUERENT_API_KEY` (or `OPENAI_API_KEY`, `ANTHROPIC_API_KEY`), or `api_key_file` in `[model]`",
        ),
    ] {
        let config = load(test, text, &[]).unwrap();
        let error = config.tenants["default"]
            .spec("default")
            .map(|_| ())
            .unwrap_err();
        assert_eq!(error.to_string(), told);
    }
    let config = load(
        "b7",
        "[arango]\nauth_method = \"token\"\ntoken = \"t\"",
        &[],
    )
    .unwrap();
    assert_eq!(
        config.tenants["default"].arango.auth_method,
        AuthMethod::Token
    );
    assert!(config.tenants["default"].spec("default").is_ok());
}

#[test]
fn what_cargo_adds_to_the_environment_is_no_configuration() {
    // `cargo run` and `cargo test` hand on what build scripts set.
    let added = std::env::vars().filter(|(name, _)| {
        name.contains("COMPONENT") || name.starts_with("CARGO") || name.starts_with("HOST_EXAMPLE")
    });
    let variables: Vec<(String, String)> = added.collect();
    assert!(!variables.is_empty(), "the test runs under cargo");
    Sources::new().variables(variables).load().unwrap();
}

#[test]
fn a_limit_with_which_no_call_could_succeed_is_refused_by_its_name() {
    for (text, key) in [
        ("[limits]\ncall_timeout_ms = 0\n", "limits.call_timeout_ms"),
        ("[limits]\nmemory_bytes = 1000\n", "limits.memory_bytes"),
        (
            "[tenants.acme.limits]\nconcurrent_calls = 0\n",
            "tenants.acme.limits.concurrent_calls",
        ),
    ] {
        let said = error("too-small", text, &[]);
        assert!(
            said.starts_with(&format!("`{key}` is not valid: with less than ")),
            "{said}"
        );
    }
}
