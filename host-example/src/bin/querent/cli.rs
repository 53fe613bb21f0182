//! What can be typed.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use host_example::config::DEFAULT_TENANT;
use host_example::eval::Share;

use crate::exit;

/// Questions in plain language, answered from ArangoDB by read-only queries that a model writes inside a sandbox.
#[derive(Debug, Parser)]
#[command(name = "querent", version, after_help = exit::HELP)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every command.
#[derive(Args, Clone, Debug)]
pub(crate) struct Global {
    /// Configuration file [default: `querent.toml` where it is there]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Whose database to ask
    #[arg(long, global = true, value_name = "NAME", default_value = DEFAULT_TENANT)]
    pub(crate) tenant: String,
    /// Model to use: `openai:NAME`, `anthropic:NAME`, `scripted:FILE` or `exchange:DIR`
    #[arg(long, global = true, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Log each use of a capability to standard error
    #[arg(long, short, global = true)]
    pub(crate) verbose: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show questions answered from demo data in an embedded server; needs nothing else
    Demo {
        /// A question of your own, instead of the ones that come with the demo
        question: Option<String>,
        /// Print the records as JSON, one a line
        #[arg(long)]
        json: bool,
    },
    /// Write a commented `querent.toml`, or the file of `--config`; one that is there stays as it is
    Init,
    /// Try all that an answer needs (configuration, server, credentials, rights, schema, model) and say what to do
    Doctor {
        /// Print the checks as JSON
        #[arg(long)]
        json: bool,
    },
    /// Ask questions in a conversation, line by line
    Chat {
        /// Answer in words too, by a second call to the model, which sees the first rows
        #[arg(long)]
        prose: bool,
        #[command(flatten)]
        limit: Limit,
    },
    /// Ask a question
    Ask {
        /// The question, in plain language
        question: String,
        /// Answer in words too, by a second call to the model, which sees the first rows
        #[arg(long)]
        prose: bool,
        #[command(flatten)]
        output: Output,
        #[command(flatten)]
        limit: Limit,
    },
    /// Translate a question into AQL, without running it
    Aql {
        /// The question, in plain language
        question: String,
        /// Print the whole record as JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        limit: Limit,
    },
    /// Show the schema as JSON
    Schema {
        /// Only this collection
        collection: Option<String>,
        /// Print it on one line, as the component gave it
        #[arg(long)]
        json: bool,
    },
    /// Run a query of your own through every gate, without a model
    Read {
        #[command(flatten)]
        query: Query,
        #[command(flatten)]
        output: Output,
        #[command(flatten)]
        limit: Limit,
    },
    /// Run a query as it stands; refused unless the settings allow it
    Execute {
        #[command(flatten)]
        query: Query,
        #[command(flatten)]
        output: Output,
        #[command(flatten)]
        limit: Limit,
    },
    /// Call one of the tools: `get_data`, `get_schema`, `get_aql`
    Tool {
        /// The tool's name
        name: String,
        /// Its arguments, a JSON object
        #[arg(default_value = "{}")]
        arguments: String,
        /// Print the result as JSON, which is what a tool returns in any case
        #[arg(long)]
        json: bool,
    },
    /// Measure how many answers are right, on questions with known queries
    Eval(Eval),
    /// Run the embedded server alone, for trying things out; user `root`
    Embedded {
        /// Address to listen on; port 0 picks one
        #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8529")]
        listen: SocketAddr,
        /// What is in it: `demo`, `empty`, or a data file
        #[arg(long, value_name = "DATA", default_value = "demo")]
        data: String,
        /// File with the password of `root` [default: `QUERENT_EMBEDDED_PASSWORD`, or none]
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
    },
    /// Show what a component imports and exports, and whether this host would load it
    Audit {
        /// The component
        file: PathBuf,
        /// Print the record as JSON
        #[arg(long)]
        json: bool,
    },
}

/// An evaluation.
#[derive(Args, Clone, Debug)]
pub(crate) struct Eval {
    /// Questions as JSON lines: {"question": "…", "aql": "…"}; `null` for the query where a refusal is right
    pub(crate) questions: PathBuf,
    /// Write each result to this file as a JSON line; questions whose result is in it are not asked again
    #[arg(long, value_name = "FILE")]
    pub(crate) results: Option<PathBuf>,
    /// Write the summary to this file, too, as Markdown
    #[arg(long, value_name = "FILE")]
    pub(crate) summary: Option<PathBuf>,
    /// Compare with the results of an earlier run, question by question
    #[arg(long, value_name = "OLD")]
    pub(crate) compare: Option<PathBuf>,
    /// Exit with 1 where fewer answers are right: a share (0.9) or percent (90)
    #[arg(long, value_name = "N")]
    pub(crate) min_accuracy: Option<Share>,
    /// Ask the demo data in an embedded server
    #[arg(long)]
    pub(crate) demo: bool,
    /// Questions at a time [default: 4, or 1 for `scripted` and `exchange`, whose replies have an order]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) concurrency: Option<u32>,
    /// Ask the first N questions only
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: Option<u32>,
}

/// How rows are printed.
#[derive(Args, Clone, Copy, Debug, Default)]
#[group(multiple = false)]
pub(crate) struct Output {
    /// Print the whole record as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Print the rows as CSV
    #[arg(long)]
    pub(crate) csv: bool,
    /// Print the rows as JSON, one a line
    #[arg(long)]
    pub(crate) jsonl: bool,
}

/// How many rows are wanted.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct Limit {
    /// Rows wanted [default: the settings']
    #[arg(long, value_name = "ROWS")]
    pub(crate) limit: Option<u32>,
}

/// A query of the caller's.
#[derive(Args, Clone, Debug)]
pub(crate) struct Query {
    /// The query
    pub(crate) aql: String,
    /// Bind variables, a JSON object
    #[arg(long, value_name = "JSON")]
    pub(crate) bind: Option<String>,
}

impl Command {
    /// Whether a failure is printed as JSON, too.
    pub(crate) fn wants_json(&self) -> bool {
        match self {
            Self::Aql { json, .. } | Self::Schema { json, .. } | Self::Audit { json, .. } => *json,
            Self::Ask { output, .. } | Self::Read { output, .. } | Self::Execute { output, .. } => {
                output.json
            }
            // The demo prints a failure with its question, the doctor among its checks.
            Self::Demo { .. }
            | Self::Doctor { .. }
            | Self::Chat { .. }
            | Self::Init
            | Self::Eval(_)
            | Self::Tool { .. }
            | Self::Embedded { .. } => false,
        }
    }
}
