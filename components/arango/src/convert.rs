//! Records of the core's to generated ones and back, field by field.

use querent::ask as core;

use crate::bindings::exports::querent::ask::{aql, ask, tools};

pub(crate) fn notice(notice: core::Notice) -> ask::Notice {
    ask::Notice {
        code: notice.code,
        message: notice.message,
    }
}

fn notices(list: Vec<core::Notice>) -> Vec<ask::Notice> {
    list.into_iter().map(notice).collect()
}

fn attempts(list: Vec<core::Attempt>) -> Vec<ask::Attempt> {
    list.into_iter()
        .map(|one| ask::Attempt {
            query: one.query,
            refusal: one.refusal.map(notice),
        })
        .collect()
}

fn usage(usage: core::Usage) -> ask::Usage {
    ask::Usage {
        llm_calls: usage.llm_calls,
        input_tokens: usage.input_tokens,
        output_tokens: usage.output_tokens,
        http_calls: usage.http_calls,
        rows_read: usage.rows_read,
        bytes_read: usage.bytes_read,
        elapsed_ms: usage.elapsed_ms,
    }
}

fn turns(list: Vec<ask::Turn>) -> Vec<core::Turn> {
    list.into_iter()
        .map(|turn| core::Turn {
            question: turn.question,
            answer: turn.answer,
            query: turn.query,
        })
        .collect()
}

#[expect(clippy::boxed_local, reason = "the core's errors come boxed")]
pub(crate) fn error(error: Box<core::Error>) -> ask::Error {
    ask::Error {
        kind: match error.kind {
            core::ErrorKind::Configuration => ask::ErrorKind::Configuration,
            core::ErrorKind::InvalidInput => ask::ErrorKind::InvalidInput,
            core::ErrorKind::Denied => ask::ErrorKind::Denied,
            core::ErrorKind::DatabaseUnreachable => ask::ErrorKind::DatabaseUnreachable,
            core::ErrorKind::DatabaseUnauthorized => ask::ErrorKind::DatabaseUnauthorized,
            core::ErrorKind::DatabaseError => ask::ErrorKind::DatabaseError,
            core::ErrorKind::QueryRefused => ask::ErrorKind::QueryRefused,
            core::ErrorKind::QueryInvalid => ask::ErrorKind::QueryInvalid,
            core::ErrorKind::LimitExceeded => ask::ErrorKind::LimitExceeded,
            core::ErrorKind::Timeout => ask::ErrorKind::Timeout,
            core::ErrorKind::Model => ask::ErrorKind::Model,
            core::ErrorKind::Internal => ask::ErrorKind::Internal,
            core::ErrorKind::Other => ask::ErrorKind::Other,
        },
        code: error.code,
        message: error.message,
        attempts: attempts(error.attempts),
        usage: usage(error.usage),
        retryable: error.retryable,
        retry_after_ms: error.retry_after_ms,
        details: error.details,
    }
}

pub(crate) fn configured(configured: core::Configured) -> ask::Configured {
    ask::Configured {
        summary: configured.summary,
        prepared: configured.prepared,
        warnings: notices(configured.warnings),
        usage: usage(configured.usage),
    }
}

pub(crate) fn question_request(request: ask::QuestionRequest) -> core::QuestionRequest {
    let asked = |output: ask::Outputs| request.outputs & output == output;
    core::QuestionRequest {
        kind: match request.kind {
            ask::QuestionKind::Ask => core::QuestionKind::Ask,
            ask::QuestionKind::Read => core::QuestionKind::Read,
            ask::QuestionKind::Execute => core::QuestionKind::Execute,
            ask::QuestionKind::Dialect => core::QuestionKind::Dialect,
        },
        text: request.text,
        bind_vars: request.bind_vars,
        limit: request.limit,
        history: turns(request.history),
        outputs: core::Outputs {
            rows: asked(ask::Outputs::ROWS),
            table: asked(ask::Outputs::TABLE),
            text: asked(ask::Outputs::TEXT),
            answers: asked(ask::Outputs::ANSWERS),
            prose: asked(ask::Outputs::PROSE),
        },
        options: request.options,
    }
}

pub(crate) fn answer(answer: core::Answer) -> ask::Answer {
    ask::Answer {
        outcome: match answer.outcome {
            core::Outcome::Rows => ask::Outcome::Rows,
            core::Outcome::Words => ask::Outcome::Words,
            core::Outcome::Clarify => ask::Outcome::Clarify,
            core::Outcome::Affected => ask::Outcome::Affected,
            core::Outcome::Dialect => ask::Outcome::Dialect,
        },
        rows: answer.rows,
        row_count: answer.row_count,
        truncated: answer.truncated,
        affected_rows: answer.affected_rows,
        table: answer.table,
        text: answer.text,
        answers: answer.answers,
        prose: answer.prose,
        query: answer.query,
        bind_vars: answer.bind_vars,
        assumptions: answer.assumptions,
        attempts: attempts(answer.attempts),
        warnings: notices(answer.warnings),
        usage: usage(answer.usage),
        details: answer.details,
    }
}

pub(crate) fn aql_request(request: aql::AqlRequest) -> core::AqlRequest {
    core::AqlRequest {
        question: request.question,
        limit: request.limit,
        history: turns(request.history),
        plan: request.plan,
        options: request.options,
    }
}

pub(crate) fn aql_answer(answer: core::AqlAnswer) -> aql::AqlAnswer {
    aql::AqlAnswer {
        reply: match answer.reply {
            core::AqlReply::Query(query) => aql::AqlReply::Query(query),
            core::AqlReply::Words(words) => aql::AqlReply::Words(words),
            core::AqlReply::Clarify(words) => aql::AqlReply::Clarify(words),
        },
        plan: answer.plan,
        assumptions: answer.assumptions,
        attempts: attempts(answer.attempts),
        warnings: notices(answer.warnings),
        usage: usage(answer.usage),
        details: answer.details,
    }
}

pub(crate) fn definition(definition: &core::Definition) -> tools::Definition {
    tools::Definition {
        name: definition.name.into(),
        description: definition.description.into(),
        input_schema: definition.input_schema.into(),
        output_schema: definition.output_schema.into(),
    }
}
