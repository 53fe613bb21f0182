//! What an instance learns once and the next one is handed: the schema, the server's version, the canary's verdicts.
//!
//! A host that gives each call a fresh instance keeps the JSON that `configure` returns and hands it in, and then no request
//! is made. The JSON is bound to the settings by a digest and to this form by a number. What does not fit is an error
//! `stale-prepared`, on which a host configures again without it. It holds names and counts, no documents and no secrets.

use crate::arango::canary::{Canary, Verdict};
use crate::arango::version::Version;
use crate::arango::{Client, OwnQuery};
use crate::ask::{Configured, Error, ErrorKind, Notice, Result};
use crate::json::{self, Fault, MAX_DEPTH, Reader, Token, Value, Writer};
use crate::outside::Outside;
use crate::schema::wire::write_all;
use crate::schema::{Collection, CollectionKind, Graph, Schema, View, reflect};
use crate::settings::Settings;

#[cfg(test)]
mod tests;

/// The number of this form. Another form is another number.
const FORM: u64 = 1;

/// What an instance knows of its database.
#[derive(Clone, Debug, PartialEq)]
pub struct Prepared {
    /// What the database holds, as far as the policy allows.
    pub schema: Schema,
    /// What the server is.
    pub version: Version,
    /// Whether the server refuses what a read-only transaction must not do.
    pub canary: Canary,
}

/// The members that name a verdict. Absent: refuses. Empty: does not refuse. Else the reason why it is not known.
const READS: &str = "reads";
const WRITES: &str = "writes";

/// What is read of the JSON before it is held against the settings.
#[derive(Default)]
struct Kept {
    form: Option<u64>,
    digest: Option<String>,
    version: Version,
    canary: [Option<String>; 2],
    collections: Option<Vec<Collection>>,
    graphs: Vec<Graph>,
    views: Vec<View>,
    warnings: Vec<Notice>,
}

impl Kept {
    /// Reads the members one by one: a tree of the whole would take a multiple of the text's room, which a WebAssembly
    /// instance never gives back. What is missing stays empty. `Err` at the first member that cannot be read.
    fn read(&mut self, reader: &mut Reader<'_>) -> core::result::Result<(), Unreadable> {
        if reader.next()? != Some(Token::BeginObject) {
            return Err(Unreadable);
        }
        while let Some(Token::Key(key)) = reader.next()? {
            match key.decode().as_ref() {
                "collections" => self.collections = Some(items(reader, Collection::read)?),
                "graphs" => self.graphs = items(reader, Graph::read)?,
                "views" => self.views = items(reader, View::read)?,
                "warnings" => self.warnings = items(reader, notice)?,
                "querent" => self.form = Value::read(reader)?.whole(),
                "digest" => self.digest = maybe(reader)?,
                "version" => self.version.number = maybe(reader)?,
                "license" => self.version.license = maybe(reader)?,
                READS => self.canary[0] = maybe(reader)?,
                WRITES => self.canary[1] = maybe(reader)?,
                _ => _ = reader.raw_value()?,
            }
        }
        reader.next()?;
        Ok(())
    }
}

/// A member that is not what was written.
struct Unreadable;

impl From<Fault> for Unreadable {
    fn from(_: Fault) -> Unreadable {
        Unreadable
    }
}

