//! A configured node: questions, the schema, translation, and the tools.
//!
//! The functions of this module take the node as an option: what works before `configure` works without one, and everything
//! else then fails with the code `not-configured`. Each call counts what it uses, on success and on failure alike.

mod execute;
mod input;
mod lanes;
mod question;
mod raw_query;
pub mod tools;
mod translation;

use crate::arango::clean_to;
use crate::ask::{
    Answer, AqlAnswer, AqlRequest, Configured, Error, ErrorKind, QuestionKind, QuestionRequest,
    Result,
};
use crate::find::listed;
use crate::gate::{Author, Rules};
use crate::outside::Outside;
use crate::ports::{Http, Llm};
use crate::prepared::{self, Prepared};
use crate::schema::Schema;
use crate::settings::Settings;
use crate::translate::prose::Prose;

pub use raw_query::RawQuery;

/// A node that is bound to a database.
pub struct Node {
    settings: Settings,
    prepared: Prepared,
}

impl Node {
    /// Binds a node to the database of these settings: see `configure` in the WIT contract.
    ///
    /// # Errors
    ///
    /// `configuration` for settings that are not valid, for a database that does not exist and for a `prepared` that does
    /// not fit (`stale-prepared`); otherwise the kind of what failed.
    pub fn configure(
        llm: &dyn Llm,
        http: &dyn Http,
        settings: &str,
        prepared: Option<String>,
    ) -> Result<(Node, Configured)> {
        counted(llm, http, |outside| {
            let (configured, settings, prepared) =
                prepared::configure(outside, settings, prepared)?;
            Ok((Node { settings, prepared }, configured))
        })
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The schema as JSON, as the policy lets it be seen; of one collection, where one is named.
    ///
    /// # Errors
    ///
    /// `invalid-input` with the code `unknown-collection` where there is none of this name.
    pub fn schema(&self, collection: Option<&str>) -> Result<String> {
        let schema = &self.prepared.schema;
        match collection {
            Some(name) if schema.collection(name).is_none() => {
                Err(unknown_collection(schema, name))
            }
            _ => Ok(schema.tool_json(collection)),
        }
    }

    /// What the gate judges by.
    fn rules(&self, author: Author) -> Rules<'_> {
        Rules {
            author,
            settings: &self.settings,
            schema: &self.prepared.schema,
            canary: &self.prepared.canary,
        }
    }
}

/// Answers one question.
///
/// # Errors
///
/// Every [`ErrorKind`]: see there.
pub fn question(
    node: Option<&Node>,
    llm: &dyn Llm,
    http: &dyn Http,
    request: &QuestionRequest,
) -> Result<Answer> {
    if request.kind == QuestionKind::Dialect {
        return Ok(lanes::dialect(request.outputs));
    }
    let node = configured(node)?;
    counted(llm, http, |outside| {
        let mut answer = match request.kind {
            QuestionKind::Execute => execute::execute(node, outside, request),
            QuestionKind::Read => question::read(node, outside, request),
            QuestionKind::Ask | QuestionKind::Dialect => question::ask(node, outside, request),
        }?;
        if request.outputs.prose && request.kind != QuestionKind::Ask {
            let prose = Prose::not_made("`read` and `execute` ask no model");
            answer.warnings.extend(prose.warning);
        }
        answer.usage = outside.usage();
        Ok(answer)
    })
}

/// Translates one question without running the query.
///
/// # Errors
///
/// As [`question`], but for what can only fail when a query runs.
pub fn aql(
    node: Option<&Node>,
    llm: &dyn Llm,
    http: &dyn Http,
    request: &AqlRequest,
) -> Result<AqlAnswer> {
    let node = configured(node)?;
    counted(llm, http, |outside| {
        let mut answer = translation::aql(node, outside, request)?;
        answer.usage = outside.usage();
        Ok(answer)
    })
}

/// The schema as JSON.
///
/// # Errors
///
/// `configuration` before `configure`; otherwise as [`Node::schema`].
pub fn schema(node: Option<&Node>, collection: Option<&str>) -> Result<String> {
    configured(node)?.schema(collection)
}

fn unknown_collection(schema: &Schema, name: &str) -> Box<Error> {
    let near = schema.nearest(name);
    let advice = if near.is_empty() {
        String::new()
    } else {
        format!("; nearest are {}", listed(&near))
    };
    let shown = clean_to(name, 256);
    Error::new(
        ErrorKind::InvalidInput,
        "unknown-collection",
        format!("there is no collection `{shown}` to be seen{advice}"),
    )
}

/// The node, or the error that says that there is none yet.
fn configured(node: Option<&Node>) -> Result<&Node> {
    node.ok_or_else(|| {
        Error::new(
            ErrorKind::Configuration,
            "not-configured",
            "no database is configured; call `configure` with the settings first",
        )
    })
}

/// Runs a call with counters of its own, and puts them into its error where it fails.
fn counted<T>(
    llm: &dyn Llm,
    http: &dyn Http,
    call: impl FnOnce(&Outside<'_>) -> Result<T>,
) -> Result<T> {
    let outside = Outside::new(llm, http);
    call(&outside).map_err(|mut error| {
        error.usage = outside.usage();
        error
    })
}
