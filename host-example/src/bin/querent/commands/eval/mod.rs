//! `querent eval`: how many answers are right, on questions with known queries.

mod progress;

use std::path::Path;

use host_example::Plugin;
use host_example::config::{ModelChoice, TenantConfig};
use host_example::eval::{
    Change, Evaluation, Question, Record, RecordFile, Summary, questions, record,
};

use super::demo;
use crate::cli::{Eval, Global};
use crate::failure::Failure;
use crate::{output, session};
use progress::Progress;

/// Questions at a time where nothing else is said, and the order of replies does not matter.
const DEFAULT_CONCURRENCY: u32 = 4;

/// Asks what has no result yet, and shows the figures of all.
pub(crate) async fn run(global: &Global, arguments: Eval) -> Result<(), Failure> {
    // Whatever can be wrong with a file is found before the first question is paid for.
    let asked = read_questions(&arguments)?;
    let earlier = arguments.compare.as_deref().map(record::read).transpose()?;
    let (mut file, known) = match arguments.results.as_deref().map(RecordFile::open) {
        Some(opened) => opened.map(|(file, known)| (Some(file), known))?,
        None => (None, Vec::new()),
    };
    let settled = |question: &Question| known.iter().find(|record| record.settles(question));
    let open: Vec<Question> = asked
        .iter()
        .filter(|question| settled(question).is_none())
        .cloned()
        .collect();
    let mut records: Vec<Record> = asked.iter().filter_map(settled).cloned().collect();
    if !records.is_empty() {
        eprintln!(
            "{} of {} questions have a result already, and are not asked again",
            records.len(),
            asked.len()
        );
    }
    if !open.is_empty() {
        let progress = Progress::of(&records, asked.len());
        let new = ask(global, &arguments, open, &records, |record| {
            if let Some(file) = &mut file {
                file.add(&record)?;
            }
            progress.add(&record);
            Ok(record)
        })
        .await?;
        records.extend(new);
    }
    let place = |record: &Record| {
        asked
            .iter()
            .position(|question| question.question == record.question)
    };
    records.sort_by_key(place);
    report(&arguments, &records, earlier.as_deref())
}

fn read_questions(arguments: &Eval) -> Result<Vec<Question>, Failure> {
    let path = arguments.questions.display().to_string();
    let text =
        std::fs::read_to_string(&arguments.questions).map_err(|error| Failure::Unreadable {
            path: path.clone(),
            reason: error.to_string(),
        })?;
    let mut asked = questions(&text).map_err(|reason| Failure::Questions { path, reason })?;
    if let Some(limit) = arguments.limit {
        asked.truncate(limit as usize);
    }
    Ok(asked)
}

/// Asks the questions, and hands each record to `done` as it comes.
async fn ask(
    global: &Global,
    arguments: &Eval,
    open: Vec<Question>,
    known: &[Record],
    mut done: impl FnMut(Record) -> Result<Record, Failure>,
) -> Result<Vec<Record>, Failure> {
    let config = session::config(global)?;
    let tenant = config.tenants.get(&global.tenant);
    let (server, plugin) = if arguments.demo {
        let stage = demo::Stage::set(global).await?;
        if stage.scripted {
            return Err(Failure::NoModel);
        }
        (Some(stage.server), stage.plugin)
    } else {
        if tenant.is_none_or(|tenant| tenant.model.name.is_none()) {
            return Err(Failure::NoModel);
        }
        (None, session::plugin(global).await?)
    };
    // A database that cannot be reached is one failure, not one for each question.
    plugin.configure().await?;
    warn_of_other_models(&plugin, known);
    let mut records = Vec::new();
    let outcome = Evaluation::new(plugin)
        .concurrency(concurrency(arguments.concurrency, tenant))
        .run(open, |record| {
            records.push(done(record)?);
            Ok(())
        })
        .await;
    if let Some(server) = server {
        server.shutdown().await?;
    }
    outcome.map(|()| records)
}

fn warn_of_other_models(plugin: &Plugin, known: &[Record]) {
    let model = plugin.model();
    if let Some(other) = known.iter().find(|record| record.model != model) {
        eprintln!(
            "warning: the results hold answers of `{}`, and now `{model}` is asked; the figures are of both",
            other.model
        );
    }
}

/// How many questions are asked at a time: no more than the limits let run, since those that wait their turn would count the
/// wait as their own time, and might not get it.
fn concurrency(wanted: Option<u32>, tenant: Option<&TenantConfig>) -> usize {
    let Some(tenant) = tenant else {
        return 1;
    };
    let in_order = matches!(
        tenant.model.name,
        Some(ModelChoice::Scripted(_) | ModelChoice::Exchange(_))
    );
    let default = if in_order { 1 } else { DEFAULT_CONCURRENCY };
    let limits = &tenant.limits;
    let most = limits
        .concurrent_calls
        .min(limits.concurrent_model_calls)
        .max(1);
    if let Some(wanted) = wanted.filter(|wanted| *wanted > most) {
        eprintln!(
            "warning: {most} questions are asked at a time, not {wanted}: `limits.concurrent_calls` is {}, and \
             `limits.concurrent_model_calls` {}",
            limits.concurrent_calls, limits.concurrent_model_calls
        );
    }
    wanted.unwrap_or(default).min(most) as usize
}

/// Shows and writes the figures, and fails where they are not good enough.
fn report(arguments: &Eval, records: &[Record], earlier: Option<&[Record]>) -> Result<(), Failure> {
    let summary = Summary::of(records);
    let mut text = summary.markdown(records);
    if let Some(earlier) = earlier {
        text += "\n";
        text += &Change::between(earlier, records).markdown();
    }
    output::print(&text)?;
    if let Some(path) = &arguments.summary {
        write(path, &text)?;
    }
    if summary.failed + summary.gold_failed == summary.questions {
        let reason = records.iter().find_map(|record| record.difference.as_ref());
        let reason = reason.map_or_else(String::new, |difference| difference.reason.clone());
        return Err(Failure::Unjudged(reason));
    }
    match arguments.min_accuracy {
        Some(least) if !least.is_reached(summary.right, summary.questions) => Err(Failure::Below {
            right: summary.right,
            questions: summary.questions,
            least: least.percent(),
        }),
        _ => Ok(()),
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| Failure::Unwritable {
        path: path.display().to_string(),
        reason: error.to_string(),
    })
}
