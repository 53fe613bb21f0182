//! What an instance learns once and the next one is handed: the schema, the server's version, the canary's verdicts.
//!
//! A host that gives each call a fresh instance keeps the JSON that `configure` returns and hands it in, and then no request
//! is made. The JSON is bound to the settings by a digest and to this form by a number. What does not fit is an error
//! `stale-prepared`, on which a host configures again without it. It holds names and counts, no documents and no secrets.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::arango::canary::{Canary, Verdict};
use crate::arango::version::Version;
use crate::arango::{Client, OwnQuery};
use crate::ask::{Configured, Error, ErrorKind, Notice, Result};
use crate::outside::Outside;
use crate::schema::{Collection, CollectionKind, Graph, Schema, View, reflect};
use crate::settings::Settings;

#[cfg(test)]
mod tests;

/// The number of this form. Another form is another number.
const FORM: u32 = 1;

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

/// The form in JSON. Names are short, because they repeat.
#[derive(Serialize, Deserialize)]
struct Kept<'a> {
    querent: u32,
    digest: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    license: Option<String>,
    /// Absent: refuses. Empty: does not refuse. Else the reason why it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reads: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    writes: Option<String>,
    collections: Cow<'a, [Collection]>,
    #[serde(default)]
    graphs: Cow<'a, [Graph]>,
    #[serde(default)]
    views: Cow<'a, [View]>,
    #[serde(default)]
    warnings: Vec<(String, String)>,
}

/// The part that is the same in every form.
#[derive(Deserialize)]
struct Head {
    querent: u32,
}

impl Prepared {
    /// The JSON that the next instance takes.
    pub fn to_json(&self, settings: &Settings) -> String {
        let kept = Kept {
            querent: FORM,
            digest: settings.digest(),
            version: self.version.number.clone(),
            license: self.version.license.clone(),
            reads: keep(&self.canary.undeclared_reads),
            writes: keep(&self.canary.writes),
            collections: self.schema.collections.as_slice().into(),
            graphs: self.schema.graphs.as_slice().into(),
            views: self.schema.views.as_slice().into(),
            warnings: self
                .schema
                .warnings
                .iter()
                .map(|notice| (notice.code.clone(), notice.message.clone()))
                .collect(),
        };
        // Texts, numbers and lists alone: nothing that JSON could refuse.
        serde_json::to_string(&kept).unwrap_or_default()
    }

    /// Reads what another instance with the same settings was given.
    ///
    /// # Errors
    ///
    /// `configuration` with the code `stale-prepared`: it is not this component's, of another form, or bound to other
    /// settings.
    pub fn from_json(json: &str, settings: &Settings) -> Result<Prepared> {
        let kept: Kept<'_> = serde_json::from_str(json).map_err(|error| {
            let why = match serde_json::from_str::<Head>(json) {
                Ok(head) if head.querent != FORM => other_form(head.querent),
                _ => format!(
                    "it is not what `configure` returned (line {} column {})",
                    error.line(),
                    error.column()
                ),
            };
            stale(&why)
        })?;
        if kept.querent != FORM {
            return Err(stale(&other_form(kept.querent)));
        }
        if kept.digest != settings.digest() {
            return Err(stale("it belongs to other settings"));
        }
        // Look-ups search by halving.
        let sorted = kept
            .collections
            .is_sorted_by(|one, other| one.name < other.name);
        let allowed = kept
            .collections
            .iter()
            .all(|collection| settings.policy.allows(&collection.name));
        if !sorted || !allowed {
            return Err(stale("it was changed after `configure` returned it"));
        }
        Ok(Prepared {
            schema: Schema {
                database: settings.database.clone(),
                collections: kept.collections.into_owned(),
                graphs: kept.graphs.into_owned(),
                views: kept.views.into_owned(),
                warnings: kept
                    .warnings
                    .into_iter()
                    .map(|(code, message)| Notice { code, message })
                    .collect(),
            },
            version: Version {
                number: kept.version,
                license: kept.license,
            },
            canary: Canary {
                undeclared_reads: verdict(kept.reads),
                writes: verdict(kept.writes),
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
        serde_json::json!({
            "server": "ArangoDB",
            "version": self.version.number,
            "license": self.version.license,
            "database": self.schema.database,
            "collections": self.schema.collections.len(),
            "edge_collections": edges,
            "documents": documents,
            "graphs": self.schema.graphs.len(),
            "views": self.schema.views.len(),
            "read_only_transaction": {
                "writes": barrier(&self.canary.writes),
                "undeclared_reads": barrier(&self.canary.undeclared_reads),
            },
        })
        .to_string()
    }
}

fn keep(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Refuses => None,
        Verdict::DoesNotRefuse => Some(String::new()),
        Verdict::Unknown(why) => Some(why.clone()),
    }
}

fn verdict(kept: Option<String>) -> Verdict {
    match kept {
        None => Verdict::Refuses,
        Some(why) if why.is_empty() => Verdict::DoesNotRefuse,
        Some(why) => Verdict::Unknown(why),
    }
}

fn other_form(form: u32) -> String {
    format!("it has the form {form}, and this component reads {FORM}")
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
    let first = rows.rows.first().map(|row| row.get());
    if first == Some("1") {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::DatabaseUnreachable,
        "not-arangodb",
        "the answer to `RETURN 1` is not 1; check the address in the host's configuration, and what stands between",
    ))
}
