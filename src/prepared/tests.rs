//! `configure`, and what it hands on.

use serde_json::{Value, json};

use super::{Prepared, configure};
use crate::arango::canary::{Canary, Verdict};
use crate::arango::tests::fake::{Fake, Fault, error};
use crate::ask::{Configured, Error, ErrorKind, Result};
use crate::ports::{HttpErrorKind, Method};
use crate::schema::{Collection, CollectionKind, Field, Schema, Step, Type};
use crate::settings::Settings;

const SETTINGS: &str = r#"{"database": "shop"}"#;

fn configured(
    fake: &Fake,
    settings: &str,
    prepared: Option<&str>,
) -> Result<(Configured, Prepared)> {
    let outside = fake.outside();
    let outcome = configure(&outside, settings, prepared.map(String::from));
    fake.assert_nothing_open();
    outcome.map(|(configured, _, prepared)| (configured, prepared))
}

fn server() -> Fake {
    let mut fake = Fake::new();
    fake.collection(
        "customers",
        40,
        json!([
            ["string", "name", false, null],
            ["object", "address", false, null],
            ["string", "address", false, "city"]
        ]),
    );
    fake.collection("bought", 80, json!([["string", "_from", false, null]]))
        .edge = true;
    fake.graphs = json!([{"_key": "sales", "name": "sales", "orphanCollections": [],
        "edgeDefinitions": [{"collection": "bought", "from": ["customers"], "to": ["orders"]}]}]);
    fake.views.insert(
        "search".into(),
        json!({"type": "arangosearch", "links": {"orders": {"analyzers": ["identity"], "fields": {"title": {"analyzers": ["text_en"]}}}}}),
    );
    fake
}

#[test]
fn configure_asks_in_this_order() {
    let fake = server();
    let (configured, prepared) = configured(&fake, SETTINGS, None).expect("configured");
    assert_eq!(
        fake.lines(),
        [
            "POST /_db/shop/_api/cursor",
            "GET /_db/shop/_api/version",
            "GET /_db/shop/_api/collection?excludeSystem=true",
            "GET /_db/shop/_api/view",
            "GET /_db/shop/_api/view/search/properties",
            "GET /_db/shop/_api/gharial",
            "POST /_db/shop/_api/cursor",
            "GET /_db/shop/_api/index?collection=bought",
            "GET /_db/shop/_api/index?collection=customers",
            "GET /_db/shop/_api/index?collection=orders",
            "POST /_db/shop/_api/transaction/begin",
            "POST /_db/shop/_api/cursor",
            "POST /_db/shop/_api/cursor",
            "POST /_db/shop/_api/cursor",
            "DELETE /_db/shop/_api/transaction/70003",
        ]
    );
    assert_eq!(fake.seen()[0].body["query"], "RETURN 1");
    assert_eq!(configured.usage.http_calls, 15);
    assert!(configured.warnings.is_empty(), "{:?}", configured.warnings);
    assert_eq!(prepared.schema.collections.len(), 3);
    assert_eq!(
        serde_json::from_str::<Value>(&configured.summary).expect("json"),
        json!({
            "server": "ArangoDB", "version": "3.12.10", "license": "enterprise", "database": "shop",
            "collections": 3, "edge_collections": 1, "documents": 123, "graphs": 1, "views": 1,
            "read_only_transaction": {"writes": "refuses", "undeclared_reads": "refuses"}
        })
    );
}

