//! Running a query: the only place that posts to `/_api/cursor`.
//!
//! Rows are taken as raw JSON text, each once and unread. Batches are followed until one row more than the limit has come,
//! or the bytes allowed are used up; then the cursor is released. What a broken server could do for ever (batches without
//! rows, batches without an end, another cursor's batches) ends in an error.

use crate::ask::{Error, ErrorKind, Notice, Result};
use crate::gate::ReadQuery;
use crate::node::RawQuery;

use super::client::{Call, foreign, text};
use super::page::{Page, Stats};
use super::paths::Route;
use super::{Client, DatabaseError, OwnQuery, RawRows, body, clean};

/// The three kinds of query that may run. There is no fourth: nothing else reaches the cursor.
#[derive(Clone, Copy, Debug)]
pub enum Runnable<'q> {
    /// A query that passed the gate.
    Read(&'q ReadQuery),
    /// A query of the core's own.
    Own(&'q OwnQuery),
    /// A query of the caller's, as it stands, where the settings allow it.
    Raw(&'q RawQuery),
}

/// The rows of a query.
#[derive(Debug, Default)]
pub struct Rows {
    /// The rows as the server wrote them, at most the limit.
    pub rows: RawRows,
    /// Whether the server had more.
    pub more: bool,
    /// The server's warnings, and what was cut or not released.
    pub warnings: Vec<Notice>,
    /// Documents that the query wrote.
    pub writes_executed: u64,
    /// Writes that failed and were told to be ignored.
    pub writes_ignored: u64,
}

/// The most warnings taken from one query. The server sends ten unless told otherwise.
const MOST_WARNINGS: usize = 20;

/// Batches in a row that bring no row and promise more.
const MOST_EMPTY_BATCHES: u32 = 3;

/// Batches beyond those that the batch size asks for.
const SPARE_BATCHES: u32 = 16;

/// What is wanted of a run.
struct Wanted {
    limit: u32,
    batch: u32,
    bytes: u64,
}

impl Client<'_> {
    /// Runs a query of the core's own, outside any transaction.
    ///
    /// # Errors
    ///
    /// Outside: the exchange broke, or the answer is not ArangoDB's. Inside: the server refused the query.
    pub fn own(&self, query: &OwnQuery) -> Result<core::result::Result<Rows, DatabaseError>> {
        self.run(Runnable::Own(query), None, 10_000)
    }

    /// Runs a query of the caller's as it stands.
    ///
    /// # Errors
    ///
    /// As [`Client::own`]; `limit-exceeded` with the code `too-many-rows` where it returns more than `max_execute_rows`.
    pub fn raw(&self, query: &RawQuery) -> Result<core::result::Result<Rows, DatabaseError>> {
        let limit = self.settings.max_execute_rows;
        let rows = match self.run(Runnable::Raw(query), None, limit)? {
            Ok(rows) => rows,
            Err(error) => return Ok(Err(error)),
        };
        if rows.more {
            let wrote = if rows.writes_executed > 0 {
                format!("; it has written {} documents", rows.writes_executed)
            } else {
                String::new()
            };
            return Err(Error::new(
                ErrorKind::LimitExceeded,
                "too-many-rows",
                format!(
                    "the query returns more than `max_execute_rows` ({limit}) rows, or more than `limits.max_result_bytes` ({}) bytes{wrote}; add a LIMIT, or raise the setting",
                    self.settings.limits.max_result_bytes
                ),
            ));
        }
        Ok(Ok(rows))
    }

    /// Runs a query, and releases its cursor on every way out.
    pub(super) fn run(
        &self,
        runnable: Runnable<'_>,
        transaction: Option<&str>,
        limit: u32,
    ) -> Result<core::result::Result<Rows, DatabaseError>> {
        // The setting bounds what a caller reads. What the core asks for itself is small, and needed whole.
        let bytes = match runnable {
            Runnable::Own(_) => OWN_BYTES,
            Runnable::Read(_) | Runnable::Raw(_) => self.settings.limits.max_result_bytes,
        };
        // One batch where rows are of ordinary size: a cursor that stays open holds the transaction. At a kilobyte a row,
        // the batch fills the bytes allowed.
        let fitting = u32::try_from(bytes / 1024).unwrap_or(u32::MAX).max(100);
        let wanted = Wanted {
            limit,
            batch: limit.saturating_add(1).min(fitting),
            bytes,
        };
        let mut open = None;
        let outcome = self.collect(runnable, transaction, &wanted, &mut open);
        let unreleased = open.and_then(|id| self.close(&id, transaction));
        outcome.map(|rows| {
            rows.map(|mut rows| {
                rows.warnings.extend(unreleased);
                rows
            })
        })
    }

    /// Opens the cursor and takes its rows. `open` holds the cursor's id for as long as the server keeps it.
    fn collect(
        &self,
        runnable: Runnable<'_>,
        transaction: Option<&str>,
        wanted: &Wanted,
        open: &mut Option<String>,
    ) -> Result<core::result::Result<Rows, DatabaseError>> {
        let limits = &self.settings.limits;
        let body = match runnable {
            Runnable::Read(query) => {
                body::cursor(query.text(), query.bind_vars(), wanted.batch, limits)
            }
            Runnable::Own(query) => {
                body::cursor(query.aql(), &query.bind_vars(), wanted.batch, limits)
            }
            Runnable::Raw(query) => {
                body::cursor(query.text(), query.bind_vars(), wanted.batch, limits)
            }
        }?;
        let most_bytes = wanted.bytes.saturating_add(RESPONSE_FRAME_BYTES);
        let first = Call {
            transaction,
            ..Call::bounded(Route::OpenCursor, body, limits.query_runtime_ms, most_bytes)
        };

        let mut taken = Taken::new(wanted);
        let reply = match self.send(first)? {
            Ok(reply) => reply,
            Err(error) => return Ok(Err(error)),
        };
        let mut has_more = taken.page(Route::OpenCursor, &reply, open)?;
        self.outside.count_rows(taken.last_page);
        // The statistics say whether the query wrote: without them nothing does.
        if taken.stats.is_none() && matches!(runnable, Runnable::Read(_)) {
            return Err(foreign(Route::OpenCursor, "it has no statistics"));
        }
        drop(reply);

        let mut batches_left = wanted
            .limit
            .div_ceil(wanted.batch.max(1))
            .saturating_add(SPARE_BATCHES);
        while has_more && !taken.is_full() {
            let Some(id) = open.clone() else { break };
            let route = Route::NextBatch(&id);
            batches_left = batches_left.saturating_sub(1);
            if batches_left == 0 || taken.empty_pages > MOST_EMPTY_BATCHES {
                return Err(foreign(route, "its batches do not end"));
            }
            let next = Call {
                transaction,
                max_response_bytes: most_bytes,
                ..Call::short(route)
            };
            let reply = match self.send(next)? {
                Ok(reply) => reply,
                Err(error) => return Ok(Err(error)),
            };
            has_more = taken.page(route, &reply, open)?;
            self.outside.count_rows(taken.last_page);
        }
        Ok(Ok(taken.finish(has_more)))
    }

    /// Releases a cursor. A failure is a warning: the server drops the cursor by itself when it has idled.
    fn close(&self, id: &str, transaction: Option<&str>) -> Option<Notice> {
        let call = Call {
            transaction,
            ..Call::short(Route::CloseCursor(id))
        };
        let why = match self.send(call) {
            Ok(Ok(_)) => return None,
            Ok(Err(error)) if error.number == Some(1600) => return None,
            Ok(Err(error)) => error.to_error().message,
            Err(error) => error.message,
        };
        Some(Notice::new(
            "cursor-not-released",
            format!(
                "the cursor could not be released, and stays open until the server drops it: {why}"
            ),
        ))
    }
}

/// The most bytes of rows of a query of the core's own.
const OWN_BYTES: u64 = 16 * 1024 * 1024;

/// What stands around the rows of a response: statistics, warnings, commas.
const RESPONSE_FRAME_BYTES: u64 = 1024 * 1024;

/// The rows taken so far.
struct Taken<'w> {
    wanted: &'w Wanted,
    rows: Rows,
    bytes: u64,
    cut: bool,
    stats: Option<Stats>,
    last_page: usize,
    empty_pages: u32,
}

