//! What tells two sets of rows apart, in a sentence and in rows.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Search;
use super::bag::{self, Relation};

/// How many rows of each side are shown.
const SHOWN_ROWS: usize = 5;

/// The longest text and the longest list of a row that is shown.
const SHOWN_CHARACTERS: usize = 200;
const SHOWN_ITEMS: usize = 20;

/// Why rows are not the right ones.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// In words.
    pub reason: String,
    /// Right rows that were not given: the first five, long values shortened.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Value>,
    /// Given rows that are not right: the first five, long values shortened.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unexpected: Vec<Value>,
}

impl Difference {
    /// Rows where none were right.
    #[must_use]
    pub fn unwanted(reason: impl Into<String>, given: &[Value]) -> Self {
        Self {
            reason: reason.into(),
            missing: Vec::new(),
            unexpected: shown(given, &(0..given.len()).collect::<Vec<_>>()),
        }
    }
}

/// The difference of two tables that do not fit each other.
pub(super) fn of(search: &Search<'_>, right: &[Value], given: &[Value]) -> Difference {
    let assigned = nearest(search);
    let (needed, taken): (Vec<usize>, Vec<usize>) = assigned
        .iter()
        .enumerate()
        .filter_map(|(at, other)| other.map(|other| (at, other)))
        .unzip();
    let (right_rows, given_rows) = (search.right.only(&needed), search.given.only(&taken));
    let limit = right_rows.len().max(given_rows.len());
    let mut missing = bag::unmatched(&right_rows, &given_rows, search.ordered, limit);
    let mut unexpected = bag::unmatched(&given_rows, &right_rows, search.ordered, limit);
    let reason = reason(
        search,
        &assigned,
        (right.len(), given.len()),
        &missing,
        &unexpected,
    );
    if search.relation == Relation::Part {
        // What the limit cut off is not missing.
        missing.truncate(unexpected.len());
    }
    if missing.is_empty() && unexpected.is_empty() {
        // The same rows but for their order, or for a column: the first ones where the sides part.
        let parts = right_rows
            .iter()
            .zip(&given_rows)
            .position(|(a, b)| !bag::rows(a, b, search.ordered))
            .unwrap_or(0);
        missing.push(parts);
        unexpected.push(parts);
    }
    Difference {
        reason,
        missing: shown(right, &missing),
        unexpected: shown(given, &unexpected),
    }
}

/// For each needed column the given one that is most like it: of the same values, the same name, or in the same place.
fn nearest(search: &Search<'_>) -> Vec<Option<usize>> {
    let mut taken: Vec<usize> = Vec::new();
    let mut assigned = vec![None; search.right.columns.len()];
    // Columns whose values fit first, so that no other one takes theirs.
    for fitting in [true, false] {
        for (at, place) in assigned.iter_mut().enumerate() {
            if place.is_some() {
                continue;
            }
            let found = search.candidates(at).into_iter().find(|candidate| {
                !taken.contains(candidate) && (!fitting || search.fits(&[at], &[*candidate]))
            });
            if let Some(found) = found {
                taken.push(found);
                *place = Some(found);
            }
        }
    }
    assigned
}

fn reason(
    search: &Search<'_>,
    assigned: &[Option<usize>],
    (right, given): (usize, usize),
    missing: &[usize],
    unexpected: &[usize],
) -> String {
    let rows = |count: usize| format!("{count} {}", if count == 1 { "row" } else { "rows" });
    if search.relation == Relation::Whole && right != given {
        let rest = match (missing.len(), unexpected.len()) {
            (0, _) => "the expected ones are among them".to_owned(),
            (_, 0) => "those given are right".to_owned(),
            (missing, unexpected) => format!("{missing} missing, {unexpected} unexpected"),
        };
        if given == 0 {
            return format!("no row given, {} expected", rows(right));
        }
        return format!("{} given, {right} expected; {rest}", rows(given));
    }
    let columns = (search.right.columns.len(), search.given.columns.len());
    if columns.1 < columns.0 && given > 0 {
        let names = if columns.1 == 1 { "column" } else { "columns" };
        return format!("{} {names} given, {} expected", columns.1, columns.0);
    }
    if search.ordered && missing.is_empty() && unexpected.is_empty() {
        return "the right rows in another order".to_owned();
    }
    let unfit: Vec<String> = assigned
        .iter()
        .enumerate()
        .filter(|(at, other)| other.is_none_or(|other| !search.fits(&[*at], &[other])))
        .filter_map(|(at, _)| search.right.columns.get(at))
        .filter(|name| !name.is_empty())
        .map(|name| format!("`{name}`"))
        .collect();
    let others = match unfit.as_slice() {
        [] => String::new(),
        names => format!("; no column has the values of {}", names.join(", ")),
    };
    format!("not right: {} of {}{others}", unexpected.len(), rows(given))
}

/// The rows at these places, as many as are shown, each shortened.
fn shown(rows: &[Value], places: &[usize]) -> Vec<Value> {
    places
        .iter()
        .filter_map(|at| rows.get(*at))
        .take(SHOWN_ROWS)
        .map(shortened)
        .collect()
}

fn shortened(value: &Value) -> Value {
    match value {
        Value::String(text) => match text.char_indices().nth(SHOWN_CHARACTERS) {
            Some((at, _)) => Value::String(format!("{}…", text.get(..at).unwrap_or_default())),
            None => value.clone(),
        },
        Value::Array(items) => {
            let mut kept: Vec<Value> = items.iter().take(SHOWN_ITEMS).map(shortened).collect();
            if items.len() > SHOWN_ITEMS {
                kept.push(Value::String(format!(
                    "… {} more",
                    items.len() - SHOWN_ITEMS
                )));
            }
            Value::Array(kept)
        }
        Value::Object(map) => map
            .iter()
            .map(|(name, value)| (name.clone(), shortened(value)))
            .collect(),
        other => other.clone(),
    }
}
