//! Asynchronous jobs: a request with the header `x-arango-async` is answered at once and worked off afterwards.
//!
//! | header | first answer | result |
//! |---|---|---|
//! | `true` | 202 | nobody gets it |
//! | `store` | 202 with `x-arango-async-id` | `PUT /_api/job/<id>` gives it once |

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::http::HeaderName;

use super::reply::Reply;

/// The header with the number of a job.
pub(crate) const JOB_ID: HeaderName = HeaderName::from_static("x-arango-async-id");

/// How many results are kept for clients that never fetch them; older ones go.
const KEPT: usize = 1000;

/// A job and who started it.
#[derive(Debug)]
struct Job {
    user: String,
    /// Nothing while it runs.
    result: Option<Reply>,
}

/// How a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobState {
    Pending,
    Done,
}

/// The jobs of a server whose results somebody wants.
#[derive(Debug, Default)]
pub(crate) struct Jobs {
    jobs: Mutex<BTreeMap<u64, Job>>,
}

impl Jobs {
    /// Notes a job that is about to run.
    pub(crate) fn add(&self, id: u64, user: &str) {
        let mut jobs = self.jobs();
        while jobs.len() >= KEPT {
            jobs.pop_first();
        }
        let user = user.to_owned();
        jobs.insert(id, Job { user, result: None });
    }

    /// Keeps the result of a job, unless it was forgotten meanwhile.
    pub(crate) fn finish(&self, id: u64, result: Reply) {
        if let Some(job) = self.jobs().get_mut(&id) {
            job.result = Some(result);
        }
    }

    /// How a user's job stands; nothing for an unknown one.
    pub(crate) fn state(&self, id: u64, user: &str) -> Option<JobState> {
        let jobs = self.jobs();
        let job = jobs.get(&id).filter(|job| job.user == user)?;
        Some(if job.result.is_some() {
            JobState::Done
        } else {
            JobState::Pending
        })
    }

    /// Takes the result of a finished job of a user.
    pub(crate) fn take(&self, id: u64, user: &str) -> Option<Reply> {
        let mut jobs = self.jobs();
        jobs.get(&id)
            .filter(|job| job.user == user && job.result.is_some())?;
        jobs.remove(&id)?.result
    }

    /// Forgets a job; whether it was there.
    pub(crate) fn forget(&self, id: u64, user: &str) -> bool {
        let mut jobs = self.jobs();
        let is_own = jobs.get(&id).is_some_and(|job| job.user == user);
        is_own && jobs.remove(&id).is_some()
    }

    /// Forgets all jobs of a user.
    pub(crate) fn forget_all(&self, user: &str) {
        self.jobs().retain(|_, job| job.user != user);
    }

    /// The jobs of a user that stand so, the oldest first.
    pub(crate) fn list(&self, state: JobState, user: &str) -> Vec<u64> {
        let jobs = self.jobs();
        let wanted = jobs.iter().filter(|(_, job)| {
            job.user == user && job.result.is_some() == (state == JobState::Done)
        });
        wanted.map(|(id, _)| *id).collect()
    }

    fn jobs(&self) -> MutexGuard<'_, BTreeMap<u64, Job>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
