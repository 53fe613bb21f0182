//! Taking rows.

use super::super::{Client, OwnQuery, Rows};
use super::client::settings;
use super::fake::{Fake, Fault};
use crate::ask::{ErrorKind, Notice};
use crate::gate::ReadQuery;
use crate::node::RawQuery;
use crate::settings::Settings;

fn numbers(count: usize) -> Vec<String> {
    (0..count).map(|number| number.to_string()).collect()
}

fn read_with(fake: &Fake, settings: &Settings, limit: u32) -> Rows {
    let outside = fake.outside();
    let query = ReadQuery::for_tests("FOR d IN orders RETURN d", "{}", &["orders"]);
    let rows = Client::new(&outside, settings)
        .read(&query, limit)
        .expect("answered")
        .expect("run");
    fake.assert_nothing_open();
    rows
}

fn texts(rows: &Rows) -> Vec<&str> {
    rows.rows.iter().collect()
}

#[test]
fn rows_keep_every_digit_and_the_order_of_their_keys() {
    let row = r#"{"z":1.10,"a":12345678901234567890.123456789e-5,"m":[ 1E400 , -0.0 ],"ż":"\u0000\ud83d\ude00"}"#;
    let mut fake = Fake::new();
    fake.rows = vec![row.into()];
    assert_eq!(texts(&read_with(&fake, &settings(), 10)), [row]);
}

#[test]
fn one_row_more_than_the_limit_shows_that_there_were_more() {
    for (there, limit, taken, more) in [(0, 5, 0, false), (5, 5, 5, false), (6, 5, 5, true)] {
        let mut fake = Fake::new();
        fake.rows = numbers(there);
        let rows = read_with(&fake, &settings(), limit);
        assert_eq!((rows.rows.len(), rows.more), (taken, more), "{there} rows");
    }
}

#[test]
fn the_request_names_its_limits_and_asks_for_one_batch() {
    let mut fake = Fake::new();
    fake.rows = numbers(3);
    read_with(&fake, &settings(), 250);
    let seen = fake.seen();
    assert_eq!(
        seen[1].text,
        r#"{"query":"FOR d IN orders RETURN d","bindVars":{},"batchSize":251,"ttl":30,"cache":false,"memoryLimit":1073741824,"options":{"maxRuntime":30.000}}"#
    );
    let lines = fake.lines();
    assert_eq!(
        lines,
        [
            "POST /_db/shop/_api/transaction/begin",
            "POST /_db/shop/_api/cursor",
            "DELETE /_db/shop/_api/transaction/70001",
        ]
    );
}

