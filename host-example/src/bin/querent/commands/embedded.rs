//! `querent embedded`: the embedded server alone, to try things out against.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use embedded_arango::data::{DataSet, Source};
use embedded_arango::{EmbeddedArango, Running};

use crate::failure::Failure;
use crate::output;

/// Where the demonstration data is.
pub(crate) const DEMO_DATABASE: &str = "bookshop";

/// Serves until it is interrupted.
pub(crate) async fn run(
    listen: SocketAddr,
    data: &str,
    password_file: Option<PathBuf>,
) -> Result<(), Failure> {
    let source = Source::parse(data);
    let database = if source == Source::Demo {
        DEMO_DATABASE
    } else {
        "_system"
    };
    let data = source
        .read()
        .map_err(|error| Failure::Embedded(error.to_string()))?;
    let password = password(password_file.as_deref())?;
    let server = start(&listen.to_string(), &password, database, data).await?;
    eprintln!(
        "database `{database}`, user `root`, {}",
        if password.is_empty() {
            "no password"
        } else {
            "a password"
        }
    );
    output::print(&format!("listening on {}\n", server.url()))?;
    tokio::signal::ctrl_c().await?;
    server.shutdown().await?;
    Ok(())
}

/// A server with this data in this database.
pub(crate) async fn start(
    listen: &str,
    password: &str,
    database: &str,
    data: DataSet,
) -> Result<Running, Failure> {
    EmbeddedArango::builder()
        .listen(listen)
        .password(password)
        .data(data.fill(database))
        .start()
        .await
        .map_err(|error| Failure::Embedded(format!("cannot serve on `{listen}`: {error}")))
}

/// From the file, or the environment, or none.
fn password(file: Option<&Path>) -> Result<String, Failure> {
    let Some(path) = file else {
        return Ok(std::env::var("QUERENT_EMBEDDED_PASSWORD").unwrap_or_default());
    };
    let text = std::fs::read_to_string(path).map_err(|error| Failure::Unreadable {
        path: path.display().to_string(),
        reason: error.to_string(),
    })?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}
