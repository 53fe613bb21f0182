//! From the document to [`Settings`]: walks the document along the table, and refuses what the table does not name.

use super::document::Document;
use super::keys::{EXAMPLE_AQL_BYTES, EXAMPLE_QUESTION_BYTES};
use super::{Accepts, Digest, Example, HOST_KEYS, KEYS, Key, Pattern, Settings, nearest};
use crate::ask::{Error, ErrorKind, Notice, Result};
use crate::find::listed;
use crate::json;

pub(super) fn parse(json: &str) -> Result<Settings> {
    let document = Document::parse(json).map_err(|fault| {
        let (line, column) = json::place(json, fault.at);
        failure(
            "settings-json",
            format!(
                "the settings are not a JSON document: syntax error at line {line} column {column}"
            ),
        )
    })?;
    let Document::Object(entries) = document else {
        return Err(failure(
            "settings-json",
            format!(
                "the settings must be a JSON object, not {}",
                document.show()
            ),
        ));
    };

    let mut given: Vec<(&'static Key, Document)> = Vec::new();
    collect("", entries, &mut given)?;

    let mut settings = Settings::blank();
    let mut digest = Digest::new();
    for key in KEYS {
        let position = given.iter().position(|(name, _)| core::ptr::eq(*name, key));
        let canonical = match position {
            Some(position) => apply(&mut settings, key, given.swap_remove(position).1)?,
            None => default(&mut settings, key)?,
        };
        digest.add(key.path);
        digest.add(&canonical);
    }
    settings.digest = digest.finish();
    if settings.database == "_system" {
        settings.warnings.push(Notice::new(
            "database-system",
            "the database is `_system`, which holds the server's own users and settings; name another in `database` unless this is meant",
        ));
    }
    Ok(settings)
}

/// Stores the table's own default, which a test holds to be valid.
fn default(settings: &mut Settings, key: &'static Key) -> Result<String> {
    let value = Document::parse(key.default)
        .map_err(|_| Error::new(ErrorKind::Internal, "settings-default", key.path))?;
    apply(settings, key, value)
}

/// Sorts the entries of one object to their keys.
fn collect(
    group: &str,
    entries: Vec<(String, Document)>,
    given: &mut Vec<(&'static Key, Document)>,
) -> Result<()> {
    let mut seen: Vec<String> = Vec::new();
    for (name, value) in entries {
        let path = format!("{group}{name}");
        if group.is_empty() && HOST_KEYS.contains(&name.as_str()) {
            return Err(failure(
                "settings-host-key",
                format!(
                    "`{path}` belongs in the host's own configuration, not in the component's settings: the component holds no address and no credential"
                ),
            ));
        }
        if seen.contains(&name) {
            return Err(failure(
                "settings-duplicate-key",
                format!("`{}` is given twice; keep one of them", clean(&path)),
            ));
        }
        // A name with a dot is no path: `{"limits.field_depth": 2}` is an unknown key.
        let written_as_one = !name.contains('.');
        let key = KEYS.iter().find(|key| key.path == path);
        let inner = format!("{path}.");
        let is_group = KEYS.iter().any(|key| key.path.starts_with(&inner));
        match (key, value) {
            (Some(key), value) if written_as_one => given.push((key, value)),
            (_, Document::Object(entries)) if is_group && written_as_one => {
                collect(&inner, entries, given)?;
            }
            (_, value) if is_group && written_as_one => {
                return Err(failure(
                    "settings-type",
                    format!(
                        "`{path}` must be an object with {}, not {}",
                        listed(&names_in(&inner)),
                        value.show()
                    ),
                ));
            }
            (_, value) => return Err(unknown(group, &name, &value)),
        }
        seen.push(name);
    }
    Ok(())
}

/// The names that a group's object may have.
fn names_in(group: &str) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for key in KEYS {
        let first = key
            .path
            .strip_prefix(group)
            .and_then(|rest| rest.split('.').next());
        if let Some(name) = first
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names
}

/// What stands behind the last point of a path.
fn last_part(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(_, last)| last)
}

fn unknown(group: &str, name: &str, value: &Document) -> Box<Error> {
    let here = names_in(group);
    let near = nearest(name, here.iter().copied(), 1).first().copied();
    // Somewhere else in the document, under exactly this name.
    let elsewhere = || {
        KEYS.iter()
            .find(|key| last_part(key.path) == name || key.path == name)
    };
    // The value of a name that stands near no key may be a secret that belongs to the host: it is not repeated.
    let secret = near.is_none() || !nearest(name, HOST_KEYS.iter().copied(), 1).is_empty();
    let shown = match value {
        Document::Text(_) if secret => "a text".into(),
        value => value.show(),
    };
    let mut message = format!(
        "the settings have no key `{}`, given as {shown}",
        clean(&format!("{group}{name}"))
    );
    let meant = match near {
        Some(near) => Some(format!("{group}{near}")),
        None => elsewhere().map(|key| key.path.to_string()),
    };
    if let Some(meant) = meant {
        message.push_str(&format!("; did you mean `{meant}`?"));
    }
    message.push_str(&format!(" (allowed here: {})", listed(&here)));
    failure("settings-unknown-key", message)
}

/// Checks and stores one value. Returns it in the one form that the digest knows.
fn apply(settings: &mut Settings, key: &Key, value: Document) -> Result<String> {
    let code = |value: &Document| match (&key.accepts, value) {
        (Accepts::Whole { .. }, Document::Whole(_) | Document::Number { .. })
        | (Accepts::Ceiling { .. }, Document::Whole(_) | Document::Number { .. })
        | (Accepts::Text { .. }, Document::Text(_)) => "settings-range",
        _ => "settings-type",
    };
    let refuse = |value: &Document| {
        Err(failure(
            code(value),
            format!(
                "`{}` must be {}, not {}",
                key.path,
                key.allowed(),
                value.show()
            ),
        ))
    };
    match (&key.accepts, value) {
        (Accepts::Text { max_bytes, set }, Document::Text(text)) => {
            if text.len() > *max_bytes {
                return Err(failure(
                    "settings-range",
                    format!(
                        "`{}` must be {}, not of {} bytes",
                        key.path,
                        key.allowed(),
                        text.len()
                    ),
                ));
            }
            let mut text = text;
            if key.path == "database" {
                text = database(text)?;
            }
            set(settings, &text);
            Ok(text)
        }
        (Accepts::Whole { min, max, set }, Document::Whole(number))
            if (*min..=*max).contains(&number) =>
        {
            set(settings, number);
            Ok(number.to_string())
        }
        (Accepts::Ceiling { set }, Document::Null) => {
            set(settings, None);
            Ok(String::new())
        }
        (Accepts::Ceiling { set }, Document::Whole(number)) if number > 0 => {
            Ok(ceiling(settings, *set, number as f64))
        }
        (Accepts::Ceiling { set }, Document::Number { value, .. })
            if value.is_finite() && value > 0.0 =>
        {
            Ok(ceiling(settings, *set, value))
        }
        (Accepts::Switch { set }, value) => {
            let Some(on) = switch(&value) else {
                return refuse(&value);
            };
            set(settings, on);
            Ok(on.to_string())
        }
        (Accepts::Patterns { max, set }, Document::List(items)) => {
            let (patterns, canonical) = patterns(key, *max, items)?;
            set(settings, patterns);
            Ok(canonical)
        }
        (Accepts::Examples { max, set }, Document::List(items)) => {
            let (examples, canonical) = examples(key, *max, items)?;
            set(settings, examples);
            Ok(canonical)
        }
        (_, value) => refuse(&value),
    }
}

/// Stores a ceiling. Its one form is the number's bits: a decimal one would take a table of its own to write.
fn ceiling(settings: &mut Settings, set: fn(&mut Settings, Option<f64>), most: f64) -> String {
    set(settings, Some(most));
    most.to_bits().to_string()
}

/// `true` and `false`, and the texts that say the same. Any other text is a mistake, not a no.
fn switch(value: &Document) -> Option<bool> {
    match value {
        Document::Bool(on) => Some(*on),
        Document::Text(text) => {
            let text = text.trim();
            let is = |words: [&str; 4]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
            if is(["1", "true", "yes", "on"]) {
                Some(true)
            } else if is(["0", "false", "no", "off"]) {
                Some(false)
            } else {
                None
            }
        }
        _ => None,
    }
}

/// The database's name: trimmed, blank as `_system`, and fit to stand in a path.
fn database(text: String) -> Result<String> {
    let name = text.trim();
    if name.is_empty() {
        return Ok("_system".into());
    }
    if name
        .chars()
        .any(|character| character.is_control() || matches!(character, '/' | ':'))
        || matches!(name, "." | "..")
    {
        return Err(failure(
            "settings-type",
            format!(
                "`database` must be the name of a database, without `/`, `:` and control characters, not {}",
                Document::Text(name.into()).show()
            ),
        ));
    }
    Ok(name.into())
}

fn patterns(key: &Key, max: usize, items: Vec<Document>) -> Result<(Vec<Pattern>, String)> {
    too_many(key, max, items.len())?;
    let mut patterns = Vec::with_capacity(items.len());
    let mut canonical = String::new();
    for (index, item) in items.into_iter().enumerate() {
        let pattern = match &item {
            Document::Text(text) => Pattern::new(text),
            _ => None,
        };
        let Some(pattern) = pattern else {
            return Err(failure(
                "settings-type",
                format!(
                    "`{}[{index}]` must be a collection's name of 1 to 256 bytes, `*` standing for any characters, not {}",
                    key.path,
                    item.show()
                ),
            ));
        };
        canonical.push_str(pattern.as_str());
        canonical.push('\n');
        patterns.push(pattern);
    }
    Ok((patterns, canonical))
}

fn examples(key: &Key, max: usize, items: Vec<Document>) -> Result<(Vec<Example>, String)> {
    too_many(key, max, items.len())?;
    let mut examples = Vec::with_capacity(items.len());
    let mut digest = Digest::new();
    for (index, item) in items.into_iter().enumerate() {
        let example = example(&format!("{}[{index}]", key.path), item)?;
        digest.add(&example.question);
        digest.add(&example.aql);
        examples.push(example);
    }
    let canonical = digest.finish();
    Ok((examples, canonical))
}

fn example(path: &str, item: Document) -> Result<Example> {
    let Document::Object(entries) = item else {
        return Err(failure(
            "settings-type",
            format!(
                "`{path}` must be an object with the texts `question` and `aql`, not {}",
                item.show()
            ),
        ));
    };
    let (mut question, mut aql) = (None, None);
    for (name, value) in entries {
        let (slot, max) = match name.as_str() {
            "question" => (&mut question, EXAMPLE_QUESTION_BYTES),
            "aql" => (&mut aql, EXAMPLE_AQL_BYTES),
            _ => {
                let near = nearest(&name, ["question", "aql"], 1);
                let hint = near
                    .first()
                    .map(|near| format!("; did you mean `{near}`?"))
                    .unwrap_or_default();
                return Err(failure(
                    "settings-unknown-key",
                    format!(
                        "`{path}` has no key `{}`{hint} (allowed here: `question`, `aql`)",
                        clean(&name)
                    ),
                ));
            }
        };
        if slot.is_some() {
            return Err(failure(
                "settings-duplicate-key",
                format!("`{path}.{name}` is given twice; keep one of them"),
            ));
        }
        match value {
            Document::Text(text) if !text.trim().is_empty() && text.len() <= max => {
                *slot = Some(text);
            }
            value => {
                return Err(failure(
                    "settings-type",
                    format!(
                        "`{path}.{name}` must be text of 1 to {max} bytes that is not blank, not {}",
                        value.show()
                    ),
                ));
            }
        }
    }
    match (question, aql) {
        (Some(question), Some(aql)) => Ok(Example { question, aql }),
        (question, _) => {
            let missing = if question.is_none() {
                "question"
            } else {
                "aql"
            };
            Err(failure(
                "settings-type",
                format!("`{path}` lacks the text `{missing}`"),
            ))
        }
    }
}

fn too_many(key: &Key, max: usize, given: usize) -> Result<()> {
    if given <= max {
        return Ok(());
    }
    Err(failure(
        "settings-range",
        format!("`{}` must be {}, not of {given}", key.path, key.allowed()),
    ))
}

/// A name for a message: short, and without characters that could rearrange the line.
fn clean(name: &str) -> String {
    crate::arango::clean_to(name, 80)
}

fn failure(code: &str, message: String) -> Box<Error> {
    Error::new(ErrorKind::Configuration, code, message)
}
