//! MinHash: a few of the smallest hashes of a set stand for the set, and the share that two sets have in common can be told
//! from them.

use std::collections::{BinaryHeap, HashSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use super::token::{Token, Tokens};
use crate::error::ArangoError;
use crate::functions::hashes::city_hash;

/// The smallest of the hashes that were added, each once.
pub(in crate::functions) struct Smallest {
    most: usize,
    /// In the order in which they came, until there are as many as wanted.
    first: Vec<u64>,
    /// The largest on top, from then on.
    heap: BinaryHeap<u64>,
    known: HashSet<u64>,
}

impl Smallest {
    /// Keeps at most so many hashes, at least one.
    pub(in crate::functions) fn new(most: usize) -> Self {
        Smallest {
            most: most.max(1),
            first: Vec::new(),
            heap: BinaryHeap::new(),
            known: HashSet::new(),
        }
    }

    pub(in crate::functions) fn add(&mut self, hash: u64) {
        if self.known.len() < self.most {
            if self.known.insert(hash) {
                self.first.push(hash);
                if self.first.len() == self.most {
                    self.heap = std::mem::take(&mut self.first).into();
                }
            }
        } else if self.heap.peek().is_some_and(|largest| hash < *largest)
            && self.known.insert(hash)
            && let Some(largest) = self.heap.pop()
        {
            self.known.remove(&largest);
            self.heap.push(hash);
        }
    }

    /// The hashes as texts: eight bytes in base64.
    pub(in crate::functions) fn texts(&self) -> impl Iterator<Item = String> {
        self.first
            .iter()
            .chain(self.heap.iter())
            .map(|hash| STANDARD_NO_PAD.encode(hash.to_le_bytes()))
    }
}

/// The signature of some words, at one position.
pub(super) fn signature(
    tokens: &mut Tokens<'_, '_>,
    words: &[Token],
    count: usize,
) -> Result<(), ArangoError> {
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return Ok(());
    };
    let mut smallest = Smallest::new(count);
    for word in words {
        smallest.add(city_hash(word.term.to_text().as_bytes()));
    }
    let place = first.place.start..last.place.end;
    for (at, hash) in smallest.texts().enumerate() {
        tokens.push_step(hash, place.clone(), usize::from(at == 0))?;
    }
    Ok(())
}