/// The list that is next, an item at a time.
fn items<T>(
    reader: &mut Reader<'_>,
    read: fn(&Value<'_>) -> Option<T>,
) -> core::result::Result<Vec<T>, Unreadable> {
    if reader.next()? != Some(Token::BeginArray) {
        return Err(Unreadable);
    }
    let mut items = Vec::new();
    while reader.more_items() {
        items.push(read(&Value::read(reader)?).ok_or(Unreadable)?);
    }
    reader.next()?;
    Ok(items)
}

/// The text that is next, or null.
fn maybe(reader: &mut Reader<'_>) -> core::result::Result<Option<String>, Unreadable> {
    match Value::read(reader)? {
        Value::Null => Ok(None),
        Value::Text(text) => Ok(Some(text.decode().into_owned())),
        _ => Err(Unreadable),
    }
}

fn notice(value: &Value<'_>) -> Option<Notice> {
    match value.list()? {
        [code, message] => Some(Notice::new(code.text()?, message.text()?)),
        _ => None,
    }
}

impl Prepared {
    /// The JSON that the next instance takes.
    pub fn to_json(&self, settings: &Settings) -> String {
        let mut json = Writer::default();
        json.begin('{');
        json.key("querent").whole(FORM);
        json.key("digest").text(&settings.digest());
        let texts = [
            ("version", self.version.number.as_deref()),
            ("license", self.version.license.as_deref()),
            (READS, keep(&self.canary.undeclared_reads)),
            (WRITES, keep(&self.canary.writes)),
        ];
        for (name, text) in texts {
            if let Some(text) = text {
                json.key(name).text(text);
            }
        }
        json.key("collections");
        write_all(&self.schema.collections, Collection::write, &mut json);
        json.key("graphs");
        write_all(&self.schema.graphs, Graph::write, &mut json);
        json.key("views");
        write_all(&self.schema.views, View::write, &mut json);
        json.key("warnings").begin('[');
        for notice in &self.schema.warnings {
            json.texts(&[&notice.code, &notice.message]);
        }
        json.end(']');
        json.end('}');
        json.finish()
    }

    /// Reads what another instance with the same settings was given.
    ///
    /// # Errors
    ///
    /// `configuration` with the code `stale-prepared`: it is not this component's, of another form, or bound to other
    /// settings.
    pub fn from_json(json: &str, settings: &Settings) -> Result<Prepared> {
        let mut kept = Kept::default();
        let mut reader = Reader::new(json, MAX_DEPTH);
        let read = kept.read(&mut reader);
        if let Some(form) = kept.form.filter(|form| *form != FORM) {
            return Err(stale(&format!(
                "it has the form {form}, and this component reads {FORM}"
            )));
        }
        let (Ok(()), Some(_), Some(digest), Some(collections)) =
            (read, kept.form, kept.digest, kept.collections)
        else {
            let (line, column) = json::place(json, reader.offset());
            return Err(stale(&format!(
                "it is not what `configure` returned (line {line} column {column})"
            )));
        };
        if digest != settings.digest() {
            return Err(stale("it belongs to other settings"));
        }
        // Look-ups search by halving.
        let sorted = collections.is_sorted_by(|one, other| one.name < other.name);
        let allowed = collections
            .iter()
            .all(|collection| settings.policy.allows(&collection.name));
        if !sorted || !allowed {
            return Err(stale("it was changed after `configure` returned it"));
        }
        let [reads, writes] = kept.canary;
        Ok(Prepared {
            schema: Schema {
                database: settings.database.clone(),
                collections,
                graphs: kept.graphs,
                views: kept.views,
                warnings: kept.warnings,
            },
            version: kept.version,
            canary: Canary {
                undeclared_reads: verdict(reads),
                writes: verdict(writes),
            },
        })
    }

    /// What the configuration gives reason to say.
    fn warnings(&self, settings: &Settings) -> Vec<Notice> {
        let mut warnings = settings.warnings.clone();
        if self.version.number.is_none() {
            warnings.push(Notice::new(
                "version-hidden",
                "the server does not tell its version to this user; queries are written for ArangoDB 3.12",
            ));
        }
        warnings.extend(self.schema.warnings.iter().cloned());
        warnings.extend(self.canary.warnings());
        warnings
    }

    /// What was found, for a person and a log.
    fn summary(&self) -> String {
        let edges = self
            .schema
            .collections
            .iter()
            .filter(|collection| collection.kind == CollectionKind::Edge)
            .count();
        let documents = self
            .schema
            .collections
            .iter()
            .fold(0_u64, |sum, collection| {
                sum.saturating_add(collection.count.unwrap_or(0))
            });
        let barrier = |verdict: &Verdict| match verdict {
            Verdict::Refuses => "refuses",
            Verdict::DoesNotRefuse => "does-not-refuse",
            Verdict::Unknown(_) => "unknown",
        };
        let mut json = Writer::default();
        json.begin('{');
        json.key("collections").count(self.schema.collections.len());
        json.key("database").text(&self.schema.database);
        json.key("documents").whole(documents);
        json.key("edge_collections").count(edges);
        json.key("graphs").count(self.schema.graphs.len());
        json.key("license")
            .maybe_text(self.version.license.as_deref());
        json.key("read_only_transaction").begin('{');
        json.key("undeclared_reads")
            .text(barrier(&self.canary.undeclared_reads));
        json.key("writes").text(barrier(&self.canary.writes));
        json.end('}');
        json.key("server").text("ArangoDB");
        json.key("version")
            .maybe_text(self.version.number.as_deref());
        json.key("views").count(self.schema.views.len());
        json.end('}');
        json.finish()
    }
}

fn keep(verdict: &Verdict) -> Option<&str> {
    match verdict {
        Verdict::Refuses => None,
        Verdict::DoesNotRefuse => Some(""),
        Verdict::Unknown(why) => Some(why),
    }
}

fn verdict(kept: Option<String>) -> Verdict {
    match kept {
        None => Verdict::Refuses,
        Some(why) if why.is_empty() => Verdict::DoesNotRefuse,
        Some(why) => Verdict::Unknown(why),
    }
}

fn stale(why: &str) -> Box<Error> {
    Error::new(
        ErrorKind::Configuration,
        "stale-prepared",
        format!("`prepared` does not fit: {why}; configure without it, and keep what that returns"),
    )
}

/// Binds to a database.
///
/// Without `prepared`: checks the settings, runs `RETURN 1`, asks for the version, reflects the schema, and tries the
/// read-only transaction. With a `prepared` that fits: checks both, and sends no request.
///
/// # Errors
///
/// The settings' errors; `stale-prepared`; of the probe, `configuration` for a database that is not there,
/// `database-unauthorized`, `database-unreachable` and `timeout`. The error's usage says what was spent.
pub fn configure(
    outside: &Outside<'_>,
    settings_json: &str,
    prepared: Option<String>,
) -> Result<(Configured, Settings, Prepared)> {
    let settings = Settings::parse(settings_json)?;
    let (prepared, json) = match prepared {
        // The text goes back as it came: it is large, and nothing in it changed.
        Some(json) => (Prepared::from_json(&json, &settings)?, json),
        None => {
            let found = discover(&Client::new(outside, &settings)).map_err(|mut error| {
                error.usage = outside.usage();
                error
            })?;
            let json = found.to_json(&settings);
            (found, json)
        }
    };
    let configured = Configured {
        summary: prepared.summary(),
        prepared: json,
        warnings: prepared.warnings(&settings),
        usage: outside.usage(),
    };
    Ok((configured, settings, prepared))
}

/// Learns of the database what there is to learn.
fn discover(client: &Client<'_>) -> Result<Prepared> {
    probe(client)?;
    let version = match client.version()? {
        Ok(version) => version,
        // A hardened server may keep its version to its administrators.
        Err(error) if error.status != 401 && error.is_forbidden() => Version::default(),
        Err(error) => return Err(error.to_error()),
    };
    let schema = reflect(client)?;
    let readable = schema
        .collections
        .iter()
        .find(|collection| collection.count.is_some());
    let canary = match readable {
        Some(collection) => client.canary(&collection.name)?,
        None => Canary::unknown("there is no collection to try it on"),
    };
    Ok(Prepared {
        schema,
        version,
        canary,
    })
}

/// Runs `RETURN 1`: database, credentials and permission together, before anything else is asked.
fn probe(client: &Client<'_>) -> Result<()> {
    let rows = client
        .own(&OwnQuery::new("RETURN 1"))?
        .map_err(|error| error.to_error())?;
    let first = rows.rows.get(0);
    if first == Some("1") {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::DatabaseUnreachable,
        "not-arangodb",
        "the answer to `RETURN 1` is not 1; check the address in the host's configuration, and what stands between",
    ))
}
