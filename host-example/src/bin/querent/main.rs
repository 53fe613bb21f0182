//! The command `querent`: questions to a database, from a terminal.
//!
//! Results go to standard output, everything else to standard error. What went wrong decides the exit code: see [`exit`].

mod cli;
mod commands;
mod exit;
mod failure;
mod output;
mod session;

use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap::Parser as _;
use tracing_subscriber::EnvFilter;

use cli::Cli;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(words) => {
            // Help and version are not errors; clap knows which stream and colour each belongs to.
            let _ = words.print();
            return ExitCode::from(if words.use_stderr() {
                exit::USAGE
            } else {
                exit::OK
            });
        }
    };
    log_to_stderr(cli.global.verbose);
    let json = cli.command.wants_json();
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("querent: no threads to work with: {error}");
            return ExitCode::from(exit::OTHER);
        }
    };
    match runtime.block_on(commands::run(cli)) {
        Ok(()) => ExitCode::from(exit::OK),
        Err(failure) => {
            if json && let Some(record) = failure.json() {
                let _ = output::print(&(record + "\n"));
            }
            eprintln!("querent: {failure}");
            if failure.is_worth_an_examination() {
                eprintln!(
                    "querent: `querent doctor` tries each step on the way to the database, and says what to do"
                );
            }
            ExitCode::from(failure.exit_code())
        }
    }
}

/// `QUERENT_LOG` decides what is logged; without it warnings, and with `--verbose` each use of a capability.
fn log_to_stderr(verbose: bool) {
    let default = if verbose {
        "warn,host_example=debug,querent=info"
    } else {
        "warn"
    };
    let filter = std::env::var("QUERENT_LOG")
        .ok()
        .filter(|text| !text.is_empty());
    let filter = EnvFilter::builder().parse_lossy(filter.as_deref().unwrap_or(default));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .init();
}
