//! `querent audit`: what a component can reach, and whether this host would load it.

use std::path::Path;

use host_example::audit::Audit;
use host_example::component::Loaded;
use host_example::{EngineOptions, engine};
use serde_json::json;

use crate::failure::Failure;
use crate::output;

/// Prints the audit. Fails where this host would not load the component.
pub(crate) fn run(file: &Path, json: bool) -> Result<(), Failure> {
    let bytes = std::fs::read(file).map_err(|error| Failure::Unreadable {
        path: file.display().to_string(),
        reason: error.to_string(),
    })?;
    let audit = match Audit::of(&bytes) {
        Ok(audit) => audit,
        Err(refusal) => {
            if json {
                let record =
                    json!({"bytes": bytes.len(), "loads": false, "refusal": refusal.to_string()});
                output::print(&format!("{record}\n"))?;
            }
            return Err(refusal.into());
        }
    };
    let verdict = loads(&audit, &bytes);
    let refusal = verdict.as_ref().err().map(ToString::to_string);
    if json {
        let record = json!({
            "imports": audit.imports,
            "exports": audit.exports,
            "bytes": audit.bytes,
            "digest": audit.digest.to_string(),
            "loads": refusal.is_none(),
            "refusal": refusal,
        });
        output::print(&format!("{record}\n"))?;
    } else {
        let loads = if refusal.is_none() { "yes" } else { "no" };
        let Audit { bytes, digest, .. } = &audit;
        output::print(&format!(
            "{audit}\nsize:    {bytes} bytes\ndigest:  {digest}\nloads:   {loads}\n"
        ))?;
    }
    verdict
}

/// Names and versions first, so that a component that reaches further is refused before anything is compiled.
fn loads(audit: &Audit, bytes: &[u8]) -> Result<(), Failure> {
    audit.check()?;
    let engine =
        engine(EngineOptions::default()).map_err(host_example::component::LoadError::Engine)?;
    Loaded::new(&engine, bytes)?;
    Ok(())
}
