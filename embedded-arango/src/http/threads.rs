//! Threads with a large stack, on which requests are worked off.
//!
//! Evaluating a query recurses as deeply as the parser lets it nest. The threads of an asynchronous runtime have 2 MiB of
//! stack, which such a query overflows; the memory of a large stack is only taken as far as it is used.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use tokio::sync::oneshot;

use crate::error::ArangoError;

/// The stack of a thread.
const STACK_BYTES: usize = 128 << 20;

/// Runs a piece of work on a thread of its own.
///
/// # Errors
/// 500/4 where the work panicked, which is a fault of this server, or where no thread could be made.
pub(crate) async fn run<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ArangoError> {
    let (send, receive) = oneshot::channel();
    let body = move || {
        let done = catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
            ArangoError::internal(format!(
                "a fault of the embedded server: {}",
                reason(&*panic)
            ))
        });
        // The receiver is gone where the client has left; then nobody wants the result.
        let _ = send.send(done);
    };
    thread::Builder::new()
        .name("embedded-arango".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(body)
        .map_err(|error| ArangoError::internal(format!("no thread for a request: {error}")))?;
    receive.await.unwrap_or_else(|_| {
        Err(ArangoError::internal(
            "a request's thread ended without an answer",
        ))
    })
}

fn reason(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("unknown")
}

#[cfg(test)]
mod tests {
    use super::run;

    fn depth(n: u64) -> u64 {
        // Read through a volatile-like barrier, so that the recursion is not turned into a loop.
        if std::hint::black_box(n) == 0 {
            0
        } else {
            1 + depth(n - 1)
        }
    }

    #[tokio::test]
    async fn a_recursion_that_overflows_an_ordinary_thread_fits() {
        assert_eq!(run(|| depth(200_000)).await.expect("room"), 200_000);
    }

    #[tokio::test]
    async fn a_panic_becomes_an_error() {
        let error = run(|| -> u8 { panic!("by a test") }).await.unwrap_err();
        assert_eq!(
            (error.http, error.message.contains("by a test")),
            (500, true)
        );
    }
}
