//! The way of one request: log, faults, a thread, authentication, database, route.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, Method, Response, header};

use super::app::App;
use super::auth::{authenticate, open_session, unauthorized};
use super::faults::Fault;
use super::jobs::JOB_ID;
use super::listener::KillSwitch;
use super::log::Logged;
use super::reply::Reply;
use super::request::{Call, Target};
use super::{routes, threads};
use crate::error::{ArangoError, number};
use crate::storage::{Level, User};

/// Answers one request, faults included.
pub(super) async fn answer(app: Arc<App>, switch: KillSwitch, request: Request) -> Response<Body> {
    let (head, body) = request.into_parts();
    let is_head = head.method == Method::HEAD;
    let target = match Target::parse(&head.uri) {
        Ok(target) => target,
        Err(error) => return Reply::error(&error).into_response(is_head),
    };
    let body = axum::body::to_bytes(body, app.settings.max_body_bytes).await;
    let ticket = app.log.received(Logged {
        method: head.method.to_string(),
        database: target.database.clone(),
        path: target.path.clone(),
        query: head.uri.query().unwrap_or_default().to_owned(),
        body: body
            .as_ref()
            .map(|bytes| Logged::kept(bytes))
            .unwrap_or_default(),
        transaction: head
            .headers
            .get("x-arango-trx-id")
            .and_then(|id| id.to_str().ok())
            .map(str::to_owned),
        status: None,
    });
    let fault = app.faults.of(&target.path);
    match &fault {
        Some(Fault::Stall) => app.faults.until_released(&target.path).await,
        Some(Fault::Delay(time)) => tokio::time::sleep(*time).await,
        Some(Fault::Kill) => {
            switch.pull();
            return Reply::empty(500).into_response(is_head);
        }
        Some(Fault::Answer(reply)) => {
            app.log.answered(ticket, reply.status);
            return reply.clone().into_response(is_head);
        }
        Some(Fault::LoseReply) | None => {}
    }
    let reply = match body {
        Ok(body) => {
            let asynchronous = head.headers.get("x-arango-async").is_some();
            let work = Work {
                method: head.method,
                target,
                headers: head.headers,
                body: body.to_vec(),
            };
            if asynchronous {
                later(&app, work)
            } else {
                now(&app, work).await
            }
        }
        Err(_) => Reply::error(&ArangoError::new(
            number::HTTP_TOO_LARGE,
            format!(
                "request body too large, the limit is {} bytes",
                app.settings.max_body_bytes
            ),
        )),
    };
    if matches!(fault, Some(Fault::LoseReply)) {
        switch.pull();
    } else {
        app.log.answered(ticket, reply.status);
    }
    reply.into_response(is_head)
}

/// A request that is to be worked off.
struct Work {
    method: Method,
    target: Target,
    headers: HeaderMap,
    body: Vec<u8>,
}

/// Works a request off on a thread of its own.
async fn now(app: &Arc<App>, work: Work) -> Reply {
    // The semaphore is never closed; without a permit the request would only be worked off sooner.
    let _permit = app.permits.acquire().await;
    let app = Arc::clone(app);
    threads::run(move || work_off(app, work))
        .await
        .unwrap_or_else(|error| Reply::error(&error))
}

/// Answers at once, and works the request off afterwards.
fn later(app: &Arc<App>, work: Work) -> Reply {
    let Some(user) = authenticated(app, &work.headers) else {
        return unauthorized(work.headers.contains_key("x-omit-www-authenticate"));
    };
    let app = Arc::clone(app);
    let keeps = work
        .headers
        .get("x-arango-async")
        .is_some_and(|how| how == "store");
    let id = app.store.clock().next_id();
    if keeps {
        app.jobs.add(id, &user.name);
    }
    tokio::spawn(async move {
        let reply = now(&app, work).await;
        app.jobs.finish(id, reply);
    });
    let accepted = Reply::empty(202);
    if keeps {
        accepted.with(JOB_ID, id.to_string())
    } else {
        accepted
    }
}

/// The user of a request.
fn authenticated(app: &App, headers: &HeaderMap) -> Option<Arc<User>> {
    let authorization = headers.get(header::AUTHORIZATION);
    let authorization = authorization.and_then(|value| value.to_str().ok());
    let anyone = app.anyone.clone();
    anyone.or_else(|| authenticate(&app.store, &app.tokens, authorization))
}

/// Authenticates a request, finds its database and lets its route answer.
fn work_off(app: Arc<App>, work: Work) -> Reply {
    let Work {
        method,
        target,
        headers,
        body,
    } = work;
    if method == Method::POST && target.segments == ["_open", "auth"] {
        return open_session(&app.store, &app.tokens, &body)
            .unwrap_or_else(|error| Reply::error(&error));
    }
    let user = authenticated(&app, &headers);
    let Some(user) = user else {
        return unauthorized(headers.contains_key("x-omit-www-authenticate"));
    };
    let database = match app.store.database(&target.database) {
        Ok(database) => database,
        Err(error) => return Reply::error(&error),
    };
    // Everybody may see their own user, wherever they have a database.
    let is_own_user = target
        .segments
        .get(..2)
        .is_some_and(|path| path == ["_api", "user"]);
    if user.database_level(&target.database) == Level::None && !is_own_user {
        return unauthorized(headers.contains_key("x-omit-www-authenticate"));
    }
    let call = Call {
        app,
        method,
        target,
        headers,
        body,
        database,
        user,
    };
    routes::answer(&call).unwrap_or_else(|error| Reply::error(&error))
}
