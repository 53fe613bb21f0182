//! Starting and stopping a server, and what a test sees of it.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Weak};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderMap, Method, Response, header};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinHandle;

use super::app::{App, Settings};
use super::auth::{Tokens, authenticate, open_session, unauthorized};
use super::cursors::Cursors;
use super::faults::{Fault, Faults};
use super::jobs::{JOB_ID, Jobs};
use super::listener::{Connections, KillSwitch};
use super::log::{Logged, RequestLog};
use super::queries::Queries;
use super::reply::Reply;
use super::request::{Call, Target};
use super::transactions::Transactions;
use super::{routes, threads};
use crate::error::{ArangoError, number};
use crate::storage::{Level, Store, User};

/// How many requests are worked off at once. Each has a thread; a request that waits for a lock keeps its own.
const MAX_THREADS: usize = 512;

/// How often cursors and transactions whose time is over are looked for.
const SWEEP: Duration = Duration::from_secs(1);

/// The server; made with [`EmbeddedArango::builder`].
#[derive(Debug)]
pub struct EmbeddedArango;

impl EmbeddedArango {
    /// A server on `127.0.0.1` at a free port, with the user `root` whose password is empty.
    pub fn builder() -> Builder {
        Builder {
            listen: "127.0.0.1:0".to_owned(),
            root_password: Some(String::new()),
            users: Vec::new(),
            settings: Settings::default(),
            store: Arc::new(Store::new()),
            fill: Vec::new(),
        }
    }
}

type Fill = Box<dyn FnOnce(&Arc<Store>) -> Result<(), ArangoError> + Send>;

/// The settings of a server before it starts.
pub struct Builder {
    listen: String,
    root_password: Option<String>,
    users: Vec<User>,
    settings: Settings,
    store: Arc<Store>,
    fill: Vec<Fill>,
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("listen", &self.listen)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

impl Builder {
    /// Where to listen, `host:port`; port 0 takes a free one.
    #[must_use]
    pub fn listen(mut self, address: &str) -> Self {
        address.clone_into(&mut self.listen);
        self
    }

    /// The password of `root`.
    #[must_use]
    pub fn password(mut self, password: &str) -> Self {
        self.root_password = Some(password.to_owned());
        self
    }

    /// Lets every request in as `root`, whatever it sends.
    #[must_use]
    pub fn without_authentication(mut self) -> Self {
        self.root_password = None;
        self
    }

    /// Adds a user with its grants.
    #[must_use]
    pub fn user(mut self, user: User) -> Self {
        self.users.push(user);
        self
    }

    /// Adds users with their grants.
    #[must_use]
    pub fn users(mut self, users: impl IntoIterator<Item = User>) -> Self {
        self.users.extend(users);
        self
    }

    /// Fills the store before the server takes requests.
    #[must_use]
    pub fn data(
        mut self,
        fill: impl FnOnce(&Arc<Store>) -> Result<(), ArangoError> + Send + 'static,
    ) -> Self {
        self.fill.push(Box::new(fill));
        self
    }

    /// The largest body of a request in bytes; a larger one is answered with 413.
    #[must_use]
    pub fn max_body_bytes(mut self, bytes: usize) -> Self {
        self.settings.max_body_bytes = bytes;
        self
    }

    /// How long a cursor lives without being asked, unless a request says; 30 seconds.
    #[must_use]
    pub fn cursor_ttl(mut self, time: Duration) -> Self {
        self.settings.cursor_ttl = time;
        self
    }

    /// How long a stream transaction lives without being used; 60 seconds.
    #[must_use]
    pub fn transaction_idle(mut self, time: Duration) -> Self {
        self.settings.transaction_idle = time;
        self
    }

    /// How long a request waits for a stream transaction that another request uses; 8 seconds.
    #[must_use]
    pub fn transaction_patience(mut self, time: Duration) -> Self {
        self.settings.transaction_patience = time;
        self
    }

