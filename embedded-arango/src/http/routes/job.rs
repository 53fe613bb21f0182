//! `/_api/job`: the results of asynchronous jobs.

use axum::http::Method;

use crate::error::{ArangoError, number};
use crate::http::jobs::{JOB_ID, JobState};
use crate::http::reply::{Reply, fields};
use crate::http::request::Call;
use crate::value::Value;

pub(super) fn answer(call: &Call, path: &[&str]) -> Result<Reply, ArangoError> {
    let (jobs, user) = (&call.app.jobs, &call.user.name);
    match (&call.method, path) {
        (&Method::GET, ["done"]) => Ok(list(&jobs.list(JobState::Done, user))),
        (&Method::GET, ["pending"]) => Ok(list(&jobs.list(JobState::Pending, user))),
        (&Method::GET, [id]) => match jobs.state(parse(id)?, user) {
            Some(JobState::Done) => Ok(Reply::empty(200)),
            Some(JobState::Pending) => Ok(Reply::empty(204)),
            None => Err(not_found()),
        },
        (&Method::PUT, [id]) => {
            let id = parse(id)?;
            if jobs.state(id, user) == Some(JobState::Pending) {
                return Ok(Reply::empty(204));
            }
            let result = jobs.take(id, user).ok_or_else(not_found)?;
            Ok(result.with(JOB_ID, id.to_string()))
        }
        (&Method::PUT, [_, "cancel"]) => Err(ArangoError::not_implemented("cancelling a job")),
        (&Method::DELETE, ["all" | "expired"]) => {
            jobs.forget_all(user);
            Ok(done())
        }
        (&Method::DELETE, [id]) if jobs.forget(parse(id)?, user) => Ok(done()),
        (&Method::DELETE, [_]) => Err(not_found()),
        _ => Err(call.wrong_method()),
    }
}

fn parse(id: &str) -> Result<u64, ArangoError> {
    id.parse().map_err(|_| not_found())
}

fn not_found() -> ArangoError {
    ArangoError::new(number::HTTP_NOT_FOUND, "not found")
}

fn done() -> Reply {
    Reply::bare(200, &Value::object(fields([("result", Value::Bool(true))])))
}

fn list(ids: &[u64]) -> Reply {
    let ids = ids.iter().map(|id| Value::from(id.to_string())).collect();
    Reply::bare(200, &Value::array(ids))
}
