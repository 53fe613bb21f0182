//! `querent doctor`: each thing that an answer needs, tried in the order in which it is needed, with what to do where it fails.

mod database;
mod model;
mod report;

use host_example::config::TenantConfig;
use host_example::{Host, Plugin, TenantSpec};

use crate::cli::Global;
use crate::failure::Failure;
use crate::session;

pub(crate) use report::Report;

/// Examines the tenant, and prints a line a check. Fails with the first failed check's exit code.
pub(crate) async fn run(global: &Global, json: bool) -> Result<(), Failure> {
    let mut report = Report::new(json);
    let outcome = examine(global, &mut report).await;
    report.finish()?;
    outcome
}

async fn examine(global: &Global, report: &mut Report) -> Result<(), Failure> {
    let (tenant, spec) = match configuration(global, report) {
        Ok(found) => found,
        Err(failure) => {
            report.fail(
                "configuration",
                &failure.to_string(),
                "mend what the sentence names; `querent init` writes a file to begin with",
            );
            return Err(failure);
        }
    };
    let database = database::examine(&tenant, &spec, report).await;
    let model = spec.model.clone();
    let component = match database {
        // Without a server that answers there is nothing to configure.
        Err(failure) => Err(failure),
        Ok(()) => component(global, spec, report).await,
    };
    let model = model::examine(&*model, report).await;
    component.and(model)
}

/// The configuration, and what it binds.
fn configuration(
    global: &Global,
    report: &mut Report,
) -> Result<(TenantConfig, TenantSpec), Failure> {
    let mut config = session::config(global)?;
    let tenant = config.tenants.remove(&global.tenant).unwrap_or_default();
    let spec = tenant.spec(&global.tenant)?;
    report.pass(
        "configuration",
        &format!(
            "tenant `{}`: database `{}` at {} as {}",
            global.tenant,
            tenant.arango.database,
            tenant.arango.endpoint,
            database::who(&tenant.arango),
        ),
    );
    Ok((tenant, spec))
}

/// Configures the component as a first call would: the read barrier is tried, and the schema reflected.
async fn component(global: &Global, spec: TenantSpec, report: &mut Report) -> Result<(), Failure> {
    let config = session::config(global)?;
    let loaded = tokio::task::spawn_blocking(move || config.load_component()).await??;
    let host = Host::builder()
        .component(loaded)
        .tenant(&global.tenant, spec)
        .build()?;
    let plugin: Plugin = host.plugin(&global.tenant)?;
    match plugin.configure().await {
        Ok(configured) => {
            report.configured(&configured);
            Ok(())
        }
        Err(error) => {
            report.fail(
                "component",
                &error.to_string(),
                report::advice(error.kind()),
            );
            Err(error.into())
        }
    }
}
