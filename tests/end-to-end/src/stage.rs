//! One server, one host, one tenant.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};

use embedded_arango::data::DataSet;
use embedded_arango::storage::User;
use embedded_arango::{EmbeddedArango, Running};
use host_example::component::{BYTES, Loaded};
use host_example::http::{Credentials, Origin, OriginOptions};
use host_example::{
    EngineOptions, Host, HostCall, Limits, Observer, Plugin, Secret, TenantSpec, engine, grants,
};
use serde_json::{Value, json};

use crate::{Replies, Spy};

/// The component, compiled once for all tests of a process.
fn loaded() -> Loaded {
    static LOADED: OnceLock<Loaded> = OnceLock::new();
    LOADED
        .get_or_init(|| Loaded::new(&engine(EngineOptions::default()).unwrap(), BYTES).unwrap())
        .clone()
}

/// The database that the server holds.
pub const DATABASE: &str = "bookshop";

/// The password of the server's `root`, unless a test says otherwise.
const PASSWORD: &str = "open sesame";

/// How a stage is set.
pub struct StageOptions {
    /// The database that the component is bound to.
    pub database: String,
    /// Further settings of the component's.
    pub settings: Value,
    /// The password that the host uses.
    pub password: String,
    /// The user that the host uses.
    pub user: String,
    /// Users of the server beside `root`.
    pub users: Vec<User>,
    /// The host's limits.
    pub limits: Limits,
    /// What the database holds.
    pub data: DataSet,
}

impl Default for StageOptions {
    /// The demo data, `root` with the right password, default settings and limits.
    fn default() -> StageOptions {
        StageOptions {
            database: DATABASE.into(),
            settings: json!({}),
            password: PASSWORD.into(),
            user: "root".into(),
            users: Vec::new(),
            limits: Limits::default(),
            data: DataSet::demo(),
        }
    }
}

/// One server, one host, one tenant.
pub struct Stage {
    /// The server.
    pub server: Running,
    /// The host.
    pub host: Host,
    /// The tenant's plugin.
    pub plugin: Plugin,
    /// The model.
    pub model: Replies,
    /// What crossed the boundary to the database.
    pub spy: Spy,
    /// The host's audit lines.
    pub calls: Arc<Calls>,
}

/// The host's audit lines, kept.
#[derive(Default)]
pub struct Calls(Mutex<Vec<HostCall>>);

impl Calls {
    /// The lines so far.
    pub fn all(&self) -> Vec<HostCall> {
        self.0.lock().unwrap().clone()
    }
}

impl Observer for Calls {
    fn host_call(&self, call: &HostCall) {
        self.0.lock().unwrap().push(call.clone());
    }
}

impl Stage {
    /// A stage with the demo data and these replies of the model.
    pub async fn with_replies<S: Into<String>>(replies: impl IntoIterator<Item = S>) -> Stage {
        Stage::set(StageOptions::default(), Replies::new(replies)).await
    }

    /// A stage with the demo data, these settings and these replies of the model.
    pub async fn with_settings<S: Into<String>>(
        settings: Value,
        replies: impl IntoIterator<Item = S>,
    ) -> Stage {
        Stage::set(
            StageOptions {
                settings,
                ..StageOptions::default()
            },
            Replies::new(replies),
        )
        .await
    }

    /// Starts the server and the host.
    pub async fn set(options: StageOptions, model: Replies) -> Stage {
        let server = EmbeddedArango::builder()
            .listen("127.0.0.1:0")
            .password(PASSWORD)
            .users(options.users)
            .data(options.data.fill(DATABASE))
            .start()
            .await
            .unwrap();
        let origin = Origin::new(OriginOptions {
            url: server.url(),
            credentials: Credentials::Basic {
                user: options.user,
                password: Secret::new(options.password),
            },
            ca_file: None,
        })
        .unwrap();
        let spy = Spy::new(origin);
        let calls = Arc::new(Calls::default());
        let mut settings = options.settings;
        settings["database"] = options.database.clone().into();
        let spec = TenantSpec {
            settings: settings.to_string(),
            endpoints: BTreeMap::from([(
                "database".to_string(),
                (
                    grants::arango(&options.database).unwrap(),
                    Arc::new(spy.clone()) as _,
                ),
            )]),
            model: Arc::new(model.clone()),
            limits: options.limits,
        };
        let host = Host::builder()
            .component(loaded())
            .tenant("default", spec)
            .observer(calls.clone())
            .build()
            .unwrap();
        let plugin = host.plugin("default").unwrap();
        Stage {
            server,
            host,
            plugin,
            model,
            spy,
            calls,
        }
    }

    /// A digest of all data of the database.
    pub fn digest(&self) -> String {
        self.server.digest(DATABASE).unwrap()
    }

    /// Asserts that the server has no open cursor and no open transaction, and stops it.
    pub async fn finish(self) {
        let stats = self.server.stats();
        assert_eq!(
            (stats.open_cursors, stats.open_transactions),
            (0, 0),
            "cursors and transactions left open"
        );
        self.server.shutdown().await.unwrap();
    }
}

/// A model's reply that holds this query.
pub fn reply(query: &str) -> String {
    json!({"isValid": true, "query": query}).to_string()
}
