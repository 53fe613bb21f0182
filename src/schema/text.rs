//! The schema as text for a prompt, within a budget.
//!
//! The same schema, budget and question give the same text. Where everything fits, the question plays no part, so that a
//! provider can cache the beginning of the prompt. Where it does not, detail is given up in steps, for all collections
//! alike: options of indexes and paths deeper than two names; then all nested paths; then attributes after the twelfth.
//! Where that is still too much, every collection is named, and those whose names share words with the question, and then
//! the largest, get their attributes for as long as the budget lasts. What was left out is a notice.

use core::fmt::Write as _;

use super::path::{write_name, write_path};
use super::{
    Collection, CollectionKind, Graph, Index, Schema, Step, View, ViewLink, path_text, quote_name,
};
use crate::ask::Notice;
use crate::find::{count_chars, holds, is_of_word, joined};
use crate::fold::fold;
use crate::order::sort_by;

/// The schema's text, and what was left out of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaText {
    /// The text.
    pub text: String,
    /// What was left out to keep within the budget.
    pub cut: Option<Notice>,
}

/// Bytes that stand for a token in the estimate.
const BYTES_PER_TOKEN: usize = 4;

/// How much of a collection is told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Detail {
    Full,
    Shallow,
    Flat,
    Few,
    Name,
}

/// Attributes told at [`Detail::Few`].
const FEW: usize = 12;

impl Schema {
    /// The schema as text of at most `budget_tokens`, estimated at four bytes each. `question` decides what is kept where
    /// not everything fits.
    pub fn text(&self, budget_tokens: u32, question: &str) -> SchemaText {
        let budget = usize::try_from(budget_tokens)
            .unwrap_or(usize::MAX)
            .saturating_mul(BYTES_PER_TOKEN);
        let mut frame = String::from(HEAD);
        let tail = self.tail();
        for detail in [Detail::Full, Detail::Shallow, Detail::Flat, Detail::Few] {
            let mut text = frame.clone();
            for collection in &self.collections {
                collection.tell(detail, &mut text);
                if text.len() > budget {
                    break;
                }
            }
            text.push_str(&tail);
            if text.len() <= budget {
                let cut = (detail != Detail::Full).then(|| {
                    Notice::new(
                        "schema-cut",
                        format!("the schema was told in less detail, to keep within `schema_budget_tokens` ({budget_tokens})"),
                    )
                });
                return SchemaText { text, cut };
            }
        }
        let named = self.ranked(budget, question, &mut frame, &tail);
        SchemaText {
            text: frame,
            cut: Some(Notice::new(
                "schema-cut",
                format!(
                    "{} of {} collections were told with their attributes, {} by name alone, to keep within `schema_budget_tokens` ({budget_tokens})",
                    named.told,
                    self.collections.len(),
                    named.named
                ),
            )),
        }
    }

    /// Tells the collections that matter most in the room that there is.
    fn ranked(&self, budget: usize, question: &str, text: &mut String, tail: &str) -> Ranked {
        let words = words(question);
        let mut order: Vec<(usize, &Collection)> = self
            .collections
            .iter()
            .map(|collection| (collection.shared(&words), collection))
            .collect();
        sort_by(&mut order, |(one_shared, one), (other_shared, other)| {
            let counts = other.count.unwrap_or(0).cmp(&one.count.unwrap_or(0));
            other_shared.cmp(one_shared).then(counts)
        });

        // Graphs and views come first: they are few, and say how collections belong together.
        let mut room = budget.saturating_sub(text.len());
        let tail_fits = tail.len() <= room / 2;
        if tail_fits {
            room = room.saturating_sub(tail.len());
        }
        let mut lines: Vec<(String, Detail)> = Vec::new();
        for (_, collection) in &order {
            let mut line = String::new();
            collection.tell(Detail::Name, &mut line);
            if line.len() > room {
                break;
            }
            room = room.saturating_sub(line.len());
            lines.push((line, Detail::Name));
        }
        for ((_, collection), line) in order.iter().zip(&mut lines) {
            for detail in [Detail::Flat, Detail::Few] {
                let mut better = String::new();
                collection.tell(detail, &mut better);
                let more = better.len().saturating_sub(line.0.len());
                if more <= room {
                    room = room.saturating_sub(more);
                    *line = (better, detail);
                    break;
                }
            }
        }
        let mut told = 0_usize;
        let all = lines.len();
        for (line, detail) in lines {
            text.push_str(&line);
            told = told.saturating_add(usize::from(detail != Detail::Name));
        }
        if tail_fits {
            text.push_str(tail);
        }
        Ranked {
            told,
            named: all.saturating_sub(told),
        }
    }

    /// Graphs and views.
    fn tail(&self) -> String {
        let mut text = String::new();
        if !self.graphs.is_empty() {
            text.push_str("Named graphs:\n");
        }
        for graph in &self.graphs {
            graph.tell(&mut text);
        }
        if !self.views.is_empty() {
            text.push_str("Views:\n");
        }
        for view in &self.views {
            view.tell(self, &mut text);
        }
        text
    }
}

/// How many collections were told how.
struct Ranked {
    told: usize,
    named: usize,
}

const HEAD: &str = "Every document has the text attributes _key and _id (collection/key); an edge also has _from and _to, which hold the _id of the documents it joins.\n";

/// A question's or a name's words: letters and digits, folded, of three characters or more.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in text.split(|character: char| !is_of_word(character)) {
        if count_chars(word) >= 3 {
            words.push(fold(word).trim_end_matches('s').to_string());
        }
    }
    words
}

/// Attributes of a collection that are held against the question.
const RANKED_FIELDS: usize = 100;