#[test]
fn the_next_instance_knows_the_same_and_asks_nothing() {
    let fake = server();
    let (first, known) = configured(&fake, SETTINGS, None).expect("configured");
    let silent = Fake::new();
    let (second, known_too) =
        configured(&silent, r#"{"database": " shop"}"#, Some(&first.prepared)).expect("configured");
    assert!(silent.seen().is_empty());
    assert_eq!(known_too, known);
    assert_eq!(second.prepared, first.prepared);
    assert_eq!(second.summary, first.summary);
    assert_eq!(second.warnings, first.warnings);
    assert_eq!(second.usage, crate::ask::Usage::default());
}

#[test]
fn warnings_are_kept_for_the_next_instance() {
    let mut fake = server();
    fake.hide_version = true;
    fake.no_barrier = true;
    fake.collection("secret", 1, json!([])).fails = Some((403, 11));
    let (first, _) = configured(&fake, SETTINGS, None).expect("configured");
    let codes: Vec<&str> = first
        .warnings
        .iter()
        .map(|notice| notice.code.as_str())
        .collect();
    assert_eq!(
        codes,
        [
            "version-hidden",
            "collection-unreadable",
            "canary-writes",
            "canary-reads"
        ]
    );
    let (second, _) =
        configured(&Fake::new(), SETTINGS, Some(&first.prepared)).expect("configured");
    assert_eq!(second.warnings, first.warnings);
}

#[test]
fn an_empty_database_is_configured_with_a_warning_about_the_canary() {
    let mut fake = Fake::new();
    fake.collections.clear();
    let (found, prepared) = configured(&fake, SETTINGS, None).expect("configured");
    assert!(prepared.schema.collections.is_empty());
    assert!(matches!(prepared.canary.writes, Verdict::Unknown(_)));
    assert_eq!(found.warnings.len(), 2);
    assert_eq!(
        found.warnings[0].message,
        "whether the server refuses writes in a read-only transaction is not known: there is no collection to try it on"
    );
    assert_eq!(fake.seen().len(), 5);
}

#[test]
fn the_system_database_is_configured_with_a_warning() {
    let mut fake = Fake::new();
    fake.fault_at = Some(("/_db/_system/", Fault::Broken(HttpErrorKind::Connect)));
    let error = configured(&fake, "{}", None).expect_err("no server");
    assert_eq!(error.kind, ErrorKind::DatabaseUnreachable);
    let settings = Settings::parse("{}").expect("valid");
    assert_eq!(settings.warnings[0].code, "database-system");
    assert!(fake.lines()[0].starts_with("POST /_db/_system/"));
}

fn probe_fails_with(fault: Fault) -> Box<Error> {
    let mut fake = server();
    fake.fault = Some((0, fault));
    let error = configured(&fake, SETTINGS, None).expect_err("refused");
    assert_eq!(fake.seen().len(), 1, "nothing is asked after the probe");
    assert_eq!(error.usage.http_calls, 1);
    error
}

#[test]
fn what_is_wrong_with_the_connection_shows_at_configure_with_its_kind() {
    let body = |status, number, message: &str| {
        let text = error(status, number, message).1.to_string();
        Fault::Body(status, "application/json", Box::leak(text.into_boxed_str()))
    };
    for (fault, kind, code, message) in [
        (
            body(404, 1228, "database not found"),
            ErrorKind::Configuration,
            "arango-1228",
            "the database answered: database not found (error 1228); check the database's name in the configuration",
        ),
        (
            body(401, 11, "not authorized to execute this request"),
            ErrorKind::DatabaseUnauthorized,
            "arango-11",
            "the database answered: not authorized to execute this request (error 11); check user and password or token in the host's configuration",
        ),
        (
            body(403, 11, "forbidden"),
            ErrorKind::DatabaseUnauthorized,
            "arango-11",
            "the database answered: forbidden (error 11); grant the database user read access, or leave it out",
        ),
        (
            body(503, 30, "shutdown in progress"),
            ErrorKind::DatabaseUnreachable,
            "arango-30",
            "the database answered: shutdown in progress (error 30)",
        ),
        (
            Fault::Broken(HttpErrorKind::Connect),
            ErrorKind::DatabaseUnreachable,
            "http-connect",
            "the database did not answer: the exchange broke",
        ),
        (
            Fault::Broken(HttpErrorKind::Timeout),
            ErrorKind::Timeout,
            "http-timeout",
            "the database did not answer: the exchange broke",
        ),
        (
            Fault::Body(201, "application/json", r#"{"result":[2],"hasMore":false}"#),
            ErrorKind::DatabaseUnreachable,
            "not-arangodb",
            "the answer to `RETURN 1` is not 1; check the address in the host's configuration, and what stands between",
        ),
    ] {
        let error = probe_fails_with(fault);
        assert_eq!((error.kind, error.code.as_str()), (kind, code));
        assert_eq!(error.message, message);
    }
    let mut fake = server();
    fake.fault = None;
    let error = configured(&fake, r#"{"database": "shop2"}"#, None).expect_err("no such database");
    assert_eq!(error.kind, ErrorKind::Configuration);
}

#[test]
fn a_failure_at_any_request_is_an_error_of_a_sensible_kind_or_a_warning_of_what_is_missing() {
    let whole = server();
    configured(&whole, SETTINGS, None).expect("configured");
    let flow = whole.seen();
    let mut faults = crate::arango::tests::faults();
    // An error of the server's own, about what was asked for.
    faults.push((
        Fault::Body(
            403,
            "application/json",
            r#"{"code":403,"error":true,"errorMessage":"forbidden","errorNum":11}"#,
        ),
        &[ErrorKind::DatabaseUnauthorized],
    ));
    for (at, request) in flow.iter().enumerate() {
        for (fault, kinds) in &faults {
            let mut broken = server();
            broken.fault = Some((at, fault.clone()));
            let outcome = configured(&broken, SETTINGS, None);
            let what = format!("{:?} {} with {fault:?}", request.method, request.path);
            match outcome {
                Err(error) => {
                    assert!(kinds.contains(&error.kind), "{what}: {error:?}");
                    assert!(error.usage.http_calls > 0, "{what}");
                    assert!(error.message.len() < 1_000);
                }
                Ok((found, _)) => {
                    let release = request.method == Method::Delete;
                    // The canary asks whether something is refused; that is a verdict and no failure.
                    let canary = at >= 10;
                    // One request halved: the answer was too large, or one collection failed it.
                    let halved = request.text.contains("LENGTH(")
                        && matches!(
                            fault,
                            Fault::Broken(HttpErrorKind::ResponseTooLarge)
                                | Fault::Status(403 | 500, _)
                                | Fault::Body(403, ..)
                        );
                    assert!(
                        release || halved || canary || !found.warnings.is_empty(),
                        "{what}: configured in silence"
                    );
                    if !release && !halved && !canary {
                        let forbidden =
                            matches!(fault, Fault::Status(403, _) | Fault::Body(403, ..));
                        assert!(forbidden, "{what}: only a missing permission degrades");
                    }
                }
            }
        }
    }
}

#[test]
fn what_does_not_fit_is_stale_and_nothing_is_asked() {
    let (first, _) = configured(&server(), SETTINGS, None).expect("configured");
    let with = |name: &str, value: Value| {
        let mut document: Value = serde_json::from_str(&first.prepared).expect("json");
        document[name] = value;
        document.to_string()
    };
    let reversed = {
        let mut document: Value = serde_json::from_str(&first.prepared).expect("json");
        document["collections"]
            .as_array_mut()
            .expect("a list")
            .reverse();
        document.to_string()
    };
    let again = |why: &str| {
        format!("`prepared` does not fit: {why}; configure without it, and keep what that returns")
    };
    let cases = [
        (
            SETTINGS,
            with("querent", json!(2)),
            "it has the form 2, and this component reads 1",
        ),
        (
            SETTINGS,
            r#"{"querent": 7, "everything": "else"}"#.into(),
            "it has the form 7, and this component reads 1",
        ),
        (
            SETTINGS,
            with("digest", json!("0")),
            "it belongs to other settings",
        ),
        (
            r#"{"database": "shop", "max_attempts": 4}"#,
            first.prepared.clone(),
            "it belongs to other settings",
        ),
        (
            r#"{"database": "other"}"#,
            first.prepared.clone(),
            "it belongs to other settings",
        ),
        (
            SETTINGS,
            reversed,
            "it was changed after `configure` returned it",
        ),
        (
            SETTINGS,
            with("collections", json!([{"n": "_users", "k": "d"}])),
            "it was changed after `configure` returned it",
        ),
        (
            SETTINGS,
            String::new(),
            "it is not what `configure` returned (line 1 column 1)",
        ),
        (
            SETTINGS,
            "[]".into(),
            "it is not what `configure` returned (line 1 column 2)",
        ),
        (
            SETTINGS,
            first.prepared[..first.prepared.len() / 2].into(),
            &format!(
                "it is not what `configure` returned (line 1 column {})",
                first.prepared.len() / 2 + 1
            ),
        ),
    ];
    for (settings, prepared, why) in cases {
        let fake = server();
        let error = configured(&fake, settings, Some(&prepared)).expect_err(why);
        assert_eq!(error.kind, ErrorKind::Configuration);
        assert_eq!(error.code, "stale-prepared");
        assert_eq!(error.message, again(why));
        assert!(fake.seen().is_empty());
    }
}

#[test]
fn invalid_settings_are_told_before_anything_is_asked() {
    let fake = server();
    let error = configured(&fake, r#"{"max_attempts": 0}"#, None).expect_err("invalid");
    assert_eq!(error.code, "settings-range");
    assert!(fake.seen().is_empty());
}

#[test]
fn every_verdict_is_kept() {
    let settings = Settings::parse(SETTINGS).expect("valid");
    for verdict in [
        Verdict::Refuses,
        Verdict::DoesNotRefuse,
        Verdict::Unknown("a reason".into()),
    ] {
        let prepared = Prepared {
            schema: Schema {
                database: "shop".into(),
                ..Schema::default()
            },
            version: crate::arango::version::Version::default(),
            canary: Canary {
                undeclared_reads: verdict.clone(),
                writes: Verdict::Refuses,
            },
        };
        let kept = prepared.to_json(&settings);
        assert_eq!(
            Prepared::from_json(&kept, &settings).expect("fits"),
            prepared
        );
    }
}

#[test]
fn five_hundred_collections_are_kept_in_less_than_half_a_megabyte() {
    let settings = Settings::parse(SETTINGS).expect("valid");
    let collections = (0..500)
        .map(|number| Collection {
            name: format!("collection_{number:03}").into(),
            kind: CollectionKind::Document,
            count: Some(123_456),
            fields: (0..20)
                .map(|at| Field {
                    path: [Step::Name(format!("attribute_{at:02}").into())].into(),
                    types: [Type::String].into_iter().collect(),
                })
                .collect(),
            fields_cut: false,
            indexes: Some(Vec::new()),
        })
        .collect();
    let prepared = Prepared {
        schema: Schema {
            database: "shop".into(),
            collections,
            ..Schema::default()
        },
        version: crate::arango::version::Version::default(),
        canary: Canary::unknown("not tried"),
    };
    let kept = prepared.to_json(&settings);
    assert!(kept.len() < 256 * 1024, "{} bytes", kept.len());
    assert_eq!(
        Prepared::from_json(&kept, &settings).expect("fits"),
        prepared
    );
}