    /// Fills the store, listens and serves until [`Running::shutdown`], or until [`Running`] is dropped. Needs a tokio runtime
    /// with its I/O and time enabled.
    ///
    /// # Errors
    /// Where the address cannot be listened on, or filling the store failed.
    pub async fn start(self) -> io::Result<Running> {
        let store = self.store;
        routes::install_computed_values(&store);
        for fill in self.fill {
            fill(&store).map_err(io::Error::other)?;
        }
        let root = self.root_password.as_deref();
        store.put_user(User::superuser("root", root.unwrap_or_default()));
        for user in self.users {
            store.put_user(user);
        }
        let anyone = if root.is_none() {
            store.user("root")
        } else {
            None
        };
        let app = Arc::new(App {
            transactions: Arc::new(Transactions::new(
                self.settings.transaction_idle,
                self.settings.transaction_patience,
            )),
            settings: self.settings,
            tokens: Tokens::new().map_err(io::Error::other)?,
            anyone,
            cursors: Cursors::default(),
            queries: Queries::default(),
            jobs: Jobs::default(),
            faults: Faults::default(),
            permits: Semaphore::new(MAX_THREADS),
            log: RequestLog::default(),
            store,
        });
        let listener = TcpListener::bind(&self.listen).await?;
        let address = listener.local_addr()?;
        let served = Arc::clone(&app);
        let service = Router::new()
            .fallback(
                move |ConnectInfo(switch): ConnectInfo<KillSwitch>, request: Request| {
                    answer(Arc::clone(&served), switch, request)
                },
            )
            .into_make_service_with_connect_info::<KillSwitch>();
        let (stop, stopped) = oneshot::channel::<()>();
        let swept = Arc::downgrade(&app);
        let task = tokio::spawn(async move {
            let sweeper = tokio::spawn(sweep(swept));
            let served = axum::serve(Connections(listener), service)
                .with_graceful_shutdown(async move {
                    // Either way the server is to stop: told to, or its handle is gone.
                    let _ = stopped.await;
                })
                .await;
            sweeper.abort();
            served
        });
        Ok(Running {
            app,
            address,
            stop: Some(stop),
            task: Some(task),
        })
    }
}

/// What is open on a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stats {
    /// Cursors with batches left.
    pub open_cursors: usize,
    /// Stream transactions that are running.
    pub open_transactions: usize,
}

/// A server that is running. Dropping it stops it without waiting.
#[derive(Debug)]
pub struct Running {
    app: Arc<App>,
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    task: Option<JoinHandle<io::Result<()>>>,
}

impl Running {
    /// The address that the server listens on.
    pub fn addr(&self) -> SocketAddr {
        self.address
    }

    /// `http://host:port`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The data, to fill or to look at directly.
    pub fn store(&self) -> &Arc<Store> {
        &self.app.store
    }

    /// The faults that requests meet.
    pub fn faults(&self) -> &Faults {
        &self.app.faults
    }

    /// What is open at the moment.
    pub fn stats(&self) -> Stats {
        Stats {
            open_cursors: self.app.cursors.count(),
            open_transactions: self.app.transactions.count(),
        }
    }

    /// The requests so far, the oldest first; at most the last 10,000.
    pub fn requests(&self) -> Vec<Logged> {
        self.app.log.all()
    }

    /// Forgets the requests so far.
    pub fn clear_requests(&self) {
        self.app.log.clear();
    }

    /// A digest of all that a database holds; it stays the same as long as nothing is written.
    ///
    /// # Errors
    /// 1228 for an unknown database.
    pub fn digest(&self, database: &str) -> Result<String, ArangoError> {
        Ok(self.app.store.database(database)?.digest())
    }

    /// Takes no more requests, lets those that are running end, and returns. Running queries are stopped, faults are cleared.
    ///
    /// # Errors
    /// Where serving had failed.
    pub async fn shutdown(mut self) -> io::Result<()> {
        self.stop_now();
        match self.task.take() {
            Some(task) => task.await.map_err(io::Error::other)?,
            None => Ok(()),
        }
    }

    /// Waits until the server ends, which it does only where serving fails.
    ///
    /// # Errors
    /// The reason of the failure.
    pub async fn wait(mut self) -> io::Result<()> {
        match self.task.take() {
            Some(task) => task.await.map_err(io::Error::other)?,
            None => Ok(()),
        }
    }

    fn stop_now(&mut self) {
        self.app.faults.clear();
        self.app.queries.kill_all();
        self.stop.take();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop_now();
    }
}

/// Answers one request, faults included.
async fn answer(app: Arc<App>, switch: KillSwitch, request: Request) -> Response<Body> {
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
            .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
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

/// Ends cursors and transactions whose time is over, as long as the server is there.
async fn sweep(app: Weak<App>) {
    loop {
        tokio::time::sleep(SWEEP).await;
        let Some(app) = app.upgrade() else { return };
        app.cursors.count();
        app.transactions.count();
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
