//! `querent init`: a commented configuration file to begin with.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::cli::Global;
use crate::failure::Failure;
use crate::output;

/// The file, every key with its default.
const TEMPLATE: &str = include_str!("querent.toml");

/// Writes the file. One that is there already stays as it is.
pub(crate) fn run(global: &Global) -> Result<(), Failure> {
    let path: PathBuf = global
        .config
        .clone()
        .unwrap_or_else(|| Path::new("querent.toml").to_owned());
    let shown = path.display().to_string();
    let mut file = File::create_new(&path).map_err(|error| Failure::Unwritable {
        path: shown.clone(),
        reason: match error.kind() {
            std::io::ErrorKind::AlreadyExists => {
                "it is there already, and was not touched".to_owned()
            }
            _ => error.to_string(),
        },
    })?;
    file.write_all(TEMPLATE.as_bytes())?;
    output::print(&format!(
        "{shown} is written. Name your database and model in it, then run `querent doctor`.\n"
    ))
}
