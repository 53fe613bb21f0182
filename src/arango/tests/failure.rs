//! The server's errors: whose fault each is, and whether a better query mends it.

use super::super::{DatabaseError, Repair};
use crate::ask::ErrorKind;

fn database_error(status: u16, number: u32) -> DatabaseError {
    let body = format!(
        "{{\"code\":{status},\"error\":true,\"errorMessage\":\"what happened\",\"errorNum\":{number}}}"
    );
    DatabaseError::from_response(status, body.as_bytes())
}

#[test]
fn every_number_that_matters_has_its_kind() {
    use ErrorKind as Kind;
    for (status, number, kind, retryable, repair) in [
        (401, 11, Kind::DatabaseUnauthorized, false, Repair::No),
        (403, 11, Kind::DatabaseUnauthorized, false, Repair::No),
        (403, 1004, Kind::DatabaseUnauthorized, false, Repair::No),
        (404, 1228, Kind::Configuration, false, Repair::No),
        (404, 404, Kind::Configuration, false, Repair::No),
        (404, 1203, Kind::DatabaseError, false, Repair::Yes),
        (404, 1202, Kind::DatabaseError, false, Repair::No),
        (409, 1210, Kind::DatabaseError, false, Repair::No),
        (409, 1200, Kind::DatabaseError, true, Repair::No),
        (500, 32, Kind::LimitExceeded, false, Repair::Once),
        (410, 1500, Kind::Timeout, false, Repair::Once),
        (410, 21, Kind::DatabaseError, true, Repair::No),
        (500, 18, Kind::DatabaseError, true, Repair::No),
        (500, 28, Kind::DatabaseError, true, Repair::No),
        (500, 29, Kind::DatabaseError, true, Repair::No),
        (503, 30, Kind::DatabaseUnreachable, true, Repair::No),
        (503, 1477, Kind::DatabaseUnreachable, true, Repair::No),
        (503, 1478, Kind::DatabaseUnreachable, true, Repair::No),
        (412, 21004, Kind::DatabaseUnreachable, true, Repair::No),
        (400, 10, Kind::DatabaseError, false, Repair::Yes),
        (400, 17, Kind::DatabaseError, false, Repair::Yes),
        (400, 400, Kind::DatabaseError, false, Repair::No),
        (400, 600, Kind::Internal, false, Repair::No),
        (400, 1501, Kind::DatabaseError, false, Repair::Yes),
        (400, 1502, Kind::DatabaseError, false, Repair::Yes),
        (400, 1512, Kind::DatabaseError, false, Repair::Yes),
        (400, 1521, Kind::DatabaseError, false, Repair::Yes),
        (400, 1540, Kind::DatabaseError, false, Repair::Yes),
        (400, 1551, Kind::DatabaseError, false, Repair::Yes),
        (400, 1554, Kind::DatabaseError, false, Repair::Yes),
        (400, 1555, Kind::DatabaseError, true, Repair::No),
        (404, 1571, Kind::DatabaseError, false, Repair::Yes),
        (404, 1582, Kind::DatabaseError, false, Repair::Yes),
        (404, 1591, Kind::DatabaseError, false, Repair::No),
        (400, 1593, Kind::DatabaseError, false, Repair::Yes),
        (404, 1600, Kind::DatabaseError, true, Repair::No),
        (409, 1601, Kind::DatabaseError, true, Repair::No),
        (400, 1652, Kind::QueryRefused, false, Repair::Yes),
        (410, 1654, Kind::DatabaseError, true, Repair::No),
        (404, 1655, Kind::DatabaseError, true, Repair::No),
        (404, 1924, Kind::DatabaseError, false, Repair::Yes),
        (501, 1470, Kind::DatabaseError, false, Repair::Yes),
        // Not in the table: by status.
        (500, 4, Kind::DatabaseError, false, Repair::No),
        (503, 99_999, Kind::DatabaseUnreachable, true, Repair::No),
        (403, 99_999, Kind::DatabaseUnauthorized, false, Repair::No),
    ] {
        let error = database_error(status, number);
        let shown = error.to_error();
        assert_eq!(shown.kind, kind, "{status}/{number}");
        assert_eq!(shown.retryable, retryable, "{status}/{number}");
        assert_eq!(error.repair(), repair, "{status}/{number}");
        assert_eq!(error.is_repairable(), repair != Repair::No);
        assert_eq!(shown.code, format!("arango-{number}"));
    }
}

#[test]
fn an_error_without_a_number_is_judged_by_its_status() {
    for (status, kind, retryable) in [
        (401, ErrorKind::DatabaseUnauthorized, false),
        (403, ErrorKind::DatabaseUnauthorized, false),
        (404, ErrorKind::DatabaseUnreachable, false),
        (408, ErrorKind::Timeout, true),
        (429, ErrorKind::DatabaseUnreachable, true),
        (500, ErrorKind::DatabaseError, false),
        (502, ErrorKind::DatabaseUnreachable, true),
        (503, ErrorKind::DatabaseUnreachable, true),
        (504, ErrorKind::Timeout, true),
    ] {
        for body in [
            "",
            "<html>",
            "{}",
            "null",
            "[]",
            "{\"errorNum\": 0}",
            "{\"errorNum\": \"x\"}",
        ] {
            let error = DatabaseError::from_response(status, body.as_bytes());
            assert_eq!(error.number, None);
            let shown = error.to_error();
            assert_eq!(
                (shown.kind, shown.retryable),
                (kind, retryable),
                "{status} {body}"
            );
            assert_eq!(shown.code, format!("arango-http-{status}"));
            assert!(!error.is_repairable());
        }
    }
}

#[test]
fn the_messages_say_what_happened_and_what_to_do() {
    for (status, number, message) in [
        (
            401,
            11,
            "the database answered: what happened (error 11); check user and password or token in the host's configuration",
        ),
        (
            403,
            1004,
            "the database answered: what happened (error 1004); the database user may only read",
        ),
        (
            404,
            1228,
            "the database answered: what happened (error 1228); check the database's name in the configuration",
        ),
        (
            410,
            1500,
            "the database answered: what happened (error 1500); ask for less, or raise `limits.query_runtime_ms`",
        ),
        (
            500,
            32,
            "the database answered: what happened (error 32); write a smaller query",
        ),
        (
            404,
            1203,
            "the database answered: what happened (error 1203)",
        ),
    ] {
        assert_eq!(database_error(status, number).to_error().message, message);
    }
    assert_eq!(
        DatabaseError::from_response(502, b"").to_error().message,
        "the database answered: no message (status 502)"
    );
}

#[test]
fn a_message_of_the_servers_is_shortened_and_stays_on_its_line() {
    let long = "x".repeat(10_000);
    let body =
        serde_json::json!({"errorNum": 1501, "errorMessage": format!("a\nb\u{202e}c {long}")});
    let error = DatabaseError::from_response(400, body.to_string().as_bytes());
    assert!(error.message.starts_with("a bc xxx"));
    assert!(error.message.ends_with("x…"));
    assert_eq!(error.message.chars().count(), 600);
}

#[test]
fn only_a_want_of_memory_is_told_to_raise_the_memory() {
    let told = |message: &str| {
        let body =
            format!(r#"{{"code":500,"error":true,"errorMessage":"{message}","errorNum":32}}"#);
        DatabaseError::from_response(500, body.as_bytes())
            .to_error()
            .message
    };
    assert!(told("query would use more memory than allowed").contains("limits.query_memory_bytes"));
    assert!(told("query has more than 1000 variables").ends_with("write a smaller query"));
}
