//! The command `querent` as a shell sees it: exit codes, and which stream says what.

mod common;

use std::path::Path;
use std::process::{Command, Output};

use common::folder;

fn querent(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_querent"));
    command.current_dir(folder).args(arguments);
    for (name, _) in std::env::vars() {
        if name.starts_with("QUERENT_") || name.starts_with("OPENAI_") {
            command.env_remove(name);
        }
    }
    command
        .envs(variables.iter().copied())
        .output()
        .expect("the command starts")
}

fn outcome(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code().unwrap_or(-1),
        text(&output.stdout),
        text(&output.stderr),
    )
}

#[test]
fn help_lists_the_exit_codes_and_a_wrong_option_is_code_2() {
    let folder = folder("command-usage");
    let (code, out, _) = outcome(&querent(&folder, &["--help"], &[]));
    assert_eq!(code, 0);
    assert!(
        out.contains("Exit codes:") && out.contains(" 6  database-unreachable"),
        "{out}"
    );
    let (code, out, err) = outcome(&querent(&folder, &["ask"], &[]));
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("<QUESTION>"), "{err}");
    let (code, _, err) = outcome(&querent(&folder, &["ask", "x", "--json", "--csv"], &[]));
    assert_eq!(code, 2, "{err}");
    let (code, _, err) = outcome(&querent(&folder, &["schema", "--tenant", "acme"], &[]));
    assert_eq!(
        (code, err.as_str()),
        (
            2,
            "querent: the command line is not right: no tenant `acme`; there is `default`\n"
        )
    );
}

#[test]
fn a_wrong_configuration_is_code_3_and_says_where() {
    let folder = folder("command-config");
    std::fs::write(folder.join("querent.toml"), "[arango]\nendpont = \"x\"\n").unwrap();
    let (code, out, err) = outcome(&querent(&folder, &["ask", "x"], &[]));
    assert_eq!((code, out.as_str()), (3, ""));
    assert_eq!(
        err,
        "querent: unknown key `arango.endpont` in `querent.toml`; did you mean `endpoint`?\n"
    );
    let (code, _, err) = outcome(&querent(
        &folder,
        &["ask", "x", "--config", "other.toml"],
        &[],
    ));
    assert_eq!(code, 3);
    assert!(
        err.starts_with("querent: `other.toml` cannot be read: "),
        "{err}"
    );
    let (code, _, err) = outcome(&querent(
        &folder,
        &["ask", "x", "--config", "other.toml", "--model", "gpt"],
        &[],
    ));
    assert_eq!(code, 3, "{err}");
}

#[test]
fn a_component_that_reaches_further_is_code_5_and_its_audit_is_shown_all_the_same() {
    let folder = folder("command-audit");
    let bytes =
        wat::parse_str("(component (import \"wasi:cli/environment@0.2.6\" (instance)))").unwrap();
    std::fs::write(folder.join("foreign.wasm"), bytes).unwrap();
    let (code, out, err) = outcome(&querent(&folder, &["audit", "foreign.wasm"], &[]));
    assert_eq!(code, 5);
    assert!(
        out.starts_with("imports: wasi:cli/environment@0.2.6\nexports: none\nsize:    "),
        "{out}"
    );
    assert!(
        out.contains("digest:  sha256:") && out.ends_with("loads:   no\n"),
        "{out}"
    );
    assert!(err.starts_with("querent: the component is refused: imports what this host does not grant: `wasi:cli/environment@0.2.6`"), "{err}");
    let (code, out, _) = outcome(&querent(&folder, &["audit", "foreign.wasm", "--json"], &[]));
    let record: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &record["loads"]), (5, &serde_json::json!(false)));
    let (code, _, err) = outcome(&querent(&folder, &["audit", "none.wasm"], &[]));
    assert_eq!(code, 3, "{err}");
}

#[test]
fn the_component_of_this_crate_is_audited_in_two_lines_and_loads() {
    let folder = folder("command-audit-own");
    let path = host_example::component::path().to_str().unwrap();
    let (code, out, err) = outcome(&querent(&folder, &["audit", path], &[]));
    assert_eq!(code, 0, "{err}");
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("imports: querent:host/"), "{out}");
    assert!(lines[1].starts_with("exports: querent:ask/"), "{out}");
    assert_eq!(lines[4], "loads:   yes");
}
