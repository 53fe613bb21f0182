//! The official drivers and LangChain's graph chain, run against this server as their users run them.
//!
//! Python and Node install what they need into the build folder, once, from their package registries, at pinned versions. Where a
//! program or a registry is missing the test says so and passes: these are the only tests that leave the machine.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;

use embedded_arango::EmbeddedArango;

/// Two tests that install into one folder wait for each other.
static INSTALLING: Mutex<()> = Mutex::new(());

fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients")
}

fn installed(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("clients")
        .join(name)
}

/// Runs a program; `None` where it does not exist.
fn run(command: &mut Command) -> Option<Output> {
    command.output().ok()
}

fn said(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// A Python with the packages of `requirements.txt`, or why there is none.
fn python() -> Result<PathBuf, String> {
    let _one = INSTALLING
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let folder = installed("python");
    let wanted =
        std::fs::read_to_string(scripts().join("requirements.txt")).map_err(|e| e.to_string())?;
    let python = folder.join("bin/python");
    let mark = folder.join("installed.txt");
    if std::fs::read_to_string(&mark).is_ok_and(|have| have == wanted) {
        return Ok(python);
    }
    let made = run(Command::new("python3")
        .args(["-m", "venv", "--clear"])
        .arg(&folder))
    .ok_or("there is no python3")?;
    if !made.status.success() {
        return Err(format!("python3 -m venv failed: {}", said(&made)));
    }
    let filled = run(Command::new(&python)
        .args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--retries",
            "1",
            "--timeout",
            "30",
            "-r",
        ])
        .arg(scripts().join("requirements.txt")))
    .ok_or("the virtual environment has no Python")?;
    if !filled.status.success() {
        return Err(format!("pip install failed: {}", said(&filled)));
    }
    std::fs::write(&mark, wanted).map_err(|error| error.to_string())?;
    Ok(python)
}

/// A folder with the packages of `package.json` and the script, or why there is none.
fn node() -> Result<PathBuf, String> {
    let _one = INSTALLING
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let folder = installed("node");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let wanted =
        std::fs::read_to_string(scripts().join("package.json")).map_err(|e| e.to_string())?;
    let mark = folder.join("package.json");
    if std::fs::read_to_string(&mark).is_ok_and(|have| have == wanted)
        && folder.join("installed").exists()
    {
        return Ok(folder);
    }
    std::fs::write(&mark, wanted).map_err(|error| error.to_string())?;
    let filled = run(Command::new("npm")
        .args([
            "install",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            "--fetch-retries=1",
        ])
        .current_dir(&folder))
    .ok_or("there is no npm")?;
    if !filled.status.success() {
        return Err(format!("npm install failed: {}", said(&filled)));
    }
    std::fs::write(folder.join("installed"), "").map_err(|error| error.to_string())?;
    Ok(folder)
}

/// Runs a script of a client against a server of its own.
async fn drive(mut command: Command, last_words: &str) {
    let server = EmbeddedArango::builder().password("secret").start().await;
    let server = server.expect("a server on loopback");
    command.arg(server.url());
    let output = tokio::task::spawn_blocking(move || command.output()).await;
    let output = output.expect("no panic").expect("the client starts");
    let text = said(&output);
    assert!(
        output.status.success() && text.contains(last_words),
        "{text}"
    );
    assert_eq!(
        server.stats().open_cursors,
        0,
        "the client closed its cursors"
    );
    assert_eq!(
        server.stats().open_transactions,
        0,
        "the client ended its transactions"
    );
}

fn python_script(name: &str) -> Option<Command> {
    match python() {
        Ok(python) => {
            let mut command = Command::new(python);
            command.arg(scripts().join(name));
            Some(command)
        }
        Err(reason) => {
            println!("skipped: {reason}");
            None
        }
    }
}

#[tokio::test]
async fn the_python_driver_creates_fills_queries_and_is_told_its_errors() {
    if let Some(command) = python_script("python_driver.py") {
        drive(command, "python-arango: as expected").await;
    }
}

#[tokio::test]
async fn langchain_builds_its_schema_and_answers_through_its_chain() {
    if let Some(command) = python_script("langchain_chain.py") {
        drive(command, "langchain-arangodb: as expected").await;
    }
}

#[tokio::test]
async fn the_javascript_driver_creates_fills_queries_and_is_told_its_errors() {
    match node() {
        Ok(folder) => {
            let script = folder.join("javascript_driver.mjs");
            std::fs::copy(scripts().join("javascript_driver.mjs"), &script)
                .expect("a copy of the script");
            let mut command = Command::new("node");
            command.arg(script);
            drive(command, "arangojs: as expected").await;
        }
        Err(reason) => println!("skipped: {reason}"),
    }
}
