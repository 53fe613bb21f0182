//! The read-only transaction and the canary.

use super::super::Client;
use super::super::canary::{Canary, Verdict};
use super::client::settings;
use super::fake::{Fake, Fault};
use crate::ask::{ErrorKind, Result};
use crate::gate::ReadQuery;
use crate::ports::HttpErrorKind;

fn read(
    fake: &Fake,
) -> Result<core::result::Result<super::super::Rows, super::super::DatabaseError>> {
    let outside = fake.outside();
    let settings = settings();
    let query = ReadQuery::for_tests("FOR d IN orders RETURN d", "{}", &["orders", "a \"b"]);
    Client::new(&outside, &settings).read(&query, 10)
}

#[test]
fn a_transaction_declares_what_is_read_and_allows_nothing_else() {
    let fake = Fake::new();
    read(&fake).expect("answered").expect("run");
    assert_eq!(
        fake.seen()[0].text,
        r#"{"collections":{"read":["orders","a \"b"]},"allowImplicit":false}"#
    );
}

#[test]
fn a_transaction_is_released_when_the_query_fails() {
    let mut fake = Fake::new();
    fake.fault = Some((
        1,
        Fault::Body(
            400,
            "application/json",
            r#"{"errorNum":1562,"errorMessage":"x","error":true,"code":400}"#,
        ),
    ));
    let error = read(&fake).expect("answered").expect_err("refused");
    assert_eq!(error.number, Some(1562));
    assert_eq!(fake.transactions_begun(), 1);
    fake.assert_nothing_open();
}

#[test]
fn a_query_that_wrote_is_an_error_whatever_it_returned() {
    for writes in [(1, 0), (0, 1)] {
        let mut fake = Fake::new();
        fake.writes = writes;
        let error = read(&fake).expect_err("wrote");
        assert_eq!(error.kind, ErrorKind::Internal);
        assert_eq!(error.code, "wrote");
        fake.assert_nothing_open();
    }
}

#[test]
fn an_answer_that_does_not_say_whether_it_wrote_is_refused() {
    let mut fake = Fake::new();
    fake.without_stats = true;
    let error = read(&fake).expect_err("no statistics");
    assert_eq!(error.code, "not-arangodb");
    assert!(
        error.message.contains("it has no statistics"),
        "{}",
        error.message
    );
    fake.assert_nothing_open();
}

#[test]
fn a_release_that_fails_is_a_warning_beside_the_rows() {
    let mut fake = Fake::new();
    fake.rows = vec!["1".into()];
    fake.fault = Some((2, Fault::Broken(HttpErrorKind::Timeout)));
    let rows = read(&fake).expect("answered").expect("run");
    assert_eq!(rows.rows.len(), 1);
    assert_eq!(rows.warnings.len(), 1);
    assert_eq!(rows.warnings[0].code, "transaction-not-released");
    assert_eq!(
        rows.warnings[0].message,
        "the transaction could not be released, and stays open until the server drops it: the database did not answer: the exchange broke"
    );
}

#[test]
fn a_transaction_that_is_gone_already_needs_no_warning() {
    for (status, number) in [(404, 1655), (410, 1654)] {
        let mut fake = Fake::new();
        let body: &'static str = Box::leak(
            super::fake::error(status, number, "gone")
                .1
                .to_string()
                .into_boxed_str(),
        );
        fake.fault = Some((2, Fault::Body(status, "application/json", body)));
        let rows = read(&fake).expect("answered").expect("run");
        assert!(rows.warnings.is_empty());
    }
}

#[test]
fn an_identifier_that_is_none_reaches_no_path_and_no_header() {
    for id in ["", "1/2", "1\\r\\nx: y", "../x", "é"] {
        let mut fake = Fake::new();
        let body: &'static str =
            Box::leak(format!("{{\"result\":{{\"id\":\"{id}\"}}}}").into_boxed_str());
        fake.fault = Some((0, Fault::Body(201, "application/json", body)));
        let error = read(&fake).expect_err("no identifier");
        assert_eq!(error.code, "not-arangodb");
        assert_eq!(fake.seen().len(), 1, "{id}");
    }
}