#[test]
fn batches_are_followed_up_to_the_limit_and_the_cursor_is_released() {
    let settings =
        Settings::parse(r#"{"database": "shop", "limits": {"max_result_bytes": 102400}}"#)
            .expect("valid settings");
    let mut fake = Fake::new();
    fake.rows = numbers(1_000);
    // The batch is 100 rows, so that 251 rows take three batches, and rows are left.
    let rows = read_with(&fake, &settings, 250);
    assert_eq!(rows.rows.len(), 250);
    assert!(rows.more);
    assert_eq!(rows.rows.get(249), Some("249"));
    let lines = fake.lines();
    assert_eq!(
        lines[1..],
        [
            "POST /_db/shop/_api/cursor",
            "POST /_db/shop/_api/cursor/80002",
            "POST /_db/shop/_api/cursor/80002",
            "DELETE /_db/shop/_api/cursor/80002",
            "DELETE /_db/shop/_api/transaction/70001",
        ]
    );
    let outside = fake.seen();
    for seen in &outside[1..5] {
        assert!(
            seen.headers.contains(&("x-arango-trx-id", "70001".into())),
            "{} outside the transaction",
            seen.path
        );
    }
}

#[test]
fn a_cursor_read_to_its_end_is_not_released_again() {
    let settings =
        Settings::parse(r#"{"database": "shop", "limits": {"max_result_bytes": 102400}}"#)
            .expect("valid settings");
    let mut fake = Fake::new();
    fake.rows = numbers(150);
    let rows = read_with(&fake, &settings, 250);
    assert_eq!((rows.rows.len(), rows.more), (150, false));
    assert!(
        !fake
            .lines()
            .iter()
            .any(|line| line.starts_with("DELETE /_db/shop/_api/cursor"))
    );
}

#[test]
fn rows_beyond_the_bytes_allowed_are_cut_with_a_warning() {
    let settings = Settings::parse(r#"{"database": "shop", "limits": {"max_result_bytes": 1024}}"#)
        .expect("valid settings");
    let mut fake = Fake::new();
    fake.rows = vec![format!("\"{}\"", "x".repeat(298)); 50];
    let rows = read_with(&fake, &settings, 250);
    assert_eq!(rows.rows.len(), 3);
    assert!(rows.more);
    assert_eq!(
        rows.warnings,
        [Notice::new(
            "result-bytes",
            "the rows were cut at 1024 bytes, the most that `limits.max_result_bytes` allows"
        )]
    );
}

#[test]
fn the_servers_warnings_arrive_once_each() {
    let mut fake = Fake::new();
    fake.rows = numbers(2);
    fake.warnings = serde_json::json!([
        {"code": 1562, "message": "division by zero"},
        {"code": 1562, "message": "division by zero"},
        {"code": 1542, "message": "invalid\nargument"}
    ]);
    assert_eq!(
        read_with(&fake, &settings(), 5).warnings,
        [
            Notice::new("arango-1562", "division by zero"),
            Notice::new("arango-1542", "invalid argument"),
        ]
    );
}

#[test]
fn a_caller_that_executes_gets_an_error_and_not_some_of_the_rows() {
    let settings =
        Settings::parse(r#"{"database": "shop", "max_execute_rows": 3, "allow_execute": true}"#)
            .expect("valid settings");
    let query = RawQuery::for_tests("FOR i IN 1..9 INSERT {i} INTO c RETURN i", "{}");
    let mut fake = Fake::new();
    fake.rows = numbers(3);
    fake.writes = (3, 0);
    let outside = fake.outside();
    let rows = Client::new(&outside, &settings)
        .raw(&query)
        .expect("answered")
        .expect("run");
    assert_eq!(
        (rows.rows.len(), rows.more, rows.writes_executed),
        (3, false, 3)
    );

    let mut fake = Fake::new();
    fake.rows = numbers(4);
    fake.writes = (4, 0);
    let outside = fake.outside();
    let error = Client::new(&outside, &settings)
        .raw(&query)
        .expect_err("too many");
    assert_eq!(error.kind, ErrorKind::LimitExceeded);
    assert_eq!(error.code, "too-many-rows");
    assert_eq!(
        error.message,
        "the query returns more than `max_execute_rows` (3) rows, or more than `limits.max_result_bytes` (16777216) bytes; it has written 4 documents; add a LIMIT, or raise the setting"
    );
    fake.assert_nothing_open();
    assert_eq!(fake.transactions_begun(), 0);
}

#[test]
fn what_a_broken_server_could_do_for_ever_ends() {
    let stats = r#""extra":{"stats":{"writesExecuted":0,"writesIgnored":0}}"#;
    for (page, why) in [
        (
            format!("{{\"result\":[],\"hasMore\":true,\"id\":\"9\",{stats}}}"),
            "its batches do not end",
        ),
        (
            format!("{{\"result\":[1],\"hasMore\":true,\"id\":\"9\",{stats}}}"),
            "its batches do not end",
        ),
    ] {
        let mut fake = Fake::new();
        let page: &'static str = Box::leak(page.into_boxed_str());
        fake.fault_at = Some(("/_api/cursor", Fault::Body(201, "application/json", page)));
        let outside = fake.outside();
        let settings = settings();
        let query = ReadQuery::for_tests("FOR d IN orders RETURN d", "{}", &["orders"]);
        let error = Client::new(&outside, &settings)
            .read(&query, 25_000)
            .expect_err("no end");
        assert!(error.message.contains(why), "{}", error.message);
        assert!(fake.seen().len() < 40, "{} requests", fake.seen().len());
        let lines = fake.lines();
        assert!(lines.contains(&"DELETE /_db/shop/_api/cursor/9".to_string()));
        fake.assert_nothing_open();
    }
}

#[test]
fn a_batch_of_another_cursors_is_refused() {
    let settings =
        Settings::parse(r#"{"database": "shop", "limits": {"max_result_bytes": 102400}}"#)
            .expect("valid settings");
    let mut fake = Fake::new();
    fake.rows = numbers(1_000);
    fake.fault = Some((
        2,
        Fault::Body(
            200,
            "application/json",
            "{\"result\":[7],\"hasMore\":true,\"id\":\"666\"}",
        ),
    ));
    let outside = fake.outside();
    let query = ReadQuery::for_tests("FOR d IN orders RETURN d", "{}", &["orders"]);
    let error = Client::new(&outside, &settings)
        .read(&query, 250)
        .expect_err("another");
    assert!(
        error.message.contains("it belongs to another cursor"),
        "{}",
        error.message
    );
    fake.assert_nothing_open();
}

#[test]
fn a_deeply_nested_row_passes_without_a_stack() {
    let row = format!("{}{}", "[".repeat(50_000), "]".repeat(50_000));
    let mut fake = Fake::new();
    fake.rows = vec![row.clone()];
    assert_eq!(texts(&read_with(&fake, &settings(), 5)), [row.as_str()]);
}

#[test]
fn rows_are_counted() {
    let mut fake = Fake::new();
    fake.rows = numbers(7);
    let outside = fake.outside();
    let settings = settings();
    Client::new(&outside, &settings)
        .own(&OwnQuery::new("FOR i IN 1..7 RETURN i"))
        .expect("answered")
        .expect("run");
    let usage = outside.usage();
    assert_eq!((usage.rows_read, usage.http_calls), (7, 1));
}
