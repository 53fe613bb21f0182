//! A model's reply, read tolerantly where one reading is possible, and sent back where there are two.
//!
//! | the reply | is read as |
//! |---|---|
//! | one JSON object with the keys that were asked for, prose and fences around it or not | that object |
//! | one fenced block, whatever its tag | a query |
//! | nothing but AQL, a label or paragraphs of prose around it | a query |
//! | objects that differ, blocks that differ, an object and a block that differ | ambiguous: asked again |
//! | an unclosed thought, a list, prose alone, a reply that was cut | unusable: asked again |
//!
//! Tolerated around and within: thoughts between tags, chat-template tokens at the end, bold marks, a lone tag line, one
//! trailing `;`, and in JSON single quotes, trailing commas, raw line breaks and backslashes that begin no escape.
//!
//! Two blocks are never joined, no query is cut at a keyword, and nothing from within a thought is ever read: whatever is
//! taken must be AQL as a whole, or goes to the gate as a whole, which says where it is wrong.

mod bare;
mod fences;
mod loose;
mod object;
mod thoughts;
mod tidy;

use object::Found;

/// The longest reply that is read, in bytes. A query and its assumptions take a few kilobytes.
const MAX_BYTES: usize = 1024 * 1024;

/// What a reply says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// A query to try.
    Query {
        /// The AQL.
        query: String,
        /// What the model took for granted.
        assumptions: Vec<String>,
    },
    /// The model's words: the question is not about the database.
    Words(String),
    /// The model asks back.
    Clarify(String),
}

/// Why a reply cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unusable {
    /// Stable text for programs, beginning with `llm-reply-`.
    pub(crate) code: &'static str,
    /// What is wrong with it, for a person and for the model.
    pub(crate) message: &'static str,
}

const EMPTY: Unusable = Unusable {
    code: "llm-reply-empty",
    message: "the reply is empty",
};
const TOO_LARGE: Unusable = Unusable {
    code: "llm-reply-too-large",
    message: "the reply is longer than 1 MiB",
};
const TRUNCATED: Unusable = Unusable {
    code: "llm-reply-truncated",
    message: "the reply breaks off before its end; a shorter query is needed",
};
const AMBIGUOUS: Unusable = Unusable {
    code: "llm-reply-ambiguous",
    message: "the reply can be read in more than one way; exactly one JSON object is needed",
};
const UNREADABLE: Unusable = Unusable {
    code: "llm-reply-unreadable",
    message: "the reply holds no JSON object of the form asked for, and no query by itself",
};
const NOT_AN_OBJECT: Unusable = Unusable {
    code: "llm-reply-unreadable",
    message: "the reply is JSON and not an object of the form asked for",
};
const UNCLOSED_THOUGHT: Unusable = Unusable {
    code: "llm-reply-unreadable",
    message: "the reply holds a thought that is not closed",
};
const CONTRADICTION: Unusable = Unusable {
    code: "llm-reply-ambiguous",
    message: "the reply's `isValid` and its `query` contradict each other",
};

/// Reads a reply. `cut` says that the provider's limit of tokens ended it: then only a complete object counts, since a
/// query whose end is missing may still be one.
pub(crate) fn read(text: &str, cut: bool) -> Result<Reply, Unusable> {
    if text.len() > MAX_BYTES {
        return Err(TOO_LARGE);
    }
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Err(if cut { TRUNCATED } else { EMPTY });
    }
    // One whole object, or a text that is AQL from end to end, can be read in one way only, whatever its strings hold.
    if let Some(fields) = object::whole(text) {
        return fields.reply();
    }
    if !cut && tidy::parses(text) {
        return Ok(query(text.to_owned()));
    }
    let stripped = match thoughts::strip(text) {
        Ok(stripped) => stripped,
        Err(_) if cut => return Err(TRUNCATED),
        Err(unusable) => return Err(unusable),
    };
    let text = tidy::without_end_tokens(&stripped);
    if text.is_empty() {
        return Err(if cut { TRUNCATED } else { EMPTY });
    }
    around(text, cut)
}

/// The words of a reply that was asked for in words: without thoughts, chat-template tokens and what drives terminals. Empty
/// where a thought is not closed, since then nothing tells thought from answer.
pub(crate) fn prose(text: &str) -> String {
    if text.len() > MAX_BYTES {
        return String::new();
    }
    match thoughts::strip(text) {
        Ok(stripped) => tidy::words(tidy::without_end_tokens(&stripped)),
        Err(_) => String::new(),
    }
}

/// Reads a reply that has something around what matters.
fn around(text: &str, cut: bool) -> Result<Reply, Unusable> {
    if object::is_other_json(text) {
        return Err(NOT_AN_OBJECT);
    }
    let search = object::search(text)?;
    let blocks = fences::blocks(text);
    let objects: Vec<&Found> = search
        .found
        .iter()
        .filter(|found| {
            !blocks
                .iter()
                .any(|block| block.holds(&found.range) && tidy::parses(&tidy::query(&block.text)))
        })
        .collect();
    let blocks: Vec<&fences::Block> = blocks
        .iter()
        .filter(|block| {
            !objects
                .iter()
                .any(|found| overlap(&found.range, &block.range))
        })
        .collect();
    if let Some((first, others)) = objects.split_first() {
        let reply = first.fields.reply();
        if others.iter().any(|other| other.fields.reply() != reply) {
            return Err(AMBIGUOUS);
        }
        let reply = reply?;
        if let Reply::Query { query, .. } = &reply
            && blocks
                .iter()
                .map(|block| tidy::query(&block.text))
                .any(|other| tidy::parses(&other) && !same(&other, query))
        {
            return Err(AMBIGUOUS);
        }
        return Ok(reply);
    }
    if cut || search.unfinished {
        return Err(TRUNCATED);
    }
    if blocks.is_empty() {
        bare::read(text)
    } else {
        fences::read(&blocks)
    }
}

fn query(query: String) -> Reply {
    Reply::Query {
        query,
        assumptions: Vec::new(),
    }
}

/// Whether two texts are the same but for white space at their ends.
fn same(a: &str, b: &str) -> bool {
    a.trim() == b.trim()
}

fn overlap(a: &core::ops::Range<usize>, b: &core::ops::Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

#[cfg(test)]
mod tests;