fn canary(fake: &Fake) -> Result<Canary> {
    let outside = fake.outside();
    let settings = settings();
    Client::new(&outside, &settings).canary("orders")
}

#[test]
fn the_canary_finds_a_barrier_that_holds() {
    let fake = Fake::new();
    let found = canary(&fake).expect("tried");
    assert_eq!(found.undeclared_reads, Verdict::Refuses);
    assert_eq!(found.writes, Verdict::Refuses);
    assert!(found.warnings().is_empty());
    fake.assert_nothing_open();
    let seen = fake.seen();
    assert_eq!(
        seen[0].text,
        r#"{"collections":{"read":[]},"allowImplicit":false}"#
    );
    assert_eq!(seen[1].body["query"], "FOR d IN @@c0 LIMIT 1 RETURN 1");
    assert_eq!(seen[2].body["query"], "FOR d IN [] REMOVE d IN @@c0");
    assert_eq!(
        seen[2].body["bindVars"],
        serde_json::json!({"@c0": "orders"})
    );
    assert_eq!(seen[3].body["query"], "RETURN DOCUMENT(@v0)");
    assert_eq!(
        seen[3].body["bindVars"],
        serde_json::json!({"v0": "orders/querent-canary"})
    );
}

#[test]
fn a_server_that_refuses_scans_and_lets_single_documents_through_does_not_hold_reads() {
    let mut fake = Fake::new();
    fake.no_barrier_for_documents = true;
    let found = canary(&fake).expect("tried");
    assert_eq!(found.undeclared_reads, Verdict::DoesNotRefuse);
    assert_eq!(found.writes, Verdict::Refuses);
    fake.assert_nothing_open();
}

#[test]
fn the_canary_finds_a_barrier_that_does_not_hold() {
    let mut fake = Fake::new();
    fake.no_barrier = true;
    let found = canary(&fake).expect("tried");
    assert_eq!(found.undeclared_reads, Verdict::DoesNotRefuse);
    assert_eq!(found.writes, Verdict::DoesNotRefuse);
    let codes: Vec<String> = found
        .warnings()
        .into_iter()
        .map(|notice| notice.code)
        .collect();
    assert_eq!(codes, ["canary-writes", "canary-reads"]);
    fake.assert_nothing_open();
}

#[test]
fn the_canary_takes_a_missing_permission_to_write_for_a_refusal_and_says_so_of_no_read() {
    let mut fake = Fake::new();
    let body = r#"{"code":403,"error":true,"errorMessage":"read only","errorNum":1004}"#;
    fake.fault_at = Some(("/_api/cursor", Fault::Body(403, "application/json", body)));
    let found = canary(&fake).expect("tried");
    assert_eq!(found.writes, Verdict::Refuses);
    assert!(matches!(found.undeclared_reads, Verdict::Unknown(_)));
    fake.assert_nothing_open();
}

#[test]
fn a_server_that_ends_a_transaction_with_a_refusal_is_tried_again() {
    let mut fake = Fake::new();
    fake.refusal_aborts = true;
    let found = canary(&fake).expect("tried");
    assert_eq!(found.undeclared_reads, Verdict::Refuses);
    assert_eq!(found.writes, Verdict::Refuses);
    assert_eq!(fake.transactions_begun(), 3);
    fake.assert_nothing_open();
}

#[test]
fn a_server_that_begins_no_transaction_leaves_the_verdict_open() {
    let mut fake = Fake::new();
    let body = r#"{"code":501,"error":true,"errorMessage":"not implemented","errorNum":9}"#;
    fake.fault = Some((0, Fault::Body(501, "application/json", body)));
    let found = canary(&fake).expect("tried");
    assert!(matches!(found.writes, Verdict::Unknown(_)));
}
