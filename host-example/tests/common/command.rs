//! The command `querent`, run as a shell runs it.

use std::path::Path;
use std::process::{Command, Output};

/// The command in this folder, with these variables and none of the machine's own that it would read.
pub fn command(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_querent"));
    command.current_dir(folder).args(arguments);
    for (name, _) in std::env::vars() {
        if ["QUERENT_", "OPENAI_", "ANTHROPIC_"]
            .iter()
            .any(|prefix| name.starts_with(prefix))
        {
            command.env_remove(name);
        }
    }
    command.envs(variables.iter().copied());
    command
}

/// Runs it to its end.
pub fn querent(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    command(folder, arguments, variables)
        .output()
        .expect("the command starts")
}

/// The exit code, and what stands on standard output and standard error.
pub fn outcome(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code().unwrap_or(-1),
        text(&output.stdout),
        text(&output.stderr),
    )
}
