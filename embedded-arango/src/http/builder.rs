//! The settings of a server, and starting it.

use std::fmt;
use std::io;
use std::sync::{Arc, Weak};
use std::time::Duration;

use axum::Router;
use axum::extract::{ConnectInfo, Request};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, oneshot};

use super::app::{App, Settings};
use super::auth::Tokens;
use super::cursors::Cursors;
use super::faults::Faults;
use super::jobs::Jobs;
use super::listener::{Connections, KillSwitch};
use super::log::RequestLog;
use super::queries::Queries;
use super::routes;
use super::running::Running;
use super::service::answer;
use super::transactions::Transactions;
use crate::error::ArangoError;
use crate::storage::{Store, User};

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
        let anyone = root.is_none().then(|| Arc::new(User::anyone()));
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

/// Ends cursors and transactions whose time is over, as long as the server is there.
async fn sweep(app: Weak<App>) {
    loop {
        tokio::time::sleep(SWEEP).await;
        let Some(app) = app.upgrade() else { return };
        app.cursors.count();
        app.transactions.count();
    }
}
