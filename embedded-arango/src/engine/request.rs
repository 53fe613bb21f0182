//! A query with its options, the means to stop it, and what comes back.
//!
//! Options that a request leaves out have the server's defaults. An option of an unknown name, or of the wrong type, is
//! passed over, as the real server passes over it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use crate::error::ArangoError;
use crate::value::{Object, Value};

/// A query to plan or to run.
#[derive(Clone, Debug)]
pub struct Request {
    /// The text.
    pub query: String,
    /// The bind parameters; the key of a data source keeps its `@`.
    pub bind_vars: Object,
    /// The options.
    pub options: QueryOptions,
}

/// The options of a query that change what this server does.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryOptions {
    /// Count the rows that the last `LIMIT` cut off.
    pub full_count: bool,
    /// The most bytes that a query may hold; 0 is no limit.
    pub memory_limit: usize,
    /// The longest run in seconds; 0 is no limit.
    pub max_runtime: f64,
    /// Turn the first warning into an error.
    pub fail_on_warning: bool,
    /// The most warnings to keep.
    pub max_warning_count: usize,
    /// 0 to 4: 1 adds timings, 2 and more also counters for each node and the plan.
    pub profile: u8,
    /// Answer an explain with an array of plans.
    pub all_plans: bool,
    /// Optimizer rules to switch off (`-name`) and on (`+name`), in order.
    pub rules: Vec<String>,
}

impl Default for QueryOptions {
    fn default() -> Self {
        QueryOptions {
            full_count: false,
            memory_limit: 0,
            max_runtime: 0.0,
            fail_on_warning: false,
            max_warning_count: 10,
            profile: 0,
            all_plans: false,
            rules: Vec::new(),
        }
    }
}

impl QueryOptions {
    /// Reads the object that a request carries as `options`.
    pub fn from_json(options: &Json) -> Self {
        let mut read = QueryOptions::default();
        let flag = |name: &str| options.get(name).and_then(Json::as_bool);
        let number = |name: &str| options.get(name).and_then(Json::as_f64);
        read.full_count = flag("fullCount").unwrap_or(false);
        read.fail_on_warning = flag("failOnWarning").unwrap_or(false);
        read.all_plans = flag("allPlans").unwrap_or(false);
        if let Some(limit) = number("memoryLimit").filter(|limit| *limit >= 0.0) {
            read.memory_limit = limit as usize;
        }
        if let Some(seconds) = number("maxRuntime").filter(|seconds| *seconds >= 0.0) {
            read.max_runtime = seconds;
        }
        if let Some(count) = number("maxWarningCount").filter(|count| *count >= 0.0) {
            read.max_warning_count = count as usize;
        }
        read.profile = match options.get("profile") {
            Some(Json::Bool(true)) => 1,
            Some(Json::Number(level)) => level.as_u64().unwrap_or(0).min(4) as u8,
            _ => 0,
        };
        if let Some(rules) = options
            .get("optimizer")
            .and_then(|optimizer| optimizer.get("rules"))
            .and_then(Json::as_array)
        {
            read.rules = rules
                .iter()
                .filter_map(Json::as_str)
                .map(str::to_owned)
                .collect();
        }
        read
    }
}

/// The means to stop a running query.
#[derive(Clone, Debug, Default)]
pub struct Control {
    killed: Arc<AtomicBool>,
    deadline: Option<Instant>,
    memory_limit: usize,
}

impl Control {
    /// A control with the limits of the options.
    pub fn new(options: &QueryOptions) -> Self {
        let runtime = Duration::try_from_secs_f64(options.max_runtime).unwrap_or(Duration::MAX);
        Control {
            killed: Arc::default(),
            deadline: (options.max_runtime > 0.0)
                .then(|| Instant::now().checked_add(runtime))
                .flatten(),
            memory_limit: options.memory_limit,
        }
    }

    /// The flag that stops the query when it is set; it may be set from any thread.
    pub fn kill_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.killed)
    }

    /// The most bytes that the query may hold; 0 is no limit.
    pub fn memory_limit(&self) -> usize {
        self.memory_limit
    }

    /// Fails with 1500 once the query was killed or its time has run out.
    pub fn check(&self) -> Result<(), ArangoError> {
        let late = self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline);
        if late || self.killed.load(Ordering::Relaxed) {
            return Err(ArangoError::query_killed());
        }
        Ok(())
    }
}

/// A warning: it does not fail the query unless `failOnWarning` was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// ArangoDB's error number.
    pub code: u16,
    /// The sentence.
    pub message: String,
}

/// What a query counted while it ran.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// Documents written.
    pub writes_executed: u64,
    /// Writes that failed and were ignored.
    pub writes_ignored: u64,
    /// Documents looked up after an index scan.
    pub document_lookups: u64,
    /// Index seeks.
    pub seeks: u64,
    /// Documents read by scanning a collection.
    pub scanned_full: u64,
    /// Documents read through an index.
    pub scanned_index: u64,
    /// Index cursors opened.
    pub cursors_created: u64,
    /// Rows that a filter refused.
    pub filtered: u64,
    /// Seconds from start to end.
    pub execution_time: f64,
    /// The most bytes held at once, in steps of 32 KiB.
    pub peak_memory_usage: usize,
    /// Rows before the last `LIMIT`, where they were asked for.
    pub full_count: Option<u64>,
}

impl Stats {
    /// The `stats` of a cursor's `extra`.
    pub fn to_json(&self) -> Json {
        let mut stats = serde_json::json!({
            "writesExecuted": self.writes_executed,
            "writesIgnored": self.writes_ignored,
            "documentLookups": self.document_lookups,
            "seeks": self.seeks,
            "scannedFull": self.scanned_full,
            "scannedIndex": self.scanned_index,
            "searchParallelism": 1,
            "cursorsCreated": self.cursors_created,
            "cursorsRearmed": 0,
            "cacheHits": 0,
            "cacheMisses": 0,
            "filtered": self.filtered,
            "httpRequests": 0,
        });
        if let Json::Object(stats) = &mut stats {
            if let Some(count) = self.full_count {
                stats.insert("fullCount".into(), count.into());
            }
            stats.insert("executionTime".into(), self.execution_time.into());
            stats.insert("peakMemoryUsage".into(), self.peak_memory_usage.into());
            stats.insert("intermediateCommits".into(), 0.into());
        }
        stats
    }
}

/// A query's result.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The rows, in order.
    pub rows: Vec<Value>,
    /// The counters.
    pub stats: Stats,
    /// The warnings, at most as many as the options allow.
    pub warnings: Vec<Warning>,
    /// The plan as explain shows it; only with `profile` 2 and more.
    pub plan: Option<Json>,
    /// Seconds by phase; only with `profile` 1 and more.
    pub profile: Option<Json>,
    /// Calls, rows and filtered rows by node, `stats.nodes` of a response; only with `profile` 2 and more.
    pub nodes: Option<Json>,
    /// Whether the text holds a statement that writes.
    pub is_modification: bool,
}
