//! What a component can reach, read from the file before anything is compiled.
//!
//! A component that imports anything but the two capabilities is refused with the list of what it imports; an import is never
//! stubbed. A capability of another version is refused with both versions named.
//!
//! | name in the file | this host |
//! |---|---|
//! | `querent:host/llm-complete@0.1.0`, `…@0.1.7` | offers it: 0.1.x is one line |
//! | `querent:host/llm-complete@0.2.0` | refuses: another version |
//! | `wasi:cli/environment@0.2.6`, `fetch` | refuses: not granted |

use std::fmt;

use sha2::{Digest as _, Sha256};
use wasmparser::{Encoding, Parser, Payload};

/// The interfaces that this host grants.
pub const IMPORTS: [&str; 2] = [
    "querent:host/llm-complete@0.1.0",
    "querent:host/http-fetch@0.1.0",
];

/// The interfaces that this host calls.
pub const EXPORTS: [&str; 3] = [
    "querent:ask/ask@0.1.0",
    "querent:ask/aql@0.1.0",
    "querent:ask/tools@0.1.0",
];

/// SHA-256 of a component's bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The first twelve hexadecimal digits, which is what log lines carry.
    #[must_use]
    pub fn short(&self) -> String {
        self.to_string()
            .chars()
            .skip("sha256:".len())
            .take(12)
            .collect()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sha256:")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The outside of a component: what it wants, what it offers, how large it is, and which bytes these are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audit {
    /// Imported names, in the order of the file.
    pub imports: Vec<String>,
    /// Exported names, in the order of the file.
    pub exports: Vec<String>,
    /// Size of the file in bytes.
    pub bytes: usize,
    /// Which file this is.
    pub digest: Digest,
}

impl Audit {
    /// Reads the outermost imports and exports of a component.
    ///
    /// # Errors
    ///
    /// Where the bytes are not a component: text, a core module, a file cut short.
    pub fn of(bytes: &[u8]) -> Result<Self, AuditError> {
        if !bytes.starts_with(b"\0asm") {
            return Err(AuditError::Foreign);
        }
        let mut audit = Self {
            imports: Vec::new(),
            exports: Vec::new(),
            bytes: bytes.len(),
            digest: Digest::of(bytes),
        };
        // Nested components and modules have imports of their own, which the component itself satisfies.
        let mut depth = 0_usize;
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::Version {
                    encoding: Encoding::Module,
                    ..
                } if depth == 0 => return Err(AuditError::CoreModule),
                Payload::Version { .. } => depth += 1,
                Payload::End(_) => depth = depth.saturating_sub(1),
                Payload::ComponentImportSection(section) if depth == 1 => {
                    for import in section {
                        audit.imports.push(import?.name.name.to_owned());
                    }
                }
                Payload::ComponentExportSection(section) if depth == 1 => {
                    for export in section {
                        audit.exports.push(export?.name.name.to_owned());
                    }
                }
                _ => {}
            }
        }
        Ok(audit)
    }

    /// Whether this host would load the component, going by names and versions alone.
    ///
    /// # Errors
    ///
    /// The first of: an import that is not granted, an import of another version, a missing export.
    pub fn check(&self) -> Result<(), AuditError> {
        let foreign: Vec<String> = self
            .imports
            .iter()
            .filter(|import| {
                !IMPORTS
                    .iter()
                    .any(|offered| same_interface(import, offered))
            })
            .cloned()
            .collect();
        if !foreign.is_empty() {
            return Err(AuditError::ForeignImports(foreign));
        }
        for import in &self.imports {
            compatible(import, &IMPORTS).map_err(|offered| AuditError::ImportVersion {
                wanted: import.clone(),
                offered: offered.to_owned(),
            })?;
        }
        for needed in EXPORTS {
            let Some(found) = self
                .exports
                .iter()
                .find(|export| same_interface(export, needed))
            else {
                return Err(AuditError::MissingExport(needed.to_owned()));
            };
            compatible(found, &[needed]).map_err(|_| AuditError::ExportVersion {
                found: found.clone(),
                needed: needed.to_owned(),
            })?;
        }
        Ok(())
    }
}

impl fmt::Display for Audit {
    /// The audit in two lines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "imports: {}", list(&self.imports))?;
        write!(f, "exports: {}", list(&self.exports))
    }
}

fn list(names: &[String]) -> String {
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}

/// Why a component is refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AuditError {
    /// The bytes are something else altogether.
    #[error("not a WebAssembly component: the file does not begin as WebAssembly does")]
    Foreign,
    /// The bytes are no WebAssembly that can be read, or are cut short.
    #[error("not a WebAssembly component: {0}")]
    Malformed(#[from] wasmparser::BinaryReaderError),
    /// A core module: the linker that makes components was not used.
    #[error(
        "a core module, not a component: build it with the linker `wasm-component-ld`, or wrap it with `wasm-tools component new`"
    )]
    CoreModule,
    /// Imports that this host does not grant.
    #[error(
        "imports what this host does not grant: {}; it grants `{}` and `{}` only",
        .0.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
        IMPORTS[0],
        IMPORTS[1]
    )]
    ForeignImports(Vec<String>),
    /// A capability of a version that this host does not speak.
    #[error(
        "wants `{wanted}`, and this host offers `{offered}`: use a host and a component of one version line"
    )]
    ImportVersion {
        /// The name in the component.
        wanted: String,
        /// The name that this host offers.
        offered: String,
    },
    /// An export that this host calls is missing.
    #[error("does not export `{0}`: it is not a component for the world `querent:ask/arango`")]
    MissingExport(String),
    /// An export of a version that this host does not speak.
    #[error(
        "exports `{found}`, and this host calls `{needed}`: use a host and a component of one version line"
    )]
    ExportVersion {
        /// The name in the component.
        found: String,
        /// The name that this host calls.
        needed: String,
    },
}

fn same_interface(left: &str, right: &str) -> bool {
    split(left).0 == split(right).0
}

fn split(name: &str) -> (&str, &str) {
    name.split_once('@').unwrap_or((name, ""))
}

/// Whether one of the offered names stands for `name`, as the linker decides it: same major, and same minor below 1.0;
/// pre-releases and names without a version match exactly.
fn compatible<'a>(name: &str, offered: &[&'a str]) -> Result<(), &'a str> {
    let mut closest = "";
    for candidate in offered
        .iter()
        .filter(|candidate| same_interface(name, candidate))
    {
        if name == *candidate
            || line(split(name).1).is_some_and(|wanted| line(split(candidate).1) == Some(wanted))
        {
            return Ok(());
        }
        closest = candidate;
    }
    Err(closest)
}

/// The part of a version that must agree.
fn line(version: &str) -> Option<&str> {
    if version.contains(['-', '+']) {
        return None;
    }
    let mut dots = version.match_indices('.').map(|(at, _)| at);
    let (first, second) = (dots.next()?, dots.next()?);
    match version.get(..first)? {
        "0" => version.get(..second),
        major => Some(major),
    }
}
