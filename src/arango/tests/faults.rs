//! Every request of every way to run a query, failed in every way: always an error, and nothing is left open.

use super::super::{Client, DatabaseError, Rows};
use super::fake::{Fake, Fault};
use crate::ask::{ErrorKind, Result};
use crate::gate::ReadQuery;
use crate::node::RawQuery;
use crate::ports::{HttpErrorKind, Method};
use crate::settings::Settings;

/// The ways to fail, each with the kinds of error that make sense of it.
pub(crate) fn faults() -> Vec<(Fault, &'static [ErrorKind])> {
    use ErrorKind::{
        DatabaseError as Failed, DatabaseUnauthorized as Unauthorized,
        DatabaseUnreachable as Unreachable, Denied, LimitExceeded, Timeout,
    };
    vec![
        (Fault::Broken(HttpErrorKind::Connect), &[Unreachable]),
        (Fault::Broken(HttpErrorKind::Tls), &[Unreachable]),
        (Fault::Broken(HttpErrorKind::Timeout), &[Timeout]),
        (Fault::Broken(HttpErrorKind::Denied), &[Denied]),
        (
            Fault::Broken(HttpErrorKind::ResponseTooLarge),
            &[LimitExceeded],
        ),
        (Fault::Status(401, "not authorized"), &[Unauthorized]),
        (Fault::Status(403, "forbidden"), &[Unauthorized]),
        (Fault::Status(404, "not found"), &[Unreachable]),
        (Fault::Status(500, "internal"), &[Failed]),
        (Fault::Status(503, "busy"), &[Unreachable]),
        (Fault::Status(302, "elsewhere"), &[Unreachable]),
        (
            Fault::Body(200, "text/html", "<html></html>"),
            &[Unreachable],
        ),
        (
            Fault::Body(503, "text/html", "<html></html>"),
            &[Unreachable],
        ),
        (Fault::Body(200, "application/json", "{}"), &[Unreachable]),
        (Fault::Body(200, "application/json", "null"), &[Unreachable]),
        (Fault::Body(200, "application/json", "[]"), &[Unreachable]),
        (
            Fault::Body(200, "application/json", "\u{feff}{}"),
            &[Unreachable],
        ),
        (
            Fault::Body(200, "application/json", r#"{"result":{},"hasMore":"no"}"#),
            &[Unreachable],
        ),
        (Fault::Truncated, &[Unreachable]),
    ]
}

type Run = fn(&Client<'_>) -> Result<core::result::Result<Rows, DatabaseError>>;

fn fake() -> Fake {
    let mut fake = Fake::new();
    fake.rows = (0..500).map(|number| number.to_string()).collect();
    fake
}

#[test]
fn a_failure_at_any_request_is_an_error_and_leaves_nothing_open() {
    let settings = Settings::parse(
        r#"{"database": "shop", "allow_execute": true, "max_execute_rows": 250, "limits": {"max_result_bytes": 102400}}"#,
    )
    .expect("valid settings");
    let read: Run = |client| {
        client.read(
            &ReadQuery::for_tests("FOR d IN orders RETURN d", "{}", &["orders"]),
            250,
        )
    };
    let raw: Run = |client| client.raw(&RawQuery::for_tests("FOR d IN orders RETURN d", "{}"));
    for (name, run) in [("read", read), ("raw", raw)] {
        let whole = fake();
        let outside = whole.outside();
        let _ = run(&Client::new(&outside, &settings));
        let flow = whole.seen();
        assert!(flow.len() >= 4, "{name}: {:?}", whole.lines());

        for (at, request) in flow.iter().enumerate() {
            for (fault, kinds) in faults() {
                let mut broken = fake();
                broken.fault = Some((at, fault.clone()));
                let outside = broken.outside();
                let outcome = run(&Client::new(&outside, &settings));
                broken.assert_nothing_open();
                let what = format!(
                    "{name}: {:?} {} with {fault:?}",
                    request.method, request.path
                );
                if request.method == Method::Delete {
                    // A release: the result stands. `raw` has more rows than it may return.
                    match outcome {
                        Ok(Ok(rows)) => assert_eq!(rows.rows.len(), 250, "{what}"),
                        Ok(Err(error)) => panic!("{what}: {error:?}"),
                        Err(error) => assert_eq!(error.code, "too-many-rows", "{what}"),
                    }
                    continue;
                }
                let error = match outcome {
                    Ok(Ok(_)) => panic!("{what}: rows"),
                    Ok(Err(error)) => error.to_error(),
                    Err(error) => error,
                };
                assert!(kinds.contains(&error.kind), "{what}: {error:?}");
                assert!(
                    !error.message.is_empty() && error.message.len() < 1_000,
                    "{what}"
                );
            }
        }
    }
}

#[test]
fn a_failed_release_of_a_cursor_is_told() {
    let settings =
        Settings::parse(r#"{"database": "shop", "limits": {"max_result_bytes": 102400}}"#)
            .expect("valid settings");
    let mut broken = fake();
    broken.fault = Some((4, Fault::Status(500, "internal")));
    let outside = broken.outside();
    let query = ReadQuery::for_tests("FOR d IN orders RETURN d", "{}", &["orders"]);
    let rows = Client::new(&outside, &settings)
        .read(&query, 250)
        .expect("answered")
        .expect("run");
    assert_eq!(rows.warnings.len(), 1, "{:?}", broken.lines());
    assert_eq!(rows.warnings[0].code, "cursor-not-released");
}