impl<'w> Taken<'w> {
    fn new(wanted: &'w Wanted) -> Taken<'w> {
        Taken {
            wanted,
            rows: Rows::default(),
            bytes: 0,
            cut: false,
            stats: None,
            last_page: 0,
            empty_pages: 0,
        }
    }

    fn most_rows(&self) -> usize {
        usize::try_from(self.wanted.limit.saturating_add(1)).unwrap_or(usize::MAX)
    }

    fn is_full(&self) -> bool {
        self.cut || self.rows.rows.len() >= self.most_rows()
    }

    /// Takes the rows of a response. Returns whether the server has more, and leaves in `open` the cursor to release.
    fn page(&mut self, route: Route<'_>, reply: &[u8], open: &mut Option<String>) -> Result<bool> {
        let page = Page::read(route, text(route, reply)?)?;
        if page.has_more {
            let id = page.id.filter(|id| is_id(id));
            let Some(id) = id else {
                return Err(foreign(route, "it promises more rows and names no cursor"));
            };
            if let Some(before) = open
                && *before != id
            {
                return Err(foreign(route, "it belongs to another cursor"));
            }
            *open = Some(id);
        } else {
            // The server has dropped the cursor with its last batch.
            *open = None;
        }

        self.last_page = page.rows.len();
        self.empty_pages = if page.rows.is_empty() {
            self.empty_pages.saturating_add(1)
        } else {
            0
        };
        let room = self.most_rows().saturating_sub(self.rows.rows.len());
        self.rows
            .rows
            .reserve(room.min(page.rows.len()), reply.len());
        for row in page.rows.iter().take(room) {
            let size = u64::try_from(row.len()).unwrap_or(u64::MAX);
            self.bytes = self.bytes.saturating_add(size).saturating_add(1);
            if self.bytes > self.wanted.bytes {
                self.cut = true;
                break;
            }
            self.rows.rows.push(row);
        }
        if let Some(extra) = page.extra {
            // Every batch repeats them.
            if self.stats.is_none() {
                self.warn(extra.warnings);
            }
            if extra.stats.is_some() {
                self.stats = extra.stats;
            }
        }
        Ok(page.has_more)
    }

    fn warn(&mut self, warnings: Vec<(u64, String)>) {
        for (code, message) in warnings {
            let notice = Notice::new(format!("arango-{code}"), clean(&message));
            let known = self.rows.warnings.contains(&notice);
            if !known && self.rows.warnings.len() < MOST_WARNINGS {
                self.rows.warnings.push(notice);
            }
        }
    }

    fn finish(mut self, has_more: bool) -> Rows {
        let limit = usize::try_from(self.wanted.limit).unwrap_or(usize::MAX);
        self.rows.more = has_more || self.cut || self.rows.rows.len() > limit;
        self.rows.rows.truncate(limit);
        if self.cut {
            self.rows.warnings.push(Notice::new(
                "result-bytes",
                format!(
                    "the rows were cut at {} bytes, the most that `limits.max_result_bytes` allows",
                    self.wanted.bytes
                ),
            ));
        }
        if let Some(stats) = self.stats {
            self.rows.writes_executed = stats.writes_executed;
            self.rows.writes_ignored = stats.writes_ignored;
        }
        self.rows
    }
}

/// Whether a text of the server's can be an identifier, to stand in a path and in a header.
pub(super) fn is_id(id: &str) -> bool {
    (1..=64).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
