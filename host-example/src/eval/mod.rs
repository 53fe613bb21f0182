//! How often the answers are right, measured on questions of one's own.
//!
//! Each question is asked through the component, with its model, and the query that is known to be right is run through kind
//! `read`; then the two sets of rows are compared, by value.
//!
//! ```no_run
//! use host_example::eval::{Evaluation, Record, Summary, questions};
//! use host_example::{Config, Host, config::Sources};
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let config: Config = Sources::new().file("querent.toml").environment().load()?;
//! let plugin = Host::new(&config)?.plugin("default")?;
//! let asked = questions(&std::fs::read_to_string("questions.jsonl")?)?;
//! let mut records: Vec<Record> = Vec::new();
//! Evaluation::new(plugin)
//!     .concurrency(4)
//!     .run(asked, |record| {
//!         records.push(record);
//!         Ok::<(), std::convert::Infallible>(())
//!     })
//!     .await?;
//! println!("{}", Summary::of(&records).markdown(&records));
//! # Ok(())
//! # }
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`question`] | the questions, from JSON lines |
//! | [`compare`] | when two sets of rows say the same |
//! | [`judge`] | what an answer is worth |
//! | [`record`] | one result as a JSON line, and files of them |
//! | [`runner`] | asks, some at a time |
//! | [`summary`] | the figures of a run, as Markdown |
//! | [`change`] | two runs, question by question |

pub mod change;
pub mod compare;
pub mod judge;
pub mod question;
pub mod record;
pub mod runner;
mod share;
pub mod summary;

mod markdown;

pub use change::Change;
pub use judge::Verdict;
pub use question::{Question, QuestionsError, questions};
pub use record::{Record, RecordFile, RecordsError};
pub use runner::Evaluation;
pub use share::Share;
pub use summary::Summary;