/// Whether `name` holds `word`, ASCII letters of either case taken for the same.
fn contains_ignoring_case(name: &str, word: &str) -> bool {
    name.as_bytes()
        .windows(word.len().max(1))
        .any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
}

impl Collection {
    /// How many words its names share with the question, its own name counting most.
    fn shared(&self, question: &[String]) -> usize {
        let mut shared = 0_usize;
        for word in words(&self.name) {
            if question
                .iter()
                .any(|asked| holds(&word, asked) || holds(asked, &word))
            {
                shared = shared.saturating_add(100);
            }
        }
        for field in self.fields.iter().take(RANKED_FIELDS) {
            if let [Step::Name(name)] = field.path.as_ref()
                && !field.is_system()
                && question
                    .iter()
                    .any(|asked| contains_ignoring_case(name, asked))
            {
                shared = shared.saturating_add(1);
            }
        }
        shared
    }

    fn tell(&self, detail: Detail, text: &mut String) {
        text.push_str("Collection ");
        write_name(&self.name, text);
        text.push_str(match self.kind {
            CollectionKind::Document => " (document",
            CollectionKind::Edge => " (edge",
        });
        if let Some(count) = self.count {
            let _ = write!(text, ", {count} documents");
        }
        text.push_str(")\n");
        if detail == Detail::Name {
            return;
        }

        let deepest = match detail {
            Detail::Full => usize::MAX,
            Detail::Shallow => 2,
            _ => 1,
        };
        let most = if detail == Detail::Few {
            FEW
        } else {
            usize::MAX
        };
        let mut told = 0_usize;
        let mut all = 0_usize;
        for field in self.fields.iter().filter(|field| !field.is_system()) {
            all = all.saturating_add(1);
            if told < most && (deepest == usize::MAX || field.depth() <= deepest) {
                told = told.saturating_add(1);
                text.push_str("  ");
                write_path(&field.path, text);
                text.push_str(": ");
                field.types.write(text);
                text.push('\n');
            }
        }
        if all > told {
            let _ = writeln!(text, "  and {} more attributes", all.saturating_sub(told));
        } else if self.fields_cut {
            text.push_str("  and more attributes\n");
        }
        let indexes = self.indexes.iter().flatten();
        let mut told_before = false;
        for index in indexes.filter(|index| index.kind.as_ref() != "edge") {
            text.push_str(if told_before { "; " } else { "  indexed: " });
            index.tell(detail == Detail::Full, text);
            told_before = true;
        }
        if told_before {
            text.push('\n');
        }
    }
}

impl Index {
    fn tell(&self, options: bool, text: &mut String) {
        for (place, field) in self.fields.iter().enumerate() {
            if place > 0 {
                text.push_str(", ");
            }
            text.push_str(&one_line(&field.path));
            if let Some(analyzer) = &field.analyzer {
                text.push_str(" with ");
                text.push_str(&one_line(analyzer));
            }
        }
        text.push_str(" (");
        text.push_str(&one_line(&self.kind));
        if self.unique {
            text.push_str(", unique");
        }
        if options {
            for (name, value) in &self.options {
                text.push_str(", ");
                text.push_str(name);
                text.push(' ');
                text.push_str(value);
            }
        }
        text.push(')');
    }
}

impl Graph {
    fn tell(&self, text: &mut String) {
        text.push_str("  Graph ");
        write_name(&self.name, text);
        text.push('\n');
        let names = |names: &[Box<str>]| {
            let mut quoted = String::new();
            for (at, name) in names.iter().enumerate() {
                if at > 0 {
                    quoted.push_str(", ");
                }
                write_name(name, &mut quoted);
            }
            quoted
        };
        for edge in &self.edges {
            let _ = writeln!(
                text,
                "    ({}) -[{}]-> ({})",
                names(&edge.from),
                quote_name(&edge.collection),
                names(&edge.to)
            );
        }
        if !self.orphans.is_empty() {
            let _ = writeln!(text, "    without edges: {}", names(&self.orphans));
        }
    }
}

impl View {
    fn tell(&self, schema: &Schema, text: &mut String) {
        text.push_str("  View ");
        write_name(&self.name, text);
        let _ = writeln!(text, " ({})", one_line(&self.kind));
        for link in &self.links {
            text.push_str("    searches ");
            write_name(&link.collection, text);
            link.tell(schema, text);
            text.push('\n');
        }
    }
}

impl ViewLink {
    fn tell(&self, schema: &Schema, text: &mut String) {
        let mut fields: Vec<String> = Vec::new();
        for field in &self.fields {
            fields.push(analyzed(path_text(&field.path), &field.analyzers));
        }
        if self.all_fields {
            fields.push(analyzed("every attribute".into(), &self.analyzers));
        }
        if let Some(name) = &self.index {
            let index = schema
                .collection(&self.collection)
                .and_then(|collection| collection.indexes.as_ref())
                .and_then(|indexes| indexes.iter().find(|index| index.name == *name));
            match index {
                Some(index) => {
                    let mut told = String::new();
                    index.tell(true, &mut told);
                    fields.push(told);
                }
                None => fields.push(format!("index {}", one_line(name))),
            }
        }
        if !fields.is_empty() {
            text.push_str(": ");
            text.push_str(&joined(&fields, ", "));
        }
    }
}

fn analyzed(path: String, analyzers: &[Box<str>]) -> String {
    if analyzers.is_empty() {
        return path;
    }
    let mut told = path;
    for (at, name) in analyzers.iter().enumerate() {
        told.push_str(if at == 0 { " with " } else { ", " });
        told.push_str(&one_line(name));
    }
    told
}

/// The server's own notation as it is, but on one line.
fn one_line(text: &str) -> String {
    crate::arango::clean_to(text, 300)
}
