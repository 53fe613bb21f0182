//! Sets of documents with their scores, and how conditions combine them.

use super::index::Doc;

/// Documents in order, each with its score; without scores where nobody asks for them.
#[derive(Clone, Debug, Default)]
pub(super) struct Matches {
    pub(super) docs: Vec<Doc>,
    /// As many as documents, or none.
    pub(super) scores: Vec<f32>,
}

impl Matches {
    /// Documents in order, which count nothing.
    pub(super) fn of(docs: Vec<Doc>, scored: bool) -> Self {
        let scores = if scored {
            vec![0.0; docs.len()]
        } else {
            vec![]
        };
        Matches { docs, scores }
    }

    pub(super) fn all(count: usize, scored: bool) -> Self {
        Matches::of((0..count as Doc).collect(), scored)
    }

    fn is_scored(&self) -> bool {
        !self.scores.is_empty()
    }

    fn score(&self, at: usize) -> f32 {
        self.scores.get(at).copied().unwrap_or(0.0)
    }

    fn push(&mut self, doc: Doc, score: f32, scored: bool) {
        self.docs.push(doc);
        if scored {
            self.scores.push(score);
        }
    }

    /// The documents of any of the sets: scores add up.
    pub(super) fn any(mut sets: Vec<Matches>) -> Matches {
        match (sets.pop(), sets.is_empty()) {
            (None, _) => Matches::default(),
            (Some(only), true) => only,
            (Some(last), false) => {
                sets.push(last);
                Matches::at_least(1, sets)
            }
        }
    }

    /// The documents of at least so many of the sets: scores add up.
    pub(super) fn at_least(least: usize, sets: Vec<Matches>) -> Matches {
        let scored = sets.iter().any(Matches::is_scored);
        let mut pairs: Vec<(Doc, f32)> =
            Vec::with_capacity(sets.iter().map(|one| one.docs.len()).sum());
        for set in &sets {
            pairs.extend(
                set.docs
                    .iter()
                    .enumerate()
                    .map(|(at, doc)| (*doc, set.score(at))),
            );
        }
        // Sets are in order already: sorting merges their runs.
        pairs.sort_by_key(|(doc, _)| *doc);
        let mut found = Matches::default();
        for group in pairs.chunk_by(|(left, _), (right, _)| left == right) {
            if let (Some((doc, _)), true) = (group.first(), group.len() >= least) {
                found.push(*doc, group.iter().map(|(_, score)| score).sum(), scored);
            }
        }
        found
    }

    /// The documents of both sets: scores add up.
    pub(super) fn both(self, other: Matches) -> Matches {
        let scored = self.is_scored() || other.is_scored();
        let (less, more) = if self.docs.len() <= other.docs.len() {
            (self, other)
        } else {
            (other, self)
        };
        let mut found = Matches::default();
        let mut from = 0;
        for (at, doc) in less.docs.iter().enumerate() {
            let rest = more.docs.get(from..).unwrap_or_default();
            from += gallop(rest, *doc);
            if more.docs.get(from) == Some(doc) {
                found.push(*doc, less.score(at) + more.score(from), scored);
            }
        }
        found
    }

    /// The documents that are not in the other set.
    pub(super) fn without(self, other: &Matches) -> Matches {
        let scored = self.is_scored();
        let mut found = Matches::default();
        let mut from = 0;
        for (at, doc) in self.docs.iter().enumerate() {
            let rest = other.docs.get(from..).unwrap_or_default();
            from += gallop(rest, *doc);
            if other.docs.get(from) != Some(doc) {
                found.push(*doc, self.score(at), scored);
            }
        }
        found
    }

    /// The documents for which a check holds.
    pub(super) fn kept<E>(
        self,
        mut keep: impl FnMut(Doc) -> Result<bool, E>,
    ) -> Result<Matches, E> {
        let scored = self.is_scored();
        let mut found = Matches::default();
        for (at, doc) in self.docs.iter().enumerate() {
            if keep(*doc)? {
                found.push(*doc, self.score(at), scored);
            }
        }
        Ok(found)
    }
}

/// How many documents come before this one: found in steps that double, since it is mostly near.
fn gallop(docs: &[Doc], doc: Doc) -> usize {
    let mut step = 1;
    while docs.get(step).is_some_and(|one| *one < doc) {
        step *= 2;
    }
    let begin = step / 2;
    let end = docs.len().min(step + 1);
    let between = docs.get(begin..end).unwrap_or_default();
    begin.min(docs.len()) + between.partition_point(|one| *one < doc)
}

#[cfg(test)]
mod tests {
    use super::{Matches, gallop};

    fn set(docs: &[u32], score: f32) -> Matches {
        Matches {
            docs: docs.to_vec(),
            scores: vec![score; docs.len()],
        }
    }

    #[test]
    fn sets_combine_and_scores_add_up() {
        let (a, b) = (set(&[1, 3, 5, 9], 1.0), set(&[3, 4, 9, 12], 0.5));
        let both = a.clone().both(b.clone());
        assert_eq!((both.docs, both.scores), (vec![3, 9], vec![1.5, 1.5]));
        let any = Matches::any(vec![a.clone(), b.clone()]);
        assert_eq!(any.docs, [1, 3, 4, 5, 9, 12]);
        assert_eq!(any.scores, [1.0, 1.5, 0.5, 1.0, 1.5, 0.5]);
        assert_eq!(a.clone().without(&b).docs, [1, 5]);
        assert_eq!(Matches::at_least(2, vec![a, b]).docs, [3, 9]);
    }

    #[test]
    fn a_place_is_found_wherever_it_is() {
        let docs: Vec<u32> = (0..100).map(|at| at * 2).collect();
        for doc in 0..210 {
            let before = docs.iter().filter(|one| **one < doc).count();
            assert_eq!(gallop(&docs, doc), before, "{doc}");
        }
    }
}
