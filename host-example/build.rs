//! Builds the ArangoDB component with plain cargo, so that `cargo build`, `cargo test` and `cargo querent` need no other step.
//!
//! The component goes to a target directory of its own, because the cargo that runs this script holds the lock of the outer one.
//! What it refuses: to guess. A build that fails prints cargo's own words; a missing target is installed once through rustup, and
//! where that fails one line says what to type.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";
const PACKAGE: &str = "arango-component";

/// A variable with the path of a component that is there already, for a release that pins one by its digest.
const PREBUILT: &str = "QUERENT_PREBUILT_COMPONENT";

/// What the component is made of, relative to the workspace.
const SOURCES: [&str; 8] = [
    "wit",
    "src",
    "aql-syntax/src",
    "aql-syntax/Cargo.toml",
    "components/arango",
    "Cargo.toml",
    "Cargo.lock",
    ".cargo/config.toml",
];

fn main() {
    if let Err(error) = run() {
        println!("cargo::error={error}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let manifest = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let workspace = manifest.parent().ok_or("the crate is not in a workspace")?;
    for source in SOURCES {
        println!(
            "cargo::rerun-if-changed={}",
            workspace.join(source).display()
        );
    }
    println!("cargo::rerun-if-changed=build.rs");

    println!("cargo::rerun-if-env-changed={PREBUILT}");

    let built = match env::var_os(PREBUILT).filter(|path| !path.is_empty()) {
        Some(path) => {
            println!("cargo::rerun-if-changed={}", Path::new(&path).display());
            PathBuf::from(path)
        }
        None => {
            ensure_target()?;
            let target_dir = component_target_dir(&out);
            build(workspace, &target_dir)?;
            target_dir
                .join(TARGET)
                .join("component")
                .join("arango_component.wasm")
        }
    };
    // A copy of this build's own: the shared directory may be written by another build while this one is read.
    let component = out.join("arango.wasm");
    fs::copy(&built, &component)
        .map_err(|error| format!("cannot copy `{}`: {error}", built.display()))?;
    // Not with the prefix of the configuration: cargo hands this variable to `cargo run`, too, where an unknown one is an error.
    println!(
        "cargo::rustc-env=HOST_EXAMPLE_COMPONENT={}",
        component.display()
    );
    Ok(())
}

fn build(workspace: &Path, target_dir: &Path) -> Result<(), Box<dyn Error>> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        // The workspace root, so that `.cargo/config.toml` names the linker that makes a component.
        .current_dir(workspace)
        .args([
            "build",
            "--package",
            PACKAGE,
            "--target",
            TARGET,
            "--profile",
            "component",
            "--target-dir",
        ])
        .arg(target_dir);
    // The outer cargo tells its build scripts how it compiles for the host; none of that holds for the component.
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(disturbs) {
            cargo.env_remove(name);
        }
    }
    let output = cargo
        .output()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&output.stderr);
    for line in words.lines() {
        eprintln!("{line}");
    }
    Err(format!(
        "`cargo build --package {PACKAGE} --target {TARGET}` failed; its output stands above"
    )
    .into())
}

/// Whether an inherited variable would change how the component is compiled. What says where crates come from, and whether
/// cargo may use the network, stays.
fn disturbs(name: &str) -> bool {
    const EXACT: [&str; 10] = [
        "RUSTFLAGS",
        "RUSTC",
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTC_LINKER",
        "RUSTDOC",
        "RUSTDOCFLAGS",
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_ENCODED_RUSTDOCFLAGS",
        "CARGO_TARGET_DIR",
    ];
    const PREFIXES: [&str; 8] = [
        "CARGO_BUILD_",
        "CARGO_CFG_",
        "CARGO_FEATURE_",
        "CARGO_MANIFEST_",
        "CARGO_PKG_",
        "CARGO_PROFILE_",
        "CARGO_TARGET_",
        "CLIPPY_",
    ];
    EXACT.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// `component` beside the outer build's profile folders, so that every profile shares one build; in `OUT_DIR` where that
/// folder cannot be told.
fn component_target_dir(out: &Path) -> PathBuf {
    out.ancestors()
        .find(|folder| folder.join("CACHEDIR.TAG").is_file())
        .unwrap_or(out)
        .join("component")
}

/// Installs the target where it is missing. `rust-toolchain.toml` names it, and rustup installs it with the toolchain, but not
/// for a toolchain that was there before.
fn ensure_target() -> Result<(), Box<dyn Error>> {
    if target_installed() {
        return Ok(());
    }
    let installed = Command::new("rustup")
        .args(["target", "add", TARGET])
        .status();
    if installed.is_ok_and(|status| status.success()) && target_installed() {
        return Ok(());
    }
    Err(format!("the Rust target `{TARGET}` is missing: type `rustup target add {TARGET}`").into())
}

fn target_installed() -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    Command::new(rustc)
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()
        .ok()
        .filter(|output| output.status.success())
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .is_some_and(|libdir| Path::new(libdir.trim()).is_dir())
}
